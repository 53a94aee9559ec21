"""Runs codecs with 1,024 entries in Icarus, where a memory without initial contents is undefined.

The first block of a key that closes needs the bank of its entry, which was never written before.
"""

import json
import random

import pytest

pytestmark = [pytest.mark.spark, pytest.mark.hdl, pytest.mark.in_turn]
SIZES = {"entries": 1024, "ways": 1, "window_max": 16, "ports": 1}
#: For each codec: the type of its values, and its options.
CODECS = {
    "base-delta": ("int(32)", {}),
    "grid": ("int(32)", {}),
    "xor": ("double", {"decoders": 1}),
    "sz": ("double", {"decoders": 1, "neighbours": 2}),
}


@pytest.mark.parametrize("codec", CODECS)
def test_blocks_that_close(sluice, tmp_path, codec):
    """The values have nothing in common, so each window of 16 has several blocks.

    Each of the 3 keys has 30 tuples, and closes windows with its tuples 16 and 24: 6 rows.
    """
    value_type, options = CODECS[codec]
    options = SIZES | {"codec": codec} | options
    query, data = tmp_path / "q.cql", tmp_path / "d.csv"
    query.write_text(
        f"CREATE INPUT STREAM S (k uint(8), x {value_type});\n"
        "SELECT k, max(x), count(*) FROM S [PARTITION BY k ROWS 16 SLIDE 8];\n"
    )
    values = random.Random(5)
    exponent = -16 if value_type == "double" else 0
    lines = [f"{n % 3},{values.randrange(-(2**31), 2**31) * 2.0**exponent:.6f}" for n in range(90)]
    data.write_text("k,x\n" + "\n".join(lines).replace(".000000", "") + "\n")
    built = [text for name, value in options.items() for text in ("--set", f"{name}={value}")]
    simulated = ("--simulator", "icarus", "--memory", "ideal", "--json")
    code, out, _ = sluice("simulate", query, "--input", data, *built, *simulated)
    output = json.loads(out)
    assert (code, output["rows"], output["mismatches"], output["problems"]) == (0, 6, 0, [])

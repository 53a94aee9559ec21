"""Tests the share of windows that stays on the chip, as `sluice simulate` reports it."""

import json

import pytest

pytestmark = [pytest.mark.spark, pytest.mark.hdl]
QUERY = "CREATE INPUT STREAM S (k uint(6), x int(64)); SELECT k, max(x) FROM S "
SIZES = {"entries": 8, "ways": 1, "ports": 1, "port_bits": 512, "line_values": 8}
REGRESS = pytest.mark.regress


@pytest.mark.in_turn
@pytest.mark.parametrize(
    ("options", "share"),
    [
        # A key has 8 windows. Every other window ends with the 8th value of a line, the others with
        # the 4th. With a second line in M2 the 8 values of the line before are on the chip, too.
        pytest.param({}, (8 + 4) / 2 / 64, marks=REGRESS),
        ({"m2_lines": 2, "m2_kind": "ultra"}, (8 + (8 + 4) / 2) / 64),
        # A tuple's own line has been read for the tuple, not for its window.
        pytest.param({"memory": "dram-only"}, (8 + 4) / 2 / 64, marks=REGRESS),
    ],
)
def test_windows_of_64_tuples(sluice, tmp_path, options, share):
    """In Icarus a memory of UltraRAM is undefined before it is written."""
    query, data = tmp_path / "q.cql", tmp_path / "d.csv"
    query.write_text(f"{QUERY}[PARTITION BY k ROWS 64 SLIDE 4];\n")
    tuples = [(key, 9 * n % 50) for n in range(64 + 7 * 4) for key in (3, 4)]
    data.write_text("k,x\n" + "".join(f"{key},{value}\n" for key, value in tuples))
    built = [text for name, v in (SIZES | options).items() for text in ("--set", f"{name}={v}")]
    stalls = ("--stall-input", 0.2, "--stall-output", 0.3, "--seed", 5)
    run = ("simulate", query, "--input", data, "--simulator", "icarus", *built, *stalls, "--json")
    code, out, _ = sluice(*run)
    output = json.loads(out)
    assert (code, output["mismatches"], output["problems"]) == (0, 0, [])
    memory = output["memory"]
    assert memory["window_values"] == 2 * 8 * 64
    assert memory["m3_window_values"] == 2 * 8 * 64 * (1 - share)
    assert memory["on_chip_share"] == share
    changed = memory["m3_read_modify_writes"]
    # Each window has 7 or 8 lines before its last line, of which M2 may have one.
    lines = 2 * (4 * 7 + 4 * 8 - 8 * (options.get("m2_lines") == 2))
    assert memory["m3_lines_read"] - changed == lines
    assert (changed > 0) == ("memory" in options)

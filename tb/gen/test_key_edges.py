"""Checks `sluice simulate` of windows of each key with extreme keys and values, NaN, and no rows.

The rows must equal PySpark's.
"""

import json
import random
from itertools import product

import pytest

pytestmark = [pytest.mark.spark, pytest.mark.hdl, pytest.mark.regress]

SMALL = {"entries": 8, "ways": 2, "ports": 1, "port_bits": 512, "window_max": 4}
STORES = ["mlq", "dram-only"]
ENDS = [-(1 << 63), (1 << 63) - 1, -1, 0, 1]
DOUBLES = ["nan", "-nan", "inf", "-inf", "0.0", "-0.0", "5e-324", "-1.7976931348623157e308"]
NANS = {"nan", "-nan"}
KEYS = {
    "uint(32)": [0, (1 << 32) - 1, 1 << 31],
    "int(64)": ENDS,
    "uint(1)": [0, 1],
    "fixed(8,24)": [-128, "127.99999994039535522461", 0],
    "string(5)": ["a", "zzzzz", '""', "é", "é0é"],
    "double": DOUBLES,
    "float": ["nan", "-0.0", "0.0", "1e-45", "3.4028235e38"],
}


def simulate(sluice, tmp_path, key, rows, store, where=""):
    """Simulates the tuples ``rows``, each (key, x, d), and returns the output of the command.

    Checks that all rows equal PySpark's. ``store`` is the engine's option ``memory``. Input and
    output stall, and DRAM answers late and with stalls (``--memory restless``).
    """
    query, data = tmp_path / "q.cql", tmp_path / "d.csv"
    query.write_text(
        f"CREATE INPUT STREAM S (k {key}, x int(64), d double);\n"
        "SELECT k, min(x), max(x), sum(x), avg(x), median(x), min(d), max(d), count(*)\n"
        f"FROM S [PARTITION BY k ROWS 3 SLIDE 2] {where};\n"
    )
    lines = [",".join(map(str, row)) for row in rows]
    data.write_text("\n".join(["k,x,d", *lines, ""]))
    options = [f"{name}={value}" for name, value in (SMALL | {"memory": store}).items()]
    arguments = [text for setting in options for text in ("--set", setting)]
    stalls = ("--stall-input", 0.3, "--stall-output", 0.5, "--seed", 9, "--memory", "restless")
    run = ("simulate", query, "--input", data, *arguments, *stalls, "--allow-evictions", "--json")
    code, out, _ = sluice(*run)
    output = json.loads(out)
    assert (code, output["mismatches"], output["problems"]) == (0, 0, [])
    assert output["rows"] == output["rows_expected"]
    assert output["tuples"] == len(rows)
    return output


@pytest.mark.parametrize(
    ("key", "store"),
    [*((key, "mlq") for key in KEYS), ("uint(32)", "dram-only"), ("double", "dram-only")],
)
def test_keys_and_values_at_the_ends_of_their_types(sluice, tmp_path, key, store):
    rng = random.Random(key)
    rows = list(product(KEYS[key], ENDS, DOUBLES))
    rng.shuffle(rows)
    output = simulate(sluice, tmp_path, key, rows, store)
    assert output["dropped"]["nan"] == sum(k in NANS or d in NANS for k, _, d in rows)
    # Each key has 5 * 6 tuples without NaN, so (30 - 3) // 2 + 1 windows. After an eviction the
    # windows of the key begin anew, so there are fewer rows.
    windows = 14 * len([k for k in KEYS[key] if k not in NANS])
    assert output["rows_of_query"] == windows
    if not output["evicted_keys"]:
        assert output["rows"] == windows
    assert output["rows"] >= windows // 4


NOTHING = {
    "no tuple": ([], ""),
    "one tuple": ([(5, 6, 0.5)], ""),
    "WHERE drops all": ([(5, x, 0.5) for x in range(9)], "WHERE x < 0"),
    "NaN drops all": ([(5, x, "nan") for x in range(9)], ""),
    "no window is full": ([(k, 6, 0.5) for k in range(8)] * 2, ""),
}


@pytest.mark.parametrize("store", STORES)
@pytest.mark.parametrize(("rows", "where"), NOTHING.values(), ids=NOTHING)
def test_no_row(sluice, tmp_path, rows, where, store):
    output = simulate(sluice, tmp_path, "uint(32)", rows, store, where)
    assert output["rows"] == 0
    assert output["filtered"] == (len(rows) if where else 0)
    assert output["dropped"]["nan"] == sum(d == "nan" for _, _, d in rows)

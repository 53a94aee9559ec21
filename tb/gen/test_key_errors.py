"""Tests errors about windows of keys: one line that names the place, exit code 2, no file."""

import pytest

from rtl.keyed.codec.codecs import CODEC_ENTRIES

SCHEMA = "CREATE INPUT STREAM S (k uint(6), x int(32), d double, t uint(12));\n"
ROWS, TIMES = "ROWS 8 SLIDE 2", "RANGE 8 SLIDE 2 WATTR t"
HUGE = 10**30
WINDOWS = {
    "k ROWS 0 SLIDE 1": ":2:46: ROWS must be a whole number of at least 1, not 0",
    "k ROWS -3 SLIDE 1": ":2:46: ROWS must be a whole number of at least 1, not -3",
    "k ROWS 2.5 SLIDE 1": ":2:46: ROWS must be a whole number of at least 1, not 2.5",
    "k ROWS 8 SLIDE 0": ":2:54: SLIDE must be a whole number of at least 1, not 0",
    "k ROWS 8 SLIDE 9": ":2:54: SLIDE must be at most ROWS, not 9 with ROWS 8",
    f"k ROWS {HUGE} SLIDE 1": f":2:46: ROWS must be at most 281474976710655, not {HUGE}",
    "k ROWS 1048577 SLIDE 1": "ROWS must be at most 1048576, not 1048577",
    "k, x ROWS 8 SLIDE 2": ":2:40: expected RANGE or ROWS, not ,",
    "z ROWS 8 SLIDE 2": ":2:39: unknown column z; known are k, x, d, t",
}
SELECTED = {
    "count(distinct x)": "count(distinct x) needs sorted windows",
    "count(*)": "it aggregates no column",
    "median(x), median(t)": "it asks for percentiles of 2 columns",
}
#: Of a median.
SORTED = {
    "codec=grid percentiles=sorter": "percentiles must be pivot with codec=grid, not sorter",
    "neighbours=3": "neighbours must be a power of two from 1 to 16, not 3",
    "cached_keys=1 percentiles=sorter": "percentiles must be pivot with cached_keys=1, not sorter",
    "cached_keys=4 cache_lanes=16 window_max=512": "window_max must be at most 256 with ",
}
SETTINGS = {
    "window_max=4": "ROWS must be at most window_max, 4, not 8",
    "memory=sram": "memory must be one of mlq, dram-only, not 'sram'",
    "codec=lzw": f"codec must be one of none, {', '.join(CODEC_ENTRIES)}, not 'lzw'",
    "codec=xor decoders=0": "decoders must be from 1 to 128, not 0",
    "codec=xor-chained expected_ratio=5": "expected_ratio must be none with codec=xor-chained, ",
    "codec=sz bound=some": "bound must be from 0 to ",
    "codec=sz bound=1e99999999": "bound must be from 0 to ",
    "codec=sz bound=1e-99999999": "bound must be from 0 to ",
    "codec=sz bound=100%": "bound must be from 0% to less than 100%, not '100%'",
    "codec=sz bound=-1": "bound must be from 0 to ",
    "codec=sz exponent=32": "exponent must be from 0 to 31 for x, not 32",
    "codec=sz exponent=adaptive": "exponent must be from 0 to 31 for x, not adaptive",
    "codec=sz exponent=fitting": "exponent must be an integer or adaptive, not 'fitting'",
    "entries=7": "entries must be a power of two from 8 to 1048576, not 7",
    "entries=-8": "entries must be a power of two from 8 to 1048576, not -8",
    "ways=3": "ways must be a power of two from 1 to 4, not 3",
    "ports=3": "ports must be a power of two from 1 to 4, not 3",
    "port_bits=100": "port_bits must be a power of two from 128 to 512, not 100",
    "port_bits=wide": "port_bits must be an integer, not 'wide'",
    "address_bits=20": "address_bits must be at least 24, not 20: windows of 8 tuples of 16384",
    "address_bits=65": "address_bits must be from 13 to 64, not 65",
    "entries=1048576 window_max=1048576": "address_bits must be at least 43, not 32",
    "line_values=3": "line_values must be a power of two from 2 to 256, not 3",
    "line_values=1": "line_values must be a power of two from 2 to 256, not 1",
    "line_values=64": "line_values must be at most 16, not 64: a value has 32 bits",
    "size=4": "unknown parameter size of engine streamzip",
}
#: With windows of time.
TIMED = {
    "codec=base-delta memory=dram-only": "memory must be mlq with codec=base-delta, not dram-only",
    "codec=xor-chained": "codec must not be xor-chained with RANGE: its blocks depend on the block",
    "codec=xor line_values=4": "line_values must be 8 with codec=xor, not 4",
}
CASES = [
    *((f"PARTITION BY {window}", "max(x)", "", message) for window, message in WINDOWS.items()),
    *((f"PARTITION BY k {ROWS}", items, "", message) for items, message in SELECTED.items()),
    *((f"PARTITION BY k {ROWS}", "max(x)", texts, message) for texts, message in SETTINGS.items()),
    *((f"PARTITION BY k {ROWS}", "median(x)", texts, message) for texts, message in SORTED.items()),
    *((f"PARTITION BY k {TIMES}", "max(x)", texts, message) for texts, message in TIMED.items()),
    *(
        (
            f"PARTITION BY k {ROWS}",
            "max(x), min(t)",
            f"codec={codec}",
            f"codec must be none for a query that aggregates 2 columns, not {codec}",
        )
        for codec in CODEC_ENTRIES
    ),
]


def files(tmp_path, window, items, rows):
    query, data = tmp_path / "q.cql", tmp_path / "d.csv"
    query.write_text(f"{SCHEMA}SELECT k, {items} FROM S [{window}];\n")
    data.write_text(f"k,x,d,t\n{rows}")
    return query, data


@pytest.mark.parametrize("command", ["generate", "simulate"])
@pytest.mark.parametrize(("window", "items", "setting_texts", "message"), CASES)
def test_designs_that_cannot_be_built(
    command, window, items, setting_texts, message, sluice, tmp_path
):
    query, data = files(tmp_path, window, items, "1,2,0.5,3\n")
    settings = [text for setting in setting_texts.split() for text in ("--set", setting)]
    requested = {"generate": ("-o", tmp_path / "made"), "simulate": ("--input", data)}[command]
    code, out, err = sluice(command, query, "--engine", "streamzip", *requested, *settings)
    assert (code, out, err.count("\n")) == (2, "", 1)
    assert err.startswith("sluice: ")
    assert (f"q.cql{message}" if message.startswith(":") else message) in err
    assert sorted(path.name for path in tmp_path.iterdir()) == ["d.csv", "q.cql"]


@pytest.mark.parametrize(
    ("row", "message"),
    [
        ("64,2,0.5,3", "k: 64 does not fit uint(6)"),
        ("-1,2,0.5,3", "k: -1 does not fit uint(6)"),
        ("one,2,0.5,3", "k: 'one' is not a number for uint(6)"),
        (",2,0.5,3", "k: '' is not a number for uint(6)"),
        ("1,2147483648,0.5,3", "x: 2147483648 does not fit int"),
        ("1,-2147483649,0.5,3", "x: -2147483649 does not fit int"),
        ("1,0.5,0.5,3", "x: '0.5' is not a whole number for int"),
        (f"1,{'9' * 5000},0.5,3", "x: '9999"),
        ("1,2,0.5", "there must be 4 fields, not 3"),
    ],
)
def test_data_that_does_not_fit(row, message, sluice, tmp_path):
    query, data = files(tmp_path, f"PARTITION BY k {ROWS}", "max(x)", f"1,2,0.5,3\n{row}\n")
    outputs = ("--rows", tmp_path / "rows.csv", "--evicted", tmp_path / "gone.csv")
    code, out, err = sluice("simulate", query, "--input", data, *outputs)
    lines = err.splitlines()
    assert (code, out) == (2, "")
    assert lines[-1].startswith(f"sluice: {data}:3: {message}")
    assert all(line.startswith("reading ") for line in lines[:-1])
    assert sorted(path.name for path in tmp_path.iterdir()) == ["d.csv", "q.cql"]

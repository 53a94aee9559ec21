"""Checks every row of `sluice simulate` with compressed windows, for streams of many kinds."""

import json
import random

import numpy as np
import pytest

from tb.figures.ratios import TRACES
from tb.golden.codecs.kinds import kinds
from tb.golden.data_files import shared

pytestmark = [pytest.mark.spark, pytest.mark.hdl, pytest.mark.regress]

COUNT = 3000
#: Streams of values of 64 bits, by name. :func:`floats_of` leaves out the patterns that are NaNs.
KINDS = dict(kinds(64, COUNT, 5))
SENSORS = ("DEBS mf01-03", "DEBS pc13-15")
INTEGER_RESULTS = "min(x), max(x), sum(x), avg(x), count(*)"
FLOAT_RESULTS = "min(x), max(x), count(*)"
#: Type of the column, and the results of the query, by codec.
CODECS = {
    "base-delta": ("int(64)", INTEGER_RESULTS),
    "grid": ("int(64)", INTEGER_RESULTS),
    "xor": ("double", FLOAT_RESULTS),
    "grid, double": ("double", FLOAT_RESULTS),
    "sz": ("double", FLOAT_RESULTS),
}
#: Memory behind the ports, by window.
WINDOWS = {
    "ROWS 200 SLIDE 7": "restless",
    "ROWS 60 SLIDE 1": "ddr3",
    "RANGE 400 SLIDE 50 WATTR t": "restless",
}


def floats_of(stream):
    """Returns the bit patterns of a kind as doubles, without NaN."""
    values = np.array(KINDS[stream], np.uint64).view(np.float64)
    return values[~np.isnan(values)]


#: Streams and codecs, without kinds that have too many NaNs as doubles: integers around 0.
CASES = [
    (stream, codec)
    for stream in [*KINDS, *SENSORS]
    for codec, (type_, _) in CODECS.items()
    if stream in SENSORS or type_ != "double" or len(floats_of(stream)) > COUNT // 3
]


def tuples_of(stream, floating):
    """Returns (key, value) of each tuple; a value is an integer or text, as in a file.

    Of a trace three parts are taken, and their tuples take turns.
    """
    if stream in TRACES:
        keys, numbers = TRACES[stream].load()
        chosen = np.flatnonzero(np.arange(len(keys)) % (len(keys) // 3) < COUNT // 3)
        shuffled = np.argsort(np.arange(len(chosen)) % (COUNT // 3), kind="stable")
        keys, numbers = keys[chosen][shuffled], numbers[chosen][shuffled]
        return [
            (k, repr(float(v)) if floating else int(v)) for k, v in zip(keys, numbers, strict=True)
        ]
    rng = random.Random(stream)
    values = floats_of(stream) if floating else np.array(KINDS[stream], np.uint64).view(np.int64)
    # Each key has a part of the stream, in order. The parts differ in length.
    cuts = np.sort([rng.randrange(len(values)) for _ in range(4)])
    parts = [part.tolist() for part in np.split(values, cuts) if len(part)]
    order = [k for k, part in enumerate(parts) for _ in part]
    rng.shuffle(order)
    remaining = [iter(part) for part in parts]
    return [(k, repr(next(remaining[k]))) for k in order]


@pytest.mark.parametrize("window", WINDOWS)
@pytest.mark.parametrize(("stream", "codec"), CASES)
def test_every_row(sluice, tmp_path, stream, codec, window):
    if stream in TRACES:
        shared(TRACES[stream].file)
    type_, items = CODECS[codec]
    query, data = tmp_path / "q.cql", tmp_path / "d.csv"
    query.write_text(
        f"CREATE INPUT STREAM S (t uint(32), k uint(16), x {type_});\n"
        f"SELECT k, {items} FROM S [PARTITION BY k {window}];\n"
    )
    rng = random.Random(window)
    rows = [
        f"{2 * n + rng.randrange(30)},{key},{value}"
        for n, (key, value) in enumerate(tuples_of(stream, type_ == "double"))
    ]
    data.write_text("\n".join(["t,k,x", *rows, ""]))
    options = {"entries": 64, "window_max": 256, "codec": codec.split(",")[0], "ports": 2}
    set_arguments = [t for name, value in options.items() for t in ("--set", f"{name}={value}")]
    stalls = ("--stall-input", 0.1, "--stall-output", 0.1)
    code, out, err = sluice(
        *(
            "simulate",
            query,
            "--input",
            data,
            "--json",
            "--memory",
            WINDOWS[window],
            *set_arguments,
            *stalls,
        )
    )
    assert code == 0, err
    output = json.loads(out)
    assert (output["mismatches"], output["problems"]) == (0, [])
    assert output["rows"] == output["rows_expected"] > 60

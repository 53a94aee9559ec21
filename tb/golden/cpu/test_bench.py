"""Checks the speed of the software engines against the seed, and the output of the bench."""

import json
from types import SimpleNamespace

import numpy as np
import pytest

from golden.cpu import bench
from golden.cpu.engines import Algorithm
from query.aggregate import Function

pytestmark = pytest.mark.xdist_group("cpu")  # one worker compiles the kernels for all


@pytest.mark.in_turn
@pytest.mark.parametrize("function", [Function.MIN, Function.AVG])
def test_bulk_insertion_gains_five_times(function):
    """Window and slide are those of seed 004, section 3.2. The best of up to eight runs counts."""
    values, gains = bench.stream(1 << 22), []
    plain, bulk = Algorithm.TWO_STACKS, Algorithm.BULK_TWO_STACKS
    while len(gains) < 8 and max(gains, default=0) < 5:
        rates = bench.rates([plain, bulk], function, values, size=1024, slide=256)
        gains.append(rates[bulk] / rates[plain])
    print(f"{function}: {gains}")
    assert max(gains) >= 5


def test_the_plain_algorithm_gets_a_part_of_the_stream(monkeypatch):
    """The limit of 2**31 visits allows 2**21 windows of 1,024, or 256 windows of 2**23."""
    lengths = {}

    def run(algorithm, function, values, size, slide):
        lengths[algorithm, size] = len(values)
        return SimpleNamespace(valid=[True])

    monkeypatch.setattr(bench, "run", run)
    values = np.zeros(1 << 24, np.int8)
    algorithms = [Algorithm.NON_INCREMENTAL, Algorithm.TWO_STACKS]
    for size in (1024, 1 << 23):
        bench.rates(algorithms, Function.MIN, values, size=size, slide=1)
    plain = {size: count for (kind, size), count in lengths.items() if kind == algorithms[0]}
    assert plain == {1024: 1024 + (1 << 21) - 1, 1 << 23: (1 << 23) + 255}
    assert lengths[algorithms[1], 1024] == 1 << 24


def test_a_rate_by_hand(monkeypatch):
    """Ten tuples have 4 windows of size 4 and slide 2, which count 8 tuples.

    The first call of 100 seconds compiles, and does not count. The median of 5, 1, 3, 4 and 2
    seconds is 3.
    """
    clock = iter([0, 100, 200, 205, 300, 301, 400, 403, 500, 504, 600, 602])
    monkeypatch.setattr(bench, "time", SimpleNamespace(perf_counter=lambda: next(clock)))
    monkeypatch.setattr(bench, "run", lambda *_: SimpleNamespace(valid=[True] * 4))
    values, algorithm = np.zeros(10, np.int32), Algorithm.TWO_STACKS
    rates = bench.rates([algorithm], Function.MIN, values, size=4, slide=2)
    assert rates == {str(algorithm): pytest.approx(8 / 3 / 1e6)}


@pytest.mark.in_turn
def test_bench_prints_the_tables_of_the_seed(monkeypatch, capsys):
    values = bench.stream(5000)
    monkeypatch.setattr(bench, "stream", lambda: values)
    monkeypatch.setattr(bench, "SIZES", (8, 512))
    assert bench.main(["--json"]) == 0
    report = json.loads(capsys.readouterr().out)
    assert [(t["figure"], t["aggregate"]) for t in report["tables"]] == [
        ("6", "avg"),
        ("7", "min"),
        ("9", "avg"),
        ("4a, 10", "min"),
    ]
    for table in report["tables"]:
        assert ("subtract-on-evict" in table["rates"]) == (table["aggregate"] == "avg")
        for rates in table["rates"].values():
            assert len(rates) == len(table["points"])
            assert min(rates) > 0
    assert bench.main([]) == 0
    text = capsys.readouterr().out
    assert text.count("million tuples/s") == 4
    assert "bulk-two-stacks over two-stacks: avg" in text
    assert bench.main(["--fast"]) == 2
    assert "--fast" in capsys.readouterr().err


def test_the_stream_is_the_same_every_time():
    values = bench.stream(1000)
    assert (values == bench.stream(1000)).all()
    assert (values.min(), values.max(), values.dtype) == (0, 63, "int32")

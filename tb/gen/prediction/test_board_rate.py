"""Tests the rates at the clock of a board, and at its link."""

import pytest

from gen.design.build import resolve
from gen.prediction.board_rate import link_tuples_per_second, rate_text

QUERY = "examples/cluster_groupby.toml"


@pytest.mark.parametrize(
    ("board", "options", "rate"),
    [
        # 1 Gb/s are 125,000,000 bytes per second, and a tuple has 8 bytes.
        ("versa-ecp5", (), "the engine takes up to 62,500,000 tuples per second; Ethernet carries "
         "at most 15,625,000 of them"),
        ("arty-a7", (), "the engine takes up to 100,000,000 tuples per second; Ethernet carries "
         "at most 1,562,500 of them"),
        ("versa-ecp5", ("clock_mhz=15.625",), "15,625,000 tuples per second"),
        ("versa-ecp5", ("network=false",), "tuples per second"),
        ("ultra96-v2", (), "400,000,000 tuples per second"),
    ],
)  # fmt: skip
def test_the_rate_names_a_link_that_is_slower_than_the_engine(board, options, rate):
    text = rate_text(resolve(QUERY, board=board, options=options))
    assert text.partition(", so ")[2].endswith(rate)
    assert ("Ethernet" in text) == ("Ethernet" in rate)


def test_a_slow_engine_has_tuples_per_second(tmp_path):
    """10,000 values every 10 tuples, sorted one per cycle: less than a million tuples a second."""
    path = tmp_path / "q.cql"
    path.write_text(
        "CREATE INPUT STREAM S (k uint(8), x int(8));"
        "SELECT k, median(x) FROM S [ROWS 10000 SLIDE 10] GROUP BY k;"
    )
    build = resolve(path, board="versa-ecp5", lanes=1)
    rate = build.design.prediction.tuples_per_cycle
    assert 0 < rate < 0.01
    text = f"62.5 MHz, so {round(62.5e6 * rate):,} tuples per second"
    assert rate_text(build) == text


@pytest.mark.parametrize(("baud", "rate"), [(9600, 0.96), (3_000_000, 300)])
def test_wide_tuples_over_a_slow_line(tmp_path, baud, rate):
    """A byte takes 10 bits on the line, so 9,600 baud carry 960 bytes per second."""
    path = tmp_path / "q.cql"
    columns = [f"s{k}" for k in range(4)]
    schema = ", ".join(f"{name} string(250)" for name in ("k", *columns))
    where = " OR ".join(f"{name} = 'a'" for name in columns)
    path.write_text(
        f"CREATE INPUT STREAM S ({schema}); SELECT k, count(*) FROM S WHERE {where} GROUP BY k;"
    )
    build = resolve(path, board="ulx3s-85", lanes=1, options=[f"baud={baud}"])
    used = build.design.input.packing.bytes
    assert link_tuples_per_second(build) == pytest.approx(rate * 1000 / used, rel=0.01)

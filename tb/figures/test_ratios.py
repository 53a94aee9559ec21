"""Checks the table of compression ratios against the codecs, and both ratios by hand."""

import pytest

from tb.figures import ratios
from tb.figures.ratios import FIGURE, TRACES, full_ratio, windows_ratio

TABLE = ("trace", "codec", "ws", "seed", "keys", "of blocks", "of windows")
SLOW = "DEBS mf01-03", "DEBS pc13-15"


@pytest.mark.parametrize(
    "trace",
    [
        pytest.param(name, marks=pytest.mark.regress if name in SLOW else ())
        for name, trace in TRACES.items()
        if trace.is_available
    ],
)
def test_the_table_has_the_measured_ratios(trace):
    """If a difference is intended, run `python -m tb.figures ratios`.

    Rows of a trace without its file do not change.
    """
    rows = [row for row in FIGURE.read() if row["trace"] == trace]
    measured = [row | FIGURE.measured(row) for row in FIGURE.predicted() if row["trace"] == trace]
    assert rows == measured
    assert tuple(rows[0]) == TABLE


def test_the_made_trace_has_the_ratios_of_the_seed():
    """Ratios of blocks match at every window size; windows of 4,096 have nearly the same ratio."""
    for row in FIGURE.read():
        if row["trace"] == "made":
            if row["codec"] in ("xor", "xor-chained", "grid"):
                assert 5.6 <= row["of blocks"] <= 6.5
            elif row["codec"] == "sz":  # a block has 192 values instead of 184
                assert row["of blocks"] == pytest.approx(row["seed"] * 192 / 184, rel=0.03)
            else:
                assert row["of blocks"] == pytest.approx(row["seed"], rel=0.03)
            assert row["ws"] < 4096 or row["of windows"] > 0.95 * row["of blocks"]


def test_without_the_data_a_row_stays(monkeypatch, tmp_path):
    """The row is not measured anew, for instance on the made trace that stands in for the data."""
    monkeypatch.setattr(ratios, "DATA", tmp_path)
    monkeypatch.setattr(ratios, "blocks_of", lambda *_: pytest.fail("a row was measured"))
    rows = [row for row in FIGURE.predicted() if row["trace"] == "Google"]
    assert [row | FIGURE.measured(row) for row in rows] == [
        row for row in FIGURE.read() if row["trace"] == "Google"
    ]


def test_ratios_by_hand():
    """In two blocks of two values, windows of two lie in 1, 2 and 1 blocks; one block is full."""
    assert full_ratio([[2, 2]]) == 2 * 64 / 512
    assert windows_ratio([[2, 2]], 2) == 3 * 2 * 64 / (4 * 512)
    assert windows_ratio([[2, 2], [4]], 4) == 2 * 4 * 64 / (3 * 512)
    assert full_ratio([[3]]) is None

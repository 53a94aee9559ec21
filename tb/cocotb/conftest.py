"""Prints the functional coverage of the benches in cocotb at the end of a run."""

from pathlib import Path

import pytest

from tb.cocotb.support.run import add_hits, take_coverage
from tb.day import mark_items_of_other_days

#: In `make test` each bench runs on one of so many days.
DAYS = 6
_FOLDER = Path(__file__).parent
_PROPERTY = "functional coverage"
_total = {}


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items):
    """Leaves five of six benches of `make test` to other days."""
    benches = [
        item
        for item in items
        if item.path.is_relative_to(_FOLDER) and not item.get_closest_marker("regress")
    ]
    mark_items_of_other_days(benches, [item.nodeid for item in benches], DAYS)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call(item):
    """Attaches the coverage of a test to its report, which may go to another process."""
    try:
        return (yield)
    finally:
        if hits := take_coverage():
            item.user_properties.append((_PROPERTY, hits))


def pytest_runtest_logreport(report):
    """Collects the coverage of all tests."""
    if report.when == "call":
        for name, hits in report.user_properties:
            if name == _PROPERTY:
                add_hits(_total, hits)


def pytest_terminal_summary(terminalreporter):
    """Prints a line for each block: the declared bins, and the bins that were hit."""
    if not _total:
        return
    terminalreporter.section("functional coverage")
    for block, points in sorted(_total.items()):
        counts = [count for bins in points.values() for count in bins.values()]
        hit = sum(count > 0 for count in counts)
        terminalreporter.line(f"{block:16} {hit} of {len(counts)} bins: {', '.join(points)}")

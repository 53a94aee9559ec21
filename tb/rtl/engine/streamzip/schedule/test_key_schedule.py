"""Checks the order in which a step reads and writes copies of blocks outside of the chip."""

from types import SimpleNamespace

import pytest

from rtl.engine.streamzip.schedule.key_schedule import KeySchedule
from rtl.keyed.dram.dram_model import Ideal
from rtl.keyed.dram.lines import LineMap


class NotedCopies:
    """Stands for the port of copies: accepts everything at once, and notes it."""

    def __init__(self):
        self.calls = []

    def write(self, cycle, entry, block):
        self.calls.append(("write", entry, block))
        return cycle

    def read(self, cycle, entry, first, count):
        self.calls.append(("read", entry, first, count))
        return cycle, cycle + 50


@pytest.mark.parametrize(
    ("end", "calls"),
    [
        (7, [("write", 3, 6), ("read", 3, 5, 2)]),  # the window has the written block
        (6, [("read", 3, 4, 2), ("write", 3, 6)]),  # the window ends before it: time, with a cache
    ],
)
def test_a_window_without_the_written_block_is_read_first(end, calls):
    """Block 6 takes the place of block 4 or 5, so the order decides who waits."""
    lines, copies = LineMap(rings=8, ring_lines=16), NotedCopies()
    ports = Ideal().ports(lines, [0])
    schedule = KeySchedule(
        *(lines, ports, None),
        waiting_tuples=1,
        reads_words=False,
        line_per_tuple=False,
        copies=2,
        outer_copies=copies,
    )
    window = SimpleNamespace(first=4, count=end, life="a life", cached=False)
    step = SimpleNamespace(entry=3, write=6, window=window, words=0, sorting=0, life=None)
    schedule._issue(step, 100)
    assert copies.calls == calls

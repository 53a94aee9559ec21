"""Checks single steps of the schedule: copies outside of the chip, and blocks that give way."""

from types import SimpleNamespace

import pytest

from rtl.engine.streamzip.schedule.block_feedback import BlockFeedback
from rtl.engine.streamzip.schedule.key_schedule import KeySchedule
from rtl.engine.streamzip.schedule.key_stream import Step, Window
from rtl.engine.streamzip.schedule.window_stages import WindowStages
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


@pytest.mark.parametrize("block", [6, 22])
@pytest.mark.parametrize(
    ("has_block", "calls"),
    [
        (1, [("write", 3, 6), ("read", 3, -1, 2)]),  # the window has the written block
        (0, [("read", 3, -2, 2), ("write", 3, 6)]),  # the window ends before it: time with a cache
    ],
)
def test_a_window_without_the_written_block_is_read_first(block, has_block, calls):
    """The block takes the place of the block 2 or 1 before it, so the order decides who waits.

    Block 22 has the same place in the ring of 16 as block 6.
    """
    calls = [call if len(call) == 3 else (*call[:2], block + call[2], call[3]) for call in calls]
    end = block + has_block
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
    first = block - 2
    window = Window(first=first, count=end, lines=end - first + 1, values=20, life="a life")
    step = SimpleNamespace(
        entry=3, write=6, window=window, words=0, sorting=0, life=None, growing_block=block + 1
    )
    schedule._issue(step, 100)
    assert copies.calls == calls


class NotedReads:
    """Stands for the ports of DRAM: each read arrives ``answer`` cycles after it is offered."""

    def __init__(self, answer=40):
        self.answer, self.reads = answer, []

    def run(self, cycle):
        pass

    def offer(self, cycle, is_write, entry, shares):
        self.reads.append((cycle, entry, shares))
        return cycle, cycle

    def arrived(self, command, wait):
        return command + self.answer


@pytest.mark.parametrize(
    ("growing", "gives_way", "room", "reads"),
    [
        (8, True, 200, []),  # blocks 5 to 8 take up the ring of 4 blocks
        (9, True, 363, [(315, 3, [(0, 1, 1)])]),  # block 5, at index 1, gives way
        (10, True, 418, [(315, 3, [(0, 1, 1)]), (370, 3, [(0, 2, 1)])]),
        (10, False, 200, []),
    ],
)
def test_a_step_waits_until_blocks_have_given_way(growing, gives_way, room, reads):
    """The latest window was fed back in cycle 300, and its key's next window begins in block 5.

    The tuple has the answer to `drain` 8 cycles after this feedback, and the read of a block begins
    6 + 1 cycles later, in cycle 315. The block arrives in cycle 355, and the tuple has the answer
    in cycle 363.
    """
    ports, feedback = NotedReads(), BlockFeedback()
    schedule = KeySchedule(
        *(LineMap(rings=8, ring_lines=4), ports, SimpleNamespace(collected=300.0)),
        waiting_tuples=1,
        reads_words=False,
        line_per_tuple=False,
        gives_way=gives_way,
    )
    feedback.report(100, 5)
    schedule._feedback["a life"], schedule._feedback_cycle = feedback, 300.0
    step = SimpleNamespace(entry=3, life="a life", growing_block=growing)
    assert schedule._room(step, 200) == room
    assert ports.reads == reads
    assert feedback.last_block == 5 + len(reads)


def test_tuples_that_change_lines_wait_in_flight_and_nowhere_else():
    """With dram-only the levels have room for the tuples in flight, so ``waiting_tuples`` is idle.

    Each of 200 tuples reads a line, and 32 reads take 400 cycles. So the input stalls, and it would
    stall later if further tuples had room.
    """

    def inputs(waiting_tuples):
        schedule = KeySchedule(
            *(
                LineMap(rings=256, ring_lines=4),
                NotedReads(answer=400),
                WindowStages(interval=None),
            ),
            waiting_tuples=waiting_tuples,
            reads_words=False,
            line_per_tuple=True,
        )
        steps = [Step(number, number, update=0, write=0) for number in range(200)]
        return schedule.times(steps).inputs

    assert inputs(0)[-1] > 1000
    assert inputs(50) == inputs(0)

"""Checks by hand when windows with pivots are sent, sent again, and have their answers."""

import pytest

from rtl.engine.streamzip.rates.pass_times import Passes
from rtl.engine.streamzip.schedule.kernel_times import KernelTimes
from rtl.engine.streamzip.schedule.key_stream import Life
from rtl.engine.streamzip.schedule.pass_schedule import PassSchedule
from rtl.keyed.codec.decoder_times import BlockWork, DecoderTimes
from tb.rtl.engine.streamzip.schedule.jobs import Search, window


def schedule(kernels=None, out_gap=1.0, **changed):
    """Returns an empty schedule.

    The next window of a key begins 20 cycles after a window's last line, a further pass 22 cycles.
    """
    numbers = {"latency": 20, "decoding": 0, "first": 1, "usual": 1, "under_way": 1, "lines": 100}
    return PassSchedule(Passes(**(numbers | changed)), kernels or KernelTimes(), out_gap)


def add(dut, lines, ready, entry=0, passes=None, **fields):
    """Adds a window; without ``passes`` it has the typical number of passes."""
    search = None if passes is None else Search(passes)
    dut.add(window(lines, entry, search=search, **fields), ready, lines)


def test_windows_of_one_key_wait_for_its_pivot():
    """The second window begins in cycle 30, and a window of another key follows it at once."""
    dut = schedule()
    add(dut, 10, 10, entry=3)
    add(dut, 10, 20, entry=3)
    add(dut, 10, 30, entry=4)
    assert dut.ends == [10, 40, 50]


def test_several_windows_of_a_key_are_under_way():
    dut = schedule(under_way=2)
    for ready in (10, 11, 12):
        add(dut, 1, ready)
    assert dut.ends == [10, 11, 31]


def test_room_of_the_buffer():
    """A buffer of 64 lines has room for six windows of 10 lines, and for 32 windows of one."""
    dut = schedule(lines=64)
    for k in range(40):
        add(dut, 1, 100 * k, entry=k)
    assert dut.room(10) == 100 * 34 + 20
    assert dut.room(1) == 100 * 8 + 20
    assert dut.room(100) == 100 * 39 + 20


def test_a_window_is_in_the_buffer_until_its_last_pass():
    """The only window leaves the buffer 20 cycles after the last line of its third pass."""
    dut = schedule(lines=10)
    add(dut, 10, 10, passes=3)
    assert dut.room(10) == 10 + 2 * (22 + 10) + 20
    assert dut.ends == [74]


def test_windows_behind_a_failed_pass_are_sent_again():
    """The example of the docstring; B takes cycles 42 to 52 even if its first pass has found."""
    for passes in (1, 2):
        dut = schedule()
        add(dut, 10, 10, entry=3, passes=2)
        add(dut, 10, 20, entry=4, passes=passes)
        assert dut.ends == []
        dut.finish()
        assert dut.ends == [42, 52]


def test_a_window_after_the_verdict_is_sent_once():
    dut = schedule()
    add(dut, 10, 10, entry=3, passes=2)
    add(dut, 10, 43, entry=4, passes=1)
    assert dut.ends == [42, 52]


def test_each_window_has_its_own_passes():
    """The second window fails after the first is found, and is sent again 22 cycles later."""
    dut = schedule()
    add(dut, 10, 10, entry=3, passes=2)
    add(dut, 10, 20, entry=4, passes=3)
    dut.finish()
    assert dut.ends == [42, 52 + 22 + 10]


def test_a_window_that_ends_early_has_no_pass():
    """B is sent from cycle 10 to 28, but its pass would end in cycle 30: it passes twice more.

    It waits for the verdict on the pass that ended early until cycle 47.
    """
    dut = schedule()
    add(dut, 10, 10, entry=3, passes=2)
    add(dut, 20, 30, entry=4, passes=2)
    dut.finish()
    assert dut.ends == [42, 47 + 20 + 22 + 20]


def test_a_window_waits_for_its_last_verdict():
    """A of one line passes again from cycle 23 on, but B of 30 lines has ended early in cycle 19.

    The verdict on this pass lets B pass again 19 cycles later, behind A.
    """
    dut = schedule(latency=20)
    add(dut, 1, 1, entry=3, passes=2)
    add(dut, 30, 31, entry=4)
    dut.finish()
    assert dut.ends == [24, 19 + 19 + 30]


def test_a_window_of_the_failed_key_is_not_sent_behind_it():
    """The second window waits for the answer of the first, which its second pass finds."""
    dut = schedule()
    add(dut, 10, 10, passes=2)
    add(dut, 10, 20, passes=1)
    assert dut.ends == [42, 42 + 20 + 10]


def test_a_window_out_of_the_cache_waits_for_all_answers_and_is_sent_once():
    dut = schedule()
    add(dut, 10, 10, entry=3, passes=2)
    add(dut, 1, 20, entry=4, cached=True)
    assert dut.ends == [42, 42 + 20 + 1]
    add(dut, 1, 21, entry=4, cached=True)
    assert dut.ends == [42, 63, 64]


def test_decoders_finish_what_is_sent_behind_a_failed_pass():
    """One decoder, with two slots for blocks of 40 cycles; A is sent again in cycle 73.

    The block of C is in A's slot from cycle 51 to 91, so B follows A late.
    """
    ends = []
    for others in (1, 2):
        dut = schedule(KernelTimes(DecoderTimes(1), lambda life, block, growing: BlockWork(20)))
        add(dut, 1, 10, entry=3, passes=2, life=Life())
        for k in range(others):
            add(dut, 1, 11 + k, entry=4 + k, passes=1, life=Life())
        dut.finish()
        ends.append(dut.ends)
    assert ends == [[74 + 1 + 40, 117], [115, 91 + 40, 115 + 40]]


@pytest.mark.parametrize(
    ("usual", "passes"), [(1, [2, 1, 1, 1, 1]), (1.5, [2, 1, 2, 1, 2]), (3.25, [2, 3, 3, 3, 4])]
)
def test_passes_without_a_search_have_the_typical_mean(usual, passes):
    """The first window of a key takes 2 passes here; each further pass takes 23 cycles."""
    dut = schedule(first=2, usual=usual)
    for k in range(len(passes)):
        add(dut, 1, 1000 * (k + 1))
    dut.finish()
    assert dut.ends == [1000 * (k + 1) + 23 * (count - 1) for k, count in enumerate(passes)]


def test_rows_leave_no_faster_than_the_output_takes_them():
    dut = schedule(out_gap=5)
    for k in range(3):
        add(dut, 1, 10 + k, entry=k)
    assert dut.ends == [10, 15, 20]

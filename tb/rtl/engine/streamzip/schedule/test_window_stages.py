"""Checks by hand when windows leave the collector, and when their ends are."""

from rtl.engine.streamzip.rates.pass_times import Passes
from rtl.engine.streamzip.schedule.kernel_times import KernelTimes
from rtl.engine.streamzip.schedule.key_stream import Life
from rtl.engine.streamzip.schedule.window_stages import WindowStages
from rtl.keyed.codec.chained.chain_times import FOLDING
from rtl.keyed.codec.decoder_times import BlockWork, DecoderTimes
from tb.rtl.engine.streamzip.schedule.jobs import Search, window

PASSES = Passes(latency=20, decoding=0, first=1, usual=1, under_way=1, lines=100)


def stages(**options):
    """Returns empty stages whose kernels take a cycle for each line."""
    return WindowStages(interval=lambda values, lines: lines, **options)


def test_windows_take_a_cycle_for_each_line():
    dut = stages()
    assert [dut.take(window(lines), cycle) for lines, cycle in ((4, 10), (3, 11), (2, 40))] == [
        *(10, 11, 40)
    ]
    assert dut.finish() == [10, 13, 40]
    assert dut.collected == 40


def test_rows_leave_no_faster_than_the_output_takes_them():
    dut = stages(out_gap=5)
    for cycle in (10, 11, 12):
        dut.take(window(1), cycle)
    assert dut.finish() == [10, 15, 20]


def test_a_mark_takes_a_cycle_of_the_collector_and_has_no_end():
    dut = stages()
    dut.take(window(1), 10)
    assert dut.take(window(1, is_announcement=True), 10) is None
    assert dut.collected == 11
    assert dut.finish() == [10]


def test_a_window_that_claims_a_place_comes_two_cycles_after_the_window_before():
    dut = stages()
    dut.take(window(1), 10)
    dut.take(window(1, claims=True), 10)
    assert dut.finish() == [10, 12]


def test_the_collector_holds_a_window_until_the_pool_takes_its_last_block():
    """One decoder of 5 steps takes the three blocks of a window in cycles 10, 12 and 14."""
    dut = stages(kernels=KernelTimes(DecoderTimes(1), lambda life, block, growing: BlockWork(5)))
    assert dut.take(window(3, life=Life()), 12) == 12
    assert dut.collected == 14


def test_the_collector_is_free_while_a_window_is_sent_again():
    dut = stages(passes=PASSES)
    dut.take(window(10, entry=3, search=Search(2)), 10)
    assert dut.collected == 10
    dut.take(window(1, entry=4), 5)
    assert dut.collected == 11
    assert dut.finish() == [10 + 22 + 10, 43]


def test_a_window_feeds_back_before_it_waits_for_its_pivot():
    """The second window of the key waits until cycle 30, and feeds back in cycle 20."""
    dut = stages(passes=PASSES)
    assert [dut.take(window(10, entry=3), cycle) for cycle in (10, 20)] == [10, 20]
    assert dut.finish() == [10, 40]


def test_a_full_buffer_holds_up_the_collector():
    """The buffer has room for one window; the answer of the first comes in cycle 10 + 20."""
    dut = stages(passes=Passes(latency=20, decoding=0, first=1, usual=1, under_way=1, lines=10))
    assert [dut.take(window(10, entry=k), 10 + k) for k in range(2)] == [10, 30]


def test_chains_feed_back_when_they_are_decoded():
    kernels = KernelTimes(DecoderTimes(1), lambda life, block, growing: BlockWork(5))
    dut = stages(kernels=kernels, chained=True)
    assert dut.take(window(1, life=Life()), 10) == 10 + 1 + 2 * 5 + FOLDING


def test_the_walk_of_a_cached_window_of_chains():
    """A key's first cached window waits for the feedback of windows that were read before.

    Its second one does not wait for the window of another key, and the claim of a place waits for
    the walk. A walk feeds back the head of a chain: here each fourth block is one.
    """
    kernels = KernelTimes(
        DecoderTimes(4),
        lambda life, block, growing: BlockWork(5),
        lambda life, block: block % 4 == 0,
    )
    dut, life = stages(kernels=kernels, chained=True, places=1), Life()
    read = dut.take(window(1, entry=1, life=life, claims=True), 10)
    assert read == 10 + 1 + 2 * 5 + FOLDING
    first, second = (window(1, entry=1, life=life, cached=True, following=n) for n in (6, 8))
    assert dut.take(first, 11) == read
    dut.take(window(1, entry=2, life=life), 29)
    assert dut.take(second, 31) == 31
    assert [dut.first_block(job.window) for job in (first, second)] == [4, 8]
    dut.take(window(1, entry=2, life=life, claims=True), 30)
    assert dut.collected >= 31


def test_a_claim_waits_for_the_walk_of_its_place_alone():
    """Keys 1 and 2 have the places, and key 3 takes that of key 1, whose last window is oldest.

    The walk of key 1 has ended, and the walk of key 2 goes on.
    """
    kernels = KernelTimes(
        DecoderTimes(4), lambda life, block, growing: BlockWork(50), lambda life, block: True
    )
    dut, life = stages(kernels=kernels, chained=True, places=2), Life()
    dut.take(window(1, entry=1, life=life, claims=True), 10)
    dut.take(window(1, entry=1, life=life, cached=True, following=1), 300)
    decoded = dut.take(window(1, entry=2, life=life, claims=True), 302)
    assert dut.take(window(1, entry=2, life=life, cached=True, following=1), 303) == decoded
    dut.take(window(1, entry=3, life=life, claims=True), 305)
    assert dut.collected < 310 < decoded
    dut.take(window(1, entry=4, life=life, claims=True), 320)
    assert dut.collected >= decoded

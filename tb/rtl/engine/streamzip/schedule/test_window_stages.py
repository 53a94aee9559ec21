"""Checks by hand when windows leave the collector, the decoders, the kernels and the searches."""

from rtl.engine.streamzip.rates.pass_times import Passes, PassTimes
from rtl.engine.streamzip.schedule.collector_job import CollectorJob
from rtl.engine.streamzip.schedule.key_stream import Life, Window
from rtl.engine.streamzip.schedule.window_stages import WindowStages
from rtl.keyed.codec.decoder_times import DecoderTimes


def stages(**options):
    """Returns empty stages whose kernels take a cycle for each line."""
    return WindowStages(interval=lambda values, lines: lines, **options)


def window(lines, ring=0, **fields):
    """Returns the job of a window; its last line is on the chip."""
    of_lines = Window(first=0, count=lines - 1, lines=lines, values=8 * lines, **fields)
    return CollectorJob(None, of_lines, lines - 1, 0.0, ring)


def test_windows_take_a_cycle_for_each_line():
    dut = stages()
    assert [dut.take(window(lines), cycle) for lines, cycle in ((4, 10), (3, 11), (2, 40))] == [
        *(10, 11, 40)
    ]
    assert dut.ends == [10, 13, 40]
    assert dut.collected == 40


def test_rows_leave_no_faster_than_the_output_takes_them():
    dut = stages(out_gap=5)
    for cycle in (10, 11, 12):
        dut.take(window(1), cycle)
    assert dut.ends == [10, 15, 20]


def test_a_mark_takes_a_cycle_of_the_collector_and_has_no_end():
    dut = stages()
    dut.take(window(1), 10)
    assert dut.take(window(1, is_mark=True), 10) is None
    assert dut.collected == 11
    assert dut.ends == [10]


def test_a_window_that_claims_a_place_comes_two_cycles_after_the_window_before():
    dut = stages()
    dut.take(window(1), 10)
    dut.take(window(1, claims=True), 10)
    assert dut.ends == [10, 12]


def test_windows_of_one_key_wait_for_its_pivot():
    """The answer of the first window comes 20 cycles after its last line."""
    passes = Passes(latency=20, decoding=0, first=1, usual=1, ahead=1, lines=100)
    dut = stages(passes=PassTimes(passes))
    for cycle in (10, 20):
        dut.take(window(10, ring=3), cycle)
    dut.take(window(10, ring=4), 30)
    assert dut.ends == [10, 40, 50]


def test_a_second_pass_begins_when_the_first_has_failed():
    """Of 10 lines: 20 cycles after the last line the window is sent once more."""
    passes = Passes(latency=20, decoding=0, first=2, usual=1, ahead=1, lines=100)
    dut = stages(passes=PassTimes(passes))
    dut.take(window(10, ring=3), 10)
    assert dut.ends == [10 + 20 + 10]
    assert dut.collected == 10
    dut.take(window(1, ring=4), 5)
    assert dut.collected == 11


def test_a_window_feeds_back_before_it_waits_for_its_pivot():
    """The second window of the key waits until cycle 30, and feeds back in cycle 20."""
    passes = Passes(latency=20, decoding=0, first=1, usual=1, ahead=1, lines=100)
    dut = stages(passes=PassTimes(passes))
    assert [dut.take(window(10, ring=3), cycle) for cycle in (10, 20)] == [10, 20]
    assert dut.ends == [10, 40]


class Search:
    """Stands for the search of a window, and takes a given number of passes."""

    def __init__(self, passes):
        self._passes = passes

    def passes(self, ring):
        return self._passes


def test_a_second_pass_takes_the_steps_of_its_own_blocks():
    """A decoder takes 2 cycles for each step of a block, in each of the two passes."""
    passes = Passes(latency=20, decoding=28, first=2, usual=1, ahead=1, lines=100)
    ends = []
    for steps in (1, 6):
        dut = stages(
            passes=PassTimes(passes),
            decoders=DecoderTimes(1),
            decoder_steps=lambda life, block, growing, steps=steps: steps,
        )
        dut.take(window(1, life=Life(), search=Search(2)), 10)
        ends.append(dut.ends[0])
    assert ends[1] - ends[0] == 2 * 2 * (6 - 1)


def test_windows_behind_a_second_pass_are_decoded_again():
    """The second window could have its block in cycle 11, but follows the last pass of the first.

    A decoder takes a block two cycles after the block before.
    """
    passes = Passes(latency=20, decoding=28, first=2, usual=1, ahead=1, lines=100)
    dut = stages(
        passes=PassTimes(passes),
        decoders=DecoderTimes(1),
        decoder_steps=lambda life, block, growing: 5,
    )
    dut.take(window(1, ring=3, life=Life(), search=Search(2)), 10)
    dut.take(window(1, ring=4, life=Life(), search=Search(1)), 11)
    first, second = dut.ends
    assert first == 10 + 11 + 20 + 1 + 11
    assert second == first + 2


def test_blocks_pass_the_decoder_one_after_the_other():
    """A window has 3 blocks of 5 steps. One decoder needs 8 cycles more than three decoders."""
    dut = stages(decoders=DecoderTimes(1), decoder_steps=lambda life, block, growing: 5)
    feedback_cycle = dut.take(window(3, life=Life()), 12)
    assert feedback_cycle == 12
    parallel = stages(decoders=DecoderTimes(3), decoder_steps=lambda life, block, growing: 5)
    parallel.take(window(3, life=Life()), 12)
    assert dut.ends[0] - parallel.ends[0] == 8

"""Checks by hand when windows pass the decoders and the kernels."""

from rtl.engine.streamzip.schedule.kernel_times import KernelTimes
from rtl.engine.streamzip.schedule.key_stream import Life
from rtl.keyed.codec.decoder_times import BlockWork, DecoderTimes
from tb.rtl.engine.streamzip.schedule.jobs import window


def pool(decoders, steps=5):
    """Returns the stages with a pool of serial decoders; each block has the same steps."""
    return KernelTimes(DecoderTimes(decoders), lambda life, block, growing: BlockWork(steps))


class NotedPool:
    """Stands for a pool of decoders: takes each block when it comes, and notes it."""

    def __init__(self):
        self.blocks = []  # cycle, steps, and whether the block begins a chain

    def take(self, cycle, work, head):
        self.blocks.append((cycle, work.steps, head))
        return cycle, cycle + work.steps


def test_windows_take_a_cycle_for_each_line():
    dut, ends = KernelTimes(), []
    for lines, cycle in ((4, 10), (3, 11), (2, 40)):
        assert dut.take(window(lines), cycle, lines) == dut.end
        ends.append(dut.end)
    assert ends == [10, 13, 40]


def test_blocks_pass_the_decoder_one_after_the_other():
    """A window has 3 blocks of 5 steps. One decoder needs 8 cycles more than three decoders."""
    ends = []
    for decoders in (1, 3):
        dut = pool(decoders)
        dut.take(window(3, life=Life()), 12, 3)
        ends.append(dut.end)
    assert ends[0] - ends[1] == 8


def test_the_pool_takes_a_block_later_than_it_comes():
    """One decoder of 5 steps takes blocks in cycles 10, 12 and 14; the fourth waits for a slot."""
    dut = pool(1)
    assert dut.take(window(3, life=Life()), 12, 3) == 14
    assert dut.take(window(1, life=Life()), 13, 1) > 20


def test_a_cached_window_is_an_empty_block():
    """The decoder takes the empty block at once, and the next one when its register is free.

    The kernels take the cached window after the window before it: its block of 20 steps comes in
    cycle 10, and is decoded in cycle 10 + 1 + 40.
    """
    dut = pool(1, steps=20)
    dut.take(window(1, life=Life()), 10, 1)
    assert dut.end == 51
    assert dut.take(window(1, cached=True), 12, 2) == 12
    assert dut.end == 53
    assert dut.take(window(1, cached=True), 13, 2) == 14


def test_the_cache_reads_the_lines_of_one_window_after_the_other():
    """Three windows of 4 lines come in cycles 10, 11 and 30."""
    dut = pool(4)
    cycles = [dut.take(window(4, cached=True), cycle, 4) for cycle in (10, 11, 30)]
    assert cycles == [10, 14, 30]


def test_lines_after_the_end_of_a_pass_do_not_reach_the_kernels():
    """A window of 10 lines would end in cycle 20; the kernels are free after the pass ends."""
    dut = KernelTimes()
    assert dut.take(window(10), 20, 10, until=14) == 14
    dut.take(window(2), 16, 2)
    assert dut.end == 16


def test_a_pass_that_ends_before_the_window_takes_no_cycle_of_the_kernels():
    dut = KernelTimes()
    dut.take(window(4), 10, 4)
    assert dut.take(window(4), 11, 4, until=3) == 10


def test_blocks_after_the_end_of_a_pass_are_not_decoded():
    """The pool takes a block in each of cycles 10 and 11, and two blocks of a full window more."""
    full_pool, ended_pool = pool(4), pool(4)
    full_pool.take(window(8, life=Life()), 17, 8)
    assert ended_pool.take(window(8, life=Life()), 17, 8, until=11) == 17
    assert ended_pool.end < full_pool.end
    ended_pool.take(window(1, life=Life()), 12, 1)
    assert ended_pool.end == 12 + 1 + 2 * 5


def behind_a_slow_block(**options):
    """Returns 16 decoders whose first window is one block, at the kernels in cycle 211.

    This block has 100 steps; all later ones have 5.
    """
    slow = Life()

    def work(life, block, growing):
        return BlockWork(100 if life is slow else 5)

    dut = KernelTimes(DecoderTimes(16), work, **options)
    dut.take(window(1, life=slow), 10, 1)
    assert dut.end == 10 + 1 + 200
    return dut


def test_a_pass_that_ends_early_occupies_the_kernels_for_the_blocks_that_were_sent():
    """A window of 8 blocks sends 2 blocks or all 8; then a window of one block follows."""
    ends = []
    for until in (12, None):
        dut = behind_a_slow_block()
        dut.take(window(8, life=Life()), 18, 8, until)
        assert dut.ended_early == (until is not None)
        dut.take(window(1, life=Life()), 30, 1)
        ends.append(dut.end)
    assert ends == [211 + 2 + 1, 211 + 8 + 1]


def test_the_pool_takes_a_block_when_it_has_room():
    """4 blocks fit into the pool, and the kernels take the states from cycle 211 on, one per cycle.

    So the pool takes block 5 of the second window in cycle 212, when the kernels
    take the state of its block 1.
    """
    cycles = []
    for capacity in (4, 100):
        dut = behind_a_slow_block(capacity=capacity)
        cycles.append(dut.take(window(5, life=Life()), 15, 5))
    assert cycles == [212, 15]


def test_two_blocks_are_sent_before_the_pool_takes_them():
    """One decoder of 5 steps takes blocks in cycles 10, 12, 14, 22, 24, 32, 34 and 42."""
    full_pool, ended_pool = pool(1), pool(1)
    assert full_pool.take(window(8, life=Life()), 17, 8) == 42
    assert full_pool.sent == 32
    # The sixth block is sent in cycle 22, when the pool takes the fourth, and is the last one.
    assert ended_pool.take(window(8, life=Life()), 17, 8, until=20) == 32
    assert ended_pool.sent == 22


def test_blocks_of_chains_are_decoded_from_the_first_block_that_is_read():
    """Blocks 0 and 4 are heads, block k has 10 k steps, and block 5 is growing.

    Blocks 2 to 4 are read or copied: block 2, in the middle of a chain, takes a step more. When
    block 4 is the first, which is a head, it does not.
    """
    dealt = NotedPool()
    dut = KernelTimes(
        dealt,
        lambda life, block, growing: BlockWork(10 * block),
        lambda life, block: block in (0, 4),
    )
    job = window(6, life=Life())
    job.count, job.copied = 2, 1
    assert dut.take(job, 30, 6) == 30
    assert dealt.blocks == [(27, 21, True), (28, 30, False), (29, 40, True), (30, 50, False)]
    assert dut.end == 30 + 50
    dealt.blocks.clear()
    job.count, job.copied = 1, 0
    dut.take(job, 90, 6)
    assert dealt.blocks == [(89, 40, True), (90, 50, False)]
    assert [dut.head_of(job.window.life, block) for block in (0, 3, 4, 5)] == [0, 0, 4, 4]


def test_blocks_of_earlier_slides_are_dropped_in_front_of_the_decoders():
    """Block 1 has an earlier slide than the window; block 3 is growing, and has 7 values so far."""
    dealt, works = NotedPool(), []

    def work(life, block, growing):
        works.append((block, growing))
        return BlockWork(5)

    fields = {"slides": [4, 3, 4, 5], "least_slide": 4, "growing": 7}
    assert KernelTimes(dealt, work).take(window(4, life=Life(), **fields), 20, 4) == 20
    assert works == [(0, None), (2, None), (3, 7)]
    assert dealt.blocks == [(17, 5, True), (19, 5, True), (20, 5, True)]

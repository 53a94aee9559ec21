"""Selects the blocks of compressed windows of time, which have values of one slide each."""

from amaranth.hdl import Signal

from rtl.keyed.codec.block_format import BLOCK_BITS
from rtl.keyed.store.blocks.block_windows import BlockWindows


class StampedWindows(BlockWindows):
    """Selects the blocks of windows of time, one window after the other.

    All values of a block have the same stamp, the number of their slide. If the stamp belongs to
    the window (:meth:`~rtl.keyed.windows.key_times.KeyTimes.belongs`), the block's values from
    number ``begin`` on are in the window; otherwise no value of the block is. Number ``begin`` is
    needed, because a much older slide may have the same stamp. The first block with values of the
    next window is fed back, or the growing block if no closed block has values of the next window.
    For instance window 3 begins with number 20, and the next window with number 24::

        blocks    10 to 19    20 to 23    24 to 31    32 to 34    35 to 39, growing
        stamp     5           2           5           3           4
        o         -           -           5           3           4, last
                  before 20   2 < 3       fed back

    After a damaged block all values up to the growing block are *lost*: windows that begin among
    the lost values have an error, and the growing block is fed back until a window begins at its
    first value or later. A wrong stamp is not detected, and neither is a wrong bit of a value.

    Errors are those of :class:`~rtl.keyed.store.blocks.block_windows.BlockWindows`. Order is kept.
    Latency 0 cycles from a line, initiation interval 1 cycle.

    Parameters
    ----------
    ring : RingPlan
        With stamps.
    membership : KeyTimes
        Object whose ``belongs(stamp, window)`` says whether a stamp belongs to a window.
    passenger : ShapeLike
        Data that go along with each window.

    Members
    -------
    i : In(stream.Signature(numbered_layout(ring, passenger)))
    o : Out(stream.Signature(block_layout(block_info_layout(passenger))))
    feedback : Out(stream.Signature(ring.feedback, always_ready=True))

    Source: seed 000, section 3.4.2; blocks of one slide are ours.
    """

    def __init__(self, ring, membership, passenger=0):
        self._membership = membership
        super().__init__(ring, passenger)

    def _belongs(self, window):
        """Returns whether the stamp of the block belongs to a window."""
        form = self._ring.format
        stamp = self.i.p.block[BLOCK_BITS - form.head_bits :][: form.stamp_bits]
        return self._membership.belongs(stamp, window)

    def _is_of_other_slide(self):
        return ~self._belongs(self.i.p.window)

    def _is_short(self, begins_earlier):
        return begins_earlier & self.i.p.first.lost

    def _next_block(self, m, transfer, block_index):
        i = self.i.p
        first = Signal(self._ring.first_block, reset_less=True)
        has_next = Signal()  # the block has values of the next window
        is_found = Signal()  # an earlier block of this window has values of the next window
        ends_after_next = (i.next - i.block_end)[self._ring.number_bits - 1]  # i.next < i.block_end
        m.d.comb += has_next.eq(self._belongs(i.window + 1) & ends_after_next)
        with m.If(transfer):
            m.d.sync += is_found.eq(~i.last & (is_found | has_next))
            with m.If(~is_found):
                m.d.sync += [
                    first.block_index.eq(block_index),
                    first.number.eq(i.block_end - i.count),
                ]
        return first, ~is_found

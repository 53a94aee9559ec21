"""Selects the blocks of compressed windows of time, which have values of one slide each."""

from amaranth.hdl import Signal

from rtl.keyed.codec.block_format import BLOCK_BITS
from rtl.keyed.store.blocks.block_windows import BlockWindows


class StampedWindows(BlockWindows):
    """Selects the blocks of windows of time, one window after the other.

    All values of a block have the same stamp. If the stamp belongs to the window
    (:meth:`~rtl.keyed.windows.key_times.KeyTimes.belongs`), the values from the window's begin on
    are in the window; else no value of the block is. Before the window's begin stamps are
    ambiguous, because a much older slide may have the same stamp. The first block with values of
    the next window is fed back, and if there is none, the growing block. For instance with window
    3, which begins with number 20, and the next window with 24::

        blocks    10 to 19    20 to 23    24 to 31    32 to 34    35 to 39, growing
        stamp     7           2           5           3           4
        o         -           -           5           3           4, last
                  before 20   2 < 3       fed back

    After a damaged block all values up to the growing block are *lost*: windows that begin among
    them have an error, and the growing block is fed back until a window begins at its first value
    or later. A wrong stamp is not detected, as a wrong bit of a value is not.

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

    def _foreign(self):
        return ~self._belongs(self.i.p.window)

    def _short(self, early):
        return early & self.i.p.first.lost

    def _find(self, m, moves, block_index):
        i, needed, known = self.i.p, Signal(), Signal()
        found = Signal(self._ring.read, reset_less=True)
        reaches = (i.next - i.behind)[self._ring.number_bits - 1]  # less than nothing
        m.d.comb += needed.eq(self._belongs(i.window + 1) & reaches)
        with m.If(moves):
            m.d.sync += known.eq(~i.last & (known | needed))
            with m.If(~known):
                m.d.sync += [found.block_index.eq(block_index), found.number.eq(i.behind - i.count)]
        return found, ~known

"""The data collector of compressed windows of time: blocks of one slide each."""

from amaranth.hdl import Signal

from rtl.keyed.codec.block_format import BLOCK_BITS
from rtl.keyed.store.blocks.block_windows import BlockWindows


class StampedWindows(BlockWindows):
    """Collects the blocks of windows of time, one window after the other.

    All values of a block have the same stamp. So of each block those are in a window that are at or
    behind the window's begin, if the stamp belongs to it
    (:meth:`~rtl.keyed.windows.key_times.KeyTimes.belongs`), and else none. Before the begin stamps
    say nothing: a slide long ago may have the same. The first block that has values of the next
    window is fed back, and if there is none, the growing one. For instance window 3, which begins
    with number 20, the next one with 24::

        blocks    10 to 19    20 to 23    24 to 31    32 to 34    35 to 39, growing
        stamp     7           2           5           3           4
        o         -           -           5           3           4, last
                  before 20   2 < 3       fed back

    Between a damaged block and the next that is growing values are *lost*: windows that begin there
    are marked, and the one behind it is fed back until a window begins at its first value or later.
    A wrong stamp is found as little as a wrong bit of a value.

    All else is as in :class:`~rtl.keyed.store.blocks.block_windows.BlockWindows`: order is kept,
    latency 0 cycles from a line, initiation interval 1 cycle.

    Parameters
    ----------
    ring : RingPlan
        With stamps.
    membership : KeyTimes
        Object whose ``belongs(stamp, window)`` says whether a stamp belongs to a window.
    passenger : ShapeLike
        What goes along with each window.

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
        """Whether the stamp of the block belongs to a window."""
        form = self._ring.format
        stamp = self.i.p.block[BLOCK_BITS - form.head_bits :][: form.stamp_bits]
        return self._membership.belongs(stamp, window)

    def _foreign(self):
        return ~self._belongs(self.i.p.window)

    def _short(self, early):
        return early & self.i.p.first.lost

    def _find(self, m, moves, line):
        i, needed, known = self.i.p, Signal(), Signal()
        found = Signal(self._ring.read, reset_less=True)
        reaches = (i.next - i.behind)[self._ring.number_bits - 1]  # less than nothing
        m.d.comb += needed.eq(self._belongs(i.window + 1) & reaches)
        with m.If(moves):
            m.d.sync += known.eq(~i.last & (known | needed))
            with m.If(~known):
                m.d.sync += [found.line.eq(line), found.number.eq(i.behind - i.count)]
        return found, ~known

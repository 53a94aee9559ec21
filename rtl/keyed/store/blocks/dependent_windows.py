"""Selects the blocks of windows whose blocks may depend on the block before."""

from amaranth.hdl import Mux, Signal
from amaranth.lib import data, stream
from amaranth.lib.wiring import In, Out

from rtl.keyed.store.blocks.block_numbers import numbered_layout
from rtl.keyed.store.blocks.block_windows import BlockWindows


class DependentWindows(BlockWindows):
    """Selects the blocks of windows whose blocks form chains, one window after the other.

    A window may begin in a dependent block. The state before the window's first block comes with
    the window, in ``first.start``. A coded block before the window's first value is not dropped,
    because later blocks may depend on this block: all of its values are skipped. A raw block
    without a value of the window is dropped, because no block depends on a raw block. A block
    that has no values is dropped, too. The window's last block is never dropped. For instance with
    a window of the values 10 to 34, and the next window from 15 on, where d stands for a dependent
    block::

        blocks    0 to 9, seed    10 to 29, d    30 to 34, d, growing
        skip      10, all         0              0
        save      1               1              0
        o         no value        20 values      5 values, last     feed: the block from 10 on

    This component finds the block in which the next window begins, but the state before this block
    is known only when the window is decoded. So the place of the block leaves with the window's
    last block, as ``feed``, and comes back with the state as ``decoded``. A block has ``save`` if
    it is the window's first block, or if the next window does not begin before it. The decoder
    saves the state before each block with ``save``, and the state saved last counts: above, the
    state before the block from 10 on. Only the announcement of a key is fed back at once.

    After damage the state before the growing block is unknown. Windows are then read from the
    growing block on, and have an error as long as they begin before the next raw block, or the next
    block with a seed.

    Errors are those of :class:`~rtl.keyed.store.blocks.block_windows.BlockWindows`. Order is kept.
    Latency 0 cycles. Initiation interval 1 cycle. A stall at ``o`` stalls ``i``; ``decoded`` stalls
    an announcement.

    Parameters
    ----------
    ring : RingPlan
        With chains.
    passenger : ShapeLike
        Data that go along with each window.

    Members
    -------
    i : In(stream.Signature(numbered_layout(ring, passenger)))
    o : Out(stream.Signature(window_block_layout(...)))
        ``passenger`` has ``error``, ``m3``, ``cached``, and the window's ``passenger``.
    decoded : In(stream.Signature(..., always_ready=True))
        Feedback of a decoded window: its ``place`` and the state there, ``start``.
    feedback : Out(stream.Signature(ring.feedback, always_ready=True))

    Source: seed 000, sections 3.4.2 and 3.4.5; states in the feedback are ours.
    """

    @staticmethod
    def _members(ring, passenger):
        form = ring.format
        decoded = data.StructLayout({"place": ring.window_place, "start": form.start})
        return {
            "i": In(stream.Signature(numbered_layout(ring, passenger))),
            "o": Out(stream.Signature(ring.window_block(passenger))),
            "decoded": In(stream.Signature(decoded, always_ready=True)),
            "feedback": Out(stream.Signature(ring.feedback, always_ready=True)),
        }

    def _is_needless(self, is_outside):
        return (is_outside & ~self.i.p.coded) | (self.i.p.count == 0)

    @property
    def _begins_key(self):
        """High if the input announces a key; the announcement of a cached block is ``empty``."""
        return self.i.p.is_announcement & ~self.i.p.empty

    @property
    def _waits(self):
        return self._begins_key & self.decoded.valid

    def _feed(self, m, transfer, complete, next_short):
        """Sends the state of the codec and ``feed`` with the blocks, and drives the feedback.

        ``feed`` is valid in a window's last block, and names the block where the next window
        begins. The feedback passes ``decoded`` on, or answers the announcement of a key.
        """
        i = self.i.p
        o = self.o.p
        fed = self.feedback.p
        decoded = self.decoded
        place = Signal(self._ring.feedback)
        self._choose_place(m, place, transfer, complete, next_short)
        names = [name for name in self._ring.window_place.members if name != "index"]
        m.d.comb += [
            o.dependent.eq(i.dependent & ~i.empty),
            o.opens.eq(i.opens),
            o.start.eq(i.first.start),
            o.save.eq(i.opens | i.next_begins_here_or_later),
            o.feed.valid.eq(i.last & ~i.empty),
            o.feed.lost.eq(~complete),
            o.feed.place.index.eq(i.entry),
            *(o.feed.place[name].eq(place.entry[name]) for name in names),
            self.feedback.valid.eq(decoded.valid | (transfer & self._begins_key)),
            fed.index.eq(Mux(decoded.valid, decoded.p.place.index, i.entry)),
            *(
                fed.entry[name].eq(Mux(decoded.valid, decoded.p.place[name], i.first[name]))
                for name in names
            ),
            fed.entry.start.eq(decoded.p.start),
        ]

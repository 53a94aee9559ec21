"""Reports windows and their feedback to the walks of cached keys."""

from amaranth.hdl import C, Module, Mux, Signal
from amaranth.lib import stream, wiring
from amaranth.lib.wiring import In, Out

from rtl.keyed.cache.block_walks import BlockWalks


class WalkReports(wiring.Component):
    """Passes on the blocks of windows, and reports windows and feedback to the walks a cycle later.

    A *walk* finds the block in which the next window of a cached key begins, because the blocks of
    a cached window are not read (:class:`~rtl.keyed.cache.block_walk.BlockWalk`).

    ::

        i -----> admitted? -----------------------> o
                     |         registers
                     +-------------> BlockWalks --> feedback
        fed ----------------------->

    A window whose key claims a place of the cache waits while the walk of the place goes on, or
    while a report in the registers may start it, because the walk belongs to another key. With
    chains of blocks, whose feedback comes late, the walks also wait for the feedback of windows. A
    ``drain``, a request of the ring, waits for all walks, because its answer says that the feedback
    of all earlier windows has arrived. The transfer of a window depends on a long chain of
    ``ready``, so registers precede the walks.

    Order is kept. Latency from ``i`` to ``o`` 0 cycles, from ``fed`` to ``feedback`` 1 cycle.
    Initiation interval 1 cycle. A stall at ``o`` stalls ``i``.

    Parameters
    ----------
    ring : RingPlan
        With a ``cache``.
    numbered : data.StructLayout
        Layout of a block of a window; ``cached`` is the cache's report about the window.

    Members
    -------
    i : In(stream.Signature(numbered))
    o : Out(stream.Signature(numbered))
    fed : In(stream.Signature(ring.feedback, always_ready=True))
        Feedback of the windows that are read, of keys that begin, and answers to requests of the
        ring, in the cycle of the transfer at ``o``; with chains of blocks, later for windows.
    feedback : Out(stream.Signature(ring.feedback, always_ready=True))
        ``fed`` a cycle later, and in cycles without it the steps of walks: for a cached window
        none, one or several; with chains only blocks that can be decoded alone.

    Source: ours; seed 000, section 3.4.4, leaves it open.
    """

    latency = 0
    initiation_interval = 1

    def __init__(self, ring, numbered):
        self._walks = BlockWalks(ring)
        self._gives_way = ring.gives_way
        self._ring = ring
        self._includes_closing = ring.cache.item.includes_closing_value
        feedback = stream.Signature(ring.feedback, always_ready=True)
        super().__init__(
            {
                "i": In(stream.Signature(numbered)),
                "o": Out(stream.Signature(numbered)),
                "fed": In(feedback),
                "feedback": Out(feedback),
            }
        )

    def elaborate(self, platform):
        m = Module()
        m.submodules.walks = walks = self._walks
        wiring.connect(m, walks.feedback, wiring.flipped(self.feedback))
        window = self.i.p
        awaited = Signal(len(walks.walking))
        admitted = Signal()
        drains = window.ring_request.drain if self._gives_way else 0
        m.d.comb += [
            # The walks for which the window waits, as a bit for each place.
            awaited.eq(
                (window.cached.claims << window.cached.place) | Mux(drains, ~C(0, len(awaited)), 0)
            ),
            admitted.eq(~((awaited & walks.walking).any() | (awaited.any() & walks.window.valid))),
            self.o.p.eq(window),
            self.o.valid.eq(self.i.valid & admitted),
            self.i.ready.eq(self.o.ready & admitted),
        ]
        self._report(m, window, walks)
        return m

    def _block_index(self, window):
        """Returns the index of the block that begins (``noted``), or of the window's last block.

        If the ring is ``joined``, a window comes with the index of the block before the step's
        value, so a block that begins with this value has the following index.
        """
        if not self._ring.joined:
            return window.block_index
        following = self._ring.following(window.block_index)
        return Mux(window.cached.noted, following, window.block_index)

    def _report(self, m, window, walks):
        """Reports the window with its last block, and the feedback, a cycle later."""
        event = Signal(walks.window.shape())
        m.d.comb += [
            event.valid.eq(self.i.valid & self.i.ready & window.last),
            *(event[name].eq(window.cached[name]) for name in ("hit", "place", "noted")),
            event.claims.eq(window.cached.claims),
            event.block_index.eq(self._block_index(window)),
            # Number of the step's value: ``end`` is the number after it if the window includes it.
            event.number.eq(window.end - self._includes_closing),
            event.next.eq(window.next),
        ]
        # An announcement that is not ``empty`` is fed back in the cycle of its transfer.
        announces = window.is_announcement & ~window.empty
        begins = Signal()
        if self._ring.format.chained:
            m.d.comb += [
                event.index.eq(window.entry),
                event.head.eq(~window.dependent),
                event.read.eq(~window.empty & ~window.is_announcement),
            ]
        saved_event = Signal.like(event, reset_less=True)
        event_valid = Signal()
        saved_feedback = Signal.like(self.fed.p, reset_less=True)
        feedback_valid = Signal()
        m.d.sync += [
            saved_event.eq(event),
            event_valid.eq(event.valid),
            saved_feedback.eq(self.fed.p),
            feedback_valid.eq(self.fed.valid),
            begins.eq(self.i.valid & self.i.ready & announces),
        ]
        m.d.comb += [
            walks.window.eq(saved_event),
            walks.window.valid.eq(event_valid),
            walks.fed.p.eq(saved_feedback),
            walks.fed.valid.eq(feedback_valid),
            walks.begins.eq(begins),
        ]

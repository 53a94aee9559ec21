"""Inserts a mark into a stream of rows when a row has waited for ``cycles`` cycles."""

from amaranth.hdl import Module, Signal
from amaranth.lib import stream, wiring
from amaranth.lib.wiring import In, Out

from rtl.bus.pieces import transfer


class FlushMarks(wiring.Component):
    """Inserts a mark, a transfer without bytes and without ``tlast``, behind rows that wait.

    The blocks after ``o`` then send all rows before the mark, even in a transfer or datagram that
    is not full. A row waits from its transfer at ``o``, or from the rise of ``saved``, until a mark
    or the end of its packet follows. ``saved`` says that the block before stores a row that it does
    not offer yet; the row is released before the mark, in the cycle of ``release`` at the latest. A
    row that is on offer already goes before the mark, too::

        i      w0        w1                           (w1 is saved by the block before)
        o      w0                 w1  mark
                  <- cycles ->  release

    A mark is offered ``cycles`` + 4 cycles after the transfer of the first row that waits, or after
    the last ``restart`` if this is later; a row that is on offer then delays the mark. With 0
    ``cycles`` there is no mark. Latency 0 cycles, initiation interval 1 cycle, except that ``i`` is
    stalled for the cycle of a mark. Order is kept.

    Parameters
    ----------
    width : int
        Bytes of a transfer.

    Members
    -------
    i : In(stream.Signature(transfer(width)))
    o : Out(stream.Signature(transfer(width)))
    saved : In(1)
        The block before has a saved row.
    release : Out(1)
        The saved row must be offered at ``i``.
    cycles : In(32)
    restart : In(1)
        The receiver has passed on rows that came through here: the time begins again.
    busy : Out(1)
        A mark is offered.
    """

    latency = 0
    initiation_interval = 1

    def __init__(self, width):
        signature = stream.Signature(transfer(width))
        super().__init__(
            {
                "i": In(signature),
                "o": Out(signature),
                "saved": In(1),
                "release": Out(1),
                "cycles": In(32),
                "restart": In(1),
                "busy": Out(1),
            }
        )

    def elaborate(self, platform):
        m = Module()
        passed = Signal()  # a row has come through since the last mark or end of a packet
        waits = Signal()
        due = Signal()
        time_left = Signal(32)
        enabled = Signal()
        o_fires = self.o.valid & self.o.ready
        m.d.comb += waits.eq(passed | self.saved)
        m.d.sync += [
            enabled.eq(self.cycles.any()),
            time_left.eq(time_left - (time_left != 0)),
            due.eq(enabled & waits & (time_left == 0) & ~self.restart),
        ]
        with m.If(self.restart | ~waits):
            m.d.sync += time_left.eq(self.cycles)
        with m.If(o_fires):
            m.d.sync += passed.eq(~self.o.p.tlast)

        def passes():
            m.d.comb += [
                self.o.valid.eq(self.i.valid),
                self.o.p.eq(self.i.p),
                self.i.ready.eq(self.o.ready),
            ]

        with m.FSM():
            with m.State("PASS"):
                passes()
                with m.If(due & waits):
                    m.next = "RELEASE"
            with m.State("RELEASE"):
                passes()
                m.d.comb += self.release.eq(1)
                with m.If(o_fires | ~self.i.valid):  # a row on offer must not be taken back
                    m.next = "MARK"
            with m.State("MARK"):
                m.d.comb += [self.o.valid.eq(1), self.busy.eq(1)]
                with m.If(self.o.ready):
                    m.d.sync += [passed.eq(0), due.eq(0), time_left.eq(self.cycles)]
                    m.next = "PASS"
        return m

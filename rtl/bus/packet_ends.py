"""Where a packet ends, when it is not where the engine says."""

from amaranth.hdl import Module, Mux, Signal
from amaranth.lib import stream, wiring
from amaranth.lib.wiring import In, Out

from rtl.bus.pieces import transfer


class PacketEnds(wiring.Component):
    """Ends a packet when the stream is at its end, in place of what ``i`` says, or behind it.

    With ``join`` all rows of a stream are one packet, whatever ``tlast`` was. As nobody knows
    which row is the last before the stream has ended, the last transfer with rows is kept back
    until there is another, or the end::

        i        w0 w0 w1|   w2|        finish          (| is tlast)
        o           w0 w0    w1         w2|

    So the end is in the last transfer with rows; without any row it is a transfer of its own,
    without a byte. Transfers without rows are left out.

    Without ``join`` all passes as it is, and the end is a transfer of its own without a byte: a
    packet more::

        i        w0 w0|  w1|            finish
        o        w0 w0|  w1|            |

    Between ``finish`` and the transfer that it asks for nothing is taken. Order is kept.
    Latency 0 cycles, with ``join`` up to the next transfer. Initiation interval 1 cycle.
    ``i.ready`` and ``o`` depend on each other's side in the same cycle. Resources: with ``join`` a
    transfer in registers.

    Parameters
    ----------
    width : int
        Bytes of a transfer.
    join : bool

    Members
    -------
    i : In(stream.Signature(transfer(width)))
    o : Out(stream.Signature(transfer(width)))
    finish : In(1)
        All rows of a stream have been taken; only when ``free``.
    clear : In(1)
        After this cycle ``i`` does not go on where it was, and may take back what it offers: with
        ``join`` the packet that is under way is ended, if it has a row.
    free : Out(1)
        No end is still to be given.
    busy : Out(1)
        A transfer is kept that is to go out, or an end is.
    """

    latency = 0
    initiation_interval = 1

    def __init__(self, width, *, join):
        self._join = join
        signature = stream.Signature(transfer(width))
        super().__init__(
            {
                "i": In(signature),
                "o": Out(signature),
                "finish": In(1),
                "clear": In(1),
                "free": Out(1),
                "busy": Out(1),
            }
        )

    def elaborate(self, platform):
        m = Module()
        ends = Signal()
        given = self.o.valid & self.o.ready
        m.d.comb += self.free.eq(~ends)
        if self._join:
            cut = self._keep(m, ends, given)
        else:
            cut = 0
            m.d.comb += [
                self.o.valid.eq(self.i.valid | ends),
                self.o.p.eq(self.i.p),
                self.i.ready.eq(self.o.ready & ~ends),
                self.busy.eq(ends),
            ]
            with m.If(ends):
                m.d.comb += self.o.p.eq(self.o.p.shape().const({"tlast": 1}))
        m.d.sync += ends.eq((ends & ~given) | self.finish | cut)
        return m

    def _keep(self, m, ends, given):
        """Keeps the last transfer with rows; returns whether a packet is cut that has one."""
        kept, there, after = Signal.like(self.i.p), Signal(), Signal()
        rows = self.i.p.tkeep.any()
        taken = self.i.valid & self.i.ready & rows
        m.d.comb += [
            self.o.valid.eq(ends | (there & self.i.valid & rows)),
            self.o.p.tdata.eq(kept.tdata),
            self.o.p.tkeep.eq(Mux(there, kept.tkeep, 0)),
            self.o.p.tlast.eq(ends),
            self.i.ready.eq(~ends & (self.o.ready | ~there | ~rows)),
            after.eq(taken | (there & ~given)),
            self.busy.eq(there | ends),
        ]
        with m.If(taken):
            m.d.sync += kept.eq(self.i.p)
        m.d.sync += there.eq(after)
        return self.clear & after

"""Ends a packet at the end of each stream, and with ``join`` makes one packet of each stream."""

from amaranth.hdl import Const, Module, Mux, Signal
from amaranth.lib import stream, wiring
from amaranth.lib.wiring import In, Out

from rtl.bus.pieces import transfer


class PacketEnds(wiring.Component):
    """Adds an end of packet (``tlast``) at the end of each stream.

    With ``join`` the new end replaces the ends at ``i``: all rows of a stream are one packet. Only
    ``finish`` tells that a row was the last. So the latest transfer with rows is saved until
    another transfer with rows arrives, or ``finish``::

        i        w0 w0| w1|   w2|       finish     (w0: rows of window 0; | is tlast)
        o           w0  w0    w1              w2|

    So the last transfer with rows carries the end. A stream without rows becomes one transfer
    without bytes, with ``tlast``. All other transfers without rows are dropped.

    ``release`` sends the saved transfer without an end. If no other transfer with rows follows, a
    transfer without bytes then carries the end.

    Without ``join`` every transfer passes unchanged, with the ends at ``i``. The end of the stream
    is an extra transfer without bytes, which is a packet of its own::

        i        w0 w0|  w1|            finish
        o        w0 w0|  w1|                   |

    From the cycle after ``finish`` until the transfer with the end has gone out, ``i`` is stalled.
    Order is kept. Latency 0 cycles; with ``join`` a transfer waits for the next transfer with rows.
    Initiation interval 1 cycle. ``i.ready`` depends on ``o.ready``, and ``o`` on ``i``, in the same
    cycle. Resources: with ``join`` the registers of one transfer.

    Parameters
    ----------
    width : int
        Bytes of a transfer.
    join : bool
    releases : bool
        With ``join``: the component has ``release`` and ``saved``.

    Members
    -------
    i : In(stream.Signature(transfer(width)))
    o : Out(stream.Signature(transfer(width)))
    finish : In(1)
        All rows of a stream have been accepted. Allowed only while ``ready_to_finish`` is high.
    clear : In(1)
        After this cycle ``i`` does not continue its packet, and may withdraw its offer. With
        ``join`` the current packet gets an end, if it has a row.
    release : In(1), or none
        The saved transfer must go out now, without an end.
    saved : Out(1), or none
        A transfer is saved.
    ready_to_finish : Out(1)
        No end is pending.
    busy : Out(1)
        A saved transfer or an end has not gone out.
    """

    latency = 0
    initiation_interval = 1

    def __init__(self, width, *, join, releases=False):
        self._join = join
        self._releases = join and releases
        signature = stream.Signature(transfer(width))
        super().__init__(
            {
                "i": In(signature),
                "o": Out(signature),
                "finish": In(1),
                "clear": In(1),
                "ready_to_finish": Out(1),
                "busy": Out(1),
            }
            | ({"release": In(1), "saved": Out(1)} if self._releases else {})
        )

    def elaborate(self, platform):
        m = Module()
        end_pending = Signal()
        o_fires = self.o.valid & self.o.ready
        m.d.comb += self.ready_to_finish.eq(~end_pending)
        if self._join:
            cut = self._save_last(m, end_pending, o_fires)
        else:
            cut = 0
            m.d.comb += [
                self.o.valid.eq(self.i.valid | end_pending),
                self.o.p.eq(self.i.p),
                self.i.ready.eq(self.o.ready & ~end_pending),
                self.busy.eq(end_pending),
            ]
            with m.If(end_pending):
                m.d.comb += self.o.p.eq(self.o.p.shape().const({"tlast": 1}))
        m.d.sync += end_pending.eq((end_pending & ~o_fires) | self.finish | cut)
        return m

    def _save_last(self, m, end_pending, o_fires):
        """Saves the latest transfer with rows; returns a bit that is high if ``clear`` cuts a
        packet with a row."""
        saved = Signal.like(self.i.p)
        has_saved = Signal()
        has_saved_next = Signal()
        has_rows = self.i.p.tkeep.any()
        i_fires = self.i.valid & self.i.ready & has_rows
        release = Const(0)
        has_released = Const(0)
        if self._releases:
            release = self.release
            has_released = self._open_packet(m, o_fires)
            m.d.comb += self.saved.eq(has_saved)
        m.d.comb += [
            self.o.valid.eq(end_pending | (has_saved & ((self.i.valid & has_rows) | release))),
            self.o.p.tdata.eq(saved.tdata),
            self.o.p.tkeep.eq(Mux(has_saved, saved.tkeep, 0)),
            self.o.p.tlast.eq(end_pending),
            self.i.ready.eq(~end_pending & (self.o.ready | ~has_saved | ~has_rows)),
            has_saved_next.eq(i_fires | (has_saved & ~o_fires)),
            self.busy.eq(has_saved | end_pending),
        ]
        with m.If(i_fires):
            m.d.sync += saved.eq(self.i.p)
        m.d.sync += has_saved.eq(has_saved_next)
        return self.clear & (has_saved_next | has_released)

    def _open_packet(self, m, o_fires):
        """Returns a bit: up to this cycle ``o`` has sent rows of a packet, but not its end."""
        is_open = Signal()
        is_open_next = Signal()
        m.d.comb += is_open_next.eq(is_open)
        with m.If(o_fires):
            m.d.comb += is_open_next.eq(~self.o.p.tlast)
        m.d.sync += is_open.eq(is_open_next)
        return is_open_next

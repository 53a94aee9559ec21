"""Converts beats of the engine to an AXI4-Stream at the pins."""

from itertools import pairwise

from amaranth.hdl import Cat, Const, Module, Mux, Signal
from amaranth.lib import stream, wiring
from amaranth.lib.wiring import In, Out

from rtl.bus.flush_marks import FlushMarks
from rtl.bus.gearbox import Gearbox
from rtl.bus.packet_cutter import PacketCutter
from rtl.bus.packet_ends import PacketEnds
from rtl.bus.packet_state import packet_state
from rtl.bus.pieces import transfer
from rtl.contract.counters import Counter, events
from rtl.stream.axi_stream import axi_stream_members
from rtl.stream.beat import beat, leaves, split, valid_count
from rtl.stream.queue import StreamQueue
from rtl.stream.skid import SkidBuffer


class StreamMaster(wiring.Component):
    """Turns beats into an AXI4-Stream whose outputs come from the registers of a skid buffer.

    Lane 0 is in the lowest bytes; ``tkeep`` is set for the bytes of valid lanes, and bytes without
    ``tkeep`` are undefined. For instance a beat of 2 lanes with rows of 4 bytes, of which lane 0 is
    valid, has its row in ``tdata[0:32]``, and ``tkeep`` 0b00001111. Order is kept. A stall of the
    bus stalls ``i`` when the skid buffer and the blocks before it are full. Latency 1 cycle,
    initiation interval 1 cycle.

    Stored beats always go out. ``clear`` announces that ``i`` does not continue its packet: if
    ``i`` is in the middle of a packet, a beat without rows ends the packet, or with "join" the row
    that is saved. So the next packet is complete.

    Parameters
    ----------
    packing : Packing
        Packing of a row; its fields are in the order of the members of ``row``, nested members in
        their order.
    row : data.StructLayout
    lanes : int
    width : int or None
        Bytes of ``tdata``; None for the bytes of a beat. With another width, or with "join" and
        several lanes, a :class:`~rtl.bus.gearbox.Gearbox` packs the rows of a packet densely: only
        the last transfer of a packet is short. Beats, too, may be short only at the end of a
        packet; with "join" any beat may be short, with its rows in the lowest lanes. A queue of
        four beats precedes the gearbox. Queue and gearbox together add three cycles of latency.
    ends : str or None
        "join" or "mark": ``finish`` ends a packet; with "join" all rows of a stream are one packet.
        See :class:`~rtl.bus.packet_ends.PacketEnds`. None: only ``i`` ends packets.
    packet_limit : int or None
        Maximum number of transfers of a packet, see :class:`~rtl.bus.packet_cutter.PacketCutter`;
        None is no maximum.
    flushes : bool
        Rows do not wait longer than ``flush_cycles`` for a full transfer or the end of their
        packet: a transfer without ``tlast`` may be short then, or have no bytes, and the receiver
        must pass on the rows before it. See :class:`~rtl.bus.flush_marks.FlushMarks`.

    Members
    -------
    i : In(stream.Signature(beat(row, lanes)))
    bus : Out(the ports of :func:`axi_stream_members`)
    clear : In(1)
        After this cycle ``i`` is at the beginning of a packet; a beat that is taken in this cycle
        still counts.
    hold : In(1)
        Beats of ``i`` are taken and dropped, and not counted. High only after a ``clear``, so never
        in the middle of a packet.
    busy : Out(1)
        A beat is stored or offered on the bus, or a beat that ends a packet is pending.
    finish : In(1), or none
        All rows of a stream have been taken. Only with ``ends``; allowed only while
        ``ready_to_finish`` is high.
    ready_to_finish : Out(1), or none
        No end is pending.
    flush_cycles : In(32), or none
        Only with ``flushes``. 0 is no limit.
    flush_restart : In(1), or none
        The receiver has passed on rows.
    events : Out(events(StreamMaster.counters_of(lanes)))
        ``rows``, taken at ``i`` in this cycle and not dropped; ``stall_out``, the bus is stalled.
    """

    latency = 1
    initiation_interval = 1

    def __init__(
        self, packing, row, lanes, *, width=None, ends=None, packet_limit=None, flushes=False
    ):
        self._packing = packing
        self._lanes = lanes
        self._flushes = flushes
        self._ends = ends
        self._packet_limit = packet_limit
        self._beat = packing.bytes * lanes
        self._width = self._beat if width is None else width
        super().__init__(
            {
                "i": In(stream.Signature(beat(row, lanes))),
                "bus": Out(wiring.Signature(axi_stream_members(self._width, Out))),
                "clear": In(1),
                "hold": In(1),
                "busy": Out(1),
                "events": Out(events(self.counters_of(lanes))),
            }
            | ({"finish": In(1), "ready_to_finish": Out(1)} if ends else {})
            | ({"flush_cycles": In(32), "flush_restart": In(1)} if flushes else {})
        )

    @staticmethod
    def counters_of(lanes):
        """Returns the counters of a master with this number of lanes."""
        return (
            Counter(name="rows", doc="rows sent to {bus}", max_increment=lanes),
            Counter(
                name="stall_out",
                doc="cycles in which {bus} offered a beat that was not taken",
            ),
        )

    def elaborate(self, platform):
        m = Module()
        m.submodules.skid = skid = SkidBuffer(transfer(self._width))
        row_bytes = self._packing.bytes
        sink, has_beat = self._output_chain(m, skid)
        ends_packet = Const(0)
        if self._ends != "join":
            # A packet that was cut is ended by a beat of its own, before any other beat.
            sink_fires = sink.valid & sink.ready
            _, ends_packet = packet_state(m, sink_fires, sink.p.tlast, self.clear)
        passes = ~ends_packet & ~self.hold
        valid = Signal(self._lanes)
        m.d.comb += valid.eq(self.i.p.valid & ~ends_packet.replicate(self._lanes))
        rows = split(m, self.i.p.tuples, "row")
        words = [Signal(8 * row_bytes, name=f"word{lane}") for lane in range(self._lanes)]
        for word, row in zip(words, rows, strict=True):
            for field, leaf in zip(self._packing.fields, leaves(row), strict=True):
                m.d.comb += word[field.offset : field.offset + 8 * field.bytes].eq(leaf)
        m.d.comb += [
            sink.valid.eq((self.i.valid & ~self.hold) | ends_packet),
            sink.p.tdata.eq(Cat(words)),
            sink.p.tkeep.eq(Cat(bit.replicate(row_bytes) for bit in valid)),
            sink.p.tlast.eq(self.i.p.last | ends_packet),
            self.i.ready.eq((sink.ready & ~ends_packet) | self.hold),
            self.bus.tvalid.eq(skid.o.valid),
            self.bus.tdata.eq(skid.o.p.tdata),
            self.bus.tkeep.eq(skid.o.p.tkeep),
            self.bus.tlast.eq(skid.o.p.tlast),
            skid.o.ready.eq(self.bus.tready),
            self.busy.eq(has_beat | ends_packet),
            self.events.rows.eq(
                Mux(self.i.valid & self.i.ready & passes, valid_count(m, valid, "row_count"), 0)
            ),
            self.events.stall_out.eq(self.bus.tvalid & ~self.bus.tready),
        ]
        return m

    def _output_chain(self, m, skid):
        """Connects the components before the skid buffer.

        Returns the input of the first component, and a bit that is high while a component or the
        skid buffer has a beat. A packet cutter stores no beat.
        """
        blocks = []
        if self._ends:
            joins = self._ends == "join"
            m.submodules.ends = ends = PacketEnds(self._beat, join=joins, releases=self._flushes)
            m.d.comb += [
                ends.finish.eq(self.finish),
                ends.clear.eq(self.clear),
                self.ready_to_finish.eq(ends.ready_to_finish),
            ]
            blocks.append(ends)
        if self._flushes:
            m.submodules.marks = marks = FlushMarks(self._beat)
            m.d.comb += [marks.cycles.eq(self.flush_cycles), marks.restart.eq(self.flush_restart)]
            if self._ends == "join":
                m.d.comb += [marks.saved.eq(ends.saved), ends.release.eq(marks.release)]
            blocks.append(marks)
        if self._width != self._beat or (self._ends == "join" and self._lanes > 1):
            # With "join" a window may end anywhere in the packet of its stream.
            row_bytes = self._packing.bytes if self._ends == "join" else None
            m.submodules.queue = queue = StreamQueue(transfer(self._beat))
            m.submodules.gearbox = gearbox = Gearbox(
                self._beat, self._width, short=row_bytes, marks=self._flushes
            )
            blocks += [queue, gearbox]
        has_beat = skid.o.valid
        for block in blocks:
            has_beat = has_beat | (block.o.valid if isinstance(block, StreamQueue) else block.busy)
        if self._packet_limit:
            m.submodules.cutter = cutter = PacketCutter(self._width, self._packet_limit)
            blocks.append(cutter)
        for block, following in pairwise([*blocks, skid]):
            wiring.connect(m, block.o, following.i)
        return (blocks[0] if blocks else skid).i, has_beat

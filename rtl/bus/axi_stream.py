"""Converters between AXI4-Stream at the pins and beats in the engine."""

from itertools import pairwise

from amaranth.hdl import Cat, Const, Module, Mux, ResetInserter, Signal
from amaranth.lib import data, stream, wiring
from amaranth.lib.wiring import In, Out
from amaranth.utils import bits_for

from rtl.bus.gearbox import Gearbox
from rtl.bus.packet_cutter import PacketCutter
from rtl.bus.packet_ends import PacketEnds
from rtl.bus.pieces import transfer
from rtl.contract.counters import Counter, Flag, errors, events
from rtl.stream.axi_stream import axi_stream_members
from rtl.stream.beat import beat, build, split
from rtl.stream.queue import StreamQueue
from rtl.stream.skid import SkidBuffer


def _words(m, value, count, name):
    """Returns ``value`` cut into ``count`` signals of equal width."""
    words = [Signal(len(value) // count, name=f"{name}{k}") for k in range(count)]
    m.d.comb += Cat(words).eq(value)
    return words


def _leaves(view):
    """Returns every member of a view of nested structures, in order, as plain values."""
    shape = view.shape() if isinstance(view, data.View) else None
    if isinstance(shape, data.StructLayout):
        return [leaf for name, _ in shape for leaf in _leaves(view[name])]
    return [view]


def _number(m, bits, name):
    """Returns the number of ``bits`` that are high."""
    lanes = Signal(len(bits), name=name)
    m.d.comb += lanes.eq(bits)
    return sum(lanes[k] for k in range(len(bits)))


class StreamSlave(wiring.Component):
    """Turns an AXI4-Stream into beats, through a skid buffer: every output comes from a register.

    Lane 0 is in the lowest bytes. A lane is valid when the lowest ``tkeep`` bit of its bytes is
    set. Latency 1 cycle, initiation interval 1 cycle.

    ``context`` is sampled when the first beat of a stream is taken from the bus, and accompanies
    all beats of the stream.

    With ``user`` the bus has ``tuser``. A transfer whose ``tuser`` is not 0 carries no tuples but,
    for instance, a punctuation: the beat's tuples are its bytes, whatever ``tkeep`` is, but no lane
    is valid, and the transfer is never bad.

    After a ``clear`` the rest of the current stream, up to ``tlast``, is taken at full rate and
    dropped, however long it takes to arrive. So the next beat at ``o`` is the first beat of a
    stream, also for ``context``.

    Parameters
    ----------
    packing : Packing
        Packing of a tuple; its fields are in the order of the members of ``row``.
    row : data.StructLayout
    lanes : int
    gaps : bool
        Any beat may be short and may have gaps.
    context : int
        Width of the beats' context.
    user : int
        Width of ``tuser``, and of the beats' ``user``.
    longest : int or None
        Maximum number of tuples of a stream that the engine can count; None without a limit.
    width : int or None
        Bytes of ``tdata``; None when they are the bytes of a beat. Otherwise the tuples of a stream
        are packed densely and pass a :class:`~rtl.bus.gearbox.Gearbox`: only the last transfer is
        short, and ``tkeep`` selects its bytes. A last transfer that ends within a tuple is bad. The
        gearbox adds two cycles of latency. There must be no ``user``.
    short : int or None
        With ``width``: every transfer may be short, by a multiple of this number of bytes.

    Members
    -------
    bus : Out(the ports of :func:`axi_stream_members`)
    o : Out(stream.Signature(beat(row, lanes, context, user)))
    context : In(context), or none
        Only when its width is not 0.
    clear : In(1)
        Drops the rest of the current stream.
    hold : In(1)
        Stalls the bus.
    empty : In(1)
        Drops the contents of the skid buffer and the gearbox.
    busy : Out(1)
        A stream on the bus has begun and not ended, or a beat is stored or offered at ``o``.
    events : Out(events(StreamSlave.counters_of(lanes)))
        Tuples and streams that leave ``o``, cycles in which the bus is stalled, and tuples dropped
        after a ``clear``.
    errors : Out(errors(StreamSlave.flags))
        Valid with a transfer at ``o``. ``bad_beat``: the transfer breaks the rules, by bytes of one
        lane that differ in ``tkeep``, or, unless ``gaps``, by tuples that are not in the lowest
        lanes, or by a short beat that is not the last. ``too_long``: its stream has more tuples
        than ``longest``.
    """

    latency = 1
    initiation_interval = 1

    flags = (
        Flag(
            name="bad_beat",
            doc="a beat came whose tuples were not in the lowest lanes, or that was short and not "
            "the last of its stream; rows since then are undefined, until a soft reset",
        ),
        Flag(
            name="too_long",
            doc="a stream had more tuples than the build's counts can hold",
        ),
    )

    def __init__(
        self,
        packing,
        row,
        lanes,
        *,
        gaps,
        context=0,
        user=0,
        longest=None,
        width=None,
        short=None,
    ):
        self._packing, self._lanes, self._gaps = packing, lanes, gaps
        self._longest, self._short = longest, short
        self._beat = packing.bytes * lanes
        self._width = self._beat if width is None else width
        if user and self._width != self._beat:
            raise ValueError(f"width must be {self._beat} with user, not {width}")
        self._context, self._user = context, user
        super().__init__(
            {
                "bus": Out(wiring.Signature(axi_stream_members(self._width, In, user))),
                "o": Out(stream.Signature(beat(row, lanes, context, user))),
                "clear": In(1),
                "hold": In(1),
                "empty": In(1),
                "busy": Out(1),
                "events": Out(events(self.counters_of(lanes))),
                "errors": Out(errors(self.flags)),
            }
            | ({"context": In(context)} if context else {})
        )

    @staticmethod
    def counters_of(lanes):
        """Returns the counters of a slave with this number of lanes."""
        return (
            Counter(name="tuples", doc="tuples taken from {bus}", max_increment=lanes),
            Counter(name="streams", doc="streams ended at {bus}"),
            Counter(
                name="stall_in",
                doc="cycles in which {bus} offered a beat and was not ready for it",
            ),
            Counter(
                name="cut",
                doc="tuples dropped at {bus}: the rest of a stream that a soft reset interrupted",
                max_increment=lanes,
                dropped=True,
            ),
        )

    def elaborate(self, platform):
        m = Module()
        skid = SkidBuffer(transfer(self._width, tuser=self._user, context=self._context, cut=1))
        m.submodules.skid = ResetInserter(self.empty)(skid)
        transfers, has_bytes = self._geared(m, skid.o)
        between_streams, cut = self._follow(m)
        if self._context:
            self._sample(m, skid, transfers, between_streams)
        m.d.comb += [
            skid.i.valid.eq(self.bus.tvalid & ~self.hold),
            skid.i.p.tdata.eq(self.bus.tdata),
            skid.i.p.tkeep.eq(self.bus.tkeep),
            skid.i.p.tlast.eq(self.bus.tlast),
            skid.i.p.cut.eq(cut),
            self.bus.tready.eq(skid.i.ready & ~self.hold),
            self.o.valid.eq(transfers.valid & ~transfers.p.cut),
            self.o.p.last.eq(transfers.p.tlast),
            transfers.ready.eq(self.o.ready | transfers.p.cut),
            self.busy.eq(~between_streams | has_bytes),
        ]
        words = _words(m, transfers.p.tdata, self._lanes, "word")
        keep_bits = _words(m, transfers.p.tkeep, self._lanes, "keep")
        has_tuples = ~transfers.p.tuser.any()
        if self._user:
            m.d.comb += [skid.i.p.tuser.eq(self.bus.tuser), self.o.p.user.eq(transfers.p.tuser)]
        valid = Cat(keep[0] & has_tuples for keep in keep_bits)
        rows = build(m, self.o.p.tuples, "row")
        uneven = Signal()
        for word, keep, row in zip(words, keep_bits, rows, strict=True):
            for field, leaf in zip(self._packing.fields, _leaves(row), strict=True):
                m.d.comb += leaf.eq(word[field.offset : field.offset + field.width])
            with m.If(keep.any() & ~keep.all()):
                m.d.comb += uneven.eq(1)
        m.d.comb += self.o.p.valid.eq(valid)
        gap = (valid[1:] & ~valid[:-1]).any() | (~valid.all() & ~transfers.p.tlast)
        bad = uneven | (gap if not self._gaps else 0)
        o_fires = self.o.valid & self.o.ready
        tuple_count = _number(m, valid, "tuple_count")
        m.d.comb += [
            self.errors.bad_beat.eq(o_fires & has_tuples & bad),
            self.events.tuples.eq(Mux(o_fires, tuple_count, 0)),
            self.events.cut.eq(Mux(transfers.valid & transfers.p.cut, tuple_count, 0)),
            self.events.streams.eq(o_fires & self.o.p.last),
            self.events.stall_in.eq(self.bus.tvalid & ~self.bus.tready),
        ]
        if self._longest is not None:
            self._measure(m)
        return m

    def _geared(self, m, source):
        """Returns the transfers of ``source`` as wide as a beat, and a bit: bytes of a transfer are
        stored."""
        if self._width == self._beat and self._short is None:
            return source, source.valid
        sideband = {"tuser": 0, "context": self._context, "cut": 1}
        gearbox = Gearbox(self._width, self._beat, short=self._short, **sideband)
        m.submodules.gearbox = ResetInserter(self.empty)(gearbox)
        wiring.connect(m, source, gearbox.i)
        return gearbox.o, source.valid | gearbox.busy

    def _measure(self, m):
        """Raises ``too_long`` when a stream grows longer than the engine can count.

        The initial value is chosen so that the count reaches a power of two just after ``longest``
        tuples: 5 when ``longest`` is 2. A beat takes the count no further than into the next bit.
        """
        width = bits_for(max(self._longest, self._lanes))
        initial = (1 << width) - 1 - self._longest
        length, next_length = Signal(width + 1, init=initial), Signal(width + 1)
        m.d.comb += [
            next_length.eq(Mux(length[-1], length, length + self.events.tuples)),
            self.errors.too_long.eq(next_length[-1]),
        ]
        m.d.sync += length.eq(Mux(self.events.streams | self.empty, initial, next_length))

    def _follow(self, m):
        """Returns two bits on the state of the bus: it is between two streams, and it is in the
        rest of a stream that was cut."""
        between_streams, cut = Signal(init=1), Signal()
        between_next = Signal()  # value of ``between_streams`` in the next cycle
        bus_fires = self.bus.tvalid & self.bus.tready
        m.d.comb += between_next.eq(Mux(bus_fires, self.bus.tlast, between_streams))
        m.d.sync += [between_streams.eq(between_next), cut.eq((cut | self.clear) & ~between_next)]
        return between_streams, cut

    def _sample(self, m, skid, transfers, between_streams):
        """Samples the context at a stream's first beat and repeats it for the other beats."""
        sampled = Signal(self._context)
        m.d.comb += [
            skid.i.p.context.eq(Mux(between_streams, self.context, sampled)),
            self.o.p.context.eq(transfers.p.context),
        ]
        with m.If(self.bus.tvalid & self.bus.tready):
            m.d.sync += sampled.eq(skid.i.p.context)


class StreamMaster(wiring.Component):
    """Turns beats into an AXI4-Stream, through a skid buffer: every output comes from a register.

    Lane 0 is in the lowest bytes; ``tkeep`` is set for the bytes of valid lanes, and bytes without
    ``tkeep`` are undefined. Latency 1 cycle, initiation interval 1 cycle.

    Stored beats always go out. ``clear`` announces that ``i`` does not continue its packet: if
    ``i`` is in the middle of a packet, a beat without rows ends the packet. So the next packet is
    complete.

    Parameters
    ----------
    packing : Packing
        Packing of a row; its fields are in the order of the members of ``row``, nested members in
        their order.
    row : data.StructLayout
    lanes : int
    width : int or None
        Bytes of ``tdata``; None when they are the bytes of a beat. Otherwise the rows of a packet
        are packed densely by a :class:`~rtl.bus.gearbox.Gearbox`: only the last transfer of a
        packet is short. Beats, too, may be short only at the end of a packet; with "join" any beat
        may be short, with its rows in the lowest lanes. A queue in front of the gearbox takes a
        burst of a few beats. Latency three cycles more.
    ends : str or None
        "join" or "mark": how ``finish`` ends a packet, see
        :class:`~rtl.bus.packet_ends.PacketEnds`.
    packet_limit : int or None
        Maximum number of transfers of a packet, see :class:`~rtl.bus.packet_cutter.PacketCutter`.

    Members
    -------
    i : In(stream.Signature(beat(row, lanes)))
    bus : Out(the ports of :func:`axi_stream_members`)
    clear : In(1)
        After this cycle ``i`` is at the beginning of a packet; a beat that is taken in this cycle
        still counts.
    hold : In(1)
        Beats of ``i`` are taken and dropped; not in the cycle of a ``clear``.
    busy : Out(1)
        A beat is stored or offered on the bus, or a beat that ends a packet is pending.
    finish : In(1), or none
        All rows of a stream have been taken; only with ``ends``, and when ``ready_to_finish``.
    ready_to_finish : Out(1), or none
        No end is pending.
    events : Out(events(StreamMaster.counters_of(lanes)))
        Rows that enter at ``i``, and cycles in which the bus is stalled.
    """

    latency = 1
    initiation_interval = 1

    def __init__(self, packing, row, lanes, *, width=None, ends=None, packet_limit=None):
        self._packing, self._lanes = packing, lanes
        self._ends, self._packet_limit = ends, packet_limit
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
        size = self._packing.bytes
        sink, has_beat = self._output_chain(m, skid)
        ends_packet = Const(0) if self._ends == "join" else self._end(m, sink)
        passes = ~ends_packet & ~self.hold
        valid = Signal(self._lanes)
        m.d.comb += valid.eq(self.i.p.valid & ~ends_packet.replicate(self._lanes))
        rows = split(m, self.i.p.tuples, "row")
        words = [Signal(8 * size, name=f"word{lane}") for lane in range(self._lanes)]
        for word, row in zip(words, rows, strict=True):
            for field, leaf in zip(self._packing.fields, _leaves(row), strict=True):
                m.d.comb += word[field.offset : field.offset + 8 * field.bytes].eq(leaf)
        m.d.comb += [
            sink.valid.eq((self.i.valid & ~self.hold) | ends_packet),
            sink.p.tdata.eq(Cat(words)),
            sink.p.tkeep.eq(Cat(bit.replicate(size) for bit in valid)),
            sink.p.tlast.eq(self.i.p.last | ends_packet),
            self.i.ready.eq((sink.ready & ~ends_packet) | self.hold),
            self.bus.tvalid.eq(skid.o.valid),
            self.bus.tdata.eq(skid.o.p.tdata),
            self.bus.tkeep.eq(skid.o.p.tkeep),
            self.bus.tlast.eq(skid.o.p.tlast),
            skid.o.ready.eq(self.bus.tready),
            self.busy.eq(has_beat | ends_packet),
            self.events.rows.eq(
                Mux(self.i.valid & self.i.ready & passes, _number(m, valid, "row_count"), 0)
            ),
            self.events.stall_out.eq(self.bus.tvalid & ~self.bus.tready),
        ]
        return m

    def _output_chain(self, m, skid):
        """Makes the blocks in front of the skid buffer; returns the input of the first block, and a
        bit: a block or the skid buffer has a beat."""
        blocks = []
        if self._ends:
            m.submodules.ends = ends = PacketEnds(self._beat, join=self._ends == "join")
            m.d.comb += [
                ends.finish.eq(self.finish),
                ends.clear.eq(self.clear),
                self.ready_to_finish.eq(ends.ready_to_finish),
            ]
            blocks.append(ends)
        if self._width != self._beat or (self._ends == "join" and self._lanes > 1):
            # With "join" a window may end anywhere in the packet of its stream.
            size = self._packing.bytes if self._ends == "join" else None
            m.submodules.queue = queue = StreamQueue(transfer(self._beat))
            m.submodules.gearbox = gearbox = Gearbox(self._beat, self._width, short=size)
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

    def _end(self, m, sink):
        """Returns a bit: a packet that was cut is being ended, by a beat of its own, before any
        other beat."""
        in_packet, end_pending = Signal(), Signal()
        in_packet_next = Signal()  # value of ``in_packet`` in the next cycle
        sink_fires = sink.valid & sink.ready
        m.d.comb += in_packet_next.eq(Mux(sink_fires, ~sink.p.tlast, in_packet))
        m.d.sync += [
            in_packet.eq(in_packet_next),
            end_pending.eq((end_pending | self.clear) & in_packet_next),
        ]
        return end_pending

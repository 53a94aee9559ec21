"""Between AXI4-Stream and beats."""

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
    """``value`` cut into ``count`` signals of equal width."""
    words = [Signal(len(value) // count, name=f"{name}{k}") for k in range(count)]
    m.d.comb += Cat(words).eq(value)
    return words


def _leaves(view):
    """Every member of a view of nested structures, in order, as plain values."""
    shape = view.shape() if isinstance(view, data.View) else None
    if isinstance(shape, data.StructLayout):
        return [leaf for name, _ in shape for leaf in _leaves(view[name])]
    return [view]


def _number(m, bits, name):
    """How many of ``bits`` are high."""
    lanes = Signal(len(bits), name=name)
    m.d.comb += lanes.eq(bits)
    return sum(lanes[k] for k in range(len(bits)))


class StreamSlave(wiring.Component):
    """AXI4-Stream in, beats out, through a skid buffer: every output comes from a register.

    Lane 0 is in the lowest bytes. A lane is valid when the lowest ``tkeep`` bit of its bytes is
    set. Latency 1 cycle, initiation interval 1 cycle.

    ``context`` is sampled when the first beat of a stream is taken from the bus, and goes along
    with all of the stream's beats.

    With ``user`` the bus has ``tuser``. A transfer in which it is not 0 says something else than a
    tuple, such as a punctuation: its bytes come in the beat's tuples, whatever ``tkeep`` is, but no
    lane is valid, and it is never bad.

    After a ``clear`` nothing more of a stream enters that the bus was in the middle of: the rest of
    it, up to ``tlast``, is taken at full rate and dropped, however long it takes to come. So what
    comes next is a stream's first beat, also for ``context``.

    Parameters
    ----------
    packing : Packing
        Of a tuple; its fields in the order of the members of ``row``.
    row : data.StructLayout
    lanes : int
    gaps : bool
        Beats may be short anywhere, and have gaps.
    context : int
        Width of the beats' context.
    user : int
        Width of ``tuser``, and of the beats' ``user``.
    longest : int or None
        Tuples of a stream that can be counted behind; None without a limit.
    width : int or None
        Bytes of ``tdata``, None for those of a beat. Otherwise the tuples of a stream are packed
        densely, one behind the other, through a :class:`~rtl.bus.gearbox.Gearbox`: only the last
        transfer is short, and ``tkeep`` says how many bytes it has. One that ends within a tuple is
        bad. Latency two cycles more. There must be no ``user``.
    short : int or None
        With ``width``: every transfer may be short, by a multiple of so many bytes.

    Members
    -------
    bus : Out(the ports of :func:`axi_stream_members`)
    o : Out(stream.Signature(beat(row, lanes, context, user)))
    context : In(context)
        Only when its width is not 0.
    clear : In(1)
    hold : In(1)
        Nothing is taken from the bus.
    empty : In(1)
        What is inside is dropped.
    busy : Out(1)
        A stream has begun on the bus, and is not at its end, or something is offered at ``o``.
    events : Out(events(StreamSlave.counters_of(lanes)))
        Tuples and streams that leave ``o``, cycles in which the bus waits, and tuples dropped
        behind a ``clear``.
    errors : Out(errors(StreamSlave.flags))
        With a transfer at ``o``. ``bad_beat``: it breaks the rules, by bytes of one lane that
        differ in ``tkeep``, or, unless ``gaps``, by tuples that are not in the lowest lanes, or as
        a short beat that is not the last. ``too_long``: its stream has more tuples than
        ``longest``.
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
        """What a slave of so many lanes counts."""
        return (
            Counter(name="tuples", doc="tuples taken from {bus}", max_increment=lanes),
            Counter(name="streams", doc="streams ended at {bus}"),
            Counter(
                name="stall_in",
                doc="cycles in which {bus} offered a beat and was not ready for it",
            ),
            Counter(
                name="cut",
                doc="tuples dropped at {bus}: the rest of a stream in which a soft reset fell",
                max_increment=lanes,
                dropped=True,
            ),
        )

    def elaborate(self, platform):
        m = Module()
        skid = SkidBuffer(transfer(self._width, tuser=self._user, context=self._context, cut=1))
        m.submodules.skid = ResetInserter(self.empty)(skid)
        come, inside = self._geared(m, skid.o)
        between, cut = self._follow(m)
        if self._context:
            self._sample(m, skid, come, between)
        m.d.comb += [
            skid.i.valid.eq(self.bus.tvalid & ~self.hold),
            skid.i.p.tdata.eq(self.bus.tdata),
            skid.i.p.tkeep.eq(self.bus.tkeep),
            skid.i.p.tlast.eq(self.bus.tlast),
            skid.i.p.cut.eq(cut),
            self.bus.tready.eq(skid.i.ready & ~self.hold),
            self.o.valid.eq(come.valid & ~come.p.cut),
            self.o.p.last.eq(come.p.tlast),
            come.ready.eq(self.o.ready | come.p.cut),
            self.busy.eq(~between | inside),
        ]
        words = _words(m, come.p.tdata, self._lanes, "word")
        keeps = _words(m, come.p.tkeep, self._lanes, "keep")
        tuples = ~come.p.tuser.any()
        if self._user:
            m.d.comb += [skid.i.p.tuser.eq(self.bus.tuser), self.o.p.user.eq(come.p.tuser)]
        valid = Cat(keep[0] & tuples for keep in keeps)
        rows = build(m, self.o.p.tuples, "row")
        uneven = Signal()
        for word, keep, row in zip(words, keeps, rows, strict=True):
            for field, leaf in zip(self._packing.fields, _leaves(row), strict=True):
                m.d.comb += leaf.eq(word[field.offset : field.offset + field.width])
            with m.If(keep.any() & ~keep.all()):
                m.d.comb += uneven.eq(1)
        m.d.comb += self.o.p.valid.eq(valid)
        gap = (valid[1:] & ~valid[:-1]).any() | (~valid.all() & ~come.p.tlast)
        bad = uneven | (gap if not self._gaps else 0)
        taken = self.o.valid & self.o.ready
        number = _number(m, valid, "number")
        m.d.comb += [
            self.errors.bad_beat.eq(taken & tuples & bad),
            self.events.tuples.eq(Mux(taken, number, 0)),
            self.events.cut.eq(Mux(come.valid & come.p.cut, number, 0)),
            self.events.streams.eq(taken & self.o.p.last),
            self.events.stall_in.eq(self.bus.tvalid & ~self.bus.tready),
        ]
        if self._longest is not None:
            self._measure(m)
        return m

    def _geared(self, m, given):
        """Transfers as wide as a beat, and whether there is something of one."""
        if self._width == self._beat and self._short is None:
            return given, given.valid
        more = {"tuser": 0, "context": self._context, "cut": 1}
        gearbox = Gearbox(self._width, self._beat, short=self._short, **more)
        m.submodules.gearbox = ResetInserter(self.empty)(gearbox)
        wiring.connect(m, given, gearbox.i)
        return gearbox.o, given.valid | gearbox.busy

    def _measure(self, m):
        """Whether a stream grows longer than can be counted.

        The count begins so that it passes a power of two right behind ``longest``: for 5 at 2. A
        beat takes it no further than into the next bit.
        """
        width = bits_for(max(self._longest, self._lanes))
        begin = (1 << width) - 1 - self._longest
        length, grown = Signal(width + 1, init=begin), Signal(width + 1)
        m.d.comb += [
            grown.eq(Mux(length[-1], length, length + self.events.tuples)),
            self.errors.too_long.eq(grown[-1]),
        ]
        m.d.sync += length.eq(Mux(self.events.streams | self.empty, begin, grown))

    def _follow(self, m):
        """Where the bus is: between two streams, and in the rest of one that was cut."""
        between, cut = Signal(init=1), Signal()
        after = Signal()  # between two streams, when this cycle is over
        taken = self.bus.tvalid & self.bus.tready
        m.d.comb += after.eq(Mux(taken, self.bus.tlast, between))
        m.d.sync += [between.eq(after), cut.eq((cut | self.clear) & ~after)]
        return between, cut

    def _sample(self, m, skid, come, begins):
        sampled = Signal(self._context)
        m.d.comb += [
            skid.i.p.context.eq(Mux(begins, self.context, sampled)),
            self.o.p.context.eq(come.p.context),
        ]
        with m.If(self.bus.tvalid & self.bus.tready):
            m.d.sync += sampled.eq(skid.i.p.context)


class StreamMaster(wiring.Component):
    """Beats in, AXI4-Stream out, through a skid buffer: every output comes from a register.

    Lane 0 is in the lowest bytes; ``tkeep`` is set for the bytes of valid lanes, and bytes that it
    leaves out are undefined. Latency 1 cycle, initiation interval 1 cycle.

    What is inside goes out, whatever happens before. ``clear`` says that ``i`` will not go on: if
    it is in the middle of a packet then, that is ended by a beat without rows. So the packet that
    comes next is a whole one.

    Parameters
    ----------
    packing : Packing
        Of a row; its fields in the order of the members of ``row``, nested ones in their order.
    row : data.StructLayout
    lanes : int
    width : int or None
        Bytes of ``tdata``, None for those of a beat. Otherwise the rows of a packet are packed
        densely, one behind the other, through a :class:`~rtl.bus.gearbox.Gearbox`: only its last
        transfer is short. Of the beats, too, only the last one of a packet may be short, but with
        "join" any, with rows in the lowest lanes. A queue in front of the gearbox takes a few beats
        that come one right behind the other. Latency three cycles more.
    ends : str or None
        "join" or "mark": the end of a packet at ``finish``, see
        :class:`~rtl.bus.packet_ends.PacketEnds`.
    most : int or None
        Transfers of a packet, at most: see :class:`~rtl.bus.packet_cutter.PacketCutter`.

    Members
    -------
    i : In(stream.Signature(beat(row, lanes)))
    bus : Out(the ports of :func:`axi_stream_members`)
    clear : In(1)
        After this cycle ``i`` is at the beginning of a packet; a beat that is taken in this cycle
        still counts.
    hold : In(1)
        What ``i`` gives is taken and dropped; not in the cycle of a ``clear``.
    busy : Out(1)
        A beat is offered on the bus, or is inside, or one that ends a packet is still to come.
    finish : In(1), or none
        All rows of a stream have been taken; only with ``ends``, and when ``free``.
    free : Out(1), or none
        No end is still to be given.
    events : Out(events(StreamMaster.counters_of(lanes)))
        Rows that enter at ``i``, and cycles in which the bus waits.
    """

    latency = 1
    initiation_interval = 1

    def __init__(self, packing, row, lanes, *, width=None, ends=None, most=None):
        self._packing, self._lanes = packing, lanes
        self._ends, self._most = ends, most
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
            | ({"finish": In(1), "free": Out(1)} if ends else {})
        )

    @staticmethod
    def counters_of(lanes):
        """What a master of so many lanes counts."""
        return (
            Counter(name="rows", doc="rows given to {bus}", max_increment=lanes),
            Counter(
                name="stall_out",
                doc="cycles in which {bus} offered a beat that was not taken",
            ),
        )

    def elaborate(self, platform):
        m = Module()
        m.submodules.skid = skid = SkidBuffer(transfer(self._width))
        size = self._packing.bytes
        sink, inside = self._behind(m, skid)
        ends = Const(0) if self._ends == "join" else self._end(m, sink)
        passes = ~ends & ~self.hold
        valid = Signal(self._lanes)
        m.d.comb += valid.eq(self.i.p.valid & ~ends.replicate(self._lanes))
        rows = split(m, self.i.p.tuples, "row")
        words = [Signal(8 * size, name=f"word{lane}") for lane in range(self._lanes)]
        for word, row in zip(words, rows, strict=True):
            for field, leaf in zip(self._packing.fields, _leaves(row), strict=True):
                m.d.comb += word[field.offset : field.offset + 8 * field.bytes].eq(leaf)
        m.d.comb += [
            sink.valid.eq((self.i.valid & ~self.hold) | ends),
            sink.p.tdata.eq(Cat(words)),
            sink.p.tkeep.eq(Cat(bit.replicate(size) for bit in valid)),
            sink.p.tlast.eq(self.i.p.last | ends),
            self.i.ready.eq((sink.ready & ~ends) | self.hold),
            self.bus.tvalid.eq(skid.o.valid),
            self.bus.tdata.eq(skid.o.p.tdata),
            self.bus.tkeep.eq(skid.o.p.tkeep),
            self.bus.tlast.eq(skid.o.p.tlast),
            skid.o.ready.eq(self.bus.tready),
            self.busy.eq(inside | ends),
            self.events.rows.eq(
                Mux(self.i.valid & self.i.ready & passes, _number(m, valid, "given"), 0)
            ),
            self.events.stall_out.eq(self.bus.tvalid & ~self.bus.tready),
        ]
        return m

    def _behind(self, m, skid):
        """What stands before the skid buffer: its input, and whether something is inside."""
        blocks = []
        if self._ends:
            m.submodules.ends = ends = PacketEnds(self._beat, join=self._ends == "join")
            m.d.comb += [
                ends.finish.eq(self.finish),
                ends.clear.eq(self.clear),
                self.free.eq(ends.free),
            ]
            blocks.append(ends)
        if self._width != self._beat or (self._ends == "join" and self._lanes > 1):
            # Windows end anywhere in a packet that they are joined to.
            size = self._packing.bytes if self._ends == "join" else None
            m.submodules.queue = queue = StreamQueue(transfer(self._beat))
            m.submodules.gearbox = gearbox = Gearbox(self._beat, self._width, short=size)
            blocks += [queue, gearbox]
        inside = skid.o.valid
        for block in blocks:
            inside = inside | (block.o.valid if isinstance(block, StreamQueue) else block.busy)
        if self._most:
            m.submodules.cutter = cutter = PacketCutter(self._width, self._most)
            blocks.append(cutter)
        for block, following in pairwise([*blocks, skid]):
            wiring.connect(m, block.o, following.i)
        return (blocks[0] if blocks else skid).i, inside

    def _end(self, m, sink):
        """Whether a cut packet is being ended: by a beat of its own, before any other."""
        inside, ends = Signal(), Signal()
        after = Signal()  # inside of a packet, when this cycle is over
        taken = sink.valid & sink.ready
        m.d.comb += after.eq(Mux(taken, ~sink.p.tlast, inside))
        m.d.sync += [inside.eq(after), ends.eq((ends | self.clear) & after)]
        return ends

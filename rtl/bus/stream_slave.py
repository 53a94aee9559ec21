"""Converter from an AXI4-Stream at the pins to beats in the engine."""

from amaranth.hdl import Cat, Module, Mux, ResetInserter, Signal
from amaranth.lib import stream, wiring
from amaranth.lib.wiring import In, Out
from amaranth.utils import bits_for

from rtl.bus.gearbox import Gearbox
from rtl.bus.packet_state import packet_state
from rtl.bus.pieces import transfer
from rtl.contract.counters import Counter, Flag, errors, events
from rtl.stream.axi_stream import axi_stream_members
from rtl.stream.beat import beat, build, leaves, valid_count
from rtl.stream.skid import SkidBuffer


def _words(m, value, count, name):
    """Returns ``value`` cut into ``count`` signals of equal width."""
    words = [Signal(len(value) // count, name=f"{name}{k}") for k in range(count)]
    m.d.comb += Cat(words).eq(value)
    return words


class StreamSlave(wiring.Component):
    """Turns an AXI4-Stream into beats, through a skid buffer.

    The skid buffer leaves no combinational path from ``o.ready`` to ``bus.tready``.

    Lane 0 is in the lowest bytes. A lane is valid when the lowest ``tkeep`` bit of its bytes is
    set. Latency 1 cycle, initiation interval 1 cycle.

    ``context`` is sampled when the first beat of a stream is taken from the bus, and accompanies
    all beats of the stream.

    With ``user`` the bus has ``tuser``. A transfer whose ``tuser`` is not 0 carries no tuples but,
    for instance, a punctuation. Its beat has the bytes of the transfer in ``tuples`` and no valid
    lane; ``tkeep`` is ignored, so the transfer is never bad.

    After a ``clear`` the rest of the current stream, up to ``tlast``, is taken at full rate and
    dropped, however long it takes to arrive. So the next beat at ``o`` is the first beat of a
    stream, also for ``context``.

    Parameters
    ----------
    packing : Packing
        Packing of a tuple; its fields are in the order of the members of ``row``.
    row : data.StructLayout
        Fields of a tuple.
    lanes : int
        Tuples of a beat.
    gaps : bool
        Any beat may be short and may have gaps.
    context : int
        Width of the beats' context.
    user : int
        Width of ``tuser``, and of the beats' ``user``.
    longest : int or None
        Maximum number of tuples of a stream that the engine can count; None without a limit.
    width : int or None
        Bytes of ``tdata``; None for the bytes of a beat. With another width the tuples of a stream
        are packed densely and pass a :class:`~rtl.bus.gearbox.Gearbox`: only the last transfer is
        short, and ``tkeep`` selects its bytes. A last transfer that ends within a tuple is bad. The
        gearbox adds two cycles of latency. With the gearbox and ``user`` there must be one lane,
        and ``tuser`` must be the same for all bytes of a tuple.
    short : int or None
        Every transfer may be short, by a multiple of this number of bytes, and passes the gearbox,
        also if ``width`` is that of a beat. None: only the last transfer may be short.

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
        ``tuples`` and ``streams`` that leave ``o``; ``stall_in``, cycles in which the bus is
        stalled; ``cut``, tuples dropped after a ``clear``.
    errors : Out(errors(StreamSlave.flags))
        ``bad_beat``: the transfer at ``o`` breaks the rules, by bytes of one lane that differ in
        ``tkeep``, or, unless ``gaps``, by tuples that are not in the lowest lanes, or by a short
        beat that is not the last. ``too_long``: the stream has more tuples than ``longest``; high
        from then on to the end of the stream.
    """

    latency = 1
    initiation_interval = 1

    flags = (
        Flag(
            name="bad_beat",
            doc="a beat came with a part of a tuple, or, where gaps are not allowed, with a gap "
            "between tuples or before the end of its stream; rows since then are undefined, until "
            "a soft reset",
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
        self._packing = packing
        self._lanes = lanes
        self._gaps = gaps
        self._longest = longest
        self._short = short
        self._beat = packing.bytes * lanes
        self._width = self._beat if width is None else width
        self._has_gearbox = self._width != self._beat or short is not None
        if user and self._has_gearbox and lanes > 1:
            raise ValueError(f"lanes must be 1 with user and a gearbox, not {lanes}")
        self._context = context
        self._user = user
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
        bus_fires = self.bus.tvalid & self.bus.tready
        between_streams, cut = packet_state(m, bus_fires, self.bus.tlast, self.clear)
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
            for field, leaf in zip(self._packing.fields, leaves(row), strict=True):
                m.d.comb += leaf.eq(word[field.offset : field.offset + field.width])
            with m.If(keep.any() & ~keep.all()):
                m.d.comb += uneven.eq(1)
        m.d.comb += self.o.p.valid.eq(valid)
        gap = (valid[1:] & ~valid[:-1]).any() | (~valid.all() & ~transfers.p.tlast)
        bad = uneven | (gap if not self._gaps else 0)
        o_fires = self.o.valid & self.o.ready
        tuple_count = valid_count(m, valid, "tuple_count")
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
        """Returns the transfers of ``source``, each as wide as a beat, and a bit: a transfer, or a
        part of one, is stored."""
        if not self._has_gearbox:
            return source, source.valid
        sideband = {"tuser": self._user, "context": self._context, "cut": 1}
        gearbox = Gearbox(self._width, self._beat, short=self._short, **sideband)
        m.submodules.gearbox = ResetInserter(self.empty)(gearbox)
        wiring.connect(m, source, gearbox.i)
        return gearbox.o, source.valid | gearbox.busy

    def _measure(self, m):
        """Raises ``too_long`` when a stream has more than ``longest`` tuples.

        The count begins at 2^width - 1 - ``longest``, so its top bit becomes 1 with the first tuple
        after ``longest``. For instance with ``longest`` 2 and 4 lanes the width is 3, and the count
        begins at 5: the third tuple makes it 8. A beat takes the count no further than into the
        next bit.
        """
        width = bits_for(max(self._longest, self._lanes))
        initial = (1 << width) - 1 - self._longest
        length = Signal(width + 1, init=initial)
        next_length = Signal(width + 1)
        m.d.comb += [
            next_length.eq(Mux(length[-1], length, length + self.events.tuples)),
            self.errors.too_long.eq(next_length[-1]),
        ]
        m.d.sync += length.eq(Mux(self.events.streams | self.empty, initial, next_length))

    def _sample(self, m, skid, transfers, between_streams):
        """Samples the context at a stream's first beat and repeats it for the other beats."""
        sampled = Signal(self._context)
        m.d.comb += [
            skid.i.p.context.eq(Mux(between_streams, self.context, sampled)),
            self.o.p.context.eq(transfers.p.context),
        ]
        with m.If(self.bus.tvalid & self.bus.tready):
            m.d.sync += sampled.eq(skid.i.p.context)

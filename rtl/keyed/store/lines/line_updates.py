"""Lines of a memory that are changed item by item: read-modify-write."""

from amaranth.hdl import Cat, Module, Mux, Shape, Signal, Value
from amaranth.lib import data, memory, stream, wiring
from amaranth.lib.wiring import In, Out

from rtl.keyed.dram.lines import LINE
from rtl.keyed.store.lines.recent_words import Recent
from rtl.stream.queue import StreamQueue


class LineUpdates(wiring.Component):
    """Puts each item into its line, which is read from memory, and shows it for the write.

    ::

        i --+--> waiting ------------------------------+--> item put in --+--> o, to be written
            |                                          |                  |
            +--> reads ....> memory ....> lines given -+                  |
                                                       |                  |
                                       lines kept <----+------------------+
                                       of the last 32

    An item is *in flight* from ``i`` to its transfer at ``o``, at which its parent has ordered the
    write of its line. Always: **``o`` shows the line as all items before have left it, and this one
    put in**, for the line comes from a place that has it so,

    - none, if the item is ``fresh``: nothing that the line holds is needed, and nothing is read;
      nor if there is no item, and the line is not ``needed``;
    - the last item before of the same line, if it is one of the ``slots`` items before this: the
      line is kept from when it is shown on, and nothing is read;
    - the memory, if not: then that item has left, so its write was ordered before this read is, and
      a memory that keeps the order of its commands has it.

    As items leave in order, the one before has been shown when it is needed, and nothing has taken
    its slot. So which items read is a matter of their order alone, not of what happens when. For
    instance with 4 slots, and items of lines A and B::

        item         0    1    2    3    4    5    6    7    8    9
        of line      A    A    B    A    B    B    B    B    A    A, fresh
        line from    M3   0    M3   1    2    4    5    6    M3   -

    So items of one line do not each wait for the memory, but once for all that follow closely. Of a
    fresh line the other places are rubbish, until they get items. A line that is needed without an
    item comes from the same places, is kept in the same way, and shown as it is.

    *Bounded.* At most ``slots`` items are in flight, so at most so many reads; each has a place
    for the line that comes, so **``lines`` is always taken at once**, whatever happens at ``o``. A
    memory that gives other lines in the same order is never held up here.

    Order is kept. Latency 2 cycles if nothing is read, else 3 cycles and those from ``reads`` to
    ``lines``. Initiation interval 1 cycle; a memory of that latency ``m``, from the transfer of a
    read to that of its line, gives at most ``slots / (m + 4)`` items per cycle. A stall at ``o``
    stalls ``i`` when all slots are taken. A reset forgets what is in flight; the memory has to be
    reset with it, or to be at rest.

    Parameters
    ----------
    plan : LinePlan
        With at least 2 items in a line.
    lines : LineMap
        Rings are those of the entries.
    passenger : ShapeLike
    slots : int
        Items in flight, and lines kept: a power of two of at least 2.

    Members
    -------
    i : In(stream.Signature(layout))
        ``entry`` of the key, ``number`` of the line in the entry's ring, ``place`` in the line,
        ``item``, ``fresh``, ``valid`` (there is one), ``needed`` (the line is, even without one:
        if not, it passes with a line of rubbish), ``passenger``.
    o : Out(stream.Signature(layout))
        ``line``, ``entry``, ``place``, ``valid``, ``passenger``. When a valid one is transferred,
        the write of its line is ordered: reads that are transferred later come after it.
    reads : Out(stream.Signature(lines.line_bits))
        Lines to be read, each by itself.
    lines : In(stream.Signature(LINE))
        What they hold, in order.
    updated : Out(1)
        A line that was read got its item in the cycle before: a read-modify-write.
    failed : Out(data.StructLayout({"valid": 1, "entry": range(lines.rings)}))
        That line was answered with an error: the entry's lines hold rubbish from here on. It is
        told no later than the line is shown.
    busy : Out(1)
        An item is in flight.

    Source: seed 000, sections 3.3 and 4.1 (DFE-Base: DRAM lines read, modified and written for each
    tuple); what is saved is ours.
    """

    latency = 2 * StreamQueue.latency
    initiation_interval = 1

    def __init__(self, plan, lines, passenger=0, *, slots=32):
        if plan.items < 2:
            raise ValueError(f"items must be at least 2, not {plan.items}")
        self._plan, self._slots = plan, slots
        entry, told = range(lines.rings), {"place": range(plan.items), "valid": 1}
        self._told = ("entry", "place", "valid", "passenger")
        self._recent = Recent(lines.line_bits, slots)
        number = range(lines.ring_lines)
        goes = {"entry": entry, "number": number, "item": plan.item, **told}
        goes |= {"fresh": 1, "needed": 1}
        shown = {"line": plan.line, "entry": entry, **told, "passenger": passenger}
        waits = {"entry": entry, "item": plan.item, **told, "passenger": passenger}
        waits |= {"read": 1, "before": range(slots)}
        self._waits, self._shown = data.StructLayout(waits), data.StructLayout(shown)
        super().__init__(
            {
                "i": In(stream.Signature(data.StructLayout({**goes, "passenger": passenger}))),
                "o": Out(stream.Signature(self._shown)),
                "reads": Out(stream.Signature(lines.line_bits)),
                "lines": In(stream.Signature(LINE)),
                "updated": Out(1),
                "failed": Out(data.StructLayout({"valid": 1, "entry": entry})),
                "busy": Out(1),
            }
        )

    @staticmethod
    def latency_of(memory):
        """Cycles from an item to its line, if the memory takes so many from read to line."""
        return LineUpdates.latency + StreamQueue.latency + memory

    def elaborate(self, platform):
        m = Module()
        m.submodules.recent = self._recent
        m.submodules.waiting = waiting = StreamQueue(self._waits, self._slots)
        m.submodules.reads = reads = StreamQueue(self.reads.p.shape(), self._slots)
        m.submodules.given = given = StreamQueue(self._given(), self._slots)
        # A queue, to end the chain of ready from the memory's commands.
        m.submodules.shown = shown = StreamQueue(self._shown, 2)
        wiring.connect(m, reads.o, wiring.flipped(self.reads))
        wiring.connect(m, shown.o, wiring.flipped(self.o))
        self._take(m, waiting.i, reads.i)
        m.d.comb += [
            given.i.p.line.eq(Cat(self._plan.unpacked(self.lines.p.data))),
            given.i.p.error.eq(self.lines.p.error),
            given.i.valid.eq(self.lines.valid),
            self.lines.ready.eq(given.i.ready),
        ]
        self._update(m, waiting.o, given.o, shown.i)
        return m

    def _given(self):
        """Layout of a line that was read, without what its items do not use."""
        return data.StructLayout({"line": self._plan.line.size, "error": 1})

    def _take(self, m, waits, reads):
        """An item gets its slot, and waits; its line is asked for if it is not kept."""
        recent, arriving = self._recent, self.i.p
        inside, goes = Signal(range(self._slots + 1)), Signal()
        number, looks = Signal.like(reads.p), Signal()
        m.d.sync += inside.eq(inside + goes - (self.o.valid & self.o.ready))
        m.d.comb += [
            self.i.ready.eq(inside != self._slots),
            goes.eq(self.i.valid & self.i.ready),
            self.busy.eq(inside.any()),
            number.eq(Cat(arriving.number, arriving.entry)),
            looks.eq(arriving.valid | arriving.needed),
            recent.name.eq(number),
            recent.named.eq(looks),
            recent.enter.eq(goes),
            waits.valid.eq(goes),
            *(waits.p[name].eq(arriving[name]) for name in self._told),
            Value.cast(waits.p.item).eq(Value.cast(arriving.item)),
            waits.p.read.eq(looks & ~arriving.fresh & ~recent.found),
            waits.p.before.eq(recent.slot),
            reads.valid.eq(goes & waits.p.read),
            reads.p.eq(number),
        ]

    def _update(self, m, source, given, target):
        """Puts the oldest item into its line, which goes to ``target`` and is kept in its slot."""
        plan, waits = self._plan, source.p
        size, width = plan.line.size, Shape.cast(plan.item).width
        m.submodules.kept = kept = memory.Memory(shape=size, depth=self._slots, init=[])
        writer, reader = kept.write_port(), kept.read_port(domain="comb")
        own = Signal(range(self._slots))  # the slot of the item: they are taken in turn
        goes, line = Signal(), Signal(size)
        m.d.comb += [
            target.valid.eq(source.valid & (~waits.read | given.valid)),
            goes.eq(target.valid & target.ready),
            source.ready.eq(goes),
            given.ready.eq(goes & waits.read),
            reader.addr.eq(waits.before),
            line.eq(Mux(waits.read, given.p.line, reader.data)),
            *(target.p[name].eq(waits[name]) for name in self._told),
            Value.cast(target.p.line).eq(
                Cat(
                    Mux(
                        waits.valid & (waits.place == k),
                        Value.cast(waits.item)[:width],
                        line[k * width :][:width],
                    )
                    for k in range(plan.items)
                )
            ),
            writer.addr.eq(own),
            writer.data.eq(target.p.line),
            writer.en.eq(goes),
        ]
        m.d.sync += [
            own.eq(own + goes),
            self.updated.eq(goes & waits.read & waits.valid),
            self.failed.valid.eq(goes & waits.read & given.p.error),
            self.failed.entry.eq(waits.entry),
        ]

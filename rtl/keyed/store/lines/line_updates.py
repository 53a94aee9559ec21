"""Changes lines of a memory item by item, by read-modify-write."""

from amaranth.hdl import Cat, Module, Mux, Shape, Signal, Value
from amaranth.lib import data, memory, stream, wiring
from amaranth.lib.wiring import In, Out

from rtl.keyed.dram.lines import LINE
from rtl.keyed.store.lines.recent_words import Recent
from rtl.stream.queue import StreamQueue


class LineUpdates(wiring.Component):
    """Puts each item into its line, which is read from memory, and outputs the line for the write.

    ::

        i --+--> queue --------------------------------+--> item put in --+--> o, to be written
            |                                          |                  |
            +--> reads ....> memory ....> lines read --+                  |
                                                       |                  |
                               lines of the last 32 <--+------------------+

    An item is *in flight* from ``i`` to the transfer at ``o``, when the parent issues the write of
    the item's line. Invariant: **the line at ``o`` has all earlier items and this item**, because
    the line has one of three sources:

    - none, if the item is ``fresh``, as the old content of the line is not needed; or if no item is
      present and the line is not ``needed``. Nothing is read.
    - a slot, if one of the ``slots`` previous items was of the same line: the slot of the last such
      item has the line after this item. Nothing is read.
    - the memory, otherwise: every earlier item of the line has left, so the line's last write was
      issued before this read, and the memory executes commands in order.

    Items leave in order, so an earlier item's line is in the slot when a later item takes the line,
    and the slot is not reused yet. Only the order of the items decides which items read, not the
    timing. For instance with 4 slots, items of lines A and B take their line from memory (M3), or
    from the slot of the earlier item whose number is shown::

        item         0    1    2    3    4    5    6    7    8    9
        of line      A    A    B    A    B    B    B    B    A    A, fresh
        line from    M3   0    M3   1    2    4    5    6    M3   -

    So items of one line that follow each other closely read the line once. In a fresh line the
    other places are undefined until items arrive. A line that is needed without an item has the
    same sources, is saved in the same way, and is output unchanged.

    *Bounded.* At most ``slots`` items, and so at most ``slots`` reads, are in flight; each read has
    room for the line, so **``lines`` is always ready**, also while ``o`` stalls. Lines for another
    reader of the memory never wait for this component.

    Order is kept. Latency 2 cycles if nothing is read, else 3 cycles plus the latency from
    ``reads`` to ``lines``. Initiation interval 1 cycle; with a memory of latency ``m``, from the
    transfer of a read to the transfer of its line, at most ``slots / (m + 4)`` items per cycle. A
    stall at ``o`` stalls ``i`` when all slots are taken. A reset drops the items in flight; the
    memory must be reset at the same time, or be idle.

    Parameters
    ----------
    plan : LinePlan
        Plan with at least 2 items in a line.
    lines : LineMap
        Addresses of the lines; each entry has a ring.
    passenger : ShapeLike
    slots : int
        Number of items in flight, and of saved lines: a power of two of at least 2.

    Members
    -------
    i : In(stream.Signature(layout))
        ``entry`` of the key, ``number`` of the line in the entry's ring, ``place`` in the line,
        ``item``, ``fresh``, ``valid`` (an item is present), ``needed`` (the line is needed even
        without an item; otherwise the output has an undefined line), ``passenger``.
    o : Out(stream.Signature(layout))
        ``line``, ``entry``, ``place``, ``valid``, ``passenger``. When a valid item is transferred,
        the write of its line is issued: reads that are transferred later come after the write.
    reads : Out(stream.Signature(lines.line_bits))
        Single lines to be read.
    lines : In(stream.Signature(LINE))
        Content of these lines, in order.
    updated : Out(1)
        High in the cycle after an item was put into a line from the memory: a read-modify-write.
    failed : Out(data.StructLayout({"valid": 1, "entry": range(lines.rings)}))
        The read of a line failed: the entry's lines are undefined from now on. The failure is
        reported no later than the line is output.
    busy : Out(1)
        An item is in flight.

    Source: seed 000, sections 3.3 and 4.1 (DFE-Base: DRAM lines read, modified and written for each
    tuple); the slots are ours.
    """

    latency = 2 * StreamQueue.latency
    initiation_interval = 1

    def __init__(self, plan, lines, passenger=0, *, slots=32):
        if plan.items < 2:
            raise ValueError(f"items must be at least 2, not {plan.items}")
        self._plan = plan
        self._slots = slots
        entry = range(lines.rings)
        placed = {"place": range(plan.items), "valid": 1}
        self._unchanged = ("entry", "place", "valid", "passenger")
        self._recent = Recent(lines.line_bits, slots)
        number = range(lines.ring_lines)
        item_members = {"entry": entry, "number": number, "item": plan.item, **placed}
        item_members |= {"fresh": 1, "needed": 1}
        output_members = {"line": plan.line, "entry": entry, **placed, "passenger": passenger}
        queued_members = {"entry": entry, "item": plan.item, **placed, "passenger": passenger}
        queued_members |= {"read": 1, "before": range(slots)}
        self._queued_layout = data.StructLayout(queued_members)
        self._output_layout = data.StructLayout(output_members)
        super().__init__(
            {
                "i": In(
                    stream.Signature(data.StructLayout({**item_members, "passenger": passenger}))
                ),
                "o": Out(stream.Signature(self._output_layout)),
                "reads": Out(stream.Signature(lines.line_bits)),
                "lines": In(stream.Signature(LINE)),
                "updated": Out(1),
                "failed": Out(data.StructLayout({"valid": 1, "entry": entry})),
                "busy": Out(1),
            }
        )

    @staticmethod
    def latency_of(memory):
        """Returns the latency from an item to its line, in cycles, for a latency of the memory."""
        return LineUpdates.latency + StreamQueue.latency + memory

    def elaborate(self, platform):
        m = Module()
        m.submodules.recent = self._recent
        m.submodules.queue = queue = StreamQueue(self._queued_layout, self._slots)
        m.submodules.reads = reads = StreamQueue(self.reads.p.shape(), self._slots)
        m.submodules.read_lines = read_lines = StreamQueue(self._read_layout(), self._slots)
        # A queue, to end the chain of ready from the memory's commands.
        m.submodules.outputs = outputs = StreamQueue(self._output_layout, 2)
        wiring.connect(m, reads.o, wiring.flipped(self.reads))
        wiring.connect(m, outputs.o, wiring.flipped(self.o))
        self._take(m, queue.i, reads.i)
        m.d.comb += [
            read_lines.i.p.line.eq(Cat(self._plan.unpacked(self.lines.p.data))),
            read_lines.i.p.error.eq(self.lines.p.error),
            read_lines.i.valid.eq(self.lines.valid),
            self.lines.ready.eq(read_lines.i.ready),
        ]
        self._update(m, queue.o, read_lines.o, outputs.i)
        return m

    def _read_layout(self):
        """Returns the layout of a line that was read, without its unused bits."""
        return data.StructLayout({"line": self._plan.line.size, "error": 1})

    def _take(self, m, target, reads):
        """Assigns a slot to an item and queues the item; reads its line if no slot has the line."""
        recent = self._recent
        arriving = self.i.p
        in_flight_count = Signal(range(self._slots + 1))
        transfer = Signal()
        number = Signal.like(reads.p)
        line_wanted = Signal()
        m.d.sync += in_flight_count.eq(in_flight_count + transfer - (self.o.valid & self.o.ready))
        m.d.comb += [
            self.i.ready.eq(in_flight_count != self._slots),
            transfer.eq(self.i.valid & self.i.ready),
            self.busy.eq(in_flight_count.any()),
            number.eq(Cat(arriving.number, arriving.entry)),
            line_wanted.eq(arriving.valid | arriving.needed),
            recent.name.eq(number),
            recent.named.eq(line_wanted),
            recent.enter.eq(transfer),
            target.valid.eq(transfer),
            *(target.p[name].eq(arriving[name]) for name in self._unchanged),
            Value.cast(target.p.item).eq(Value.cast(arriving.item)),
            target.p.read.eq(line_wanted & ~arriving.fresh & ~recent.found),
            target.p.before.eq(recent.slot),
            reads.valid.eq(transfer & target.p.read),
            reads.p.eq(number),
        ]

    def _update(self, m, source, read_lines, target):
        """Puts the oldest item into the line; sends the line to ``target`` and the item's slot."""
        plan = self._plan
        queued = source.p
        size = plan.line.size
        width = Shape.cast(plan.item).width
        m.submodules.saved_lines = saved_lines = memory.Memory(
            shape=size, depth=self._slots, init=[]
        )
        writer = saved_lines.write_port()
        reader = saved_lines.read_port(domain="comb")
        item_slot = Signal(range(self._slots))  # slot of the item: slots are assigned in turn
        transfer = Signal()
        line = Signal(size)
        m.d.comb += [
            target.valid.eq(source.valid & (~queued.read | read_lines.valid)),
            transfer.eq(target.valid & target.ready),
            source.ready.eq(transfer),
            read_lines.ready.eq(transfer & queued.read),
            reader.addr.eq(queued.before),
            line.eq(Mux(queued.read, read_lines.p.line, reader.data)),
            *(target.p[name].eq(queued[name]) for name in self._unchanged),
            Value.cast(target.p.line).eq(
                Cat(
                    Mux(
                        queued.valid & (queued.place == k),
                        Value.cast(queued.item)[:width],
                        line[k * width :][:width],
                    )
                    for k in range(plan.items)
                )
            ),
            writer.addr.eq(item_slot),
            writer.data.eq(target.p.line),
            writer.en.eq(transfer),
        ]
        m.d.sync += [
            item_slot.eq(item_slot + transfer),
            self.updated.eq(transfer & queued.read & queued.valid),
            self.failed.valid.eq(transfer & queued.read & read_lines.p.error),
            self.failed.entry.eq(queued.entry),
        ]

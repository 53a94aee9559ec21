"""Stores the words of M2 in a memory outside of the chip, and the last words also in slots."""

from amaranth.hdl import Cat, Const, Module, Mux, Signal
from amaranth.lib import data, memory, stream, wiring
from amaranth.lib.wiring import In, Out

from rtl.keyed.dram.word_map import LINE_WORDS, WORD_BITS
from rtl.keyed.dram.word_port import WordPort
from rtl.keyed.store.lines.recent_words import Recent
from rtl.memory.axi4 import Axi4
from rtl.stream.queue import StreamQueue
from rtl.stream.register import StreamRegister

#: Default number of slots.
SLOTS = 64


class OuterWords(wiring.Component):
    """Stores the words of each key's line, and outputs the words of a line that is wanted.

    ::

        i --+--> queue, with words from slots --+--> words of the line --> o
            |                  ^                |
            +--> slots: the last 64 words       |
            +--> WordPort -- m_axi --> words that no slot has

    Words of a key come in order, words 0 to 3 of a line and then the words of the next line. Each
    word is written to the memory and to a *slot*. A slot also has a copy of the key's previous
    words from the key's previous slot, if that slot still exists. Invariant: **the youngest slot
    of a key has the key's last words without a gap, and the memory has acknowledged all earlier
    words**, because a slot is reused only when the write of its word was answered. The output takes
    words from slot and memory, and no read waits for a write. For instance while word 2 of a key is
    being filled, and the key's youngest slot has

        words 0 and 1    nothing is read
        word 1           word 0 is read
        nothing          words 0 and 1 are read, in one burst

    Words are read only if a line is wanted: most items neither fill a line nor close a window.

    If ``words.lines`` is 2, M2 also keeps the key's last full line, four words; lines alternate
    between two places of the memory. If words of both lines are missing, one burst reads both
    lines. No word is read before the word was written.

    Order is kept. Latency 3 cycles if nothing is read, else 2 cycles plus the latency of
    :class:`~rtl.keyed.dram.word_port.WordPort`. Initiation interval 1 cycle, if at most ``slots``
    words come within the response time of a write, at most ``slots`` items within the response time
    of a read, and on average at most one word is read per cycle. A stall at ``o`` stalls ``i`` when
    ``slots`` items wait. A reset drops the items inside, and leaves the memory: a key begins anew
    with word 0.

    Parameters
    ----------
    words : WordMap
    passenger : ShapeLike
    slots : int
        Number of slots, and of items that may wait: a power of two of at least 2.

    Members
    -------
    i : In(stream.Signature(layout))
        ``entry`` of the key; ``line``, the lowest bit of the line's number (0 with one line in M2);
        ``word``, the number of the word in its line; ``data``, the word, valid with ``put``; with
        one line in M2 the last word of a line has no ``put``. ``needs``: the words before this one
        are wanted; ``wants_previous``: the words of the line before are wanted. ``passenger``.
    o : Out(stream.Signature(layout))
        ``lines``: ``words``, of which the words before ``word`` are valid if they were wanted, and
        with 2 lines ``previous``, which is valid if it was wanted. ``passenger``.
    base : In(words.base_bits)
    failed : Out(data.StructLayout({"valid": 1, "entry": range(words.entries)}))
        The memory has answered with an error: all later lines of that entry are undefined. The
        error of a read comes no later than the output that needs the read.
    busy : Out(1)
        An item is inside, or a write is not answered, or a failure is being reported.
    m_axi : Out(Axi4(...))

    Source: seed 000, section 3.2 (M2); the slots are ours.
    """

    latency = StreamRegister.latency + 2 * StreamQueue.latency
    initiation_interval = 1

    def __init__(self, words, passenger=0, *, slots=SLOTS):
        self._words = words
        self._slots = slots
        self._port = WordPort(words, orders=slots)
        self._recent = Recent((words.entries - 1).bit_length(), slots)
        # With one line in M2 the last word of a line is not stored.
        lines = {"words": data.ArrayLayout(WORD_BITS, LINE_WORDS - (words.lines == 1))}
        if words.lines == 2:
            lines["previous"] = lines["words"]
        self._lines = data.StructLayout(lines)
        word_count = range(LINE_WORDS + 1)
        self._slot = data.StructLayout(
            {"lines": self._lines, "words_from": word_count, "previous_from": word_count}
        )
        queued_members = {
            "slot_words": self._slot,
            "line": 1,
            "reads": 1,
            "entry": range(words.entries),
        }
        self._queued_layout = data.StructLayout({**queued_members, "passenger": passenger})
        item_members = {"entry": range(words.entries), "line": 1, "word": range(LINE_WORDS)}
        item_members |= {
            "data": WORD_BITS,
            "put": 1,
            "needs": 1,
            "wants_previous": 1,
            "passenger": passenger,
        }
        item = data.StructLayout(item_members)
        self._lookup_layout = data.StructLayout(
            {"item": item, "slot_found": 1, "slot": range(slots)}
        )
        self._output_layout = data.StructLayout({"lines": self._lines, "passenger": passenger})
        super().__init__(
            {
                "i": In(stream.Signature(item)),
                "o": Out(stream.Signature(self._output_layout)),
                "base": In(words.base_bits),
                "failed": Out(data.StructLayout({"valid": 1, "entry": range(words.entries)})),
                "busy": Out(1),
                "m_axi": Out(Axi4(data_width=WORD_BITS, address_width=words.address_width)),
            }
        )

    def elaborate(self, platform):
        m = Module()
        m.submodules.port = port = self._port
        m.submodules.queue = queue = StreamQueue(self._queued_layout, self._slots)
        # A register, because the lookup of a slot takes as long as the check of its words.
        m.submodules.lookup = lookup = StreamRegister(self._lookup_layout)
        # A queue, to end the chain of ready from the memory's commands.
        m.submodules.outputs = outputs = StreamQueue(self._output_layout, 2)
        wiring.connect(m, port.m_axi, wiring.flipped(self.m_axi))
        wiring.connect(m, outputs.o, wiring.flipped(self.o))
        occupied = lookup.o.valid | queue.o.valid | outputs.o.valid
        m.d.comb += [
            port.base.eq(self.base),
            # A write's failure is reported in the cycle after its answer.
            self.busy.eq(port.busy | self.failed.valid | occupied),
        ]
        self._find(m, lookup.i)
        self._take(m, lookup.o, queue.i)
        self._show(m, queue.o, outputs.i)
        return m

    def _find(self, m, target):
        """Looks up the youngest slot of an item's key, and assigns a slot to its word."""
        m.submodules.recent = recent = self._recent
        arriving = self.i.p
        unanswered = Signal(range(self._slots + 1))
        room = Signal()
        puts = Signal()
        m.d.comb += [
            room.eq(unanswered != self._slots),
            target.valid.eq(self.i.valid & room),
            self.i.ready.eq(target.ready & room),
            puts.eq(self.i.valid & self.i.ready & arriving.put),
            recent.name.eq(arriving.entry),
            recent.named.eq(1),
            recent.enter.eq(puts),
            target.p.item.eq(arriving),
            target.p.slot_found.eq(recent.found),
            target.p.slot.eq(recent.slot),
        ]
        m.d.sync += unanswered.eq(unanswered + puts - self._port.written)

    def _take(self, m, source, target):
        """Queues an item with the words of its slot, and requests the missing words."""
        port = self._port
        lookup = source.p
        transfer = Signal()
        slot_words = self._look(m, source)
        m.d.comb += [
            source.ready.eq(target.ready & port.i.ready),
            transfer.eq(source.valid & source.ready),
            target.valid.eq(transfer),
            target.p.slot_words.eq(slot_words),
            target.p.line.eq(lookup.item.line),
            target.p.entry.eq(lookup.item.entry),
            target.p.reads.eq(port.i.p.reads),
            target.p.passenger.eq(lookup.item.passenger),
            port.i.valid.eq(transfer & (port.i.p.reads | port.i.p.writes)),
        ]
        self._ask(m, lookup.item, slot_words)

    def _look(self, m, source):
        """Returns the words of an item's lines in the slots, and writes the slot of its word."""
        m.submodules.slots = slots = memory.Memory(shape=self._slot, depth=self._slots, init=[])
        writer = slots.write_port()
        reader = slots.read_port(domain="comb")
        lookup = source.p
        item = source.p.item
        earlier = reader.data
        slot_words = Signal(self._slot)
        begins_line = Signal()
        puts = Signal()
        # The words with ``put`` take the slots in turn, as in Recent, which has counted this word
        # in an earlier cycle.
        turn = Signal(range(self._slots))
        m.d.sync += turn.eq(turn + puts)
        m.d.comb += [
            puts.eq(source.valid & source.ready & item.put),
            reader.addr.eq(lookup.slot),
            begins_line.eq(item.word == 0),
            slot_words.lines.words.eq(earlier.lines.words),
            slot_words.words_from.eq(
                Mux(lookup.slot_found & ~begins_line, earlier.words_from, item.word)
            ),
            writer.addr.eq(turn),
            writer.en.eq(puts),
            writer.data.eq(slot_words),
            writer.data.lines.words[item.word].eq(item.data),
        ]
        if self._words.lines == 2:
            source_of_word = Mux(begins_line, earlier.words_from, earlier.previous_from)
            line = Mux(
                begins_line, earlier.lines.words.as_value(), earlier.lines.previous.as_value()
            )
            m.d.comb += [
                slot_words.lines.previous.as_value().eq(line),
                slot_words.previous_from.eq(Mux(lookup.slot_found, source_of_word, LINE_WORDS)),
            ]
        return slot_words

    def _ask(self, m, item, slot_words):
        """Requests the write of an item's word, and a read of the words that its slot lacks."""
        order = self._port.i.p
        missing = Signal(2)  # bit 0: words of the line are missing; bit 1: of the line before
        m.d.comb += [
            missing[0].eq(item.needs & slot_words.words_from.any()),
            order.entry.eq(item.entry),
            order.reads.eq(missing.any()),
            order.first.eq(Cat(Const(0, 2), item.line)),
            order.count.eq(slot_words.words_from),
            order.writes.eq(item.put),
            order.word.eq(Cat(item.word, item.line)),
            order.data.eq(item.data),
        ]
        if self._words.lines == 2:
            m.d.comb += missing[1].eq(item.wants_previous & slot_words.previous_from.any())
            # While the first place grows (line 0), both places were written by earlier lines, so
            # all 8 words may be read; the output uses only the missing ones. While the second
            # place grows (line 1), only its words before ``words_from`` are surely written.
            both = LINE_WORDS + Mux(item.line, slot_words.words_from, LINE_WORDS)
            with m.If(missing.all()):
                m.d.comb += [order.first.eq(0), order.count.eq(both)]
            with m.Elif(missing[1]):
                m.d.comb += [
                    order.first.eq(Cat(Const(0, 2), ~item.line)),
                    order.count.eq(slot_words.previous_from),
                ]

    def _show(self, m, source, target):
        """Assembles the lines of the oldest item from its slot and from the words read.

        No item leaves while the failure of a write is reported.
        """
        queued = source.p
        read_words = self._port.o
        outputs = target.p
        transfer = Signal()
        fails = self._port.failed
        m.d.comb += [
            target.valid.eq(source.valid & (~queued.reads | read_words.valid) & ~fails),
            transfer.eq(target.valid & target.ready),
            source.ready.eq(transfer),
            read_words.ready.eq(transfer & queued.reads),
            outputs.passenger.eq(queued.passenger),
        ]
        m.d.sync += [
            self.failed.valid.eq(fails | (transfer & queued.reads & read_words.p.error)),
            self.failed.entry.eq(Mux(fails, self._port.failed_entry, queued.entry)),
        ]
        slot_words = queued.slot_words
        self._fill(
            m, outputs.lines.words, slot_words.lines.words, slot_words.words_from, queued.line
        )
        if self._words.lines == 2:
            self._fill(
                m,
                outputs.lines.previous,
                slot_words.lines.previous,
                slot_words.previous_from,
                ~queued.line,
            )

    def _fill(self, m, outputs, slot_words, slot_from, line):
        """Assembles a line: the words read before ``slot_from``, then the words of the slot."""
        read = self._port.o.p.words
        for k in range(outputs.shape().length):
            word = Mux(line, read[LINE_WORDS + k], read[k]) if self._words.lines == 2 else read[k]
            m.d.comb += outputs[k].eq(Mux(slot_from <= k, slot_words[k], word))

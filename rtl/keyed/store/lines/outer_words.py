"""The words of M2 outside of the chip, and beside them those that were written last."""

from amaranth.hdl import Cat, Const, Module, Mux, Signal
from amaranth.lib import data, memory, stream, wiring
from amaranth.lib.wiring import In, Out

from rtl.keyed.dram.word_map import LINE_WORDS, WORD_BITS
from rtl.keyed.dram.word_port import WordPort
from rtl.keyed.store.lines.recent_words import Recent
from rtl.memory.axi4 import Axi4
from rtl.stream.queue import StreamQueue
from rtl.stream.register import StreamRegister

#: Words that are kept, if nothing else is said.
SLOTS = 64


class OuterWords(wiring.Component):
    """Keeps the words of each key's line, and shows them again where they are needed.

    ::

        i --+--> waiting ----------------------+--> words put together --> o
            |      what the slots have of it   |
            +--> slots: the last 64 written    |
            +--> WordPort -- m_axi --> what the slots lack

    Words of a key come in their order, 0 to 3 of a line, and then those of its next line. Each is
    written, to the memory and to a *slot*. A slot has the words of its key that came closely before
    it, too: they are copied from the slot before, if that is still kept. So always: **the youngest
    slot of a key has its last words without a gap, up to the last one, and the memory has
    acknowledged all before these**, as a slot is given away only when its write was answered. What
    is shown is put together from both, and no read ever waits for a write. For instance word 2 of a
    key is being filled, and the slots have

        words 0 and 1    nothing is read
        word 1           word 0 is read
        nothing          words 0 and 1 are read, in one burst

    Only what is needed is read: most items neither fill their line nor close a window.

    With 2 lines the last full line of the key is kept, too, all four words of it; lines take turns
    at two places of the memory. Where words of both are lacking, one burst reads both lines. No
    word is ever read that was not written.

    Order is kept. Latency 3 cycles if nothing is read, else 4 cycles and those of
    :class:`~rtl.keyed.dram.word_port.WordPort`. Initiation interval 1 cycle, if no more than
    ``slots`` words come in the time of a write's answer, nor items in that of a read, and words are
    read no faster than one in a cycle. A stall at ``o`` stalls ``i`` when ``slots`` items wait. A
    reset forgets what is inside, and leaves the memory: a key begins anew with word 0.

    Parameters
    ----------
    words : WordMap
    passenger : ShapeLike
    slots : int
        Words that are kept, and items that wait: a power of two of at least 2.

    Members
    -------
    i : In(stream.Signature(layout))
        ``entry`` of the key, ``line`` (even or odd; 0 if one is kept), ``word``: so many words of
        it have come before. ``data``, which with ``put`` are this word; with one line the last word
        is never put. ``needs``, the words before this are wanted, ``keeps``, and those of the line
        before. ``passenger``.
    o : Out(stream.Signature(layout))
        ``lines``: ``words``, of which those before ``word`` are told if they were needed, else
        rubbish; with 2 lines ``kept``, all of which is told if it was wanted. ``passenger``.
    base : In(words.base_bits)
    failed : Out(data.StructLayout({"valid": 1, "entry": range(words.entries)}))
        The memory has answered with an error: what is shown of that entry from here on is rubbish.
        That of a read is told no later than what it is needed for is shown.
    busy : Out(1)
        An item is inside, or a write that is not answered, or whose failure is being told.
    m_axi : Out(Axi4(...))

    Source: seed 000, section 3.2 (M2); the slots are ours.
    """

    latency = StreamRegister.latency + 2 * StreamQueue.latency
    initiation_interval = 1

    def __init__(self, words, passenger=0, *, slots=SLOTS):
        self._words, self._slots = words, slots
        self._port = WordPort(words, orders=slots)
        self._recent = Recent((words.entries - 1).bit_length(), slots)
        # With one line its last word is not kept.
        lines = {"words": data.ArrayLayout(WORD_BITS, LINE_WORDS - (words.lines == 1))}
        if words.lines == 2:
            lines["kept"] = lines["words"]
        self._lines = data.StructLayout(lines)
        had = range(LINE_WORDS + 1)
        self._slot = data.StructLayout({"lines": self._lines, "words_from": had, "kept_from": had})
        waits = {"own": self._slot, "line": 1, "reads": 1, "entry": range(words.entries)}
        self._waits = data.StructLayout({**waits, "passenger": passenger})
        goes = {"entry": range(words.entries), "line": 1, "word": range(LINE_WORDS)}
        goes |= {"data": WORD_BITS, "put": 1, "needs": 1, "keeps": 1, "passenger": passenger}
        item = data.StructLayout(goes)
        self._found = data.StructLayout({"item": item, "kept": 1, "slot": range(slots)})
        self._shown = data.StructLayout({"lines": self._lines, "passenger": passenger})
        super().__init__(
            {
                "i": In(stream.Signature(item)),
                "o": Out(stream.Signature(self._shown)),
                "base": In(words.base_bits),
                "failed": Out(data.StructLayout({"valid": 1, "entry": range(words.entries)})),
                "busy": Out(1),
                "m_axi": Out(Axi4(data_width=WORD_BITS, address_width=words.address_width)),
            }
        )

    def elaborate(self, platform):
        m = Module()
        m.submodules.port = port = self._port
        m.submodules.waiting = waiting = StreamQueue(self._waits, self._slots)
        # A register, as to find a slot takes as long as to see what it lacks.
        m.submodules.found = found = StreamRegister(self._found)
        # A queue, to end the chain of ready from the memory's commands.
        m.submodules.shown = shown = StreamQueue(self._shown, 2)
        wiring.connect(m, port.m_axi, wiring.flipped(self.m_axi))
        wiring.connect(m, shown.o, wiring.flipped(self.o))
        inside = found.o.valid | waiting.o.valid | shown.o.valid
        m.d.comb += [
            port.base.eq(self.base),
            # A write's failure is told in the cycle after its answer.
            self.busy.eq(port.busy | self.failed.valid | inside),
        ]
        self._find(m, found.i)
        self._take(m, found.o, waiting.i)
        self._show(m, waiting.o, shown.i)
        return m

    def _find(self, m, target):
        """The youngest slot of an item's key; and a slot for its word, if there is one to give."""
        m.submodules.recent = recent = self._recent
        arriving, unanswered = self.i.p, Signal(range(self._slots + 1))
        room, puts = Signal(), Signal()
        m.d.comb += [
            room.eq(unanswered != self._slots),
            target.valid.eq(self.i.valid & room),
            self.i.ready.eq(target.ready & room),
            puts.eq(self.i.valid & self.i.ready & arriving.put),
            recent.name.eq(arriving.entry),
            recent.named.eq(1),
            recent.enter.eq(puts),
            target.p.item.eq(arriving),
            target.p.kept.eq(recent.found),
            target.p.slot.eq(recent.slot),
        ]
        m.d.sync += unanswered.eq(unanswered + puts - self._port.written)

    def _take(self, m, source, waits):
        """An item waits, with what its slot has, and what that lacks is read."""
        port, found = self._port, source.p
        goes, own = Signal(), self._look(m, source)
        m.d.comb += [
            source.ready.eq(waits.ready & port.i.ready),
            goes.eq(source.valid & source.ready),
            waits.valid.eq(goes),
            waits.p.own.eq(own),
            waits.p.line.eq(found.item.line),
            waits.p.entry.eq(found.item.entry),
            waits.p.reads.eq(port.i.p.reads),
            waits.p.passenger.eq(found.item.passenger),
            port.i.valid.eq(goes & (port.i.p.reads | port.i.p.writes)),
        ]
        self._ask(m, found.item, own)

    def _look(self, m, source):
        """What the slots have of an item's lines; and with the item's word its own has it."""
        m.submodules.kept = kept = memory.Memory(shape=self._slot, depth=self._slots, init=[])
        writer, reader = kept.write_port(), kept.read_port(domain="comb")
        found, item, had = source.p, source.p.item, reader.data
        own, begins, puts = Signal(self._slot), Signal(), Signal()
        turn = Signal(range(self._slots))
        m.d.sync += turn.eq(turn + puts)
        m.d.comb += [
            puts.eq(source.valid & source.ready & item.put),
            reader.addr.eq(found.slot),
            begins.eq(item.word == 0),
            own.lines.words.eq(had.lines.words),
            own.words_from.eq(Mux(found.kept & ~begins, had.words_from, item.word)),
            writer.addr.eq(turn),
            writer.en.eq(puts),
            writer.data.eq(own),
            writer.data.lines.words[item.word].eq(item.data),
        ]
        if self._words.lines == 2:
            before = Mux(begins, had.words_from, had.kept_from)
            line = Mux(begins, had.lines.words.as_value(), had.lines.kept.as_value())
            m.d.comb += [
                own.lines.kept.as_value().eq(line),
                own.kept_from.eq(Mux(found.kept, before, LINE_WORDS)),
            ]
        return own

    def _ask(self, m, item, own):
        """Orders the write of an item's word, and a read of those that its slot lacks."""
        order = self._port.i.p
        lacks = Signal(2)  # words of the line, and of that before
        m.d.comb += [
            lacks[0].eq(item.needs & own.words_from.any()),
            order.entry.eq(item.entry),
            order.reads.eq(lacks.any()),
            order.first.eq(Cat(Const(0, 2), item.line)),
            order.count.eq(own.words_from),
            order.writes.eq(item.put),
            order.word.eq(Cat(item.word, item.line)),
            order.data.eq(item.data),
        ]
        if self._words.lines == 2:
            m.d.comb += lacks[1].eq(item.keeps & own.kept_from.any())
            # The second place has been written when the first is written anew: before that, what is
            # behind the last word may be nothing at all.
            both = LINE_WORDS + Mux(item.line, own.words_from, LINE_WORDS)
            with m.If(lacks.all()):
                m.d.comb += [order.first.eq(0), order.count.eq(both)]
            with m.Elif(lacks[1]):
                m.d.comb += [
                    order.first.eq(Cat(Const(0, 2), ~item.line)),
                    order.count.eq(own.kept_from),
                ]

    def _show(self, m, source, target):
        """Puts the lines of the oldest item together, those of the slot and those that were read.

        While the failure of a write is told, none goes on.
        """
        waits, given, shown = source.p, self._port.o, target.p
        goes, fails = Signal(), self._port.failed
        m.d.comb += [
            target.valid.eq(source.valid & (~waits.reads | given.valid) & ~fails),
            goes.eq(target.valid & target.ready),
            source.ready.eq(goes),
            given.ready.eq(goes & waits.reads),
            shown.passenger.eq(waits.passenger),
        ]
        m.d.sync += [
            self.failed.valid.eq(fails | (goes & waits.reads & given.p.error)),
            self.failed.entry.eq(Mux(fails, self._port.failed_entry, waits.entry)),
        ]
        own = waits.own
        self._fill(m, shown.lines.words, own.lines.words, own.words_from, waits.line)
        if self._words.lines == 2:
            self._fill(m, shown.lines.kept, own.lines.kept, own.kept_from, ~waits.line)

    def _fill(self, m, shown, own, had, line):
        """The words of a line: from ``had`` on those of the slot, and what was read before them."""
        read = self._port.o.p.words
        for k in range(shown.shape().length):
            here = Mux(line, read[LINE_WORDS + k], read[k]) if self._words.lines == 2 else read[k]
            m.d.comb += shown[k].eq(Mux(had <= k, own[k], here))

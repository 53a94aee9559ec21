"""Assembles the line that each key is filling, with M2 in a memory outside of the chip."""

from amaranth.hdl import Cat, Module, Mux, Signal, Value
from amaranth.lib import data, stream, wiring
from amaranth.lib.wiring import In, Out

from rtl.keyed.dram.word_map import LINE_WORDS, WORD_BITS
from rtl.keyed.store.lines.outer_words import SLOTS, OuterWords
from rtl.keyed.store.lines.tails import item_layout, tail_layout
from rtl.memory.bank import Bank


class OuterTails(wiring.Component):
    """Appends each item to its key's line, like :class:`~rtl.keyed.store.lines.tails.Tails`.

    ::

        i --> M1: items of the word that is being filled --> OuterWords, M2 --> the line --> o
                                                                  |
                                                                m_axi

    The output has the same members as the output of Tails. But the words before the item's word are
    defined only if the line is ``wanted`` or if the item fills the line. A full word is written to
    M2 at once, and words are read only if they are wanted. For instance with 8 items in words of 2:
    of a line that only the last item wants, 3 words are written to M2. If 64 words of other keys
    have come since then, the 3 words are read in one burst; else the slots of OuterWords have some
    words, or all of them, and these are not read. The fourth word goes out with the line, and is
    not written.

    If M2 has 2 lines of each key, it also has the last full line. Then the fourth word is written,
    too, and an item with ``wants_previous`` reads up to 4 words more.

    Order is kept. Latency 5 cycles if nothing is read. Initiation interval 1 cycle, with the limits
    of :class:`~rtl.keyed.store.lines.outer_words.OuterWords`: an item whose line is wanted needs 0
    to 3 earlier words, 3/2 on average. A stall at ``o`` stalls ``i`` when ``slots`` items wait.

    Parameters
    ----------
    plan : LinePlan
        Plan with 4 words in a line, of at most 128 bits each.
    words : WordMap
        Addresses of the words of each entry, with the number of lines of each key in M2.
    passenger : ShapeLike
    slots : int
        As for :class:`~rtl.keyed.store.lines.outer_words.OuterWords`.

    Members
    -------
    i : In(stream.Signature(layout))
        Members of :func:`~rtl.keyed.store.lines.tails.item_layout`, and three bits. ``wanted``: the
        words before the item's word are needed, because a window closes here. ``wants_previous``:
        the key's line before is needed, too, and leaves as ``previous``. ``odd``: lowest bit of the
        number of the item's line, which selects its place in M2.
    o : Out(stream.Signature(tail_layout(plan, words.entries, passenger, words.lines)))
    base : In(words.base_bits)
    failed : Out(data.StructLayout({"valid": 1, "entry": range(words.entries)}))
    busy : Out(1)
        As for OuterWords, but it does not include an item that entered in the cycle before; the
        engine counts the item's stream until the end of the stream has left.
    m_axi : Out(Axi4(...))
        ``base``, ``failed`` and ``m_axi`` are ports of
        :class:`~rtl.keyed.store.lines.outer_words.OuterWords`.

    Source: seed 000, sections 3.2 and 3.3.
    """

    latency = Bank.latency + OuterWords.latency
    initiation_interval = 1

    def __init__(self, plan, words, passenger=0, *, slots=SLOTS):
        if plan.words != LINE_WORDS or plan.word_bits > WORD_BITS:
            raise ValueError(
                f"a line must have {LINE_WORDS} words of at most {WORD_BITS} bits, not "
                f"{plan.words} of {plan.word_bits}"
            )
        self._plan = plan
        self._lines = words.lines
        members = item_layout(plan, words.entries, passenger).members
        request = data.StructLayout({**members, "wanted": 1, "wants_previous": 1, "odd": 1})
        # If a word is one item, no item waits, and the bank only delays the item.
        self._m1 = Bank(max(1, plan.first_bits), words.entries, request)
        unchanged = {name: members[name] for name in ("entry", "place", "valid", "passenger")}
        self._unchanged = tuple(unchanged)
        passed_on = data.StructLayout({**unchanged, "filled": plan.word_bits})
        self._m2 = OuterWords(words, passed_on, slots=slots)
        output = tail_layout(plan, words.entries, passenger, words.lines)
        outer = self._m2.signature.members
        super().__init__(
            {
                "i": In(stream.Signature(request)),
                "o": Out(stream.Signature(output)),
                **{name: outer[name] for name in ("base", "failed", "busy", "m_axi")},
            }
        )

    def elaborate(self, platform):
        m = Module()
        m.submodules.m1 = m1 = self._m1
        m.submodules.m2 = m2 = self._m2
        m.d.comb += [
            m1.i.valid.eq(self.i.valid),
            self.i.ready.eq(m1.i.ready),
            m1.i.p.index.eq(self.i.p.entry),
            m1.i.p.passenger.eq(self.i.p),
            m2.i.valid.eq(m1.o.valid),
            m1.o.ready.eq(m2.i.ready),
            m2.base.eq(self.base),
            self.failed.eq(m2.failed),
            self.busy.eq(m2.busy | m1.o.valid),
        ]
        wiring.connect(m, m2.m_axi, wiring.flipped(self.m_axi))
        self._fill(m, m1.o.p, m2.i.p)
        self._show(m, m2.o)
        return m

    def _fill(self, m, lookup, request):
        """Puts the item into its word, writes a full word, and requests the words before it."""
        plan = self._plan
        item = lookup.passenger
        filled = Signal(plan.word_bits)
        full = Signal()
        word = item.place[plan.word_items.bit_length() - 1 :]
        m.d.comb += [
            filled.eq(plan.filled(Value.cast(lookup.entry), item.place, item.item)),
            full.eq(item.valid & plan.fills(item.place)),
            self._m1.next.eq(filled[: plan.first_bits]),
            self._m1.update.eq(item.valid & ~full),
            request.entry.eq(item.entry),
            request.line.eq(item.odd if self._lines == 2 else 0),
            request.word.eq(word),
            request.data.eq(filled),
            request.put.eq(full if self._lines == 2 else full & ~word.all()),
            request.needs.eq(item.wanted | (item.valid & item.place.all())),
            request.wants_previous.eq(item.wants_previous),
            *(request.passenger[name].eq(item[name]) for name in self._unchanged),
            request.passenger.filled.eq(filled),
        ]

    def _show(self, m, source):
        """Outputs the line: the saved words before the item's word, then the item's word."""
        plan = self._plan
        item = source.p.passenger
        lines = source.p.lines
        word = item.place[plan.word_items.bit_length() - 1 :]
        earlier_words = [lines.words[k][: plan.word_bits] for k in range(plan.words - 1)]
        parts = [Mux(word == k, item.filled, part) for k, part in enumerate(earlier_words)]
        m.d.comb += [
            self.o.valid.eq(source.valid),
            source.ready.eq(self.o.ready),
            *(self.o.p[name].eq(item[name]) for name in self._unchanged),
            Value.cast(self.o.p.line).eq(Cat(*parts, item.filled)),
        ]
        if self._lines == 2:
            previous_words = [lines.previous[k][: plan.word_bits] for k in range(plan.words)]
            m.d.comb += Value.cast(self.o.p.previous).eq(Cat(previous_words))

"""Puts the symbols of values into the blocks of their keys."""

from amaranth.hdl import C, Cat, Module, Mux, Signal
from amaranth.lib import data, stream, wiring
from amaranth.lib.wiring import In, Out

from rtl.keyed.codec.block_format import (
    BLOCK_BITS,
    COUNT_BITS,
    HEAD_BITS,
    MARK,
    MARK_BITS,
    PASSED_ON,
    symbol_layout,
)
from rtl.memory.bank import Bank
from rtl.stream.register import StreamRegister

#: Blocks are filled by words of so many bits: a part is moved within words, then whole words are.
WORD_BITS = 32


def filled_layout(form):
    """Layout of how far a key's block is filled.

    ``count``, its values, and ``bits``, up to the first that are too many, that they take as a
    coded one; ``raw``, it is a raw one, and ``raw_next``, the next one would be. Of a stamped block
    its ``stamp`` in place of these two.
    """
    kind = {"stamp": form.stamp_bits} if form.stamp_bits else {"raw": 1, "raw_next": 1}
    return data.StructLayout({"count": COUNT_BITS, "bits": range(2 * BLOCK_BITS), **kind})


def packed_layout(form, entries, passenger):
    """Layout of a value with its key's block.

    ``growing``, the block up to the value, and ``count``, how many values it has; ``closes``: the
    value begins that block, and closes another one, ``full``. ``entry``, ``fresh``, ``valid``
    (there is a value; without one the block is shown as it is) and ``passenger`` as they came.
    """
    told = {"fresh": 1, "valid": 1, "passenger": passenger}
    blocks = {"growing": BLOCK_BITS, "count": COUNT_BITS, "closes": 1, "full": BLOCK_BITS}
    return data.StructLayout({"entry": range(entries), **blocks, **told})


class Packer(wiring.Component):
    """Fills the block of each key, and closes it with the first value that has no room there.

    ::

        i --> how far the block is filled --> where it goes --> part, within words --> the block
              (a Bank)                                                             (a Bank) --> o

    A block is *coded* or *raw*, see :class:`~rtl.keyed.codec.block_format.BlockFormat`. Its first
    value settles which: raw if the block before would have been no worse as a raw one, and the
    value does not begin as coded blocks do. That is, a coded block was closed with fewer values
    than a raw one has; or a raw one, whose symbols are counted all the same, could not have been a
    coded one. The first block of a key is coded. For instance with doubles, if all of them are
    noise::

        block     0        1    2    3
                  coded    raw  raw  raw
        values    7        8    8    8

    Where values have a stamp none is raw, and the first value with another stamp closes a block,
    too, so that all values of one have the same.

    Order is kept. Latency 6 cycles, initiation interval 1 cycle, for any keys. A stall at ``o``
    stalls ``i``. A reset leaves the blocks as they are: a key begins anew with ``fresh``.

    Parameters
    ----------
    form : BlockFormat
    entries : int
        Keys, a power of two of at least 2.
    passenger : ShapeLike

    Members
    -------
    i : In(stream.Signature(symbol_layout(form, entries, passenger)))
    o : Out(stream.Signature(packed_layout(form, entries, passenger)))

    Source: seed 000, sections 3.2 and 3.3; raw blocks are ours.
    """

    latency = 2 * Bank.latency + 2 * StreamRegister.latency
    initiation_interval = 1

    def __init__(self, form, entries, passenger=0):
        self._form = form
        goes = symbol_layout(form, entries, passenger)
        out = packed_layout(form, entries, passenger)
        self._bits = Bank(filled_layout(form), entries, goes)
        self._part_bits = max(form.large_max, form.width)
        # The value begins a block, of that kind; those before it in its block, and in the one that
        # was, of that kind.
        kinds = {"begins": 1, "raw": 1, "was_raw": 1, "place": COUNT_BITS, "had": COUNT_BITS}
        # Its large part is so many bits from the top.
        found = {"top": range(BLOCK_BITS + 1), **kinds}
        self._found = data.StructLayout({**goes.members, **found})
        parts = {
            # A large part, behind so many bits of its word, which is that many words from the top;
            # the small one, in the place of that many; what a block begins with.
            "part": self._part_bits + WORD_BITS - 1,
            "word": range(BLOCK_BITS // WORD_BITS + 1),
            "small": form.small_bits,
            "seed": form.seed_bits,
            **kinds,
        }
        along = {name: goes.members[name] for name in PASSED_ON}
        self._placed = data.StructLayout({**along, **parts})
        self._blocks = Bank(BLOCK_BITS, entries, self._placed)
        super().__init__({"i": In(stream.Signature(goes)), "o": Out(stream.Signature(out))})

    @staticmethod
    def memory_bits_of(form, entries):
        """Bits of the memories of such a packer, without making one."""
        banks = filled_layout(form), BLOCK_BITS
        return sum(Bank.memory_bits_of(entry, entries) for entry in banks)

    def elaborate(self, platform):
        m = Module()
        m.submodules.bits, m.submodules.blocks = bits, blocks = self._bits, self._blocks
        m.submodules.found = found = StreamRegister(self._found)
        m.submodules.placed = placed = StreamRegister(self._placed)
        for source, target in (
            (self.i, bits.i),
            (bits.o, found.i),
            (found.o, placed.i),
            (placed.o, blocks.i),
        ):
            m.d.comb += [target.valid.eq(source.valid), source.ready.eq(target.ready)]
        m.d.comb += [
            bits.i.p.index.eq(self.i.p.entry),
            bits.i.p.passenger.eq(self.i.p),
            blocks.i.p.index.eq(placed.o.p.entry),
            blocks.i.p.passenger.eq(placed.o.p),
            self.o.valid.eq(blocks.o.valid),
            blocks.o.ready.eq(self.o.ready),
        ]
        self._fill(m, bits, found.i.p)
        self._place(m, found.o.p, placed.i.p)
        self._grow(m, blocks)
        return m

    def _fill(self, m, bits, found):
        """Where the parts of a value go, and how far its block is filled then."""
        form, goes, filled, behind = self._form, bits.o.p.passenger, bits.o.p.entry, bits.next
        symbol = goes.symbol
        longer, over = Signal.like(filled.bits), Signal()
        settle = self._settle_stamped if form.stamp_bits else self._settle
        begins, raw, was_raw = settle(m, bits, longer, over)
        first_bits = form.first_bits + (symbol.large_bits if form.whole else 0)
        m.d.comb += [
            longer.eq(filled.bits + symbol.large_bits + form.small_bits),
            over.eq(filled.bits > BLOCK_BITS),
            bits.update.eq(goes.valid),
            behind.count.eq(Mux(begins, 1, filled.count + 1)),
            behind.bits.eq(Mux(begins, first_bits, Mux(over, filled.bits, longer))),
        ]
        place, behind_seed = Signal(COUNT_BITS), form.head_bits + form.seed_bits
        raw_top, coded_top = place * form.width, filled.bits - filled.count * form.small_bits
        m.d.comb += [
            place.eq(Mux(begins, 0, filled.count)),
            *(found[name].eq(goes[name]) for name in goes.shape().members),
            found.top.eq(Mux(raw, raw_top, Mux(begins, behind_seed, coded_top))),
            found.place.eq(place),
            found.begins.eq(begins),
            found.raw.eq(raw),
            found.was_raw.eq(was_raw),
            found.had.eq(filled.count),
        ]

    def _place(self, m, found, placed):
        """The large part within its words."""
        form, symbol, bits = self._form, found.symbol, self._part_bits
        part = Mux(found.raw, symbol.value << bits - form.width, self._large(symbol))
        m.d.comb += [
            *(placed[n].eq(found[n]) for n in placed.shape().members if n in found.shape().members),
            placed.part.eq(Cat(C(0, WORD_BITS - 1), part[:bits]) >> found.top % WORD_BITS),
            placed.word.eq(found.top // WORD_BITS),
            placed.small.eq(Mux(found.begins, symbol.first, symbol.small)),
            placed.seed.eq(symbol.seed),
        ]

    def _settle(self, m, bits, longer, over):
        """Whether the value begins a block, whether its block is raw, and the one before was."""
        form, goes, filled, behind = self._form, bits.o.p.passenger, bits.o.p.entry, bits.next
        begins, no_gain, marked, fits = Signal(), Signal(), Signal(), Signal()
        m.d.comb += [
            fits.eq(Mux(filled.raw, filled.count != form.raw_values, longer <= BLOCK_BITS)),
            begins.eq(goes.fresh | ~fits),
            no_gain.eq(Mux(filled.raw, over, filled.count < form.raw_values)),
            marked.eq(goes.symbol.value[-MARK_BITS:] == MARK),
            behind.raw_next.eq(Mux(begins, no_gain & ~goes.fresh, filled.raw_next)),
            behind.raw.eq(Mux(begins, behind.raw_next & ~marked, filled.raw)),
        ]
        return begins, behind.raw, filled.raw

    def _settle_stamped(self, m, bits, longer, over):
        """The same of stamped blocks."""
        goes, filled, begins = bits.o.p.passenger, bits.o.p.entry, Signal()
        m.d.comb += [
            begins.eq(goes.fresh | (longer > BLOCK_BITS) | (goes.stamp != filled.stamp)),
            bits.next.stamp.eq(goes.stamp),
        ]
        return begins, C(0), C(0)

    def _large(self, symbol):
        return symbol.large << self._part_bits - self._form.large_max

    def _grow(self, m, blocks):
        """The block with the parts of the value."""
        form, found, block = self._form, blocks.o.p.passenger, blocks.o.p.entry
        adds, grown, count = Signal(BLOCK_BITS), Signal(BLOCK_BITS), Signal(COUNT_BITS)
        head = Cat(found.stamp, C(MARK << COUNT_BITS, HEAD_BITS))
        first = Cat(C(0, BLOCK_BITS - form.head_bits - form.seed_bits), found.seed, head)
        large, small = self._words(m, found), self._slots(found)
        begun, coded = Signal(), Signal()
        m.d.comb += [
            begun.eq(found.begins),
            coded.eq(~found.raw),
            # A coded block begins with its seed in place of a large part, or before it.
            adds.eq(
                Mux(coded & begun, first | (large if form.whole else 0), large)
                | (small & coded.replicate(BLOCK_BITS))
            ),
            grown.eq(Mux(found.valid, Mux(begun, 0, block) | adds, block)),
            count.eq(Mux(found.valid, found.place + 1, found.had)),
            blocks.next.eq(grown),
            blocks.update.eq(found.valid),
            *(self.o.p[name].eq(found[name]) for name in PASSED_ON if name != "stamp"),
            self.o.p.closes.eq(found.valid & begun & ~found.fresh),
            self.o.p.count.eq(count),
            self.o.p.full.eq(self._counted(block, found.had, found.was_raw)),
            self.o.p.growing.eq(
                self._counted(grown, count, Mux(found.valid, found.raw, found.was_raw))
            ),
        ]

    def _words(self, m, found):
        """The part in the words where it belongs."""
        words = BLOCK_BITS // WORD_BITS
        at = Signal(words + 1)
        m.d.comb += at.eq(1 << found.word)
        pieces = -(-len(found.part) // WORD_BITS)
        part = Cat(C(0, pieces * WORD_BITS - len(found.part)), found.part)
        pieces = [part[len(part) - WORD_BITS * (k + 1) :][:WORD_BITS] for k in range(pieces)]
        from_top = []
        for word in range(words):
            chosen = C(0, WORD_BITS)
            for k, piece in enumerate(pieces[: word + 1]):
                chosen = chosen | (piece & at[word - k].replicate(WORD_BITS))
            from_top.append(chosen)
        return Cat(*reversed(from_top))

    def _slots(self, found):
        """The small part in its place from the bottom."""
        bits = self._form.small_bits
        if not bits:
            return C(0, BLOCK_BITS)
        form = self._form
        slots = range((BLOCK_BITS - form.head_bits - form.seed_bits) // bits)
        return Cat(*(found.small & (found.place == k).replicate(bits) for k in slots))

    def _counted(self, block, count, raw):
        """A coded block with the number of its values."""
        at = BLOCK_BITS - HEAD_BITS
        told = Mux(raw, block[at:][:COUNT_BITS], count)
        return Cat(block[:at], told, block[at + COUNT_BITS :])

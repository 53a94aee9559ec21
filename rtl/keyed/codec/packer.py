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

#: Bits of a word. A part is shifted within words first, and then by whole words.
WORD_BITS = 32


def filled_layout(form):
    """Layout of the fill of a key's growing block.

    ``count`` of its values, and ``bits`` that the values take in a coded block; ``bits`` stops at
    the first number that is too large. ``raw`` is high if the block is raw, and ``raw_next`` if the
    next block may be raw. A stamped block has its ``stamp`` in place of both flags.
    """
    kind = {"stamp": form.stamp_bits} if form.stamp_bits else {"raw": 1, "raw_next": 1}
    return data.StructLayout({"count": COUNT_BITS, "bits": range(2 * BLOCK_BITS), **kind})


def packed_layout(form, entries, passenger):
    """Layout of the output: the blocks of a value's key.

    ``growing``, the block up to the value, and the ``count`` of its values; ``closes`` is high if
    the value begins the block and closes the block before, ``full``. ``entry``, ``fresh``,
    ``valid`` and ``passenger`` of the input; if ``valid`` is low, the block is unchanged.
    """
    members = {"fresh": 1, "valid": 1, "passenger": passenger}
    blocks = {"growing": BLOCK_BITS, "count": COUNT_BITS, "closes": 1, "full": BLOCK_BITS}
    return data.StructLayout({"entry": range(entries), **blocks, **members})


class Packer(wiring.Component):
    """Fills the block of each key, and closes the block at the first value without room in it.

    ::

        i --> fill of the block --> position of the --> shift within --> shift by words,  --> o
              (a Bank)              symbol's parts      words            block (a Bank)

    A block is *coded* or *raw*, see :class:`~rtl.keyed.codec.block_format.BlockFormat`. The first
    value of a block decides the kind. The block is raw if the value does not begin with the mark of
    coded blocks, and the block before would have been no worse as a raw block. So either a coded
    block was closed with fewer values than a raw block has, or the symbols of a raw block, which
    are counted too, would not have fitted a coded block. The first block of a key is coded. For
    instance with doubles that are noise::

        block     0        1    2    3
                  coded    raw  raw  raw
        values    7        8    8    8

    Stamped blocks are never raw, and the first value with another stamp closes a block, too. So all
    values of a block have the same stamp.

    Order is kept. Latency 6 cycles, initiation interval 1 cycle, for any keys. A stall at ``o``
    stalls ``i``. A reset does not change the blocks: ``fresh`` marks the first value of a key.

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
        item = symbol_layout(form, entries, passenger)
        out = packed_layout(form, entries, passenger)
        self._bits = Bank(filled_layout(form), entries, item)
        self._part_bits = max(form.large_max, form.width)
        # ``begins``: the value starts a new block. ``value_index``: number of values already in its
        # block, which is ``raw`` or coded. ``previous_count`` and ``previous_raw``: count and
        # kind of the block before the value.
        flags = {
            "begins": 1,
            "raw": 1,
            "previous_raw": 1,
            "value_index": COUNT_BITS,
            "previous_count": COUNT_BITS,
        }
        # ``top``: distance of the large part from the top of the block, in bits.
        located = {"top": range(BLOCK_BITS + 1), **flags}
        self._located = data.StructLayout({**item.members, **located})
        parts = {
            # ``part``: the large part, shifted within its first word; ``word``: number of that word
            # from the top; ``small`` part; ``seed`` of a block that begins.
            "part": self._part_bits + WORD_BITS - 1,
            "word": range(BLOCK_BITS // WORD_BITS + 1),
            "small": form.small_bits,
            "seed": form.seed_bits,
            **flags,
        }
        passed_on = {name: item.members[name] for name in PASSED_ON}
        self._placed = data.StructLayout({**passed_on, **parts})
        self._blocks = Bank(BLOCK_BITS, entries, self._placed)
        super().__init__({"i": In(stream.Signature(item)), "o": Out(stream.Signature(out))})

    @staticmethod
    def memory_bits_of(form, entries):
        """Returns the bits of the memories of a packer without making the packer."""
        banks = filled_layout(form), BLOCK_BITS
        return sum(Bank.memory_bits_of(entry, entries) for entry in banks)

    def elaborate(self, platform):
        m = Module()
        m.submodules.bits, m.submodules.blocks = bits, blocks = self._bits, self._blocks
        m.submodules.located = located = StreamRegister(self._located)
        m.submodules.placed = placed = StreamRegister(self._placed)
        for source, target in (
            (self.i, bits.i),
            (bits.o, located.i),
            (located.o, placed.i),
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
        self._fill(m, bits, located.i.p)
        self._place(m, located.o.p, placed.i.p)
        self._grow(m, blocks)
        return m

    def _fill(self, m, bits, located):
        """Computes the positions of a symbol's parts, and the fill of the block after it."""
        form, item, filled, next_fill = self._form, bits.o.p.passenger, bits.o.p.entry, bits.next
        symbol = item.symbol
        next_bits, too_long = Signal.like(filled.bits), Signal()
        choose = self._choose_stamped if form.stamp_bits else self._choose_kind
        begins, raw, previous_raw = choose(m, bits, next_bits, too_long)
        first_bits = form.first_bits + (symbol.large_bits if form.whole else 0)
        m.d.comb += [
            next_bits.eq(filled.bits + symbol.large_bits + form.small_bits),
            too_long.eq(filled.bits > BLOCK_BITS),
            bits.update.eq(item.valid),
            next_fill.count.eq(Mux(begins, 1, filled.count + 1)),
            next_fill.bits.eq(Mux(begins, first_bits, Mux(too_long, filled.bits, next_bits))),
        ]
        value_index, after_seed = Signal(COUNT_BITS), form.head_bits + form.seed_bits
        raw_top, coded_top = value_index * form.width, filled.bits - filled.count * form.small_bits
        m.d.comb += [
            value_index.eq(Mux(begins, 0, filled.count)),
            *(located[name].eq(item[name]) for name in item.shape().members),
            located.top.eq(Mux(raw, raw_top, Mux(begins, after_seed, coded_top))),
            located.value_index.eq(value_index),
            located.begins.eq(begins),
            located.raw.eq(raw),
            located.previous_raw.eq(previous_raw),
            located.previous_count.eq(filled.count),
        ]

    def _place(self, m, located, placed):
        """Shifts the large part within words."""
        form, symbol, bits = self._form, located.symbol, self._part_bits
        part = Mux(located.raw, symbol.value << bits - form.width, self._large(symbol))
        m.d.comb += [
            *(
                placed[n].eq(located[n])
                for n in placed.shape().members
                if n in located.shape().members
            ),
            placed.part.eq(Cat(C(0, WORD_BITS - 1), part[:bits]) >> located.top % WORD_BITS),
            placed.word.eq(located.top // WORD_BITS),
            placed.small.eq(Mux(located.begins, symbol.first, symbol.small)),
            placed.seed.eq(symbol.seed),
        ]

    def _choose_kind(self, m, bits, next_bits, too_long):
        """Returns flags: the value begins a block, its block is raw, the block before was raw."""
        form, item, filled, next_fill = self._form, bits.o.p.passenger, bits.o.p.entry, bits.next
        begins, raw_is_no_worse, marked, fits = Signal(), Signal(), Signal(), Signal()
        m.d.comb += [
            fits.eq(Mux(filled.raw, filled.count != form.raw_values, next_bits <= BLOCK_BITS)),
            begins.eq(item.fresh | ~fits),
            raw_is_no_worse.eq(Mux(filled.raw, too_long, filled.count < form.raw_values)),
            marked.eq(item.symbol.value[-MARK_BITS:] == MARK),
            next_fill.raw_next.eq(Mux(begins, raw_is_no_worse & ~item.fresh, filled.raw_next)),
            next_fill.raw.eq(Mux(begins, next_fill.raw_next & ~marked, filled.raw)),
        ]
        return begins, next_fill.raw, filled.raw

    def _choose_stamped(self, m, bits, next_bits, too_long):
        """Returns the same flags for stamped blocks, which are never raw."""
        item, filled, begins = bits.o.p.passenger, bits.o.p.entry, Signal()
        m.d.comb += [
            begins.eq(item.fresh | (next_bits > BLOCK_BITS) | (item.stamp != filled.stamp)),
            bits.next.stamp.eq(item.stamp),
        ]
        return begins, C(0), C(0)

    def _large(self, symbol):
        """Returns the large part, aligned to the top."""
        return symbol.large << self._part_bits - self._form.large_max

    def _grow(self, m, blocks):
        """Adds the parts of the symbol to the block."""
        form, located, block = self._form, blocks.o.p.passenger, blocks.o.p.entry
        added_bits, grown, count = Signal(BLOCK_BITS), Signal(BLOCK_BITS), Signal(COUNT_BITS)
        head = Cat(located.stamp, C(MARK << COUNT_BITS, HEAD_BITS))
        first = Cat(C(0, BLOCK_BITS - form.head_bits - form.seed_bits), located.seed, head)
        large, small = self._words(m, located), self._slots(located)
        begins, coded = Signal(), Signal()
        m.d.comb += [
            begins.eq(located.begins),
            coded.eq(~located.raw),
            # The seed of a coded block replaces the large part of its first value; with
            # ``whole`` the large part follows the seed.
            added_bits.eq(
                Mux(coded & begins, first | (large if form.whole else 0), large)
                | (small & coded.replicate(BLOCK_BITS))
            ),
            grown.eq(Mux(located.valid, Mux(begins, 0, block) | added_bits, block)),
            count.eq(Mux(located.valid, located.value_index + 1, located.previous_count)),
            blocks.next.eq(grown),
            blocks.update.eq(located.valid),
            *(self.o.p[name].eq(located[name]) for name in PASSED_ON if name != "stamp"),
            self.o.p.closes.eq(located.valid & begins & ~located.fresh),
            self.o.p.count.eq(count),
            self.o.p.full.eq(self._counted(block, located.previous_count, located.previous_raw)),
            self.o.p.growing.eq(
                self._counted(grown, count, Mux(located.valid, located.raw, located.previous_raw))
            ),
        ]

    def _words(self, m, located):
        """Returns the large part, shifted by whole words."""
        words = BLOCK_BITS // WORD_BITS
        word_select = Signal(words + 1)
        m.d.comb += word_select.eq(1 << located.word)
        pieces = -(-len(located.part) // WORD_BITS)
        part = Cat(C(0, pieces * WORD_BITS - len(located.part)), located.part)
        pieces = [part[len(part) - WORD_BITS * (k + 1) :][:WORD_BITS] for k in range(pieces)]
        from_top = []
        for word in range(words):
            word_bits = C(0, WORD_BITS)
            for k, piece in enumerate(pieces[: word + 1]):
                word_bits = word_bits | (piece & word_select[word - k].replicate(WORD_BITS))
            from_top.append(word_bits)
        return Cat(*reversed(from_top))

    def _slots(self, located):
        """Returns the small part, shifted to its slot from the bottom."""
        bits = self._form.small_bits
        if not bits:
            return C(0, BLOCK_BITS)
        form = self._form
        slots = range((BLOCK_BITS - form.head_bits - form.seed_bits) // bits)
        return Cat(*(located.small & (located.value_index == k).replicate(bits) for k in slots))

    def _counted(self, block, count, raw):
        """Returns the block; a coded block with the count of its values."""
        word_select = BLOCK_BITS - HEAD_BITS
        members = Mux(raw, block[word_select:][:COUNT_BITS], count)
        return Cat(block[:word_select], members, block[word_select + COUNT_BITS :])

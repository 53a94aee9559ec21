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
from rtl.stream.handshake import handshakes
from rtl.stream.register import StreamRegister

#: Bits of a word of the shifter. A part is shifted within words in one stage, and by whole words
#: in the next.
WORD_BITS = 32


def filled_layout(form):
    """Returns the layout of the fill of a key's growing block.

    ``count``, the number of values; ``bits``, the length of a coded block with these values, also
    if the block is raw. ``bits`` stays at the first length that exceeds a block. ``raw`` is high if
    the block is raw. A stamped block has its ``stamp`` in place of ``raw``. With chains, ``place``
    is the number of blocks before the block in its chain.
    """
    kind = {"stamp": form.stamp_bits} if form.stamp_bits else {"raw": 1}
    place = {"place": range(form.chain)} if form.chained else {}
    return data.StructLayout({"count": COUNT_BITS, "bits": range(2 * BLOCK_BITS), **kind, **place})


def packed_layout(form, entries, passenger):
    """Returns the layout of the output: a value's key and the key's blocks.

    ``growing`` is the growing block, the value included, and ``count`` the number of its values.
    ``closes`` is high if the value begins ``growing`` and so closes the block before it;
    ``closed_block`` is that block, and is defined only then. ``entry``, ``fresh``, ``valid`` and
    ``passenger`` are passed on from the input. If ``valid`` is low there is no value, and
    ``growing`` is the unchanged block.
    """
    members = {"fresh": 1, "valid": 1, "passenger": passenger}
    blocks = {"growing": BLOCK_BITS, "count": COUNT_BITS, "closes": 1}
    blocks["closed_block"] = BLOCK_BITS
    return data.StructLayout({"entry": range(entries), **blocks, **members})


class Packer(wiring.Component):
    """Fills the block of each key, and closes the block at the first value without room in it.

    ::

        i --> fill of the block --> position of the --> shift within --> shift by words,  --> o
              (a Bank)              symbol's parts      words            block (a Bank)

    The encoder has made a symbol of each value, with a large part, a small part, and the seed that
    the block needs if it begins with this value
    (:class:`~rtl.keyed.codec.block_format.BlockFormat`). The large part is placed after the
    previous large part, downwards from the seed; the small part after the previous small part,
    upwards from bit 0, as in the picture of BlockFormat. A value without room for both parts closes
    the block and begins the next.

    A block is *coded* or *raw*. The first value of a block decides the kind: the block is raw if

    1. it is not the first block of its key,
    2. its first value does not begin with the mark of coded blocks, and
    3. the block before would have been no worse as a raw block: it was coded and had fewer values
       than a raw block, or it was raw and the symbols of its values would not have fitted a coded
       block. So the symbols of raw blocks are counted, too.

    For instance with doubles that are noise, coded by XOR::

        block     0        1    2    3
                  coded    raw  raw  raw
        values    7        8    8    8

    With chains (``form.chain``) a block after a coded block is dependent, and has no seed, unless
    the chain has as many blocks as it may have. For instance 10 coded blocks, two raw ones, and two
    coded ones, in chains of 4, where d stands for a dependent block::

        seed d d d   seed d d d   seed d   raw   raw   seed d

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
        # ``begins_block``: the value is the first one of a block. ``raw``: the value's block is
        # raw. ``dependent``: the block that begins has no seed. ``value_index``: number of values
        # in the value's block before the value. ``previous_count`` and ``previous_raw``: count and
        # kind of the key's growing block before this value came.
        flags = {
            "begins_block": 1,
            "raw": 1,
            "dependent": 1 if form.chained else 0,
            "previous_raw": 1,
            "value_index": COUNT_BITS,
            "previous_count": COUNT_BITS,
        }
        # ``top``: distance from the top of the block to the top of the large part, in bits; in a
        # raw block, to the top of the value, which takes the place of the large part.
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
        m.submodules.bits = bits = self._bits
        m.submodules.blocks = blocks = self._blocks
        m.submodules.located = located = StreamRegister(self._located)
        m.submodules.placed = placed = StreamRegister(self._placed)
        m.d.comb += [
            *handshakes(self.i, bits, located, placed, blocks),
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
        form = self._form
        item = bits.o.p.passenger
        filled = bits.o.p.entry
        next_fill = bits.next
        symbol = item.symbol
        next_bits = Signal.like(filled.bits)
        too_long = Signal()
        choose = self._choose_stamped if form.stamp_bits else self._choose_kind
        begins_block, raw, previous_raw = choose(m, bits, next_bits, too_long)
        # With ``first_has_large`` the first value has its large part, too.
        first_bits = form.first_bits + (symbol.large_bits if form.first_has_large else 0)
        dependent = 0
        after_seed = form.head_bits + form.seed_bits
        if form.chained:
            dependent = self._continue_chain(m, bits, begins_block, raw)
            dependent_bits = form.head_bits + form.small_bits + symbol.large_bits
            first_bits = Mux(dependent, dependent_bits, first_bits)
            after_seed = Mux(dependent, form.head_bits, after_seed)
        m.d.comb += [
            next_bits.eq(filled.bits + symbol.large_bits + form.small_bits),
            too_long.eq(filled.bits > BLOCK_BITS),
            bits.update.eq(item.valid),
            next_fill.count.eq(Mux(begins_block, 1, filled.count + 1)),
            next_fill.bits.eq(Mux(begins_block, first_bits, Mux(too_long, filled.bits, next_bits))),
        ]
        value_index = Signal(COUNT_BITS)
        # ``filled.bits`` counts the head, the seed and both parts of each value. Without the small
        # parts, which lie at the bottom, it is the place of the next large part.
        raw_top = value_index * form.width
        coded_top = filled.bits - filled.count * form.small_bits
        m.d.comb += [
            value_index.eq(Mux(begins_block, 0, filled.count)),
            *(located[name].eq(item[name]) for name in item.shape().members),
            located.top.eq(Mux(raw, raw_top, Mux(begins_block, after_seed, coded_top))),
            located.value_index.eq(value_index),
            located.begins_block.eq(begins_block),
            located.raw.eq(raw),
            located.dependent.eq(dependent),
            located.previous_raw.eq(previous_raw),
            located.previous_count.eq(filled.count),
        ]

    def _place(self, m, located, placed):
        """Shifts the large part, or the value of a raw block, within words."""
        form = self._form
        symbol = located.symbol
        bits = self._part_bits
        first_with_seed = located.begins_block & (~located.dependent if form.chained else 1)
        part = Mux(located.raw, symbol.value << bits - form.width, self._large(symbol))
        m.d.comb += [
            *(
                placed[n].eq(located[n])
                for n in placed.shape().members
                if n in located.shape().members
            ),
            placed.part.eq(Cat(C(0, WORD_BITS - 1), part[:bits]) >> located.top % WORD_BITS),
            placed.word.eq(located.top // WORD_BITS),
            placed.small.eq(Mux(first_with_seed, symbol.first, symbol.small)),
            placed.seed.eq(symbol.seed),
        ]

    def _choose_kind(self, m, bits, next_bits, too_long):
        """Returns three flags: the value begins a block, its block is raw, and the growing block
        before the value was raw."""
        form = self._form
        item = bits.o.p.passenger
        filled = bits.o.p.entry
        next_fill = bits.next
        begins_block = Signal()
        fits = Signal()
        marked = Signal()
        raw_is_no_worse = Signal()
        may_be_raw = Signal()
        m.d.comb += [
            fits.eq(Mux(filled.raw, filled.count != form.raw_values, next_bits <= BLOCK_BITS)),
            begins_block.eq(item.fresh | ~fits),
            raw_is_no_worse.eq(Mux(filled.raw, too_long, filled.count < form.raw_values)),
            marked.eq(form.is_mark(item.symbol.value[-MARK_BITS:])),
            may_be_raw.eq(raw_is_no_worse & ~item.fresh & ~marked),
            next_fill.raw.eq(Mux(begins_block, may_be_raw, filled.raw)),
        ]
        return begins_block, next_fill.raw, filled.raw

    def _continue_chain(self, m, bits, begins_block, raw):
        """Returns whether a block that begins is dependent, and counts the blocks of its chain."""
        item = bits.o.p.passenger
        filled = bits.o.p.entry
        next_fill = bits.next
        dependent = Signal()
        ends_chain = filled.place == self._form.chain - 1
        m.d.comb += [
            dependent.eq(~(item.fresh | raw | filled.raw | ends_chain)),
            next_fill.place.eq(
                Mux(begins_block, Mux(dependent, filled.place + 1, 0), filled.place)
            ),
        ]
        return dependent

    def _choose_stamped(self, m, bits, next_bits, too_long):
        """Returns the three flags of `_choose_kind` for stamped blocks, which are never raw."""
        item = bits.o.p.passenger
        filled = bits.o.p.entry
        begins_block = Signal()
        m.d.comb += [
            begins_block.eq(item.fresh | (next_bits > BLOCK_BITS) | (item.stamp != filled.stamp)),
            bits.next.stamp.eq(item.stamp),
        ]
        return begins_block, C(0), C(0)

    def _large(self, symbol):
        """Returns the large part, aligned to the top."""
        return symbol.large << self._part_bits - self._form.large_max

    def _grow(self, m, blocks):
        """Adds the parts of the symbol to the block, and drives the output.

        ``placed`` is the item after the shift within words: ``part`` has its large part, and
        ``word`` tells by how many words this part still moves down.
        """
        form = self._form
        placed = blocks.o.p.passenger
        block = blocks.o.p.entry
        added_bits = Signal(BLOCK_BITS)
        grown = Signal(BLOCK_BITS)
        count = Signal(COUNT_BITS)
        head = Cat(placed.stamp, C(MARK << COUNT_BITS, HEAD_BITS))
        first = Cat(C(0, BLOCK_BITS - form.head_bits - form.seed_bits), placed.seed, head)
        large = self._words(m, placed)
        small = self._slots(placed)
        first_value = first | (large if form.first_has_large else 0)
        if form.chained:
            # The lowest bit of the mark says that the block is dependent.
            dependent_head = C((MARK | 1) << BLOCK_BITS - MARK_BITS, BLOCK_BITS)
            first_value = Mux(placed.dependent, dependent_head | large, first_value)
        begins_block = Signal()
        coded = Signal()
        m.d.comb += [
            begins_block.eq(placed.begins_block),
            coded.eq(~placed.raw),
            # The seed of a coded block replaces the large part of its first value; with
            # ``first_has_large`` the large part follows the seed, and in a dependent block the
            # head.
            added_bits.eq(
                Mux(coded & begins_block, first_value, large)
                | (small & coded.replicate(BLOCK_BITS))
            ),
            grown.eq(Mux(placed.valid, Mux(begins_block, 0, block) | added_bits, block)),
            count.eq(Mux(placed.valid, placed.value_index + 1, placed.previous_count)),
            blocks.next.eq(grown),
            blocks.update.eq(placed.valid),
            *(self.o.p[name].eq(placed[name]) for name in PASSED_ON if name != "stamp"),
            self.o.p.closes.eq(placed.valid & begins_block & ~placed.fresh),
            self.o.p.count.eq(count),
            self.o.p.closed_block.eq(
                self._counted(block, placed.previous_count, placed.previous_raw)
            ),
            self.o.p.growing.eq(
                self._counted(grown, count, Mux(placed.valid, placed.raw, placed.previous_raw))
            ),
        ]

    def _words(self, m, placed):
        """Returns a block with the large part alone: ``part`` shifted down by ``word`` words."""
        words = BLOCK_BITS // WORD_BITS
        word_select = Signal(words + 1)
        m.d.comb += word_select.eq(1 << placed.word)
        piece_count = -(-len(placed.part) // WORD_BITS)
        part = Cat(C(0, piece_count * WORD_BITS - len(placed.part)), placed.part)
        pieces = [part[len(part) - WORD_BITS * (k + 1) :][:WORD_BITS] for k in range(piece_count)]
        from_top = []
        for word in range(words):
            word_bits = C(0, WORD_BITS)
            for k, piece in enumerate(pieces[: word + 1]):
                word_bits = word_bits | (piece & word_select[word - k].replicate(WORD_BITS))
            from_top.append(word_bits)
        return Cat(*reversed(from_top))

    def _slots(self, placed):
        """Returns a block with the small part alone: slot k from the bottom is for value k."""
        bits = self._form.small_bits
        if not bits:
            return C(0, BLOCK_BITS)
        form = self._form
        least_seed_bits = 0 if form.chained else form.seed_bits  # a dependent block has no seed
        slots = range((BLOCK_BITS - form.head_bits - least_seed_bits) // bits)
        return Cat(*(placed.small & (placed.value_index == k).replicate(bits) for k in slots))

    def _counted(self, block, count, raw):
        """Returns the block, with ``count`` in its head unless the block is raw.

        The stored block has no count: the count is added when the block leaves.
        """
        count_low = BLOCK_BITS - HEAD_BITS
        count_field = Mux(raw, block[count_low:][:COUNT_BITS], count)
        return Cat(block[:count_low], count_field, block[count_low + COUNT_BITS :])

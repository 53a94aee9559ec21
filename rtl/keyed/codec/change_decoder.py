"""Decodes blocks of codecs whose symbols say how a value differs from the value before."""

from abc import abstractmethod

from amaranth.hdl import Cat, Module, Mux, Signal, Value
from amaranth.lib import data, wiring

from rtl.keyed.codec.block_format import BLOCK_BITS, COUNT_BITS
from rtl.keyed.codec.block_turns import SLOTS, BlockTurns, apart
from rtl.keyed.codec.codec import Codec
from rtl.keyed.codec.serial_decoder import SerialDecoder
from rtl.stream.beat import wire
from rtl.stream.register import StreamRegister
from rtl.stream.shift import shifted_up
from rtl.stream.zeros import zeros_below

#: Equal values that are taken together, at most.
RUN = 16


class ChangeCodec(Codec):
    """A codec with a symbol of one bit, 0, for a value equal to the value before.

    Every other symbol begins with 1 and contains the bits of a difference. The seed of a block is
    its first value and, below, what earlier symbols define for later symbols: the decoder's
    *state*, such as the window of :class:`~rtl.keyed.codec.xor.Xor`.
    """

    @property
    @abstractmethod
    def held(self):
        """Layout of the state."""

    @abstractmethod
    def began(self, seed):
        """Returns the state at the first value, as a dict, from the bits of the seed below it."""

    @property
    @abstractmethod
    def number(self):
        """Layout of the position of a difference's bits within a value."""

    @property
    @abstractmethod
    def as_they_are(self):
        """Dict of the position for bits that are a value."""

    @property
    @abstractmethod
    def nothing(self):
        """Dict of the members of the position that make a difference 0."""

    @abstractmethod
    def symbol(self, m, rest, held):
        """Returns the symbol at the beginning of ``rest``, as a dict by :func:`symbol_layout`.

        ``rest`` is the undecoded part of a block, its highest bit first, and begins with 1.
        """

    @abstractmethod
    def difference(self, m, bits, number):
        """Returns the difference, from its bits and their position."""

    @abstractmethod
    def changed(self, value, difference):
        """Returns the value after ``value``."""


def symbol_layout(codec):
    """Layout of a symbol that changes the value.

    ``length`` of the symbol; ``bits`` of the difference, from the first bit on, and their position
    ``number``; ``anew`` is high if the symbol changes the state, to ``held``; ``wrong`` is high if
    no value has the symbol.
    """
    known = {"bits": codec.width, "number": codec.number, "held": codec.held}
    length = range(codec.format.large_max + 1)
    return data.StructLayout({"length": length, **known, "anew": 1, "wrong": 1})


class ChangeDecoder(SerialDecoder):
    """Decodes blocks of a :class:`ChangeCodec`, equal values together.

    ::

        i --> rest of a block --> next symbol --> difference --> value, times --> o
              ^  state                |
              +---- minus a symbol, or minus several symbols that are 0

    A step removes from the block either one symbol that changes the value, or up to 16 symbols that
    do not. A shift finds the next symbol, so a coded block takes a step for its seed, one for each
    change, and one for each 16 values, or part of 16, that stay the same. For instance 6 steps for
    the values ``5 5 5 7 7 7 7 7 7 7 7 7 7 7 7 7 7 7 7 7 7 7 7 7 6``: 5, twice 5, 7, 16 times 7, 4
    times 7, 6. A raw block takes a step for each value.

    Latency from a block to its first value 4 cycles. Initiation interval of a slot twice the steps
    of a block.

    Source: seed 000, section 3.4.1.
    """

    latency = BlockTurns.latency + 2 * StreamRegister.latency
    run = RUN
    codec_interface = ChangeCodec

    def __init__(self, codec, passenger=0):
        super().__init__(codec, passenger)
        step = self._step_members
        self._placed = data.StructLayout({"bits": codec.width, "fresh": 1, **step})

    def elaborate(self, platform):
        m = Module()
        m.submodules.turns = turns = BlockTurns()
        m.submodules.placed = placed = StreamRegister(self._placed)
        m.submodules.given = given = StreamRegister(self.o.p.shape())
        first, less, loaded = (apart(self._block, n) for n in ("first", "less", "loaded"))
        second, known = apart(self._known, "second"), apart(self._known, "known")
        m.d.comb += [
            turns.i.valid.eq(self.i.valid),
            self.i.ready.eq(turns.i.ready),
            turns.ends.eq(second.ends),
            placed.i.valid.eq(turns.o.valid),
            turns.o.ready.eq(placed.i.ready),
            placed.i.p.slot.eq(turns.o.p),
            given.i.valid.eq(placed.o.valid),
            placed.o.ready.eq(given.i.ready),
        ]
        wiring.connect(m, given.o, wiring.flipped(self.o))
        m.d.comb += [*self._look(m, first, known), *self._load(self.i.p, loaded)]
        self._take(m, second, less, placed.i.p)
        with m.If(turns.moves):
            for name, held in vars(second).items():
                m.d.sync += held.eq(vars(known)[name])
            for name, held in vars(first).items():
                m.d.sync += held.eq(Mux(turns.passes, vars(less)[name], vars(loaded)[name]))
        self._give(m, placed, given)
        return m

    @property
    def _block(self):
        """A block that is decoded: the ``rest`` of it, and its bits that are no filling, ``room``.

        ``left`` and ``skip``, values. Behind its ``first`` value one that is ``raw`` is ``among``
        its values, and another ``inside`` of symbols. And what is ``held`` there.
        """
        rest = BLOCK_BITS - self._codec.width
        counts = {"room": range(rest + 1), "left": COUNT_BITS, "skip": COUNT_BITS}
        held = {"held": self._codec.held}
        told = {"error": 1, "last": 1, "passenger": self.i.p.passenger.shape()}
        kind = {"raw": 1, "among": 1, "inside": 1, "first": self._codec.width}
        return data.StructLayout({"rest": rest, **counts, **kind, **held, **told})

    @property
    def _known(self):
        """The same, and what comes next: values ``taken``, the block's end if it ``ends`` there.

        ``length``, to be shifted by, and bits that are ``used``, fewer where a run reaches into
        filling behind the last symbol. ``bits`` of the difference, from its first on; their
        ``number``; ``wrong``: no value has such a symbol.
        """
        lengths = {"length": range(self._longest + 1), "used": range(self._longest + 1)}
        bits = {"bits": self._codec.width, "number": self._codec.number}
        step = {"taken": range(RUN + 1), "ends": 1, **lengths, **bits, "wrong": 1}
        return data.StructLayout({**self._block.members, **step})

    @property
    def _longest(self):
        """Bits that a step takes off, at most."""
        return max(self._codec.format.large_max, self._codec.width, RUN)

    def _look(self, m, block, known):
        """Statements: what comes next in the block."""
        width, rest = self._codec.width, block.rest
        symbol = Signal(symbol_layout(self._codec))
        m.d.comb += wire(symbol, self._codec.symbol(m, rest, block.held))
        run, differs, single = Signal(range(RUN + 1)), Signal(), Signal()
        m.d.comb += [
            differs.eq(rest[-1]),
            run.eq(zeros_below(m, Cat(*reversed(rest[-RUN:])))),
            single.eq(~block.inside | differs),
        ]
        bits = Mux(block.inside, symbol.bits, Mux(block.among, rest[-width:], block.first))
        within = Mux(differs, symbol.length, run)
        taken = Mux(run > block.left, block.left, run)
        return [
            *(vars(known)[name].eq(bits) for name, bits in vars(block).items() if name != "held"),
            known.length.eq(Mux(block.inside, within, Mux(block.among, width, 0))),
            known.used.eq(Mux(differs, known.length, known.taken)),
            known.taken.eq(Mux(single, 1, taken)),
            known.ends.eq(Mux(single, block.left <= 1, block.left <= run)),
            known.bits.eq(bits),
            *self._numbers(known.number, symbol.number, block.inside, differs),
            known.wrong.eq(differs & symbol.wrong),
            known.held.eq(
                Mux(block.inside & differs & symbol.anew, Value.cast(symbol.held), block.held)
            ),
        ]

    def _take(self, m, known, less, step):
        """Takes it off: the block ``less`` that, and the ``step``."""
        after, wanted, skipped = Signal(len(known.room) + 1), Signal(10), Signal(COUNT_BITS)
        wrong = Signal()
        kept = ("raw", "held", "first", "last", "passenger")
        m.d.comb += [
            # Less than nothing: all that are taken are to be skipped.
            wanted.eq(known.taken - known.skip),
            skipped.eq(known.skip - known.taken),
            after.eq(known.room - known.used),
            wrong.eq(known.inside & (after[-1] | known.wrong)),
            less.rest.eq(shifted_up(m, known.rest, known.length)),
            less.room.eq(known.room - known.length),
            less.left.eq(known.left - known.taken),
            less.skip.eq(Mux(wanted[-1], skipped, 0)),
            less.inside.eq(~known.raw),
            less.among.eq(known.raw),
            less.error.eq(known.error | wrong),
            *(vars(less)[name].eq(vars(known)[name]) for name in kept),
            step.bits.eq(self._codec.difference(m, known.bits, known.number)),
            step.fresh.eq(~known.inside),
            step.times.eq(Mux(wanted[-1], 0, wanted)),
            step.last.eq(known.ends),
            step.error.eq(known.error | wrong),
            step.passenger.last.eq(known.last),
            step.passenger.passenger.eq(known.passenger),
        ]

    def _numbers(self, told, number, inside, differs):
        """Statements: that of the symbol, or of no difference, or of a value."""
        codec = self._codec
        for name, as_it_is in codec.as_they_are.items():
            given = number[name]
            if name in codec.nothing:
                given = Mux(differs, given, codec.nothing[name])
            yield told[name].eq(Mux(inside, given, as_it_is))

    def _load(self, goes, block):
        """Statements: a block as it comes."""
        codec, top = self._codec, BLOCK_BITS - self._codec.format.head_bits
        width, own = codec.width, codec.format.seed_bits - codec.width
        seed = goes.block[top - width - own : top]
        behind = goes.block[: top - width - own]
        broken = goes.coded & (goes.count == 0)
        return [
            block.left.eq(goes.count | broken),
            block.skip.eq(goes.skip),
            block.raw.eq(~goes.coded),
            block.inside.eq(0),
            block.among.eq(0),
            block.first.eq(Mux(goes.coded, seed[own:], goes.block[-width:])),
            block.error.eq(broken),
            *(block.held[name].eq(value) for name, value in codec.began(seed[:own]).items()),
            block.last.eq(goes.last),
            block.passenger.eq(goes.passenger),
            block.rest.eq(Mux(goes.coded, behind << len(block.rest) - len(behind), goes.block)),
            block.room.eq(len(behind)),
        ]

    def _give(self, m, source, target):
        """The value behind it; the bits of a fresh one are the value."""
        values = [
            Signal(self._codec.width, name=f"value{k}", reset_less=True) for k in range(SLOTS)
        ]
        step, given = source.o.p, target.i.p
        before = Mux(step.slot, values[1], values[0])
        m.d.comb += [
            given.value.eq(self._codec.changed(Mux(step.fresh, 0, before), step.bits)),
            *(given[name].eq(step[name]) for name in ("times", "last", "slot", "passenger")),
            given.error.eq(step.error & step.last),
        ]
        for k, value in enumerate(values):
            with m.If(source.o.valid & source.o.ready & (step.slot == k)):
                m.d.sync += value.eq(given.value)

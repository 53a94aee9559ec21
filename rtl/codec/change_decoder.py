"""Decodes blocks whose symbols say how a value differs from the one before, one in a cycle."""

from amaranth.hdl import Cat, Module, Mux, Signal
from amaranth.lib import data, stream, wiring
from amaranth.lib.wiring import In, Out

from rtl.codec.block_format import (
    BLOCK_BITS,
    COUNT_BITS,
    block_layout,
    repeated_layout,
)
from rtl.stream.beat import wire
from rtl.stream.register import StreamRegister
from rtl.stream.shift import shifted_up
from rtl.stream.zeros import zeros_below

#: Equal values that are taken together, at most.
RUN = 16


def symbol_layout(codec):
    """Layout of a symbol that changes the value.

    ``length`` of it; ``bits`` of the difference, from its first on, and their ``number``; whether
    what is held is ``anew`` behind it, and ``held``, that; ``wrong``: no value has such a symbol.
    """
    known = {"bits": codec.width, "number": codec.number, "held": codec.held}
    length = range(codec.format.large_max + 1)
    return data.StructLayout({"length": length, **known, "anew": 1, "wrong": 1})


class ChangeDecoder(wiring.Component):
    """Takes a block, and gives its values one after the other, equal ones together.

    ::

        i --> rest of the block --> difference --> value, times --> o
              | ^  held by symbols before
              +-+ less a symbol, or some that are 0

    A symbol is 0 for a value that stays the same. What the others are only the codec knows; see
    :class:`~rtl.codec.xor.Xor` and :class:`~rtl.codec.grid.Grid`. It has

    - ``held``, the layout of what symbols leave to those behind them in a block, and ``began``,
      what that is from the bits of the seed behind the value;
    - ``number``, the layout of what tells where the bits of a difference belong; ``as_they_are``,
      for bits that are a value, and ``nothing``, for a difference of 0;
    - ``symbol``, what the rest of a block begins with, if that changes the value, as a
      :func:`symbol_layout`;
    - ``difference``, of bits and their number, and ``changed``, of a value and that.

    A step takes off the block either one symbol that changes the value, or up to 16 that do not.
    What comes behind them it finds by shifting, so a block that is coded takes a step for its seed,
    one for each change, and one for each 16 values, or part of them, that stay the same. For
    instance 6 steps for the values ``5 5 5 7 7 7 7 7 7 7 7 7 7 7 7 7 7 7 7 7 7 7 7 7 6``: 5, twice
    5, 7, 16 times 7, 4 times 7, 6. A raw block takes a step for each value.

    Latency from a block to its first value 4 cycles. Initiation interval the steps of a block, and
    no less than 1 cycle. A stall at ``o`` stalls all.

    Parameters
    ----------
    codec : Xor or Grid
    passenger : ShapeLike

    Members
    -------
    i : In(stream.Signature(block_layout(passenger)))
    o : Out(stream.Signature(repeated_layout(codec.width, run, ...)))
        The ``passenger`` is ``last`` of the block, the last one of its window, and its
        ``passenger``.

    Source: seed 000, section 3.4.1.
    """

    latency = 1 + 3 * StreamRegister.latency
    initiation_interval = 1
    run = RUN

    def __init__(self, codec, passenger=0):
        self._codec = codec
        told = data.StructLayout({"last": 1, "passenger": passenger})
        goes = block_layout(passenger)
        gives = repeated_layout(codec.width, self.run, told)
        step = {"times": range(self.run + 1), "last": 1, "error": 1, "passenger": told}
        # Bits of the difference, from its first on; where they belong; or a value in place of it.
        bits = {"bits": codec.width, "number": codec.number}
        self._parsed = data.StructLayout({**bits, "fresh": 1, **step})
        self._placed = data.StructLayout({"bits": codec.width, "fresh": 1, **step})
        super().__init__({"i": In(stream.Signature(goes)), "o": Out(stream.Signature(gives))})

    def elaborate(self, platform):
        m = Module()
        m.submodules.parsed = parsed = StreamRegister(self._parsed)
        m.submodules.placed = placed = StreamRegister(self._placed)
        m.submodules.given = given = StreamRegister(self.o.p.shape())
        for source, target in (parsed.o, placed.i), (placed.o, given.i):
            m.d.comb += [target.valid.eq(source.valid), source.ready.eq(target.ready)]
        wiring.connect(m, given.o, wiring.flipped(self.o))
        self._parse(m, parsed.i)
        self._place(m, parsed.o.p, placed.i.p)
        self._give(m, placed, given)
        return m

    def _parse(self, m, target):
        """Takes a step off the block, if ``target`` takes it, or a block if there is none."""
        width, goes = self._codec.width, self.i.p
        rest = Signal(BLOCK_BITS - width, reset_less=True)
        room = Signal(range(len(rest) + 1), reset_less=True)
        block = Signal(self._block, reset_less=True)
        busy, ends = Signal(), Signal()
        step, takes = target.p, Signal()
        m.d.comb += [
            takes.eq(busy & target.ready),
            target.valid.eq(busy),
            self.i.ready.eq(~busy | (target.ready & ends)),
        ]
        symbol = Signal(symbol_layout(self._codec))
        m.d.comb += wire(symbol, self._codec.symbol(m, rest, block.held))
        run, bits, differs = Signal(range(RUN + 1)), Signal.like(symbol.length), Signal()
        taken, single, wanted, less = Signal(COUNT_BITS), Signal(), Signal(10), Signal(COUNT_BITS)
        wrong, after = Signal(), Signal(len(room) + 1)
        zeros = Cat(*reversed(rest[-RUN:]))
        inside = Mux(differs, symbol.length, run)
        m.d.comb += [
            differs.eq(rest[-1]),
            run.eq(zeros_below(m, zeros)),
            bits.eq(Mux(block.inside, inside, Mux(block.among, width, 0))),
            single.eq(~block.inside | differs),
            taken.eq(Mux(single, 1, Mux(run > block.left, block.left, run))),
            ends.eq(Mux(single, block.left <= 1, block.left <= run)),
            # Less than nothing: all that are taken are to be skipped.
            wanted.eq(taken - block.skip),
            less.eq(block.skip - taken),
            # Behind the last symbol are zeros, which a run may reach into.
            after.eq(room - Mux(differs, bits, taken)),
            wrong.eq(block.inside & (after[-1] | (differs & symbol.wrong))),
            step.bits.eq(
                Mux(block.inside, symbol.bits, Mux(block.among, rest[-width:], block.first))
            ),
            *self._numbers(step.number, symbol.number, block.inside, differs),
            step.fresh.eq(~block.inside),
            step.times.eq(Mux(wanted[-1], 0, wanted)),
            step.last.eq(ends),
            step.error.eq(block.error | wrong),
            step.passenger.last.eq(block.last),
            step.passenger.passenger.eq(block.passenger),
        ]
        with m.If(takes):
            m.d.sync += [
                rest.eq(shifted_up(m, rest, bits)),
                room.eq(room - bits),
                block.inside.eq(~block.raw),
                block.among.eq(block.raw),
                block.left.eq(block.left - taken),
                block.skip.eq(Mux(wanted[-1], less, 0)),
                block.error.eq(block.error | wrong),
            ]
            with m.If(block.inside & differs & symbol.anew):
                m.d.sync += block.held.eq(symbol.held)
        with m.If(self.i.ready):
            m.d.sync += [busy.eq(self.i.valid), *self._load(goes, block, rest, room)]

    def _numbers(self, told, number, inside, differs):
        """Statements: that of the symbol, or of no difference, or of a value."""
        codec = self._codec
        for name, as_it_is in codec.as_they_are.items():
            given = number[name]
            if name in codec.nothing:
                given = Mux(differs, given, codec.nothing[name])
            yield told[name].eq(Mux(inside, given, as_it_is))

    @property
    def _block(self):
        """What is known of the block that is decoded, beside the ``rest`` of it.

        ``left`` and ``skip``, values. Behind its ``first`` value one that is ``raw`` is ``among``
        its values, and another ``inside`` of symbols. And what is ``held`` there.
        """
        counts = {"left": COUNT_BITS, "skip": COUNT_BITS}
        held = {"held": self._codec.held}
        told = {"error": 1, "last": 1, "passenger": self.i.p.passenger.shape()}
        kind = {"raw": 1, "among": 1, "inside": 1, "first": self._codec.width}
        return data.StructLayout({**counts, **kind, **held, **told})

    def _load(self, goes, block, rest, room):
        """Statements that take a block."""
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
            rest.eq(Mux(goes.coded, behind << len(rest) - len(behind), goes.block)),
            room.eq(len(behind)),
        ]

    def _place(self, m, i, o):
        """The difference, whole."""
        m.d.comb += [
            o.bits.eq(self._codec.difference(m, i.bits, i.number)),
            *(o[name].eq(i[name]) for name in ("fresh", "times", "last", "error", "passenger")),
        ]

    def _give(self, m, source, target):
        """The value behind it; the bits of a fresh one are the value."""
        value, step = Signal(self._codec.width, reset_less=True), source.o.p
        given = target.i.p
        m.d.comb += [
            given.value.eq(self._codec.changed(Mux(step.fresh, 0, value), step.bits)),
            given.times.eq(step.times),
            given.last.eq(step.last),
            given.error.eq(step.error & step.last),
            given.passenger.eq(step.passenger),
        ]
        with m.If(source.o.valid & source.o.ready):
            m.d.sync += value.eq(given.value)

"""Decodes XOR's blocks, a symbol in a cycle."""

from amaranth.hdl import Cat, Module, Mux, Signal
from amaranth.lib import data, stream, wiring
from amaranth.lib.wiring import In, Out

from rtl.codec.block_format import (
    BLOCK_BITS,
    COUNT_BITS,
    HEAD_BITS,
    block_layout,
    repeated_layout,
)
from rtl.codec.xor import LEADING_BITS, LENGTH_BITS, WINDOW_BITS
from rtl.stream.register import StreamRegister
from rtl.stream.shift import shifted_up
from rtl.stream.zeros import zeros_below

#: Equal values that are taken together, at most.
RUN = 16


class XorDecoder(wiring.Component):
    """Takes a block, and gives its values one after the other, equal ones together.

    ::

        i --> rest of the block --> difference --> value, times --> o
              | ^  window
              +-+ less a symbol, or some that are 0

    A step takes off the block either one symbol that changes the value, or up to 16 that do not.
    What comes behind them it finds by shifting, so a block that is coded takes a step for its seed,
    one for each change, and one for each 16 values, or part of them, that stay the same. For
    instance 6 steps for the values ``5 5 5 7 7 7 7 7 7 7 7 7 7 7 7 7 7 7 7 7 7 7 7 7 6``: 5, twice
    5, 7, 16 times 7, 4 times 7, 6. A raw block takes a step for each value.

    Latency from a block to its first value 4 cycles. Initiation interval the steps of a block, and
    no less than 1 cycle. A stall at ``o`` stalls all.

    Parameters
    ----------
    codec : Xor
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
        bits = {"bits": codec.width, "leading": LEADING_BITS, "length": range(codec.width + 1)}
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
        symbol = self._symbol(m, rest, block)
        taken, single, wanted, less = Signal(COUNT_BITS), Signal(), Signal(10), Signal(COUNT_BITS)
        wrong, after = Signal(), Signal(len(room) + 1)
        m.d.comb += [
            single.eq(~block.inside | symbol.differs),
            taken.eq(Mux(single, 1, Mux(symbol.run > block.left, block.left, symbol.run))),
            ends.eq(Mux(single, block.left <= 1, block.left <= symbol.run)),
            # Less than nothing: all that are taken are to be skipped.
            wanted.eq(taken - block.skip),
            less.eq(block.skip - taken),
            # Behind the last symbol are zeros, which a run may reach into.
            after.eq(room - Mux(symbol.differs, symbol.bits, taken)),
            wrong.eq(block.inside & (after[-1] | symbol.wrong)),
            step.bits.eq(
                Mux(block.inside, symbol.difference, Mux(block.among, rest[-width:], block.first))
            ),
            step.fresh.eq(~block.inside),
            step.leading.eq(Mux(block.inside, symbol.leading, 0)),
            step.length.eq(Mux(block.inside, Mux(symbol.differs, symbol.length, 0), width)),
            step.times.eq(Mux(wanted[-1], 0, wanted)),
            step.last.eq(ends),
            step.error.eq(block.error | wrong),
            step.passenger.last.eq(block.last),
            step.passenger.passenger.eq(block.passenger),
        ]
        with m.If(takes):
            m.d.sync += [
                rest.eq(shifted_up(m, rest, symbol.bits)),
                room.eq(room - symbol.bits),
                block.inside.eq(~block.raw),
                block.among.eq(block.raw),
                block.left.eq(block.left - taken),
                block.skip.eq(Mux(wanted[-1], less, 0)),
                block.error.eq(block.error | wrong),
            ]
            with m.If(block.inside & symbol.changes):
                m.d.sync += [
                    block.leading.eq(symbol.leading),
                    block.length.eq(symbol.length),
                    block.again.eq(symbol.length + 2),
                ]
        with m.If(self.i.ready):
            m.d.sync += [busy.eq(self.i.valid), *self._load(goes, block, rest, room)]

    @property
    def _block(self):
        """What is known of the block that is decoded, beside the ``rest`` of it.

        ``left`` and ``skip``, values. Behind its ``first`` value one that is ``raw`` is ``among``
        its values, and another ``inside`` of symbols. The window that holds, and ``again``, the
        bits of a symbol that uses it.
        """
        counts = {"left": COUNT_BITS, "skip": COUNT_BITS}
        window = {"leading": LEADING_BITS, "length": range(65), "again": range(67)}
        told = {"error": 1, "last": 1, "passenger": self.i.p.passenger.shape()}
        kind = {"raw": 1, "among": 1, "inside": 1, "first": self._codec.width}
        return data.StructLayout({**counts, **kind, **window, **told})

    def _load(self, goes, block, rest, room):
        """Statements that take a block."""
        width, top = self._codec.width, BLOCK_BITS - HEAD_BITS
        seed = goes.block[top - width - WINDOW_BITS : top]
        behind = goes.block[: top - width - WINDOW_BITS]
        broken, length = goes.coded & (goes.count == 0), self._length(seed[:LENGTH_BITS])
        return [
            block.left.eq(goes.count | broken),
            block.skip.eq(goes.skip),
            block.raw.eq(~goes.coded),
            block.inside.eq(0),
            block.among.eq(0),
            block.first.eq(Mux(goes.coded, seed[WINDOW_BITS:], goes.block[-width:])),
            block.error.eq(broken),
            block.leading.eq(seed[LENGTH_BITS:WINDOW_BITS]),
            block.length.eq(length),
            block.again.eq(length + 2),
            block.last.eq(goes.last),
            block.passenger.eq(goes.passenger),
            rest.eq(Mux(goes.coded, behind << len(rest) - len(behind), goes.block)),
            room.eq(len(behind)),
        ]

    @staticmethod
    def _length(told):
        return Mux(told == 0, 64, told)

    def _symbol(self, m, rest, block):
        """What the rest of a coded block begins with, and of any the ``bits`` to take off."""
        width = self._codec.width
        symbol = Signal(
            data.StructLayout(
                {
                    "differs": 1,  # one value, else a ``run`` of those that do not
                    "run": range(RUN + 1),
                    "changes": 1,  # with a window of its own, which holds from here
                    "leading": LEADING_BITS,
                    "length": range(65),
                    "difference": width,
                    "bits": range(2 + WINDOW_BITS + 65),
                    "wrong": 1,
                }
            )
        )
        top = rest[-2 - WINDOW_BITS - width :]
        zeros = Cat(*reversed(rest[-RUN:]))
        told = top[-2 - WINDOW_BITS : -2]
        anew = Signal(range(2 + WINDOW_BITS + 65))
        with m.Switch(told[:LENGTH_BITS]):  # a table, as an adder would be in the longest path
            for length in range(1 << LENGTH_BITS):
                with m.Case(length):
                    m.d.comb += anew.eq(2 + WINDOW_BITS + (length or 64))
        m.d.comb += [
            symbol.differs.eq(rest[-1]),
            symbol.changes.eq(rest[-1] & rest[-2]),
            symbol.run.eq(zeros_below(m, zeros)),
            symbol.leading.eq(Mux(symbol.changes, told[LENGTH_BITS:], block.leading)),
            symbol.length.eq(Mux(symbol.changes, self._length(told[:LENGTH_BITS]), block.length)),
            symbol.difference.eq(Mux(symbol.changes, top[:width], top[WINDOW_BITS:][:width])),
            symbol.bits.eq(
                Mux(
                    block.inside,
                    Mux(symbol.differs, Mux(symbol.changes, anew, block.again), symbol.run),
                    Mux(block.among, width, 0),
                )
            ),
            symbol.wrong.eq(symbol.differs & (symbol.leading + symbol.length > width)),
        ]
        return symbol

    def _place(self, m, i, o):
        """The difference, with zeros before and behind it."""
        width = self._codec.width
        kept = Cat(*(i.length > width - 1 - bit for bit in range(width)))
        m.d.comb += [
            o.bits.eq((i.bits & kept) >> i.leading),
            *(o[name].eq(i[name]) for name in ("fresh", "times", "last", "error", "passenger")),
        ]

    def _give(self, m, source, target):
        value, step = Signal(self._codec.width, reset_less=True), source.o.p
        given = target.i.p
        m.d.comb += [
            given.value.eq(Mux(step.fresh, step.bits, value ^ step.bits)),
            given.times.eq(step.times),
            given.last.eq(step.last),
            given.error.eq(step.error & step.last),
            given.passenger.eq(step.passenger),
        ]
        with m.If(source.o.valid & source.o.ready):
            m.d.sync += value.eq(given.value)

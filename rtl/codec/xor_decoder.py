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
from rtl.stream.zeros import trailing_zeros

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
    instance 8 steps for the values ``5 5 5 7 7 7 7 7 7 7 7 7 7 7 7 7 7 7 7 7 7 7 7 7 6``: 5, twice
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
    o : Out(stream.Signature(repeated_layout(codec.width, ...)))
        The ``passenger`` is ``last`` of the block, the last one of its window, and its
        ``passenger``.

    Source: seed 000, section 3.4.1.
    """

    latency = 1 + 3 * StreamRegister.latency
    initiation_interval = 1

    def __init__(self, codec, passenger=0):
        self._codec = codec
        told = data.StructLayout({"last": 1, "passenger": passenger})
        goes, gives = block_layout(passenger), repeated_layout(codec.width, told)
        step = {"times": COUNT_BITS, "last": 1, "error": 1, "passenger": told}
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
        state = {"left": COUNT_BITS, "skip": COUNT_BITS, "coded": 1, "first": width, "error": 1}
        state |= {"leading": LEADING_BITS, "length": range(65), "last": 1}
        state |= {"passenger": goes.passenger.shape()}
        block = Signal(data.StructLayout(state), reset_less=True)
        busy, starts, ends = Signal(), Signal(reset_less=True), Signal()
        step, takes = target.p, Signal()
        m.d.comb += [
            takes.eq(busy & target.ready),
            target.valid.eq(busy),
            self.i.ready.eq(~busy | (target.ready & ends)),
        ]
        symbol = self._symbol(m, rest, block)
        taken = Signal(COUNT_BITS)
        wrong, longer = Signal(), Signal()
        single = starts | ~block.coded | symbol.differs
        m.d.comb += [
            taken.eq(Mux(single, 1, Mux(symbol.run > block.left, block.left, symbol.run))),
            ends.eq(block.left <= taken),
            # Behind the last symbol are zeros, which a run may reach into.
            longer.eq(Mux(symbol.differs, symbol.bits, taken) > room),
            wrong.eq(block.coded & ~starts & (longer | symbol.wrong)),
            step.bits.eq(
                Mux(starts, block.first, Mux(block.coded, symbol.difference, rest[-width:]))
            ),
            step.fresh.eq(starts | ~block.coded),
            step.leading.eq(Mux(step.fresh, 0, symbol.leading)),
            step.length.eq(Mux(step.fresh, width, Mux(symbol.differs, symbol.length, 0))),
            step.times.eq(Mux(block.skip >= taken, 0, taken - block.skip)),
            step.last.eq(ends),
            step.error.eq(block.error | wrong),
            step.passenger.last.eq(block.last),
            step.passenger.passenger.eq(block.passenger),
        ]
        used = Mux(starts, 0, Mux(block.coded, symbol.bits, width))
        with m.If(takes):
            m.d.sync += [
                rest.eq(rest << used),
                room.eq(room - used),
                starts.eq(0),
                block.left.eq(block.left - taken),
                block.skip.eq(Mux(block.skip >= taken, block.skip - taken, 0)),
                block.error.eq(block.error | wrong),
            ]
            with m.If(~starts & symbol.changes):
                m.d.sync += [block.leading.eq(symbol.leading), block.length.eq(symbol.length)]
        with m.If(self.i.ready):
            m.d.sync += [busy.eq(self.i.valid), starts.eq(1), *self._load(goes, block, rest, room)]

    def _load(self, goes, block, rest, room):
        """Statements that take a block."""
        width, top = self._codec.width, BLOCK_BITS - HEAD_BITS
        seed = goes.block[top - width - WINDOW_BITS : top]
        behind = goes.block[: top - width - WINDOW_BITS]
        broken = goes.coded & (goes.count == 0)
        return [
            block.left.eq(goes.count | broken),
            block.skip.eq(goes.skip),
            block.coded.eq(goes.coded),
            block.first.eq(Mux(goes.coded, seed[WINDOW_BITS:], goes.block[-width:])),
            block.error.eq(broken),
            block.leading.eq(seed[LENGTH_BITS:WINDOW_BITS]),
            block.length.eq(self._length(seed[:LENGTH_BITS])),
            block.last.eq(goes.last),
            block.passenger.eq(goes.passenger),
            rest.eq(Mux(goes.coded, behind << len(rest) - len(behind), goes.block)),
            room.eq(len(behind)),
        ]

    @staticmethod
    def _length(told):
        return Mux(told == 0, 64, told)

    def _symbol(self, m, rest, block):
        """What the rest of a coded block begins with."""
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
        m.d.comb += [
            symbol.differs.eq(rest[-1]),
            symbol.changes.eq(rest[-1] & rest[-2]),
            symbol.run.eq(Mux(zeros.any(), trailing_zeros(zeros), RUN)),
            symbol.leading.eq(Mux(symbol.changes, told[LENGTH_BITS:], block.leading)),
            symbol.length.eq(Mux(symbol.changes, self._length(told[:LENGTH_BITS]), block.length)),
            symbol.difference.eq(Mux(symbol.changes, top[:width], top[WINDOW_BITS:][:width])),
            symbol.bits.eq(
                Mux(
                    symbol.differs,
                    symbol.length + Mux(symbol.changes, 2 + WINDOW_BITS, 2),
                    symbol.run,
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

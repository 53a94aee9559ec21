"""Decodes SZ's blocks, a symbol in a cycle."""

from amaranth.hdl import C, Cat, Module, Mux, Signal, signed
from amaranth.lib import data, stream, wiring
from amaranth.lib.wiring import In, Out

from rtl.codec.block_format import (
    BLOCK_BITS,
    COUNT_BITS,
    block_layout,
    repeated_layout,
)
from rtl.codec.sz import CONSTANT, ESCAPE, LINEAR, OUTLIER, SMALL_BITS, predictions
from rtl.codec.sz_interval import WORKING, WORKING_BITS
from rtl.codec.sz_values import SzValues, worked_layout
from rtl.stream.register import StreamRegister
from rtl.stream.shift import shifted_up
from rtl.stream.zeros import zeros_below

#: Values by the constant prediction that are taken together, at most.
RUN = 16
#: A prediction before it is looked at whether it is a working value.
_GUESS = signed(WORKING_BITS + 4)


class SzDecoder(wiring.Component):
    """Takes a block, and gives its values one after the other, equal ones together.

    ::

        i --> small parts, large parts --> working value, times --> SzValues --> value, times --> o
              | ^  a, b, c
              +-+ less a symbol, or some that are constant

    A step takes off the block one symbol, or up to 16 that name the constant prediction. For
    instance 5 steps for the small parts ``3 0 0 0 0 0 1 2 0``: 3, five times 0, 1, 2, 0. A raw
    block takes a step for each value.

    Latency from a block to its first value 4 cycles. Initiation interval the steps of a block, and
    no less than 1 cycle. A stall at ``o`` stalls all.

    Parameters
    ----------
    codec : Sz
    passenger : ShapeLike

    Members
    -------
    i : In(stream.Signature(block_layout(passenger)))
    o : Out(stream.Signature(repeated_layout(codec.width, run, ...)))
        The ``passenger`` is ``last`` of the block, the last one of its window, and its
        ``passenger``.

    Source: seed 000, sections 2.1 and 3.4.1.
    """

    latency = 1 + StreamRegister.latency + SzValues.latency
    initiation_interval = 1
    run = RUN

    def __init__(self, codec, passenger=0):
        self._codec = codec
        told = data.StructLayout({"last": 1, "passenger": passenger})
        goes = block_layout(passenger)
        step = {"times": range(RUN + 1), "last": 1, "error": 1, "passenger": told}
        self._step = data.StructLayout(step)
        counts = {"left": COUNT_BITS, "skip": COUNT_BITS, "room": signed(COUNT_BITS + 1)}
        kind = {"raw": 1, "among": 1, "error": 1, "first": codec.width}
        beside = {"last": 1, "passenger": passenger, "before": codec.state}
        self._block = data.StructLayout({**counts, **kind, **beside})
        self._values = SzValues(codec, self._step)
        gives = repeated_layout(codec.width, RUN, told)
        super().__init__({"i": In(stream.Signature(goes)), "o": Out(stream.Signature(gives))})

    def elaborate(self, platform):
        m = Module()
        m.submodules.values = values = self._values
        m.submodules.parsed = parsed = StreamRegister(worked_layout(self._codec, self._step))
        wiring.connect(m, parsed.o, values.i)
        self._parse(m, parsed.i)
        told = values.o.p.passenger
        m.d.comb += [
            self.o.valid.eq(values.o.valid),
            values.o.ready.eq(self.o.ready),
            self.o.p.value.eq(values.o.p.value),
            *(self.o.p[name].eq(told[name]) for name in ("times", "last", "passenger")),
            self.o.p.error.eq(told.error & told.last),
        ]
        return m

    def _parse(self, m, target):
        """Takes a step off the block, if ``target`` takes it, or a block if there is none."""
        width = self._codec.width
        large = Signal(BLOCK_BITS - width, reset_less=True)
        small = Signal(self._room, reset_less=True)
        block = Signal(self._block, reset_less=True)
        busy, ends, takes = Signal(), Signal(), Signal()
        symbol = self._symbol(m, large, small, block)
        taken, wanted = Signal(range(RUN + 1)), Signal(signed(COUNT_BITS + 1))
        room, wrong = Signal(signed(COUNT_BITS + 1)), Signal()
        step, told = target.p, target.p.passenger
        coded = ~block.raw
        m.d.comb += [
            takes.eq(busy & target.ready),
            target.valid.eq(busy),
            self.i.ready.eq(~busy | (target.ready & ends)),
            taken.eq(Mux(symbol.run > block.left, block.left, symbol.run)),
            ends.eq(block.left <= symbol.run),
            # Less than nothing: all that are taken are to be skipped.
            wanted.eq(taken - block.skip),
            room.eq(block.room - Mux(symbol.single, SMALL_BITS + symbol.bits, Cat(C(0, 1), taken))),
            wrong.eq(coded & (symbol.wrong | room[-1])),
            step.own.eq(block.raw | symbol.own),
            step.value.eq(Mux(coded, large[:-WORKING_BITS][-width:], self._raw(large, block))),
            step.working.eq(symbol.working),
            told.times.eq(Mux(wanted[-1], 0, wanted)),
            told.last.eq(ends),
            told.error.eq(block.error | wrong),
            told.passenger.last.eq(block.last),
            told.passenger.passenger.eq(block.passenger),
        ]
        with m.If(takes):
            m.d.sync += [
                small.eq(shifted_up(m, small[::-1], Cat(C(0, 1), symbol.run))[::-1]),
                large.eq(self._behind(m, large, symbol.bits)),
                block.left.eq(block.left - taken),
                block.skip.eq(Mux(wanted[-1], block.skip - taken, 0)),
                block.room.eq(room),
                block.among.eq(block.raw),
                block.error.eq(block.error | wrong),
                block.before.eq(symbol.behind),
            ]
        with m.If(self.i.ready):
            m.d.sync += [busy.eq(self.i.valid), *self._load(block, large, small)]

    @property
    def _room(self):
        """Bits of a coded block behind its seed."""
        form = self._codec.format
        return BLOCK_BITS - form.head_bits - form.seed_bits

    def _raw(self, large, block):
        return Mux(block.among, large[-self._codec.width :], block.first)

    def _load(self, block, large, small):
        """Statements that take a block."""
        goes, room = self.i.p, self._room
        seed, behind = goes.block[room : -self._codec.format.head_bits], goes.block[:room]
        broken = goes.coded & (goes.count == 0)
        return [
            block.left.eq(goes.count | broken),
            block.skip.eq(goes.skip),
            block.room.eq(room),
            block.raw.eq(~goes.coded),
            block.among.eq(0),
            block.error.eq(broken),
            block.first.eq(goes.block[-self._codec.width :]),
            block.last.eq(goes.last),
            block.passenger.eq(goes.passenger),
            block.before.as_value().eq(seed),
            small.eq(behind),
            large.eq(Mux(goes.coded, behind << len(large) - room, goes.block)),
        ]

    def _behind(self, m, large, bits):
        """What is behind so many bits, of which there are four numbers only: less than a shift."""
        width, moved = self._codec.width, Signal.like(large)
        m.d.comb += moved.eq(large)
        with m.Switch(bits):
            for number in sorted({width, WORKING_BITS, WORKING_BITS + width}):
                with m.Case(number):
                    m.d.comb += moved.eq(large << number)
        return moved

    def _symbol(self, m, large, small, block):
        """What comes next: a working value, or the value's own bits, and what is behind it."""
        codec, before = self._codec, block.before
        symbol = Signal(
            data.StructLayout(
                {
                    "run": range(RUN + 1),  # of values, 1 but for constant ones
                    "single": 1,  # no constant one
                    "own": 1,
                    "working": WORKING,
                    "bits": range(WORKING_BITS + codec.width + 1),  # of the large part
                    "behind": codec.state,
                    "wrong": 1,
                }
            )
        )
        kind, others, guess = small[:SMALL_BITS], Signal(RUN), Signal(_GUESS)
        linear, polynomial = predictions(before)
        outlier, own = Signal(), Signal()
        number = large[-WORKING_BITS:].as_signed()
        constant = zeros_below(m, others)
        m.d.comb += [
            others.eq(Cat(small[SMALL_BITS * k :][:SMALL_BITS].any() for k in range(RUN))),
            outlier.eq(kind == OUTLIER),
            own.eq(outlier & (number == -ESCAPE)),
            guess.eq(
                Mux(
                    outlier,
                    number,
                    Mux(kind == CONSTANT, before.a, Mux(kind == LINEAR, linear, polynomial)),
                )
            ),
            symbol.own.eq(own),
            symbol.single.eq(block.raw | others[0]),
            symbol.run.eq(Mux(symbol.single, 1, constant)),
            symbol.working.eq(guess),
            symbol.wrong.eq(~own & ((guess < codec.least) | (guess > codec.most))),
            symbol.bits.eq(
                Mux(
                    block.raw,
                    Mux(block.among, codec.width, 0),
                    Mux(outlier, Mux(own, WORKING_BITS + codec.width, WORKING_BITS), 0),
                )
            ),
            symbol.behind.eq(before),
        ]
        with m.If(~own):
            m.d.comb += [
                symbol.behind.a.eq(guess),
                symbol.behind.b.eq(before.a),
                # Two constant ones, or more, push all else out.
                symbol.behind.c.eq(Mux(others[0] | others[1], before.b, before.a)),
            ]
        return symbol

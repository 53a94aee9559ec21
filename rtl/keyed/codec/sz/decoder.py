"""Decodes SZ's blocks, two in turn."""

from amaranth.hdl import C, Cat, Module, Mux, Signal, signed
from amaranth.lib import data

from rtl.keyed.codec.block_format import BLOCK_BITS, COUNT_BITS
from rtl.keyed.codec.block_turns import BlockTurns, apart
from rtl.keyed.codec.serial_decoder import SerialDecoder
from rtl.keyed.codec.sz.interval import WORKING_BITS
from rtl.keyed.codec.sz.sz import CONSTANT, ESCAPE, LINEAR, OUTLIER, SMALL_BITS, predictions
from rtl.keyed.codec.sz.values import SzValues
from rtl.stream.shift import shifted_up
from rtl.stream.zeros import zeros_below

#: Values by the constant prediction that are taken together, at most.
RUN = 16
#: A prediction before it is looked at whether it is a working value.
_GUESS = signed(WORKING_BITS + 4)


class SzDecoder(SerialDecoder):
    """Decodes blocks of SZ, values with the constant prediction together.

    ::

        i --> small parts, large parts --> next symbol --> working value, times --> SzValues -+
              ^  a, b, c                   |                                                  |
              +---- minus a symbol, or several that are constant    value, times --> o <------+

    A step removes from the block one symbol, or up to 16 symbols that name the constant prediction.
    For instance 5 steps for the small parts ``3 0 0 0 0 0 1 2 0``: 3, five times 0, 1, 2, 0. A raw
    block takes a step for each value.

    Latency from a block to its first value 4 cycles. Initiation interval of a slot twice the steps
    of a block.

    Source: seed 000, sections 2.1 and 3.4.1.
    """

    latency = BlockTurns.latency + SzValues.latency
    run = RUN

    def __init__(self, codec, passenger=0):
        super().__init__(codec, passenger)
        self._values = SzValues(codec, data.StructLayout(self._step_members))

    def elaborate(self, platform):
        m = Module()
        m.submodules.turns = turns = BlockTurns()
        m.submodules.values = values = self._values
        first, less, loaded = (apart(self._block, n) for n in ("first", "less", "loaded"))
        second, known = apart(self._known, "second"), apart(self._known, "known")
        told = values.o.p.passenger
        m.d.comb += [
            turns.i.valid.eq(self.i.valid),
            self.i.ready.eq(turns.i.ready),
            turns.ends.eq(second.ends),
            values.i.valid.eq(turns.o.valid),
            turns.o.ready.eq(values.i.ready),
            values.i.p.passenger.slot.eq(turns.o.p),
            self.o.valid.eq(values.o.valid),
            values.o.ready.eq(self.o.ready),
            self.o.p.value.eq(values.o.p.value),
            *(self.o.p[name].eq(told[name]) for name in ("times", "last", "slot", "passenger")),
            self.o.p.error.eq(told.error & told.last),
        ]
        self._look(m, first, known)
        self._take(m, second, less, values.i.p)
        m.d.comb += self._load(self.i.p, loaded)
        with m.If(turns.moves):
            for name, held in vars(second).items():
                m.d.sync += held.eq(vars(known)[name])
            for name, held in vars(first).items():
                m.d.sync += held.eq(Mux(turns.passes, vars(less)[name], vars(loaded)[name]))
        return m

    @property
    def _room(self):
        """Bits of a coded block behind its seed."""
        form = self._codec.format
        return BLOCK_BITS - form.head_bits - form.seed_bits

    @property
    def _block(self):
        """A block that is decoded: its ``large`` and its ``small`` parts, ``room`` for them.

        ``left`` and ``skip``, values. Behind its ``first`` value one that is ``raw`` is ``among``
        its values. The working values ``before``.
        """
        codec = self._codec
        parts = {"large": BLOCK_BITS - codec.width, "small": self._room}
        counts = {"left": COUNT_BITS, "skip": COUNT_BITS, "room": signed(COUNT_BITS + 1)}
        kind = {"raw": 1, "among": 1, "error": 1, "first": codec.width}
        beside = {"last": 1, "passenger": self.i.p.passenger.shape(), "before": codec.state}
        return data.StructLayout({**parts, **counts, **kind, **beside})

    @property
    def _known(self):
        """The same, and what comes next: values ``taken``, the block's end if it ``ends`` there.

        ``single``: no constant one. ``bits`` of its large part, and ``run``, small parts. The
        working value ``guess``, unless it is its ``own``. ``same``: two constant ones, or more.
        """
        step = {"taken": range(RUN + 1), "ends": 1, "run": range(RUN + 1), "single": 1}
        value = {"own": 1, "guess": _GUESS, "same": 1}
        bits = {"bits": range(WORKING_BITS + self._codec.width + 1)}
        return data.StructLayout({**self._block.members, **step, **value, **bits})

    def _look(self, m, block, known):
        """What comes next in the block."""
        codec, before = self._codec, block.before
        kind, others, run = block.small[:SMALL_BITS], Signal(RUN), Signal(range(RUN + 1))
        linear, polynomial = predictions(before)
        outlier, number = Signal(), block.large[-WORKING_BITS:].as_signed()
        guess = Mux(kind == CONSTANT, before.a, Mux(kind == LINEAR, linear, polynomial))
        large = Mux(known.own, WORKING_BITS + codec.width, WORKING_BITS)
        m.d.comb += [
            *(vars(known)[name].eq(bits) for name, bits in vars(block).items()),
            others.eq(Cat(block.small[SMALL_BITS * k :][:SMALL_BITS].any() for k in range(RUN))),
            outlier.eq(kind == OUTLIER),
            run.eq(zeros_below(m, others)),
            known.single.eq(block.raw | others[0]),
            known.run.eq(Mux(known.single, 1, run)),
            known.taken.eq(Mux(known.single, 1, Mux(run > block.left, block.left, run))),
            known.ends.eq(Mux(known.single, block.left <= 1, block.left <= run)),
            known.own.eq(outlier & (number == -ESCAPE)),
            known.guess.eq(Mux(outlier, number, guess)),
            known.same.eq(~(others[0] | others[1])),
            known.bits.eq(Mux(block.raw, Mux(block.among, codec.width, 0), Mux(outlier, large, 0))),
        ]

    def _take(self, m, known, less, worked):
        """Takes it off: the block ``less`` that, and the value before it is one."""
        codec, step, before = self._codec, worked.passenger, known.before
        wanted, wrong = Signal(signed(COUNT_BITS + 1)), Signal()
        used = Mux(known.single, SMALL_BITS + known.bits, Cat(C(0, 1), known.taken))
        raw = Mux(known.among, known.large[-codec.width :], known.first)
        beyond = (known.guess < codec.least) | (known.guess > codec.most)
        m.d.comb += [
            # Less than nothing: all that are taken are to be skipped.
            wanted.eq(known.taken - known.skip),
            wrong.eq(~known.raw & ((~known.own & beyond) | less.room[-1])),
            *(vars(less)[n].eq(vars(known)[n]) for n in ("raw", "first", "last", "passenger")),
            less.small.eq(shifted_up(m, known.small[::-1], Cat(C(0, 1), known.run))[::-1]),
            less.large.eq(self._behind(m, known.large, known.bits)),
            less.room.eq(known.room - used),
            less.left.eq(known.left - known.taken),
            less.skip.eq(Mux(wanted[-1], known.skip - known.taken, 0)),
            less.among.eq(known.raw),
            less.error.eq(known.error | wrong),
            less.before.eq(before),
            worked.own.eq(known.raw | known.own),
            worked.value.eq(Mux(known.raw, raw, known.large[:-WORKING_BITS][-codec.width :])),
            worked.working.eq(known.guess),
            step.times.eq(Mux(wanted[-1], 0, wanted)),
            step.last.eq(known.ends),
            step.error.eq(known.error | wrong),
            step.passenger.last.eq(known.last),
            step.passenger.passenger.eq(known.passenger),
        ]
        with m.If(~known.own):
            m.d.comb += [
                less.before.a.eq(known.guess),
                less.before.b.eq(before.a),
                # Two constant ones, or more, push all else out.
                less.before.c.eq(Mux(known.same, before.a, before.b)),
            ]

    def _load(self, goes, block):
        """Statements: a block as it comes."""
        room = self._room
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
            block.small.eq(behind),
            block.large.eq(Mux(goes.coded, behind << len(block.large) - room, goes.block)),
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

"""Decodes SZ's blocks, two in turn."""

from amaranth.hdl import C, Cat, Module, Mux, Signal, signed
from amaranth.lib import data

from rtl.keyed.codec.block_format import BLOCK_BITS, COUNT_BITS
from rtl.keyed.codec.block_turns import BlockTurns, member_signals
from rtl.keyed.codec.serial_decoder import SerialDecoder
from rtl.keyed.codec.sz.interval import WORKING_BITS
from rtl.keyed.codec.sz.sz import CONSTANT, LINEAR, OUTLIER, SMALL_BITS, predictions
from rtl.keyed.codec.sz.values import SzValues
from rtl.stream.shift import shifted_up
from rtl.stream.zeros import zeros_below

#: Maximum count of values with the constant prediction in one step.
RUN = 16
#: Bits by which a prediction may be wider than a working value.
_GUESS_BITS = 4


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
        first, remaining, loaded = (
            member_signals(self._block, n) for n in ("first", "remaining", "loaded")
        )
        second = member_signals(self._parsed, "second")
        parsed = member_signals(self._parsed, "parsed")
        info = values.o.p.passenger
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
            *(self.o.p[name].eq(info[name]) for name in ("times", "last", "slot", "passenger")),
            self.o.p.error.eq(info.error & info.last),
        ]
        self._parse(m, first, parsed)
        self._remove_step(m, second, remaining, values.i.p)
        m.d.comb += self._load(self.i.p, loaded)
        with m.If(turns.advance):
            for name, register in vars(second).items():
                m.d.sync += register.eq(vars(parsed)[name])
            for name, register in vars(first).items():
                m.d.sync += register.eq(
                    Mux(turns.recirculate, vars(remaining)[name], vars(loaded)[name])
                )
        return m

    @property
    def _room(self):
        """Bits of a coded block after its seed."""
        form = self._codec.format
        return BLOCK_BITS - form.head_bits - form.seed_bits

    @property
    def _block(self):
        """Layout of a block in a stage.

        The undecoded ``large`` and ``small`` parts, and ``room``, the bits that both have left in
        the block, negative if a part is too long; ``values_left`` and ``skip``, the values to
        decode and to skip. After the ``first`` value of a ``raw`` block ``at_raw_value`` is high.
        ``last_values``, the last three working values.
        """
        codec = self._codec
        parts = {"large": BLOCK_BITS - codec.width, "small": self._room}
        counts = {"values_left": COUNT_BITS, "skip": COUNT_BITS, "room": signed(COUNT_BITS + 1)}
        kind = {"raw": 1, "at_raw_value": 1, "error": 1, "first": codec.width}
        info_members = {
            "last": 1,
            "passenger": self.i.p.passenger.shape(),
            "last_values": codec.state,
        }
        return data.StructLayout({**parts, **counts, **kind, **info_members})

    @property
    def _parsed(self):
        """Layout of a block in the second stage, with its next step.

        ``value_count`` of the step; ``ends`` is high if the block ends with the step; ``single`` is
        high if the step is not a run of constant predictions. ``bits``, the length of the large
        part, and ``run``, the number of small parts. ``guess``, the working value in ``scale``,
        unless ``is_escape`` is high. ``two_constant`` is high for two constant predictions or more.
        """
        guess = signed(self._codec.working_bits + _GUESS_BITS)
        step = {"value_count": range(RUN + 1), "ends": 1, "run": range(RUN + 1), "single": 1}
        value = {"is_escape": 1, "guess": guess, "scale": self._codec.scale_bits}
        value["two_constant"] = 1
        bits = {"bits": range(WORKING_BITS + self._codec.width + 1)}
        return data.StructLayout({**self._block.members, **step, **value, **bits})

    def _parse(self, m, block, parsed):
        """Parses the next step of the block."""
        codec = self._codec
        last_values = block.last_values
        kind = block.small[:SMALL_BITS]
        other_kinds = Signal(RUN)
        run = Signal(range(RUN + 1))
        linear, polynomial = predictions(last_values)
        outlier = Signal()
        number, scale, is_escape = codec.outlier(block.large)
        guess = Mux(kind == CONSTANT, last_values.a, Mux(kind == LINEAR, linear, polynomial))
        large = Mux(parsed.is_escape, WORKING_BITS + codec.width, WORKING_BITS)
        m.d.comb += [
            *(vars(parsed)[name].eq(bits) for name, bits in vars(block).items()),
            other_kinds.eq(
                Cat(block.small[SMALL_BITS * k :][:SMALL_BITS].any() for k in range(RUN))
            ),
            outlier.eq(kind == OUTLIER),
            run.eq(zeros_below(m, other_kinds)),
            parsed.single.eq(block.raw | other_kinds[0]),
            parsed.run.eq(Mux(parsed.single, 1, run)),
            parsed.value_count.eq(
                Mux(parsed.single, 1, Mux(run > block.values_left, block.values_left, run))
            ),
            parsed.ends.eq(Mux(parsed.single, block.values_left <= 1, block.values_left <= run)),
            parsed.is_escape.eq(outlier & is_escape),
            parsed.guess.eq(Mux(outlier, number, guess)),
            parsed.scale.eq(Mux(outlier, scale, codec.scale_of(last_values))),
            parsed.two_constant.eq(~(other_kinds[0] | other_kinds[1])),
            parsed.bits.eq(
                Mux(block.raw, Mux(block.at_raw_value, codec.width, 0), Mux(outlier, large, 0))
            ),
        ]

    def _remove_step(self, m, parsed, remaining, working_out):
        """Removes the step from the block, and outputs the working value."""
        codec = self._codec
        step = working_out.passenger
        last_values = parsed.last_values
        output_count = Signal(signed(COUNT_BITS + 1))
        invalid = Signal()
        used_bits = Mux(parsed.single, SMALL_BITS + parsed.bits, Cat(C(0, 1), parsed.value_count))
        raw = Mux(parsed.at_raw_value, parsed.large[-codec.width :], parsed.first)
        out_of_range = self._is_out_of_range(parsed)
        m.d.comb += [
            # Negative if all values of the step are skipped.
            output_count.eq(parsed.value_count - parsed.skip),
            invalid.eq(~parsed.raw & ((~parsed.is_escape & out_of_range) | remaining.room[-1])),
            *(
                vars(remaining)[n].eq(vars(parsed)[n])
                for n in ("raw", "first", "last", "passenger")
            ),
            remaining.small.eq(shifted_up(m, parsed.small[::-1], Cat(C(0, 1), parsed.run))[::-1]),
            remaining.large.eq(self._without_first(m, parsed.large, parsed.bits)),
            remaining.room.eq(parsed.room - used_bits),
            remaining.values_left.eq(parsed.values_left - parsed.value_count),
            remaining.skip.eq(Mux(output_count[-1], parsed.skip - parsed.value_count, 0)),
            remaining.at_raw_value.eq(parsed.raw),
            remaining.error.eq(parsed.error | invalid),
            remaining.last_values.eq(last_values),
            working_out.is_escape.eq(parsed.raw | parsed.is_escape),
            working_out.value.eq(
                Mux(parsed.raw, raw, parsed.large[:-WORKING_BITS][-codec.width :])
            ),
            working_out.working.eq(parsed.guess),
            working_out.scale.eq(parsed.scale),
            step.times.eq(Mux(output_count[-1], 0, output_count)),
            step.last.eq(parsed.ends),
            step.error.eq(parsed.error | invalid),
            step.passenger.last.eq(parsed.last),
            step.passenger.passenger.eq(parsed.passenger),
        ]
        with m.If(~parsed.is_escape):
            m.d.comb += self._next_values(parsed, remaining.last_values)

    def _is_out_of_range(self, parsed):
        """Returns a bit that is high if no value has the working value."""
        return (parsed.guess < self._codec.least) | (parsed.guess > self._codec.most)

    def _next_values(self, parsed, last_values):
        """Returns statements that set the last working values after a step."""
        previous = parsed.last_values
        return [
            last_values.a.eq(parsed.guess),
            last_values.b.eq(previous.a),
            # Two or more constant predictions make a, b and c equal.
            last_values.c.eq(Mux(parsed.two_constant, previous.a, previous.b)),
        ]

    def _load(self, source, block):
        """Returns statements that load a block from the input."""
        room = self._room
        seed = source.block[room : -self._codec.format.head_bits]
        after_seed = source.block[:room]
        broken = source.coded & (source.count == 0)
        return [
            block.values_left.eq(source.count | broken),
            block.skip.eq(source.skip),
            block.room.eq(room),
            block.raw.eq(~source.coded),
            block.at_raw_value.eq(0),
            block.error.eq(broken),
            block.first.eq(source.block[-self._codec.width :]),
            block.last.eq(source.last),
            block.passenger.eq(source.passenger),
            block.last_values.as_value().eq(seed),
            block.small.eq(after_seed),
            block.large.eq(Mux(source.coded, after_seed << len(block.large) - room, source.block)),
        ]

    def _without_first(self, m, large, bits):
        """Returns the large parts without the first ``bits``: four cases cost less than a shift."""
        width = self._codec.width
        shifted = Signal.like(large)
        m.d.comb += shifted.eq(large)
        with m.Switch(bits):
            for number in sorted({width, WORKING_BITS, WORKING_BITS + width}):
                with m.Case(number):
                    m.d.comb += shifted.eq(large << number)
        return shifted

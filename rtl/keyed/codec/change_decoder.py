"""Decodes blocks of codecs whose symbols contain the difference to the value before."""

from abc import abstractmethod

from amaranth.hdl import Cat, Module, Mux, Signal, Value
from amaranth.lib import data, wiring

from rtl.keyed.codec.block_format import BLOCK_BITS, COUNT_BITS
from rtl.keyed.codec.block_turns import BlockTurns, member_signals
from rtl.keyed.codec.codec import Codec
from rtl.keyed.codec.serial_decoder import SerialDecoder
from rtl.network.slot_reduction import SLOTS
from rtl.stream.beat import wire
from rtl.stream.register import StreamRegister
from rtl.stream.shift import shifted_up
from rtl.stream.zeros import zeros_below

#: Maximum count of equal values in one step.
RUN = 16


class ChangeCodec(Codec):
    """A codec with a symbol of one bit, 0, for a value equal to the value before.

    Every other symbol begins with 1 and contains the bits of a difference. The seed of a block is
    its first value and, in lower bits, the decoder's *state*: settings by earlier symbols for later
    symbols, such as the window of :class:`~rtl.keyed.codec.xor.Xor`.
    """

    @property
    @abstractmethod
    def state(self):
        """Layout of the state."""

    @abstractmethod
    def first_state(self, seed):
        """Returns the state at the first value, as a dict, from the bits of the seed below it."""

    @property
    @abstractmethod
    def position(self):
        """Layout of the position of a difference's bits within a value."""

    @property
    @abstractmethod
    def value_position(self):
        """Dict of the position for bits that are a value."""

    @property
    @abstractmethod
    def zero_position(self):
        """Dict of the members of the position that make a difference 0."""

    @abstractmethod
    def symbol(self, m, undecoded, state):
        """Returns the symbol at the beginning of ``undecoded``, as a dict by :func:`symbol_layout`.

        ``undecoded`` is the undecoded part of a block, its highest bit first, and begins with 1.
        """

    @abstractmethod
    def difference(self, m, bits, position):
        """Returns the difference, from its bits and their position."""

    @abstractmethod
    def changed(self, value, difference):
        """Returns the value after ``value``."""


def symbol_layout(codec):
    """Layout of a symbol that changes the value.

    ``length`` of the symbol; ``bits`` of the difference, from the first bit on, and their
    ``position``; ``changes_state`` is high if the symbol changes the state, to ``state``;
    ``invalid`` is high if no value has the symbol.
    """
    members = {"bits": codec.width, "position": codec.position, "state": codec.state}
    length = range(codec.format.large_max + 1)
    return data.StructLayout({"length": length, **members, "changes_state": 1, "invalid": 1})


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
    #: Members of a block that the second stage passes on unchanged.
    _constant = ("raw", "state", "first", "last", "passenger")

    def __init__(self, codec, passenger=0):
        super().__init__(codec, passenger)
        step = self._step_members
        self._placed = data.StructLayout({"bits": codec.width, "is_first": 1, **step})

    def elaborate(self, platform):
        m = Module()
        m.submodules.turns = turns = BlockTurns()
        m.submodules.placed = placed = StreamRegister(self._placed)
        m.submodules.values_out = values_out = StreamRegister(self.o.p.shape())
        first, remaining, loaded = (
            member_signals(self._block, n) for n in ("first", "remaining", "loaded")
        )
        second = member_signals(self._parsed, "second")
        parsed = member_signals(self._parsed, "parsed")
        m.d.comb += [
            turns.i.valid.eq(self.i.valid),
            self.i.ready.eq(turns.i.ready),
            turns.ends.eq(second.ends),
            placed.i.valid.eq(turns.o.valid),
            turns.o.ready.eq(placed.i.ready),
            placed.i.p.slot.eq(turns.o.p),
            values_out.i.valid.eq(placed.o.valid),
            placed.o.ready.eq(values_out.i.ready),
        ]
        wiring.connect(m, values_out.o, wiring.flipped(self.o))
        m.d.comb += [*self._parse(m, first, parsed), *self._load(self.i.p, loaded)]
        self._remove_step(m, second, remaining, placed.i.p)
        with m.If(turns.advance):
            for name, register in vars(second).items():
                m.d.sync += register.eq(vars(parsed)[name])
            for name, register in vars(first).items():
                m.d.sync += register.eq(
                    Mux(turns.recirculate, vars(remaining)[name], vars(loaded)[name])
                )
        self._apply_difference(m, placed, values_out)
        return m

    @property
    def _block(self):
        """Layout of a block in a stage.

        ``undecoded`` bits; ``room``, the number of undecoded bits that are no filling;
        ``values_left`` and ``skip``, the values to decode and to skip. At the ``first`` value both
        flags are low; then ``at_raw_value`` is high for a ``raw`` block and ``at_symbol`` for a
        coded block. ``state`` of the codec.
        """
        undecoded = BLOCK_BITS - self._codec.width
        counts = {"room": range(undecoded + 1), "values_left": COUNT_BITS, "skip": COUNT_BITS}
        state = {"state": self._codec.state}
        info = {"error": 1, "last": 1, "passenger": self._passenger_shape}
        kind = {"raw": 1, "at_raw_value": 1, "at_symbol": 1, "first": self._codec.width}
        return data.StructLayout({"undecoded": undecoded, **counts, **kind, **state, **info})

    @property
    def _passenger_shape(self):
        """Shape of the passenger of a block."""
        return self.i.p.passenger.shape()

    @property
    def _parsed(self):
        """Layout of a block in the second stage, with its next step.

        ``value_count`` of the step; ``ends`` is high if the block ends with the step. ``length``,
        the shift amount, and ``used``, the bits of the step, which are fewer than ``length`` if a
        run reaches into the filling after the last symbol. ``bits`` of the difference, from the
        first bit on, and their ``position``. ``invalid`` is high if no value has the symbol.
        """
        lengths = {"length": range(self._longest + 1), "used": range(self._longest + 1)}
        bits = {"bits": self._codec.width, "position": self._codec.position}
        step = {"value_count": range(RUN + 1), "ends": 1, **lengths, **bits, "invalid": 1}
        return data.StructLayout({**self._block.members, **step})

    @property
    def _longest(self):
        """Maximum count of bits that a step removes."""
        return max(self._codec.format.large_max, self._codec.width, RUN)

    def _parse(self, m, block, parsed):
        """Returns statements that parse the next step of the block."""
        width = self._codec.width
        undecoded = block.undecoded
        symbol = Signal(symbol_layout(self._codec))
        m.d.comb += wire(symbol, self._codec.symbol(m, undecoded, block.state))
        run = Signal(range(RUN + 1))
        changes_value = Signal()
        single_value = Signal()
        m.d.comb += [
            changes_value.eq(undecoded[-1]),
            run.eq(zeros_below(m, Cat(*reversed(undecoded[-RUN:])))),
            single_value.eq(~block.at_symbol | changes_value),
        ]
        bits = Mux(
            block.at_symbol, symbol.bits, Mux(block.at_raw_value, undecoded[-width:], block.first)
        )
        symbol_length = Mux(changes_value, symbol.length, run)
        value_count = Mux(run > block.values_left, block.values_left, run)
        return [
            *(vars(parsed)[name].eq(bits) for name, bits in vars(block).items() if name != "state"),
            parsed.length.eq(
                Mux(block.at_symbol, symbol_length, Mux(block.at_raw_value, width, 0))
            ),
            parsed.used.eq(Mux(changes_value, parsed.length, parsed.value_count)),
            parsed.value_count.eq(Mux(single_value, 1, value_count)),
            parsed.ends.eq(Mux(single_value, block.values_left <= 1, block.values_left <= run)),
            parsed.bits.eq(bits),
            *self._position(parsed.position, symbol.position, block.at_symbol, changes_value),
            parsed.invalid.eq(changes_value & symbol.invalid),
            parsed.state.eq(
                Mux(
                    block.at_symbol & changes_value & symbol.changes_state,
                    Value.cast(symbol.state),
                    block.state,
                )
            ),
        ]

    def _remove_step(self, m, parsed, remaining, step):
        """Removes the step from the block, and outputs the step."""
        room_left = Signal(len(parsed.room) + 1)
        output_count = Signal(10)
        skip_left = Signal(COUNT_BITS)
        invalid = Signal()
        m.d.comb += [
            # Negative if all values of the step are skipped.
            output_count.eq(parsed.value_count - parsed.skip),
            skip_left.eq(parsed.skip - parsed.value_count),
            room_left.eq(parsed.room - parsed.used),
            invalid.eq(parsed.at_symbol & (room_left[-1] | parsed.invalid)),
            remaining.undecoded.eq(shifted_up(m, parsed.undecoded, parsed.length)),
            remaining.room.eq(parsed.room - parsed.length),
            remaining.values_left.eq(parsed.values_left - parsed.value_count),
            remaining.skip.eq(Mux(output_count[-1], skip_left, 0)),
            remaining.at_symbol.eq(~parsed.raw),
            remaining.at_raw_value.eq(parsed.raw),
            remaining.error.eq(parsed.error | invalid),
            *(vars(remaining)[name].eq(vars(parsed)[name]) for name in self._constant),
            step.bits.eq(self._codec.difference(m, parsed.bits, parsed.position)),
            step.is_first.eq(~parsed.at_symbol),
            step.times.eq(Mux(output_count[-1], 0, output_count)),
            step.last.eq(self._is_last(parsed)),
            step.error.eq(parsed.error | invalid),
            step.passenger.last.eq(parsed.last),
            step.passenger.passenger.eq(parsed.passenger),
        ]

    def _is_last(self, parsed):
        """Returns a bit, high in a block's last step, which has ``last`` at ``o``."""
        return parsed.ends

    def _position(self, target, position, at_symbol, changes_value):
        """Returns statements for the position of the symbol, a zero difference, or a value."""
        codec = self._codec
        for name, of_value in codec.value_position.items():
            of_symbol = position[name]
            if name in codec.zero_position:
                of_symbol = Mux(changes_value, of_symbol, codec.zero_position[name])
            yield target[name].eq(Mux(at_symbol, of_symbol, of_value))

    def _load(self, source, block):
        """Returns statements that load a block from the input."""
        codec = self._codec
        top = BLOCK_BITS - self._codec.format.head_bits
        width = codec.width
        state_bits = codec.format.seed_bits - codec.width
        seed = source.block[top - width - state_bits : top]
        after_seed = source.block[: top - width - state_bits]
        broken = source.coded & (source.count == 0)
        return [
            block.values_left.eq(source.count | broken),
            block.skip.eq(source.skip),
            block.raw.eq(~source.coded),
            block.at_symbol.eq(0),
            block.at_raw_value.eq(0),
            block.first.eq(Mux(source.coded, seed[state_bits:], source.block[-width:])),
            block.error.eq(broken),
            *(
                block.state[name].eq(value)
                for name, value in codec.first_state(seed[:state_bits]).items()
            ),
            block.last.eq(source.last),
            block.passenger.eq(source.passenger),
            block.undecoded.eq(
                Mux(
                    source.coded, after_seed << len(block.undecoded) - len(after_seed), source.block
                )
            ),
            block.room.eq(len(after_seed)),
        ]

    def _apply_difference(self, m, source, target):
        """Applies the difference to the slot's previous value, and returns the previous value.

        With ``is_first``, at a block's first value and all values of a raw block, the bits are the
        value itself.
        """
        values = [
            Signal(self._codec.width, name=f"value{k}", reset_less=True) for k in range(SLOTS)
        ]
        step = source.o.p
        values_out = target.i.p
        previous_value = Mux(step.slot, values[1], values[0])
        m.d.comb += [
            values_out.value.eq(
                self._codec.changed(Mux(step.is_first, 0, previous_value), step.bits)
            ),
            *(values_out[name].eq(step[name]) for name in ("times", "last", "slot", "passenger")),
            values_out.error.eq(step.error & step.last),
        ]
        for k, value in enumerate(values):
            with m.If(source.o.valid & source.o.ready & (step.slot == k)):
                m.d.sync += value.eq(values_out.value)
        return previous_value

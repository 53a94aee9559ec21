"""Proves that blocks of SZ with scales decode to allowed working values, for narrow parts.

In each cycle the bench sends a value of one key to encoder and packer. Which working values are
allowed for the value is arbitrary, in two arbitrary scales that follow each other: the bench
replaces the computation of intervals, and checks no floating point. Once, after an arbitrary value,
it sends the growing block or the block that was closed last to the decoder. The claims are: the
decoder returns for each value an allowed working value in its scale, the value itself in a raw
block and for an escape, within a bounded number of cycles, and without an error.

Working values of 3 bits, scales of 2 bits and blocks of 40 bits show all cases: a block is closed
with its second to its eleventh value, a raw block follows, and an outlier keeps or changes the
scale.
"""

from contextlib import ExitStack, contextmanager
from unittest.mock import patch

from amaranth.hdl import Assert, Assume, Cat, ClockDomain, Module, Mux, Signal, Value, signed
from amaranth.lib import data, stream, wiring
from amaranth.lib.wiring import In, Out

from rtl.keyed.codec import block_format, packer
from rtl.keyed.codec.block_turns import BlockTurns
from rtl.keyed.codec.packer import Packer
from rtl.keyed.codec.sz import decoder, scaled, scaled_decoder, scaled_interval
from rtl.keyed.codec.sz.scaled import ScaledSz, ScaledSzEncoder
from rtl.keyed.codec.sz.scaled_decoder import ScaledSzDecoder
from rtl.keyed.codec.sz.scaled_interval import ScaledSzInterval, scaled_layout
from rtl.keyed.codec.sz.values import working_layout
from tb.formal.blocks import choice_layout, claim_counts, connected, send_block
from tb.formal.component_parts import ComponentParts

WIDTH, LARGEST = 8, 3
#: Small constants of the modules: a mark of 2 bits and a count of 5, words of 8 bits in the packer,
#: runs of 2 equal values, working values of 3 bits and scales of 2.
_BLOCKS = {
    "BLOCK_BITS": 40,
    "MARK": 0b10,
    "MARK_BITS": 2,
    "COUNT_BITS": 5,
    "HEAD_BITS": 7,
    "WORD_BITS": 8,
    "RUN": 2,
    "WIDTHS": (WIDTH,),
}
_SCALES = {
    "WORKING_BITS": 3,
    "WORKING": signed(3),
    "SCALE_BITS": 2,
    "SCALE_MIN": 1,
    "OUTLIER_BITS": 5,
    "ESCAPE": 4,
}
#: The decoder's own ``WORKING_BITS`` are the bits of an outlier.
_CONSTANTS = {
    block_format: _BLOCKS,
    packer: _BLOCKS,
    decoder: _BLOCKS | {"WORKING_BITS": 5},
    scaled: _SCALES,
    scaled_decoder: _SCALES,
    scaled_interval: _SCALES,
}


class NarrowCodec(ScaledSz):
    """The codec with working values of 3 bits and scales from 1 to 3."""

    working_bits, scale_bits = 3, 2
    least, most, scale_max = -LARGEST, LARGEST, 3


class PassedInterval(wiring.Component):
    """Passes on the allowed working values that accompany a value."""

    latency = 0

    def __init__(self, codec, passenger):
        source = {"value": WIDTH, "bound": codec.format.error_bound, "passenger": passenger}
        super().__init__(
            {
                "i": In(stream.Signature(data.StructLayout(source))),
                "o": Out(stream.Signature(scaled_layout(passenger))),
            }
        )

    def elaborate(self, platform):
        m = Module()
        item, o = self.i.p.passenger, self.o.p
        allowed = item.passenger
        m.d.comb += [
            self.o.valid.eq(self.i.valid),
            self.i.ready.eq(self.o.ready),
            o.passenger.eq(item),
            *(o[name].eq(allowed[name]) for name in allowed_shape().members if name != "value"),
        ]
        return m


class PassedValues(wiring.Component):
    """Outputs scale and working value of a value as a number, and the bits of an escape."""

    latency = 0

    def __init__(self, codec, passenger=0):
        output = data.StructLayout({"value": WIDTH, "passenger": passenger})
        super().__init__(
            {
                "i": In(stream.Signature(working_layout(codec, passenger))),
                "o": Out(stream.Signature(output)),
            }
        )

    def elaborate(self, platform):
        m = Module()
        item = self.i.p
        m.d.comb += [
            self.o.valid.eq(self.i.valid),
            self.i.ready.eq(self.o.ready),
            self.o.p.value.eq(Mux(item.is_escape, item.value, Cat(item.working, item.scale))),
            self.o.p.passenger.eq(item.passenger),
        ]
        return m


def allowed_shape():
    """Layout of a value and of the working values that are allowed for it."""
    members = dict(scaled_layout(0).members)
    del members["passenger"]
    return data.StructLayout({**members, "value": WIDTH})


@contextmanager
def _narrow(parts):
    """Replaces the constants of the modules, and the parts that compute with floating point.

    A mutated part has a module of its own, with other globals than the module of its name.
    """
    spaces = [(vars(module), constants) for module, constants in _CONSTANTS.items()]
    spaces += [(part.__init__.__globals__, _BLOCKS) for part in parts if part.__name__ == "Packer"]
    mutable = [(ScaledSzEncoder, "_encode"), (ScaledSzDecoder, "_is_out_of_range")]
    for part in parts:
        names = [name for cls, name in mutable if cls.__name__ == part.__name__]
        spaces += [(getattr(part, name).__globals__, _SCALES) for name in names]
    stubs = {"SzValues": PassedValues}
    with ExitStack() as stack:
        for space, constants in spaces:
            present = {name: new for name, new in (constants | stubs).items() if name in space}
            stack.enter_context(patch.dict(space, present))
        for part in parts:
            if part.__name__ == "ScaledSzEncoder":
                stack.enter_context(patch.object(part, "_interval_type", PassedInterval))
        yield


def scaled_bench(values, mutated=None):
    """Builds a bench that encodes and packs values of a key, and decodes one of the blocks.

    Parameters
    ----------
    values : int
        Number of values that the bench records.
    mutated : type or None
        Replaces the encoder or decoder with the same class name.

    Returns
    -------
    Module, tuple of Value
        The bench and its free ports.
    """
    parts = (ScaledSzEncoder, Packer, ScaledSzDecoder)
    if mutated is not None:
        parts = tuple(mutated if p.__name__ == mutated.__name__ else p for p in parts)
    m = Module()
    m.domains.sync = sync = ClockDomain(reset_less=True)  # starts in the reset state
    with _narrow(parts):
        codec, shape = NarrowCodec(WIDTH), allowed_shape()
        encoder_dut = parts[0](codec, 2, shape)
        packer_dut = parts[1](codec.format, 2, shape)
        decoder_dut = parts[2](codec)
        m.submodules.encoder = ComponentParts(encoder_dut).fragment
        m.submodules.packer = ComponentParts(packer_dut).fragment
        m.submodules.decoder = ComponentParts(decoder_dut).fragment
    value, started = Signal(shape, name="value"), Signal(name="started")
    m.d.sync += started.eq(1)
    m.d.comb += [
        *_assumptions(value),
        encoder_dut.i.p.value.eq(value.value),
        encoder_dut.i.p.passenger.eq(value),
        *connected(encoder_dut, packer_dut, decoder_dut, started),
    ]
    choice = Signal(choice_layout(values), name="choice")
    expected, cycles = send_block(
        m, packer_dut.o, decoder_dut, choice, values, _BLOCKS, Value.cast(value).shape()
    )
    _claim(m, decoder_dut, expected, cycles, shape)
    return m, (sync.clk, Value.cast(value), Value.cast(choice))


def cycles_of_scaled(values):
    """Returns the number of cycles in which :func:`scaled_bench` checks all claims."""
    encoder_latency = ScaledSzEncoder.latency - ScaledSzInterval.latency
    return encoder_latency + Packer.latency + values + BlockTurns.latency + 2 * values - 1


def _assumptions(value):
    """Returns statements that assume possible allowed working values.

    An interval has a nearest working value, the second scale is the scale above, and whatever is
    allowed in a scale has a counterpart in the natural scale.
    """
    statements = [
        Assume((value.scale >= 1) & (value.scale_above == (value.scale + 1)[:2])),
        Assume(value.natural.some | ~(value.coarse.some | value.zero)),
        Assume(value.coarse.some | ~value.zero),
    ]
    for allowed in (value.natural, value.coarse):
        low, nearest, high = allowed.low, allowed.nearest, allowed.high
        ordered = (low >= -LARGEST) & (low <= nearest) & (nearest <= high)
        none = ~(Value.cast(low).any() | Value.cast(nearest).any() | Value.cast(high).any())
        statements.append(Assume(Mux(allowed.some, ordered, none)))
    return statements


def _claim(m, decoder_dut, expected, cycles, shape):
    """Claims about values, number and order of what the decoder returns."""
    o = decoder_dut.o
    in_run = claim_counts(m, o, expected, cycles, BlockTurns.latency)
    for k in range(len(expected["values"])):
        record = data.View(shape, expected["values"][k])
        is_right = Mux(
            expected.coded & record.natural.some,
            _is_allowed(record, o.p.value),
            o.p.value == record.value,
        )
        m.d.comb += Assert(~in_run(k) | is_right)


def _is_allowed(record, value):
    """Returns a bit that is high if a decoded working value is allowed."""
    working, scale = value[:3].as_signed(), value[3:5]

    def within(allowed):
        return allowed.some & (working >= allowed.low) & (working <= allowed.high)

    natural = (scale == record.scale) & within(record.natural)
    coarse = (scale == record.scale_above) & within(record.coarse)
    return natural | coarse | (record.zero & (working == 0))

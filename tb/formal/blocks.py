"""Proves that blocks decode to the encoded values, for narrow encoders, packers and decoders.

In each cycle the bench sends an arbitrary value of one key to the encoder. From ``closes`` alone
the bench records the values of the growing block and of the block that was closed last. Once, after
an arbitrary value, it sends one of these two blocks to the decoder. The claims are: the decoder
returns the recorded values without the skipped ones, within a bounded number of cycles, and without
an error.

Values of 4 bits and blocks of 24 bits show all cases of values of 64 bits and blocks of 512: a
block may be closed with its second or its eighth value; the next block is raw, unless its first
value has the mark of a coded block; and windows, deltas and lengths reach their limits.
"""

from contextlib import ExitStack, contextmanager
from unittest.mock import patch

from amaranth.hdl import Assert, Assume, Cat, ClockDomain, Module, Mux, Signal, Value
from amaranth.lib import data

from rtl.keyed.codec.base_delta.base_delta import BaseDelta, BaseDeltaEncoder
from rtl.keyed.codec.base_delta.decoder import BaseDeltaDecoder
from rtl.keyed.codec.block_format import BlockFormat
from rtl.keyed.codec.change_decoder import ChangeDecoder
from rtl.keyed.codec.grid import Grid, GridEncoder
from rtl.keyed.codec.packer import Packer
from rtl.keyed.codec.xor import Xor, XorEncoder
from tb.formal.component_parts import ComponentParts

WIDTH = 4
#: Small values of the modules' constants: a mark of 2 bits and a count of 4, words of 8 bits in the
#: packer, groups of 2 deltas, and runs of 2 equal values.
NARROW = {
    "BLOCK_BITS": 24,
    "MARK": 0b10,
    "MARK_BITS": 2,
    "COUNT_BITS": 4,
    "HEAD_BITS": 6,
    "WORD_BITS": 8,
    "GROUP": 2,
    "RUN": 2,
    "WIDTHS": (WIDTH,),
}
#: Small constants of XOR: a bit encodes up to 1 leading zero, and length 4 is encoded as 0.
WINDOWS = {
    "LEADING_BITS": 1,
    "LENGTH_BITS": 2,
    "WINDOW_BITS": 3,
    "MOST_LEADING": 1,
    "MOST_LENGTH": 4,
    "NO_WINDOW": 0b100,
}
#: Small constants of the grid: numbers of 1 and 2 bits have short codes; length 4 is encoded as 0.
GRIDS = {
    "GRID_BITS": 2,
    "LENGTH_BITS": 2,
    "HEADER_BITS": 7,
    "MOST_LENGTH": 4,
    "SHORT": 1,
    "MIDDLE": 2,
}
#: For each name: codec, the codec's options, encoder, decoder, and small constants.
CODED = {
    "base-delta": (BaseDelta, {"delta_bits": 2}, BaseDeltaEncoder, BaseDeltaDecoder, {}),
    "xor": (Xor, {}, XorEncoder, ChangeDecoder, WINDOWS),
    "grid": (Grid, {}, GridEncoder, ChangeDecoder, GRIDS),
}


@contextmanager
def narrow(own_numbers, *classes):
    """Replaces constants in the modules of the classes and of the block formats.

    They are those of :data:`NARROW`, which not every codec has, and the codec's own numbers. Each
    of the own numbers must be in one of the modules: else the proof would have the large number.
    """
    numbers, replaced = NARROW | own_numbers, set()
    with ExitStack() as stack:
        for cls in (BlockFormat, *classes):
            method = vars(cls)["format"].fget if "format" in vars(cls) else cls.__init__
            module_globals = method.__globals__
            small = {name: number for name, number in numbers.items() if name in module_globals}
            stack.enter_context(patch.dict(module_globals, small))
            replaced |= small.keys()
        assert replaced >= own_numbers.keys(), own_numbers.keys() - replaced
        yield


def coded_bench(name, values, mutated=None):
    """Builds a bench that encodes and packs values of a key, and decodes one of the blocks.

    Parameters
    ----------
    name : str
        Name of the codec in :data:`CODED`.
    values : int
        Number of values that the bench records.
    mutated : type or None
        Replaces the encoder, packer or decoder with the same class name.

    Returns
    -------
    Module, tuple of Value
        The bench and its free ports.
    """
    codec, options, encoder, decoder, numbers = CODED[name]
    parts = (encoder, Packer, decoder)
    if mutated is not None:
        parts = tuple(mutated if p.__name__ == mutated.__name__ else p for p in parts)
    m = Module()
    m.domains.sync = sync = ClockDomain(reset_less=True)  # starts in the reset state
    with narrow(numbers, codec, *parts):
        encoder, packer, decoder = parts
        instance = codec(WIDTH, **options)
        encoder_dut, packer_dut, decoder_dut = (
            encoder(instance, 2, WIDTH),
            packer(instance.format, 2, WIDTH),
            decoder(instance),
        )
        m.submodules.encoder = ComponentParts(encoder_dut).fragment
        m.submodules.packer = ComponentParts(packer_dut).fragment
        m.submodules.decoder = ComponentParts(decoder_dut).fragment
    value = Signal(WIDTH, name="value")
    entry = Signal(name="entry")
    started = Signal(name="began")
    last_entry = Signal(name="was")
    m.d.sync += [started.eq(1), last_entry.eq(entry)]
    m.d.comb += [
        Assume(~started | (entry == last_entry)),
        encoder_dut.i.p.entry.eq(entry),
        encoder_dut.i.p.value.eq(value),
        encoder_dut.i.p.passenger.eq(value),
        *connected(encoder_dut, packer_dut, decoder_dut, started),
    ]
    choice = Signal(choice_layout(values), name="choice")
    expected, cycles = send_block(m, packer_dut.o, decoder_dut, choice, values, NARROW, WIDTH)
    if "times" in decoder_dut.o.p.shape().members:
        _claim_serial(m, decoder_dut, expected, cycles)
    else:
        _claim_parallel(m, decoder_dut, expected, cycles)
    return m, (sync.clk, value, entry, Value.cast(choice))


def connected(encoder_dut, packer_dut, decoder_dut, started):
    """Returns statements that send a value to the encoder in each cycle, and its symbol on.

    The packer and the decoder never wait. The first value, in the cycle before ``started``, begins
    its key.
    """
    return [
        encoder_dut.i.valid.eq(1),
        encoder_dut.i.p.fresh.eq(~started),
        encoder_dut.i.p.valid.eq(1),
        packer_dut.i.valid.eq(encoder_dut.o.valid),
        encoder_dut.o.ready.eq(packer_dut.i.ready),
        Value.cast(packer_dut.i.p).eq(Value.cast(encoder_dut.o.p)),
        packer_dut.o.ready.eq(1),
        decoder_dut.o.ready.eq(1),
    ]


def choice_layout(values):
    """Layout of the free choice of a block for the decoder, see :func:`send_block`."""
    return data.StructLayout({"take": 1, "closed": 1, "last": 1, "skip": range(values + 1)})


def cycles_of(name, values):
    """Returns the number of cycles in which :func:`coded_bench` checks all claims."""
    _, _, encoder, decoder, _ = CODED[name]
    return encoder.latency + Packer.latency + values + decoder.latency + _steps(decoder, values)


def _steps(decoder, values):
    """Returns a bound on a serial decoder's cycles for a block: one step every two cycles."""
    return 2 * values - 1 if hasattr(decoder, "run") else 0


def send_block(m, packed, decoder_dut, choice, values, constants, record):
    """Sends a block to the decoder.

    ``constants`` of the modules, as :data:`NARROW`. The bench records the passenger of each value,
    of the shape ``record``.

    Returns the block's recorded contents, and the number of cycles since the block was sent.
    """
    numbers, number = data.ArrayLayout(record, values), range(values + 1)
    members = {"values": numbers, "count": number, "skip": number, "last": 1, "coded": 1}
    contents = data.StructLayout(members)
    growing, next_growing, sent, expected = (
        Signal(contents, name=name) for name in ("growing", "grown", "goes", "asked")
    )
    recorded_count, cycles, sends, older = Signal(number), Signal(range(32)), Signal(), Signal()
    o, block, starts_block = (
        packed.p,
        Signal.like(packed.p.growing),
        packed.p.closes | packed.p.fresh,
    )
    m.d.comb += [
        next_growing.count.eq(Mux(starts_block, 1, growing.count + 1)),
        sends.eq(packed.valid & choice.take & ~cycles.any() & (recorded_count < values)),
        older.eq(o.closes & choice.closed),
        block.eq(Mux(older, o.closed_block, o.growing)),
        sent.eq(Mux(older, growing, next_growing)),
        sent.skip.eq(choice.skip),
        sent.last.eq(choice.last),
        sent.coded.eq(decoder_dut.i.p.coded),
        decoder_dut.i.valid.eq(sends),
        decoder_dut.i.p.block.eq(block),
        decoder_dut.i.p.coded.eq(block[-constants["MARK_BITS"] :] == constants["MARK"]),
        decoder_dut.i.p.count.eq(Mux(older, growing.count, o.count)),
        decoder_dut.i.p.skip.eq(sent.skip),
        decoder_dut.i.p.last.eq(sent.last),
        Assume(~sends | (sent.skip <= sent.count)),
        Assert(~sends | decoder_dut.i.ready),
        Assert(~packed.valid | (recorded_count == values) | (o.count == next_growing.count)),
    ]
    for k in range(values):
        m.d.comb += next_growing["values"][k].eq(
            Mux(next_growing.count == k + 1, o.passenger, growing["values"][k])
        )
    with m.If(packed.valid & (recorded_count < values)):
        m.d.sync += [recorded_count.eq(recorded_count + 1), growing.eq(next_growing)]
    with m.If(sends):
        m.d.sync += [cycles.eq(1), expected.eq(sent)]
    with m.Elif(cycles.any()):
        m.d.sync += cycles.eq(cycles + ~cycles.all())
    return expected, cycles


def claim_counts(m, o, expected, cycles, latency):
    """Claims about number and order of the values that a decoder returns in sequence.

    Returns a function of k: the run at ``o`` has value k of the block. All values leave within
    ``latency`` and two cycles for each value.
    """
    place = Signal(range(len(expected["values"]) + 1))  # number of values before the run
    next_place = Signal(6)
    is_complete = Signal()
    with m.If(o.valid):
        m.d.sync += [place.eq(next_place), is_complete.eq(o.p.last)]
    m.d.comb += [
        next_place.eq(place + o.p.times),
        Assert(~o.valid | (cycles.any() & ~is_complete & ~o.p.error)),
        Assert(~o.valid | (next_place + expected.skip <= expected.count)),
        Assert(~o.valid | ~o.p.last | (next_place + expected.skip == expected.count)),
        Assert(~o.valid | (o.p.passenger.last == expected.last)),
        Assert(is_complete | (cycles + 1 < latency + 2 * expected.count)),
    ]
    return lambda k: o.valid & (place + expected.skip <= k) & (next_place + expected.skip > k)


def _claim_serial(m, decoder_dut, expected, cycles):
    """Claims about a decoder that returns values or runs of equal values in sequence."""
    o = decoder_dut.o
    in_run = claim_counts(m, o, expected, cycles, decoder_dut.latency)
    for k in range(len(expected["values"])):
        m.d.comb += Assert(~in_run(k) | (o.p.value == expected["values"][k]))


def _claim_parallel(m, decoder_dut, expected, cycles):
    """Claims about a decoder that returns all values at once, after the latency."""
    o = decoder_dut.o
    lanes = range(len(o.p.valid))
    valid_lanes = Cat((expected.skip <= k) & (expected.count > k) for k in lanes)
    m.d.comb += [
        Assert(o.valid == (cycles == decoder_dut.latency)),
        Assert(~o.valid | ((o.p.valid == valid_lanes) & (o.p.last == expected.last))),
        Assert(~o.valid | ~o.p.passenger.error),
    ]
    for k in range(len(expected["values"])):
        m.d.comb += Assert(~o.valid | ~valid_lanes[k] | (o.p.tuples[k] == expected["values"][k]))

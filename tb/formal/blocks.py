"""What comes out of blocks is what went in: encoder, packer and decoder, made narrow.

The bench lets a value of one key in, any one, in each cycle. It keeps those of the block that
grows, and of the one closed last, by ``closes`` alone. Once, after any value up to the last, it
gives one of these two blocks to the decoder, and claims that it becomes these values, and in how
many cycles, which values are skipped, and that nothing is an error. Values of 4 bits and blocks of
24 have all that those of 64 and 512 have: a block is closed with its second value, or with its
eighth; the next one is raw, or, where its first value begins as a coded one, not; and windows,
deltas and lengths come to their ends.
"""

from contextlib import ExitStack, contextmanager
from unittest.mock import patch

from amaranth.hdl import Assert, Assume, Cat, ClockDomain, Module, Mux, Signal, Value
from amaranth.lib import data

from rtl.keyed.codec.base_delta import BaseDelta, BaseDeltaEncoder
from rtl.keyed.codec.base_delta_decoder import BaseDeltaDecoder
from rtl.keyed.codec.block_format import BlockFormat
from rtl.keyed.codec.change_decoder import ChangeDecoder
from rtl.keyed.codec.grid import Grid, GridEncoder
from rtl.keyed.codec.packer import Packer
from rtl.keyed.codec.xor import Xor, XorEncoder
from tb.formal.inside import Inside

WIDTH = 4
#: The numbers of the modules, made small: a mark of 2 bits and a count of 5; words of a byte in the
#: packer, groups of 2 deltas, and 2 equal values together.
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
#: Of XOR: up to 1 leading zero is told, in a bit, and a length of 4 is 0.
WINDOWS = {
    "LEADING_BITS": 1,
    "LENGTH_BITS": 2,
    "WINDOW_BITS": 3,
    "MOST_LEADING": 1,
    "MOST_LENGTH": 4,
    "NO_WINDOW": 0b100,
}
#: Of the grid: numbers of 1 and 2 bits are short ones, and a length of 4 is 0.
GRIDS = {
    "GRID_BITS": 2,
    "LENGTH_BITS": 2,
    "TOLD_BITS": 7,
    "MOST_LENGTH": 4,
    "SHORT": 1,
    "MIDDLE": 2,
}
#: By name the codec, what it takes beside the width, its encoder and decoder, and its numbers.
CODED = {
    "base-delta": (BaseDelta, {"delta_bits": 2}, BaseDeltaEncoder, BaseDeltaDecoder, {}),
    "xor": (Xor, {}, XorEncoder, ChangeDecoder, WINDOWS),
    "grid": (Grid, {}, GridEncoder, ChangeDecoder, GRIDS),
}


@contextmanager
def narrow(numbers, *classes):
    """Within it the classes, and formats, see these numbers under their names."""
    with ExitStack() as stack:
        for cls in (BlockFormat, *classes):
            known = vars(cls)["format"].fget if "format" in vars(cls) else cls.__init__
            names = known.__globals__
            small = {name: number for name, number in numbers.items() if name in names}
            stack.enter_context(patch.dict(names, small))
        yield


def coded_bench(name, values, mutated=None):
    """Values of a key through an encoder and a packer, and a block of theirs through a decoder.

    Parameters
    ----------
    name : str
        Of the codec, in :data:`CODED`.
    values : int
        How many are looked at.
    mutated : type or None
        In place of the part that has its name.

    Returns
    -------
    Module, tuple of Value
        The bench and its free ports.
    """
    codec, built, encoder, decoder, numbers = CODED[name]
    parts = (encoder, Packer, decoder)
    if mutated is not None:
        parts = tuple(mutated if p.__name__ == mutated.__name__ else p for p in parts)
    m = Module()
    m.domains.sync = sync = ClockDomain(reset_less=True)  # begins as behind a reset
    with narrow(NARROW | numbers, codec, *parts):
        encoder, packer, decoder = parts
        made = codec(WIDTH, **built)
        source, packs, decodes = (
            encoder(made, 2, WIDTH),
            packer(made.format, 2, WIDTH),
            decoder(made),
        )
        m.submodules.encoder = Inside(source).fragment
        m.submodules.packer = Inside(packs).fragment
        m.submodules.decoder = Inside(decodes).fragment
    value, entry = Signal(WIDTH, name="value"), Signal(name="entry")
    began, was = Signal(name="began"), Signal(name="was")
    m.d.sync += [began.eq(1), was.eq(entry)]
    m.d.comb += [
        Assume(~began | (entry == was)),
        source.i.p.entry.eq(entry),
        source.i.valid.eq(1),
        source.i.p.value.eq(value),
        source.i.p.passenger.eq(value),
        source.i.p.fresh.eq(~began),
        source.i.p.valid.eq(1),
        packs.i.valid.eq(source.o.valid),
        source.o.ready.eq(packs.i.ready),
        Value.cast(packs.i.p).eq(Value.cast(source.o.p)),
        packs.o.ready.eq(1),
        decodes.o.ready.eq(1),
    ]
    free = data.StructLayout({"take": 1, "closed": 1, "last": 1, "skip": range(values + 1)})
    choice = Signal(free, name="choice")
    asked, taken = _take(m, packs.o, decodes, choice, values)
    if "times" in decodes.o.p.shape().members:
        _claim_serial(m, decodes, asked, taken)
    else:
        _claim_parallel(m, decodes, asked, taken)
    return m, (sync.clk, value, entry, Value.cast(choice))


def cycles_of(name, values):
    """Those in which all that :func:`coded_bench` looks at has happened."""
    _, _, encoder, decoder, _ = CODED[name]
    return encoder.latency + Packer.latency + values + decoder.latency + _steps(decoder, values)


def _steps(decoder, values):
    """Cycles of a decoder for a block of so many values, at most: a step in every other one."""
    return 2 * values - 1 if hasattr(decoder, "run") else 0


def _take(m, packed, decodes, choice, values):
    """Gives the decoder a block: what is known of it, and since how many cycles it has it."""
    numbers, number = data.ArrayLayout(WIDTH, values), range(values + 1)
    known = data.StructLayout({"values": numbers, "count": number, "skip": number, "last": 1})
    growing, grown, goes, asked = (
        Signal(known, name=name) for name in ("growing", "grown", "goes", "asked")
    )
    seen, taken, takes, older = Signal(number), Signal(range(32)), Signal(), Signal()
    o, block, begins = packed.p, Signal.like(packed.p.growing), packed.p.closes | packed.p.fresh
    m.d.comb += [
        grown.count.eq(Mux(begins, 1, growing.count + 1)),
        takes.eq(packed.valid & choice.take & ~taken.any() & (seen < values)),
        older.eq(o.closes & choice.closed),
        block.eq(Mux(older, o.full, o.growing)),
        goes.eq(Mux(older, growing, grown)),
        goes.skip.eq(choice.skip),
        goes.last.eq(choice.last),
        decodes.i.valid.eq(takes),
        decodes.i.p.block.eq(block),
        decodes.i.p.coded.eq(block[-NARROW["MARK_BITS"] :] == NARROW["MARK"]),
        decodes.i.p.count.eq(Mux(older, growing.count, o.count)),
        decodes.i.p.skip.eq(goes.skip),
        decodes.i.p.last.eq(goes.last),
        Assume(~takes | (goes.skip <= goes.count)),
        Assert(~takes | decodes.i.ready),
        Assert(~packed.valid | (seen == values) | (o.count == grown.count)),
    ]
    for k in range(values):
        m.d.comb += grown["values"][k].eq(
            Mux(grown.count == k + 1, o.passenger, growing["values"][k])
        )
    with m.If(packed.valid & (seen < values)):
        m.d.sync += [seen.eq(seen + 1), growing.eq(grown)]
    with m.If(takes):
        m.d.sync += [taken.eq(1), asked.eq(goes)]
    with m.Elif(taken.any()):
        m.d.sync += taken.eq(taken + ~taken.all())
    return asked, taken


def _claim_serial(m, decodes, asked, taken):
    """One after the other, with no more steps than there are values."""
    o, place, behind = decodes.o, Signal(range(len(asked["values"]) + 1)), Signal(6)
    done = Signal()
    with m.If(o.valid):
        m.d.sync += [place.eq(behind), done.eq(o.p.last)]
    m.d.comb += [
        behind.eq(place + o.p.times),
        Assert(~o.valid | (taken.any() & ~done & ~o.p.error)),
        Assert(~o.valid | (behind + asked.skip <= asked.count)),
        Assert(~o.valid | ~o.p.last | (behind + asked.skip == asked.count)),
        Assert(~o.valid | (o.p.passenger.last == asked.last)),
        Assert(done | (taken + 1 < decodes.latency + 2 * asked.count)),
    ]
    for k in range(len(asked["values"])):
        given = o.valid & (place + asked.skip <= k) & (behind + asked.skip > k)
        m.d.comb += Assert(~given | (o.p.value == asked["values"][k]))


def _claim_parallel(m, decodes, asked, taken):
    """All in one line, as soon as is told."""
    o = decodes.o
    lanes = range(len(o.p.valid))
    there = Cat((asked.skip <= k) & (asked.count > k) for k in lanes)
    m.d.comb += [
        Assert(o.valid == (taken == decodes.latency)),
        Assert(~o.valid | ((o.p.valid == there) & (o.p.last == asked.last))),
        Assert(~o.valid | ~o.p.passenger.error),
    ]
    for k in range(len(asked["values"])):
        m.d.comb += Assert(~o.valid | ~there[k] | (o.p.tuples[k] == asked["values"][k]))

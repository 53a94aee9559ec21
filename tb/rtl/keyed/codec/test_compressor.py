"""Checks compressed blocks to the bit by the plain models in golden.codecs."""

import random

import pytest

from golden.codecs import base_delta as golden_base_delta
from golden.codecs import grid as golden_grid
from golden.codecs import scaled_sz as golden_scaled
from golden.codecs import sz as golden_sz
from golden.codecs import xor as golden_xor
from golden.codecs import xor_chained as golden_xor_chained
from golden.codecs.blocks import BlockWriter, is_coded, is_dependent
from golden.codecs.registry import CODECS as MODELS
from rtl.keyed.codec.base_delta.base_delta import BaseDelta
from rtl.keyed.codec.codecs import CODEC_ENTRIES
from rtl.keyed.codec.compressor import Compressor
from rtl.keyed.codec.grid import Grid
from rtl.keyed.codec.sz.scaled import ScaledSz
from rtl.keyed.codec.sz.sz import Sz
from rtl.keyed.codec.xor import Xor
from rtl.keyed.codec.xor_chained import XorChained
from tb.bench.unit import run_streams
from tb.day import daily
from tb.golden.codecs.kinds import kinds

CODECS = {
    "xor": (Xor(64), golden_xor.Xor(64)),
    "xor, 32 bits": (Xor(32), golden_xor.Xor(32)),
    "grid": (Grid(64), golden_grid.Grid(64)),
    "grid, 32 bits": (Grid(32), golden_grid.Grid(32)),
    "base-delta": (BaseDelta(64), golden_base_delta.BaseDelta(64)),
    "base-delta, 32 bits, 4 for a delta": (BaseDelta(32, 4), golden_base_delta.BaseDelta(32, 4)),
    "sz": (Sz(64, "float", -20), golden_sz.Sz(64, "float", -20)),
    "sz, 32 bits": (Sz(32, "signed", 2), golden_sz.Sz(32, "signed", 2, 200, 3)),
    "base-delta, stamps": (BaseDelta(64, stamp_bits=3), golden_base_delta.BaseDelta(64)),
    "xor, stamps": (Xor(32, stamp_bits=9), golden_xor.Xor(32)),
    "grid, stamps": (Grid(64, stamp_bits=7), golden_grid.Grid(64)),
    "sz, stamps": (Sz(64, "float", -20, stamp_bits=5), golden_sz.Sz(64, "float", -20)),
    "sz, scales": (ScaledSz(64), golden_scaled.ScaledSz(64)),
    "sz, scales, 32 bits": (ScaledSz(32), golden_scaled.ScaledSz(32, 200, 0x3E800000)),
    "sz, scales, stamps": (ScaledSz(64, stamp_bits=5), golden_scaled.ScaledSz(64)),
}
#: True if the quick test of a codec is without stalls, False if with stalls, None if there is
#: none. `make test` runs some of the quick tests, `make regress` all tests.
_QUICK = (True, False, True, None, False, True, True, False, False, *[None] * 6)
QUICK = dict(zip(CODECS, _QUICK, strict=True))
for _name, _entry in CODEC_ENTRIES.items():  # codecs without a line of their own above
    CODECS.setdefault(_name, (_entry.codec(64), MODELS[_name](64)))
    QUICK.setdefault(_name, True)
ENTRIES = 4


class Keys:
    """Plain model of the blocks of several keys, value by value."""

    def __init__(self, model, stamp_bits):
        self._model, self._stamp_bits, self._writers = model, stamp_bits, {}

    def take(self, entry, value, fresh, slide):
        """Returns the block that the value closes, or None; the growing block and its count; and
        the value that the growing block returns.
        """
        if fresh:
            self._writers[entry] = BlockWriter(self._model, self._stamp_bits)
        writer = self._writers[entry]
        full = writer.take(value, slide)
        return full, *self.growing(entry), writer.restored

    def growing(self, entry):
        block = self._writers[entry].growing
        return block.packed(self._model.width), len(block.values)


def stream(model, stamp_bits, rng, count):
    """Returns inputs of all kinds of values with keys in bursts, and the expected outputs.

    The slide number increases at random, and some values are out of order.
    """
    keys, inputs, expected, seen_keys = Keys(model, stamp_bits), [], [], set()
    slide = 0
    sources = [list(values) for _, values in kinds(model.width, count, seed=rng.random())]
    rng.shuffle(sources)
    while len(inputs) < count:
        entry = rng.randrange(ENTRIES)
        source = sources[rng.randrange(len(sources))]
        for _ in range(min(rng.choice((1, 2, 3, 30, 500)), len(source))):
            value = source.pop()
            fresh = entry not in seen_keys or rng.random() < 0.002
            seen_keys.add(entry)
            info = {"entry": entry, "fresh": fresh, "valid": 1, "passenger": rng.randrange(256)}
            slide += rng.random() < 0.05
            of = slide + (rng.random() < 0.02)
            inputs.append({**info, "value": value, "stamp": of % (1 << stamp_bits)})
            expected.append((info, *keys.take(entry, value, fresh, of)))
        if rng.random() < 0.3:  # an item without a value, which changes nothing
            info = {"entry": entry, "fresh": 0, "valid": 0, "passenger": rng.randrange(256)}
            stamp = {"stamp": rng.getrandbits(stamp_bits)} if stamp_bits else {}
            inputs.append({**info, "value": rng.getrandbits(model.width), **stamp})
            expected.append((info, None, *keys.growing(entry), None))
    return inputs, expected


STALLS = {True: (0, 0), False: (0.3, 0.4)}
QUICK_POINTS = [(name, *STALLS[quick]) for name, quick in QUICK.items() if quick is not None]
OTHER_POINTS = [
    pytest.param(*point, marks=pytest.mark.regress)
    for name in CODECS
    for stalls in STALLS.values()
    if (point := (name, *stalls)) not in QUICK_POINTS
]


@pytest.mark.parametrize(
    ("name", "stall_in", "stall_out"), [*daily(QUICK_POINTS, 3), *OTHER_POINTS]
)
def test_blocks_are_those_of_the_model(name, stall_in, stall_out):
    codec, model = CODECS[name]
    bound = {n: getattr(model, n) for n in ("relative", "absolute") if hasattr(model, n)} or 0
    items = 8000 if "scales" in name else 1500  # a block of these has about 200 values
    inputs, expected = stream(
        model, codec.format.stamp_bits, random.Random(f"{name} {stall_in}"), items
    )
    dut = Compressor(codec, ENTRIES, 8, restores=True)
    run = run_streams(
        dut,
        {"i": [{**one, "bound": bound} for one in inputs]},
        {"o": len(inputs)},
        stall_in=stall_in,
        stall_out=stall_out,
        seed=1,
    )
    closed = 0
    for received, outcome in zip(run["o"].payloads, expected, strict=True):
        info, full, growing, count, restored = outcome
        assert {name: received[name] for name in info} == info
        assert (received["growing"], received["count"]) == (growing, count)
        assert received["closes"] == (full is not None)
        if full is not None:
            assert received["closed_block"] == full
            closed += 1
        if restored is not None:
            assert received["value"] == restored
    assert closed > 25
    if not (stall_in or stall_out):
        assert run["i"].cycles == list(range(len(inputs)))
        assert run["o"].cycles == [cycle + dut.latency for cycle in run["i"].cycles]


@pytest.mark.in_turn
def test_chains_end_and_raw_blocks_do_not_begin_as_dependent_ones():
    """The compressor writes coded, then raw, then again coded blocks of one key.

    The key has values that compress well, then noise, then noise whose highest bits are the tag of
    a dependent block. A raw block must not begin with this tag, so the last blocks are coded.
    """
    rng, model = random.Random(9), golden_xor_chained.XorChained(64)
    values = [rng.getrandbits(22) for _ in range(500)]
    values += [rng.getrandbits(64) for _ in range(40)]
    values += [0b1010011 << 57 | rng.getrandbits(57) for _ in range(40)]
    writer, inputs, expected = BlockWriter(model), [], []
    for number, value in enumerate(values):
        info = {"entry": 1, "fresh": number == 0, "valid": 1, "passenger": 0, "stamp": 0}
        inputs.append({**info, "value": value, "bound": 0})
        if (block := writer.take(value)) is not None:
            expected.append(block)
    run = run_streams(Compressor(XorChained(64), ENTRIES, 8), {"i": inputs}, {"o": len(inputs)})
    assert [p["closed_block"] for p in run["o"].payloads if p["closes"]] == expected
    assert sum(is_dependent(block, model) for block in expected) > 16
    assert not all(is_coded(block, model) for block in expected)

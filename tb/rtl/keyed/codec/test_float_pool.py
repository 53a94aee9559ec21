"""Checks the sums of floating point that a pool of serial decoders computes, by the plain tree."""

import random

import pytest
from amaranth.lib import data

from golden.codecs import grid, xor
from golden.codecs.blocks import compress, decompress, is_coded
from golden.codecs.symbols import BLOCK_BITS
from rtl.aggregate.count import Count
from rtl.float.format import SINGLE
from rtl.keyed.codec.change_decoder import ChangeDecoder
from rtl.keyed.codec.decoder_pool import DecoderPool
from rtl.keyed.codec.fold import BLOCK_VALUES, Fold
from rtl.keyed.codec.grid import Grid
from rtl.keyed.codec.xor import Xor
from rtl.network.nodes import NodePlan
from rtl.network.sum_steps import cycles_of_block, sum_steps, sum_tail
from tb.bench.unit import run_streams
from tb.rtl.network.node_values import node_sums

REGRESS = pytest.mark.regress
PLAN = NodePlan(format_=SINGLE, block=BLOCK_VALUES, tuples=600)
ROW = data.StructLayout({"x": 32})
CODECS = {"xor": (xor.Xor(32), Xor(32)), "grid": (grid.Grid(32), Grid(32))}
INFO = data.StructLayout({"passenger": data.StructLayout({"number": PLAN.info_bits, "mark": 8})})


def alike(rng, count):
    """Returns bits of numbers of which most are equal to the number before."""
    value, values = 0x3F800000, []
    for _ in range(count):
        if rng.random() < 0.3:
            number = rng.choice((0x3F800000, 0xBF800000, 0x80000000, 1))
            value = number ^ rng.getrandbits(rng.choice((4, 20)))
            value = rng.choice((value,) * 9 + (0x7F800000,))
        values.append(value)
    return values


def blocks(model, rng):
    """Yields coded and raw blocks with their values."""
    noise = [0x3F800000 | rng.getrandbits(22) for _ in range(60)]
    steady = [0x3FC00000] * 300
    for values in (alike(rng, 600), noise, steady, alike(rng, 600)):
        for block in compress(model, values)[:-1]:
            yield block, decompress(model, block)


def check(received, number, values):
    """Checks the nodes of the values of a block."""
    for side, level, bits in node_sums(PLAN, number, values):
        assert received["sums"][side][level] == bits


@pytest.mark.in_turn
@pytest.mark.parametrize(
    ("name", "stall", "operators"),
    [
        pytest.param("xor", 0.4, (None, Count(10)), id="xor, stalls"),
        pytest.param("grid", 0, (None,), id="grid", marks=REGRESS),
        pytest.param("xor", 0, (None,), id="xor", marks=REGRESS),
        pytest.param("grid", 0.4, (None, Count(10)), id="grid, stalls", marks=REGRESS),
    ],
)
def test_sums_are_those_of_the_values(name, stall, operators):
    """The number of a block's first value says where its nodes begin; damaged blocks pass."""
    rng, (model, codec) = random.Random(f"{name} {stall}"), CODECS[name]
    inputs, expected = [], []
    for mark, (block, values) in enumerate(blocks(model, rng)):
        skip = rng.choice((0, 0, rng.randrange(len(values)), len(values)))
        number = rng.randrange(512)
        info = {"passenger": {"number": number, "mark": mark % 256}}
        count = {"count": len(values), "skip": skip, "last": rng.randrange(2), "passenger": info}
        inputs.append({"block": block, "coded": is_coded(block)} | count)
        expected.append((number, values[skip:], inputs[-1]))
        if is_coded(block) and mark % 3 == 0:
            broken = block & ~(511 << BLOCK_BITS - 16) | rng.getrandbits(9) << BLOCK_BITS - 16
            count = rng.choice((0, rng.randrange(512)))
            inputs.append(inputs[-1] | {"block": broken, "count": count, "skip": 0})
            expected.append((number, None, inputs[-1]))
    fold = Fold(row=ROW, operators=operators, tuples=600, decoders=3, sums=PLAN)
    dut = DecoderPool(ChangeDecoder, codec, fold, INFO)
    run = run_streams(
        dut, {"i": inputs}, {"o": len(expected)}, stall_in=stall, stall_out=stall, seed=3
    )
    errors = 0
    for received, (number, values, block) in zip(run["o"].payloads, expected, strict=True):
        assert received["last"] == block["last"]
        assert received["passenger"]["passenger"] == block["passenger"]
        if values is None:  # a wrong count of values need not lead to a wrong symbol
            errors += received["passenger"]["error"]
            assert received["passenger"]["error"] or block["count"]
            continue
        assert not received["passenger"]["error"]
        assert received["valid"] == bool(values)
        state = received["tuples"][0]
        assert state["values"] == len(values)
        check(state, number, values)
        if len(operators) == 2 and values:
            assert state["r1"]["value"] == len(values)
    assert errors > 3


@pytest.mark.in_turn(5)
def test_sums_while_the_output_stalls():
    """The states of blocks of few values wait behind the decoder, and stop it."""
    rng, inputs, expected = random.Random(2), [], []
    for _ in range(40):
        values = [0x3F800000 | rng.getrandbits(22) for _ in range(16)]
        block = int("".join(f"{value:08x}" for value in values), 16)
        count, number = rng.randint(1, 4), rng.randrange(512)
        info = {"passenger": {"number": number, "mark": 0}}
        counts = {"count": count, "skip": 0, "last": 1}
        inputs.append({"block": block, "coded": 0, "passenger": info} | counts)
        expected.append((number, values[:count]))
    fold = Fold(row=ROW, operators=(Count(10),), tuples=600, decoders=1, sums=PLAN)
    dut = DecoderPool(ChangeDecoder, Xor(32), fold, INFO)
    run = run_streams(dut, {"i": inputs}, {"o": 40}, stall_out=0.97, seed=3)
    for received, (number, values) in zip(run["o"].payloads, expected, strict=True):
        check(received["tuples"][0], number, values)


@pytest.mark.in_turn
@pytest.mark.parametrize(
    ("count", "decoders"), [(3, 2), (12, 2), pytest.param(3, 4, marks=REGRESS), (12, 1)]
)
def test_rate_of_blocks_of_few_values(count, decoders):
    """The levels of the items bound the rate, or the way of the nodes out of a decoder."""
    rng, inputs, levels, blocks = random.Random(4), [], 0, 30 * decoders
    for _ in range(blocks):
        values = [0x3F800000 | rng.getrandbits(22) for _ in range(16)]
        block = int("".join(f"{value:08x}" for value in values), 16)
        number = rng.randrange(512)
        info = {"passenger": {"number": number, "mark": 0}}
        counts = {"count": count, "skip": 0, "last": 1}
        inputs.append({"block": block, "coded": 0, "passenger": info} | counts)
        levels += sum_steps(values[:count], PLAN.top, number) / blocks
    fold = Fold(row=ROW, operators=(Count(10),), tuples=600, decoders=decoders, sums=PLAN)
    dut = DecoderPool(ChangeDecoder, Xor(32), fold, INFO)
    cycles = run_streams(dut, {"i": inputs}, {"o": blocks})["o"].cycles
    first = blocks // 4  # the queues of the pool are full
    interval = (cycles[-1] - cycles[first]) / (blocks - 1 - first)
    expected = cycles_of_block(count, levels, PLAN.top) / decoders
    assert interval == pytest.approx(expected, rel=0.05)


@pytest.mark.in_turn(5)
def test_latency():
    """A block of one step."""
    rng = random.Random(1)
    fold = Fold(row=ROW, operators=(None,), tuples=600, decoders=3, sums=PLAN)
    dut = DecoderPool(ChangeDecoder, Xor(32), fold, INFO)
    block = {"block": rng.getrandbits(BLOCK_BITS), "coded": 0, "count": 1, "skip": 0, "last": 1}
    info = {"passenger": {"number": 4, "mark": 1}}
    run = run_streams(dut, {"i": [block | {"passenger": info}]}, {"o": 1})
    assert run["o"].cycles == [run["i"].cycles[0] + dut.latency]


@pytest.mark.in_turn(5)
@pytest.mark.parametrize(
    ("numbers", "begin"),
    [
        ([0, 1], 0),
        ([0, 1, 2, 3], 0),
        ([0] * 4 + [1], 0),
        ([0, 1, 2, 3, 4, 5, 6, 7, 8, 8], 5),
        (list(range(16)), 0),
        ([0, 1, 2, 3, 4, 5, 6, 7], 496),
    ],
)
def test_latency_of_a_block_with_several_levels(numbers, begin):
    """A raw block takes a step for each value, and then the tail of its items.

    An item may have to wait for the adder for a cycle.
    """
    fold = Fold(row=ROW, operators=(None,), tuples=600, decoders=1, sums=PLAN)
    dut = DecoderPool(ChangeDecoder, Xor(32), fold, INFO)
    values = [0x3F800000 | number << 10 for number in numbers]
    block = sum(value << 32 * (15 - place) for place, value in enumerate(values))
    request = {"block": block, "coded": 0, "count": len(values), "skip": 0, "last": 1}
    request["passenger"] = {"passenger": {"number": begin, "mark": 1}}
    run = run_streams(dut, {"i": [request]}, {"o": 1})
    waited = run["o"].cycles[0] - run["i"].cycles[0] - dut.latency
    expected = 2 * (len(values) - 1) + sum_tail(numbers, PLAN.top, begin)
    assert expected <= waited <= expected + 1

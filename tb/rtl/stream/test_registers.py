"""StreamRegister, SkidBuffer, StreamQueue: each is a queue, with its declared latency and rate."""

import random

import pytest
from amaranth.hdl import Fragment, signed
from amaranth.lib import data

from rtl.stream.beat import beat
from rtl.stream.queue import StreamQueue
from rtl.stream.register import StreamRegister
from rtl.stream.skid import SkidBuffer
from tb.bench.unit import run_stream, run_streams, simulate

LEAVES = [StreamRegister, SkidBuffer, StreamQueue]


@pytest.mark.parametrize("leaf", LEAVES)
@pytest.mark.parametrize(("stall_in", "stall_out"), [(0, 0), (0.5, 0), (0, 0.5), (0.6, 0.4)])
@pytest.mark.parametrize("seed", [1, 2])
def test_keeps_everything_in_order(leaf, stall_in, stall_out, seed):
    rng = random.Random(seed)
    inputs = [rng.randrange(-64, 64) for _ in range(150)]
    run = run_stream(
        leaf(signed(7)), inputs, expected=150, stall_in=stall_in, stall_out=stall_out, seed=seed
    )
    assert run.payloads == inputs


@pytest.mark.parametrize("leaf", LEAVES)
def test_latency_and_rate(leaf):
    run = run_streams(leaf(8), {"i": range(50)}, {"o": 50})
    assert run["i"].cycles == list(
        range(0, 50 * leaf.initiation_interval, leaf.initiation_interval)
    )
    assert {b - a for a, b in zip(run["i"].cycles, run["o"].cycles, strict=True)} == {leaf.latency}


@pytest.mark.parametrize("leaf", LEAVES)
def test_carries_structures(leaf):
    shape = data.StructLayout({"a": signed(3), "b": 5})
    inputs = [{"a": k % 8 - 4, "b": k % 32} for k in range(40)]
    assert run_stream(leaf(shape), inputs, expected=40, stall_out=0.5).payloads == inputs


async def _offer(ctx, dut, payload, ready):
    ctx.set(dut.i.valid, payload is not None)
    ctx.set(dut.i.payload, payload or 0)
    ctx.set(dut.o.ready, ready)
    await ctx.delay(1e-9)
    seen = ctx.get(dut.i.ready), ctx.get(dut.o.valid), ctx.get(dut.o.payload)
    await ctx.tick()
    return seen


def test_skid_takes_one_more_and_register_does_not():
    seen = {}
    for leaf in LEAVES:
        dut = leaf(8)

        async def bench(ctx, dut=dut, leaf=leaf):
            seen[leaf] = [await _offer(ctx, dut, n, 0) for n in (1, 2, 3)]
            seen[leaf] += [await _offer(ctx, dut, None, 1) for _ in range(3)]

        simulate(dut, bench)
    # (i.ready, o.valid); ready passes the register in the same cycle, the skid buffer a cycle later
    assert [s[:2] for s in seen[SkidBuffer]] == [(1, 0), (1, 1), (0, 1), (0, 1), (1, 1), (1, 0)]
    assert [s[2] for s in seen[SkidBuffer] if s[1]] == [1, 1, 1, 2]
    assert [s[:2] for s in seen[StreamRegister]] == [(1, 0), (0, 1), (0, 1), (1, 1), (1, 0), (1, 0)]


@pytest.mark.parametrize("depth", [2, 3, 4, 8])
def test_a_queue_takes_as_many_payloads_as_its_depth(depth):
    dut, accepted = StreamQueue(8, depth), []

    async def bench(ctx):
        for n in range(depth + 5):
            seen = await _offer(ctx, dut, n + 1, 0)
            accepted.append(seen[0])
        sent = [await _offer(ctx, dut, None, 1) for _ in range(depth + 2)]
        assert [s[2] for s in sent if s[1]] == list(range(1, depth + 1))

    simulate(dut, bench)
    assert accepted == [1] * depth + [0] * 5


def test_skid_has_no_path_from_ready_to_ready():
    dut = SkidBuffer(8)
    combinational = Fragment.get(dut, None).statements["comb"]
    driver = next(s for s in combinational if dut.i.ready in s._lhs_signals())
    assert dut.o.ready not in driver._rhs_signals()


@pytest.mark.parametrize("lanes", [0, -1, 2.0, "2"])
def test_beat_refuses(lanes):
    with pytest.raises(ValueError, match=f"lanes must be an integer of at least 1, not {lanes!r}"):
        beat(8, lanes)


def test_beat_by_hand():
    layout = beat(8, 3)
    assert layout.size == 3 * 8 + 3 + 1
    assert list(layout.members) == ["tuples", "valid", "last"]

"""Checks dense buffer and compactor: all tuples in order, in as few beats as possible."""

import random

import pytest

from rtl.network.compactor import RoundRobinCompactor
from rtl.network.dense import DenseBuffer
from rtl.network.plan import SHAPES
from tb.bench.unit import run_stream, run_streams
from tb.rtl.beats import beat, dense, slots, sparse, streams, tuples


def cut(beats):
    """Splits a sequence of beats into streams."""
    all_streams, current = [], []
    for b in beats:
        current.append(b)
        if b["last"]:
            all_streams.append(current)
            current = []
    return all_streams


def model(beats, lanes):
    return [b for one in cut(beats) for b in dense(tuples(one), lanes)]


def many(rng, lanes, share):
    """Draws streams of different lengths, some empty, some with an empty last beat."""

    def draw():
        return rng.randrange(128)

    part = [b for n in (1, 1, 2, 9, 30, 1) for b in sparse(rng, n, lanes, draw, share)]
    return [*part, *sparse(rng, 1, lanes, draw, 0), *sparse(rng, 3, lanes, draw, 0), *part]


def round_robin(beats, lanes):
    """Moves each beat's tuples to the lanes that follow the previous beat's."""
    out, position = [], 0
    for b in beats:
        lanes_ = [None] * lanes
        for slot in slots(b):
            if slot is not None:
                lanes_[position % lanes] = slot
                position += 1
        out.append(beat(lanes_, b["last"]))
        position = 0 if b["last"] else position
    return out


STALLS = [(0.0, 0.0), (0.5, 0.0), (0.0, 0.5), (0.4, 0.4)]


@pytest.mark.in_turn(5)
@pytest.mark.parametrize("lanes", [1, 2, 4, 8])
@pytest.mark.parametrize(("stall_in", "stall_out"), STALLS)
@pytest.mark.parametrize("share", [0.3, 1.0])
def test_dense_buffer(lanes, stall_in, stall_out, share):
    rng = random.Random(lanes)
    beats = many(rng, lanes, share)
    expected = model(beats, lanes)
    run = run_stream(
        DenseBuffer(7, lanes),
        round_robin(beats, lanes),
        expected=len(expected),
        stall_in=stall_in,
        stall_out=stall_out,
        seed=lanes,
    )
    assert streams(run.payloads) == streams(expected)


@pytest.mark.in_turn
@pytest.mark.parametrize("lanes", [1, 2, 4, 8, 16])
@pytest.mark.parametrize(("share", "stalls"), [(0.0, 0), (0.2, 3), (0.6, 1), (0.95, 2), (1.0, 0)])
def test_compactor(lanes, share, stalls):
    rng = random.Random(100 * lanes + stalls)
    beats = many(rng, lanes, share)
    expected = model(beats, lanes)
    stall_in, stall_out = STALLS[stalls]
    run = run_stream(
        RoundRobinCompactor(7, lanes),
        beats,
        expected=len(expected),
        stall_in=stall_in,
        stall_out=stall_out,
        seed=stalls,
    )
    assert streams(run.payloads) == streams(expected)


@pytest.mark.parametrize("lanes", [1, 2, 8])
def test_lanes_without_a_tuple_are_zero(lanes):
    """Invalid lanes of the input are not 0; invalid lanes of the output are."""
    rng = random.Random(lanes)
    beats = many(rng, lanes, 0.4)
    for b in beats:
        b["tuples"] = [t if b["valid"] >> k & 1 else 127 for k, t in enumerate(b["tuples"])]
    expected = model(beats, lanes)
    dut = RoundRobinCompactor(7, lanes, zero_invalid=True)
    run = run_stream(dut, beats, expected=len(expected), stall_in=0.2, stall_out=0.4, seed=lanes)
    assert streams(run.payloads) == streams(expected)
    for b in run.payloads:
        assert not any(t for k, t in enumerate(b["tuples"]) if not b["valid"] >> k & 1)


@pytest.mark.in_turn(5)
@pytest.mark.parametrize("scan", SHAPES)
@pytest.mark.parametrize("radix", [2, 4])
def test_compactor_variants(scan, radix):
    rng = random.Random(6)
    beats = many(rng, 8, 0.5)
    expected = model(beats, 8)
    dut = RoundRobinCompactor(7, 8, scan=scan, radix=radix)
    run = run_stream(dut, beats, expected=len(expected), stall_in=0.2, stall_out=0.4, seed=7)
    assert streams(run.payloads) == streams(expected)


@pytest.mark.parametrize("leaf", [DenseBuffer, RoundRobinCompactor])
def test_never_stalls_and_latency(leaf):
    """A full beat is completed by the next beat's first tuple, the last one by the end."""
    dut = leaf(7, 4)
    full = [beat([k, k, k, k], int(k == 9)) for k in range(10)]
    run = run_streams(dut, {"i": full + full}, {"o": 20})
    assert run["i"].cycles == [k * dut.initiation_interval for k in range(20)]
    assert [b["tuples"][0] for b in run["o"].payloads] == [*range(10), *range(10)]
    # Beat k leaves when beat k+1 has arrived; the last beat one cycle after the end.
    assert run["o"].cycles == [k + 1 + dut.latency for k in range(20)]


def test_context_goes_along_with_its_stream():
    rng, lanes = random.Random(9), 4
    contexts = [rng.randrange(8) for _ in range(60)]
    many_streams = [
        sparse(rng, rng.choice((1, 1, 2, 5)), lanes, lambda: rng.randrange(128), rng.random())
        for _ in contexts
    ]
    pairs = [*zip(many_streams, contexts, strict=True)]
    beats = [b | {"context": context} for one, context in pairs for b in one]
    expected = [(b, context) for one, context in pairs for b in dense(tuples(one), lanes)]
    dut = RoundRobinCompactor(7, lanes, context=3)
    compacted = run_stream(
        dut, beats, expected=len(expected), stall_in=0.2, stall_out=0.2, seed=9
    ).payloads
    assert [b["context"] for b in compacted] == [context for _, context in expected]
    assert streams(compacted) == streams(b for b, _ in expected)


def test_compactor_latency_formula():
    # levels + stages + 1, by hand: 8 lanes have 3 sklansky or 5 brent-kung levels
    assert RoundRobinCompactor.latency_of(8) == 3 + 2 + 1
    assert RoundRobinCompactor.latency_of(8, scan="brent-kung", radix=2) == 5 + 3 + 1
    assert RoundRobinCompactor.latency_of(1) == 1


def test_by_hand():
    """Gaps close over beats of 4 lanes, and the remaining tuples leave at the end."""
    beats = [
        beat([None, 1, None, 2], 0),
        beat([3, None, None, None], 0),
        beat([4, 5, 6, None], 1),
    ]
    run = run_stream(RoundRobinCompactor(7, 4), beats, expected=2)
    assert streams(run.payloads) == [([1, 2, 3, 4], 0), ([5, 6, None, None], 1)]


def test_refuses():
    with pytest.raises(ValueError, match=r"^lanes must be an integer of at least 1, not 0$"):
        DenseBuffer(8, 0)
    with pytest.raises(ValueError, match=r"^lanes must be a power of two, not 5$"):
        RoundRobinCompactor(8, 5)
    with pytest.raises(ValueError, match=r"^scan must be one of .*, not 'tree'$"):
        RoundRobinCompactor(8, 4, scan="tree")
    with pytest.raises(ValueError, match=r"^radix must be 2 or 4, not 16$"):
        RoundRobinCompactor(8, 4, radix=16)

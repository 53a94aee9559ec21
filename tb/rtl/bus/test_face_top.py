"""Tops with a face of their own: settings, rows, memories, and a soft reset in any cycle."""

import random

import numpy as np
import pytest

from rtl.contract.face import Face
from sim.beats import Beats
from sim.job import SoftReset
from sim.memory import Memory
from tb.rtl.bus.many_buses import LINE, many_buses
from tb.rtl.bus.packets import packets
from tb.rtl.bus.soft_reset import cut_packet
from tb.rtl.bus.tops import top_of

pytestmark = pytest.mark.hdl
LANES, BYTES = 2, 4
FACES = {
    "as the engine": Face(bus_bits=32),
    "marked": Face(bus_bits=32, end_marker=True),
    "joined": Face(bus_bits=32, packets="stream"),
    "cut": Face(bus_bits=32, packets="beats:2"),
    "joined, no converter": Face(packets="stream"),
    "marked, no converter": Face(end_marker=True),
}
STALLS = [{}, {"stall_input": 0.5, "stall_output": 0.5, "seed": 3}]


def fed(streams, face):
    """Returns bytes as beats: of the engine's lanes, or packed densely."""
    columns = [np.array(stream, np.uint8).reshape(-1, 1) for stream in streams]
    return Beats.from_streams(columns, BYTES if face.bus_bits else LANES)


def answer(stream, size, step, face):
    """Returns the packets of a stream by hand: windows of ``size`` beats, each byte plus
    ``step``."""
    rows = [(byte + step) % 256 for byte in stream]
    windows = [rows[k : k + size * LANES] for k in range(0, len(rows), size * LANES)] or [[]]
    if face.beats:
        packet_bytes = face.beats * BYTES
        return [rows[k : k + packet_bytes] for k in range(0, len(rows), packet_bytes)] or [[]]
    if face.packets == "stream":
        return [rows]
    return [*windows, []] if face.end_marker else windows


@pytest.mark.in_turn
@pytest.mark.parametrize("options", STALLS)
@pytest.mark.parametrize("face", FACES.values(), ids=FACES)
def test_streams_with_settings_of_their_own(face, options):
    """Some streams have no tuple. The settings of a stream are written while the previous
    stream may still be in the core."""
    top = top_of(packets().with_face(face))
    rng = random.Random(1)
    streams = [rng.choices(range(256), k=n) for n in (50, 0, 9, 1, 40, 17)]
    numbers = [(3, 2), (2, 1), (2, 2), (20, 7), (5, 5), (2, 2)]
    expected = [p for s, n in zip(streams, numbers, strict=True) for p in answer(s, *n, face)]
    writes = {k: [("size", a), ("step", b)] for k, (a, b) in enumerate(numbers)}
    reads = ["status", "tuples_low", "streams_low", "rows_low"]
    outcome, read = top.run(fed(streams, face), writes, reads, packets=len(expected), **options)
    assert [packet.ravel().tolist() for packet in outcome.beats.streams(1)] == expected
    count = sum(map(len, streams))
    counts = {"status": set(), "tuples_low": count, "streams_low": 6, "rows_low": count}
    assert read == counts


@pytest.mark.in_turn(5)
def test_a_stream_that_is_swallowed_is_ended_too():
    """The stream's settings are refused: the stream has no row, and the next stream is processed
    correctly."""
    writes = {0: [("size", 0)], 1: [("size", 2), ("step", 1)]}
    for name, expected in (("marked", [[], [11, 12, 13], []]), ("joined", [[], [11, 12, 13]])):
        face = FACES[name]
        beats = fed([[1, 2, 3, 4, 5], [10, 11, 12]], face)
        outcome, _ = top_of(packets().with_face(face)).run(beats, writes, packets=len(expected))
        assert [packet.ravel().tolist() for packet in outcome.beats.streams(1)] == expected


@pytest.mark.in_turn
@pytest.mark.parametrize("wait", [False, True], ids=["at once", "waiting"])
@pytest.mark.parametrize("face", FACES.values(), ids=FACES)
def test_a_soft_reset_in_any_cycle(face, wait):
    """The first packets of earlier streams come, the last of them perhaps cut; then all packets of
    later streams."""
    top, cut, dropped = top_of(packets().with_face(face)), 0, 0
    for seed in range(40):
        rng = random.Random(f"{seed} {wait}")
        streams = [rng.choices(range(256), k=rng.choice((0, 1, 5, 12, 23))) for _ in range(12)]
        beats = fed(streams, face)
        outcome, read = top.run(
            beats,
            {0: [("size", 3), ("step", 1)]},
            ["status", "tuples_low", "rows_low", "cut_low"],
            reset=SoftReset(cycle=rng.randrange(10, 100), wait=wait),
            seed=seed,
            **rng.choice([{}, {"stall_input": 0.5, "stall_output": 0.7}]),
        )
        beat_cycles = outcome.inputs["s_axis"].beat_cycles
        # The reset happens in the cycle after its write.
        old_count = int((beat_cycles[beats.starts] <= outcome.soft_reset + 1).sum())
        answers = [answer(stream, 3, 1, face) for stream in streams]
        old_answers, new_answers = (
            [p for a in part for p in a] for part in (answers[:old_count], answers[old_count:])
        )
        received = [packet.ravel().tolist() for packet in outcome.beats.streams(1)]
        cut += cut_packet(received, old_answers, new_answers)
        count = sum(map(len, streams[old_count:]))
        assert (read["status"], read["tuples_low"], read["rows_low"]) == (set(), count, count)
        dropped += read["cut_low"] > 0
    assert cut > 3
    assert dropped > 3


@pytest.mark.in_turn(5)
@pytest.mark.parametrize("wait", [False, True], ids=["at once", "waiting"])
def test_a_soft_reset_while_a_memory_is_asked(wait):
    """The pins are wider than the beats of both streams.

    The reset holds the streams until every burst that has begun is over.
    """
    top, cut = (
        top_of(many_buses(flagged=False).with_face(Face(bus_bits=64, end_marker=True))),
        set(),
    )
    for seed in range(25):
        rng = random.Random(f"{seed} {wait}")
        numbers = [rng.choices(range(256), k=rng.choice((1, 3, 20))) for _ in range(8)]
        updates = [
            [(k, rng.randrange(32)) for k in range(rng.choice((1, 4, 15)))] for _ in range(9)
        ]
        fed_ = {
            "s_axis": Beats.from_streams([np.array(n, np.uint8)[:, None] for n in numbers], 8),
            "s_axis_updates": Beats.from_streams(
                [np.array(u, np.uint8).reshape(-1, 1) for u in updates], 8
            ),
        }
        outcome, read = top.run(
            fed_,
            {0: [("plus", 3)]},
            ["status", "tuples_low", "fetched_low"],
            reset=SoftReset(cycle=rng.randrange(10, 400), wait=wait),
            drain=600,
            memory=Memory(
                contents={LINE * k: bytes([7 * k % 256]) for k in range(256)}, stall=0.5, delay=20
            ),
            seed=seed,
            **rng.choice([{}, {"stall_input": 0.5, "stall_output": 0.7}]),
        )
        answers = {
            "m_axis": [[[(7 * k + 3) % 256 for k in n], []] for n in numbers],
            "m_axis_evicted": [[[v for k, y in u for v in (k + 3, y)]] for u in updates],
        }
        assert read["status"] == set()
        for (name, beats), (output, streams) in zip(fed_.items(), answers.items(), strict=True):
            beat_cycles = outcome.inputs[name].beat_cycles
            old_count = int((beat_cycles[beats.starts] <= outcome.soft_reset + 1).sum())
            old_answers, new_answers = (
                [packet for stream in part for packet in stream]
                for part in (streams[:old_count], streams[old_count:])
            )
            packets_ = [p.ravel().tolist() for p in outcome.outputs[output].beats.streams(1)]
            if cut_packet(packets_, old_answers, new_answers):
                cut.add(output)
            if output == "m_axis":
                count = sum(len(stream[0]) for stream in streams[old_count:])
                assert read["tuples_low"] == read["fetched_low"] == count
    assert cut == {"m_axis", "m_axis_evicted"}

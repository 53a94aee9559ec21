"""Checks tops between a MAC and an engine.

Streams come in frames, with bad frames between them, and a soft reset comes in any cycle.
"""

import random
from collections import Counter
from dataclasses import replace

import numpy as np
import pytest

from rtl.contract.face import Face
from rtl.ethernet.face import NetworkFace
from sim.beats import Beats
from sim.job import SoftReset
from sim.wire.frames import Endpoint, frame_of, payload_of, streams_of
from tb.rtl.bus.packets import packets
from tb.rtl.bus.soft_reset import cut_packet
from tb.rtl.bus.tops import top_of
from tb.rtl.ethernet.frames import Frames
from tb.rtl.ethernet.model import Face as Model
from tb.rtl.ethernet.model import judge

pytestmark = pytest.mark.hdl

#: Tuples and rows have one byte, two in a beat, so most datagrams end within a transfer.
MODEL = Model(row_bytes=1, longest=1518)
OURS, THEIRS = (
    Endpoint(**{name: MODEL.settings[prefix + name] for name in ("mac", "address", "port")})
    for prefix in ("", "to_")
)
STEP = 7
BAD = Counter(counter.name for counter in NetworkFace.counters)


def network_top():
    """Returns the top. A window is a whole stream, or 20 beats of a long stream."""
    return top_of(packets().with_face(Face(network=True)))


def settings(**changes):
    """Returns the host's writes, as pairs of a register and its word."""
    values = MODEL.settings | changes
    names = ("address", "port", "to_address", "to_port", "from_address")
    words = [(name, values[name]) for name in names]
    for name in ("mac", "to_mac", "from_mac"):
        words += [(f"{name}_low", values[name] & 0xFFFFFFFF), (f"{name}_high", values[name] >> 32)]
    return [*words, ("size", 20), ("step", STEP)]


def datagrams(rng, stream):
    """Returns the frames of a stream, cut anywhere, and the frame that ends it."""
    parts = []
    while stream:
        size = rng.choice([1, 2, 3, 7, 8, 9, 17, 18, 19, 100, 1472])
        parts, stream = [*parts, stream[:size]], stream[size:]
    return [frame_of(part, THEIRS, OURS) for part in [*parts, b""]]


def rx(frames, users=None):
    """Returns beats of frames, with ``tuser`` at the ends of the frames that ``users`` selects."""
    beats = Beats.from_streams([np.frombuffer(f, np.uint8).reshape(-1, 1) for f in frames], 8)
    user = np.zeros(len(beats), np.bool_)
    user[beats.ends] = [False] * len(frames) if users is None else users
    return Beats(beats.data, beats.keep, beats.last, user)


def answers(outcome):
    """Returns the streams of rows among the received frames; and all other frames."""
    frames = [frame.tobytes() for frame in outcome.beats.streams(1)]
    rows = [f for f in frames if f[12:14] == b"\x08\0" and f[23] == 17]
    streams = streams_of([payload_of(frame, OURS, THEIRS) for frame in rows])
    return streams, [frame for frame in frames if frame not in rows]


def answer(stream):
    return bytes((byte + STEP) % 256 for byte in stream)


def some_streams(rng, count):
    return [rng.randbytes(rng.choice([0, 1, 2, 9, 40, 41, 300, 3000])) for _ in range(count)]


@pytest.mark.in_turn
@pytest.mark.parametrize("seed", [1, pytest.param(2, marks=pytest.mark.regress)])
@pytest.mark.parametrize("stalls", [{}, {"stall_input": 0.4, "stall_output": 0.3}])
def test_streams_among_other_frames(stalls, seed):
    """Every stream is answered by one packet. Every other frame is counted.

    Pings and ARP requests are answered, too.
    """
    rng = random.Random(seed)
    generator = Frames(MODEL, rng)
    for cannot in ("partial_tuple", "long_ping"):  # no part of a byte; none in a frame so short
        generator.bad.remove(cannot)
    streams = some_streams(rng, 12)
    frames = [(frame, False) for stream in streams for frame in datagrams(rng, stream)]
    for _ in range(120):
        frame, bad_fcs, _ = generator.one(bad=1)
        frames.insert(rng.randrange(len(frames)), (frame, bad_fcs))
    for frame in (generator.ping(), generator.arp(), generator.ping()):
        frames.insert(rng.randrange(len(frames)), (frame, False))
    judged = [judge(*frame, MODEL) for frame in frames]
    counted = Counter(reason for reason, _ in judged)
    replies = [reply for reason, reply in judged if reason in ("pings", "arps")]
    sent = sum(-(-len(stream) // 1472) + 1 for stream in streams)
    names = [f"{name}_low" for name in (*BAD, "tuples", "streams", "rows", "cut")]
    outcome, read = network_top().run(
        {"s_axis_rx": rx(*zip(*frames, strict=True))},
        {0: settings()},
        [*names, "status"],
        packets=sent + 3,
        seed=seed,
        idle_timeout=20_000,
        **stalls,
    )
    received, others = answers(outcome)
    assert received == [answer(stream) for stream in streams]
    assert sorted(others) == sorted(replies)
    expected = {f"{name}_low": counted[name] for name in BAD} | {"sent_low": sent, "cut_low": 0}
    tuples = sum(map(len, streams))
    expected |= {"tuples_low": tuples, "rows_low": tuples, "streams_low": 12, "status": set()}
    assert read == expected
    assert sum(counted.values()) == len(frames)
    assert outcome.input_stalled == 0


@pytest.mark.in_turn
def test_a_soft_reset_while_frames_are_under_way():
    """Streams that begin after the reset are answered completely, earlier streams only partly.

    The rest of a cut stream is dropped, up to the datagram that ends the stream, and counted.
    """
    top, cuts, dropped = network_top(), 0, 0
    rng = random.Random(4)
    for cycle in [*range(60, 1200, 60), *(rng.randrange(1, 1200) for _ in range(10))]:
        streams = some_streams(rng, 4)
        streams.insert(1, rng.randbytes(4000))
        frames = [frame for stream in streams for frame in datagrams(rng, stream)]
        outcome, read = top.run(
            {"s_axis_rx": rx(frames)},
            {0: settings()},
            ["streams_low", "tuples_low", "cut_low", "status"],
            stall_output=rng.choice([0, 0.3]),
            seed=cycle,
            reset=SoftReset(cycle),
            drain=4000,
            idle_timeout=20_000,
        )
        assert outcome.soft_reset is not None
        assert read["status"] == set()
        new_count = read["streams_low"]
        split = len(streams) - new_count
        received, others = answers(outcome)
        assert others == []
        expected = [answer(stream) for stream in streams]
        cuts += cut_packet(received, expected[:split], expected[split:])
        dropped += read["cut_low"]
        assert read["tuples_low"] == sum(map(len, streams[split:]))
    assert cuts > 3
    assert dropped > 1000


@pytest.mark.in_turn
@pytest.mark.parametrize("ended", [False, True])
def test_a_stream_whose_end_was_lost(ended):
    """A soft reset drops the rest of a stream up to an empty datagram.

    After a single empty datagram the next stream counts again. Without an empty datagram all of
    the next stream is dropped.
    """
    lost, ends, stream = bytes(100), [b""] * ended, random.Random(7).randbytes(50)
    frames = [frame_of(part, THEIRS, OURS) for part in [lost, *ends, stream, b""]]
    beats = rx(frames)
    pause = np.zeros(len(beats), np.uint32)
    pause[beats.starts[1]] = 400
    outcome, read = network_top().run(
        {"s_axis_rx": replace(beats, pause=pause)},
        {0: settings()},
        ["cut_low", "tuples_low", "status"],
        reset=SoftReset(200),
        drain=1000,
    )
    assert outcome.inputs["s_axis_rx"].beat_cycles[beats.starts[1]] > outcome.soft_reset + 100
    received, _ = answers(outcome)
    assert received[len(received) - ended :] == [answer(stream)] * ended
    assert read == {
        "cut_low": 0 if ended else 50,
        "tuples_low": 50 if ended else 0,
        "status": set(),
    }


@pytest.mark.in_turn(5)
def test_busy_until_the_last_frame_has_left():
    """``busy`` is high from the first tuple taken to the last beat of the stream's last frame."""
    top, frames = network_top(), [frame_of(bytes(100), THEIRS, OURS), frame_of(b"", THEIRS, OURS)]
    beats, status = rx(frames), top.registers["status"]
    outcome, read = top.run(
        {"s_axis_rx": beats},
        {0: settings()},
        ["status"],
        packets=2,
        stall_output=0.9,
        background_reads=[status.address],
        background_rate=0.9,
        seed=2,
    )
    first = outcome.inputs["s_axis_rx"].beat_cycles[beats.ends[0]] + NetworkFace.latency + 1
    end = outcome.last_output
    busy = {cycle: value >> 31 for cycle, _, value in outcome.background}
    assert {value for cycle, value in busy.items() if first < cycle <= end} == {1}
    assert {value for cycle, value in busy.items() if cycle > end + 1} <= {0}
    assert sum(first < cycle <= end for cycle in busy) > 50
    assert read["status"] == set()


def test_off_until_it_is_told_who_it_is():
    """Without a MAC the face answers nothing: every frame counts as sent to another MAC."""
    generator = Frames(MODEL, random.Random(5))
    frames = [generator.arp(), generator.ping(), *datagrams(random.Random(6), b"abc")]
    for changes in ({"mac": 0}, {"mac": 0, "address": 0}):
        outcome, read = network_top().run(
            {"s_axis_rx": rx(frames)},
            {0: settings(**changes)},
            ["other_mac_low", "datagrams_low", "status"],
            packets=0,
        )
        status = {"bad_setting"} if "address" in changes else set()
        expected = {"other_mac_low": len(frames), "datagrams_low": 0, "status": status}
        assert read == expected
        assert len(outcome.beats) == 0


@pytest.mark.parametrize("stall", [0.0, 0.6])
def test_settings_are_taken_over_between_frames(stall):
    """The receiver changes while rows for the old receiver wait.

    These rows go to the old receiver, and no frame mixes both. After the last of these rows the
    next stream goes to the new receiver.
    """
    rng = random.Random(8)
    streams = [rng.randbytes(4000), rng.randbytes(3000), rng.randbytes(50)]
    parts = [datagrams(rng, stream) for stream in streams]
    beats = rx([frame for part in parts for frame in part])
    second, third = len(parts[0]), len(parts[0]) + len(parts[1])
    pause = np.zeros(len(beats), np.uint32)
    pause[beats.starts[third]] = 8000
    other = replace(THEIRS, address=THEIRS.address ^ 0x00FF_FF01)
    outcome, read = network_top().run(
        {"s_axis_rx": replace(beats, pause=pause)},
        {0: settings(), second: [("to_address", other.address)]},
        ["status", "overflow_low"],
        packets=4 + 4 + 2,
        stall_output=stall,
        idle_timeout=20_000,
    )
    assert read == {"status": set(), "overflow_low": 0}
    frames = [frame.tobytes() for frame in outcome.beats.streams(1)]
    whom = [next(k for k, end in enumerate((THEIRS, other)) if is_to(f, end)) for f in frames]
    assert whom == sorted(whom)
    assert whom[:4] == [0] * 4
    assert whom[-2:] == [1] * 2
    payloads = [payload_of(f, OURS, (THEIRS, other)[k]) for f, k in zip(frames, whom, strict=True)]
    assert streams_of(payloads) == [answer(stream) for stream in streams]


def is_to(frame, end):
    return frame[30:34] == end.address.to_bytes(4, "big")


@pytest.mark.parametrize("names", [["from_mac"], ["from_address"], ["from_mac", "from_address"]])
def test_one_sender(names):
    """A stream of another machine is not answered and does not end our stream.

    The other machine's datagrams are counted.
    """
    rng, stream = random.Random(9), bytes(range(100))
    stranger = replace(THEIRS, mac=THEIRS.mac ^ 1, address=THEIRS.address ^ 1)
    frames = datagrams(rng, stream)
    others = [frame_of(payload, stranger, OURS) for payload in (b"none of yours", b"")]
    mixed = [frames[0], *others, *frames[1:]]
    changes = {name: getattr(THEIRS, name.removeprefix("from_")) for name in names}
    outcome, read = network_top().run(
        {"s_axis_rx": rx(mixed)},
        {0: settings(**changes)},
        ["other_sender_low", "datagrams_low", "tuples_low", "status"],
        packets=2,
        idle_timeout=20_000,
    )
    assert answers(outcome) == ([answer(stream)], [])
    counts = {"other_sender_low": 2, "datagrams_low": len(frames), "tuples_low": 100}
    assert read == counts | {"status": set()}


def test_datagrams_for_which_there_is_no_room_are_counted():
    """Rows wait for their receiver's MAC, so the engine stalls, and later datagrams are lost.

    A datagram is stored completely or not at all.
    """
    size, count = 1472, 40
    frames = [frame_of(bytes(size), THEIRS, OURS)] * count
    names = ["datagrams_low", "overflow_low", "tuples_low"]
    _, read = network_top().run(
        {"s_axis_rx": rx(frames)},
        {0: settings(to_mac=0)},
        [*names, "status"],
        packets=0,
    )
    datagrams, overflow, tuples = (read[name] for name in names)
    assert datagrams + overflow == count
    assert 11 <= datagrams < count  # 2,048 transfers wait, 184 of each datagram
    assert tuples < datagrams * size
    assert read["status"] == {"datagram_lost", "busy"}


@pytest.mark.parametrize(
    ("name", "value", "reads", "refused"),
    [
        ("port", 65535, 65535, False),
        ("port", 65536, 65536, True),
        ("port", 1 << 31, (1 << 17) - 1, True),
        ("port", 0, 0, True),
        ("to_port", 0, 0, True),
        ("address", 0, 0, True),
        ("address", 0xFFFFFFFF, 0xFFFFFFFF, False),
        ("mac_high", 0xFFFF, 0xFFFF, False),
        ("mac_high", 0x10000, 0x10000, True),
        ("to_mac_low", 0, 0, False),
        ("from_mac_high", 0xFFFF, 0xFFFF, False),
        ("from_mac_high", 0x10000, 0x10000, True),
        ("from_address", 0xFFFFFFFF, 0xFFFFFFFF, False),
        ("from_address", 0, 0, False),
    ],
)
def test_settings_have_limits(name, value, reads, refused):
    _, read = network_top().run(
        {"s_axis_rx": rx([bytes(60)])}, {0: [(name, value)]}, [name, "status"], packets=0
    )
    assert read == {name: reads, "status": {"bad_setting"} if refused else set()}


def test_settings_are_0_after_a_reset():
    names = [name for name, _ in settings()[:-2]]
    _, read = network_top().run({"s_axis_rx": rx([bytes(60)])}, {}, names, packets=0)
    assert read == dict.fromkeys(names, 0)

"""A host reads and writes the registers of a top by datagrams; no other frame changes one."""

import os
import random
import time
from collections import Counter
from dataclasses import replace
from itertools import pairwise

import pytest

from rtl.bus.registers import MAGIC, WITH_LINK
from rtl.bus.top_registers import registers_of
from sim.wire.frames import Endpoint, frame_of, payload_of, streams_of
from tb.rtl.bus.link_top import (
    DESIGN,
    HOST,
    MODEL,
    OURS,
    REGISTERS,
    REGISTERS_PORT,
    answers_of,
    link_top,
    rx,
    settings,
    to_registers,
)
from tb.rtl.ethernet.model import judge
from tb.rtl.ethernet.requests import Requests, carry_out, probe, request, steps_of

pytestmark = pytest.mark.hdl

REGISTER_MAP = registers_of(DESIGN)
ADDRESS = {name: register.address for name, register in REGISTER_MAP.items()}
(BAD_SETTING,) = (1 << f.low for f in REGISTER_MAP["status"].fields if f.name == "bad_setting")
#: Largest value of the register that is stored as it is; greater ones are stored as all ones.
LARGEST = {
    **{"size": 63, "step": 63, "to_mac_low": 2**32 - 1, "to_mac_high": 2**17 - 1},
    **{"to_address": 2**32 - 1, "to_port": 2**17 - 1},
}
CONSTANT = {"magic": MAGIC, "version": WITH_LINK, "function": 0, "room": 2048 * 8}
#: First addresses of random writes of up to four words, which leave alone the addresses of the
#: top itself and the commands of ``control``.
FIRST = [ADDRESS[name] for name in ("magic", "status", "function", "size", "step", "to_mac_low")]


class Registers:
    """The registers of the top, in plain Python."""

    def __init__(self):
        written = dict(settings())
        self.values = {name: written[name] for name in LARGEST}
        self.names = {ADDRESS[name]: name for name in (*LARGEST, *CONSTANT)}

    def write(self, address, value):
        name = self.names.get(address)
        if name in LARGEST:
            largest = LARGEST[name]
            self.values[name] = value if value <= largest else largest

    def read(self, address):
        name = self.names.get(address)
        return CONSTANT.get(name, self.values.get(name, 0))


def random_frames(rng, count):
    """Returns ``count`` of (frame, True for a wrong FCS): two thirds are good requests."""
    addresses = [ADDRESS[name] for name in (*LARGEST, *CONSTANT)]
    source = Requests(rng, addresses, FIRST)
    frames = []
    for _ in range(count):
        sender = Endpoint(
            mac=0x02_00_00_00_00_00 + rng.randrange(1 << 24),
            address=0x0A_00_00_00 + rng.randrange(1, 1 << 24),
            port=rng.randrange(1, 1 << 16),
        )
        kind = rng.choice(["reads", "writes", "reads", "writes", "malformed", "frame"])
        if kind == "malformed":
            payload = source.malformed()
        else:
            payload = source.good()
            while kind == "reads" and any(value is not None for _, value in steps_of(payload)[0]):
                payload = source.good()
        frame, bad_fcs = to_registers(payload, sender), False
        if kind == "frame":
            fault = rng.choice(["fcs", "bit", "bit", "cut"])
            bad_fcs = fault == "fcs"
            frame = frame[: rng.randrange(1, len(frame))] if fault == "cut" else frame
            if fault == "bit":
                place = rng.randrange(8 * len(frame))
                flipped = frame[place // 8] ^ 1 << place % 8
                frame = frame[: place // 8] + bytes([flipped]) + frame[place // 8 + 1 :]
        frames.append((frame, bad_fcs))
    return frames


def check_random_frames(seed, count):
    """Every good request is carried out and answered, and no other frame changes a register."""
    rng, registers = random.Random(seed), Registers()
    frames = random_frames(rng, count)
    face = replace(MODEL, port=REGISTERS_PORT)
    counted, senders, expected = Counter(), [], []
    for frame, bad_fcs in frames:
        reason, payload = judge(frame, bad_fcs, face)
        if reason == "datagrams":
            answer = carry_out(payload, registers.write, registers.read)
            reason = "bad_request" if answer is None else "requests"
            if answer:
                expected.append(answer)
                mac, address = frame[6:12], frame[26:30]
                numbers = (int.from_bytes(part, "big") for part in (mac, address, frame[34:36]))
                senders.append(
                    Endpoint(**dict(zip(("mac", "address", "port"), numbers, strict=True)))
                )
        counted[reason] += 1
    names = list(LARGEST)
    outcome, read = link_top().run(
        {"s_axis_rx": rx(frames, pause=90)},
        {0: settings()},
        [*names, *(f"{name}_low" for name in counted)],
        packets=len(expected),
        background_reads=[0],
        background_rate=0.3,
        seed=seed,
        idle_timeout=20_000,
    )
    assert answers_of(outcome, senders) == expected
    assert read == registers.values | {f"{name}_low": n for name, n in counted.items()}
    assert {value for _, _, value in outcome.background} == {MAGIC}
    assert counted["requests"] > count / 2
    assert counted["bad_request"] > count / 10
    return len(frames) - counted["requests"]


@pytest.mark.in_turn
def test_random_frames():
    check_random_frames(seed=1, count=1000)


@pytest.mark.regress
def test_10_000_random_frames():
    assert check_random_frames(seed=2, count=10_000) > 3_000


@pytest.mark.regress
def test_fuzz():
    """Random frames for ten minutes, or for SLUICE_FUZZ_SECONDS."""
    end = time.monotonic() + float(os.environ.get("SLUICE_FUZZ_SECONDS", "600"))
    seed = 1000
    while time.monotonic() < end:
        check_random_frames(seed, count=2_000)
        seed += 1


def test_a_host_without_a_processor_beside_the_engine():
    """Settings, a stream, counters, status and a soft reset, all by datagrams."""
    stream = bytes(range(50))
    tuples = [frame_of(part, HOST, OURS) for part in (stream, b"")]
    low = ADDRESS["tuples_low"]
    payloads = [
        request(writes=[1 << 6], first=ADDRESS["step"], reads=[ADDRESS["status"]]),
        request(writes=[5], first=ADDRESS["step"], reads=[ADDRESS["step"], ADDRESS["room"]]),
        *tuples,
        request(writes=[2], first=ADDRESS["control"], reads=[low, low + 4, ADDRESS["status"]]),
        request(writes=[1], first=ADDRESS["control"]),
        request(reads=[low, ADDRESS["status"], ADDRESS["step"], ADDRESS["version"]]),
    ]
    frames = [p if p in tuples else to_registers(p) for p in payloads]
    words = [
        [BAD_SETTING],
        [5, 2048 * 8],
        [50, 0, BAD_SETTING],
        [0, 0, 5, WITH_LINK],
    ]
    outcome, read = link_top().run(
        {"s_axis_rx": rx([(frame, False) for frame in frames], pause=400)},
        {0: settings()},
        ["requests_low", "status"],
        packets=len(words) + 2,
    )
    answers = answers_of(outcome, [HOST] * len(words))
    values = [[int.from_bytes(a[k : k + 4], "big") for k in range(16, len(a), 4)] for a in answers]
    assert values == words
    sent = [frame.tobytes() for frame in outcome.beats.streams(1)]
    rows = [payload_of(f, OURS, HOST) for f in sent if f[34:36] == OURS.port.to_bytes(2, "big")]
    assert streams_of(rows) == [bytes(byte + 5 for byte in stream)]
    assert read == {"requests_low": 1, "status": set()}  # since the soft reset


def test_room_of_the_buffer():
    """Tuples wait for the receiver's MAC: a datagram takes its bytes, rounded up to 8."""
    sizes = [1472, 1, 9, 8]
    tuples = [(frame_of(bytes(size), HOST, OURS), False) for size in [1472] * 2]
    room_request = (to_registers(request(reads=[ADDRESS["room"]])), False)
    frames = [*tuples, room_request]
    for size in sizes:
        frames += [(frame_of(bytes(size), HOST, OURS), False), room_request]
    frames += [(frame_of(b"", HOST, OURS), False), room_request]
    outcome, _ = link_top().run(
        {"s_axis_rx": rx(frames, pause=600)}, {0: settings(to_mac=0)}, packets=len(sizes) + 2
    )
    rooms = [int.from_bytes(a[16:], "big") for a in answers_of(outcome, [HOST] * (len(sizes) + 2))]
    used = [before - after for before, after in pairwise(rooms)]
    assert used == [1472, 8, 16, 8, 8]
    # Some bytes of the first datagram have become rows, and the second datagram waits whole.
    assert 1472 <= 2048 * 8 - rooms[0] <= 2 * 1472


def test_more_requests_than_can_wait():
    """Back to back, some requests are dropped and counted; all others are answered in order."""
    payloads = [request(reads=[0] * 8, number=k) for k in range(60)]
    outcome, read = link_top().run(
        {"s_axis_rx": rx([(to_registers(p), False) for p in payloads], pause=0)},
        {0: settings()},
        ["requests_low", "request_overflow_low"],
        packets="any",
        drain=3000,
    )
    answers = answers_of(outcome, [HOST] * read["requests_low"])
    numbers = [int.from_bytes(answer[12:16], "big") for answer in answers]
    assert numbers == sorted(set(numbers))
    assert read["requests_low"] + read["request_overflow_low"] == 60
    assert 4 < read["requests_low"] < 60


@pytest.mark.parametrize("sender", ["allowed", "other"])
def test_only_the_allowed_sender_reaches_the_registers(sender):
    host = HOST if sender == "allowed" else replace(HOST, address=HOST.address ^ 1)
    payload = request(writes=[9], first=ADDRESS["step"], reads=[0])
    is_allowed = sender == "allowed"
    outcome, read = link_top().run(
        {"s_axis_rx": rx([(to_registers(payload, host), False)])},
        {0: settings(from_address=HOST.address)},
        ["step", "other_sender_low", "requests_low"],
        packets=int(is_allowed),
        drain=500,
    )
    assert len(answers_of(outcome, [HOST] * is_allowed)) == is_allowed
    counts = {"other_sender_low": int(not is_allowed), "requests_low": int(is_allowed)}
    assert read == {"step": 9 if is_allowed else 7} | counts


def test_no_port_of_registers():
    """With the register at 0, a datagram to any port, also port 0, is no request."""
    frames = [
        (
            frame_of(request(writes=[9], first=ADDRESS["step"]), HOST, replace(OURS, port=port)),
            False,
        )
        for port in (0, REGISTERS_PORT)
    ]
    _, read = link_top().run(
        {"s_axis_rx": rx(frames)},
        {0: settings(registers_port=0)},
        ["step", "other_port_low", "requests_low", "status"],
        packets=0,
    )
    assert read == {"step": 7, "other_port_low": 2, "requests_low": 0, "status": set()}


def test_a_new_port_of_registers_is_taken_over_after_the_answer():
    """The answer to the request that changes our address still comes from the old address."""
    new = replace(REGISTERS, address=REGISTERS.address ^ 0x0F, port=99)
    payloads = [
        request(writes=[99], first=ADDRESS["registers_port"], reads=[ADDRESS["registers_port"]]),
    ]
    change = request(writes=[new.address], first=ADDRESS["address"], reads=[0])
    frames = [
        to_registers(payloads[0]),
        frame_of(change, HOST, replace(REGISTERS, port=99)),
        frame_of(probe(3), HOST, new),
    ]
    outcome, _ = link_top().run(
        {"s_axis_rx": rx([(frame, False) for frame in frames], pause=300)},
        {0: settings()},
        packets=3,
    )
    sent = [frame.tobytes() for frame in outcome.beats.streams(1)]
    sources = [REGISTERS, replace(REGISTERS, port=99), new]
    answers = [payload_of(f, source, HOST) for f, source in zip(sent, sources, strict=True)]
    assert [answer[:4].hex() for answer in answers] == ["4e6f1444", "4e6f1444", "4e6f1244"]

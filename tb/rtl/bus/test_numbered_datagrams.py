"""Datagrams with numbers, on both ways of a top: nothing is lost or doubled without a count."""

import itertools
import random
from collections import Counter

import pytest

from rtl.bus.top_registers import registers_of
from sim.wire.frames import frame_of, payload_of, streams_of
from tb.rtl.bus.link_top import (
    DESIGN,
    HOST,
    OURS,
    PUNCTUATED,
    answers_of,
    link_top,
    rx,
    settings,
    to_registers,
)
from tb.rtl.ethernet.requests import request

pytestmark = pytest.mark.hdl

ADDRESS = {name: register.address for name, register in registers_of(DESIGN).items()}
STEP, ROWS, TUPLES, SKIP, PUNCTUATIONS = 7, 1, 2, 1, 2
COUNTERS = ("datagrams", "repeated", "ahead", "missing", "partial_tuple")


def numbered(number, payload=b"", flags=0):
    return frame_of(number.to_bytes(4, "little") + bytes([flags, 0, 0, 0]) + payload, HOST, OURS)


def run(frames, *, design=DESIGN, pause=30, reads=(), numbers=ROWS | TUPLES, **options):
    """Runs frames; returns the datagrams of rows, and the values of registers by name."""
    outcome, read = link_top(design).run(
        {"s_axis_rx": rx([(frame, False) for frame in frames], pause=pause)},
        {0: [*settings(), ("numbered", numbers)]},
        ["status", *reads],
        packets="any",
        drain=3000,
        **options,
    )
    sent = [frame.tobytes() for frame in outcome.beats.streams(1)] if len(outcome.beats) else []
    rows = [f for f in sent if f[34:36] == OURS.port.to_bytes(2, "big")]
    return [payload_of(frame, OURS, HOST) for frame in rows], read, outcome


def split(datagrams):
    """Returns for each datagram of rows its number, ``received``, ``room`` and its rows."""
    fields = ((0, 4), (4, 6), (6, 8))
    return [(*(int.from_bytes(d[a:b], "little") for a, b in fields), d[8:]) for d in datagrams]


def answer(stream):
    return bytes((byte + STEP) % 256 for byte in stream)


class Receiver:
    """The order of datagrams of tuples, in plain Python."""

    def __init__(self):
        self.received, self.counts, self.payloads = 0, Counter(), []

    def take(self, number, payload, flags):
        distance = (number - self.received) % 2**32
        if distance >= 2**31:
            self.counts["repeated"] += 1
        elif distance and not flags & SKIP:
            self.counts["ahead"] += 1
        else:
            self.counts["missing"] += distance
            self.counts["datagrams"] += 1
            self.received = (number + 1) % 2**32
            self.payloads.append(payload)


@pytest.mark.parametrize("stalls", [{}, {"stall_output": 0.4}])
def test_lost_doubled_and_swapped_datagrams(stalls):
    """The wire loses, doubles and swaps datagrams: the engine receives those that the model takes.

    Each other datagram is counted. A datagram that ends a stream is sent until it is taken.
    """
    rng, receiver, frames = random.Random(11), Receiver(), []

    def send(number, payload, flags=0):
        frames.append(numbered(number, payload, flags))
        receiver.take(number, payload, flags)

    number = 0
    for _ in range(20):
        parts = [rng.randbytes(rng.choice([1, 7, 8, 9, 40])) for _ in range(rng.randrange(12))]
        arriving = []
        for part in parts:
            fate = rng.choice(["sent"] * 6 + ["lost", "doubled", "late", "again"])
            if fate != "lost":
                arriving.append((number, part, SKIP * (rng.random() < 0.3)))
            if fate == "doubled":
                arriving.append(arriving[-1])
            if fate == "late" and len(arriving) > 1:
                arriving[-2:] = reversed(arriving[-2:])
            number += 1
        for datagram in arriving:
            send(*datagram)
        send(number, b"", SKIP)  # after a gap, the end gives up the numbers before it
        number += 1
    datagrams, read, _ = run(
        frames, reads=["received", "next_row_datagram", *(f"{c}_low" for c in COUNTERS)], **stalls
    )
    assert min(receiver.counts[name] for name in ("repeated", "ahead", "missing")) > 3
    expected = {f"{name}_low": receiver.counts[name] for name in COUNTERS}
    assert read == expected | {
        "status": set(),
        "received": receiver.received,
        "next_row_datagram": len(datagrams),
    }
    heads = split(datagrams)
    assert [head[0] for head in heads] == list(range(len(heads)))
    streams = [answer(stream) for stream in streams_of(receiver.payloads)]
    assert streams_of([rows for *_, rows in heads]) == streams
    assert all(0 <= before[1] <= after[1] for before, after in itertools.pairwise(heads))
    assert heads[-1][1:3] == (receiver.received, 2048)


@pytest.mark.in_turn
@pytest.mark.parametrize("stalls", [{}, {"stall_output": 0.4}])
def test_punctuations_among_tuples(stalls):
    """The engine of the test inverts the byte of a punctuation, and adds 7 to that of a tuple.

    Datagrams of both kinds follow each other, lost and doubled ones among them. A datagram that
    ends a stream may have the flag, which says nothing there.
    """
    rng, receiver, frames, streams = random.Random(13), Receiver(), [], []
    number = tuple_count = 0
    for _ in range(15):
        stream = b""
        for _ in range(rng.randrange(9)):
            part = rng.randbytes(rng.choice([1, 1, 2, 7, 8, 9, 24]))
            flags = rng.choice([0, PUNCTUATIONS])
            fate = rng.choice(["sent"] * 4 + ["lost", "doubled"])
            if fate != "lost":
                stream += bytes(byte ^ 0xFF for byte in part) if flags else answer(part)
                tuple_count += 0 if flags else len(part)
            for _ in range({"lost": 0, "sent": 1, "doubled": 2}[fate]):
                frames.append(numbered(number, part, flags | SKIP))
                receiver.take(number, part, SKIP)
            number += 1
        frames.append(numbered(number, b"", SKIP | rng.choice([0, PUNCTUATIONS])))
        receiver.take(number, b"", SKIP)
        number += 1
        streams.append(stream)
    reads = ["tuples_low", *(f"{name}_low" for name in COUNTERS)]
    datagrams, read, _ = run(frames, design=PUNCTUATED, reads=reads, **stalls)
    assert streams_of([rows for *_, rows in split(datagrams)]) == streams
    assert receiver.counts["missing"] > 3
    assert receiver.counts["repeated"] > 3
    expected = {f"{name}_low": receiver.counts[name] for name in COUNTERS}
    assert read == expected | {"status": set(), "tuples_low": tuple_count}


@pytest.mark.in_turn
def test_without_numbers_there_are_no_punctuations():
    """While datagrams of tuples have no numbers, each byte is one of a tuple."""
    stream = bytes([0, 0, 0, 0, PUNCTUATIONS, 0, 0, 0, 5])
    frames = [frame_of(part, HOST, OURS) for part in (stream, b"")]
    datagrams, read, _ = run(frames, design=PUNCTUATED, numbers=ROWS, reads=["tuples_low"])
    assert [rows for *_, rows in split(datagrams)] == [answer(stream), b""]
    assert read == {"status": set(), "tuples_low": len(stream)}


def test_full_datagrams_have_room_for_the_number():
    """1,464 bytes of tuples in, and 1,464 bytes of rows out; with a ``size`` of 20 beats and two
    rows in a beat, a window has 40 rows, all windows of a stream are one packet."""
    rng = random.Random(12)
    stream = rng.randbytes(1464 * 3 + 5)
    parts = [*(stream[k : k + 1464] for k in range(0, len(stream), 1464)), b""]
    frames = [numbered(number, part) for number, part in enumerate(parts)]
    datagrams, read, _ = run(frames, pause=900)
    heads = split(datagrams)
    assert [len(rows) for *_, rows in heads] == [1464, 1464, 1464, 5, 0]
    assert streams_of([rows for *_, rows in heads]) == [answer(stream)]
    assert read["status"] == set()


def test_one_way_only():
    """Each way has its own bit; without it the datagrams are as without the link."""
    stream = bytes(range(20))
    plain = [frame_of(part, HOST, OURS) for part in (stream, b"")]
    with_numbers = [numbered(k, part) for k, part in enumerate((stream, b""))]
    datagrams, read, _ = run(plain, numbers=ROWS, reads=["received", "datagrams_low"])
    assert [rows for *_, rows in split(datagrams)] == [answer(stream), b""]
    assert read == {"status": set(), "received": 0, "datagrams_low": 2}
    datagrams, read, _ = run(with_numbers, numbers=TUPLES, reads=["received", "next_row_datagram"])
    assert datagrams == [answer(stream), b""]
    assert read == {"status": set(), "received": 2, "next_row_datagram": 0}


def test_short_datagrams_are_counted():
    """A datagram of tuples without a whole number is no datagram of tuples."""
    frames = [
        *(frame_of(bytes(size), HOST, OURS) for size in (0, 1, 7)),
        *(numbered(0, b"abc"), numbered(1)),
    ]
    datagrams, read, _ = run(frames, reads=["partial_tuple_low", "received"])
    assert [rows for *_, rows in split(datagrams)] == [answer(b"abc"), b""]
    assert read == {"status": set(), "partial_tuple_low": 3, "received": 2}


def test_a_dropped_datagram_is_taken_when_it_comes_again():
    """Rows wait for their receiver, so the buffer is full: the datagram without room is no longer
    expected only when it has been taken."""
    tuples = [numbered(k, bytes([k]) * 1464) for k in range(14)]
    words = [HOST.mac & 0xFFFF_FFFF, HOST.mac >> 32]
    write = to_registers(request(writes=words, first=ADDRESS["to_mac_low"]))
    register_request = to_registers(request(reads=[ADDRESS["received"], ADDRESS["room"]]))
    frames = [*tuples, register_request, write, *tuples, numbered(14), register_request]
    outcome, read = link_top().run(
        {"s_axis_rx": rx([(frame, False) for frame in frames], pause=2500)},
        {0: [*settings(to_mac=0), ("numbered", ROWS | TUPLES)]},
        ["overflow_low", "ahead_low", "repeated_low", "datagrams_low", "received"],
        packets="any",
        drain=3000,
    )
    first, last = (
        [int.from_bytes(a[k : k + 4], "big") for k in (16, 20)]
        for a in answers_of(outcome, [HOST] * 2)
    )
    accepted_count = first[0]
    assert 11 <= accepted_count < 14
    assert first[1] < 1464
    assert last == [15, 2048 * 8]
    assert read == {
        "overflow_low": 1,
        "ahead_low": 14 - accepted_count - 1,
        "repeated_low": accepted_count,
        "datagrams_low": 15,
        "received": 15,
    }
    sent = [frame.tobytes() for frame in outcome.beats.streams(1)]
    rows = [payload_of(f, OURS, HOST) for f in sent if f[34:36] == OURS.port.to_bytes(2, "big")]
    assert streams_of([rows for *_, rows in split(rows)]) == [
        answer(b"".join(bytes([k]) * 1464 for k in range(14)))
    ]


def test_numbers_begin_again():
    """Numbers go on over streams; after ``numbered`` was 0 they begin with 0."""
    stream = b"abc"
    write = [
        to_registers(request(writes=[value], first=ADDRESS["numbered"]))
        for value in (0, ROWS | TUPLES)
    ]
    frames = [
        *(numbered(k, part) for k, part in enumerate([stream, b""] * 2)),
        *write,
        *(numbered(k, part) for k, part in enumerate([stream, b""])),
    ]
    datagrams, read, _ = run(frames, pause=300, reads=["received", "repeated_low"])
    assert [head[0] for head in split(datagrams)] == [0, 1, 2, 3, 0, 1]
    assert [rows for *_, rows in split(datagrams)] == [answer(stream), b""] * 3
    assert read == {"status": set(), "received": 2, "repeated_low": 0}

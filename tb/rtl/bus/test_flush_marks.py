"""Checks that rows leave ``flush_cycles`` after the first of them, while their packet goes on.

They leave in a datagram that is not full. For instance two rows and 500 cycles without a further
row become a datagram of two rows.
"""

import random
from dataclasses import replace

import numpy as np
import pytest

from rtl.bus.flush_marks import FlushMarks
from rtl.contract.face import Face
from sim.job import SoftReset
from sim.wire.frames import frame_of, payload_of, streams_of
from tb.bench.unit import run_stream
from tb.rtl.bus.link_top import HOST, OURS, link_top, rx, settings
from tb.rtl.bus.packets import packets
from tb.rtl.bus.tops import top_of

pytestmark = pytest.mark.hdl

STEP = 7
#: Rows of a full window.
WINDOW = 40
#: Most cycles from the last beat of a datagram of tuples to the last beat of the datagram of its
#: rows, for rows that do not wait.
PASSAGE = 120
LINK = Face(network=True, host_link=True)


def window_top():
    """Returns a top that ends a packet with each window, of 20 beats of two rows."""
    return top_of(packets().with_face(replace(LINK, packets="window")))


def answer(stream):
    """Returns the rows of a stream: each row is its tuple, a byte, plus STEP."""
    return bytes((byte + STEP) % 256 for byte in stream)


def run(top, parts, *, cycles, numbers=0, pauses=None, **options):
    """Runs datagrams of tuples, with a pause before each of them.

    Returns the payloads of the datagrams of rows, the cycles of the last beats of the datagrams of
    tuples and of rows, and the outcome.
    """
    beats = rx([(frame_of(part, HOST, OURS), False) for part in parts])
    pause = np.zeros(len(beats), np.uint32)
    pause[beats.starts] = 3 if pauses is None else pauses
    beats = replace(beats, pause=pause)
    options = {"packets": "any", "drain": 3000} | options
    expected_status = set()
    if "reset" in options:  # a reset may cut the last stream before its end has come
        del options["packets"]
        expected_status = {"busy"}
    outcome, read = top.run(
        {"s_axis_rx": beats},
        {0: [*settings(), ("flush_cycles", cycles), ("numbered", numbers)]},
        ["status", "sent_low"],
        idle_timeout=20_000,
        **options,
    )
    assert read["status"] <= expected_status
    sent = [frame.tobytes() for frame in outcome.beats.streams(1)] if len(outcome.beats) else []
    payloads = [payload_of(frame, OURS, HOST) for frame in sent]
    if numbers:
        heads = [int.from_bytes(payload[:4], "little") for payload in payloads]
        assert heads == list(range(len(heads)))
        payloads = [payload[8:] for payload in payloads]
    in_cycles = outcome.inputs["s_axis_rx"].beat_cycles[beats.ends]
    out = outcome.outputs["m_axis_tx"]
    return payloads, in_cycles.tolist(), out.beat_cycles[out.beats.ends].tolist(), outcome


@pytest.mark.in_turn
@pytest.mark.parametrize("numbers", [0, 1])
@pytest.mark.parametrize("size", [2, 6, 8, 10, 16, 18, 100])
def test_rows_leave_after_a_time(size, numbers):
    """Rows of any number of bytes leave after the time, although the stream has not ended.

    The time begins with the first row. The engine takes two tuples in a cycle, so a single tuple
    would wait for the next one.
    """
    first, second = random.Random(size).randbytes(size), b"wxyz"
    parts, pauses = [first, second, b""], [3, 2000, 2000]
    payloads, arrivals, departures, _ = run(
        link_top(), parts, cycles=500, numbers=numbers, pauses=pauses
    )
    assert payloads == [answer(first), answer(second), b""]
    for arrival, departure in zip(arrivals[:2], departures[:2], strict=True):
        assert 500 <= departure - arrival <= 500 + PASSAGE
    assert departures[2] - arrivals[2] < PASSAGE


def test_rows_wait_without_the_time():
    """With 0 ``cycles`` rows wait for the end of their stream."""
    payloads, *_ = run(link_top(), [b"abc", b"de", b""], cycles=0, pauses=[3, 2000, 2000])
    assert payloads == [answer(b"abcde"), b""]


def test_no_row_no_datagram():
    """While there are no rows, and after the end of a stream, nothing is sent."""
    payloads, *_ = run(link_top(), [b"", b"ab", b""], cycles=10, pauses=[500, 500, 500])
    assert payloads == [b"", answer(b"ab"), b""]


def test_full_datagrams_are_not_cut():
    """Rows that leave in full datagrams begin the time again: no datagram is short but the last."""
    stream = random.Random(3).randbytes(1472 * 6)
    parts = [*(stream[k : k + 1472] for k in range(0, len(stream), 1472)), b""]
    payloads, *_ = run(link_top(), parts, cycles=2500, pauses=900)
    assert [len(payload) for payload in payloads] == [1472] * 6 + [0]
    assert streams_of(payloads) == [answer(stream)]


def windows_of(stream):
    """Returns the windows of a stream's rows; the last window may be shorter, or empty."""
    return [stream[k : k + WINDOW] for k in range(0, len(stream) + 1, WINDOW)]


@pytest.mark.in_turn
@pytest.mark.parametrize("numbers", [0, 1])
@pytest.mark.parametrize("top", [link_top, window_top])
@pytest.mark.parametrize("cycles", [1, 7, 60, 400])
def test_random_streams(top, cycles, numbers):
    """With any time and any pauses the packets are the same, but some leave in several datagrams.

    Without marks each packet would be one datagram, and a mark that ends a packet too early would
    make one packet more.
    """
    rng = random.Random(f"{cycles} {numbers}")
    streams, parts = [], []
    for _ in range(12):
        stream = [
            rng.randbytes(rng.choice([1, 2, 3, 7, 8, 9, 30, 90])) for _ in range(rng.randrange(6))
        ]
        streams.append(b"".join(stream))
        parts += [*stream, b""]
    pauses = [rng.choice([3, 3, 50, 200, 900]) for _ in parts]
    payloads, *_ = run(
        top(), parts, cycles=cycles, numbers=numbers, pauses=pauses,
        stall_output=rng.choice([0, 0.4]),
    )  # fmt: skip
    expected = [answer(stream) for stream in streams]
    if top is window_top:
        expected = [window for rows in expected for window in windows_of(rows)]
    assert streams_of(payloads) == expected
    assert sum(map(bool, payloads)) > sum(map(bool, expected))


def test_a_soft_reset_ends_a_packet_whose_rows_have_left():
    """A reset ends the packet also if all of the packet's rows have left before the reset."""
    rng, cuts, lasts = random.Random(5), 0, 0
    for cycle in range(100, 1500, 100):
        streams = [rng.randbytes(30), rng.randbytes(rng.choice([3, 40])), rng.randbytes(20)]
        parts, pauses = [], []
        for stream in streams:
            parts += [stream[:2], stream[2:], b""]
            pauses += [100, 150, 150]
        payloads, arrivals, _, outcome = run(
            link_top(), parts, cycles=20, pauses=pauses, reset=SoftReset(cycle), drain=4000
        )
        received = streams_of(payloads)
        expected = [answer(stream) for stream in streams]
        complete = [packet for packet in received if packet in expected]
        places = [expected.index(packet) for packet in complete]
        assert places == sorted(set(places))
        assert len(received) - len(complete) <= 1
        cuts += len(received) - len(complete)
        assert all(any(e.startswith(p) for e in expected) for p in received)
        # The last stream's first datagram is the third last one. Its rows are complete if the reset
        # is over when the datagram comes: 20 cycles suffice.
        if outcome.soft_reset < arrivals[-3] - 20:
            assert received[-1] == expected[-1]
            lasts += 1
    assert cuts > 2
    assert lasts > 4


@pytest.mark.parametrize("cycles", [0, 1, 2, 9])
def test_the_time_of_a_mark(cycles):
    """A mark is offered ``cycles`` + 4 cycles after the first of two rows, and only once.

    With 0 ``cycles`` there is no mark.
    """
    sent = [{"tkeep": 0xFF, "tlast": 0, "tdata": k} for k in range(2)]
    received = run_stream(FlushMarks(8), sent, max_cycles=60, ports={"cycles": cycles})
    mark = {"tkeep": 0, "tlast": 0, "tdata": 0}
    assert received.payloads == [*sent, *([mark] if cycles else [])]
    first = received.cycles[0]
    assert received.cycles[1:] == [first + 1, *([first + cycles + 4] if cycles else [])]


@pytest.mark.in_turn
def test_a_row_on_offer_goes_before_the_mark():
    """A mark does not take the place of a row that waits for ``ready``, and changes no row."""
    sent = [{"tkeep": 0xFF, "tlast": k % 7 == 6, "tdata": k} for k in range(200)]

    for stall_in, stall_out, seed in [(0, 0.9, 1), (0.3, 0.8, 2), (0.8, 0.8, 3), (0.9, 0, 4)]:
        options = {"stall_in": stall_in, "stall_out": stall_out, "seed": seed}
        received = run_stream(FlushMarks(8), sent, max_cycles=8000, ports={"cycles": 4}, **options)
        assert [payload for payload in received.payloads if payload["tkeep"]] == sent
        marks = [payload for payload in received.payloads if not payload["tkeep"]]
        assert marks
        assert not any(mark["tlast"] for mark in marks)  # a mark ends no packet

"""Frames that a compiled face receives: good tuples come once, and other frames are counted."""

import random
from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest
from scapy.layers.inet import ICMP, IP, UDP
from scapy.layers.l2 import Ether
from scapy.utils import rdpcap

from rtl.ethernet.receive import Receive
from sim.wire.run import beats, packets
from tb.rtl.ethernet.frames import Frames
from tb.rtl.ethernet.frames_file import recorded
from tb.rtl.ethernet.model import judge, packed
from tb.rtl.ethernet.received import (
    ACCEPTED_SENDERS,
    COUNT_DELAYS,
    FACE,
    OVERFLOWS,
    SENDERS,
    by_hand,
    check,
    run,
    streams,
)

pytestmark = pytest.mark.hdl

PCAP = Path(__file__).parent / "frames.pcap"
UNSET = {"other_sender"}  # counts only if a sender is set


def line_rate(wire, count, seed):
    rng = random.Random(seed)
    frames_made = Frames(FACE, rng).some(count)
    frames = [(frame, bad) for frame, bad, _ in frames_made]
    fed, outcome = run(wire, FACE, frames)
    assert fed["valid"].all()  # a beat in each cycle
    counts = check(fed, outcome, FACE, frames)
    assert counts == Counter(
        reason for _, _, reason in frames_made
    )  # frames are as they were meant
    assert set(counts) | OVERFLOWS | UNSET == {counter.name for counter in Receive.counters}
    bad = 1 - sum(counts[kind] for kind in ("datagrams", "pings", "arps")) / count
    assert 0.3 < bad < 0.37


@pytest.mark.in_turn
@pytest.mark.long
def test_line_rate(wire):
    line_rate(wire, 3_000, seed=1)


@pytest.mark.regress
def test_line_rate_for_long(wire):
    line_rate(wire, 100_000, seed=2)


@pytest.mark.in_turn
def test_tuples_at_line_rate(wire):
    """The largest frames, back to back: a tuple in every two cycles while payload comes."""
    rng = random.Random(3)
    frame = Ether(src="02:00:00:00:00:01", dst=FACE.mac) / IP(src="10.0.0.9", dst=FACE.address)
    frames_made = [bytes(frame / UDP(dport=FACE.port) / rng.randbytes(1472)) for _ in range(20)]
    fed, outcome = run(wire, FACE, [(frame, False) for frame in frames_made])
    assert len(fed) == 20 * 190
    assert packets(outcome.tuples) == ([], b"".join(frame[42:] for frame in frames_made))
    cycles = outcome.tuples["cycle"].tolist()
    for k in range(20):
        first, *_, last = cycles[184 * k : 184 * (k + 1)]
        assert (first, last - first) == (cycles[0] + 190 * k, 183)
    assert cycles[0] - 189 == Receive.latency


@pytest.mark.in_turn
@pytest.mark.parametrize("seed", range(3))
def test_gaps_and_stalls(wire, seed):
    """No datagram is lost if the MAC pauses within frames and the engine stalls briefly."""
    rng = random.Random(seed)
    frames = [frame_made[:2] for frame_made in Frames(FACE, rng).some(300)]
    count = len(beats([frame for frame, _ in frames]))
    gaps = [rng.randrange(4) if rng.random() < 0.4 else 0 for _ in range(count)]
    fed, outcome = run(wire, FACE, frames, gaps, stall_tuples=0.3, stall_tx=0.2, seed=seed)
    check(fed, outcome, FACE, frames)


@pytest.mark.in_turn
def test_an_engine_that_stalls_loses_whole_datagrams(wire):
    """The engine stalls at first: the buffer takes datagrams until it is full, and the others are
    counted."""
    rng = random.Random(5)
    face = replace(FACE, row_bytes=16)
    generator = Frames(face, rng)
    frames = [(generator.datagram(max_tuples=20), False) for _ in range(200)]
    fed = beats([frame for frame, _ in frames])
    outcome = wire(face, depth=256).run(fed, settings=face.settings, hold=len(fed) // 2)
    assert (outcome.refused, outcome.broken) == (0, 0)
    assert set(outcome.totals) == {"datagrams", "overflow"}
    assert outcome.totals["overflow"] > 50
    counts = sorted(outcome.events)
    assert len(counts) == 200
    payloads = [judge(*frame, face)[1] for frame in frames]
    accepted = [p for p, (_, event) in zip(payloads, counts, strict=True) if event == "datagrams"]
    assert packets(outcome.tuples) == streams(accepted)
    # As many as fit were stored; a small datagram may fit after a larger one did not.
    stored, missed = 0, False
    for payload, (cycle, event) in zip(payloads, counts, strict=True):
        if cycle >= len(fed) // 2:
            break
        items = max(1, len(payload) // 8)
        assert (event == "datagrams") == (stored + items <= 256 + 1)  # one has left the memory
        stored, missed = stored + items * (event == "datagrams"), missed | (event == "overflow")
    assert missed


@pytest.mark.in_turn
def test_a_slow_engine_gets_whole_datagrams(wire):
    """Some good datagrams among the lost ones, many times round the buffer."""
    generator = Frames(FACE, random.Random(6))
    frames = [generator.datagram(max_tuples=20) for _ in range(1000)]
    outcome = wire(FACE, depth=256).run(beats(frames), settings=FACE.settings, stall_tuples=0.7)
    assert (outcome.refused, outcome.broken) == (0, 0)
    counts = [event for _, event in sorted(outcome.events)]
    assert Counter(counts).keys() == {"datagrams", "overflow"}
    assert 200 < counts.count("overflow") < 800
    payloads = [judge(frame, False, FACE)[1] for frame in frames]
    accepted = [p for p, event in zip(payloads, counts, strict=True) if event == "datagrams"]
    assert packets(outcome.tuples) == streams(accepted)


@pytest.mark.in_turn
@pytest.mark.parametrize("row_bytes", [1, 5, 8, 12, 24])
def test_other_tuples(wire, row_bytes):
    """Datagrams of tuples that do not fill a beat: the next datagram begins a new beat."""
    rng, face = random.Random(row_bytes), replace(FACE, row_bytes=row_bytes)
    generator = Frames(face, rng)
    if row_bytes == 1:
        generator.bad.remove("partial_tuple")
    frames = [frame_made[:2] for frame_made in generator.some(300)]
    fed, outcome = run(wire, face, frames)
    counts = check(fed, outcome, face, frames)
    assert (counts["partial_tuple"] > 0) == (row_bytes > 1)


@pytest.mark.in_turn
def test_short_frames_are_read_as_far_as_they_go(wire):
    """Without a minimum length: frames cut anywhere, back to back; missing bytes never come from
    the next frame."""
    face, rng = replace(FACE, shortest=14), random.Random(7)
    generator = Frames(face, rng)
    frames = []
    for _ in range(1000):
        full_frame = rng.choice([generator.datagram, generator.ping, generator.arp])()
        cut = rng.randrange(1, len(full_frame)) if rng.random() < 0.8 else len(full_frame)
        frames.append((full_frame[:cut], rng.random() < 0.02))
    fed, outcome = run(wire, face, frames)
    counts = check(fed, outcome, face, frames)
    assert set(counts) >= {"runt", "other_type", "bad_arp", "bad_header", "datagrams"}


@pytest.mark.in_turn(5)
def test_by_hand(wire):
    named = by_hand()
    fed, outcome = run(wire, FACE, [(frame, False) for _, frame in named])
    ends = fed["last"].nonzero()[0].tolist()
    expected = [
        (end + COUNT_DELAYS[name], name) for end, (name, _) in zip(ends, named, strict=True)
    ]
    assert sorted(outcome.events) == sorted(expected)
    data = bytes(range(32))
    assert packets(outcome.tuples) == ([3 * data], 4 * data)
    sent, _ = packets(outcome.tx)
    names = [name for name, _ in named]
    assert len(sent) == names.count("pings") + names.count("arps") == 6
    assert not any(frame[0] & 1 for frame in sent)  # no answer to a group


@pytest.mark.parametrize("name", ACCEPTED_SENDERS)
def test_one_sender(wire, name):
    """Datagrams of other senders are counted, even if they would end the stream; pings are
    answered."""
    sender, accepts = ACCEPTED_SENDERS[name]
    face, echo = replace(FACE, **sender), ICMP(id=1, seq=2)
    frames, expected = [], []
    for (mac, address), good in zip(SENDERS, accepts, strict=True):
        link = Ether(src=mac, dst=face.mac) / IP(src=address, dst=face.address)
        group = mac.startswith("03")
        for body in (UDP(dport=face.port) / bytes(16), UDP(dport=face.port), echo):
            frames.append((bytes(link / body).ljust(60, b"\0"), False))
            counter = "pings" if body is echo else "datagrams" if good else "other_sender"
            expected.append("group_sender" if group else counter)
    fed, outcome = run(wire, face, frames)
    assert check(fed, outcome, face, frames) == Counter(expected)
    assert packets(outcome.tuples) == ([bytes(16)] * sum(accepts), b"")


def test_precedence(wire):
    """A frame with everything wrong, corrected step by step, is counted for its first error."""
    mac, data = Ether(src="ff:ff:ff:ff:ff:ff", dst="02:00:00:00:00:08", type=5), bytes(31)
    ip = IP(dst="10.0.0.1", version=4, ihl=5, len=70, chksum=1, flags="MF", proto=6, id=0)
    udp = UDP(dport=1, len=38, chksum=1)
    steps = [
        ("giant", {}, bytes(1500)),
        ("other_mac", {}, b""),
        ("group_sender", {"dst": FACE.mac}, b""),
        ("other_type", {"src": "02:00:00:00:00:07"}, b""),
        ("bad_header", {"type": 0x0800}, b""),
        ("bad_ip_checksum", {"len": 59}, b""),
        ("other_address", {"ip_chksum": None}, b""),
        ("fragment", {"ip_dst": FACE.address}, b""),
        ("other_protocol", {"flags": 0}, b""),
        ("bad_udp_length", {"proto": 17}, b""),
        ("other_port", {"udp_len": 39}, b""),
        ("bad_udp_checksum", {"dport": FACE.port}, b""),
        ("partial_tuple", {"udp_chksum": None}, b""),
    ]
    frames, layers = [], {"type": mac, "dst": mac, "src": mac, "len": ip, "flags": ip, "proto": ip}
    layers |= {"ip_chksum": ip, "ip_dst": ip, "udp_len": udp, "dport": udp, "udp_chksum": udp}
    for _, changes, padding in steps:
        for name, value in changes.items():
            setattr(layers[name], name.removeprefix("ip_").removeprefix("udp_"), value)
        frames.append(bytes(mac / ip / udp / data) + padding)
    frames = [frames[0], *frames]  # the first with a bad FCS as well
    fed = beats(frames, [True] + [False] * len(steps))
    outcome = wire(FACE).run(fed, settings=FACE.settings)
    assert outcome.totals == Counter(["bad_fcs", *(name for name, _, _ in steps)])
    ends = fed["last"].nonzero()[0].tolist()
    names = ["bad_fcs", *(name for name, _, _ in steps)]
    assert sorted(outcome.events) == sorted(
        (end + COUNT_DELAYS[name], name) for end, name in zip(ends, names, strict=True)
    )


def test_recorded_frames(wire):
    """The frames of the file that frames_file.py writes."""
    frames = [(bytes(packet), False) for packet in rdpcap(str(PCAP))]
    assert [frame for frame, _ in frames] == recorded()
    fed, outcome = run(wire, FACE, frames)
    counts = check(fed, outcome, FACE, frames)
    assert counts == {"datagrams": 12, "pings": 2, "arps": 2, "fragment": 2, "other_port": 1} | {
        "other_type": 1,
        "bad_udp_checksum": 1,
        "partial_tuple": 1,
        "runt": 1,
        "giant": 1,
    }
    complete, partial_packet = packets(outcome.tuples)
    assert [len(stream) % 16 for stream in complete] == [0]
    assert partial_packet == b""


def test_pings_of_every_size(wire):
    frames = []
    for size in range(249):
        body = ICMP(id=size, seq=1) / bytes(k * 7 % 256 for k in range(size))
        frame = Ether(src="02:00:00:00:00:07", dst=FACE.mac) / IP(src="10.0.0.9", dst=FACE.address)
        frames.append((bytes(frame / body).ljust(60, b"\0"), False))
    fed, outcome = run(wire, FACE, frames, [3] * len(beats([f for f, _ in frames])))
    assert check(fed, outcome, FACE, frames) == {"pings": 249}
    sent, _ = packets(outcome.tx)
    assert sent[40] == packed(
        ICMP(type=0, id=40, seq=1) / bytes(k * 7 % 256 for k in range(40)),
        "02:00:00:00:00:07",
        "10.0.0.9",
        FACE,
    )


def test_a_flood_of_pings_and_arp(wire):
    """While nothing can be sent, four of each can wait, and the others are counted."""
    generator = Frames(FACE, random.Random(13))
    frames = [generator.ping() for _ in range(20)] + [generator.arp() for _ in range(20)]
    outcome = wire(FACE).run(beats(frames), settings=FACE.settings, stall_tx=0.995, drain=20000)
    totals = outcome.totals
    assert totals["pings"] + totals["ping_overflow"] == 20
    assert totals["arps"] + totals["arp_overflow"] == 20
    assert 4 <= totals["pings"] < 15
    assert 4 <= totals["arps"] < 15
    sent, _ = packets(outcome.tx)
    for kind, requests, start in (
        ("pings", frames[:20], b"\x08\x00"),
        ("arps", frames[20:], b"\x08\x06"),
    ):
        counts = [event for _, event in outcome.events if event.startswith(kind[:-1])]
        answered = [frame for frame, event in zip(requests, counts, strict=True) if event == kind]
        expected = [judge(frame, False, FACE)[1] for frame in answered]
        assert [frame for frame in sent if frame[12:14] == start] == expected

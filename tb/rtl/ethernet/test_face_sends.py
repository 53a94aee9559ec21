"""Frames that a compiled face sends: rows in datagrams, which scapy reads, and replies."""

import random

import pytest
from scapy.layers.inet import IP, UDP
from scapy.layers.l2 import Ether
from scapy.utils import checksum

from rtl.ethernet.transmit import Transmit
from sim.wire.run import beats, packets
from tb.rtl.ethernet.frames import Frames
from tb.rtl.ethernet.model import Face, judge, packed

pytestmark = pytest.mark.hdl

FACE = Face(longest_ping=256)
STEP = {16: 1472, 8: 1472, 12: 1464, 24: 1464, 10: 1440}


def cut(packet, limit):
    """Returns the payloads of a packet's datagrams, and the empty payload that ends it."""
    return [packet[k : k + limit] for k in range(0, len(packet), limit)] + [b""]


def datagram(payload):
    """Returns the frame that scapy makes of a payload, with the checksum."""
    return packed(
        UDP(sport=FACE.port, dport=FACE.to_port) / payload, FACE.to_mac, FACE.to_address, FACE
    )


def run(wire, sent, rx=None, result_bytes=16, end_marks=True, **options):
    parameters = {"result_bytes": result_bytes, "end_marks": end_marks}
    outcome = wire(FACE, **parameters).run(
        None if rx is None else beats(rx), beats(sent), settings=FACE.settings, **options
    )
    assert outcome.refused == outcome.broken == 0
    assert outcome.rows == len(beats(sent))
    frames, unfinished = packets(outcome.tx)
    assert unfinished == b""
    return outcome, frames


def some(rng, size, count, packet_limit=4000):
    """Returns packets of rows, small and large, and some without rows."""
    sizes = [
        rng.choice([0, 1, 2, 3, 30, rng.randrange(packet_limit // size)]) for _ in range(count)
    ]
    return [rng.randbytes(size * n) for n in sizes]


@pytest.mark.in_turn
@pytest.mark.parametrize("result_bytes", STEP)
def test_packets_become_datagrams(wire, result_bytes):
    rng = random.Random(result_bytes)
    sent = some(rng, result_bytes, 60)
    outcome, frames = run(wire, sent, result_bytes=result_bytes)
    expected = [payload for packet in sent for payload in cut(packet, STEP[result_bytes])]
    assert frames == [datagram(payload) for payload in expected]
    assert outcome.totals == {"sent": len(expected)}


@pytest.mark.in_turn
def test_without_end_marks(wire):
    sent = some(random.Random(1), 16, 60)
    _, frames = run(wire, sent, end_marks=False)
    assert frames == [datagram(p) for packet in sent for p in cut(packet, 1472) if p]


@pytest.mark.in_turn
@pytest.mark.parametrize("size", [1472, 1488, 2 * 1472, 2 * 1472 + 16])
def test_packets_that_just_fill_datagrams(wire, size):
    sent = [random.Random(size).randbytes(size)] * 3
    _, frames = run(wire, sent)
    assert frames == 3 * [datagram(payload) for payload in cut(sent[0], 1472)]


@pytest.mark.in_turn(5)
@pytest.mark.parametrize("seed", range(4))
def test_stalls(wire, seed):
    rng = random.Random(seed)
    sent = some(rng, 16, 60)
    stalls = {"stall_rows": rng.choice([0, 0.5]), "stall_tx": rng.choice([0.1, 0.7])}
    _, frames = run(wire, sent, seed=seed, **stalls)
    assert frames == [datagram(payload) for packet in sent for payload in cut(packet, 1472)]


def test_every_length(wire):
    """Frames of all sizes modulo a beat, including frames that are padded."""
    rng = random.Random(9)
    sent = [rng.randbytes(n) for n in range(200)]
    _, frames = run(wire, sent, result_bytes=1)
    assert frames == [datagram(payload) for packet in sent for payload in cut(packet, 1472)]
    assert min(map(len, frames)) == 60


def test_a_checksum_of_zero_is_sent_as_ones(wire):
    """RFC 768: a checksum of 0 means no checksum. The last two bytes are chosen so that the sum is
    0."""
    payload = random.Random(10).randbytes(14)
    frame_of_zeros = datagram(payload + b"\0\0")
    sums = int.from_bytes(frame_of_zeros[40:42], "big")
    payload += sums.to_bytes(2, "big")
    _, (frame, mark) = run(wire, [payload])
    assert frame[40:42] == b"\xff\xff"
    assert mark == datagram(b"")
    head = IP(frame[14:34])
    pseudo = frame[26:34] + bytes([0, 17]) + frame[38:40]
    assert checksum(pseudo + frame[34 : 14 + head.len]) == 0
    assert frame[42:58] == payload


def test_scapy_reads_them(wire):
    """Each field by its name, and both sums by hand."""
    payload = bytes(range(160))
    _, (frame, _) = run(wire, [payload])
    read = Ether(frame)
    assert (read.dst, read.src, read.type) == (FACE.to_mac, FACE.mac, 0x0800)
    ip, udp = read[IP], read[UDP]
    assert (ip.src, ip.dst, ip.ttl, ip.proto) == (FACE.address, FACE.to_address, 64, 17)
    assert (ip.version, ip.ihl, ip.len, str(ip.flags), ip.frag) == (4, 5, 188, "DF", 0)
    assert (udp.sport, udp.dport, udp.len) == (FACE.port, FACE.to_port, 168)
    assert bytes(udp.payload) == payload
    for part in (frame[14:34], frame[26:34] + b"\0\x11" + frame[38:40] + frame[34:]):
        words = [int.from_bytes(part[k : k + 2], "big") for k in range(0, len(part), 2)]
        assert sum(words) % 0xFFFF == 0


def test_answers_go_between_datagrams(wire):
    """All kinds at once: each in its order, no frame within another, and none waits for long."""
    rng = random.Random(12)
    generator = Frames(FACE, rng)
    requests = [rng.choice([generator.ping, generator.arp])() for _ in range(30)]
    rx = [frame for one in requests for frame in [one, *[generator.bad_giant()] * 4]]
    sent = [rng.randbytes(16 * 400) for _ in range(4)]
    outcome, frames = run(wire, sent, rx=rx)
    rows = [datagram(payload) for packet in sent for payload in cut(packet, 1472)]
    answers = {kind: [] for kind in ("pings", "arps")}
    for frame in requests:
        kind, answer = judge(frame, False, FACE)
        answers[kind].append(answer)
    assert [f for f in frames if f[12:14] == b"\x08\x06"] == answers["arps"]
    assert [f for f in frames if f[12:14] == b"\x08\x00" and f[23] == 1] == answers["pings"]
    assert [f for f in frames if f[12:14] == b"\x08\x00" and f[23] == 17] == rows
    assert len(frames) == len(rows) + len(requests)
    kinds = [frame in rows for frame in frames]
    assert kinds.index(False) < 3
    assert len(kinds) - kinds[::-1].index(False) > 3
    assert outcome.totals["giant"] == 120


@pytest.mark.in_turn
def test_no_gap_in_a_frame_and_one_between_them(wire):
    """A MAC must not wait within a frame. Full datagrams leave faster than a line transmits them
    with eight bytes before each, four after each, and twelve of silence."""
    sent = [random.Random(13).randbytes(40 * 1472)]
    outcome, frames = run(wire, sent, end_marks=False)
    assert len(frames) == 40
    cycles, ends = outcome.tx["cycle"].tolist(), outcome.tx["last"].nonzero()[0].tolist()
    starts = [0, *(end + 1 for end in ends[:-1])]
    for start, end in zip(starts, ends, strict=True):
        assert cycles[end] - cycles[start] == end - start == 189
    total_cycles = cycles[ends[-1]] - cycles[ends[0]]
    assert total_cycles == 39 * 191 < 39 * (1514 + 24) / 8


def test_latency(wire):
    outcome, _ = run(wire, [bytes(16)])
    assert outcome.tx["cycle"][0] == 1 + Transmit.latency

"""Checks the bench of the network face: conversion of frames, and detection of faulty faces."""

from io import BytesIO

import numpy as np
import pytest
from scapy.layers.inet import IP, UDP
from scapy.layers.l2 import Ether
from scapy.utils import RawPcapReader

from sim.errors import ProtocolError
from sim.wire.frames import (
    Endpoint,
    endpoints_and_payload,
    frame_of,
    numbered_payloads_of,
    payload_of,
    payloads_of,
    streams_of,
)
from sim.wire.pcap import pcap
from sim.wire.run import SETTINGS, Wire, beats, packets

NOBODY = dict.fromkeys(SETTINGS, 0)

#: Connects rx to tuples and rows to tx directly, with one of three mistakes.
BAD = """
module face(input clk, input rst,
    input [47:0] mac, input [31:0] address, input [15:0] port,
    input [47:0] to_mac, input [31:0] to_address, input [15:0] to_port,
    input [47:0] from_mac, input [31:0] from_address, output [1:0] events,
    input rx__tvalid, output rx__tready, input [63:0] rx__tdata, input [7:0] rx__tkeep,
    input rx__tlast, input rx__tuser,
    output tuples__tvalid, input tuples__tready, output [63:0] tuples__tdata,
    output [7:0] tuples__tkeep, output tuples__tlast,
    input rows__tvalid, output rows__tready, input [63:0] rows__tdata, input [7:0] rows__tkeep,
    input rows__tlast,
    output tx__tvalid, input tx__tready, output [63:0] tx__tdata, output [7:0] tx__tkeep,
    output tx__tlast);
    reg [63:0] time_ = 0;
    always @(posedge clk) time_ <= rst ? 0 : time_ + 1;
    assign rx__tready = MISTAKE != 1 || time_[1];
    assign tuples__tvalid = rx__tvalid;
    assign tuples__tdata = rx__tdata, tuples__tkeep = rx__tkeep, tuples__tlast = rx__tlast;
    assign tx__tvalid = rows__tvalid && (MISTAKE != 2 || time_[0]);
    assign rows__tready = tx__tready && tx__tvalid;
    assign tx__tdata = MISTAKE == 3 ? time_ : rows__tdata;
    assign tx__tkeep = rows__tkeep, tx__tlast = rows__tlast;
    assign events = {rx__tuser && rx__tvalid, rx__tlast && rx__tvalid};
endmodule
"""


@pytest.fixture
def wire(build_cache):
    def build(mistake=0):
        text = BAD.replace("MISTAKE", str(mistake))
        return Wire(text, "face", ("lasts", "users"), build_cache)

    return build


def test_beats_by_hand():
    encoded = beats(
        [bytes(range(1, 10)), b"", b"\xff"], users=[True, False, True], gaps=[0, 2, 1, 0]
    )
    assert encoded["valid"].tolist() == [1, 1, 0, 0, 1, 0, 1]
    assert encoded["data"].tolist() == [0x0807060504030201, 9, 0, 0, 0, 0, 0xFF]
    assert encoded["keep"].tolist() == [0xFF, 1, 0, 0, 0, 0, 1]
    assert encoded["last"].tolist() == [0, 1, 0, 0, 1, 0, 1]
    assert encoded["user"].tolist() == [0, 1, 0, 0, 0, 0, 1]


def test_packets_of_beats_are_the_original_packets():
    rng = np.random.default_rng(1)
    sent = [rng.bytes(int(size)) for size in rng.integers(0, 40, 100)]
    encoded = beats(sent)
    assert packets(encoded) == (sent, b"")
    encoded["last"][-1] = 0
    assert packets(encoded) == (sent[:-1], sent[-1])
    encoded["keep"][0] = 5
    with pytest.raises(ValueError, match="keep must have its ones lowest, not 00000101"):
        packets(encoded)


@pytest.mark.hdl
def test_a_correct_face(wire):
    rng = np.random.default_rng(2)
    rx, rows = ([rng.bytes(int(size)) for size in rng.integers(1, 40, 100)] for _ in range(2))
    users = [bool(k % 3) for k in range(100)]
    stalls = {"stall_tx": 0.4, "stall_rows": 0.2}
    result = wire().run(beats(rx, users), beats(rows), settings=NOBODY, **stalls)
    assert packets(result.tuples) == (rx, b"")
    assert packets(result.tx) == (rows, b"")
    assert result.totals == {"lasts": 100, "users": sum(users)}
    assert (result.refused, result.broken, result.rows) == (0, 0, len(beats(rows)))
    assert result.tuples["cycle"].tolist() == list(range(len(beats(rx))))


@pytest.mark.in_turn(5)
@pytest.mark.hdl
def test_mistakes_of_a_face_are_detected(wire):
    sent = beats([bytes(80)] * 10)
    run = {
        mistake: wire(mistake).run(sent, sent, settings=NOBODY, stall_tx=0.5)
        for mistake in (1, 2, 3)
    }
    assert {k: (r.refused > 0, r.broken > 0) for k, r in run.items()} == {
        1: (True, False),
        2: (False, True),
        3: (False, True),
    }


SOURCE = Endpoint(mac=0x02_00_00_00_00_07, address=0x0A_01_02_03, port=4001)
TO = Endpoint(mac=0x02_5E_10_00_00_01, address=0xC0_A8_00_FE, port=65535)


@pytest.mark.parametrize("size", [0, 1, 17, 18, 19, 1472])
def test_frames_are_those_of_scapy(size):
    payload = bytes(k * 7 % 256 for k in range(size))
    ether = Ether(src="02:00:00:00:00:07", dst="02:5e:10:00:00:01")
    ip = IP(src="10.1.2.3", dst="192.168.0.254", flags="DF", id=0, ttl=64)
    encoded = bytes(ether / ip / UDP(sport=4001, dport=65535) / payload).ljust(60, b"\0")
    assert frame_of(payload, SOURCE, TO) == encoded
    assert payload_of(encoded, SOURCE, TO) == payload


def test_a_checksum_of_zero_is_sent_as_ones():
    """RFC 768: a checksum of 0 is sent as 0xFFFF. The last two bytes make the sum 0xFFFF."""
    plain = frame_of(bytes(range(1, 9)) + bytes(2), SOURCE, TO)
    payload = bytes(range(1, 9)) + plain[40:42]
    frame = frame_of(payload, SOURCE, TO)
    assert frame[40:42] == b"\xff\xff"
    assert payload_of(frame, SOURCE, TO) == payload


@pytest.mark.parametrize("at", [0, 6, 13, 14, 17, 22, 25, 27, 31, 35, 37, 39, 41, 43, 59])
def test_a_changed_byte_of_a_frame_is_seen(at):
    frame = bytearray(frame_of(b"abc", SOURCE, TO))
    frame[at] ^= 1
    with pytest.raises(ProtocolError):
        payload_of(bytes(frame), SOURCE, TO)


def test_frames_that_are_cut_short_have_no_datagram():
    """A faulty design may send a frame that ends in its headers, of which 42 bytes are needed."""
    frame = frame_of(b"", SOURCE, TO)[:42]
    assert endpoints_and_payload(frame) == (SOURCE, TO, b"")
    assert [size for size in range(42) if endpoints_and_payload(frame[:size]) is not None] == []


@pytest.mark.parametrize(("at", "value"), [(12, 0x86), (13, 0x06), (14, 0x46), (23, 6)])
def test_frames_of_another_kind_have_no_datagram(at, value):
    """Another type of frame, an IP header with options, and TCP."""
    frame = bytearray(frame_of(b"abc", SOURCE, TO))
    assert endpoints_and_payload(bytes(frame)) == (SOURCE, TO, b"abc")
    frame[at] = value
    assert endpoints_and_payload(bytes(frame)) is None


def test_numbered_datagrams_by_hand():
    """Two tuples, a punctuation and a tuple: the example of the text, from number 2^32 - 2 on.

    A datagram of 28 bytes has room for two entries of 10 bytes, and one of 27 for a single one.
    """
    entries = [bytes([k] * 10) for k in range(4)]
    numbers = [bytes.fromhex(text) for text in ("feffffff", "ffffffff", "00000000", "01000000")]
    tuples, punctuations = bytes(4), bytes([2, 0, 0, 0])
    arguments = {"size": 10, "punctuations": [0, 0, 1, 0], "first": 2**32 - 2}
    assert numbered_payloads_of(b"".join(entries), longest=28, **arguments) == [
        numbers[0] + tuples + entries[0] + entries[1],
        numbers[1] + punctuations + entries[2],
        numbers[2] + tuples + entries[3],
        numbers[3] + tuples,
    ]
    parts = numbered_payloads_of(b"".join(entries), longest=27, **arguments)
    assert [len(part) for part in parts] == [18, 18, 18, 18, 8]


def test_streams_are_cut_between_tuples_and_ended():
    """A payload has at most 147 tuples of 10 bytes, or 163 tuples of 9 bytes, by hand."""
    for size, longest in ((10, 1470), (9, 1467), (1472, 1472)):
        stream = bytes(2 * longest + size)
        parts = payloads_of(stream, size)
        assert [len(part) for part in parts] == [longest, longest, size, 0]
        assert streams_of([*parts, b"", b"x", b""]) == [stream, b"", b"x"]
    with pytest.raises(ProtocolError, match="the last datagram must be one without a byte"):
        streams_of([b"x", b"", b"y"])


def test_frames_in_a_file():
    """By hand: 6.4 ns a cycle, in the order of their cycles; read by scapy, too."""
    frames = [frame_of(payload, SOURCE, TO) for payload in (b"one", b"two")]
    text = pcap([(156_250_010, frames[1]), (10, frames[0])])
    assert text[:4] == bytes.fromhex("4d3cb2a1")
    assert text[24:40] == bytes.fromhex("00000000 40000000 3c000000 3c000000")
    read = list(RawPcapReader(BytesIO(text)))
    assert [bytes(data) for data, _ in read] == frames
    assert [(about.sec, about.usec) for _, about in read] == [(0, 64), (1, 64)]

"""Checks the frame that answers an ARP request against a frame written by hand."""

from rtl.ethernet.arp_reply import ArpReply
from tb.bench.unit import run_stream
from tb.rtl.ethernet.model import as_number
from tb.rtl.ethernet.pins import frames_of


def test_arp_reply():
    """The reply has the fields of RFC 826, and zeros up to the 60 bytes of the shortest frame."""
    asker = {"mac": 0x0200_0000_0007, "address": as_number("10.9.9.9")}
    ports = {"mac": 0x025E_1000_0001, "address": as_number("10.1.2.3")}
    run = run_stream(ArpReply(), [asker, asker], expected=16, ports=ports, stall_out=0.3)
    frame = bytes.fromhex(
        "020000000007 025e10000001 0806 0001 0800 06 04 0002"
        "025e10000001 0a010203 020000000007 0a090909"
    )
    assert frames_of(run.payloads) == ([frame + bytes(18)] * 2, b"")

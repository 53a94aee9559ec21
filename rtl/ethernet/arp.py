"""Reads ARP packets and queues the machines that ask for our MAC."""

from amaranth.hdl import Module, Signal
from amaranth.lib import stream, wiring
from amaranth.lib.wiring import In, Out, connect, flipped

from rtl.contract.counters import Counter, events
from rtl.ethernet.head import ASKER
from rtl.ethernet.mac_header import FRAME_INFO
from rtl.ethernet.piece import count_first, flow, number, piece
from rtl.stream.queue import StreamQueue

#: First six bytes of an ARP packet: Ethernet, IPv4, and the length of an address of each. Then
#: follow the operation and the addresses of both sides.
PROTOCOLS = 0x0001_0800_0604
#: Operation of a request.
REQUEST = 1
#: Operation of a reply.
REPLY = 2

#: Number of askers that may wait for a reply.
ASKERS = 4


class Arp(wiring.Component):
    """Reads ARP packets, and queues each asker that gets a reply.

    A request has 28 bytes, three pieces and a half: protocols and operation; the asker's MAC and
    half of the asker's IPv4 address; the other half, and a MAC without meaning; the requested
    address. The asker's MAC must belong to a single machine: a reply to a group's MAC would reach
    many machines.

    Latency 2 cycles, initiation interval 1 cycle. Source: RFC 826.

    Members
    -------
    i : In(flow(piece(**FRAME_INFO)))
        A stream that is never stalled.
    o : Out(stream.Signature(ASKER))
    address : In(32)
        Our IPv4 address.
    events : Out(events(Arp.counters))
        For each good ARP packet, the first event that applies.
    """

    latency = 1 + StreamQueue.latency
    initiation_interval = 1

    counters = (
        Counter(
            name="bad_arp",
            doc="ARP packets that are short, or not for Ethernet and IPv4, or with the MAC of a "
            "group as the asker's",
        ),
        Counter(name="other_arp", doc="ARP packets that do not ask for our address"),
        Counter(
            name="arp_overflow",
            doc="ARP requests dropped because too many others waited for a reply",
        ),
        Counter(name="arps", doc="ARP requests answered"),
    )

    def __init__(self):
        super().__init__(
            {
                "i": In(flow(piece(**FRAME_INFO))),
                "o": Out(stream.Signature(ASKER)),
                "address": In(32),
                "events": Out(events(self.counters)),
            }
        )

    def elaborate(self, platform):
        m = Module()
        m.submodules.askers = askers = StreamQueue(ASKER, ASKERS)
        i = self.i.p
        asker = Signal(ASKER, reset_less=True)
        ends = Signal()
        bad_format = Signal()
        request = Signal()
        ours = Signal()
        complete = Signal()
        previous_pieces = Signal(3)  # one-hot number of previous pieces, from 1 to 3
        m.d.sync += ends.eq(self.i.valid & i.last & i.good & i.arp)
        with m.If(self.i.valid):
            with m.If(i.first):
                m.d.sync += [
                    bad_format.eq(number(i.data, 0, 6) != PROTOCOLS),
                    request.eq(number(i.data, 6, 2) == REQUEST),
                    complete.eq(0),
                    previous_pieces.eq(1),
                ]
            with m.Else():
                m.d.sync += previous_pieces.eq(previous_pieces << 1)
                with m.If(previous_pieces[0]):
                    m.d.sync += asker.mac.eq(number(i.data, 0, 6))
                    m.d.sync += bad_format.eq(bad_format | number(i.data, 0, 1)[0])
                    m.d.sync += asker.address[16:].eq(number(i.data, 6, 2))
                with m.If(previous_pieces[1]):
                    m.d.sync += asker.address[:16].eq(number(i.data, 0, 2))
                with m.If(previous_pieces[2]):
                    m.d.sync += ours.eq(number(i.data, 0, 4) == self.address)
                    m.d.sync += complete.eq(i.size >= 4)
        count_first(
            m,
            self.events,
            ends,
            [
                ("bad_arp", bad_format | ~complete),
                ("other_arp", ~request | ~ours),
                ("arp_overflow", ~askers.i.ready),
                ("arps", 1),
            ],
        )
        m.d.comb += [askers.i.valid.eq(self.events.arps), askers.i.p.eq(asker)]
        connect(m, askers.o, flipped(self.o))
        return m

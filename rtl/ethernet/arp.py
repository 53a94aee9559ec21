"""Who asks for our MAC by ARP."""

from amaranth.hdl import Module, Signal
from amaranth.lib import stream, wiring
from amaranth.lib.wiring import In, Out, connect, flipped

from rtl.contract.counters import Counter, events
from rtl.ethernet.head import ASKER
from rtl.ethernet.mac_header import ABOUT
from rtl.ethernet.piece import count_first, flow, number, piece
from rtl.stream.queue import StreamQueue

#: What a packet of ARP begins with: Ethernet, IPv4, and the bytes of an address of either. Then
#: come what it is about, and the addresses of both sides.
KINDS, REQUEST, REPLY = 0x0001_0800_0604, 1, 2

#: Askers that may wait for an answer.
WAITING = 4


class Arp(wiring.Component):
    """Reads ARP, and keeps who is to be answered.

    A request has 28 bytes, three pieces and a half: kinds and operation; the asker's MAC and half
    of its address; the other half; the address that is asked for. The asker's MAC must be of one
    machine: a reply to the MAC of a group would reach many.

    Latency 2 cycles, initiation interval 1 cycle. Source: RFC 826.

    Members
    -------
    i : In(flow(piece(**ABOUT)))
        A stream that is never stalled.
    o : Out(stream.Signature(ASKER))
    address : In(32)
        Ours.
    events : Out(events(Arp.counters))
        The first of them that holds, of good packets of ARP.
    """

    latency = 1 + StreamQueue.latency
    initiation_interval = 1

    counters = (
        Counter(
            name="bad_arp",
            doc="packets of ARP that are short, or not for Ethernet and IPv4, or that name the MAC "
            "of a group as the asker's",
        ),
        Counter(name="other_arp", doc="packets of ARP that do not ask for our address"),
        Counter(name="arp_overflow", doc="requests of ARP that came before others were answered"),
        Counter(name="arps", doc="requests of ARP answered"),
    )

    def __init__(self):
        super().__init__(
            {
                "i": In(flow(piece(**ABOUT))),
                "o": Out(stream.Signature(ASKER)),
                "address": In(32),
                "events": Out(events(self.counters)),
            }
        )

    def elaborate(self, platform):
        m = Module()
        m.submodules.askers = askers = StreamQueue(ASKER, WAITING)
        i, asker = self.i.p, Signal(ASKER, reset_less=True)
        ends, strange, asks, ours, whole = (
            Signal(name=name) for name in ("ends", "strange", "asks", "ours", "whole")
        )
        came = Signal(3)  # pieces before this one, one bit each
        m.d.sync += ends.eq(self.i.valid & i.last & i.good & i.arp)
        with m.If(self.i.valid):
            with m.If(i.first):
                m.d.sync += [
                    strange.eq(number(i.data, 0, 6) != KINDS),
                    asks.eq(number(i.data, 6, 2) == REQUEST),
                    whole.eq(0),
                    came.eq(1),
                ]
            with m.Else():
                m.d.sync += came.eq(came << 1)
                with m.If(came[0]):
                    m.d.sync += asker.mac.eq(number(i.data, 0, 6))
                    m.d.sync += strange.eq(strange | number(i.data, 0, 1)[0])
                    m.d.sync += asker.address[16:].eq(number(i.data, 6, 2))
                with m.If(came[1]):
                    m.d.sync += asker.address[:16].eq(number(i.data, 0, 2))
                with m.If(came[2]):
                    m.d.sync += ours.eq(number(i.data, 0, 4) == self.address)
                    m.d.sync += whole.eq(i.size >= 4)
        count_first(
            m,
            self.events,
            ends,
            [
                ("bad_arp", strange | ~whole),
                ("other_arp", ~asks | ~ours),
                ("arp_overflow", ~askers.i.ready),
                ("arps", 1),
            ],
        )
        m.d.comb += [askers.i.valid.eq(self.events.arps), askers.i.p.eq(asker)]
        connect(m, askers.o, flipped(self.o))
        return m

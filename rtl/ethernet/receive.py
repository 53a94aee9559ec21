"""Receives frames from a MAC: tuples for the engine, and requests for the parts that answer."""

from amaranth.hdl import Module
from amaranth.lib import stream, wiring
from amaranth.lib.wiring import In, Out, connect, flipped

from rtl.contract.counters import events, merged_counters
from rtl.ethernet.arp import Arp
from rtl.ethernet.echo import Echo
from rtl.ethernet.etherbone import REQUEST
from rtl.ethernet.frame_check import FrameCheck
from rtl.ethernet.head import ASKER, HEAD, SENDER
from rtl.ethernet.ipv4 import Ipv4
from rtl.ethernet.mac_header import MacHeader
from rtl.ethernet.piece import BYTES
from rtl.ethernet.register_requests import RegisterRequests
from rtl.ethernet.udp_port import UdpPort
from rtl.stream.axi_stream import axi_stream_members


class Receive(wiring.Component):
    """Removes the headers of frames, one after the other, and counts the frames that it drops.

    ::

        bus -- FrameCheck -- MacHeader -+- Ipv4 -+- UdpPort ----------- o
                                        |        +- Echo -------------- echo, echo_body
                                        |        +- RegisterRequests -- request, request_body
                                        +- Arp ------------------------ asker

    ``RegisterRequests`` is there with ``host_link`` only.

    No part stalls the part before it, because ``UdpPort`` and ``Echo`` have buffers, so the MAC
    never waits. Invariant: **every frame is counted in exactly one counter**: in that of the part
    where the frame ends. If several counters apply, the first in the order of ``counters`` counts.
    For instance a frame to another MAC with a wrong check sequence counts as ``bad_fcs``, because
    FrameCheck precedes MacHeader.

    At ``o`` a datagram comes in pieces of 8 bytes, of which only the last piece may be shorter. The
    order of datagrams is kept. A piece with ``tlast`` has no bytes, and ends the stream.

    Latency 16 cycles from the end of a datagram to its first bytes, initiation interval 1 cycle.
    Source: seeds 000, 001 and 002 have a network card before the engine.

    Parameters
    ----------
    row_bytes, depth : int
        See :class:`~rtl.ethernet.udp_port.UdpPort`.
    shortest, longest : int
        See :class:`~rtl.ethernet.frame_check.FrameCheck`.
    longest_ping : int
        See :class:`~rtl.ethernet.echo.Echo`.
    host_link : bool
        Datagrams to a second port are requests to registers.
    punctuations : bool
        With ``host_link``: datagrams may have punctuations; ``tuser`` of ``o`` is 1 for their
        pieces.

    Members
    -------
    bus : Out(the ports of :func:`axi_stream_members`)
        A stream from the MAC.
    o : Out(the ports of :func:`axi_stream_members`)
        A stream of bytes.
    asker : Out(stream.Signature(ASKER))
    echo : Out(stream.Signature(HEAD))
    echo_body : Out(stream.Signature(64))
    mac : In(48)
        Our MAC.
    address : In(32)
        Our IPv4 address.
    port : In(16)
        Our UDP port.
    from_mac : In(48)
    from_address : In(32)
        See :class:`~rtl.ethernet.udp_port.UdpPort`. All addresses and ports may change between
        frames; a frame that arrives at a change may be judged by old and new ones.
    registers_port : In(16), or none
    request : Out(stream.Signature(REQUEST)), or none
    request_body : Out(stream.Signature(64)), or none
        See :class:`~rtl.ethernet.register_requests.RegisterRequests`.
    room : Out(range(depth + 1)), or none
        Number of pieces of tuples for which there is room.
    numbered : In(1), or none
    received : Out(32), or none
        See :class:`~rtl.ethernet.udp_port.UdpPort`.
    events : Out(events(Receive.counters_of(host_link)))
    """

    latency = FrameCheck.latency + MacHeader.latency + Ipv4.latency + UdpPort.latency
    initiation_interval = 1

    counters = merged_counters(
        *(part.counters for part in (FrameCheck, MacHeader, Arp, Ipv4, Echo, UdpPort))
    )

    def __init__(
        self,
        row_bytes,
        *,
        depth=2048,
        shortest=60,
        longest=1518,
        longest_ping=1480,
        host_link=False,
        punctuations=False,
    ):
        if BYTES * depth < longest:
            raise ValueError(f"depth must be at least {-(-longest // BYTES)}, not {depth!r}")
        self._check = FrameCheck(shortest=shortest, longest=longest)
        self._port = UdpPort(row_bytes, depth, host_link=host_link, punctuations=punctuations)
        self._host_link = host_link
        self._punctuations = punctuations
        self._echo = Echo(longest=longest_ping)
        super().__init__(
            {
                "bus": Out(wiring.Signature(axi_stream_members(BYTES, In, user=1))),
                "o": Out(wiring.Signature(axi_stream_members(BYTES, Out, user=int(punctuations)))),
                "asker": Out(stream.Signature(ASKER)),
                "echo": Out(stream.Signature(HEAD)),
                "echo_body": Out(stream.Signature(64)),
                "mac": In(48),
                "address": In(32),
                "port": In(16),
                **SENDER,
                "events": Out(events(self.counters_of(host_link))),
            }
            | (_link_members(depth) if host_link else {})
        )

    @staticmethod
    def counters_of(host_link=False):
        """Returns the counters in their order: the first one whose condition is true counts."""
        if not host_link:
            return Receive.counters
        counters = merged_counters(
            *(part.counters for part in (FrameCheck, MacHeader, Arp, Ipv4, Echo)),
            UdpPort.counters_of(host_link),
        )
        place = [counter.name for counter in counters].index("bad_udp_checksum") + 1
        return (*counters[:place], *RegisterRequests.counters, *counters[place:])

    def elaborate(self, platform):
        m = Module()
        m.submodules.check = check = self._check
        m.submodules.mac_header = mac_header = MacHeader()
        m.submodules.arp = arp = Arp()
        m.submodules.ipv4 = ipv4 = Ipv4()
        m.submodules.echoes = echo = self._echo
        m.submodules.datagrams = port = self._port
        connect(m, flipped(self.bus), check.bus)
        connect(m, check.o, mac_header.i)
        for to in (arp.i, ipv4.i):
            m.d.comb += [to.valid.eq(mac_header.o.valid), to.p.eq(mac_header.o.p)]
        for to in (echo.i, port.i):
            m.d.comb += [to.valid.eq(ipv4.o.valid), to.p.eq(ipv4.o.p)]
        connect(m, arp.o, flipped(self.asker))
        connect(m, echo.head, flipped(self.echo))
        connect(m, echo.body, flipped(self.echo_body))
        m.d.comb += [
            mac_header.mac.eq(self.mac),
            ipv4.address.eq(self.address),
            arp.address.eq(self.address),
            port.port.eq(self.port),
            *(getattr(port, name).eq(getattr(self, name)) for name in SENDER),
            self.o.tvalid.eq(port.o.valid),
            self.o.tdata.eq(port.o.p.data),
            *(self.o.tkeep[k].eq(port.o.p.size > k) for k in range(BYTES)),
            self.o.tlast.eq(port.o.p.last),
            port.o.ready.eq(self.o.tready),
        ]
        if self._punctuations:
            m.d.comb += self.o.tuser.eq(port.o.p.is_punctuation)
        parts = [check, mac_header, arp, ipv4, echo, port]
        if self._host_link:
            m.submodules.requests = requests = RegisterRequests()
            parts.append(requests)
            connect(m, requests.head, flipped(self.request))
            connect(m, requests.o, flipped(self.request_body))
            m.d.comb += [
                requests.i.valid.eq(ipv4.o.valid),
                requests.i.p.eq(ipv4.o.p),
                requests.good.eq(port.to_registers),
                port.registers_port.eq(self.registers_port),
                self.room.eq(port.room),
                port.numbered.eq(self.numbered),
                self.received.eq(port.received),
            ]
        for part in parts:
            names = [name for name, _ in part.events.shape()]
            m.d.comb += [self.events[name].eq(part.events[name]) for name in names]
        return m


def _link_members(depth):
    return {
        "registers_port": In(16),
        "request": Out(stream.Signature(REQUEST)),
        "request_body": Out(stream.Signature(8 * BYTES)),
        "room": Out(range(depth + 1)),
        "numbered": In(1),
        "received": Out(32),
    }

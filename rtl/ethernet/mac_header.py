"""Removes the Ethernet header of a frame, and the tag of a VLAN, and checks the header."""

from amaranth.hdl import Module, Signal
from amaranth.lib import wiring
from amaranth.lib.wiring import In, Out, connect, flipped

from rtl.contract.counters import Counter, events
from rtl.ethernet.piece import count_first, flow, number, piece
from rtl.ethernet.realign import Realign

#: EtherTypes: the protocol after an Ethernet header, or a tag.
IPV4 = 0x0800
ARP = 0x0806
VLAN = 0x8100
BROADCAST = (1 << 48) - 1

#: Fields of each piece of a frame's packet. ``good``, valid with the last piece only, says that the
#: packet is for us. The other fields are valid with each piece: ``arp`` for ARP instead of IPv4,
#: ``mac`` of the sender, and ``to_all`` if the frame is sent to the broadcast MAC.
FRAME_INFO = {"good": 1, "arp": 1, "mac": 48, "to_all": 1}


class MacHeader(wiring.Component):
    """Passes the packets of all frames, and marks those that are for us as ``good``.

    A packet is ``good`` if it is of IPv4 or ARP, in a good frame that a single machine sends to us
    or to all. The lowest bit of the first byte of the sender's MAC marks a group, such as
    ff:ff:ff:ff:ff:ff. An answer to a group would reach many machines, so packets in frames from a
    group are not ``good``.

    The header has 14 bytes, or 18 with the tag of a VLAN. One tag is removed and otherwise ignored.
    So the packet begins at byte 6 of the frame's second piece of 8 bytes, or at byte 2 of its third
    piece, and is moved to the beginning of a piece.

    Latency 3 cycles from the end of a frame to the end of its packet, initiation interval 1 cycle.
    Source: IEEE 802.3, 802.1Q.

    Members
    -------
    i : In(flow(piece(good=1)))
        A stream that is never stalled.
    o : Out(flow(piece(**FRAME_INFO)))
        Packets that are not for us, and packets of bad frames, come too, and are not ``good``.
    mac : In(48)
        Our MAC, the first byte highest. With 0 all frames count as sent to another MAC.
    events : Out(events(MacHeader.counters))
        For each good frame whose packet is not ``good``: the first event that applies.
    """

    latency = 1 + Realign.latency
    initiation_interval = 1

    counters = (
        Counter(name="other_mac", doc="frames neither to our MAC nor to all"),
        Counter(name="group_sender", doc="frames whose sender has the MAC of a group or of all"),
        Counter(name="other_type", doc="frames of neither IPv4 nor ARP, after at most one tag"),
    )

    def __init__(self):
        super().__init__(
            {
                "i": In(flow(piece(good=1))),
                "o": Out(flow(piece(**FRAME_INFO))),
                "mac": In(48),
                "events": Out(events(self.counters)),
            }
        )

    def elaborate(self, platform):
        m = Module()
        m.submodules.realign = realign = Realign((6, 2), FRAME_INFO)
        i = self.i.p
        valid = Signal()
        stored = Signal(i.shape(), reset_less=True)  # the piece before ``i``
        second = Signal()  # ``i`` is at the frame's second piece
        third = Signal()  # ``i`` is at the frame's third piece
        skip = Signal()
        tagged = Signal()
        foreign = Signal()
        group = Signal()
        to_all = Signal()
        ip = Signal()
        arp = Signal()
        mac = Signal(48, reset_less=True)
        has_no_mac = Signal(init=1)
        m.d.sync += [valid.eq(self.i.valid), has_no_mac.eq(self.mac == 0)]

        def read_type(field):
            m.d.sync += [ip.eq(field == IPV4), arp.eq(field == ARP), tagged.eq(field == VLAN)]

        with m.If(self.i.valid):
            m.d.sync += [stored.eq(i), skip.eq(i.first), second.eq(i.first), third.eq(second)]
            with m.If(i.first):
                to = number(i.data, 0, 6)
                m.d.sync += foreign.eq(((to != self.mac) & (to != BROADCAST)) | has_no_mac)
                m.d.sync += [to_all.eq(to == BROADCAST), group.eq(number(i.data, 6, 1)[0])]
                m.d.sync += [mac[32:].eq(number(i.data, 6, 2)), third.eq(0)]
            with m.Elif(second):
                field = number(i.data, 4, 2)
                read_type(field)
                m.d.sync += [mac[:32].eq(number(i.data, 0, 4)), skip.eq(field == VLAN)]
            with m.Elif(third & tagged):
                field = number(i.data, 0, 2)
                m.d.sync += [ip.eq(field == IPV4), arp.eq(field == ARP)]
        good = count_first(
            m,
            self.events,
            valid & stored.last & stored.good,
            [("other_mac", foreign), ("group_sender", group), ("other_type", ~ip & ~arp)],
        )
        target = realign.i
        m.d.comb += [
            target.valid.eq(valid),
            *(target.p[name].eq(stored[name]) for name in ("data", "size", "first", "last")),
            target.p.skip.eq(skip),
            target.p.choice.eq(tagged),
            target.p.good.eq(good),
            target.p.arp.eq(arp),
            target.p.mac.eq(mac),
            target.p.to_all.eq(to_all),
        ]
        connect(m, realign.o, flipped(self.o))
        return m

"""The path from an engine, and from the parts that answer, to the pins of a MAC."""

from amaranth.hdl import Module
from amaranth.lib import stream, wiring
from amaranth.lib.wiring import In, Out, connect, flipped

from rtl.contract.counters import events
from rtl.ethernet.arp_reply import ArpReply
from rtl.ethernet.datagrams import Datagrams
from rtl.ethernet.frame_arbiter import FrameArbiter
from rtl.ethernet.frame_layout import SENT_PIECE
from rtl.ethernet.head import ASKER, HEAD, RECEIVER
from rtl.ethernet.ip_writer import IpWriter
from rtl.ethernet.piece import BYTES
from rtl.stream.axi_stream import axi_stream_members
from rtl.stream.skid import SkidBuffer


class Transmit(wiring.Component):
    """Sends frames of several kinds, in turn, each frame as a whole.

    ::

        asker ----------------- ArpReply --+
        echo, echo_body ------- IpWriter --+-- FrameArbiter -- SkidBuffer -- bus
        i -- Datagrams -------- IpWriter --+
        answer, answer_body --- IpWriter --+

    ``answer`` and ``answer_body``, the answers of registers, exist only with ``host_link``.

    A frame that has begun is offered without a gap. Frames of one kind keep their order; frames of
    different kinds have no order.

    Latency 16 cycles from a datagram's end to the beginning of its frame, initiation interval 1
    cycle for a piece of a frame. Each frame has 42 bytes of headers, so a datagram of 1,464 bytes
    takes 183 cycles at ``i`` and 189 at ``bus``.

    Parameters
    ----------
    row_bytes, payload_limit, end_marks
        See :class:`~rtl.ethernet.datagrams.Datagrams`.
    host_link : bool
        Registers are read by datagrams, whose answers are frames of a fourth kind.

    Members
    -------
    i : Out(the ports of :func:`axi_stream_members`)
        A stream of rows.
    asker : In(stream.Signature(ASKER))
        The machine whose ARP request is answered.
    echo : In(stream.Signature(HEAD))
    echo_body : In(stream.Signature(64))
        An echo reply.
    answer : In(stream.Signature(HEAD)), or none
    answer_body : In(stream.Signature(64)), or none
        A datagram with the values of registers.
    numbered : In(1), or none
    info : In(32), or none
    number : Out(32), or none
    ends : Out(1), or none
        See :class:`~rtl.ethernet.datagrams.Datagrams`. ``numbered`` may not change unless ``idle``.
    bus : Out(the ports of :func:`axi_stream_members`)
        A stream to the MAC.
    mac : In(48)
        Our MAC.
    address : In(32)
        Our IPv4 address.
    port : In(16)
        Our UDP port.
    to_mac : In(48)
        The receiver's MAC.
    to_address : In(32)
        The receiver's IPv4 address.
    to_port : In(16)
        The receiver's UDP port. None of the six settings may change unless ``idle``.
    busy : Out(1)
        Rows or the end of a packet have been taken and have not left, or any frame is leaving.
    idle : Out(1)
        Neither rows nor replies (ARP, echo, registers) wait or are being sent.
    events : Out(events(Transmit.counters))
    """

    latency = Datagrams.latency + IpWriter.latency + FrameArbiter.latency + SkidBuffer.latency
    initiation_interval = 1

    counters = Datagrams.counters

    def __init__(self, row_bytes, *, payload_limit=1472, end_marks=True, host_link=False):
        self._host_link = host_link
        self._datagrams = Datagrams(
            row_bytes, payload_limit=payload_limit, end_marks=end_marks, numbers=host_link
        )
        super().__init__(
            {
                "i": Out(wiring.Signature(axi_stream_members(BYTES, In))),
                "asker": In(stream.Signature(ASKER)),
                "echo": In(stream.Signature(HEAD)),
                "echo_body": In(stream.Signature(64)),
                "bus": Out(wiring.Signature(axi_stream_members(BYTES, Out))),
                "mac": In(48),
                "address": In(32),
                "port": In(16),
                **RECEIVER,
                "busy": Out(1),
                "idle": Out(1),
                "events": Out(events(self.counters)),
            }
            | (
                {
                    "answer": In(stream.Signature(HEAD)),
                    "answer_body": In(stream.Signature(64)),
                    "numbered": In(1),
                    "info": In(32),
                    "number": Out(32),
                    "ends": Out(1),
                }
                if host_link
                else {}
            )
        )

    def elaborate(self, platform):
        m = Module()
        m.submodules.datagrams = datagrams = self._datagrams
        m.submodules.arps = arps = ArpReply()
        m.submodules.echoes = echoes = IpWriter()
        m.submodules.rows = rows = IpWriter()
        writers = [arps, echoes, rows]
        waiting = self.echo.valid | self.asker.valid
        if self._host_link:
            m.submodules.answers = answers = IpWriter()
            writers.append(answers)
            connect(m, flipped(self.answer), answers.head)
            connect(m, flipped(self.answer_body), answers.body)
            waiting = waiting | self.answer.valid | answers.busy
            m.d.comb += [
                datagrams.numbered.eq(self.numbered),
                datagrams.info.eq(self.info),
                self.number.eq(datagrams.number),
                self.ends.eq(datagrams.ends),
            ]
        m.submodules.arbiter = arbiter = FrameArbiter(len(writers))
        m.submodules.skid = skid = SkidBuffer(SENT_PIECE)
        connect(m, flipped(self.i), datagrams.bus)
        connect(m, flipped(self.asker), arps.i)
        connect(m, flipped(self.echo), echoes.head)
        connect(m, flipped(self.echo_body), echoes.body)
        connect(m, datagrams.head, rows.head)
        connect(m, datagrams.body, rows.body)
        for k, writer in enumerate(writers):
            connect(m, writer.o, getattr(arbiter, f"i{k}"))
            m.d.comb += [writer.mac.eq(self.mac), writer.address.eq(self.address)]
        connect(m, arbiter.o, skid.i)
        for name in ("address", "port", "to_mac", "to_address", "to_port"):
            m.d.comb += getattr(datagrams, name).eq(getattr(self, name))
        m.d.comb += [
            self.bus.tvalid.eq(skid.o.valid),
            self.bus.tdata.eq(skid.o.p.data),
            self.bus.tkeep.eq(skid.o.p.keep),
            self.bus.tlast.eq(skid.o.p.last),
            skid.o.ready.eq(self.bus.tready),
            self.events.eq(datagrams.events),
            self.busy.eq(datagrams.busy | rows.busy | skid.o.valid),
            self.idle.eq(~(self.busy | echoes.busy | waiting)),
        ]
        return m

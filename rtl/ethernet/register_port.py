"""The path from requests to registers to the datagrams of their answers."""

from amaranth.hdl import Module
from amaranth.lib import stream, wiring
from amaranth.lib.wiring import In, Out, connect, flipped

from rtl.ethernet.datagrams import Datagrams
from rtl.ethernet.etherbone import ACCESS, REQUEST
from rtl.ethernet.head import HEAD
from rtl.ethernet.piece import BYTES
from rtl.ethernet.register_master import RegisterMaster


class RegisterPort(wiring.Component):
    """Carries out requests to registers one after the other, and answers the sender of each.

    ::

        requests -- RegisterMaster -- access
                          |
                          +-- answer -- Datagrams -- head, body

    An answer has at most 1,036 bytes, so each answer is one datagram.

    Latency and initiation interval are those of ``RegisterMaster``.

    Members
    -------
    request : In(stream.Signature(REQUEST))
    i : In(stream.Signature(64))
        Pieces of the requests.
    access : Out(stream.Signature(ACCESS))
    read_value : In(32)
        See :class:`~rtl.ethernet.register_master.RegisterMaster`.
    head : Out(stream.Signature(HEAD))
    body : Out(stream.Signature(64))
    address : In(32)
        Our IPv4 address.
    port : In(16)
        Our UDP port of the registers. ``address`` and ``port`` must not change while ``busy``.
    busy : Out(1)
        A request is waiting or is being carried out, or its answer has not been offered.
    """

    latency = RegisterMaster.latency
    initiation_interval = RegisterMaster.initiation_interval

    def __init__(self):
        super().__init__(
            {
                "request": In(stream.Signature(REQUEST)),
                "i": In(stream.Signature(8 * BYTES)),
                "access": Out(stream.Signature(ACCESS)),
                "read_value": In(32),
                "head": Out(stream.Signature(HEAD)),
                "body": Out(stream.Signature(64)),
                "address": In(32),
                "port": In(16),
                "busy": Out(1),
            }
        )

    def elaborate(self, platform):
        m = Module()
        m.submodules.master = master = RegisterMaster()
        m.submodules.answers = answers = Datagrams(BYTES, end_marks=False)
        connect(m, flipped(self.request), master.head)
        connect(m, flipped(self.i), master.i)
        connect(m, master.access, flipped(self.access))
        connect(m, master.answer, answers.bus)
        connect(m, answers.head, flipped(self.head))
        connect(m, answers.body, flipped(self.body))
        sender = self.request.p
        m.d.comb += [
            master.read_value.eq(self.read_value),
            master.answering.eq(answers.busy),
            answers.address.eq(self.address),
            answers.port.eq(self.port),
            answers.to_mac.eq(sender.mac),
            answers.to_address.eq(sender.address),
            answers.to_port.eq(sender.port),
            self.busy.eq(master.busy | answers.busy),
        ]
        return m

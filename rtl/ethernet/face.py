"""The network face: a MAC on one side, an engine on the other."""

from amaranth.hdl import Module
from amaranth.lib import wiring
from amaranth.lib.wiring import In, Out, connect, flipped

from rtl.contract.counters import events, together
from rtl.ethernet.head import RECEIVER
from rtl.ethernet.piece import BYTES
from rtl.ethernet.receive import Receive
from rtl.ethernet.transmit import Transmit
from rtl.stream.axi_stream import axi_stream_members


class NetworkFace(wiring.Component):
    """Datagrams of tuples in, datagrams of rows out; answers ARP and ping.

    ::

        rx -- Receive -- tuples --> engine --> rows -- Transmit -- tx
                 +----------- ARP, ping ----------------^

    Order is kept from ``rx`` to ``tuples`` and from ``rows`` to ``tx``. ``rx`` never waits: what
    cannot be kept because the engine stalls is dropped by whole datagrams, and counted. A datagram
    of no bytes ends a stream, both ways.

    Latency 16 cycles from the end of a datagram to its first tuple, initiation interval 1 cycle.

    Parameters
    ----------
    row_bytes : int
        Of a tuple that comes.
    result_bytes : int
        Of a row that goes.
    depth, shortest, longest, longest_ping : int
        See :class:`~rtl.ethernet.receive.Receive`.
    most, end_marks
        See :class:`~rtl.ethernet.transmit.Transmit`.

    Members
    -------
    rx, tuples, rows, tx : Out(the ports of :func:`axi_stream_members`)
        A stream from the MAC, with ``tuser``; to the engine; from the engine; to the MAC.
    mac : In(48)
    address : In(32)
    port : In(16)
        Ours.
    to_mac : In(48)
    to_address : In(32)
    to_port : In(16)
        Whom rows are sent to. The first byte of an address is its highest.
    events : Out(events(NetworkFace.counters))
        Each frame that came is one event of ``Receive.counters``.
    """

    latency = Receive.latency
    initiation_interval = 1

    counters = together(Receive.counters, Transmit.counters)

    def __init__(
        self,
        row_bytes,
        result_bytes,
        *,
        depth=2048,
        shortest=60,
        longest=1518,
        longest_ping=1480,
        most=1472,
        end_marks=True,
    ):
        self._receive = Receive(
            row_bytes, depth=depth, shortest=shortest, longest=longest, longest_ping=longest_ping
        )
        self._transmit = Transmit(result_bytes, most=most, end_marks=end_marks)
        super().__init__(
            {
                "rx": Out(wiring.Signature(axi_stream_members(BYTES, In, user=1))),
                "tuples": Out(wiring.Signature(axi_stream_members(BYTES, Out))),
                "rows": Out(wiring.Signature(axi_stream_members(BYTES, In))),
                "tx": Out(wiring.Signature(axi_stream_members(BYTES, Out))),
                "mac": In(48),
                "address": In(32),
                "port": In(16),
                **RECEIVER,
                "events": Out(events(self.counters)),
            }
        )

    def elaborate(self, platform):
        m = Module()
        m.submodules.receive = receive = self._receive
        m.submodules.transmit = transmit = self._transmit
        connect(m, flipped(self.rx), receive.bus)
        connect(m, receive.o, flipped(self.tuples))
        connect(m, flipped(self.rows), transmit.i)
        connect(m, transmit.bus, flipped(self.tx))
        for name in ("asker", "echo", "echo_body"):
            connect(m, getattr(receive, name), getattr(transmit, name))
        for part in (receive, transmit):
            for name in ("mac", "address", "port"):
                m.d.comb += getattr(part, name).eq(getattr(self, name))
            m.d.comb += [self.events[c.name].eq(part.events[c.name]) for c in part.counters]
        for name in ("to_mac", "to_address", "to_port"):
            m.d.comb += getattr(transmit, name).eq(getattr(self, name))
        return m

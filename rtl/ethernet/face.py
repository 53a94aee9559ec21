"""The network face: a MAC on one side, an engine on the other."""

from amaranth.hdl import Module, Signal
from amaranth.lib import wiring
from amaranth.lib.wiring import In, Out, connect, flipped

from rtl.contract.counters import Flag, errors, events, merged_counters
from rtl.ethernet.head import RECEIVER, SENDER
from rtl.ethernet.piece import BYTES
from rtl.ethernet.receive import Receive
from rtl.ethernet.transmit import Transmit
from rtl.stream.axi_stream import axi_stream_members

#: Settings of our own addresses.
OWN_SETTINGS = ("mac", "address", "port")


class NetworkFace(wiring.Component):
    """Receives datagrams of tuples and sends datagrams of rows; answers ARP and ping.

    ::

        rx -- Receive -- tuples --> engine --> rows -- Transmit -- tx
                 +----------- ARP, ping ----------------^

    Order is kept from ``rx`` to ``tuples`` and from ``rows`` to ``tx``. ``rx`` never waits:
    datagrams that do not fit because the engine stalls are dropped as a whole, and counted. A
    datagram without bytes ends a stream, in both directions.

    Settings are taken over, all at once, in a cycle in which nothing is to be sent. Until then the
    previous settings hold, so that no frame mixes both. With a ``mac`` of 0 all frames count as
    sent to another MAC; with a ``to_mac`` of 0 rows wait. So after a reset the face is off until
    the host has written its addresses.

    Latency 16 cycles from the end of a datagram to its first tuple, initiation interval 1 cycle.

    Parameters
    ----------
    row_bytes : int
        Bytes of a received tuple.
    result_bytes : int
        Bytes of a sent row.
    depth, shortest, longest, longest_ping : int
        See :class:`~rtl.ethernet.receive.Receive`.
    payload_limit, end_marks
        See :class:`~rtl.ethernet.transmit.Transmit`.

    Members
    -------
    rx, tuples, rows, tx : Out(the ports of :func:`axi_stream_members`)
        A stream from the MAC, with ``tuser``; to the engine; from the engine; to the MAC.
    mac : In(48)
        Our MAC.
    address : In(32)
        Our IPv4 address.
    port : In(16)
        Our UDP port.
    to_mac : In(48)
        MAC of the receiver of rows.
    to_address : In(32)
        IPv4 address of the receiver of rows.
    to_port : In(16)
        UDP port of the receiver of rows. The first byte of an address is its highest.
    from_mac : In(48)
        MAC of the only sender whose datagrams are taken; 0 is any sender.
    from_address : In(32)
        IPv4 address of the only sender whose datagrams are taken; 0 is any sender.
    busy : Out(1)
        Rows or the end of a packet have been taken and have not left.
    events : Out(events(NetworkFace.counters))
        Each received frame is one event of ``Receive.counters``.
    errors : Out(errors(NetworkFace.flags))
    """

    latency = Receive.latency
    initiation_interval = 1

    counters = merged_counters(Receive.counters, Transmit.counters)
    flags = (
        Flag(
            name="datagram_lost",
            doc="a datagram of tuples was dropped because the buffer was full, as the engine had "
            "not taken earlier ones: the stream lacks its tuples, or its end. Send more slowly",
        ),
    )

    def __init__(
        self,
        row_bytes,
        result_bytes,
        *,
        depth=2048,
        shortest=60,
        longest=1518,
        longest_ping=1480,
        payload_limit=1472,
        end_marks=True,
    ):
        self._receive = Receive(
            row_bytes, depth=depth, shortest=shortest, longest=longest, longest_ping=longest_ping
        )
        self._transmit = Transmit(result_bytes, payload_limit=payload_limit, end_marks=end_marks)
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
                **SENDER,
                "busy": Out(1),
                "events": Out(events(self.counters)),
                "errors": Out(errors(self.flags)),
            }
        )

    def elaborate(self, platform):
        m = Module()
        m.submodules.receive = receive = self._receive
        m.submodules.transmit = transmit = self._transmit
        connect(m, flipped(self.rx), receive.bus)
        connect(m, receive.o, flipped(self.tuples))
        connect(m, transmit.bus, flipped(self.tx))
        for name in ("asker", "echo", "echo_body"):
            connect(m, getattr(receive, name), getattr(transmit, name))
        current = self._settings(m, transmit.idle)
        for part, names in (
            (receive, (*OWN_SETTINGS, *SENDER)),
            (transmit, (*OWN_SETTINGS, *RECEIVER)),
        ):
            m.d.comb += [getattr(part, name).eq(current[name]) for name in names]
            m.d.comb += [self.events[c.name].eq(part.events[c.name]) for c in part.counters]
        rows, to, has_receiver = self.rows, transmit.i, current["to_mac"].any()
        m.d.comb += [
            to.tvalid.eq(rows.tvalid & has_receiver),
            rows.tready.eq(to.tready & has_receiver),
            *(getattr(to, name).eq(getattr(rows, name)) for name in ("tdata", "tkeep", "tlast")),
            self.busy.eq(transmit.busy),
            self.errors.datagram_lost.eq(self.events.overflow),
        ]
        return m

    def _settings(self, m, idle):
        """Returns the current value of each setting by its name; a high ``idle`` takes over new
        values."""
        current = {}
        for name in (*OWN_SETTINGS, *RECEIVER, *SENDER):
            port = getattr(self, name)
            current[name] = Signal.like(port, name=f"own_{name}")
            with m.If(idle):
                m.d.sync += current[name].eq(port)
        return current

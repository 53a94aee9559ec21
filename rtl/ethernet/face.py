"""Connects an engine to an Ethernet MAC: the network face."""

from amaranth.hdl import Cat, Module, Signal
from amaranth.lib import stream, wiring
from amaranth.lib.wiring import In, Out, connect, flipped

from rtl.contract.counters import Flag, errors, events, merged_counters
from rtl.ethernet.etherbone import ACCESS
from rtl.ethernet.head import RECEIVER, SENDER
from rtl.ethernet.piece import BYTES
from rtl.ethernet.receive import Receive
from rtl.ethernet.register_port import RegisterPort
from rtl.ethernet.transmit import Transmit
from rtl.stream.axi_stream import axi_stream_members

#: Settings of our own addresses.
OWN_SETTINGS = ("mac", "address", "port")

#: Settings of the link to a host, and members for the link.
LINK_SETTINGS = ("registers_port", "numbered")
LINK = {
    "registers_port": In(16),
    "numbered": In(2),
    "access": Out(stream.Signature(ACCESS)),
    "read_value": In(32),
    "room": Out(32),
    "received": Out(32),
    "next_row_datagram": Out(32),
    "row_datagram_ends": Out(1),
}


class NetworkFace(wiring.Component):
    """Receives datagrams of tuples, sends datagrams of rows, and answers ARP and ping.

    ::

        rx -- Receive -- tuples --> engine --> rows -- Transmit -- tx
                 +----------- ARP, ping ----------------^
                 +----------- RegisterPort -- access ---^

    With ``host_link`` datagrams to a second port read and write registers, at any time and
    independently of tuples and rows: see :class:`~rtl.ethernet.register_port.RegisterPort`.

    Order is kept from ``rx`` to ``tuples`` and from ``rows`` to ``tx``. ``rx`` never waits: while
    the engine stalls, a buffer of ``depth`` pieces of 8 bytes fills, and a datagram that does not
    fit is dropped as a whole, and counted. A received datagram without tuples ends a stream; with
    ``end_marks`` a sent datagram without rows ends a packet.

    All settings change at once, in a cycle in which nothing is being sent, no row is offered to
    Transmit, and no request to registers waits for its answer. Until then the previous settings
    hold, so that no frame mixes both. With a ``mac`` of 0 all frames count as sent to another MAC;
    with a ``to_mac`` of 0 rows wait. So after a reset the face is off until the host has written
    its addresses.

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
    host_link : bool
        A host reads and writes registers by datagrams.
    punctuations : bool
        With ``host_link``: datagrams may have punctuations in the place of tuples, for which
        ``tuser`` of ``tuples`` is 1.

    Members
    -------
    rx, tuples, rows, tx : Out(the ports of :func:`axi_stream_members`)
        ``rx``: frames from the MAC, with ``tuser`` 1 for a bad frame. ``tuples``: to the engine.
        ``rows``: from the engine. ``tx``: frames to the MAC.
    mac : In(48)
        Our MAC. The first byte of each MAC and each IPv4 address is its highest.
    address : In(32)
        Our IPv4 address.
    port : In(16)
        Our UDP port.
    to_mac : In(48)
        MAC of the receiver of rows.
    to_address : In(32)
        IPv4 address of the receiver of rows.
    to_port : In(16)
        UDP port of the receiver of rows.
    from_mac : In(48)
        MAC of the only sender whose datagrams are taken; 0 is any sender.
    from_address : In(32)
        IPv4 address of the only sender whose datagrams are taken; 0 is any sender.
    busy : Out(1)
        Rows or the end of a packet have been taken and have not left, or any frame is leaving.
    registers_port : In(16), or none
        Our UDP port of the registers; 0 is no port.
    access : Out(stream.Signature(ACCESS)), or none
    read_value : In(32), or none
        See :class:`~rtl.ethernet.register_master.RegisterMaster`.
    numbered : In(2), or none
        Bit 0: datagrams of rows have numbers. Bit 1: datagrams of tuples have numbers.
    room : Out(32), or none
        Bytes of tuples for which there is room. A datagram of n bytes needs n rounded up to a
        multiple of 8, and a datagram that ends a stream 8.
    received : Out(32), or none
        Number of the next datagram of tuples that is in order.
    next_row_datagram : Out(32), or none
        Number of the next datagram of rows.
    row_datagram_ends : Out(1), or none
        High for one cycle: the last row of a datagram has been taken, or the end of a packet.
    events : Out(events(NetworkFace.counters_of(host_link)))
        Each received frame is one event of ``Receive.counters_of(host_link)``.
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
        host_link=False,
        punctuations=False,
    ):
        self._receive = Receive(
            row_bytes,
            depth=depth,
            shortest=shortest,
            longest=longest,
            longest_ping=longest_ping,
            host_link=host_link,
            punctuations=punctuations,
        )
        self._transmit = Transmit(
            result_bytes, payload_limit=payload_limit, end_marks=end_marks, host_link=host_link
        )
        self._host_link = host_link
        super().__init__(
            {
                "rx": Out(wiring.Signature(axi_stream_members(BYTES, In, user=1))),
                "tuples": Out(
                    wiring.Signature(axi_stream_members(BYTES, Out, user=int(punctuations)))
                ),
                "rows": Out(wiring.Signature(axi_stream_members(BYTES, In))),
                "tx": Out(wiring.Signature(axi_stream_members(BYTES, Out))),
                "mac": In(48),
                "address": In(32),
                "port": In(16),
                **RECEIVER,
                **SENDER,
                "busy": Out(1),
                "events": Out(events(self.counters_of(host_link))),
                "errors": Out(errors(self.flags)),
            }
            | (LINK if host_link else {})
        )

    @staticmethod
    def counters_of(host_link=False):
        """Returns the counters, in the order of ``events``."""
        return merged_counters(Receive.counters_of(host_link), Transmit.counters)

    def elaborate(self, platform):
        m = Module()
        m.submodules.receive = receive = self._receive
        m.submodules.transmit = transmit = self._transmit
        connect(m, flipped(self.rx), receive.bus)
        connect(m, receive.o, flipped(self.tuples))
        connect(m, transmit.bus, flipped(self.tx))
        for name in ("asker", "echo", "echo_body"):
            connect(m, getattr(receive, name), getattr(transmit, name))
        idle = transmit.idle
        if self._host_link:
            idle = idle & ~self._answer(m, receive, transmit)
        row_offered = Signal()
        current = self._settings(m, idle & ~row_offered)
        if self._host_link:
            self._number(m, receive, transmit, current)
        for part, names in (
            (receive, (*OWN_SETTINGS, *SENDER)),
            (transmit, (*OWN_SETTINGS, *RECEIVER)),
        ):
            m.d.comb += [getattr(part, name).eq(current[name]) for name in names]
            m.d.comb += [self.events[name].eq(part.events[name]) for name, _ in part.events.shape()]
        rows = self.rows
        to = transmit.i
        has_receiver = current["to_mac"].any()
        m.d.comb += [
            # Transmit is still idle in the cycle that takes a row, but settings must not change.
            row_offered.eq(rows.tvalid & has_receiver),
            to.tvalid.eq(rows.tvalid & has_receiver),
            rows.tready.eq(to.tready & has_receiver),
            *(getattr(to, name).eq(getattr(rows, name)) for name in ("tdata", "tkeep", "tlast")),
            self.busy.eq(transmit.busy),
            self.errors.datagram_lost.eq(self.events.overflow),
        ]
        return m

    def _answer(self, m, receive, transmit):
        """Connects the port of the registers; returns a bit: the port has a request or answer."""
        m.submodules.registers = registers = RegisterPort()
        connect(m, receive.request, registers.request)
        connect(m, receive.request_body, registers.i)
        connect(m, registers.access, flipped(self.access))
        connect(m, registers.head, transmit.answer)
        connect(m, registers.body, transmit.answer_body)
        m.d.comb += [
            registers.read_value.eq(self.read_value),
            registers.address.eq(receive.address),
            registers.port.eq(receive.registers_port),
        ]
        return registers.busy

    def _number(self, m, receive, transmit, current):
        """Connects the numbers of datagrams, and the values that a host reads.

        ``received`` and ``room`` are of the same cycle: from the cycle in which ``received`` counts
        a datagram until the engine takes it, its bytes are not part of ``room``. ``info``, for
        datagrams of rows, has the low 16 bits of ``received``, and ``room`` in pieces of 8 bytes.
        """
        m.d.sync += [self.room.eq(receive.room * BYTES), self.received.eq(receive.received)]
        m.d.comb += [
            receive.registers_port.eq(current["registers_port"]),
            Cat(transmit.numbered, receive.numbered).eq(current["numbered"]),
            transmit.info.eq(Cat(self.received[:16], self.room[3:19])),
            self.next_row_datagram.eq(transmit.number),
            self.row_datagram_ends.eq(transmit.ends),
        ]

    def _settings(self, m, idle):
        """Returns the current value of each setting by its name.

        New values are loaded while ``idle`` is high.
        """
        current = {}
        link = LINK_SETTINGS if self._host_link else ()
        for name in (*OWN_SETTINGS, *RECEIVER, *SENDER, *link):
            port = getattr(self, name)
            current[name] = Signal.like(port, name=f"own_{name}")
            with m.If(idle):
                m.d.sync += current[name].eq(port)
        return current

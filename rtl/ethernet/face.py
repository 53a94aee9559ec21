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

#: Settings that tell who we are.
OWN = ("mac", "address", "port")


class NetworkFace(wiring.Component):
    """Datagrams of tuples in, datagrams of rows out; answers ARP and ping.

    ::

        rx -- Receive -- tuples --> engine --> rows -- Transmit -- tx
                 +----------- ARP, ping ----------------^

    Order is kept from ``rx`` to ``tuples`` and from ``rows`` to ``tx``. ``rx`` never waits: what
    cannot be kept because the engine stalls is dropped by whole datagrams, and counted. A datagram
    of no bytes ends a stream, both ways.

    Settings are taken over, all at once, in a cycle in which nothing is to be sent; as long as
    there is, the old ones hold, so that no frame is of both. With a ``mac`` of 0 all frames are to
    another; with a ``to_mac`` of 0 rows wait. So after a reset the face is off until it is told who
    it is.

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
    from_mac : In(48)
    from_address : In(32)
        The one sender whose datagrams are taken; 0 is any.
    busy : Out(1)
        Rows have been taken that have not left, or the end of a packet.
    events : Out(events(NetworkFace.counters))
        Each frame that came is one event of ``Receive.counters``.
    errors : Out(errors(NetworkFace.flags))
    """

    latency = Receive.latency
    initiation_interval = 1

    counters = merged_counters(Receive.counters, Transmit.counters)
    flags = (
        Flag(
            name="datagram_lost",
            doc="a datagram of tuples came and there was no room for it, as the engine did not "
            "take those before: the stream lacks its tuples, or its end. Send more slowly",
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
        told = self._settings(m, transmit.idle)
        for part, names in ((receive, (*OWN, *SENDER)), (transmit, (*OWN, *RECEIVER))):
            m.d.comb += [getattr(part, name).eq(told[name]) for name in names]
            m.d.comb += [self.events[c.name].eq(part.events[c.name]) for c in part.counters]
        rows, to, known = self.rows, transmit.i, told["to_mac"].any()
        m.d.comb += [
            to.tvalid.eq(rows.tvalid & known),
            rows.tready.eq(to.tready & known),
            *(getattr(to, name).eq(getattr(rows, name)) for name in ("tdata", "tkeep", "tlast")),
            self.busy.eq(transmit.busy),
            self.errors.datagram_lost.eq(self.events.overflow),
        ]
        return m

    def _settings(self, m, changes):
        """Each setting by its name, as it holds: it is taken over when it ``changes``."""
        told = {}
        for name in (*OWN, *RECEIVER, *SENDER):
            given = getattr(self, name)
            told[name] = Signal.like(given, name=f"own_{name}")
            with m.If(changes):
                m.d.sync += told[name].eq(given)
        return told

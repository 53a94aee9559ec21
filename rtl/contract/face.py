"""The face of a top: the form of its buses, which is independent of the engine."""

import re
from dataclasses import dataclass, fields
from math import lcm

from rtl.contract.options import check, option
from rtl.contract.rows import Packet, Role

_LONGEST = 1 << 20
#: Bits of a transfer of the network face.
NETWORK_BITS = 64
#: Bytes of the largest datagram's payload.
DATAGRAM = 1472
#: Bytes of the number before the payload, which datagrams may have with a link to a host.
NUMBER = 8
_BEATS = re.compile(r"beats:([1-9][0-9]{0,6})")


@dataclass(frozen=True, kw_only=True)
class Face:
    """Options of the buses. By default the ports are as wide as the engine's own beats.

    Attributes
    ----------
    bus_bits : int or None
        Width of ``tdata`` of every stream, with bytes packed densely; see
        :class:`rtl.bus.gearbox.Gearbox`.
    packets : str or None
        ``window``, ``stream`` or ``beats:N``: where ``m_axis`` has its ``tlast``.
    end_marker : bool
        Each stream ends with a ``tlast``, also a stream without a window.
    interrupt : bool
        The top has an output ``interrupt``, and registers for it.
    bus : str
        ``axi``, ``avalon`` or ``vitis``: the standard that streams and registers follow.
    network : bool
        Tuples and rows travel in datagrams, in the frames of a MAC.
    host_link : bool
        With ``network``: a host reads and writes registers by datagrams.
    """

    bus_bits: int | None = option(
        "bits of tdata of each stream, with bytes packed densely",
        range=(32, 512),
        power_of_two=True,
        unit="bits",
        absent="as wide as the engine's tuples and rows",
    )
    packets: str | None = option(
        "the unit that tlast of m_axis ends: a window, a stream, or beats:N, at most N transfers",
        absent="the packets of the engine",
    )
    end_marker: bool = option(
        "true: each stream ends with tlast at m_axis, also one without a window", default=False
    )

    interrupt: bool = option(
        "true: an output that signals the end of a stream, or an error", default=False
    )

    bus: str = option(
        "the standard of the ports: AXI, Avalon for Intel, or AXI with a Vitis kernel's names",
        default="axi",
        choices=("axi", "avalon", "vitis"),
    )

    network: bool = option(
        "true: s_axis_rx and m_axis_tx of a MAC in place of s_axis and m_axis, with UDP",
        default=False,
    )

    host_link: bool = option(
        "true: with network, a host reads and writes registers by datagrams", default=False
    )

    def __post_init__(self):
        check(self)
        for field in fields(self):
            value = getattr(self, field.name)
            if isinstance(field.default, bool) and not isinstance(value, bool):
                raise TypeError(f"{field.name} must be true or false, not {value!r}")
        if self.packets not in (None, "window", "stream") and self.beats is None:
            raise ValueError(
                f"packets must be window, stream, or beats:N with N from 1 to {_LONGEST}, not "
                f"{self.packets!r}"
            )
        if self.host_link and not self.network:
            raise ValueError(
                "host_link must not be true without network=true: registers are read by datagrams"
            )
        if self.network and self.bus != "axi":
            raise ValueError(
                f"bus must be axi with network, not {self.bus}: streams to a MAC are AXI's"
            )
        if self.network and self.bus_bits is not None:
            raise ValueError(
                f"bus_bits must not be given with network, not {self.bus_bits}: a MAC of 10 Gb/s "
                f"has {NETWORK_BITS} bits"
            )
        if self.network and self.beats:
            raise ValueError(
                f"packets must be window or stream with network, not {self.packets}: datagrams "
                "are cut between two rows"
            )

    @property
    def bits(self):
        """Width of ``tdata`` of every stream, with bytes packed densely; None when it is as wide as
        the engine's beats."""
        return NETWORK_BITS if self.network else self.bus_bits

    @property
    def beats(self):
        """Maximum number of transfers of a packet; None without a limit."""
        match = _BEATS.fullmatch(self.packets) if isinstance(self.packets, str) else None
        return int(match[1]) if match and int(match[1]) <= _LONGEST else None

    def joins(self, rows):
        """Returns whether the windows of a stream, each a packet of ``rows``, become one packet.

        With ``network`` windows become one packet by default wherever :func:`can_join` allows it: a
        packet for each window of one row would take two datagrams, for the row and for its end.
        """
        if self.packets is None and self.network:
            return can_join(rows)
        return rows.packet is Packet.WINDOW and self.packets not in (None, "window")

    def marks(self, rows):
        """Returns whether an empty packet follows the windows of a stream, each of which is a
        packet."""
        return rows.packet is Packet.WINDOW and self.end_marker and not self.joins(rows)

    def values(self):
        """Returns the options that differ from their defaults, as plain data."""
        current = {field.name: getattr(self, field.name) for field in fields(self)}
        defaults = {field.name: field.default for field in fields(self)}
        return {name: value for name, value in current.items() if value != defaults[name]}

    def check(self, rows, streams, memories=()):
        """Raises ValueError if the face is impossible for the rows, streams and memories."""
        if self.bus == "vitis" and memories:
            raise ValueError(
                "bus must not be vitis with a memory off the chip: no kernel with memory masters "
                f"is made, and {memories[0].name} is one"
            )
        if self.bus_bits is not None and any(bus.user for bus in streams):
            raise ValueError(
                "bus_bits must not be given where tuser flags a tuple, as with "
                "punctuations=stream: bytes that are packed densely have no room for a flag"
            )
        if self.bus == "avalon" and any(bus.user for bus in streams):
            raise ValueError(
                "bus must not be avalon where tuser flags a tuple, as with punctuations=stream: "
                "Avalon's streams have no such flag"
            )
        if self.packets == "window" and rows.packet is Packet.STREAM:
            raise ValueError(
                "packets must be stream or beats:N, not window: the rows of this engine come "
                "stream by stream"
            )
        if self.network:
            _check_network(rows, streams, self.host_link)
        if self.joins(rows) and not _identifies_window(rows):
            raise ValueError(
                f"packets must be window, not {self.packets}: a window has several rows, and none "
                "says of which window it is"
            )


def can_join(rows):
    """Returns True if windows are packets of ``rows`` and can become one packet for a stream."""
    return rows.packet is Packet.WINDOW and _identifies_window(rows)


def _identifies_window(rows):
    """Returns True if the number of a row's window is known.

    A row has the number in a field, or each window has one row.
    """
    return bool(not rows.with_role(Role.KEY) or rows.with_role(Role.WINDOW))


def _check_network(rows, streams, host_link):
    """Raises ValueError if datagrams cannot carry all tuples, punctuations and rows."""
    if any(bus.user for bus in streams) and not host_link:
        raise ValueError(
            "host_link must be true with network and punctuations=stream: only datagrams with a "
            "number have a flag for punctuations; or take punctuations=made"
        )
    limit = DATAGRAM - NUMBER * host_link
    size = streams[0].packing.bytes
    row = rows.packing.bytes
    for kind, item_bytes, datagram_bytes in (
        ("tuples", size, size),
        ("rows", row, lcm(row, NETWORK_BITS // 8)),
    ):
        if datagram_bytes > limit:
            raise ValueError(
                f"network must not be given with {kind} of {item_bytes} bytes: a datagram of whole "
                f"{kind} would have {datagram_bytes}, and {limit} is the most"
            )


#: The default face: ports as wide as the engine's beats, and the engine's own packets.
PLAIN = Face()

"""The face of a top: what its buses look like to what stands around it, whatever the engine is."""

import re
from dataclasses import dataclass, fields
from math import lcm

from rtl.contract.options import check, option
from rtl.contract.rows import Packet, Role

_LONGEST = 1 << 20
#: Bits of a transfer of the network face, and bytes of the largest datagram.
NETWORK_BITS, DATAGRAM = 64, 1472
_BEATS = re.compile(r"beats:([1-9][0-9]{0,6})")


@dataclass(frozen=True, kw_only=True)
class Face:
    """Options of the bus. With none of them given the ports are those of the engine's own beats.

    Attributes
    ----------
    bus_bits : int or None
        Of ``tdata`` of every stream: bytes packed densely, see :class:`rtl.bus.gearbox.Gearbox`.
    packets : str or None
        ``window``, ``stream`` or ``beats:N``: where ``m_axis`` has its ``tlast``.
    end_marker : bool
        Each stream ends with a ``tlast``, also one without a window.
    interrupt : bool
        There is an output ``interrupt``, and registers for it.
    bus : str
        ``axi``, ``avalon`` or ``vitis``: whose ports streams and registers have.
    network : bool
        Tuples come in datagrams, rows go in datagrams, in frames of a MAC.
    """

    bus_bits: int | None = option(
        "bits of tdata of each stream, with bytes packed densely",
        range=(32, 512),
        power_of_two=True,
        unit="bits",
        absent="as wide as the engine's tuples and rows",
    )
    packets: str | None = option(
        "what tlast of m_axis ends: a window, a stream, or beats:N, which is at most N transfers",
        absent="as the engine gives them",
    )
    end_marker: bool = option(
        "true: each stream ends with tlast at m_axis, also one without a window", default=False
    )

    interrupt: bool = option(
        "true: an output that tells when a stream is done, or an error has come", default=False
    )

    bus: str = option(
        "whose ports there are: AXI's, Avalon's for Intel, or AXI's under a Vitis kernel's names",
        default="axi",
        choices=("axi", "avalon", "vitis"),
    )

    network: bool = option(
        "true: s_axis_rx and m_axis_tx of a MAC in place of s_axis and m_axis, and UDP between",
        default=False,
    )

    def __post_init__(self):
        check(self)
        for field in fields(self):
            given = getattr(self, field.name)
            if isinstance(field.default, bool) and not isinstance(given, bool):
                raise TypeError(f"{field.name} must be true or false, not {given!r}")
        if self.packets not in (None, "window", "stream") and self.beats is None:
            raise ValueError(
                f"packets must be window, stream, or beats:N with N from 1 to {_LONGEST}, not "
                f"{self.packets!r}"
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
        """Of ``tdata`` of every stream, with bytes packed densely; None as the engine's beats."""
        return NETWORK_BITS if self.network else self.bus_bits

    @property
    def beats(self):
        """Transfers of a packet at most; None without a limit."""
        found = _BEATS.fullmatch(self.packets) if isinstance(self.packets, str) else None
        return int(found[1]) if found and int(found[1]) <= _LONGEST else None

    def joins(self, rows):
        """Whether windows that are packets of ``rows`` become one packet of their stream.

        With ``network`` they do wherever they can, if nothing else is asked for: else each row of
        a sliding window would be a datagram, with another one behind it that ends its packet.
        """
        if self.packets is None and self.network:
            return can_join(rows)
        return rows.packet is Packet.WINDOW and self.packets not in (None, "window")

    def marks(self, rows):
        """Whether behind the windows of a stream, which are packets, there is one without a row."""
        return rows.packet is Packet.WINDOW and self.end_marker and not self.joins(rows)

    def values(self):
        """The options that were given, as plain data."""
        given = {field.name: getattr(self, field.name) for field in fields(self)}
        defaults = {field.name: field.default for field in fields(self)}
        return {name: value for name, value in given.items() if value != defaults[name]}

    def check(self, rows, streams, memories=()):
        """Raises ValueError when these rows, or buses, cannot have such a face."""
        if self.bus == "vitis" and memories:
            raise ValueError(
                "bus must not be vitis with a memory off the chip: a kernel's memory masters must "
                f"have 64 bits of address, and {memories[0].name} has {memories[0].address_width}"
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
            _check_network(rows, streams)
        if self.joins(rows) and not _tells(rows):
            raise ValueError(
                f"packets must be window, not {self.packets}: a window has several rows, and none "
                "says of which window it is"
            )


def can_join(rows):
    """True if windows are packets of ``rows``, and can become one packet for each stream."""
    return rows.packet is Packet.WINDOW and _tells(rows)


def _tells(rows):
    """Whether a row says, by itself or by its number, of which window it is."""
    return bool(not rows.of_role(Role.KEY) or rows.of_role(Role.WINDOW))


def _check_network(rows, streams):
    """Raises ValueError when datagrams cannot be all that goes in and comes out."""
    if any(bus.user for bus in streams):
        raise ValueError(
            "network must not be given where tuser flags a tuple, as with punctuations=stream: "
            "datagrams have no room for a flag; take punctuations=made"
        )
    size, row = streams[0].packing.bytes, rows.packing.bytes
    for what, each, least in (("tuples", size, size), ("rows", row, lcm(row, NETWORK_BITS // 8))):
        if least > DATAGRAM:
            raise ValueError(
                f"network must not be given with {what} of {each} bytes: a datagram of whole "
                f"{what} would have {least}, and {DATAGRAM} is the most"
            )


#: Ports as wide as the engine's beats, packets as it gives them.
PLAIN = Face()

"""The face of a top: what its buses look like to what stands around it, whatever the engine is."""

import re
from dataclasses import dataclass, fields

from rtl.contract.options import check, option
from rtl.contract.rows import Packet, Role

_LONGEST = 1 << 20
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

    @property
    def beats(self):
        """Transfers of a packet at most; None without a limit."""
        found = _BEATS.fullmatch(self.packets) if isinstance(self.packets, str) else None
        return int(found[1]) if found and int(found[1]) <= _LONGEST else None

    def joins(self, rows):
        """Whether windows that are packets of ``rows`` become one packet of their stream."""
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
        if self.joins(rows) and rows.of_role(Role.KEY) and not rows.of_role(Role.WINDOW):
            raise ValueError(
                f"packets must be window, not {self.packets}: a window has several rows, and none "
                "says of which window it is"
            )


#: Ports as wide as the engine's beats, packets as it gives them.
PLAIN = Face()

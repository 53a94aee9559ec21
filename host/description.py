"""What a design is, read from its manifest: plain data, checked once."""

import json
from dataclasses import dataclass
from pathlib import Path

from .errors import HostError

MANIFEST = "manifest.json"


@dataclass(frozen=True)
class Field:
    """A field of a tuple or row: where it lies on the bus, and what it says.

    Attributes
    ----------
    name : str
    offset, width : int
        Bits; it takes whole bytes.
    signed : bool
    type : str or None
        Of the query, such as ``fixed(8,24)``; None for a plain number.
    fraction : int
        The value is the raw number divided by 2 to the power of this.
    role : str or None
        Of a row's field: "window", "window end", "key", "value" or "valid".
    of : str or None
        Of a "valid": the name of the field that it is about; None is the whole row.
    byte_order : str
        "lowest byte first" of a number, "first byte highest" of a text, which fills the field from
        its last byte down: ``"ab"`` in 4 bytes is 00 00 62 61.
    """

    name: str
    offset: int
    width: int
    signed: bool
    type: str | None = None
    fraction: int = 0
    role: str | None = None
    of: str | None = None
    byte_order: str = "lowest byte first"

    @property
    def bytes(self):
        return -(-self.width // 8)


@dataclass(frozen=True)
class Stream:
    """A stream of the engine's pins: ``lanes`` tuples of ``bytes`` bytes in a beat.

    ``user`` is the width of its ``tuser``, 0 without. ``bus_bits`` is that of its ``tdata`` where
    tuples follow each other densely, without regard to lanes; None where a beat has whole lanes.
    """

    name: str
    lanes: int
    bytes: int
    fields: tuple
    user: int
    bus_bits: int | None = None

    @property
    def beat_bytes(self):
        """Bytes of ``tdata``."""
        return self.bytes * self.lanes if self.bus_bits is None else self.bus_bits // 8


@dataclass(frozen=True)
class Setting:
    """A number that the host writes; see the register of its name."""

    name: str
    doc: str
    unit: str
    registers: tuple
    least: int
    most: int
    multiple: int
    value: int | None
    area: int | None
    fraction: int


@dataclass(frozen=True)
class Description:
    """A design as its host sees it.

    Attributes
    ----------
    name, engine : str
    directory : pathlib.Path
    streams : dict of str to Stream
        The main two are ``s_axis`` and ``m_axis``.
    registers : dict of str to int
        Byte addresses.
    settings : dict of str to Setting
    functions : tuple of str
        What the register ``function`` chooses from; empty without one.
    packet : str
        What tlast of ``m_axis`` ends: "window", "stream", or "beats:N".
    marked : bool
        Behind the windows of a stream there is a packet without a row.
    counters, errors : tuple of dict
    host : dict
        The rest of the manifest's part for hosts, among it the rules that settings must obey.
    network : dict or None
        Of a design whose tuples and rows are in datagrams: its pins, settings and counters.
    """

    name: str
    engine: str
    directory: Path
    configuration: int
    streams: dict
    memories: dict
    registers: dict
    settings: dict
    functions: tuple
    packet: str
    marked: bool
    counters: tuple
    errors: tuple
    host: dict
    network: dict | None = None

    @classmethod
    def read(cls, directory):
        """That of a generated directory; raises HostError when there is none."""
        directory = Path(directory)
        path = directory / MANIFEST
        try:
            told = json.loads(path.read_text())
        except OSError as error:
            raise HostError(
                f"{path}: cannot be read: {error.strerror}; it must be a directory that "
                "`sluice generate` has written"
            ) from None
        except ValueError:
            raise HostError(f"{path}: is no manifest; generate the design anew") from None
        if not isinstance(told, dict) or "host" not in told:
            raise HostError(
                f"{path}: has no part for hosts; generate the design with a newer version"
            )
        return cls._of(directory, told)

    @classmethod
    def _of(cls, directory, told):
        host = told["host"]
        settings = (Setting(**{**s, "registers": tuple(s["registers"])}) for s in host["settings"])
        return cls(
            name=told["name"],
            engine=told["configuration"]["engine"],
            directory=directory,
            configuration=int(told["configuration_hash"], 16),
            streams={name: _stream(name, told) for name in told["streams"]},
            memories=told["memories"],
            registers={name: int(at, 16) for name, at in told["registers"].items()},
            settings={s.name: s for s in settings},
            functions=tuple(told["functions"]),
            packet=told["rows"]["packet"],
            marked=told["rows"].get("end_marker", False),
            counters=tuple(host["counters"]),
            errors=tuple(host["errors"]),
            host=host,
            network=told.get("network"),
        )

    @property
    def tuples(self):
        return self.streams["s_axis"]

    @property
    def rows(self):
        return self.streams["m_axis"]


def _stream(name, told):
    """Types are known of the main two streams; roles of the rows."""
    given = told["streams"][name]
    body = given.get("tuple") or given["row"]
    columns = {"s_axis": told["host"]["tuple"], "m_axis": told["host"]["row"]}.get(name)
    roles = told["rows"]["fields"] if name == "m_axis" else None
    fields = []
    for k, field in enumerate(body["fields"]):
        more = dict(columns[k]) if columns else {}
        if roles:
            more |= {"role": roles[k]["role"], "of": roles[k].get("of")}
        fields.append(Field(**field, **more))
    bus_bits = given.get("bus_bits")
    return Stream(name, given["lanes"], body["bytes"], tuple(fields), given["user"], bus_bits)

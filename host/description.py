"""Describes a generated design as plain data, read from the design's manifest."""

from __future__ import annotations

import json
import os
from dataclasses import dataclass
from pathlib import Path

from .errors import HostError

MANIFEST = "manifest.json"


@dataclass(frozen=True)
class Field:
    """A field of a tuple or row: its position on the bus and its meaning.

    Attributes
    ----------
    name : str
    offset, width : int
        In bits, from the lowest bit of the tuple or row. A field occupies whole bytes, so its last
        byte may have unused bits.
    signed : bool
    type : str or None
        The type in the query, such as ``fixed(8,24)``; None for a plain number.
    fraction : int
        Bits of the fraction: a value is the raw number divided by 2^``fraction``.
    role : str or None
        The meaning of a row's field: "window", "window end", "key", "value" or "valid".
    of : str or None
        For the role "valid": the name of the field whose values the bit declares valid; None if the
        bit is valid for the whole row.
    byte_order : str
        "lowest byte first" for a number, "first byte highest" for a text. A text fills the field
        from the field's last byte down: ``"ab"`` in 4 bytes is 00 00 62 61.
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
    def bytes(self) -> int:
        """Bytes of the field on the bus; the last byte may have unused bits."""
        return -(-self.width // 8)


@dataclass(frozen=True)
class Stream:
    """A stream of the engine's pins: ``lanes`` tuples of ``bytes`` bytes in a beat.

    A stream out of the engine has rows in the place of tuples. ``user`` is the width of ``tuser``
    in bits, 0 if the stream has none. ``bus_bits`` is the width of ``tdata`` in bits if bytes of
    tuples are packed densely, without regard to lanes; None if a beat has whole lanes.
    """

    name: str
    lanes: int
    bytes: int
    fields: tuple
    user: int
    bus_bits: int | None = None

    @property
    def beat_bytes(self) -> int:
        """Width of ``tdata``, in bytes."""
        return self.bytes * self.lanes if self.bus_bits is None else self.bus_bits // 8


@dataclass(frozen=True)
class Setting:
    """A number that the host writes into ``registers``, 32 bits into each, the lowest first.

    The host writes the raw number, which is the setting's number times 2^``fraction``. It must be
    from ``least`` to ``most``, and a multiple of ``multiple``. ``value`` is the raw number that the
    query asks for, or None. ``area`` is the size in bytes of the memory whose address the setting
    holds, or None for any other setting.
    """

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
    """The facts about a design that a host needs.

    Attributes
    ----------
    name, engine : str
    directory : pathlib.Path
    configuration : int
        Hash of the configuration, which the hardware has in a register, too.
    streams : dict of str to Stream
        ``s_axis`` carries tuples and ``m_axis`` carries rows; there may be further streams.
    memories : dict of str to dict
        The manifest's description of each memory master.
    registers : dict of str to int
        Byte addresses.
    settings : dict of str to Setting
    functions : tuple of str
        Choices of the register ``function``; empty without the register.
    packet : str
        Unit of rows that ``tlast`` of ``m_axis`` ends: "window", "stream", or "beats:N".
    marked : bool
        True if a packet without a row follows the windows of each stream.
    counters, errors : tuple of dict
    host : dict
        The manifest's section for hosts, for example the rules that settings must obey.
    network : dict or None
        Pins, settings and counters of a design that sends and receives datagrams.
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
    def read(cls, directory: str | os.PathLike[str]) -> Description:
        """Returns the description of a generated directory.

        Raises HostError if the directory has no valid manifest.
        """
        directory = Path(directory)
        path = directory / MANIFEST
        try:
            manifest = json.loads(path.read_text())
        except OSError as error:
            raise HostError(
                f"{path}: cannot be read: {error.strerror}; it must be a directory that "
                "`sluice generate` has written"
            ) from None
        except (ValueError, RecursionError):
            raise HostError(f"{path}: is no manifest; generate the design anew") from None
        if isinstance(manifest, dict) and "unit" in manifest:
            raise HostError(
                f"{path}: describes a block of `sluice generate --unit`; a host drives only engines"
            )
        if not isinstance(manifest, dict) or "host" not in manifest:
            raise HostError(
                f"{path}: has no part for hosts; generate the design with a newer version"
            )
        try:
            return cls._from_manifest(directory, manifest)
        except (KeyError, TypeError, ValueError, AttributeError, IndexError):
            raise HostError(
                f"{path}: is no manifest of this version; generate the design anew"
            ) from None

    @classmethod
    def _from_manifest(cls, directory, manifest):
        """Returns the description that a manifest, read as JSON, contains."""
        host = manifest["host"]
        settings = (Setting(**{**s, "registers": tuple(s["registers"])}) for s in host["settings"])
        return cls(
            name=manifest["name"],
            engine=manifest["configuration"]["engine"],
            directory=directory,
            configuration=int(manifest["configuration_hash"], 16),
            streams={name: _stream(name, manifest) for name in manifest["streams"]},
            memories=manifest["memories"],
            registers={name: int(address, 16) for name, address in manifest["registers"].items()},
            settings={s.name: s for s in settings},
            functions=tuple(manifest["functions"]),
            packet=manifest["rows"]["packet"],
            marked=manifest["rows"].get("end_marker", False),
            counters=tuple(host["counters"]),
            errors=tuple(host["errors"]),
            host=host,
            network=manifest.get("network"),
        )

    @property
    def tuples(self) -> Stream:
        """The stream of tuples into the engine."""
        return self.streams["s_axis"]

    @property
    def rows(self) -> Stream:
        """The stream of rows out of the engine."""
        return self.streams["m_axis"]


def _stream(name, manifest):
    """Returns a stream of the manifest.

    The manifest has the types of fields of ``s_axis`` and ``m_axis``, and the roles of fields of
    ``m_axis``.
    """
    stream = manifest["streams"][name]
    body = stream.get("tuple") or stream["row"]
    columns = {"s_axis": manifest["host"]["tuple"], "m_axis": manifest["host"]["row"]}.get(name)
    roles = manifest["rows"]["fields"] if name == "m_axis" else None
    fields = []
    for k, field in enumerate(body["fields"]):
        attributes = dict(columns[k]) if columns else {}
        if roles:
            attributes |= {"role": roles[k]["role"], "of": roles[k].get("of")}
        fields.append(Field(**field, **attributes))
    bus_bits = stream.get("bus_bits")
    return Stream(name, stream["lanes"], body["bytes"], tuple(fields), stream["user"], bus_bits)

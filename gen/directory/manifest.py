"""Describes a generated design for programs: configuration, ports, layouts and checksums."""

import hashlib
import json
from collections.abc import Mapping
from importlib.metadata import version as package_version
from pathlib import Path, PurePosixPath

from boards.platforms.platform_board import DEFAULT_LINK
from boards.ports import Ports
from gen.design.build import Build
from gen.design.columns import stream_columns
from gen.host.table_view import host_view
from gen.verilog.yosys import version as yosys_version
from rtl.bus.register import Register
from rtl.bus.setting_registers import register_names
from rtl.bus.top import latency_around_core
from rtl.bus.top_registers import link_settings, link_status, network_counters, network_settings
from rtl.contract.design import FRAMES
from rtl.contract.face import DATAGRAM, PLAIN
from rtl.contract.rows import Role

#: The manifest's path among the files of a design.
MANIFEST = "manifest.json"


def manifest(
    build: Build,
    registers: Mapping[str, Register],
    ports: Ports,
    files: Mapping[str, str | bytes],
) -> dict:
    """Returns plain data that describes the files of a design.

    Parameters
    ----------
    build : gen.design.build.Build
    registers : dict of str to Register
    ports : Ports
    files : dict of str to str or bytes
        All other files of the design.
    """
    design, board = build.design, build.board
    prediction, extra_cycles = design.prediction, latency_around_core(design)
    return {
        "name": build.name,
        "top": ports.top,
        "configuration": design.configuration(),
        "configuration_hash": f"{design.configuration_hash:#010x}",
        "board": None if board is None else _board(build),
        "tools": tools(),
        "clock": ports.clock,
        "reset": {"port": ports.reset, "active": "low", "synchronous": True},
        "ports": [
            {"name": name, "direction": direction, "width": width}
            for name, direction, width in ports.ports
        ],
        "streams": {bus.name: _stream(design, bus) for bus in design.streams},
        "rows": _rows(design.rows, design.face),
        **({"network": _network(build)} if design.face.network else {}),
        "memories": {bus.name: _memory(bus) for bus in design.memories},
        "registers": {r.name: f"{r.address:#05x}" for r in registers.values()},
        "functions": list(design.settings.functions),
        "settings": design.settings.values,
        "host_sets": list(design.settings.set_by_host),
        "host": host_view(design),
        "latencies": [latency.describe(extra_cycles) for latency in prediction.latencies],
        "tuples_per_cycle": prediction.tuples_per_cycle,
        "memory_bits": prediction.memory_bits,
        "files": {path: _sha256(contents) for path, contents in sorted(files.items())},
    }


def sealed(described: dict) -> str:
    """Returns the text of a manifest with a field ``sha256``: the hash of the text without it."""
    digest = _sha256(_text(described))
    return _text(described | {"sha256": digest})


def own_files(path: Path) -> dict[str, str]:
    """Returns the SHA-256 of the files that a manifest lists, and of the manifest, by path.

    The result is empty if there is no manifest at ``path`` or if it was changed: then no file is
    known to belong to a design.
    """
    if path.is_symlink() or not path.is_file():
        return {}
    data = path.read_bytes()
    try:
        described = json.loads(data)
        digest = described.pop("sha256")
        files = dict(described["files"])
    except (ValueError, KeyError, TypeError, AttributeError):
        return {}
    if digest != _sha256(_text(described)) or not all(map(_is_below, files)):
        return {}
    return files | {path.name: _sha256(data)}


def _is_below(path):
    """True if a path leads only downwards."""
    parts = PurePosixPath(path).parts
    return bool(parts) and ".." not in parts and not PurePosixPath(path).is_absolute()


def _text(described):
    return json.dumps(described, indent=2) + "\n"


def tools() -> dict[str, str]:
    """Returns the versions of all tools on which the bytes of a design depend."""
    return {
        "sluice": package_version("sluice"),
        "amaranth": package_version("amaranth"),
        "yosys": yosys_version(),
        "systemrdl-compiler": package_version("systemrdl-compiler"),
        "peakrdl-cheader": package_version("peakrdl-cheader"),
        "peakrdl-ipxact": package_version("peakrdl-ipxact"),
    }


def _board(build):
    """Returns the board, and the board's bus options: empty if the design refuses the options."""
    board, face = build.board, build.board.face_for(build.design.rows).values()
    bus = {} if build.refused else face
    return {"name": board.name, "part": board.part, "clock_mhz": board.clock_mhz, "bus": bus}


def _stream(design, bus):
    """Returns the layout of a stream.

    Lane i begins at bit ``i * lane_bits``, and offsets of fields are within the lane. ``bus_bits``
    is the width of ``tdata`` if lanes follow each other without regard to transfers. ``byte_order``
    of a field is the order of its bytes.
    """
    kind, packing = "tuple" if bus.slave else "row", bus.packing.describe()
    for field, column in zip(packing["fields"], stream_columns(design, bus), strict=True):
        field["byte_order"] = column.byte_order
    return {
        "lanes": bus.lanes,
        "user": bus.user,
        "lane_bits": 8 * bus.packing.bytes,
        kind: packing,
    } | ({} if bus.bits is None else {"bus_bits": bus.bits})


def _network(build):
    """Returns the description of a network face.

    ``s_axis`` and ``m_axis`` are inside the design then. Their bytes are in datagrams of at most
    ``datagram_bytes``. Each setting has a register for each of its words. ``link`` has the
    addresses that the board writes at power-up; without a board they are examples. With a link to a
    host ``status`` names the registers of its values. ``serial`` has the baud rate of a board whose
    link is a serial line.
    """
    design = build.design
    rx, tx = (bus.name for bus in FRAMES)
    settings = [
        {
            "name": setting.name,
            "doc": setting.doc,
            "registers": list(register_names(setting)),
            "least": setting.limits[0],
            "most": setting.limits[1],
        }
        for setting in (*network_settings(design), *link_settings(design))
    ]
    counters = [counter.name for counter in network_counters(design)]
    sides = {"rx": rx, "tx": tx, "datagram_bytes": DATAGRAM}
    addresses = {"link": (DEFAULT_LINK if build.link is None else build.link).values()}
    serial = getattr(build.board, "serial", None)
    if build.link is not None and serial is not None:
        addresses["serial"] = {"baud": serial.baud}
    host = {"host_link": True, "status": list(link_status(design))} if design.face.host_link else {}
    return sides | {"settings": settings, "counters": counters} | addresses | host


def _rows(rows, face=PLAIN):
    """Returns the roles of a row's fields and the packets of rows.

    ``of`` of a valid bit names the field to which the bit belongs; null stands for every value of
    the row.
    """
    fields = [
        {"name": f.name, "role": str(f.role)} | ({"of": f.of} if f.role is Role.VALID else {})
        for f in rows.fields
    ]
    packet = "stream" if face.joins(rows) else str(rows.packet)
    packet = face.packets if face.beats else packet
    marked = {"end_marker": True} if face.marks(rows) else {}
    return {"packet": packet} | marked | {"order": str(rows.order), "fields": fields}


def _memory(bus):
    names = ("data_width", "address_width", "id_width", "sram")
    return {name: getattr(bus, name) for name in names}


def _sha256(contents):
    data = contents.encode() if isinstance(contents, str) else contents
    return hashlib.sha256(data).hexdigest()

"""What a generated design is, for programs: its configuration, ports, layouts and checksums."""

import hashlib
import json
from importlib.metadata import version as package_version
from pathlib import PurePosixPath

from gen.design.columns import stream_columns
from gen.host.table_view import host_view
from gen.verilog.yosys import version as yosys_version
from rtl.bus.registers import register_names
from rtl.bus.top import latency_around_core
from rtl.contract.design import FRAMES
from rtl.contract.face import DATAGRAM, PLAIN
from rtl.contract.rows import Role
from rtl.ethernet.face import NetworkFace
from rtl.ethernet.settings import SETTINGS

#: The manifest's path among the files of a design.
MANIFEST = "manifest.json"


def manifest(build, registers, ports, files):
    """Plain data that describes the files of a design.

    Parameters
    ----------
    build : gen.design.build.Build
    registers : dict of str to Register
    ports : Ports
    files : dict of str to str or bytes
        Everything that is written beside the manifest.
    """
    design, board = build.design, build.board
    prediction, more = design.prediction, latency_around_core(design)
    return {
        "name": build.name,
        "top": ports.top,
        "configuration": design.configuration(),
        "configuration_hash": f"{design.configuration_hash:#010x}",
        "board": None if board is None else _board(board, design),
        "tools": tools(),
        "clock": ports.clock,
        "reset": {"port": ports.reset, "active": "low", "synchronous": True},
        "ports": [
            {"name": name, "direction": direction, "width": width}
            for name, direction, width in ports.ports
        ],
        "streams": {bus.name: _stream(design, bus) for bus in design.streams},
        "rows": _rows(design.rows, design.face),
        **({"network": _network()} if design.face.network else {}),
        "memories": {bus.name: _memory(bus) for bus in design.memories},
        "registers": {r.name: f"{r.address:#05x}" for r in registers.values()},
        "functions": list(design.settings.functions),
        "settings": design.settings.values,
        "host_sets": list(design.settings.set_by_host),
        "host": host_view(design),
        "latencies": [latency.describe(more) for latency in prediction.latencies],
        "tuples_per_cycle": prediction.tuples_per_cycle,
        "memory_bits": prediction.memory_bits,
        "files": {path: _sha256(contents) for path, contents in sorted(files.items())},
    }


def sealed(described):
    """Text of a manifest, with the SHA-256 of the text without it as ``sha256``."""
    digest = _sha256(_text(described))
    return _text(described | {"sha256": digest})


def own_files(path):
    """The files that a manifest lists, and itself: SHA-256 of each by its path.

    Empty when there is none at ``path``, a pathlib.Path, or it is not as it was written: then
    nothing is known to be a design's.
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
    """Whether a path leads nowhere but down."""
    parts = PurePosixPath(path).parts
    return bool(parts) and ".." not in parts and not PurePosixPath(path).is_absolute()


def _text(described):
    return json.dumps(described, indent=2) + "\n"


def tools():
    """Versions of everything that the bytes of a design depend on."""
    return {
        "sluice": package_version("sluice"),
        "amaranth": package_version("amaranth"),
        "yosys": yosys_version(),
        "systemrdl-compiler": package_version("systemrdl-compiler"),
        "peakrdl-cheader": package_version("peakrdl-cheader"),
        "peakrdl-ipxact": package_version("peakrdl-ipxact"),
    }


def _board(board, design):
    """The board, and the options of the bus that it brings along for this design."""
    face = board.face_for(design.rows).values()
    return {"name": board.name, "part": board.part, "clock_mhz": board.clock_mhz, "bus": face}


def _stream(design, bus):
    """Lane i begins at bit ``i * lane_bits``; offsets of fields are within their lane.

    With ``bus_bits`` that is the width of ``tdata``, and lanes follow each other without regard to
    where transfers begin. ``byte_order`` of a field says in which order its bytes are.
    """
    what, packing = "tuple" if bus.slave else "row", bus.packing.describe()
    for field, column in zip(packing["fields"], stream_columns(design, bus), strict=True):
        field["byte_order"] = column.byte_order
    return {
        "lanes": bus.lanes,
        "user": bus.user,
        "lane_bits": 8 * bus.packing.bytes,
        what: packing,
    } | ({} if bus.bits is None else {"bus_bits": bus.bits})


def _network():
    """The face of a MAC. ``s_axis`` and ``m_axis`` are inside then, and what they have is in
    datagrams of so many bytes at most; each setting is in the registers of its words."""
    rx, tx = (bus.name for bus in FRAMES)
    settings = [
        {
            "name": setting.name,
            "doc": setting.doc,
            "registers": list(register_names(setting)),
            "least": setting.limits[0],
            "most": setting.limits[1],
        }
        for setting in SETTINGS
    ]
    counters = [counter.name for counter in NetworkFace.counters]
    sides = {"rx": rx, "tx": tx, "datagram_bytes": DATAGRAM}
    return sides | {"settings": settings, "counters": counters}


def _rows(rows, face=PLAIN):
    """What the fields of a row say, and what a packet of rows is; ``of`` null is the whole row."""
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

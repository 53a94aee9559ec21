"""What a generated design is, for programs: its configuration, ports, layouts and checksums."""

import hashlib
from importlib.metadata import version as package_version

from amaranth.hdl import Value
from amaranth.lib.wiring import In

from boards.board import Ports
from gen.host import host_sets
from gen.yosys import version as yosys_version

TOP_LATENCY = 2  # the skid buffers around the core


def ports_of(top, name):
    """The flat ports of a component, in the order of its members."""
    ports = []
    for path, member, value in top.signature.flatten(top):
        direction = "input" if member.flow is In else "output"
        ports.append(("_".join(map(str, path)), direction, len(Value.cast(value))))
    return Ports(top=name, ports=tuple(ports))


def manifest(point, top, ports, files):
    """Plain data that describes the files of a design.

    Parameters
    ----------
    point : gen.point.Point
    top : rtl.bus.top.AxiTop
    ports : Ports
    files : dict of str to str or bytes
        Everything that is written beside the manifest.
    """
    parameters, board = point.parameters, point.board
    return {
        "name": point.name,
        "top": ports.top,
        "configuration": parameters.configuration(),
        "configuration_hash": f"{parameters.configuration_hash:#010x}",
        "board": None if board is None else _board(board),
        "tools": tools(),
        "clock": "aclk",
        "reset": {"port": "aresetn", "active": "low", "synchronous": True},
        "ports": [
            {"name": name, "direction": direction, "width": width}
            for name, direction, width in ports.ports
        ],
        "streams": {
            "s_axis": _stream(top.input_packing, parameters.lanes, "tuple"),
            "m_axis": _stream(top.row_packing, parameters.lanes, "row"),
        },
        "registers": {r.name: f"{r.address:#04x}" for r in top.registers.values()},
        "functions": list(top.functions),
        "settings": parameters.run_time_values,
        "host_sets": host_sets(parameters),
        "latency_cycles": parameters.latency + TOP_LATENCY,
        "tuples_per_cycle": parameters.predicted_tuples_per_cycle,
        "memory_bits": parameters.memory_bits,
        "files": {path: _sha256(contents) for path, contents in sorted(files.items())},
    }


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


def _board(board):
    return {"name": board.name, "part": board.part, "clock_mhz": board.clock_mhz}


def _stream(packing, lanes, what):
    """Lane i begins at bit ``i * 8 * bytes``; offsets of fields are within their lane."""
    described = packing.describe()
    return {"lanes": lanes, "lane_bits": 8 * packing.bytes, what: described}


def _sha256(contents):
    data = contents.encode() if isinstance(contents, str) else contents
    return hashlib.sha256(data).hexdigest()

"""Makes the files of one unit: Verilog with flat ports, and a manifest."""

import hashlib

from gen.directory.manifest import MANIFEST, sealed, tools
from gen.units.flat_ports import FlatPorts, Port
from gen.units.registry import unit
from gen.verilog.shipped_verilog import convert


def unit_files(name: str, options: dict[str, int | str]) -> tuple[dict, dict[str, str]]:
    """Returns the manifest of a unit as plain data, and its files by path.

    Raises UserError for an unknown name or option, and for a value that the unit refuses.
    """
    settings, component = unit(name, options)
    block = FlatPorts(component)
    top = name.replace("-", "_")
    verilog = convert(block, top)
    described = {
        "unit": name,
        "top": top,
        "parameters": settings,
        "tools": {tool: tools()[tool] for tool in ("sluice", "amaranth", "yosys")},
        "clock": "clk",
        "reset": {"port": "rst", "active": "high", "synchronous": True},
        "ports": [_port(port) for port in block.ports],
        "files": {f"{top}.v": hashlib.sha256(verilog.encode()).hexdigest()},
    }
    return described, {f"{top}.v": verilog, MANIFEST: sealed(described)}


def _port(port: Port) -> dict:
    stream = {} if port.stream is None else {"stream": port.stream, "field": port.field}
    direction = "input" if port.is_input else "output"
    described = {"name": port.name, "direction": direction, "width": port.width}
    return described | {"signed": port.is_signed} | stream

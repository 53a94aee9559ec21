"""Completes the IP-XACT of the register map with buses, ports and sources of the component.

PeakRDL writes only the memory map. Bus definitions come from Arm's AMBA 4. Avalon has no public bus
definitions, so an Avalon bus appears only as ports.
"""

import xml.etree.ElementTree as ElementTree

from boards.ports import Ports
from rtl.bus.registers import ADDRESS_WIDTH

NAMESPACE = "http://www.accellera.org/XMLSchema/IPXACT/1685-2014"
_SCHEMA = "http://www.w3.org/2001/XMLSchema-instance"
#: Library AMBA4 of amba.com: name and version of each bus.
_STREAM, _LITE, _FULL = ("AXI4Stream", "r0p0_1"), ("AXI4-Lite", "r0p0_0"), ("AXI4", "r0p0_0")
_LICENSE = "<!-- SPDX-License-Identifier: BSD-2-Clause -->"


def whole_component(text: str, ports: Ports) -> str:
    """Returns PeakRDL's text, completed with bus interfaces, address spaces, ports and the source.

    The elements are those of IEEE 1685-2014. The register map is completed, too: it covers all
    4 KiB of its bus, and a register whose fields agree has their access. Example: an engine with
    the buses ``s_axis``, ``m_axis`` and ``s_axil`` has three bus interfaces, and only ``s_axil``
    refers to the map.

    Parameters
    ----------
    text : str
        PeakRDL's text of a component with one memory map of one address block.
    ports : Ports
    """
    ElementTree.register_namespace("ipxact", NAMESPACE)
    ElementTree.register_namespace("xsi", _SCHEMA)
    root = ElementTree.fromstring(text)
    maps = root.find(_tag("memoryMaps"))
    assert maps is not None, "PeakRDL writes a memory map"
    _finish_map(maps)
    map_name = maps.findtext(f"{_tag('memoryMap')}/{_tag('name')}")
    place = list(root).index(maps)
    clocking = (("ACLK", ports.clock), ("ARESETn", ports.reset))
    described = [bus for bus in ports.buses if bus.kind in ("axis", "aximm")]
    buses = [_bus(bus, map_name, clocking) for bus in described]
    spaces = [_space(bus, ports) for bus in ports.buses if _is_memory(bus)]
    elements = [_element("busInterfaces", *buses)] if buses else []
    elements += [_element("addressSpaces", *spaces)] if spaces else []
    root[place:place] = elements
    root.extend([_model(ports), _sources(ports)])
    ElementTree.indent(root)
    body = ElementTree.tostring(root, encoding="unicode")
    return f'<?xml version="1.0" encoding="UTF-8"?>\n{_LICENSE}\n{body}\n'


def _tag(name):
    return f"{{{NAMESPACE}}}{name}"


def _element(name, /, *parts, **attributes):
    """Returns an XML element; ``parts`` are the child elements, or a text."""
    element = ElementTree.Element(_tag(name), attributes)
    for part in parts:
        if isinstance(part, str):
            element.text = part
        else:
            element.append(part)
    return element


def _finish_map(maps):
    """Sets the range of the address block, and gives registers the access of their fields.

    The range becomes that of all addresses of the register bus. A register gets the access on
    which its fields agree: a register whose fields are all read-only is read-only. A register with
    fields of two kinds gets none.
    """
    for block in maps.iter(_tag("addressBlock")):
        block.find(_tag("range")).text = f"'h{1 << ADDRESS_WIDTH:x}"
    for register in maps.iter(_tag("register")):
        access = {a.text for a in register.iterfind(f"{_tag('field')}/{_tag('access')}")}
        if len(access) == 1:
            position = list(register).index(register.find(_tag("size"))) + 1
            register.insert(position, _element("access", *access))


def _is_memory(bus):
    return bus.kind == "aximm" and bus.mode == "master"


def _bus(bus, map_name, clocking):
    """Returns the interface of a bus; its ports include clock and reset, which all buses share."""
    name, version = _STREAM if bus.kind == "axis" else _FULL if "awlen" in bus.members else _LITE
    kind = {"vendor": "amba.com", "library": "AMBA4", "version": version}
    pins = [(role.upper(), port) for role, port in zip(bus.members, bus.ports, strict=True)]
    mapped = [
        _element(
            "portMap",
            _element("logicalPort", _element("name", logical)),
            _element("physicalPort", _element("name", physical)),
        )
        for logical, physical in (*clocking, *pins)
    ]
    abstraction = _element(
        "abstractionType",
        _element("abstractionRef", name=f"{name}_rtl", **kind),
        _element("portMaps", *mapped),
    )
    refers = []
    if bus.kind == "aximm" and bus.mode == "slave":
        refers = [_element("memoryMapRef", memoryMapRef=map_name)]
    if _is_memory(bus):
        refers = [_element("addressSpaceRef", addressSpaceRef=bus.name)]
    return _element(
        "busInterface",
        _element("name", bus.name),
        _element("busType", name=name, **kind),
        _element("abstractionTypes", abstraction),
        _element(bus.mode, *refers),  # <ipxact:slave> or <ipxact:master>
    )


def _space(bus, ports):
    """Returns the address space of a memory master."""
    widths = {role: width for role, _, width in ports.bus_ports(bus)}
    return _element(
        "addressSpace",
        _element("name", bus.name),
        _element("range", f"'h{1 << widths['araddr']:x}"),
        _element("width", str(widths["rdata"])),
    )


def _model(ports):
    """Returns the model: the view of the Verilog, and the list of all ports."""
    view = _element(
        "view",
        _element("name", "rtl"),
        _element("envIdentifier", "verilog::"),
        _element("componentInstantiationRef", "rtl"),
    )
    instantiation = _element(
        "componentInstantiation",
        _element("name", "rtl"),
        _element("language", "verilog"),
        _element("moduleName", ports.top),
        _element("fileSetRef", _element("localName", "rtl")),
    )
    return _element(
        "model",
        _element("views", view),
        _element("instantiations", instantiation),
        _element("ports", *(_port(*port) for port in ports.ports)),
    )


def _port(name, direction, width):
    """Returns a port; ``direction`` is "input" or "output", which IP-XACT calls "in" and "out"."""
    wire = _element("wire", _element("direction", {"input": "in", "output": "out"}[direction]))
    if width > 1:
        size = _element("left", str(width - 1)), _element("right", "0")
        wire.append(_element("vectors", _element("vector", *size)))
    return _element("port", _element("name", name), wire)


def _sources(ports):
    """Returns the set of source files: the Verilog, which lies in the folder above the IP-XACT."""
    source = _element(
        "file", _element("name", f"../{ports.top}.v"), _element("fileType", "verilogSource")
    )
    return _element("fileSets", _element("fileSet", _element("name", "rtl"), source))

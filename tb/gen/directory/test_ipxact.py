"""Checks that the IP-XACT component is complete, with elements in the order of the standard."""

import xml.etree.ElementTree as ElementTree

import pytest

from boards.ports import Ports
from gen.directory.regmap import exports
from rtl.bus.ports import buses_of
from rtl.bus.top_registers import registers_of
from rtl.contract.face import Face
from tb.rtl.bus.many_buses import many_buses
from tb.rtl.engine.points import DESIGNS

NAMES = {"x": "http://www.accellera.org/XMLSchema/IPXACT/1685-2014"}
STREAM = ["tvalid", "tready", "tdata", "tkeep", "tlast"]
LITE = """
    awaddr awprot awvalid awready wdata wstrb wvalid wready bresp bvalid bready
    araddr arprot arvalid arready rdata rresp rvalid rready"""


@pytest.fixture(scope="module")
def root():
    design = many_buses()
    ports = Ports(top="sluice_many", buses=buses_of(design))
    return ElementTree.fromstring(exports(registers_of(design).values(), ports)["sluice_many.xml"])


def text(element, path):
    return element.findtext(path, namespaces=NAMES)


def all_of(element, path):
    return element.findall(path, NAMES)


def test_identity_and_order(root):
    assert [child.tag.partition("}")[2] for child in root] == [
        *("vendor", "library", "name", "version", "busInterfaces", "addressSpaces"),
        *("memoryMaps", "model", "fileSets"),
    ]
    assert [text(root, f"x:{part}") for part in ("vendor", "library", "name", "version")] == [
        *("sluice", "engine", "sluice_many", "1.0")
    ]


def test_interfaces(root):
    """Each bus names its AMBA standard and whether it is a master; each pin has an AXI name."""
    result = {text(bus, "x:name"): bus for bus in all_of(root, "x:busInterfaces/x:busInterface")}
    assert list(result) == [
        *("s_axis", "m_axis", "s_axis_updates", "m_axis_evicted", "s_axil", "m_axi")
    ]
    for name, bus in result.items():
        assert [child.tag.partition("}")[2] for child in bus] == [
            *("name", "busType", "abstractionTypes", "slave" if name[0] == "s" else "master")
        ]
        kind = "AXI4Stream" if "axis" in name else "AXI4-Lite" if name == "s_axil" else "AXI4"
        version = "r0p0_1" if kind == "AXI4Stream" else "r0p0_0"
        amba = {"vendor": "amba.com", "library": "AMBA4", "version": version}
        assert bus.find("x:busType", NAMES).attrib == amba | {"name": kind}
        abstraction = bus.find(".//x:abstractionRef", NAMES)
        assert abstraction.attrib == amba | {"name": f"{kind}_rtl"}
    for name, roles in (
        ("s_axis", STREAM),
        ("m_axis", STREAM),
        ("s_axis_updates", [*STREAM, "tuser"]),
        ("s_axil", LITE.split()),
    ):
        expected = {"ACLK": "aclk", "ARESETn": "aresetn"}
        expected |= {role.upper(): f"{name}_{role}" for role in roles}
        assert pins(result[name]) == expected
    assert pins(result["m_axi"])["ARLEN"] == "m_axi_arlen"


def pins(bus):
    mapped = all_of(bus, ".//x:portMap")
    logical = [text(pin, "x:logicalPort/x:name") for pin in mapped]
    return dict(zip(logical, (text(pin, "x:physicalPort/x:name") for pin in mapped), strict=True))


def test_memory_map_and_address_space(root):
    """The registers are behind s_axil, 4 KiB of them; m_axi has 20 bits of address."""
    (memory_map,) = all_of(root, "x:memoryMaps/x:memoryMap")
    refers = all_of(root, ".//x:memoryMapRef")
    assert [ref.get("memoryMapRef") for ref in refers] == [text(memory_map, "x:name")]
    assert (
        root.find(".//x:busInterface[x:name='s_axil']/x:slave/x:memoryMapRef", NAMES) is refers[0]
    )
    assert text(memory_map, "x:addressBlock/x:range") == "'h1000"
    (space,) = all_of(root, "x:addressSpaces/x:addressSpace")
    reported = [text(space, f"x:{part}") for part in ("name", "range", "width")]
    assert reported == ["m_axi", "'h100000", "64"]
    (ref,) = all_of(root, ".//x:addressSpaceRef")
    assert ref.get("addressSpaceRef") == "m_axi"


def test_ports_and_source(root):
    ports = {text(port, "x:name"): port for port in all_of(root, "x:model/x:ports/x:port")}
    assert list(ports)[:4] == ["aclk", "aresetn", "s_axis_tvalid", "s_axis_tready"]
    for name, direction, remaining in (
        ("aclk", "in", None),
        ("s_axis_updates_tdata", "in", "31"),  # two lanes, of a byte and of 5 bits in one
        ("m_axis_tready", "in", None),
        ("s_axil_rdata", "out", "31"),
        ("m_axi_araddr", "out", "19"),
    ):
        wire = ports[name].find("x:wire", NAMES)
        assert text(wire, "x:direction") == direction
        assert text(wire, ".//x:left") == remaining
        assert text(wire, ".//x:right") == (None if remaining is None else "0")
    mapped = {pin for bus in all_of(root, ".//x:busInterface") for pin in pins(bus).values()}
    assert mapped == set(ports)
    (source,) = all_of(root, "x:fileSets/x:fileSet/x:file")
    assert text(source, "x:name") == "../sluice_many.v"
    assert text(source, "x:fileType") == "verilogSource"
    assert text(root, ".//x:moduleName") == "sluice_many"
    refers = {
        text(root, ".//x:componentInstantiationRef"),
        text(root, ".//x:fileSetRef/x:localName"),
    }
    assert refers == {"rtl"}


def test_avalon_has_no_definition_and_all_ports():
    """An engine with a memory master has only this master as a bus; clock and reset keep their
    names.
    """
    design = DESIGNS["streamzip"].with_face(Face(bus="avalon", bus_bits=64))
    ports = Ports.of_design("sluice_x", design)
    text_ = exports(registers_of(design).values(), ports)["sluice_x.xml"]
    root = ElementTree.fromstring(text_)
    named = [text(bus, "x:name") for bus in all_of(root, "x:busInterfaces/x:busInterface")]
    assert named == [bus.name for bus in ports.buses if bus.name.startswith("m_axi")]
    clocks = [
        text(pin, "x:physicalPort/x:name")
        for pin in all_of(root, ".//x:portMap")
        if text(pin, "x:logicalPort/x:name") in ("ACLK", "ARESETn")
    ]
    assert set(clocks) == {"clk", "reset_n"}
    wired = [text(port, "x:name") for port in all_of(root, "x:model/x:ports/x:port")]
    assert wired == [name for name, *_ in ports.ports]

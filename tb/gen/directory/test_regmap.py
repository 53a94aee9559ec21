"""Checks that PeakRDL reads the register map of rtl.bus.registers."""

import re
import xml.etree.ElementTree as ElementTree

import pytest
from systemrdl import RDLCompiler

from boards.ports import Ports
from gen.directory.regmap import exports, system_rdl
from rtl.bus.register import Access
from rtl.bus.registers import capabilities, register_map
from rtl.contract.counters import BAD_SETTING, LATE, NAN, Flag
from rtl.contract.settings import HostSetting, HostSettings


@pytest.fixture(scope="module")
def registers():
    numbers = (
        HostSetting(name="size", width=15, doc='"ws"'),
        HostSetting(name="p0", width=17, doc="p"),
        HostSetting(name="start", width=41, signed=True, doc="where windows begin"),
    )
    return register_map(
        configuration=0x12345678,
        capabilities=capabilities(lanes=4, functions=2, selection=True, settings=4),
        settings=HostSettings(numbers=numbers, functions=('min("x")', "max(x)")),
        counters=(LATE, NAN),
        flags=(Flag(name="bad_function", doc="none such"), BAD_SETTING),
    )


def test_systemrdl_holds_the_map(registers, tmp_path):
    (tmp_path / "map.rdl").write_text(system_rdl(registers.values(), "engine"))
    compiler = RDLCompiler()
    compiler.compile_file(str(tmp_path / "map.rdl"))
    nodes = {node.inst_name: node for node in compiler.elaborate().top.registers()}
    assert {name: node.absolute_address for name, node in nodes.items()} == {
        register.name: register.address for register in registers.values()
    }
    for register in registers.values():
        fields = [(f.name, f.low, f.width) for f in register.fields] or [("value", 0, 32)]
        node = nodes[register.name]
        assert [(f.inst_name, f.low, f.width) for f in node.fields()] == fields
        assert all(f.is_sw_writable == ("w" in register.access) for f in node.fields())
        if register.value is not None:
            reset = sum(f.get_property("reset") << f.low for f in node.fields())
            assert reset == register.value
        assert node.get_property("desc") == register.doc


def test_exports(registers):
    files = exports(registers.values(), Ports(top="engine", buses=()))
    assert sorted(files) == ["engine.h", "engine.rdl", "engine.xml"]
    assert "#define ENGINE__MAGIC__VALUE_reset 0x534c4345" in files["engine.h"]
    assert "#define ENGINE__SIZE__SIZE_bw 15" in files["engine.h"]
    assert "#define ENGINE__STATUS__BAD_SETTING_bp 1" in files["engine.h"]
    assert "#define ENGINE__CONTROL__SNAPSHOT_bp 1" in files["engine.h"]
    assert re.search(r"\} engine_t;", files["engine.h"])
    names = {e.text for e in ElementTree.fromstring(files["engine.xml"]).iter() if "name" in e.tag}
    assert set(registers) <= names


def test_access_is_the_same_everywhere(registers):
    """Commands are write-only. Settings of the host, and the function, can be read back."""
    assert {name for name, register in registers.items() if register.access is Access.WRITE} == {
        "control"
    }
    writable = {"function", "size", "p0", "start_low", "start_high"}
    assert {n for n, r in registers.items() if r.access is Access.READ_WRITE} == writable
    files = exports(registers.values(), Ports(top="engine", buses=()))
    root = ElementTree.fromstring(files["engine.xml"])
    name = {"ipxact": "http://www.accellera.org/XMLSchema/IPXACT/1685-2014"}
    for register in root.iterfind(".//ipxact:register", name):
        register_name = register.findtext("ipxact:name", namespaces=name)
        access = "read-write" if register_name in writable else "read-only"
        access = "write-only" if register_name == "control" else access
        result = [a.text for a in register.iterfind(".//ipxact:access", name)]
        assert set(result) == {access}
        assert len(result) == 1 + len(register.findall("ipxact:field", name))
    blocks = re.findall(r"reg \{(.*?)\} (\w+) @", files["engine.rdl"], re.DOTALL)
    for body, register_name in blocks:
        access = "rw" if register_name in writable else "w" if register_name == "control" else "r"
        assert set(re.findall(r"\bsw = (\w+);", body)) == {access}

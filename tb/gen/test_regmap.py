"""gen.regmap: the register map that PeakRDL reads is the one of rtl.bus.registers."""

import re
import xml.etree.ElementTree as ElementTree

import pytest
from systemrdl import RDLCompiler

from gen.regmap import exports, system_rdl
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
    made = exports(registers.values(), "engine")
    assert sorted(made) == ["engine.h", "engine.rdl", "engine.xml"]
    assert "#define ENGINE__MAGIC__VALUE_reset 0x534c4345" in made["engine.h"]
    assert "#define ENGINE__SIZE__SIZE_bw 15" in made["engine.h"]
    assert "#define ENGINE__STATUS__BAD_SETTING_bp 1" in made["engine.h"]
    assert "#define ENGINE__CONTROL__SNAPSHOT_bp 1" in made["engine.h"]
    assert re.search(r"\} engine_t;", made["engine.h"])
    names = {e.text for e in ElementTree.fromstring(made["engine.xml"]).iter() if "name" in e.tag}
    assert set(registers) <= names

"""The Vivado project of a whole system, run in Tcl against a stub that writes all commands down."""

import subprocess
from dataclasses import replace
from itertools import pairwise

import pytest

from boards import BOARDS
from boards.board import Ports
from boards.vivado import vivado_kernel
from boards.vivado_system import vivado_system
from gen.build import resolve
from rtl.bus.ports import buses_of
from rtl.contract.face import Face
from tb.boards.tcl import interpreter, words
from tb.rtl.bus.many_buses import many_buses
from tb.rtl.engine.points import DESIGNS

EXAMPLE = resolve("examples/rows_per_key.toml")
ULTRA96 = BOARDS["ultra96-v2"]
PART = "*ltra96v2:part0:*"


def ports_of(design):
    """Its ports, with streams as wide as a DMA's can be."""
    buses = []
    for bus in buses_of(design):
        if bus.kind == "axis":
            widths = {"tdata": 64, "tkeep": 8}
            members = {
                role: type(m)(m.flow, widths.get(role, m.shape)) for role, m in bus.members.items()
            }
            bus = replace(bus, members=members)
        buses.append(bus)
    return Ports(top="sluice_x", buses=tuple(buses))


@pytest.fixture
def commands(tmp_path):
    """What a design's project does, each command as a list of words."""

    def made(ports, make=lambda ports: vivado_system(ULTRA96, ports, PART)):
        ((path, text),) = make(ports).items()
        script = tmp_path / path
        script.parent.mkdir(parents=True, exist_ok=True)
        script.write_text(text)
        stub = "tb/boards/vivado_stub.tcl"
        done = subprocess.run(
            [*interpreter(), stub, script, tmp_path / "record"], capture_output=True, text=True
        )
        assert (done.returncode, done.stderr) == (0, "")
        lines = (tmp_path / "record").read_text().splitlines()
        return [words(line) for line in lines]

    return made


def of(commands, name):
    return [command[1:] for command in commands if command[0] == name]


def test_project(commands, tmp_path):
    done = commands(ports_of(DESIGNS["streamzip"]))
    (project,) = of(done, "create_project")
    assert project[project.index("-part") + 1] == "xczu3eg-sbva484-1-i"
    assert ["board_part", "avnet.com:ultra96v2:part0:1.2", ""] in of(done, "set_property")
    assert of(done, "add_files") == [[str(tmp_path / "sluice_x.v")]]
    cells = {given[-1]: given for given in of(done, "create_bd_cell")}
    assert cells["engine"] == ["-type", "module", "-reference", "sluice_x", "engine"]
    (settings,) = (g for g in of(done, "set_property") if "PSU__FPGA_PL0_ENABLE" in str(g))
    assert "CONFIG.PSU__CRL_APB__PL0_REF_CTRL__FREQMHZ 200" in " ".join(settings)
    copied = [given[-1] for given in of(done, "file")]
    assert copied == [str(tmp_path / f"sluice_x.{kind}") for kind in ("bit", "hwh")]
    names = [name for name, *_ in done]
    assert names.index("validate_bd_design") < names.index("launch_runs")


@pytest.mark.parametrize("name", ["group-by", "pane", "streamzip", "streamzip, constants", "many"])
def test_every_port_is_connected_once(commands, name):
    """Every AXI interface of the engine to one other pin, every clock and reset, and no DMA more
    than there are streams; memory masters to the processing system's memory ports in turn."""
    design = many_buses() if name == "many" else DESIGNS[name]
    ports = ports_of(design)
    done = commands(ports)
    joined = of(done, "connect_bd_intf_net")
    ends = [end for pair in joined for end in pair]
    assert len(set(ends)) == len(ends)
    assert {e for e in ends if e.startswith("engine/")} == {f"engine/{b.name}" for b in ports.buses}
    cells = {given[-1] for given in of(done, "create_bd_cell")}
    assert {end.partition("/")[0] for end in ends} <= cells
    nets = of(done, "connect_bd_net")
    clocked = {pin for source, pin in nets if source == "ps/pl_clk0"}
    reset = {pin for source, pin in nets if source == "reset/peripheral_aresetn"}
    assert "engine/aclk" in clocked
    assert "engine/aresetn" in reset
    switches = {cell for cell in cells if cell.startswith(("control", "data"))}
    assert {f"{cell}/aclk" for cell in switches} <= clocked
    assert {f"{cell}/aresetn" for cell in switches} <= reset
    used = {end for end in ends if end.startswith("ps/S_AXI_HP")}
    assert {f"ps/saxihp{end[len('ps/S_AXI_HP')]}_fpd_aclk" for end in used} <= clocked
    (settings,) = (g for g in of(done, "set_property") if "PSU__USE__M_AXI_GP0" in str(g))
    told = dict(zip(*[iter(settings[1].split())] * 2, strict=True))
    for k in range(4):
        enabled = f"ps/S_AXI_HP{k}_FPD" in used
        assert told[f"CONFIG.PSU__USE__S_AXI_GP{2 + k}"] == str(int(enabled))
    memories = [b.name for b in ports.buses if b.kind == "aximm" and b.mode == "master"]
    assert len(used) == max(1, min(4, len(memories)))


def test_address_map(commands):
    """Engine first, 4 KiB; DMAs behind it; none overlaps another, all within the port's window."""
    done = commands(ports_of(DESIGNS["streamzip"]))
    places = []
    for given in of(done, "assign_bd_address"):
        if given:
            base, size = int(given[1], 16), {"4K": 4096, "64K": 65536}[given[3]]
            places.append((base, size))
    assert places[0] == (0xA000_0000, 4096)
    assert len(places) == 3  # the engine, the DMA of s_axis and m_axis, that of m_axis_evicted
    for (base, size), (behind, _) in pairwise(places):
        assert base + size <= behind
        assert base % size == 0
    assert all(0xA000_0000 <= base < 0xB000_0000 for base, _ in places)


def test_no_project_where_no_dma_fits():
    """A row of 17 bytes has no DMA."""
    ports = Ports(top="x", buses=buses_of(EXAMPLE.design))
    assert {bus.members["tdata"].shape for bus in ports.buses if bus.kind == "axis"} > {8 * 17}
    assert vivado_system(ULTRA96, ports, PART) == {}


def test_kernel(commands, tmp_path):
    """Its interfaces are clocked, its registers are 4 KiB behind S_AXI_CONTROL, and it is managed
    by them; the top that is packed is the one that ships."""
    design = DESIGNS["group-by"].faced(Face(bus="vitis", bus_bits=128))
    ports = Ports.of_design("sluice_x", design)
    done = commands(ports, lambda ports: vivado_kernel(ULTRA96, ports))
    (packed,) = of(done, "package_xo")
    told = dict(zip(packed[1::2], packed[2::2], strict=True))
    assert told == {
        "-xo_path": str(tmp_path / "vivado" / ".." / "sluice_x.xo"),
        "-kernel_name": "sluice_x",
        "-ip_directory": str(tmp_path / "vivado" / "kernel"),
        "-ctrl_protocol": "user_managed",
    }
    clocked = [given[1:] for given in of(done, "ipx::associate_bus_interfaces")]
    assert [given[0] for given in clocked] == ["S_AXIS", "M_AXIS", "S_AXI_CONTROL"]
    assert {given[2] for given in clocked} == {"ap_clk"}
    properties = [given[:2] for given in of(done, "set_property")]
    for wanted in (
        ["top", "sluice_x"],
        ["sdx_kernel", "true"],
        ["vitis_drc", "ctrl_protocol user_managed"],
        ["slave_memory_map_ref", "S_AXI_CONTROL"],
        ["range", "4096"],
        ["address_offset", "0x10"],
        ["address_offset", "0x14"],
    ):
        assert wanted in properties
    assert of(done, "file")[0][2:] == [
        str(tmp_path / "vivado" / ".." / "sluice_x.v"),
        str(tmp_path / "vivado" / "kernel"),
    ]
    assert "vivado/system.tcl" not in ULTRA96.files(ports)
    assert ULTRA96.commands(ports)[0].line.endswith("vivado/package_xo.tcl")
    plain = Ports.of_design("sluice_x", DESIGNS["group-by"])
    assert vivado_kernel(ULTRA96, plain) == {}

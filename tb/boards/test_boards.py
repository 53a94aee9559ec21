"""Build files of the boards: parts, clocks and every port that they must name."""

import re

import pytest
import yaml

from boards import BOARDS
from boards.board import Ports
from boards.fusesoc import core_file
from rtl.bus.ports import buses_of, ports_of
from tb.rtl.bus.many_buses import many_buses

TOP = "sluice_x"
PORTS = Ports(top=TOP, buses=buses_of(many_buses()))


def test_names():
    assert list(BOARDS) == ["ultra96-v2", "de5-net", "generic"]
    assert all(name == board.name for name, board in BOARDS.items())


def test_ultra96():
    files = BOARDS["ultra96-v2"].files(PORTS)
    assert sorted(files) == [
        "vivado/build.tcl", "vivado/package_ip.tcl", f"vivado/{TOP}.xdc", "vivado/system.tcl",
    ]  # fmt: skip
    assert "create_clock -name aclk -period 5.000 [get_ports aclk]" in files[f"vivado/{TOP}.xdc"]
    build = files["vivado/build.tcl"]
    assert f"synth_design -top {TOP} -part xczu3eg-sbva484-1-i -mode out_of_context" in build
    package = files["vivado/package_ip.tcl"]
    assert "-vendor sluice -library engine -taxonomy" in package
    assert "set_property version 1.0 $core" in package
    for line in (
        "S_AXIS axis slave s_axis {tvalid tready tdata tkeep tlast}",
        "M_AXIS axis master m_axis {tvalid tready tdata tkeep tlast}",
        "S_AXIS_UPDATES axis slave s_axis_updates {tvalid tready tdata tkeep tlast tuser}",
        "M_AXIS_EVICTED axis master m_axis_evicted {tvalid tready tdata tkeep tlast}",
    ):
        assert f"bus $core {line}\n" in package
    assert re.search(r"bus \$core S_AXIL aximm slave s_axil {awaddr awprot .* rready}\n", package)
    assert re.search(r"bus \$core M_AXI aximm master m_axi {awid .*awlen .* rready}\n", package)
    assert len(re.findall(r"^bus ", package, re.MULTILINE)) == 6


def test_de5net():
    files = BOARDS["de5-net"].files(PORTS)
    assert sorted(files) == [
        f"quartus/{TOP}.qsf", f"quartus/{TOP}.sdc", f"quartus/{TOP}_assignments.tcl",
        f"quartus/{TOP}_hw.tcl",
    ]  # fmt: skip
    project = files[f"quartus/{TOP}.qsf"]
    assert "DEVICE 5SGXEA7N2F45C2\n" in project
    assert f"-name SOURCE_TCL_SCRIPT_FILE {TOP}_assignments.tcl\n" in project
    assignments = files[f"quartus/{TOP}_assignments.tcl"]
    pins = re.findall(r"VIRTUAL_PIN ON -to (\S+)", assignments)
    expected = [f"{n}[*]" if width > 1 else n for n, _, width in PORTS.ports if n != "aclk"]
    assert sorted(pins) == sorted(expected)
    assert "create_clock -name aclk -period 5.000" in files[f"quartus/{TOP}.sdc"]
    component = files[f"quartus/{TOP}_hw.tcl"]
    for bus in PORTS.buses:
        for role, direction, width in PORTS.of(bus):
            port = f"{bus.name} {bus.name}_{role} {role} {direction.capitalize()} {width}"
            assert f"add_interface_port {port}\n" in component
    for line in (
        *("s_axis axi4stream end", "m_axis axi4stream start"),
        *("s_axis_updates axi4stream end", "m_axis_evicted axi4stream start"),
        *("s_axil axi4lite end", "m_axi axi4 start"),
    ):
        name = line.partition(" ")[0]
        assert f"add_interface {line}\n" in component
        assert f"set_interface_property {name} associatedClock clock\n" in component
        assert f"set_interface_property {name} associatedReset reset\n" in component


def test_ports():
    """Clock and reset first, then bus by bus, each as the top has it."""
    ports = {name: (direction, width) for name, direction, width in PORTS.ports}
    assert list(ports) == list(ports_of(many_buses()))
    assert list(ports)[:3] == ["aclk", "aresetn", "s_axis_tvalid"]
    assert ports["m_axis_evicted_tdata"] == ("output", 32)
    assert ports["m_axi_rdata"] == ("input", 64)
    assert ports["s_axil_awaddr"] == ("input", 12)


@pytest.mark.parametrize("name", BOARDS)
def test_text_is_plain_and_complete(name):
    for path, text in BOARDS[name].files(PORTS).items():
        assert text.endswith("\n"), path
        assert TOP in text or path.endswith((".xdc", ".sdc"))
        assert "${top}" not in text
        assert "${part}" not in text


@pytest.mark.parametrize("name", [*BOARDS, None])
def test_core_file(name):
    """With a board and without one; a board with a part can be built for."""
    board = BOARDS.get(name)
    files = core_file(PORTS) if name is None else core_file(PORTS, board.core_build(PORTS))
    core = yaml.safe_load(files[f"{TOP}.core"].partition("\n")[2])
    assert files[f"{TOP}.core"].startswith("CAPI=2:\n")
    assert core["name"] == f"sluice:engine:{TOP}:1.0"
    assert core["filesets"]["rtl"]["files"] == [{f"{TOP}.v": {"file_type": "verilogSource-2005"}}]
    expected = {"default", "lint", "sim"}
    assert set(core["targets"]) == (expected | {"build"} if board and board.part else expected)
    if board and board.part:
        assert board.part in str(core["targets"]["build"])
    listed = {f for fileset in core["filesets"].values() for file in fileset["files"] for f in file}
    there = {f"{TOP}.v", f"{TOP}.vlt", f"sim/{TOP}_tb.sv"}
    assert listed <= there | (set() if board is None else set(board.files(PORTS)))

"""Build files of the boards: parts, clocks and every port that they must name."""

import re

import pytest

from boards import BOARDS
from boards.board import Ports

TOP = "sluice_x"
PORTS = Ports(
    top=TOP,
    ports=(
        ("aclk", "input", 1),
        ("aresetn", "input", 1),
        ("s_axis_tvalid", "input", 1),
        ("s_axis_tdata", "input", 256),
        ("m_axis_tready", "input", 1),
        ("m_axis_tdata", "output", 128),
        ("s_axil_awaddr", "input", 8),
        ("s_axil_rdata", "output", 32),
    ),
)


def test_names():
    assert list(BOARDS) == ["ultra96-v2", "de5-net", "generic"]
    assert all(name == board.name for name, board in BOARDS.items())


def test_ultra96():
    files = BOARDS["ultra96-v2"].files(PORTS)
    assert sorted(files) == [
        f"{TOP}.core", "vivado/build.tcl", "vivado/package_ip.tcl", f"vivado/{TOP}.xdc",
    ]  # fmt: skip
    assert "create_clock -name aclk -period 5.000 [get_ports aclk]" in files[f"vivado/{TOP}.xdc"]
    build = files["vivado/build.tcl"]
    assert f"synth_design -top {TOP} -part xczu3eg-sbva484-1-i -mode out_of_context" in build
    package = files["vivado/package_ip.tcl"]
    assert "bus $core S_AXIS axis slave s_axis {tvalid tdata}\n" in package
    assert "bus $core M_AXIS axis master m_axis {tready tdata}\n" in package
    assert "bus $core S_AXIL aximm slave s_axil {awaddr rdata}\n" in package


def test_de5net():
    files = BOARDS["de5-net"].files(PORTS)
    assert sorted(files) == [
        f"quartus/{TOP}.qsf", f"quartus/{TOP}.sdc", f"quartus/{TOP}_hw.tcl", f"{TOP}.core",
    ]  # fmt: skip
    project = files[f"quartus/{TOP}.qsf"]
    assert "DEVICE 5SGXEA7N2F45C2\n" in project
    pins = re.findall(r"VIRTUAL_PIN ON -to (\S+)", project)
    expected = [f"{n}[*]" if width > 1 else n for n, _, width in PORTS.ports if n != "aclk"]
    assert sorted(pins) == sorted(expected)
    assert "create_clock -name aclk -period 5.000" in files[f"quartus/{TOP}.sdc"]
    component = files[f"quartus/{TOP}_hw.tcl"]
    for name, direction, width in PORTS.data:
        prefix = name[:6]
        role = name.removeprefix(f"{prefix}_")
        line = f"add_interface_port {prefix} {name} {role} {direction.capitalize()} {width}\n"
        assert line in component
    for line in ("s_axis axi4stream end", "m_axis axi4stream start", "s_axil axi4lite end"):
        assert f"add_interface {line}\n" in component


@pytest.mark.parametrize("name", BOARDS)
def test_text_is_plain_and_complete(name):
    for path, text in BOARDS[name].files(PORTS).items():
        assert text.endswith("\n"), path
        assert TOP in text or path.endswith((".xdc", ".sdc"))
        assert "${top}" not in text
        assert "${part}" not in text


@pytest.mark.parametrize("name", BOARDS)
def test_core_file_lists_the_source(name):
    core = BOARDS[name].files(PORTS)[f"{TOP}.core"]
    assert core.startswith("CAPI=2:\n")
    assert f"files: [{TOP}.v]" in core
    if BOARDS[name].part:
        assert BOARDS[name].part in core

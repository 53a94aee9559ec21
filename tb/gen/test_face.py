"""Tests options of the bus, from the command line to the shipped and simulated ports."""

import json
import random

import pytest

from boards.ports import Ports
from gen.commands.generate import configuration_table, packets_line
from gen.design.build import resolve
from gen.directory.design_files import design_files
from gen.directory.testbench import testbench as bench_of
from gen.verilog.axi_view import axi_view
from gen.verilog.shipped_verilog import verilog_of
from host import Engine, HostError
from query.errors import UserError
from rtl.bus.top_registers import registers_of
from rtl.contract.face import PLAIN, Face
from tb.gen.directory.icarus import run
from tb.gen.verilog.linting import lint

SCHEMA = "CREATE INPUT STREAM T (a uint(16), p int(32), v int(40), f uint(8));\n"
#: Tuples of 12 bytes, rows of 13: neither divides a bus.
QUERIES = {
    "two-stacks": "SELECT count(*), min(p), sum(v) FROM T [ROWS 8 SLIDE 1];",
    "group-by": "SELECT f, count(*), min(p), sum(v) FROM T GROUP BY f;",
    "swag": "SELECT f, min(p), max(v) FROM T [ROWS 16 SLIDE 8] GROUP BY f;",
    "streamzip": "SELECT a, sum(v) FROM T [PARTITION BY a ROWS 4 SLIDE 1];",
    "window-id": "SELECT p, count(*), max(v) FROM T [RANGE 40 SLIDE 10 WATTR p];",
}
SMALL = {"group-by": ["lanes=4"], "swag": ["lanes=2", "capacity=16"]}


@pytest.fixture(scope="module")
def files(tmp_path_factory):
    """Queries, and 300 tuples: a of few keys, p ascends as time does."""
    directory, rng = tmp_path_factory.mktemp("face"), random.Random(12)
    lines = ["a,p,v,f"]
    for k in range(300):
        lines.append(f"{rng.randrange(6)},{k},{rng.randrange(-(2**39), 2**39)},{rng.randrange(9)}")
    (directory / "data.csv").write_text("\n".join(lines) + "\n")
    for engine, text in QUERIES.items():
        (directory / f"{engine.replace('-', '_')}.cql").write_text(SCHEMA + text + "\n")
    return directory


def query_of(files, engine):
    return files / f"{engine.replace('-', '_')}.cql"


@pytest.mark.in_turn
@pytest.mark.hdl
@pytest.mark.spark
@pytest.mark.parametrize(
    ("engine", "face"),
    [
        ("two-stacks", ["bus_bits=32", "packets=beats:7"]),
        pytest.param("two-stacks", ["bus_bits=256", "packets=stream"], marks=pytest.mark.regress),
        ("group-by", ["bus_bits=128", "packets=beats:3"]),
        ("swag", ["bus_bits=64", "end_marker=true"]),
        pytest.param("streamzip", ["bus_bits=64"], marks=pytest.mark.regress),
        pytest.param("window-id", ["bus_bits=128", "packets=beats:2"], marks=pytest.mark.regress),
        ("two-stacks", ["bus=avalon", "bus_bits=64", "packets=beats:5"]),
        pytest.param("swag", ["bus=avalon", "end_marker=true"], marks=pytest.mark.regress),
        pytest.param("group-by", ["bus=avalon"], marks=pytest.mark.regress),
        pytest.param("streamzip", ["bus=avalon", "bus_bits=128"], marks=pytest.mark.regress),
        pytest.param("window-id", ["bus=avalon", "bus_bits=32"], marks=pytest.mark.regress),
        pytest.param("group-by", ["bus=vitis", "bus_bits=128"], marks=pytest.mark.regress),
        pytest.param("two-stacks", ["network=true"], marks=pytest.mark.regress),
        pytest.param("group-by", ["network=true"], marks=pytest.mark.regress),
        pytest.param("swag", ["network=true", "end_marker=true"], marks=pytest.mark.regress),
        pytest.param("streamzip", ["network=true"], marks=pytest.mark.regress),
        pytest.param("window-id", ["network=true", "packets=window"], marks=pytest.mark.regress),
    ],
)
def test_what_ships_is_what_is_simulated(engine, face, files, sluice):
    """Rows as PySpark has them, with stalls, and no broken rule."""
    options = [part for text in (*SMALL.get(engine, ()), *face) for part in ("--set", text)]
    stalls = ["--stall-input", 0.4, "--stall-output", 0.4, "--seed", 5]
    query, data = query_of(files, engine), files / "data.csv"
    reported = ["--engine", engine, "--input", data, "--json"]
    code, out, err = sluice("simulate", query, *reported, *options, *stalls)
    assert code == 0, out + err
    output = json.loads(out)
    assert (output["mismatches"], output["problems"]) == (0, [])
    assert output["rows"] == output["rows_expected"] > 5


@pytest.mark.in_turn
@pytest.mark.hdl
@pytest.mark.spark
@pytest.mark.parametrize(
    ("bits", "rate"), [(128, 2.0), (256, 4.0), pytest.param(512, 4.0, marks=pytest.mark.regress)]
)
def test_the_rate_is_what_the_bits_allow(bits, rate, sluice, examples):
    """Tuples of 8 bytes, four lanes: 128 bits are two in a cycle, 256 the engine's own four.

    Then nothing is to spare where four rows of 28 bytes come at once, and go in as many transfers.
    """
    query, data = examples / "cluster_groupby.toml", examples / "cluster_trace.csv.gz"
    code, out, _ = sluice("simulate", query, "--input", data, "--set", f"bus_bits={bits}", "--json")
    output = json.loads(out)
    assert (code, output["mismatches"], output["problems"]) == (0, 0, [])
    assert output["sustained_tuples_per_cycle"] == pytest.approx(rate, rel=0.002)
    assert output["predicted_tuples_per_cycle"] == rate


def test_options_come_from_the_file_and_the_command_line(files, tmp_path):
    query = query_of(files, "two-stacks")
    point = tmp_path / "point.toml"
    point.write_text(f'query = "{query}"\n[bus]\nbus_bits = 64\nend_marker = true\n')
    assert resolve(query).design.face == PLAIN
    assert resolve(point).design.face == Face(bus_bits=64, end_marker=True)
    resolved = resolve(point, options=["bus_bits=128", "packets=beats:9"])
    assert resolved.design.face == Face(bus_bits=128, end_marker=True, packets="beats:9")
    face = {"bus_bits": 128, "packets": "beats:9", "end_marker": True}
    assert resolved.configuration()["bus"] == face
    assert "bus" not in resolve(query).configuration()


def test_a_board_has_a_face_of_its_own(files, tmp_path):
    """The board chooses the bus, unless an option chooses another, or the streams do not allow
    it.
    """
    query = query_of(files, "two-stacks")
    faces = {
        (): Face(bus_bits=128, packets="stream"),
        ("packets=window",): Face(bus_bits=128, packets="window"),
        ("packets=engine",): Face(bus_bits=128),
        ("packets=beats:9",): Face(bus_bits=128, packets="beats:9"),
        ("packets=stream",): Face(bus_bits=128, packets="stream"),
        ("bus_bits=64",): Face(bus_bits=64, packets="stream"),
        ("bus_bits=engine",): Face(packets="stream"),
        ("bus_bits=engine", "packets=engine"): PLAIN,
    }
    for options, face in faces.items():
        resolved = resolve(query, board="ultra96-v2", options=options)
        assert (resolved.design.face, resolved.refused) == (face, None)
    assert resolve(query, board="generic").design.face == PLAIN
    point = tmp_path / "own.toml"
    point.write_text(f'query = "{query}"\nboard = "ultra96-v2"\n[bus]\nbus_bits = "engine"\n')
    assert resolve(point).design.face == Face(packets="stream")
    narrow = resolve(point, options=["bus_bits=32"]).design
    assert narrow.face == Face(bus_bits=32, packets="stream")
    flagged = resolve(
        query_of(files, "window-id"),
        board="ultra96-v2",
        options=["punctuations=stream", "interrupt=true"],
    )
    assert flagged.design.face == Face(interrupt=True)
    assert flagged.refused.startswith("bus_bits must not be given where tuser flags a tuple")


#: Packets that a board with a DMA of one packet a transfer has by itself: `two-stacks` and
#: `window-id` have a row for each window, and row k is window k. The windows of `swag` have a row
#: for each group, which does not say its window; the others have no other packets than streams.
PACKETS = {
    "two-stacks": "stream",
    "window-id": "stream",
    "swag": None,
    "group-by": None,
    "streamzip": None,
}


@pytest.mark.parametrize("board", ["ultra96-v2", "de5-net"])
@pytest.mark.parametrize("engine", QUERIES)
def test_a_packet_is_a_transfer_of_the_dma(engine, board, files):
    """Rows of many windows form one packet, if each row has the number of its window."""
    build = resolve(query_of(files, engine), engine=engine, board=board)
    assert build.design.face.packets == PACKETS[engine]
    assert build.refused is None
    if (engine, board) == ("streamzip", "de5-net"):
        assert [*packets_line(build)] == []  # no system with memory masters is built there
        return
    (said,) = packets_line(build)
    window = engine == "swag"
    assert ("the rows of one window" in said) == window
    assert ("all rows of a stream" in said) != window
    assert ("packets=window" in said) == (PACKETS[engine] == "stream")
    assert build.board.face_for(build.design.rows) == build.design.face


@pytest.mark.parametrize("board", ["ml605", "generic", None])
def test_packets_are_the_engines_own_without_a_dma(board, files):
    build = resolve(query_of(files, "two-stacks"), board=board)
    assert (build.design.face.packets, [*packets_line(build)]) == (None, [])


def test_a_network_has_no_dma(examples):
    build = resolve(examples / "trades_pane.toml", board="ultra96-v2", options=["network=true"])
    assert [*packets_line(build)] == []


@pytest.mark.hdl
@pytest.mark.parametrize("options", [[], ["packets=window"]])
def test_the_manifest_tells_of_packets_and_of_the_board(options, files, cache):
    build = resolve(query_of(files, "two-stacks"), board="ultra96-v2", options=options)
    generated_files = design_files(build, cache)
    described = json.loads(generated_files["manifest.json"])
    assert described["board"]["bus"] == {"bus_bits": 128, "packets": "stream"}
    assert described["rows"]["packet"] == ("window" if options else "stream")
    assert described["host"]["row_is_window"] == (not options)
    packet = "the rows of one window" if options else "all rows of a stream"
    assert f"a packet at `m_axis`: {packet}." in generated_files["README.md"]


def test_the_face_is_in_the_table_of_the_configuration(files):
    """The table also has the board's options, which explain a rate that the bus limits."""
    build = resolve(query_of(files, "two-stacks"), board="de5-net", options=["packets=stream"])
    columns = configuration_table(build).columns
    reported = dict(zip(*(list(column.cells) for column in columns), strict=True))
    face = {"bus_bits": "128", "packets": "stream", "bus": "avalon"}
    assert {name: reported[name] for name in face} == face


@pytest.mark.parametrize(
    ("option", "message"),
    [
        ("bus_bits=96", "bus_bits must be a power of two from 32 to 512, not 96"),
        ("bus_bit=64", "unknown parameter bus_bit of engine two-stacks; did you mean bus_bits?"),
        ("end_marker=yes", "end_marker must be true or false, not 'yes'"),
        (
            "packets=beats:0",
            "packets must be window, stream, or beats:N with N from 1 to 1048576, not 'beats:0'",
        ),
    ],
)
def test_one_line_says_what_is_wrong(option, message, files):
    with pytest.raises(UserError) as refused:
        resolve(query_of(files, "two-stacks"), options=[option])
    assert str(refused.value) == message


def test_the_table_of_the_bus_has_no_other_option(files, tmp_path):
    point = tmp_path / "point.toml"
    point.write_text(f'query = "{query_of(files, "two-stacks")}"\n[bus]\nlanes = 2\n')
    with pytest.raises(UserError, match=r"^unknown option lanes of the bus"):
        resolve(point)


def test_an_engine_whose_windows_have_many_rows_keeps_its_packets(files):
    with pytest.raises(UserError, match=r"^packets must be window, not stream: a window has"):
        resolve(query_of(files, "swag"), engine="swag", options=["packets=stream"])


@pytest.mark.in_turn
@pytest.mark.hdl
@pytest.mark.parametrize(
    ("bits", "bus"),
    [
        *((32, "axi"), (64, "axi"), (256, "axi"), (64, "avalon")),
        pytest.param(64, "vitis", marks=pytest.mark.regress),
    ],
)
def test_the_first_bench_sends_a_tuple_in_parts(bits, bus, files, cache, tmp_path):
    """The bench counts one tuple and no error; designs without AXI ports have an AXI module
    around.
    """
    options = [f"bus_bits={bits}", "interrupt=true", f"bus={bus}"]
    build = resolve(query_of(files, "two-stacks"), options=options)
    design, registers = build.design, registers_of(build.design)
    bench = bench_of(design, Ports.axi_of(build.name, design), registers)
    view = axi_view(build.name, design)
    assert sorted(view) == ([] if bus == "axi" else [f"sim/{build.name}_axi.v"])
    verilog = [verilog_of(design, build.name, cache), *view.values()]
    code, said = run(tmp_path, "\n".join(verilog), bench)
    assert (code, said.splitlines()[0]) == (0, f"PASS: {build.name}")


#: Name and width of each port of a stream and of the registers, by hand: 64 bits, from both ends.
AVALON = """
    clk 1 in, reset_n 1 in,
    sink_valid 1 in, sink_ready 1 out, sink_data 64 in, sink_startofpacket 1 in,
    sink_endofpacket 1 in, sink_empty 3 in, sink_error 1 in,
    source_valid 1 out, source_ready 1 in, source_data 64 out, source_startofpacket 1 out,
    source_endofpacket 1 out, source_empty 3 out, source_error 1 out,
    registers_address 10 in, registers_read 1 in, registers_readdata 32 out, registers_write 1 in,
    registers_writedata 32 in, registers_byteenable 4 in, registers_waitrequest 1 out"""


def test_names_of_other_ports(files):
    """Avalon's as the specification has them; of a kernel clock, reset and registers."""
    query = query_of(files, "two-stacks")
    avalon = Ports.of_design("x", resolve(query, options=["bus=avalon", "bus_bits=64"]).design)
    reported = [f"{name} {width} {way.removesuffix('put')}" for name, way, width in avalon.ports]
    assert reported == [" ".join(port.split()) for port in AVALON.split(",")]
    plain = Ports.of_design("x", resolve(query).design)
    vitis = Ports.of_design("x", resolve(query, options=["bus=vitis"]).design)
    names = {"aclk": "ap_clk", "aresetn": "ap_rst_n"}
    expected = [
        (names.get(name, name.replace("s_axil_", "s_axi_control_")), *more)
        for name, *more in plain.ports
    ]
    assert list(vitis.ports) == expected
    assert avalon.is_axi is vitis.is_axi is not plain.is_axi


def test_a_kernel_has_no_memory_masters(files):
    with pytest.raises(UserError) as refused:
        resolve(query_of(files, "streamzip"), options=["bus=vitis"])
    reported = "no kernel with memory masters is made, and m_axi_0 is one"
    assert str(refused.value) == f"bus must not be vitis with a memory off the chip: {reported}"


def test_a_flag_has_no_place_in_avalon(files):
    options = ["punctuations=stream", "bus=avalon"]
    with pytest.raises(UserError, match=r"^bus must not be avalon where tuser flags a tuple"):
        resolve(query_of(files, "window-id"), options=options)


@pytest.mark.in_turn
@pytest.mark.hdl
def test_files_tell_of_a_network(files, cache, tmp_path):
    """The first bench sends a frame. The host class, which has no network, refuses."""
    build = resolve(query_of(files, "two-stacks"), options=["network=true"])
    generated_files = design_files(build, cache)
    output = json.loads(generated_files["manifest.json"])
    ports = {port["name"]: port["width"] for port in output["ports"]}
    streams = {name: width for name, width in ports.items() if name.endswith(("tdata", "tuser"))}
    assert streams == {"s_axis_rx_tdata": 64, "s_axis_rx_tuser": 1, "m_axis_tx_tdata": 64}
    assert output["configuration"]["bus"] == {"network": True}
    registers, settings = output["registers"], output["network"]["settings"]
    assert (registers["mac_low"], registers["to_port"]) == ("0xfc0", "0xfdc")
    names = [setting["name"] for setting in settings]
    assert names == [
        *("mac", "address", "port", "to_mac", "to_address", "to_port"),
        *("from_mac", "from_address"),
    ]
    assert settings[2] | {"doc": ""} == {
        "name": "port",
        "doc": "",
        "registers": ["port"],
        "least": 1,
        "most": 65535,
    }
    assert (output["network"]["rx"], output["network"]["tx"]) == ("s_axis_rx", "m_axis_tx")
    assert set(output["network"]["counters"]) <= {c["name"] for c in output["host"]["counters"]}
    assert f"{output['network']['counters'][0]}_low" in registers
    assert output["rows"]["packet"] == "stream"
    header = generated_files[f"registers/{build.name}_host.h"]
    # Rows of 11 bytes and transfers of 8 end together every 88 bytes, 16 times in 1,472.
    assert f"#define {build.name.upper()}_TUPLES_IN_A_DATAGRAM 163\n" in header
    assert f"#define {build.name.upper()}_ROWS_IN_A_DATAGRAM 128\n" in header
    assert not [path for path in generated_files if "driver" in path]
    assert "S_AXIS_RX" in generated_files[f"{build.name}.v"]
    assert lint(tmp_path, build.name, generated_files[f"{build.name}.v"]) == []
    code, said = run(
        tmp_path, generated_files[f"{build.name}.v"], generated_files[f"sim/{build.name}_tb.sv"]
    )
    assert (code, said.splitlines()[0]) == (0, f"PASS: {build.name}")
    (tmp_path / "manifest.json").write_text(generated_files["manifest.json"])
    with pytest.raises(HostError, match=r"send them by host\.datagrams\.DatagramLink"):
        Engine.open(tmp_path)


@pytest.mark.parametrize("network", [False, True])
def test_no_dma_hangs_on_a_mac(network, files):
    """The system of a board with DMA is not for it; the build of the engine by itself is."""
    options = ["network=true"] if network else ["bus_bits=64"]
    build = resolve(query_of(files, "two-stacks"), options=options, board="ultra96-v2")
    generated_files = build.board.files(Ports.of_design(build.name, build.design))
    assert ("vivado/system.tcl" in generated_files) != network
    assert "vivado/build.tcl" in generated_files


@pytest.mark.hdl
def test_files_tell_of_the_bus(files, cache):
    options = ["bus_bits=128", "packets=beats:4", "interrupt=true", "bus=axi"]
    build = resolve(query_of(files, "two-stacks"), options=options, board="de5-net")
    generated_files = design_files(build, cache)
    output = json.loads(generated_files["manifest.json"])
    face = {"bus_bits": 128, "packets": "beats:4", "interrupt": True}
    assert output["configuration"]["bus"] == face
    assert output["ports"][-1] == {"name": "interrupt", "direction": "output", "width": 1}
    assert output["registers"]["interrupt_pending"] == "0xffc"
    assert "interrupt:1.0 interrupt INTERRUPT" in generated_files[f"{build.name}.v"]
    assert "onwrite = woclr;" in generated_files[f"registers/{build.name}.rdl"]
    assert "interrupt irq Output 1" in generated_files[f"quartus/{build.name}_hw.tcl"]
    assert [output["streams"][name]["bus_bits"] for name in ("s_axis", "m_axis")] == [128, 128]
    assert output["rows"]["packet"] == "beats:4"
    widths = {port["name"]: port["width"] for port in output["ports"]}
    assert (widths["s_axis_tdata"], widths["m_axis_tkeep"]) == (128, 16)
    header = generated_files[f"registers/{build.name}_host.h"]
    assert f"#define {build.name.upper()}_TUPLE_BUS_BYTES 16\n" in header
    assert "IN_A_BEAT" not in header
    plain = resolve(query_of(files, "two-stacks")).design
    cycles = [d.prediction.cycles for d in (plain, build.design)]
    assert output["latencies"][0]["cycles"] == cycles[1] + 7
    assert cycles[0] == cycles[1]

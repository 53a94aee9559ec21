"""Tests README.md of a generated directory.

Its names and addresses equal the register map, its programs run, and the hardware answers its
sequence.
"""

import re
import shutil
import subprocess
from dataclasses import replace

import numpy as np
import pytest

from boards import BOARDS
from boards.ports import Ports
from gen.design.build import resolve
from gen.directory.readme import readme
from gen.directory.regmap import exports
from gen.host.c_driver import host_driver
from gen.host.c_header import host_header
from gen.verilog.shipped_verilog import verilog_of
from rtl.bus.top_registers import registers_of
from rtl.contract.rows import Packet
from sim.beats import Beats
from sim.bench import Bench
from sim.errors import ToolMissingError
from tb.gen.examples import EXAMPLES
from tb.gen.readmes import build_of, quick_readmes

STEP = re.compile(r"^\| (\d+) \| (\w+) \| `(\w+)` \| (0x[0-9a-f]+) \| ([^|]*) \| ", re.MULTILINE)
FENCE = re.compile(r"```(\w+)\n(.*?)```", re.DOTALL)
#: Registers of a network face, in the order in which they must be written.
NETWORK = [
    "address", "port", "to_address", "to_port", "to_mac_low", "to_mac_high",
    "from_address", "from_mac_low", "from_mac_high", "mac_low", "mac_high",
]  # fmt: skip


class Text:
    """README of a build, with the build."""

    def __init__(self, build):
        self.build, self.registers = build, registers_of(build.design)
        self.ports = Ports.of_design(build.name, build.design)
        ((self.path, self.text),) = readme(build, self.ports, self.registers).items()
        self.steps = [
            (action, name, int(address, 16), value)
            for _, action, name, address, value in STEP.findall(self.text)
        ]
        self.programs = dict(FENCE.findall(self.text))


@pytest.fixture(scope="module")
def text(examples):
    def make(engine, board=None, **options):
        return Text(resolve(examples / f"{EXAMPLES[engine]}.toml", board=board, **options))

    return make


@pytest.mark.parametrize("board", [*BOARDS, None])
@pytest.mark.parametrize("engine", EXAMPLES)
def test_registers_are_those_of_the_map(engine, board, text):
    """The order is that of a first run: identity, reset, all settings, a stream, the counters."""
    readme_text = text(engine, board)
    for _, name, address, _ in readme_text.steps:
        assert readme_text.registers[name].address == address
    names = [name for _, name, _, _ in readme_text.steps]
    assert names[:5] == ["magic", "version", "configuration", "control", "status"]
    written = [name for action, name, _, _ in readme_text.steps if action == "write"]
    settable = [r.name for r in readme_text.registers.values() if 0x020 <= r.address < 0x400]
    is_network = readme_text.build.design.face.network
    function = ["function"] if engine == "swag" else []
    network = list(NETWORK) if is_network else []
    if readme_text.build.design.face.host_link:
        network[-2:-2] = ["registers_port"]  # the MAC of the design is last
    assert written == ["control", *settable, *function, *network]
    dropped = {"cut_low", "overrun_low", "filtered_low", "late_low"} & set(readme_text.registers)
    assert dropped | {"tuples_low", "streams_low", "rows_low"} <= set(names)
    for bus in readme_text.ports.buses:
        assert re.search(
            rf"^\| `{bus.name}` \| A[-\w]* \w+ \| \d+ \|$", readme_text.text, re.MULTILINE
        )
    ends = "`endofpacket` at its end" if board == "de5-net" else "`tlast` at its end"
    ends = "a datagram without a byte, which ends the stream" if is_network else ends
    highest = "the first byte in the highest bits" in readme_text.text
    assert ends in readme_text.text
    assert highest == (board == "de5-net")
    assert "${" not in readme_text.text
    assert not re.search(r"[^\n]None", readme_text.text)


@pytest.mark.in_turn(5)
@pytest.mark.parametrize("board", BOARDS)
def test_commands_name_files_that_are_written(board, text):
    """The first command builds everything."""
    readme_text = text("two-stacks", board)
    files = set(BOARDS[board].files(readme_text.ports))
    section = readme_text.text.partition("## Build\n")[2].partition("## Ports")[0]
    typed = re.findall(r"^    (.*)$", section, re.MULTILINE)
    *build_commands, simulated = typed
    assert simulated.startswith("iverilog -g2012 -o first sluice_rows_trades.v ")
    scripts = {path.rpartition("/")[2].removesuffix(".qsf") for path in files}
    last_words = [line.removesuffix(" .").split()[-1] for line in build_commands]
    assert all(word.rpartition("/")[2] in scripts for word in last_words)
    assert bool(build_commands) == bool(files)
    if board == "ultra96-v2":
        assert build_commands[0] == "vivado -mode batch -source vivado/system.tcl"
        assert "which are at 0xa0000000 in the system" in readme_text.text
    if board == "de5-net":
        assert build_commands[0] == "quartus_sh -t quartus/build.tcl"
        assert "which are at 0x00100000 in the system" in readme_text.text


def test_a_board_that_writes_its_registers_itself(text):
    """Table, program and rate are those of the link: 1 Gb/s carry 13.5 of 62.5 million tuples."""
    options = ["address=192.168.1.50", "port=5000", "to_address=192.168.1.9", "to_port=6000"]
    readme_text = text("group-by", "versa-ecp5", options=options)
    values = {name: value for action, name, _, value in readme_text.steps if action == "write"}
    assert values["address"] == "0xc0a80132"
    assert (values["port"], values["to_port"]) == ("0x00001388", "0x00001770")
    assert (values["to_mac_high"], values["mac_high"]) == ("0x0000ffff", "0x00000253")
    assert 'Engine.open(".", at="udp://192.168.1.50") as' in readme_text.programs["python"]
    other_port = text("group-by", "versa-ecp5", options=[*options, "registers_port=1300"])
    assert 'at="udp://192.168.1.50:1300") as' in other_port.programs["python"]
    steps = [(name, value) for _, name, _, value in other_port.steps]
    assert ("registers_port", f"0x{1300:08x}") in steps
    program = text("group-by", "versa-ecp5", options=[*options, "host_link=false"]).programs[
        "python"
    ]
    assert 'engine=("192.168.1.50", 5000), here=("192.168.1.9", 6000)' in program
    # 184 tuples of 8 bytes in 1,538 bytes of the wire, nine tenths of it: see docs/network.md.
    assert f"tuples_per_second={int(0.9 * 184 * 125e6 / 1538)}" in program
    assert "The board makes the writes of this table itself" in readme_text.text
    assert "the write of" not in readme_text.text
    assert "| 1 | on: the registers of the network face and of the engine have been written |" in (
        readme_text.text
    )
    assert "The board makes the writes" not in text("group-by", "ultra96-v2").text


@pytest.mark.parametrize(
    ("host_link", "until"), [("true", " until a datagram writes a value"), ("false", "")]
)
def test_a_board_does_not_write_a_start_that_is_unknown(text, host_link, until):
    options = {"board": "versa-ecp5", "options": [f"host_link={host_link}"]}
    phrase = f", and the write of `start`, which stays 0{until}. "
    assert phrase in text("pane", **options).text
    assert "the write of" not in text("pane", start="100", **options).text


@pytest.mark.parametrize("lights", [1, 3, 4])
def test_it_names_the_lights_that_a_board_has(text, lights):
    made = text("pane", "versa-ecp5")
    board = replace(made.build.board, lights=made.build.board.lights[:lights])
    numbers = re.findall(
        r"^\| (\d) \| (?:blinks|on:|flashes)", Text(replace(made.build, board=board)).text, re.M
    )
    assert numbers == [str(k) for k in range(lights)]


def test_nobody_pings_a_board_on_a_serial_line(text):
    assert "`ping 10.0.0.1` is answered" in text("pane", "versa-ecp5").text
    serial = text("pane", "ulx3s-85").text
    assert "open the serial port; each frame of rows there is a datagram to UDP port" in serial
    assert "ping" not in serial.partition("## ")[0] + serial[serial.index("| send |") :][:400]


def test_it_says_why_there_is_no_system(text):
    """Tuples with flags have no DMA, and then the text promises none."""
    readme_text = text("window-id", "ultra96-v2", options=["punctuations=stream"])
    refused = "own ports (bus_bits=128, packets=stream): bus_bits must not be given"
    assert f"{refused} where" in readme_text.text
    assert "system.tcl" not in readme_text.text
    assert "in the system" not in readme_text.text
    assert "This design cannot use" not in text("window-id", "ultra96-v2").text


@pytest.mark.parametrize(
    ("board", "options", "expected"),
    [
        ("versa-ecp5", (), "Only datagrams read or write a register."),
        ("versa-ecp5", ("host_link=false",), "After that nothing can read or write a register."),
    ],
)
def test_who_reads_the_registers_of_a_board_with_a_link(text, board, options, expected):
    assert expected in text("group-by", board, options=options).text


def test_every_output_stream_is_received(text):
    """A stream of evicted keys that nobody takes would hold the engine busy for ever."""
    [sending] = [line for line in text("streamzip").text.splitlines() if "to receive" in line]
    assert "`m_axis`, and at `m_axis_evicted`, where each stream is a packet, too" in sending
    lines = text("streamzip", options=["network=true"]).text.splitlines()
    [sending] = [line for line in lines if "ends the stream" in line]
    assert "receive at `m_axis_evicted`, too, which has no datagrams" in sending


def test_fields_of_texts_and_of_fixed_point(tmp_path):
    """Places and scales by hand. The first byte of a text is its highest."""
    (tmp_path / "q.cql").write_text(
        "CREATE INPUT STREAM S (g string(3), x fixed(9,7), y uint(8));"
        "SELECT g, sum(x), max(y) FROM S GROUP BY g;"
    )
    lines = Text(resolve(tmp_path / "q.cql", options=["lanes=2"])).text.splitlines()
    assert [line for line in lines if line.startswith(("| tuple", "| row"))] == [
        "| tuple | `g` | 0 | 24 | string(3), first byte highest |",
        "| tuple | `x` | 24 | 16 | fixed(9,7), divided by 2^7 |",
        "| tuple | `y` | 40 | 8 | uint(8) |",
        "| row | `g` | 0 | 24 | string(3), first byte highest |",
        "| row | `sum(x)` | 24 | 48 | signed, divided by 2^7 |",
        "| row | `max(y)` | 72 | 8 | uint(8) |",
    ]
    assert any('"ab" in `g` is 00 62 61, from the lowest address up.' in line for line in lines)


def test_only_one_bit_says_that_a_reset_is_over(text):
    """The last wait is for all bits, because each other bit is an error."""
    wait_steps = [step for step in text("two-stacks").steps if step[0] == "wait"]
    assert wait_steps == [
        ("wait", "status", 0x014, "0x00000000 in 0x80000000"),
        ("wait", "status", 0x014, "0x00000000"),
    ]


def test_the_start_of_windows_is_set_in_c(text):
    """The data decide the start; without windows of time there is none."""
    assert "settings.start = 0;" in text("window-id").programs["c"]
    assert "settings.start" not in text("two-stacks").programs["c"]


@pytest.mark.parametrize("engine", EXAMPLES)
def test_the_c_program_compiles(engine, text, tmp_path):
    if shutil.which("gcc") is None:
        raise ToolMissingError("gcc")
    readme_text = text(engine)
    name, design = readme_text.build.name, readme_text.build.design
    files = exports(readme_text.registers.values(), readme_text.ports) | host_driver(design, name)
    files[f"{name}_host.h"] = host_header(design, name, readme_text.registers)
    for path, contents in files.items():
        (tmp_path / path).write_text(contents)
    (tmp_path / "first.c").write_text(readme_text.programs["c"])
    command = ["gcc", "-std=c99", "-Wall", "-Wextra", "-Werror", "-fsyntax-only", "first.c"]
    process = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True)
    assert (process.returncode, process.stderr) == (0, "")


@pytest.mark.in_turn(5)
@pytest.mark.parametrize("engine", EXAMPLES)
def test_the_c_program_by_udp_compiles(engine, tmp_path):
    """The directory has the driver with its functions for UDP, whose addresses are the link's."""
    if shutil.which("gcc") is None:
        raise ToolMissingError("gcc")
    build = build_of(engine, face={"network": True, "host_link": True})
    readme_text = quick_readmes({engine: build})[engine]
    program = readme_text.programs["c"]
    assert 'udp_open(&udp, "10.0.0.1", 1234, 0)' in program
    ports = Ports.of_design(build.name, build.design)
    headers = exports(readme_text.registers.values(), ports)
    for path, contents in readme_text.files.items():
        name = path.removeprefix("registers/")
        if path != name and name.endswith((".c", ".h")):
            (tmp_path / name).write_text(headers.get(name, contents))
    (tmp_path / "first.c").write_text(program)
    command = ["gcc", "-std=c99", "-Wall", "-Wextra", "-Werror", "-fsyntax-only", "first.c"]
    command += [f"{build.name}_driver.c", f"{build.name}_udp.c"]
    process = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True)
    assert (process.returncode, process.stderr) == (0, "")


@pytest.mark.parametrize("name", ["pane", "pane, stream"])
def test_it_says_that_the_c_program_sends_no_punctuations(name):
    build = build_of(name, face={"network": True, "host_link": True})
    section = quick_readmes({name: build})[name].text.partition("## From C")[2]
    assert ("driver sends\nno punctuations" in section) == build.design.input.punctuations


def test_a_start_that_is_known_is_in_the_table(text):
    """A time below 0 is written as its two's complement."""
    build = replace(text("pane", "ulx3s-85").build, start=-60)
    writes = {name: value for action, name, _, value in Text(build).steps if action == "write"}
    assert {name: int(value, 16) for name, value in writes.items() if name.startswith("start")} == {
        "start": 2**32 - 60
    }


def test_the_c_program_has_the_known_start_and_the_areas_of_memory(text):
    build = replace(text("pane", "ulx3s-85", options=["network=false"]).build, start=-60)
    assert "settings.start = -60;  // time at which window 0 begins" in Text(build).programs["c"]
    areas = r"settings.(base_\d) = 0x\w+;  // change this"
    lines = re.findall(areas, text("streamzip").programs["c"])
    assert lines == [
        area.name for area in text("streamzip").build.design.settings.numbers if area.area
    ]


def test_a_start_in_a_unit_that_the_schema_does_not_declare(examples, tmp_path):
    (tmp_path / "q.cql").write_text(
        "CREATE INPUT STREAM S (t int, x int); SELECT sum(x) FROM S [RANGE 10 SLIDE 5 WATTR t];"
    )
    build = resolve(tmp_path / "q.cql", board="versa-ecp5", start="90 seconds")
    [warning] = [text for text in build.warnings if "start" in text]
    assert "t declares no unit" in warning


def test_the_tuples_of_a_numbered_datagram(text):
    """The head of 8 bytes leaves room for fewer tuples in the 1,472 bytes of a datagram."""
    build = text("pane", "ulx3s-85").build
    size = build.design.input.packing.bytes
    assert f"at most {1472 // size} of {size} bytes ({1464 // size} if bit 1" in (
        text("pane", "ulx3s-85").text
    )
    header = host_header(build.design, build.name, registers_of(build.design))
    assert f"a head of 8 bytes: {1464 // size} at most.\n#define" in header
    assert f"TUPLES_IN_A_DATAGRAM {1472 // size}\n" in header


def test_a_serial_port_has_no_program_in_c(text):
    for options in (["host_link=true"], ["host_link=false"]):
        section = text("pane", "ulx3s-85", options=options).text.partition("## From C")[2]
        assert "The board's link is its serial port" in section
        assert "socket.h" not in section


@pytest.mark.parametrize("engine", EXAMPLES)
def test_the_python_program_reads_well(engine, text):
    """The program sets the query's values by the names of the settings, and has the tuple's
    columns.
    """
    readme_text = text(engine)
    program = readme_text.programs["python"]
    compile(program, "README.md", "exec")
    numbers = {n.name: n.value for n in readme_text.build.design.settings.numbers if n.area is None}
    matches = re.findall(r"(\w+)=(\d+)", program)
    assert {name: int(value) for name, value in matches} == {
        name: value for name, value in numbers.items() if value is not None
    }
    columns = [field.name for field in readme_text.build.design.input.packing.fields]
    assert re.search(rf'read_csv\("data.csv".*\)  # {", ".join(columns)}\n', program)


def follow(readme_text, cache):
    """Follows the steps of the table with a stream of one zero tuple; returns the values read."""
    design = readme_text.build.design
    numbers = {name: n for n in design.settings.numbers for name in (n.name, f"{n.name}_low")}
    writes, reads = [], []
    for action, name, address, value in readme_text.steps:
        if action == "write":
            number = numbers.get(name.replace("_high", "_low"))
            own_values = (number.value or 0) if number else 0
            writes.append((address, own_values if value == "yours" else int(value, 16)))
        elif name not in ("status",) or action == "wait":
            reads.append((name, address, value))
    bench = Bench(
        top=readme_text.build.name,
        streams=design.streams,
        memories=design.memories,
        verilog=verilog_of(design, readme_text.build.name, cache),
        cache=cache / "bench",
        simulator="icarus",
    )
    one = np.zeros((1, design.streams[0].packing.bytes), np.uint8)
    bits = design.face.bus_bits
    if bits:  # byte after byte
        beats = Beats.from_streams([one.reshape(-1, 1)], bits // 8)
    else:
        beats = Beats.from_streams([one], design.streams[0].lanes)
    run = bench.run(
        beats,
        writes=writes,
        reads=[address for _, address, _ in reads],
        packets=int(design.rows.packet is Packet.STREAM),
        drain=4000,
    )
    return reads, run.checked().reads, len(one)


@pytest.mark.in_turn(5)
@pytest.mark.hdl
@pytest.mark.parametrize(
    "engine",
    [pytest.param(e, marks=pytest.mark.regress) if e != "two-stacks" else e for e in EXAMPLES],
)
def test_the_sequence_is_what_the_hardware_answers_to(engine, text, cache):
    readme_text = text(engine)
    reads, result, sent = follow(readme_text, cache)
    for (name, _, value), actual in zip(reads, result, strict=True):
        if name == "tuples_low":
            assert actual == sent
        elif value.startswith("0x"):
            desired, _, mask = value.partition(" in ")
            assert actual & int(mask or "0xffffffff", 16) == int(desired, 16), name


def test_the_program_sets_the_start_that_the_board_writes(text):
    """Otherwise the program would begin the windows at the first tuple of its file."""
    options = {"board": "versa-ecp5", "options": ["host_link=true"]}
    programs = [text("pane", start=start, **options).programs["python"] for start in ("100", None)]
    assert ["start=100" in program for program in programs] == [True, False]

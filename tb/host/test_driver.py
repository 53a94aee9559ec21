"""Checks the generated C driver: strict C99, golden's rows, and the rules of an AXI DMA.

The driver runs on the simulation of the Verilog and on a model of an AXI DMA.
"""

import ctypes
import shutil
import subprocess
from pathlib import Path

import numpy as np
import pytest

from boards.ports import Ports
from gen.directory.regmap import exports
from gen.host.c_driver import host_driver
from gen.host.c_header import host_header
from golden.compare.tables import first_difference
from host.description import Description
from rtl.bus.ports import buses_of
from rtl.bus.top_registers import registers_of
from rtl.contract.face import Face
from sim.errors import ToolMissingError
from sim.host_simulation import CompiledSimulation
from tb.host.c_arrays import packed, table
from tb.host.tables import expected, random_tuples, same_kinds
from tb.rtl.engine import key_bench
from tb.rtl.engine.points import DESIGNS

pytestmark = pytest.mark.hdl

STRICT = ("-Wall", "-Wextra", "-Werror", "-pedantic", "-O1")
OK, RUNNING = 0, 1
ERRORS = {
    "no engine": -1,
    "other design": -2,
    "bad setting": -3,
    "no room": -5,
    "error": -6,
    "lost": -7,
    "evicted": -9,
    "overflowed": -10,
}
#: Settings of the second run, by the design.
RUNS = {"group-by": {}, "two-stacks": {"size": 5, "slide": 2}, "streamzip": {"size": 4, "slide": 2}}
#: A design whose rings may be too small for a window, so it has the counter of such windows.
SMALL_RINGS = key_bench.point(
    *(8, 2, "fixed(20,12)", "sum(x)"),
    codec="base-delta",
    expected_ratio="2",
    ports=2,
    window_max=1024,
)
#: C types of the functions that the caller passes to the driver, by name.
CALLS = {
    "read": ctypes.CFUNCTYPE(ctypes.c_uint32, ctypes.c_void_p, ctypes.c_uint32),
    "write": ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_uint32, ctypes.c_uint32),
    "send": ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_size_t),
    "receive": ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_size_t),
    "received": ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p, ctypes.POINTER(ctypes.c_size_t)),
    "packet": ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_size_t),
    "sent": ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p),
    "stop": ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p),
}


class BoardTable(ctypes.Structure):
    _fields_ = [("context", ctypes.c_void_p), *CALLS.items()]


class Board:
    """The functions that the driver calls, on registers and streams of a simulation.

    A packet arrives after ``slow`` calls of ``received``. A receive in progress cannot be replaced
    by another receive.
    """

    def __init__(self, description, simulation, slow=0):
        self._description = description
        self._simulation = simulation
        self._slow = slow
        self._pending = []  # packets that the simulation has sent
        self._polls = 0
        self._buffer = None  # address and size of the buffer of a receive
        self.packets = []  # number of rows of each packet that the driver reports
        functions = {name: kind(getattr(self, name)) for name, kind in CALLS.items()}
        self.table = BoardTable(None, *functions.values())

    def read(self, _, address):
        return self._simulation.read(address)

    def write(self, _, address, value):
        self._simulation.write(address, value)

    def send(self, _, data, count):
        raw = np.frombuffer(ctypes.string_at(data, count), np.uint8)
        tuples = raw.reshape(-1, self._description.tuples.bytes)
        self._pending += self._simulation.transfer(tuples, lambda: True)["m_axis"]
        return 0

    def receive(self, _, data, room):
        if self._buffer is not None or not room:
            return -1
        self._buffer = data, room
        return 0

    def received(self, _, count):
        assert self._buffer is not None
        self._polls += 1
        if not self._pending or self._polls <= self._slow:
            return 0
        packet = self._pending.pop(0).tobytes()
        data, room = self._buffer
        self._polls = 0
        self._buffer = None
        if len(packet) > room:
            return -1
        ctypes.memmove(data, packet, len(packet))
        count[0] = len(packet)
        return 1

    def sent(self, _):
        return 1

    def stop(self, _):
        self._pending.clear()
        self._buffer = None
        return 0

    def packet(self, _, rows, count):
        self.packets.append(count // self._description.rows.bytes)


@pytest.fixture
def driver(generated, cache, tmp_path):
    """Returns a function that compiles the driver of a design, for a simulated engine."""
    opened = []

    def build(name, slow=0):
        if shutil.which("gcc") is None:
            raise ToolMissingError("gcc")
        design, directory = generated(name)
        description = Description.read(directory)
        source = directory / "registers" / f"{description.name}_driver.c"
        library = tmp_path / "driver.so"
        command = ["gcc", "-std=c99", *STRICT, "-fPIC", "-shared", source, "-o", library]
        built = subprocess.run(command, capture_output=True, text=True)
        assert built.returncode == 0, built.stderr
        opened.append(CompiledSimulation(description, cache=cache / "bench"))
        return design, Driver(
            description, ctypes.CDLL(str(library)), Board(description, opened[-1], slow)
        )

    yield build
    for simulation in opened:
        simulation.close()


class Driver:
    """Calls the functions of a compiled driver."""

    def __init__(self, description, library, board):
        self.description = description
        self.board = board
        self._library = library
        self._state = ctypes.create_string_buffer(256)

    def call(self, name, *arguments):
        return getattr(self._library, f"{self.description.name}_{name}")(self._state, *arguments)

    def open(self):
        return self.call("open", ctypes.byref(self.board.table))

    def configure(self, numbers):
        """Writes all settings, each in 64 bits, in the order of their registers."""
        values = [numbers.get(name, s.value or 0) for name, s in self.description.settings.items()]
        return self.call("configure", (ctypes.c_int64 * len(values))(*values))

    def run(self, tuples, room):
        """Runs a stream, and returns the driver's last result and the bytes of the rows."""
        size = self.description.rows.bytes
        rows, count = ctypes.create_string_buffer(room * size + 1), ctypes.c_size_t()
        data = tuples.tobytes()
        result = self.call(
            "submit", data, ctypes.c_size_t(len(tuples)), rows, ctypes.c_size_t(room)
        )
        for _ in range(100_000):
            if result not in (OK, RUNNING):
                break
            result = self.call("poll", ctypes.byref(count))
            if result == OK:
                break
        raw = np.frombuffer(rows.raw[: count.value * size], np.uint8)
        return result, raw.reshape(-1, size)


@pytest.mark.in_turn
@pytest.mark.parametrize("slow", [0, 3])
@pytest.mark.parametrize("name", RUNS)
def test_rows_are_those_of_golden(driver, cache, name, slow):
    """Two runs with different settings return golden's rows, with fast and with slow packets."""
    design, driver_run = driver(name, slow)
    assert driver_run.open() == OK
    for seed, numbers in enumerate(({}, RUNS[name])):
        settings = design.settings.values | numbers
        if settings:
            assert driver_run.configure(settings) == OK
        tuples = random_tuples(design, 80, seed)
        rows = expected(design, tuples, settings, cache).rows
        driver_run.board.packets.clear()
        result, raw = driver_run.run(packed(driver_run.description, tuples), rows.num_rows)
        assert result == OK
        assert sum(driver_run.board.packets) == len(raw) == rows.num_rows > 0
        received = same_kinds(table(driver_run.description, raw, driver_run.board.packets), rows)
        assert first_difference(rows, received) is None


def test_settings_are_written_all_or_none(driver):
    """A refused setting leaves the registers of all settings unchanged."""
    _, driver_run = driver("two-stacks")
    board, registers = driver_run.board, driver_run.description.registers
    assert driver_run.open() == OK
    assert driver_run.configure({"size": 4, "slide": 2}) == OK
    assert driver_run.configure({"size": 5, "slide": 0}) == ERRORS["bad setting"]
    assert [board._simulation.read(registers[name]) for name in ("size", "slide")] == [4, 2]


def test_errors_of_the_driver(driver):
    design, driver_run = driver("two-stacks")
    assert driver_run.open() == OK
    assert driver_run.configure({"size": 4, "slide": 0}) == ERRORS["bad setting"]
    assert driver_run.configure({"size": 4, "slide": 2}) == OK
    tuples = random_tuples(design, 20, 1)
    result, good = driver_run.run(packed(driver_run.description, tuples), 100)
    assert (result, len(good)) == (OK, 9)
    result, _ = driver_run.run(packed(driver_run.description, tuples), 3)
    assert result == ERRORS["no room"]
    assert driver_run.call("reset", 100) == OK
    assert driver_run.configure({"size": 2, "slide": 4}) == OK
    assert driver_run.run(packed(driver_run.description, tuples), 100)[0] == ERRORS["error"]
    assert driver_run.call("reset", 100) == OK
    assert driver_run.configure({"size": 4, "slide": 2}) == OK
    result, again = driver_run.run(packed(driver_run.description, tuples), 100)
    assert result == OK
    assert np.array_equal(again, good)


@pytest.mark.in_turn
@pytest.mark.parametrize("name", RUNS)
def test_a_stream_without_a_tuple(driver, name):
    """Two empty streams, one after the other, each end without an error and without a row."""
    design, driver_run = driver(name)
    assert driver_run.open() == OK
    if design.settings.values:
        assert driver_run.configure(design.settings.values) == OK
    empty = packed(driver_run.description, random_tuples(design, 5, 1))[:0]
    for _ in range(2):
        result, raw = driver_run.run(empty, 3)
        assert (result, len(raw)) == (OK, 0)


@pytest.mark.in_turn
@pytest.mark.parametrize(
    ("name", "counter", "error"),
    [
        ("streamzip", "collision", "evicted"),
        ("streamzip, small rings", "overflowed_windows", "overflowed"),
        ("window-id", "overrun", "lost"),
    ],
)
def test_counted_losses_are_results(driver, monkeypatch, name, counter, error):
    """The counter of evicted keys, overflowed windows or lost tuples grows in the stream.

    All rows are there.
    """
    monkeypatch.setitem(DESIGNS, "streamzip, small rings", SMALL_RINGS)
    design, driver_run = driver(name)
    board, description = driver_run.board, driver_run.description
    read, address = board._simulation.read, description.registers[f"{counter}_low"]
    counts = {False: 0, True: 3}  # before and after the first packet of rows
    monkeypatch.setattr(
        board._simulation,
        "read",
        lambda at: counts[bool(board.packets)] if at == address else read(at),
    )
    assert driver_run.open() == OK
    assert driver_run.configure(design.settings.values) == OK
    tuples = packed(description, random_tuples(design, 80, 0))
    result, raw = driver_run.run(tuples, 200)
    assert (result, len(raw)) == (ERRORS[error], sum(board.packets))
    assert len(raw) > 0


def test_the_function_is_checked():
    """The driver refuses a function number above that of the last function."""
    design = DESIGNS["group-by, select"]
    last = len(design.settings.functions) - 1
    source = host_driver(design, "sluice_x")["sluice_x_driver.c"]
    assert f"if (settings->function > {last})\n        return SLUICE_X_BAD_SETTING;" in source


def test_no_engine_answers(driver, monkeypatch):
    _, driver_run = driver("two-stacks")
    monkeypatch.setattr(driver_run.board._simulation, "read", lambda address: 0xFFFF_FFFF)
    assert driver_run.open() == ERRORS["no engine"]


def test_another_design_answers(driver, monkeypatch):
    _, driver_run = driver("two-stacks")
    read = driver_run.board._simulation.read
    address = driver_run.description.registers["configuration"]
    monkeypatch.setattr(driver_run.board._simulation, "read", lambda at: read(at) ^ (at == address))
    assert driver_run.open() == ERRORS["other design"]


def sources(design):
    """Returns the driver of a design named sluice_x, and the driver's headers, by file name."""
    registers = registers_of(design)
    headers = exports(registers.values(), Ports(top="sluice_x", buses=buses_of(design)))
    return host_driver(design, "sluice_x") | {
        "sluice_x.h": headers["sluice_x.h"],
        "sluice_x_host.h": host_header(design, "sluice_x", registers),
    }


@pytest.mark.in_turn
@pytest.mark.parametrize("name", DESIGNS)
def test_every_driver_is_strict_c(tmp_path, name):
    """The driver compiles as C99 and as C++ without a warning."""
    texts = sources(DESIGNS[name])
    for path, text in texts.items():
        (tmp_path / path).write_text(text)
    for compiler in (["gcc", "-std=c99", *STRICT], ["g++", "-std=c++11", *STRICT, "-x", "c++"]):
        if shutil.which(compiler[0]) is None:
            raise ToolMissingError(compiler[0])
        command = [*compiler, "-c", "sluice_x_driver.c", "-o", "driver.o"]
        built = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True)
        assert (built.returncode, built.stderr) == (0, "")


#: Design and face whose driver the model of a DMA runs, by the end of a packet.
PACKETS = {
    "stream": ("group-by", Face()),
    "window": ("two-stacks", Face(packets="window")),
    "marked": ("two-stacks", Face(packets="window", end_marker=True)),
}


@pytest.fixture(params=PACKETS, scope="module")
def run_on_a_dma(request, tmp_path_factory):
    """Returns a function that runs a driver on axi_dma_model.c and returns the output."""
    if shutil.which("gcc") is None:
        raise ToolMissingError("gcc")
    name, face = PACKETS[request.param]
    folder = tmp_path_factory.mktemp("model")
    for path, text in sources(DESIGNS[name].with_face(face)).items():
        (folder / path).write_text(text)
    model, program = Path(__file__).with_name("axi_dma_model.c"), folder / "model"
    command = ["gcc", "-std=c99", *STRICT, "-fsanitize=undefined", "-I", folder, model]
    command += [folder / "sluice_x_driver.c", "-o", program]
    built = subprocess.run(command, capture_output=True, text=True)
    assert built.returncode == 0, built.stderr

    def run(seed, fifo, reset, rows):
        arguments = map(str, (seed, request.param, fifo, reset, *rows))
        completed = subprocess.run(
            [program, *arguments], capture_output=True, text=True, timeout=60
        )
        return (completed.stdout + completed.stderr).strip()

    return run


@pytest.mark.in_turn(5)
@pytest.mark.parametrize("fifo", [0, 1, 4])
@pytest.mark.parametrize(
    ("rows", "reset"),
    [((3, 5), -1), ((7, 1, 4), -1), ((0, 4, 0, 0, 2), -1), ((5, 6, 3), 0), ((2, 0, 9, 4), 2)],
)
def test_streams_in_a_row_on_a_dma(run_on_a_dma, fifo, rows, reset):
    """The driver follows the rules of a DMA, at many random speeds of the DMA.

    No transfer starts while another one runs, no stream ends before its rows have arrived, and a
    stream that a reset cuts leaves no rows for the next stream.
    """
    for seed in range(20):
        assert run_on_a_dma(seed, fifo, reset, rows) == "pass", seed

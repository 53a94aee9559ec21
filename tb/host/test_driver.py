"""The generated driver: strict C99; its rows are golden's on the simulation, and it keeps the rules
of an AXI DMA on a model of one."""

import ctypes
import shutil
import subprocess
from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest

from boards.board import Ports
from gen.directory.regmap import exports
from gen.host.c_driver import host_driver
from gen.host.c_header import host_header
from golden.comparison import first_difference
from host.columns import order_key, raw_of
from host.description import Description
from host.packing import pack
from host.rows import rows_of
from host.tables import table_of
from rtl.bus.ports import buses_of
from rtl.bus.top import registers_of
from rtl.contract.face import Face
from sim.errors import ToolMissingError
from sim.host_simulation import CompiledSimulation
from tb.host.tables import expected, random_tuples, same_kinds
from tb.rtl.engine.points import DESIGNS

pytestmark = pytest.mark.hdl

STRICT = ("-Wall", "-Wextra", "-Werror", "-pedantic", "-O1")
OK, RUNNING = 0, 1
ERRORS = {"no engine": -1, "bad setting": -3, "no room": -5, "error": -6}
#: By the design, the second run's settings.
RUNS = {"group-by": {}, "two-stacks": {"size": 5, "slide": 2}, "streamzip": {"size": 4, "slide": 2}}
"""C calls that are given to the driver, by name: what they give, and what they take."""
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
    """What the driver calls: registers and streams of a simulation.

    ``slow`` is how often it is asked for a packet before that is there. A receive that has begun
    cannot be replaced by another one.
    """

    def __init__(self, told, simulation, slow=0):
        self._told, self._simulation, self._slow = told, simulation, slow
        self._waiting, self._asked, self._into, self.packets = [], 0, None, []
        made = {name: kind(getattr(self, name)) for name, kind in CALLS.items()}
        self.table = BoardTable(None, *made.values())

    def read(self, _, address):
        return self._simulation.read(address)

    def write(self, _, address, value):
        self._simulation.write(address, value)

    def send(self, _, data, count):
        raw = np.frombuffer(ctypes.string_at(data, count), np.uint8)
        given = self._simulation.transfer(raw.reshape(-1, self._told.tuples.bytes), lambda: True)
        self._waiting += given["m_axis"]
        return 0

    def receive(self, _, data, room):
        if self._into is not None or not room:
            return -1
        self._into = data, room
        return 0

    def received(self, _, count):
        assert self._into is not None
        self._asked += 1
        if not self._waiting or self._asked <= self._slow:
            return 0
        packet, (data, room), self._asked = self._waiting.pop(0).tobytes(), self._into, 0
        self._into = None
        if len(packet) > room:
            return -1
        ctypes.memmove(data, packet, len(packet))
        count[0] = len(packet)
        return 1

    def sent(self, _):
        return 1

    def stop(self, _):
        self._waiting.clear()
        self._into = None
        return 0

    def packet(self, _, rows, count):
        self.packets.append(count // self._told.rows.bytes)


@pytest.fixture
def driver(generated, cache, tmp_path):
    """The library of a design's driver, compiled strictly, on a simulation of its Verilog."""
    opened = []

    def made(name, slow=0):
        if shutil.which("gcc") is None:
            raise ToolMissingError("gcc")
        design, directory = generated(name)
        told = Description.read(directory)
        source = directory / "registers" / f"{told.name}_driver.c"
        library = tmp_path / "driver.so"
        command = ["gcc", "-std=c99", *STRICT, "-fPIC", "-shared", source, "-o", library]
        built = subprocess.run(command, capture_output=True, text=True)
        assert built.returncode == 0, built.stderr
        opened.append(CompiledSimulation(told, cache=cache / "bench"))
        return design, Driver(told, ctypes.CDLL(str(library)), Board(told, opened[-1], slow))

    yield made
    for simulation in opened:
        simulation.close()


class Driver:
    """The driver's functions."""

    def __init__(self, told, library, board):
        self.told, self.board, self._library = told, board, library
        self._state = ctypes.create_string_buffer(256)

    def call(self, name, *arguments):
        return getattr(self._library, f"{self.told.name}_{name}")(self._state, *arguments)

    def open(self):
        return self.call("open", ctypes.byref(self.board.table))

    def configure(self, numbers):
        """All of them are 64 bits wide, in the order of the registers."""
        values = [numbers.get(name, s.value or 0) for name, s in self.told.settings.items()]
        return self.call("configure", (ctypes.c_int64 * len(values))(*values))

    def run(self, tuples, room):
        """The last result, and the rows' bytes."""
        size = self.told.rows.bytes
        rows, count = ctypes.create_string_buffer(room * size + 1), ctypes.c_size_t()
        given = tuples.tobytes()
        found = self.call(
            "submit", given, ctypes.c_size_t(len(tuples)), rows, ctypes.c_size_t(room)
        )
        for _ in range(100_000):
            if found not in (OK, RUNNING):
                break
            found = self.call("poll", ctypes.byref(count))
            if found == OK:
                break
        raw = np.frombuffer(rows.raw[: count.value * size], np.uint8)
        return found, raw.reshape(-1, size)


def packed(told, tuples):
    """A table of raw values as bytes; group-by wants it sorted."""
    types = {field.name: field.type for field in told.tuples.fields}
    raws = {n: raw_of(tuples.table[n].to_numpy(), n, t, raw=True) for n, t in types.items()}
    by = [order_key(raws[name], types[name]) for name in told.host["sorted_by"]]
    order = np.lexsort(by[::-1]) if by else slice(None)
    return pack([column[order] for column in raws.values()], told.tuples)


def table(told, raw, packets):
    """Rows as the host class reads them, for golden's columns."""
    parts = np.split(raw, np.cumsum(packets)[:-1]) if packets else []
    return table_of(rows_of(told, [parts], raw=True), pa.table({}))


@pytest.mark.parametrize("slow", [0, 3])
@pytest.mark.parametrize("name", RUNS)
def test_rows_are_those_of_golden(driver, cache, name, slow):
    """Two runs in a row, with other settings, packets at once and after some polls."""
    design, made = driver(name, slow)
    assert made.open() == OK
    for seed, numbers in enumerate(({}, RUNS[name])):
        settings = design.settings.values | numbers
        if settings:
            assert made.configure(settings) == OK
        tuples = random_tuples(design, 80, seed)
        rows = expected(design, tuples, settings, cache).rows
        made.board.packets.clear()
        found, raw = made.run(packed(made.told, tuples), rows.num_rows)
        assert found == OK
        assert sum(made.board.packets) == len(raw) == rows.num_rows > 0
        came = same_kinds(table(made.told, raw, made.board.packets), rows)
        assert first_difference(rows, came) is None


def test_what_goes_wrong(driver):
    design, made = driver("two-stacks")
    assert made.open() == OK
    assert made.configure({"size": 4, "slide": 0}) == ERRORS["bad setting"]
    assert made.configure({"size": 4, "slide": 2}) == OK
    tuples = random_tuples(design, 20, 1)
    found, good = made.run(packed(made.told, tuples), 100)
    assert (found, len(good)) == (OK, 9)
    found, _ = made.run(packed(made.told, tuples), 3)
    assert found in (ERRORS["no room"], -8)
    assert made.call("reset", 100) == OK
    assert made.configure({"size": 2, "slide": 4}) == OK
    assert made.run(packed(made.told, tuples), 100)[0] == ERRORS["error"]
    assert made.call("reset", 100) == OK
    assert made.configure({"size": 4, "slide": 2}) == OK
    found, again = made.run(packed(made.told, tuples), 100)
    assert found == OK
    assert np.array_equal(again, good)


@pytest.mark.parametrize("name", RUNS)
def test_a_stream_without_a_tuple(driver, name):
    """It ends, and the next one is as ever."""
    design, made = driver(name)
    assert made.open() == OK
    if design.settings.values:
        assert made.configure(design.settings.values) == OK
    empty = packed(made.told, random_tuples(design, 5, 1))[:0]
    for _ in range(2):
        found, raw = made.run(empty, 3)
        assert (found, len(raw)) == (OK, 0)


def test_no_engine_answers(driver, monkeypatch):
    _, made = driver("two-stacks")
    monkeypatch.setattr(made.board._simulation, "read", lambda address: 0xFFFF_FFFF)
    assert made.open() == ERRORS["no engine"]


def sources(design):
    """The driver of a design called sluice_x, and the headers that it includes, by their names."""
    registers = registers_of(design)
    made = exports(registers.values(), Ports(top="sluice_x", buses=buses_of(design)))
    return host_driver(design, "sluice_x") | {
        "sluice_x.h": made["sluice_x.h"],
        "sluice_x_host.h": host_header(design, "sluice_x", registers),
    }


@pytest.mark.parametrize("name", DESIGNS)
def test_every_driver_is_strict_c(tmp_path, name):
    """Without a word of the compiler, as C99 and as C++."""
    texts = sources(DESIGNS[name])
    for path, text in texts.items():
        (tmp_path / path).write_text(text)
    for compiler in (["gcc", "-std=c99", *STRICT], ["g++", "-std=c++11", *STRICT, "-x", "c++"]):
        if shutil.which(compiler[0]) is None:
            raise ToolMissingError(compiler[0])
        command = [*compiler, "-c", "sluice_x_driver.c", "-o", "driver.o"]
        built = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True)
        assert (built.returncode, built.stderr) == (0, "")


#: The face of a design whose driver the model of a DMA runs, by what ends a packet.
PACKETS = {
    "stream": ("group-by", Face()),
    "window": ("two-stacks", Face(packets="window")),
    "marked": ("two-stacks", Face(packets="window", end_marker=True)),
}


@pytest.fixture(params=PACKETS, scope="module")
def behind_a_dma(request, tmp_path_factory):
    """Runs a driver against the model of an AXI DMA, see axi_dma_model.c: what it prints."""
    if shutil.which("gcc") is None:
        raise ToolMissingError("gcc")
    name, face = PACKETS[request.param]
    folder = tmp_path_factory.mktemp("model")
    for path, text in sources(DESIGNS[name].faced(face)).items():
        (folder / path).write_text(text)
    model, program = Path(__file__).with_name("axi_dma_model.c"), folder / "model"
    command = ["gcc", "-std=c99", *STRICT, "-fsanitize=undefined", "-I", folder, model]
    command += [folder / "sluice_x_driver.c", "-o", program]
    built = subprocess.run(command, capture_output=True, text=True)
    assert built.returncode == 0, built.stderr

    def run(seed, fifo, reset, rows):
        arguments = map(str, (seed, request.param, fifo, reset, *rows))
        done = subprocess.run([program, *arguments], capture_output=True, text=True, timeout=60)
        return (done.stdout + done.stderr).strip()

    return run


@pytest.mark.parametrize("fifo", [0, 1, 4])
@pytest.mark.parametrize(
    ("rows", "reset"),
    [((3, 5), -1), ((7, 1, 4), -1), ((0, 4, 0, 0, 2), -1), ((5, 6, 3), 0), ((2, 0, 9, 4), 2)],
)
def test_streams_in_a_row_behind_a_dma(behind_a_dma, fifo, rows, reset):
    """No transfer is begun while one runs, no stream is over before its rows have come, and what a
    reset cuts leaves nothing behind; at many random speeds of the DMA."""
    for seed in range(20):
        assert behind_a_dma(seed, fifo, reset, rows) == "pass", seed

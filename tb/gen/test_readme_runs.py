"""Follows READMEs of generated directories literally: the registers, the program, the commands.

If the program needs a board, a simulation of the directory's Verilog replaces the board: behind a
stand-in of `pynq`, or behind a UDP socket and Ethernet frames.
"""

import re
import shutil
import socket
import subprocess
import sys
import threading

import numpy as np
import pandas
import pytest

from gen.design.network import DESIGN, HOST
from host import HangError, HostError
from host.datagrams import DatagramLink
from host.description import Description
from query.window import Range
from rtl.contract.rows import Role
from sim.beats import Beats
from sim.bench import Bench
from sim.errors import ToolMissingError
from sim.host_simulation import CompiledSimulation
from sim.session import Session
from sim.wire.frames import frame_of, payload_of
from tb.gen.readmes import KINDS, build_of, to_csv, written
from tb.host.stand_in import Module
from tb.host.tables import expected, random_tuples

pytestmark = pytest.mark.hdl

TABLES = [name for name, design in KINDS.items() if not design.input.punctuations]
#: Designs of `make test`: one without a board, whose model other tests build, too, and one with a
#: network. tb/gen/test_readme_names.py runs the programs of all kinds without any Verilog.
DAILY = {("pane", None), "two-stacks"}


def marked(values):
    return [pytest.param(*v, marks=() if v in DAILY else pytest.mark.regress) for v in values]


@pytest.mark.in_turn
@pytest.mark.parametrize(
    ("name", "board"),
    marked([("pane", None), *((n, b) for n in TABLES for b in ("ultra96-v2", "de5-net"))]),
)
def test_the_program_gives_the_rows(name, board, tmp_path, cache, monkeypatch):
    """The program runs on a stand-in of PYNQ where README.md promises PYNQ, else in simulation."""
    readme = written(build_of(name, board), tmp_path, cache)
    tuples = random_tuples(readme.design, 250, 3)
    to_csv(readme.design, tuples, tmp_path / "data.csv")
    (tmp_path / "build").mkdir()
    (tmp_path / "build" / "cache").symlink_to(cache / "bench")  # where models are looked for
    simulation = None
    if "PYNQ" in readme.text:
        description = Description.read(tmp_path)
        simulation = CompiledSimulation(description, cache=cache / "bench")
        monkeypatch.setitem(sys.modules, "pynq", Module(simulation, description.streams))
    space = program(readme, tmp_path, monkeypatch)
    if simulation is not None:
        simulation.close()
    start = int(space["start"] * 2 ** time_fraction(readme.design)) if "start" in space else None
    compare(readme.design, tuples, space["rows"], start, cache)


@pytest.mark.in_turn(5)
@pytest.mark.parametrize(
    "name", [pytest.param(n, marks=() if n in DAILY else pytest.mark.regress) for n in TABLES]
)
def test_datagrams_give_the_rows(name, tmp_path, cache, monkeypatch):
    """The Verilog runs behind a UDP socket; registers are written and read as the README says."""
    readme = written(build_of(name, face={"network": True}), tmp_path, cache)
    tuples = random_tuples(readme.design, 400, 3)
    to_csv(readme.design, tuples, tmp_path / "data.csv")
    with Wire(readme, cache) as wire:
        start = first_start(readme.design, tuples)
        earlier = wire.follow({"start": start})
        assert earlier == "send"
        monkeypatch.setattr("builtins.input", wire.choose)
        rows = program(readme, tmp_path, monkeypatch, wire.addressed)["rows"]
        wire.follow({})
        assert wire.compared == {"tuples_low", "datagrams_low", "streams_low", "overflow_low"}
    desired = None if readme.design.query.where is None or start is None else start
    compare(readme.design, tuples, rows, desired, cache)


@pytest.mark.regress
@pytest.mark.parametrize("network", [False, True])
@pytest.mark.parametrize("name", KINDS)
def test_the_first_test_passes(name, network, tmp_path, cache):
    if shutil.which("iverilog") is None:
        raise ToolMissingError("iverilog")
    if network and name not in TABLES:
        pytest.skip("tuser has no place in a datagram: such a design is refused")
    readme = written(build_of(name, face={"network": network}), tmp_path, cache)
    process = subprocess.run(
        readme.commands[-1], shell=True, cwd=tmp_path, capture_output=True, text=True
    )
    assert process.returncode == 0, process.stdout + process.stderr
    assert f"PASS: {readme.build.name}\n" in process.stdout


class Wire:
    """Design with a network face: its registers, and a UDP socket in the place of its wire.

    At the end of a stream the datagrams of the socket go to the design in Ethernet frames. The
    contents of the design's frames go back to the sender of the tuples.
    """

    def __init__(self, readme, cache):
        self._readme, design = readme, readme.design
        bench = Bench(
            top=readme.build.name,
            streams=design.pins,
            memories=design.memories,
            verilog=readme.files[f"{readme.build.name}.v"],
            cache=cache / "bench",
        )
        self._session = Session(bench)
        self._session.run()  # builds the model before a program waits
        self._steps = list(readme.steps)
        self._socket = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        self._socket.bind(("127.0.0.1", 0))
        self._thread = threading.Thread(target=self._serve, daemon=True)
        self.tuples = self.datagrams = self.streams = 0
        self.compared = set()  # counters that the README reads, and that had the right value

    def __enter__(self):
        self._thread.start()
        return self

    def __exit__(self, *_):
        self._socket.sendto(b"end", self._socket.getsockname())
        self._thread.join()
        self._socket.close()
        self._session.close()

    def follow(self, user_values):
        """Follows the steps of the README up to the step that sends, or to the end.

        ``user_values`` has values for settings that only the user knows, by name.
        """
        while self._steps:
            action, register, address, value = self._steps.pop(0)
            if action == "send":
                return action
            if action == "write":
                self._session.run(
                    writes=[(address, self._word(register, value, user_values))], drain=8
                )
                continue
            read = self._session.run(reads=[address], drain=64).reads[0]
            sent = {"tuples_low": self.tuples, "datagrams_low": self.datagrams}
            sent |= {"streams_low": self.streams, "overflow_low": 0}
            if register in sent:
                assert read == sent[register], register
                self.compared.add(register)
            elif value.startswith("0x"):
                desired, _, mask = value.partition(" in ")
                assert read & int(mask or "0xffffffff", 16) == int(desired, 16), register
        return None

    def choose(self, prompt):
        """Writes the number of the prompt to the register that the prompt names."""
        number, register = re.search(r"Write (\d+) to the register (\w+)", prompt).groups()
        address = self._readme.registers[register].address
        self._session.run(writes=[(address, int(number))], drain=8)

    def addressed(self, text):
        """Returns the program with addresses of this machine and with a free port."""
        engine = self._socket.getsockname()
        text, result = re.subn(r'engine=\("10.0.0.1", 4001\)', f"engine={engine}", text)
        text, other = re.subn(r'here=\("10.0.0.2", 4002\)', 'here=("127.0.0.1", 0)', text)
        assert (result, other) == (1, 1)
        return text

    def _word(self, register, value, user_values):
        if value != "yours":
            return int(value, 16)
        name = re.sub("_(low|high)$", "", register)
        numbers = {number.name: number for number in self._readme.design.settings.numbers}
        number = user_values[name] if name in user_values else numbers[name].value or 0
        return number >> (32 if register.endswith("_high") else 0) & 0xFFFF_FFFF

    def _serve(self):
        pending = []
        while True:
            payload, source = self._socket.recvfrom(1 << 16)
            if payload == b"end":
                return
            pending.append(payload)
            if not payload:
                for answer in self._answers(pending):
                    self._socket.sendto(answer, source)
                pending = []

    def _answers(self, payloads):
        self.datagrams += len(payloads)
        self.tuples += sum(map(len, payloads)) // self._readme.design.input.packing.bytes
        self.streams += 1
        received = []
        for payload in payloads:  # each is taken before the next one comes
            frame = np.frombuffer(frame_of(payload, HOST, DESIGN), np.uint8).reshape(-1, 1)
            beats = Beats.from_streams([frame], 8)
            outcome = self._session.run({"s_axis_rx": beats}, drain=6000).checked()
            received += outcome.outputs["m_axis_tx"].beats.streams(1)
        return [payload_of(frame.tobytes(), DESIGN, HOST) for frame in received]


def program(readme, directory, monkeypatch, changed=str):
    """Runs the README's program in a directory, and returns its variables."""
    monkeypatch.chdir(directory)
    space = {}
    exec(compile(changed(readme.programs["python"]), "README.md", "exec"), space)
    return space


def compare(design, tuples, rows, start, cache):
    """Checks that the rows are golden's, with fixed point scaled."""
    settings = dict(design.settings.values)
    if start is not None:
        settings["start"] = start
    answer = expected(design, tuples, settings, cache)
    scales = fractions(design)
    assert list(rows.columns) == answer.rows.column_names
    assert len(rows) == answer.rows.num_rows >= 3
    for name in rows.columns:
        for result, raw in zip(rows[name].tolist(), answer.rows[name].to_pylist(), strict=True):
            if raw is None:
                assert pandas.isna(result), name
            elif isinstance(raw, float):
                assert result == raw or (np.isnan(result) and np.isnan(raw)), name
            else:
                assert result == (raw / 2 ** scales[name] if scales.get(name) else raw), name


def fractions(design):
    """Returns the fraction bits of each column of the answer, from the query alone."""
    query = design.query
    result = dict.fromkeys(query.row_names, 0)
    names = query.row_names[len(query.row_names) - len(query.items) :]
    for name, item in zip(names, query.items, strict=True):
        result[name] = item.aggregate.fraction_bits
    if query.key is not None:
        result[query.key.name] = getattr(query.key.type, "fraction", 0)
    if design.rows.with_role(Role.WINDOW_END):
        result["window_end"] = time_fraction(design)
    return result


def time_fraction(design):
    window = design.query.window
    return window.attribute.type.fraction if isinstance(window, Range) else 0


def first_start(design, tuples):
    """Returns the time at which window 0 begins; with WHERE early enough for every tuple."""
    window = design.query.window
    if not isinstance(window, Range):
        return None
    times = [*map(int, tuples.table[window.attribute.name].to_pylist())]  # uint(64) is decimal
    if design.query.where is None:
        return (times[0] - window.slack) // window.slide * window.slide
    return min(times) // window.slide * window.slide


def test_a_link_says_what_is_wrong(tmp_path, cache):
    """No network, an address of another machine, no answer: each is one line."""
    readme = written(build_of("two-stacks", face={"network": True}), tmp_path / "wire", cache)
    assert readme.design.face.network
    written(build_of("two-stacks"), tmp_path / "dma", cache)
    local, engine = ("127.0.0.1", 0), ("127.0.0.1", 9)
    with pytest.raises(HostError, match=r"has no network face; use Engine\.open"):
        DatagramLink(tmp_path / "dma", engine=engine, here=local)
    with pytest.raises(HostError, match=r"192\.0\.2\.1:4002 must be of this machine"):
        DatagramLink(tmp_path / "wire", engine=engine, here=("192.0.2.1", 4002))
    link = DatagramLink(tmp_path / "wire", engine=engine, here=local, seconds=0.05)
    table = {f.name: np.zeros(3, np.int64) for f in readme.design.input.packing.fields}
    with link, pytest.raises(HangError, match=r"no datagram came in 0\.05 s"):
        link.run(table)

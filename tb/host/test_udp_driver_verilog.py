"""The C driver by UDP against the Verilog: rows equal golden's, and each loss is counted."""

import numpy as np
import pytest

from golden.compare.tables import first_difference
from host.columns import raw_of
from host.description import Description
from query.window import Range
from rtl.bus.setting_registers import register_words
from rtl.contract.face import Face
from tb.gen.host.udp_program import (
    NO_ERROR,
    NO_ROOM,
    OK,
    OTHER_DESIGN,
    ROWS_LOST,
    TRANSFER,
    UdpProgram,
    compiled,
)
from tb.host.c_arrays import packed, table
from tb.host.lossy_wire import KINDS, served
from tb.host.tables import expected, random_tuples, same_kinds
from tb.rtl.engine.points import DESIGNS

pytestmark = pytest.mark.hdl

#: The design of each day: its model is small.
DAILY = "pane"
REGRESS = pytest.mark.regress
LARGE = ("group-by", "pane", "swag")


@pytest.fixture
def linked(generated, tmp_path):
    """Returns a function from a design's name to the design, its directory, and its C program."""

    def build(name):
        design, directory = generated(name, network=True, host_link=True)
        folder = tmp_path / f"{directory.name}_c"
        folder.mkdir()
        return design, directory, compiled(design, folder)

    return build


class Runs:
    """Runs streams of random tuples by a program, and compares the rows with golden's."""

    def __init__(self, design, directory, driver, cache):
        self._design, self._driver, self._cache = design, driver, cache
        self._description = Description.read(directory)
        assert driver.opened == (OK, NO_ERROR), driver.text

    def expected(self, tuples):
        return expected(self._design, tuples, self._design.settings.values, self._cache).rows

    def run(self, count, seed, room=None):
        """Returns the tuples and the stream's outcome; ``room`` is enough by default."""
        tuples = random_tuples(self._design, count, seed)
        self._write_start(tuples)
        room = self.expected(tuples).num_rows if room is None else room
        return tuples, self._driver.run(packed(self._description, tuples).tobytes(), room)

    def check(self, tuples, stream):
        rows = self.expected(tuples)
        raw = np.frombuffer(stream.rows, np.uint8).reshape(-1, self._description.rows.bytes)
        assert (stream.result, stream.error, stream.lost) == (OK, NO_ERROR, 0)
        assert len(raw) == rows.num_rows > 0
        received = same_kinds(table(self._description, raw, stream.packets), rows)
        assert first_difference(rows, received) is None

    def _write_start(self, tuples):
        """Writes the time at which window 0 begins: of the first tuple, less the slack."""
        window = self._design.query.window
        if not isinstance(window, Range):
            return
        time = window.attribute
        times = tuples.table[time.name].to_numpy()
        first = int(raw_of(times, time.name, str(time.type), raw=True)[0])
        start = (first - window.slack) // window.slide * window.slide
        (number,) = (n for n in self._design.settings.numbers if n.name == "start")
        for name, word in register_words(number, start).items():
            self._driver.write(self._description.registers[name], word)


@pytest.mark.in_turn
def test_streams_after_each_other(linked, cache):
    """A stream larger than the engine's buffer, an empty one, and a small one; no repairs."""
    design, directory, program = linked(DAILY)
    with (
        served(directory, cache, level="-O0") as device,
        UdpProgram(program, device.at) as driver,
    ):
        runs = Runs(design, directory, driver, cache)
        tuples, stream = runs.run(6_000, 0)
        runs.check(tuples, stream)
        assert (stream.repeated, stream.resent) == (0, 0)
        empty = driver.run(b"", 3)
        assert (empty.result, empty.rows, empty.packets) == (OK, b"", [0])
        tuples, stream = runs.run(400, 0, room=3)
        assert (stream.result, driver.reset()) == (NO_ROOM, OK)
        runs.check(*runs.run(400, 0))


@pytest.mark.parametrize(
    ("name", "count", "share"),
    [
        pytest.param(DAILY, 3_000, 0.04, marks=REGRESS),
        *(pytest.param(n, 100_000, 0.01, marks=REGRESS) for n in LARGE),
    ],
)
def test_a_wire_that_harms_frames(linked, cache, name, count, share):
    """The driver repairs lost, doubled and swapped datagrams of tuples, and counts lost rows.

    The wire loses, doubles and swaps a ``share`` of the frames each. A run without a lost datagram
    of rows returns golden's rows. Any other run fails, with the number of lost datagrams.
    """
    design, directory, program = linked(name)
    counted = resent = 0
    level = "-O0" if name == DAILY else None
    with (
        served(directory, cache, share=share, seed=3, level=level) as device,
        UdpProgram(program, device.at) as driver,
    ):
        tuples_port, _ = device.ports
        runs = Runs(design, directory, driver, cache)
        for run in range(6):
            old_counts = device.wire.counts.copy()
            tuples, stream = runs.run(count // (1, 100)[run % 2], run // 2)
            harmed = device.wire.counts - old_counts
            resent += stream.resent
            if lost := harmed["lost", -tuples_port]:
                assert (stream.result, stream.error) == (TRANSFER, ROWS_LOST)
                assert stream.lost == lost
                counted += 1
                assert driver.reset() == OK
            else:
                runs.check(tuples, stream)
                assert stream.repeated == harmed["doubled", -tuples_port]
    assert {kind for kind, _ in device.wire.counts} == set(KINDS)
    assert device.wire.overtaken_count > 0
    assert counted + resent


@pytest.mark.in_turn
def test_one_lost_datagram_of_rows(linked, cache):
    """It is counted, and after a reset the same stream is right."""
    design, directory, program = linked(DAILY)
    with (
        served(directory, cache, level="-O0") as device,
        UdpProgram(program, device.at) as driver,
    ):
        runs = Runs(design, directory, driver, cache)
        device.wire.next_lost = -device.ports[0]
        _, stream = runs.run(400, 0)
        assert (stream.result, stream.error, stream.lost) == (TRANSFER, ROWS_LOST, 1)
        assert driver.reset() == OK
        runs.check(*runs.run(400, 0))


@pytest.mark.in_turn
def test_an_engine_of_another_design(generated, cache, tmp_path):
    _, directory = generated(DAILY, network=True, host_link=True)
    other = DESIGNS["two-stacks"].with_face(Face(network=True, host_link=True))
    program = compiled(other, tmp_path)
    with (
        served(directory, cache, level="-O0") as device,
        UdpProgram(program, device.at) as driver,
    ):
        assert driver.opened == (OTHER_DESIGN, NO_ERROR)


@REGRESS
@pytest.mark.parametrize("name", LARGE)
def test_a_hundred_thousand_tuples(linked, cache, name):
    design, directory, program = linked(name)
    with served(directory, cache) as device, UdpProgram(program, device.at) as driver:
        runs = Runs(design, directory, driver, cache)
        tuples, stream = runs.run(100_000, 7)
        runs.check(tuples, stream)
        assert stream.resent == 0

"""Checks the C driver for UDP against a plain model of the link.

The model loses, doubles and swaps datagrams.
"""

import itertools
import shutil
import subprocess
import time
from threading import Timer

import numpy as np
import pytest

from rtl.bus.registers import MAGIC
from rtl.bus.top_registers import registers_of
from rtl.contract.face import Face
from sim.errors import ToolMissingError
from tb.gen.host.udp_program import (
    ADDRESS,
    BUSY,
    CUT,
    NO_ANSWER,
    NO_ENGINE,
    NO_ERROR,
    NO_PROGRESS,
    NO_ROOM,
    OK,
    OTHER_DESIGN,
    REGISTERS_CHANGED,
    ROWS_LOST,
    STRICT,
    TRANSFER,
    UdpProgram,
    compiled,
    sources,
)
from tb.host.link_stand_in import LinkStandIn
from tb.rtl.engine.points import DESIGNS

LINK = Face(network=True, host_link=True)
#: Tuples of 5 bytes, rows of 4, one packet for each stream, four settings.
DESIGN = DESIGNS["two-stacks, constants"].with_face(LINK)
REGISTERS = registers_of(DESIGN)
TUPLE_BYTES, ROW_BYTES = 5, 4
#: Tuples of a datagram: the most of 5 bytes in 1,464.
TUPLES = 292


@pytest.fixture(scope="module")
def program(tmp_path_factory):
    return compiled(DESIGN, tmp_path_factory.mktemp("udp"))


def link(share=0.0, **options):
    """Returns the model with the registers of the design."""
    addresses = {name: register.address for name, register in REGISTERS.items()}
    model = LinkStandIn(
        share, registers=addresses, tuple_bytes=TUPLE_BYTES, row_bytes=ROW_BYTES, **options
    )
    model.values |= {"magic": MAGIC, "configuration": DESIGN.configuration_hash}
    return model


def tuples_of(count, seed=0):
    return np.random.default_rng(seed).integers(0, 256, (count, TUPLE_BYTES), np.uint8)


def check(model, stream, tuples):
    """Checks that the engine has taken each tuple once, and that one packet has all rows.

    A row is the last four bytes of its tuple, reversed. Forgets the taken tuples.
    """
    assert (stream.result, stream.error, stream.lost) == (OK, NO_ERROR, 0)
    assert b"".join(model.accepted_tuples) == tuples.tobytes()
    rows = np.frombuffer(stream.rows, np.uint8).reshape(-1, ROW_BYTES)
    assert np.array_equal(rows, tuples[:, : -ROW_BYTES - 1 : -1])
    assert stream.packets == [len(tuples)]
    model.accepted_tuples.clear()


def run(program, model, count, seed=0):
    tuples = tuples_of(count, seed)
    stream = program.run(tuples.tobytes(), count + 1)
    return tuples, stream


@pytest.mark.in_turn(5)
@pytest.mark.parametrize("count", [0, 1, TUPLES, TUPLES + 1, 20_000])
def test_streams_after_each_other(program, count):
    """Without a loss nothing is repaired, and the buffer of 16 KiB never overflows."""
    with link() as model, UdpProgram(program, model.at) as driver:
        assert driver.opened == (OK, NO_ERROR)
        for seed in range(2):
            tuples, stream = run(driver, model, count, seed)
            check(model, stream, tuples)
            assert (stream.repeated, stream.resent) == (0, 0)
    assert model.counters == {}


@pytest.mark.parametrize("number", [(1 << 16) - 3, (1 << 32) - 3])
def test_numbers_of_datagrams_wrap_around(program, number):
    """Numbers have 32 bits. Datagrams of rows have 16 bits of the number that the engine expects.

    The first stream begins at ``number`` in both directions.
    """
    with link() as model, UdpProgram(program, model.at) as driver:
        model.values["received"] = model._row_number = number
        for seed in range(2):
            tuples, stream = run(driver, model, 20_000, seed)
            check(model, stream, tuples)
            assert (stream.repeated, stream.resent) == (0, 0)
        # Each stream has 69 datagrams of at most 292 tuples, and an end.
        assert model.values["received"] == (number + 2 * 70) % (1 << 32)


@pytest.mark.in_turn
@pytest.mark.parametrize("drain", [1, 64])
def test_lost_doubled_and_swapped_tuples_and_requests(program, drain):
    """The rows are right although one of ten datagrams is lost, doubled or swapped."""
    share = 0.033
    with link(share, seed=drain, drain=drain, rows=0.0) as model:
        with UdpProgram(program, model.at) as driver:
            for seed in range(2):
                tuples, stream = run(driver, model, 10_000, seed)
                check(model, stream, tuples)
                assert stream.resent > 0
                assert stream.repeated == 0
        assert model.counters["overflow"] == 0
    for kind in ("lost", "doubled", "swapped"):
        assert all(model.wires[name].counts[kind] for name in ("requests", "answers", "tuples"))


def test_lost_rows_are_counted(program):
    """Each lost datagram of rows is counted; doubled and swapped ones change no row."""
    lost_runs = complete_runs = 0
    with link(rows=0.01, seed=2) as model, UdpProgram(program, model.at) as driver:
        for seed in range(12):
            old_counts = model.wires["rows"].counts.copy()
            tuples, stream = run(driver, model, 12_000, seed)
            harmed = model.wires["rows"].counts - old_counts
            # The model does not send the last datagram of a stream if none overtakes it.
            lost = harmed["lost"] + (model.wires["rows"]._delayed is not None)
            if lost:
                assert (stream.result, stream.error) == (TRANSFER, ROWS_LOST)
                assert stream.lost == lost
                assert driver.reset() == OK
                model.accepted_tuples.clear()
                lost_runs += 1
            else:
                check(model, stream, tuples)
                assert stream.repeated == harmed["doubled"]
                complete_runs += 1
    assert lost_runs
    assert complete_runs


def only_the_third_is_lost():
    numbers = itertools.count()
    return lambda datagram: [] if next(numbers) == 2 else [datagram]


def test_more_than_the_slots_behind_a_lost_datagram(program):
    """The driver accepts more rows after a lost datagram than it has slots for early datagrams.

    It reports one lost datagram.
    """
    with link() as model, UdpProgram(program, model.at) as driver:
        model.wires["rows"].passed = only_the_third_is_lost()
        tuples, stream = run(driver, model, 200 * TUPLES)
        assert (stream.result, stream.error, stream.lost) == (TRANSFER, ROWS_LOST, 1)
        assert driver.reset() == OK
        model.accepted_tuples.clear()
        tuples, stream = run(driver, model, 200 * TUPLES)
        check(model, stream, tuples)


def test_rows_wait_for_a_slow_program(program):
    """A program that polls seldom loses nothing, though rows come long before it polls."""
    with link() as model, UdpProgram(program, model.at) as driver:
        driver.pause(400)
        tuples, stream = run(driver, model, 4 * TUPLES)
        check(model, stream, tuples)


def test_rows_that_come_late(program):
    """The first datagram of rows comes after all others, when the engine is idle already."""
    with link() as model, UdpProgram(program, model.at) as driver:
        send_rows, late = model._send_rows, []

        def first_is_late(rows):
            if model._row_number:
                return send_rows(rows)
            passed = model.wires["rows"].passed
            model.wires["rows"].passed = lambda datagram: late.append(datagram) or []
            send_rows(rows)
            model.wires["rows"].passed = passed
            Timer(0.1, arrive).start()

        def arrive():
            model._sockets["tuples"].sendto(late[0], ("127.0.0.1", model.values["to_port"]))

        model._send_rows = first_is_late
        tuples, stream = run(driver, model, 3 * TUPLES)
        assert len(late) == 1
        check(model, stream, tuples)


def test_too_little_room_for_rows(program):
    with link() as model, UdpProgram(program, model.at) as driver:
        for count, room in ((50, 49), (20_000, 19_999), (20_000, 100)):
            assert driver.run(tuples_of(count).tobytes(), room).result == NO_ROOM
            assert driver.reset() == OK
            model.accepted_tuples.clear()
            tuples, stream = run(driver, model, 600, 1)
            check(model, stream, tuples)


def test_an_engine_that_does_not_answer(program):
    with link() as model:
        model.is_silent = True
        begin = time.monotonic()
        with UdpProgram(program, model.at, milliseconds=300) as driver:
            assert driver.opened == (NO_ENGINE, NO_ANSWER)
            assert driver.text.startswith("no answer in time: is this the address of the engine's")
        assert 0.3 < time.monotonic() - begin < 2


def test_an_engine_that_stops_to_answer(program):
    """The stream ends with an error in time. When the engine answers again, a reset helps."""
    with link(drain=1) as model, UdpProgram(program, model.at, milliseconds=300) as driver:
        tuples, stream = run(driver, model, 1_000)
        check(model, stream, tuples)
        model.is_silent = True
        begin = time.monotonic()
        stream = driver.run(tuples.tobytes(), 1_000)
        assert (stream.result, stream.error) == (TRANSFER, NO_ANSWER)
        assert driver.reset() == TRANSFER
        assert time.monotonic() - begin < 3
        model.is_silent = False
        assert driver.reset() == OK
        model.accepted_tuples.clear()
        tuples, stream = run(driver, model, 1_000, 1)
        check(model, stream, tuples)


@pytest.mark.parametrize("field", ["magic", "configuration"])
def test_another_design(program, field):
    """Nothing is written to an engine of another design."""
    with link() as model:
        model.values[field] ^= 1
        old_values = dict(model.values)
        with UdpProgram(program, model.at) as driver:
            assert driver.opened[0] == (NO_ENGINE if field == "magic" else OTHER_DESIGN)
        assert model.values == old_values


def test_an_address_that_does_not_exist(program):
    result = subprocess.run(
        [program, "no.such.host.invalid", "1234", "300", "0"], capture_output=True, text=True
    )
    assert result.stdout.startswith(f"open {TRANSFER} {ADDRESS} the engine has no IPv4 address")


@pytest.mark.parametrize("taken", [0, 3])
def test_an_engine_that_takes_no_tuple(program, taken):
    """The error comes in time. A reset cuts the stream, and the next stream is right."""
    with (
        link(datagram_limit=taken) as model,
        UdpProgram(program, model.at, milliseconds=300) as driver,
    ):
        begin = time.monotonic()
        tuples, stream = run(driver, model, 20_000)
        assert (stream.result, stream.error) == (TRANSFER, NO_PROGRESS)
        assert time.monotonic() - begin < 2
        assert driver.run(tuples.tobytes(), 30_000).result == BUSY
        model.datagram_limit = None
        assert driver.reset() == OK
        model.accepted_tuples.clear()
        tuples, stream = run(driver, model, 500, 1)
        check(model, stream, tuples)


def test_all_tuples_are_lost(program):
    with link(tuples=1.0) as model, UdpProgram(program, model.at, milliseconds=300) as driver:
        _, stream = run(driver, model, 5_000)
        assert (stream.result, stream.error) == (TRANSFER, NO_PROGRESS)
        assert stream.resent > 0
    assert model.accepted_tuples == []


def test_another_program_sends_tuples(program):
    """The driver reports a cut stream if the engine has received more than the driver sent."""
    with link() as model, UdpProgram(program, model.at, milliseconds=300) as driver:
        model.datagram_limit = 0

        def take(datagram):
            model.values["received"] += 100_000

        model._take = take
        _, stream = run(driver, model, 500)
        assert (stream.result, stream.error) == (TRANSFER, CUT)


def test_a_reset_that_the_network_delivers_twice(program):
    """A reset in the middle of a stream cuts it: missing rows would be a wrong answer."""
    with link() as model, UdpProgram(program, model.at) as driver:
        for _ in range(2):
            tuples, stream = run(driver, model, 1_000)
            check(model, stream, tuples)
        send_rows = model._send_rows

        def reset_once(rows):
            model._send_rows = send_rows
            model._write("control", 1)

        model._send_rows = reset_once
        _, stream = run(driver, model, 1_000)
        assert (stream.result, stream.error) == (TRANSFER, CUT)
        assert driver.reset() == OK
        model.accepted_tuples.clear()
        check(model, *run(driver, model, 1_000)[::-1])


def test_a_program_that_died_in_a_stream(program):
    """The next program resets the engine, and ends the stream that was cut."""
    with link(datagram_limit=2) as model:
        first = UdpProgram(program, model.at, milliseconds=300)
        assert run(first, model, 5_000)[1].result == TRANSFER
        first.kill()
        model.datagram_limit = None
        with UdpProgram(program, model.at) as second:
            assert second.opened == (OK, NO_ERROR)
            model.accepted_tuples.clear()
            tuples, stream = run(second, model, 300, 2)
            check(model, stream, tuples)
    assert model.counters["resets"] >= 1


def test_registers_that_change(program):
    """A changed setting is written again before a stream; after a stream it is an error."""
    with link() as model, UdpProgram(program, model.at) as driver:
        settings = {name: model.values[name] for name in ("size", "slide", "where0")}
        assert settings == {"size": 1, "slide": 1, "where0": 3}
        model.values["size"] = 5
        tuples, stream = run(driver, model, 100)
        check(model, stream, tuples)
        assert model.values["size"] == 1
        send_rows = model._send_rows

        def change(rows):
            model.values["size"] = 6
            send_rows(rows)

        model._send_rows = change
        _, stream = run(driver, model, 100)
        assert (stream.result, stream.error) == (TRANSFER, REGISTERS_CHANGED)


def test_the_link_is_as_before_after_close(program):
    with link() as model:
        model.values |= {"to_address": 0x0A000002, "to_port": 4002, "to_mac_low": 5}
        before = dict(model.values)
        with UdpProgram(program, model.at, flush_cycles=77):
            during = dict(model.values)
    assert (during["numbered"], during["flush_cycles"]) == (3, 77)
    assert during["to_address"] == 0x7F000001
    assert (during["to_mac_low"], during["to_mac_high"]) == (0xFFFF_FFFF, 0xFFFF)
    settings = {number.name for number in DESIGN.settings.numbers}
    changed = {name for name, value in model.values.items() if before.get(name) != value}
    assert changed <= settings


def possible(name):
    try:
        return DESIGNS[name].with_face(LINK)
    except ValueError:
        return None


#: The fewest settings, the most, and a design with functions.
DAILY = ("group-by", "streamzip, constants", "group-by, select")


@pytest.mark.parametrize(
    "name",
    [
        pytest.param(name, marks=() if name in DAILY else pytest.mark.regress)
        for name in DESIGNS
        if possible(name)
    ],
)
def test_every_design_is_strict_c(tmp_path, name):
    """The files compile as C99 and as C++ without a warning."""
    for path, text in sources(possible(name)).items():
        (tmp_path / path).write_text(text)
    for compiler in (["gcc", "-std=c99", *STRICT], ["g++", "-std=c++11", *STRICT, "-x", "c++"]):
        if shutil.which(compiler[0]) is None:
            raise ToolMissingError(compiler[0])
        command = [*compiler, "-c", "sluice_x_udp.c", "-o", "udp.o"]
        built = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True)
        assert (built.returncode, built.stderr) == (0, "")

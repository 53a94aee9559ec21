"""The back end by UDP against the Verilog: rows equal golden's, and each loss is told."""

import time

import pytest

from host import DeviceError, Engine, HangError, HostError, LossError
from host.backend import Backend
from tb.gen.commands.serving import frames_of
from tb.host.losses import result_of
from tb.host.lossy_wire import KINDS, served
from tb.host.tables import check_rows, random_tuples

pytestmark = pytest.mark.hdl

#: The design of each day: its model is small.
DAILY = "pane"
REGRESS = pytest.mark.regress
LARGE = ("group-by", "pane", "swag")


class Zeros(Backend):
    """A back end of a caller, whose registers are all 0."""

    def read(self, address):
        return 0

    def write(self, address, value):
        pass

    def transfer(self, tuples, finished):
        pytest.fail("no stream may be sent to an engine that does not answer")

    def close(self):
        pass


@pytest.fixture
def linked(generated):
    """Returns a function from a design's name to the design and its directory, with a host link."""
    return lambda name: generated(name, network=True, host_link=True)


@pytest.mark.in_turn
def test_two_streams_with_other_settings(linked, cache, tmp_path):
    """Settings, counters and rows pass through frames; none of the frames is malformed."""
    design, directory = linked(DAILY)
    path = tmp_path / "wire.pcap"
    with (
        open(path, "wb") as capture,
        served(directory, cache, capture=capture, level="-O0") as device,
        Engine.open(directory, at=device.at) as engine,
    ):
        for seed, settings in enumerate(({}, {"range": 20, "slide": 5, "slack": 0})):
            tuples = random_tuples(design, 400, seed)
            received = engine.configure(**settings).run(tuples.table, raw=True)
            check_rows(design, received, tuples, settings, cache)
            assert engine.last.tuples == 400
            assert engine.last.link == {
                "tuple_datagrams_sent_again": 0,
                "row_datagrams_repeated": 0,
                "row_datagrams_foreign": 0,
                "requests_sent_again": 0,
            }
        assert engine.reset().counters()["tuples"] == 0
        counters = engine.counters()
        assert all(counters[name] == 0 for name in ("ahead", "repeated", "missing", "overflow"))
    assert frames_of(path)


@pytest.mark.in_turn
@pytest.mark.parametrize(
    ("name", "count", "share"),
    [(DAILY, 3_000, 0.04), *(pytest.param(n, 100_000, 0.01, marks=REGRESS) for n in LARGE)],
)
def test_a_wire_that_harms_frames(linked, cache, name, count, share):
    """The wire loses, doubles and swaps a share of the frames each; in regress 1 % each.

    Either the rows equal golden's, or an error gives the number of lost datagrams of rows.
    """
    design, directory = linked(name)
    level = "-O0" if name == DAILY else None
    reported_count = repaired_count = 0
    with (
        served(directory, cache, share=share, seed=3, level=level) as device,
        Engine.open(directory, at=device.at) as engine,
    ):
        tuples_port, _ = device.ports
        for run in range(6):
            tuples = random_tuples(design, count // (1, 100)[run % 2], run // 2)
            old_counts = device.wire.counts.copy()
            received, error = result_of(lambda tuples=tuples: engine.run(tuples.table, raw=True))
            harmed = device.wire.counts - old_counts
            if error is None:
                assert not harmed["lost", -tuples_port]
                check_rows(design, received, tuples, {}, cache)
                assert engine.last.link["row_datagrams_repeated"] == harmed["doubled", -tuples_port]
                repaired_count += engine.last.link["tuple_datagrams_sent_again"]
            else:
                assert error.datagrams == harmed["lost", -tuples_port] > 0
                reported_count += 1
        counters = engine.counters()
        counts = device.wire.counts
    assert counters["overflow"] == counters["missing"] == counters["bad_request"] == 0
    assert counters["repeated"] + counters["ahead"] >= counts["doubled", tuples_port]
    assert {kind for kind, _ in counts} == set(KINDS)
    assert device.wire.overtaken_count > 0
    assert reported_count + repaired_count


@pytest.mark.in_turn(5)
def test_one_lost_datagram_of_rows(linked, cache):
    """The error counts it, and the next run of the same table is right."""
    design, directory = linked(DAILY)
    tuples = random_tuples(design, 400, 0)
    with (
        served(directory, cache, level="-O0") as device,
        Engine.open(directory, at=device.at) as engine,
    ):
        device.wire.next_lost = -device.ports[0]
        with pytest.raises(
            LossError, match=r"^1 of \d datagrams of rows were lost on the netw"
        ) as e:
            engine.run(tuples.table, raw=True)
        assert e.value.datagrams == 1
        check_rows(design, engine.run(tuples.table, raw=True), tuples, {}, cache)


@pytest.mark.in_turn
def test_a_cable_that_is_pulled_out_in_a_stream(linked, cache):
    """The error says so. Plugged in again, a reset or a new program ends the cut stream."""
    design, directory = linked(DAILY)
    tuples = random_tuples(design, 3_000, 1)
    with served(directory, cache, level="-O0") as device:
        engine = Engine.open(directory, at=device.at, seconds=0.5)
        for passing in (14, 18, 21):
            device.wire.cut_after = passing
            with pytest.raises(
                HangError, match=r"^127\.0\.0\.1, UDP port \d+: no answer in 0\.5 s"
            ):
                engine.run(tuples.table, raw=True)
            device.wire.cut_after = None
            if passing == 18:
                engine.close()
                engine = Engine.open(directory, at=device.at, seconds=0.5)
            else:
                engine.reset()
            check_rows(design, engine.run(tuples.table, raw=True), tuples, {}, cache)
        engine.close()


@REGRESS
@pytest.mark.parametrize("name", LARGE)
def test_a_hundred_thousand_tuples(linked, cache, name):
    design, directory = linked(name)
    tuples = random_tuples(design, 100_000, 7)
    with served(directory, cache) as device, Engine.open(directory, at=device.at) as engine:
        begin = time.monotonic()
        received = engine.run(tuples.table, raw=True)
        assert time.monotonic() - begin < 120
        check_rows(design, received, tuples, {}, cache)
        assert engine.counters()["tuples"] == 100_000


@pytest.mark.in_turn
def test_what_open_refuses(linked, generated, cache, tmp_path):
    """``Engine.open`` refuses wrong arguments by errors that name the right argument."""
    _, directory = linked(DAILY)
    with pytest.raises(HostError, match=r'name the place of the engine: at="udp://10\.0\.0\.1"'):
        Engine.open(directory)
    with pytest.raises(HostError, match=r"at='udp://h' chooses the back end: leave backend='pynq'"):
        Engine.open(directory, "pynq", at="udp://h")
    with pytest.raises(HostError, match=r'needs the place of the engine: at="udp://10\.0\.0\.1"'):
        Engine.open(directory, "udp")
    with pytest.raises(HangError, match=r"127\.0\.0\.1, UDP port 9: no answer in 0\.2 s"):
        Engine.open(directory, at="udp://127.0.0.1:9", seconds=0.2)
    with pytest.raises(DeviceError, match="no engine answers: magic reads 0x0"):  # the caller's own
        Engine.open(directory, Zeros())
    _, directory = generated(DAILY, network=True)
    with pytest.raises(HostError, match="has no registers at its network; generate it with --set"):
        Engine.open(directory, at="udp://127.0.0.1")

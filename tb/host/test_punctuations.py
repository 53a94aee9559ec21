"""Punctuations among the tuples: by hand, and in streams of the host class."""

from types import SimpleNamespace

import numpy as np
import pytest

from golden.compare.tables import first_difference
from host import Engine, HostError, LossError, SettingError, TableError
from host.backend import Backend
from host.description import Description
from host.punctuations import punctuated, punctuations_of_slack
from host.tuple_window import TupleWindow
from tb.host.lossy_wire import served
from tb.host.tables import expected, random_tuples, same_kinds

#: A design with windows of time, whose stream has punctuations and whose query has no WHERE.
NAME = "window-id, stream"


def description_of(time="int(32)", filtered=False):
    """Returns the parts of a description that punctuations need: columns t and v."""
    fields = [
        SimpleNamespace(name="t", type=time, width=32, signed=not time.startswith("u")),
        SimpleNamespace(name="v", type="double", width=64, signed=False),
    ]
    return SimpleNamespace(
        host={"window": {"time": "t"}, "filtered": filtered},
        tuples=SimpleNamespace(fields=fields),
    )


def columns_of(times, values=None):
    values = np.ones(len(times)) if values is None else np.array(values, np.float64)
    return {"t": np.array(times, np.int64), "v": values.view(np.uint64)}


def entries_of(description, columns, punctuations=None, raw=True, **times):
    """Returns (time, is a punctuation) of each entry."""
    entries, flags = punctuated(description, columns, punctuations, times, raw)
    assert (entries["v"][flags] == 0).all()
    assert entries["t"].dtype == columns["t"].dtype
    return [*zip(entries["t"].tolist(), flags.tolist(), strict=True)]


def test_slack_by_hand():
    """Each new slide that ``time - SLACK`` reaches gets one punctuation, with its begin as time.

    With SLACK 5 the tuple at 27 reaches 22, in the slide from 20 on: a punctuation of 20. The
    tuple at 30 reaches 25, in the same slide: no punctuation.
    """
    actual = entries_of(description_of(), columns_of([3, 27, 30]), start=0, slide=10, slack=5)
    assert actual == [(3, False), (20, True), (27, False), (30, False)]


def test_tuples_before_the_start_move_no_punctuation():
    columns = columns_of([3, 27, 39, 45, 55])
    actual = entries_of(description_of(), columns, start=40, slide=10, slack=5)
    assert actual == [(3, False), (27, False), (39, False), (45, False), (50, True), (55, False)]


def test_a_tuple_with_a_nan_promises_nothing():
    actual = entries_of(
        description_of(), columns_of([3, 99, 27], [1, np.nan, 1]), start=0, slide=10, slack=5
    )
    assert actual == [(3, False), (99, False), (20, True), (27, False)]


def test_the_least_time_stands_for_punctuations_below_the_column():
    """From a start of -30 on, the punctuations -20 and -10 are less than 0, and 0 is sent once."""
    columns = columns_of([0, 3, 14])
    actual = entries_of(description_of("uint(32)"), columns, start=-30, slide=10, slack=20)
    assert actual == [(0, True), (0, False), (3, False), (14, False)]
    actual = entries_of(description_of("int(32)"), columns, start=-30, slide=10, slack=20)
    assert actual == [(-20, True), (0, False), (3, False), (-10, True), (14, False)]


def test_times_of_the_whole_range_of_a_type():
    """Times may be 2^64 - 1 apart, and the first start may lie below the type."""
    columns = {"t": np.array([5, 2**64 - 1, 7], np.uint64), "v": np.zeros(3, np.uint64)}
    actual = entries_of(description_of("uint(64)"), columns, start=-3, slide=2**62, slack=8)
    last = 3 * 2**62 - 3
    assert actual == [(5, False), (last, True), (2**64 - 1, False), (7, False)]
    late = 2**64 - 2**61  # no signed number of 64 bits
    columns = {"t": np.array([5, late], np.uint64), "v": np.zeros(2, np.uint64)}
    actual = entries_of(description_of("uint(64)"), columns, start=0, slide=2**60, slack=8)
    assert actual == [(5, False), (13 * 2**60, True), (late, False)]
    columns = columns_of([-(2**63), 2**63 - 1])
    actual = entries_of(description_of("int(64)"), columns, start=-(2**63), slide=2**63, slack=0)
    assert actual == [(-(2**63), False), (0, True), (2**63 - 1, False)]


@pytest.mark.parametrize("dtype", [np.int64, np.uint64])
def test_punctuations_near_the_ends_of_a_type(dtype):
    """Each punctuation follows its formula, for streams of any span."""
    rng = np.random.default_rng(7)
    limits = np.iinfo(dtype)
    for span in (100, 2**20, 2**62, 2**64 - 1):
        for low in (limits.min, max(limits.min, limits.max - span)):
            high = min(low + span, limits.max)
            times = rng.integers(low, high, 20, dtype, endpoint=True)
            slide, slack = (int(rng.integers(1, span, dtype=np.uint64)) for _ in range(2))
            start = (int(times[0]) - slack) // slide * slide
            min_time = int(limits.min)
            positions, values = punctuations_of_slack(times, start, slide, slack, min_time)
            expected, so_far = [], start
            for k in range(len(times)):
                greatest = max(int(time) for time in times[: k + 1])
                punctuation = start + (greatest - slack - start) // slide * slide
                if punctuation > so_far:
                    sent = max(punctuation, min_time)
                    if not expected or sent > expected[-1][1]:
                        expected.append((k, sent))
                    so_far = punctuation
            assert [*zip(positions.tolist(), values.tolist(), strict=True)] == expected


def test_without_a_tuple_there_is_no_punctuation():
    assert entries_of(description_of(), columns_of([]), slide=10, slack=5) == []


def test_punctuations_of_the_caller():
    """A tuple may have several punctuations before it, and the last tuple one behind it."""
    actual = entries_of(description_of(), columns_of([3, 7]), [(0, 1), (1, 5), (1, 6), (2, 9)])
    assert actual == [(1, True), (3, False), (5, True), (6, True), (7, False), (9, True)]
    assert entries_of(description_of(), columns_of([3]), []) == [(3, False)]
    (entry, _) = entries_of(description_of("fixed(28,4)"), columns_of([3]), [(0, 1.5)], raw=False)
    assert entry == (24, True)


@pytest.mark.parametrize(
    ("pairs", "message"),
    [
        ([(1, 5), (0, 6)], r"ascending positions from 0 to 2, not 0 after 1$"),
        ([(3, 5)], r"ascending positions from 0 to 2, not 3 after 0$"),
        ([(-1, 5)], r"ascending positions from 0 to 2, not -1 after 0$"),
        ([(0.5, 5)], r"ascending positions from 0 to 2, not 0\.5 after 0$"),
        ([5], r"^punctuations must be pairs of a position and a time$"),
        ([(0, 1), (1, 1 << 31)], r"punctuations, row 1: must fit int\(32\), not 2147483648$"),
    ],
)
def test_punctuations_that_are_refused(pairs, message):
    with pytest.raises(TableError, match=message):
        entries_of(description_of(), columns_of([3, 7]), pairs)


def test_where_hides_the_tuples_that_move_punctuations():
    description = description_of(filtered=True)
    with pytest.raises(SettingError, match=r"^punctuations must be given: they follow from the"):
        entries_of(description, columns_of([3]), start=0, slide=10, slack=5)
    assert entries_of(description, columns_of([3]), [(0, 2)]) == [(2, True), (3, False)]


def test_datagrams_have_either_tuples_or_punctuations():
    """Four entries fit in a datagram; the runs have 6, 1, 4 and 1 entries."""
    flags = np.array([0] * 6 + [1] + [0] * 4 + [1], bool)
    tuples = np.arange(12 * 4, dtype=np.uint8).reshape(12, 4)
    window = TupleWindow(tuples, 19, received=5, room=16_384, punctuations=flags)
    datagrams = list(window.ready())
    heads = [(int.from_bytes(d[:4], "little"), d[4], len(d[8:]) // 4) for d in datagrams]
    assert heads == [(5, 0, 4), (6, 0, 2), (7, 2, 1), (8, 0, 4), (9, 2, 1), (10, 0, 0)]
    assert {d[5:8] for d in datagrams} == {bytes(3)}
    assert b"".join(d[8:] for d in datagrams) == tuples.tobytes()


class _NoFlags(Backend):
    """Registers of the right engine; no way to send punctuations."""

    def __init__(self, description):
        self._values = {
            description.registers["magic"]: int(description.host["magic"], 16),
            description.registers["configuration"]: description.configuration,
        }

    def read(self, address):
        return self._values.get(address, 0)

    def write(self, address, value):
        self._values[address] = value

    def close(self):
        pass

    def transfer(self, tuples, finished, punctuations=None):
        raise AssertionError("nothing must be sent")


@pytest.mark.hdl
def test_a_back_end_or_a_design_without_punctuations(generated):
    design, directory = generated(NAME)
    table = random_tuples(design, 5, 0).table
    with (
        Engine.open(directory, _NoFlags(Description.read(directory))) as engine,
        pytest.raises(HostError, match=r"^this build expects punctuations in its stream, and this"),
    ):
        engine.run(table, raw=True)
    _, directory = generated("pane")
    with (
        Engine.open(directory, _NoFlags(Description.read(directory))) as engine,
        pytest.raises(HostError, match=r"^punctuations must not be given: this engine makes its"),
    ):
        engine.run(table, raw=True, punctuations=[])


def check(design, engine, cache, count, seed, **settings):
    """Runs a table, and compares rows and late tuples with golden's; returns the number of rows."""
    tuples = random_tuples(design, count, seed)
    answer = expected(design, tuples, design.settings.values | settings, cache)
    rows = engine.run(tuples.table, raw=True)
    assert first_difference(answer.rows, same_kinds(rows, answer.rows)) is None
    assert engine.last.tuples == count
    assert engine.last.dropped["late"] == answer.late
    assert engine.last.dropped["overrun"] == 0
    return answer.rows.num_rows


@pytest.mark.in_turn
@pytest.mark.hdl
def test_streams_on_pins(generated, cache):
    """The engine returns golden's rows with the punctuations of SLACK, which are the default."""
    design, directory = generated(NAME)
    with Engine.open(directory, "simulation", cache=cache / "bench", stall_input=0.3) as engine:
        row_count = sum(check(design, engine, cache, 200 + k, k) for k in range(3))
        row_count += check(design, engine.configure(slack=0), cache, 200, 5, slack=0)
        assert row_count > 12
        # Behind a punctuation 100 before tuple 20, tuples with a time before 100 are late.
        columns = random_tuples(design, 250, 0).table
        times = np.array(columns[engine.description.host["window"]["time"]])
        engine.run(columns, raw=True, punctuations=[(20, 100)])
        assert engine.last.dropped["late"] == np.count_nonzero(times[20:] < 100) > 50


@pytest.mark.in_turn
@pytest.mark.hdl
@pytest.mark.parametrize(
    ("share", "streams"),
    [(0.0, 3), pytest.param(0.02, 60, marks=pytest.mark.regress)],
)
def test_streams_in_datagrams(generated, cache, share, streams):
    """Datagrams of tuples and of punctuations that are lost, doubled or swapped are repaired."""
    design, directory = generated(NAME, network=True, host_link=True)
    repaired = lost = 0
    with (
        served(directory, cache, share=share, seed=9, level="-O0") as device,
        Engine.open(directory, at=device.at) as engine,
    ):
        for seed in range(streams):
            try:
                assert check(design, engine, cache, 250, seed)
                repaired += engine.last.link["tuple_datagrams_sent_again"]
            except LossError:
                lost += 1
    assert bool(repaired) == bool(share)
    assert lost < streams // 2

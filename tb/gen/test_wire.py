"""Checks the wire of a design with a network face by hand.

It counts the datagrams of rows and the frames of tuples, and gets the rate of the frames.
"""

from contextlib import nullcontext
from dataclasses import replace

import pyarrow as pa
import pytest

from gen.design.build import resolve
from gen.design.network import Wire
from gen.simulate import run as simulation
from gen.simulate.input_beats import input_beats
from golden.answer import Answer
from golden.tuples import Tuples, arrow_type

SCHEMA = "CREATE INPUT STREAM S (x uint(64)); "
WINDOWS = "SELECT sum(x) FROM S [ROWS 4 SLIDE 4];"


ROWS = pa.table({"window": pa.array(range(5)), "sum(x)": pa.array([6, 22, 38, 54, 70])})


class ReachedError(Exception):
    """Ends a simulation when the wire is made, before anything is built."""


@pytest.fixture
def build(tmp_path):
    def make(text, **options):
        path = tmp_path / "q.cql"
        path.write_text(SCHEMA + text)
        options = {"network": "true"} | options
        return resolve(path, options=[f"{name}={value}" for name, value in options.items()])

    return make


def tuples_of(query, count):
    type_ = arrow_type(query.schema["x"].type)
    column = pa.array(range(count)).cast(type_)
    return Tuples(query.schema, pa.table({"x": column}))


@pytest.mark.parametrize(
    ("options", "datagrams"),
    [
        # Each window is a packet: a datagram with its row, and an empty one that ends the packet.
        ({"packets": "window", "end_marker": "false"}, 5 * 2),
        # After the windows a packet without a row, which is one empty datagram.
        ({"packets": "window", "end_marker": "true"}, 5 * 2 + 1),
        # All rows of the stream are one packet.
        ({}, 2),
    ],
)
def test_datagrams_of_five_windows(build, options, datagrams):
    created = build(WINDOWS, **options)
    fed = input_beats(created.design, tuples_of(created.query, 20), None)
    wire = Wire.of(created.design, fed, ROWS, 1.0)
    assert wire.datagrams == datagrams
    assert len(wire.sent) == 2  # 160 bytes of tuples, and the datagram that ends the stream


def test_a_frame_waits_until_the_tuples_before_are_taken(build):
    """At 0.9 of a rate of 0.1, the 184 tuples of a datagram take 2,045 cycles.

    Their frame, 1,472 bytes and 42 of headers, takes 190 cycles, so the next frame waits for the
    other 1,855 cycles. The last 32 tuples take 356 cycles, and their frame 38 of these.
    """
    created = build(WINDOWS)
    fed = input_beats(created.design, tuples_of(created.query, 2 * 184 + 32), None)
    beats = Wire.of(created.design, fed, ROWS, 0.1).beats
    assert beats.pauses[beats.starts].tolist() == [0, 1855, 1855, 318]


@pytest.mark.parametrize("rate", [0.01, 1.0], ids=["the design limits", "frames of rows limit"])
def test_stalls_at_the_output_slow_the_frames_down(rate, build):
    """The frame of 20 tuples takes 26 cycles; with a stall in 3 of 4 cycles all takes 4 times."""
    created = build(WINDOWS, packets="window", end_marker="false")
    fed = input_beats(created.design, tuples_of(created.query, 20), None)
    cycles = []
    for share in (1, 0.25):
        beats = Wire.of(created.design, fed, ROWS, rate, share).beats
        first, second = beats.pauses[beats.starts].tolist()
        assert first == 0
        cycles.append(second + 26)
    assert cycles[1] == pytest.approx(4 * cycles[0], abs=4)


@pytest.mark.parametrize(
    ("count", "lines"),
    [
        (0, []),
        (1, ["a datagram came before there was room, and tuples are lost: send more slowly, by "]),
        (1200, ["1,200 datagrams came before there was room, and tuples are lost: "]),
    ],
)
def test_lost_datagrams_have_a_line_of_their_own(build, count, lines):
    created = build(WINDOWS)
    fed = input_beats(created.design, tuples_of(created.query, 20), None)
    wire = Wire.of(created.design, fed, ROWS, 1.0)
    counters = {"overflow": count, "datagrams": 2, "sent": wire.datagrams}
    actual = wire.lost_datagrams(counters)
    assert [line[: len(begin)] for line, begin in zip(actual, lines, strict=True)] == lines
    assert wire.miscounted(counters, ROWS) == []


@pytest.mark.parametrize("stalls", [(0.0, 0.0), (0.0, 0.5), (0.5, 0.75)])
def test_the_pace_is_that_of_the_prediction_less_the_stalls_of_the_output(
    build, monkeypatch, stalls
):
    """A sender of datagrams is never told to wait: at a higher rate datagrams would be lost."""
    created, rates = build(WINDOWS), []

    def of(design, fed, rows, rate, share):
        rates.append((rate, share))
        raise ReachedError

    monkeypatch.setattr(simulation.Wire, "of", of)
    prediction = replace(created.design.prediction, tuples_per_cycle=0.8)
    monkeypatch.setattr(simulation, "foretell", lambda *_: (prediction, None))
    expected = Answer(rows=ROWS)
    with pytest.raises(ReachedError):
        simulation.simulate(
            created,
            tuples_of(created.query, 20),
            expected,
            simulator="verilator",
            cache="unused",
            step=nullcontext,
            answer_with_evictions=None,
            stalls=stalls,
            verilog="",
        )
    assert rates == [(0.8, 1 - stalls[1])]

"""Checks rows of windows and ends of streams, their order and counters, against sums of lists."""

import random

import numpy as np
import pytest
from amaranth.hdl import Module
from amaranth.lib import data, stream, wiring
from amaranth.lib.wiring import In, Out

from rtl.engine.parts.columns import value_layout
from rtl.engine.parts.kernel_plan import KernelPlan
from rtl.engine.parts.operators import operator_of
from rtl.engine.parts.percentiles import Percentiles
from rtl.engine.parts.results import Results
from rtl.engine.streamzip.answers import Answers, kernel_passenger
from rtl.keyed.dram.lines import LineMap
from rtl.keyed.plan import KeyedPlan
from rtl.keyed.store.lines.line_plan import LinePlan
from rtl.keyed.store.lines.line_store import LineStore
from rtl.keyed.windows.key_rows import KeyRows
from rtl.keyed.windows.row_kind import RowKind
from tb.bench.unit import run_streams
from tb.rtl.engine.parts.queries import query_of

LANES = 4
QUERY = query_of("int(9)", "sum(x), count(*)")


class RingsThatOverflow(LineStore):
    """Describes windows as a store does in which blocks give way."""

    def info_members(self, lines):
        return {**super().info_members(lines), "overflow": 1}


def component():
    """Returns an Answers component for sums and counts of windows of up to 16 tuples, 4 in a
    line.
    """
    row = value_layout(QUERY)
    keys = KeyedPlan(
        key=4,
        window=RowKind(rows=KeyRows(window_max=16, places=16, number_bits=6)),
        store=RingsThatOverflow(line=LinePlan(item=row, items=LANES, word_items=2)),
        lines=LineMap(rings=4, ring_lines=4, ports=1),
    )
    hits = Percentiles(query=QUERY, run_time=False, select=False)
    operators = tuple(
        operator_of(i.aggregate, 16, hits.target_index_of(i.aggregate)) for i in QUERY.items
    )
    results = Results(items=QUERY.items, operators=operators, select=False)
    passenger = kernel_passenger(keys)
    plan = KernelPlan(
        row=row, lanes=LANES, results=results, window_max=16, capacity=8, passenger=passenger
    )
    layout = {"window": 6, "valid": 1, "key": 4, "results": results.operator.result}
    return Answers(plan, keys, data.StructLayout(layout))


class CountedRows(wiring.Component):
    """Wraps an Answers component, and gives its events as the stream ``counted`` without stalls."""

    def __init__(self, answers):
        self._answers = answers
        self.latency = answers.latency
        counted = stream.Signature(answers.events.shape(), always_ready=True)
        super().__init__(
            {
                "i": In(answers.i.signature.flip()),
                "o": Out(answers.o.signature),
                "counted": Out(counted),
            }
        )

    def elaborate(self, platform):
        m = Module()
        m.submodules.answers = answers = self._answers
        wiring.connect(m, wiring.flipped(self.i), answers.i)
        wiring.connect(m, answers.o, wiring.flipped(self.o))
        events = answers.events.as_value()
        m.d.comb += [self.counted.valid.eq(events.any()), self.counted.p.eq(events)]
        return m


def lines_of(rng, window):
    """Returns the lines of a window: tuples in random lanes, at least one in the last line."""
    remaining, lines = list(window["values"]), []
    while remaining:
        line_values, remaining = remaining[:LANES], remaining[LANES:]
        lanes = sorted(rng.sample(range(LANES), len(line_values)))
        tuples = [{"x": 77}] * LANES
        for lane, x in zip(lanes, line_values, strict=True):
            tuples[lane] = {"x": x}
        window_info = {name: window[name] for name in ("key", "window", "overflow")}
        passenger = {"error": window["error"] and not remaining, "passenger": window_info}
        valid = sum(1 << lane for lane in lanes)
        lines.append(
            {"tuples": tuples, "valid": valid, "last": not remaining, "passenger": passenger}
        )
    return lines


END = {"last": 1, "passenger": {"passenger": {"end": 1}}}


@pytest.mark.in_turn(5)
@pytest.mark.parametrize("size", [16, 4])
@pytest.mark.parametrize("stall", [0.0, 0.2, 0.4])
def test_rows_and_ends_come_in_their_order(stall, size):
    """Streams have 0 to 9 windows of 1 to ``size`` tuples, and few windows if these are short. More
    ends follow each other than may wait inside.
    """
    rng, inputs, expected = random.Random(f"{stall}"), [], []
    counts = [rng.randrange(10) for _ in range(15)]
    if size == LANES:
        counts += [rng.choice([0, 0, 1, 2]) for _ in range(150)]
    for count in [0, 3, *[0] * 7, *counts]:
        for _ in range(count):
            values = [rng.randrange(-256, 256) for _ in range(rng.randint(1, size))]
            window = {"key": rng.randrange(16), "window": rng.randrange(64), "values": values}
            window |= {"error": rng.random() < 0.3, "overflow": rng.random() < 0.5}
            inputs += lines_of(rng, window)
            expected.append(window)
        inputs.append(END)
        expected.append(None)
    options = {"stall_in": stall, "stall_out": {"o": 2 * stall}, "seed": 3}
    outputs = {"o": len(expected), "counted": None}
    run = run_streams(CountedRows(component()), {"i": inputs}, outputs, **options)
    wrong_count = overflowed_count = 0
    for beat, window in zip(run["o"].payloads, expected, strict=True):
        assert (beat["valid"], beat["last"]) == ((0, 1) if window is None else (1, 0))
        if window is not None:
            row, values = beat["tuples"][0], window["values"]
            assert (row["key"], row["window"]) == (window["key"], window["window"])
            assert row["valid"] == (not window["error"])
            assert list(row["results"].values()) == [sum(values), len(values)]
            overflowed_count += window["error"] and window["overflow"]
            wrong_count += window["error"] and not window["overflow"]
    counts = {"wrong_windows": wrong_count, "overflowed_windows": overflowed_count}
    assert min(counts.values()) > 2
    for name, count in counts.items():
        assert sum(event[name] for event in run["counted"].payloads) == count


def test_latency_and_the_cycles_of_ends():
    """A row comes the latency after the last line of its window, and each end takes 2 cycles."""
    rng, inputs, dut = random.Random(2), [], CountedRows(component())
    for count in (3, 16, 4, 1):
        values = [rng.randrange(-256, 256) for _ in range(count)]
        numbers = {"key": rng.randrange(16), "window": rng.randrange(64)}
        inputs += lines_of(rng, numbers | {"values": values, "error": False, "overflow": False})
    lasts = [place for place, line in enumerate(inputs) if line["last"]]
    inputs += [END] * 4
    run = run_streams(dut, {"i": inputs}, {"o": 4 + 4, "counted": None})
    assert run["i"].cycles == list(range(len(inputs)))
    assert run["o"].cycles[:4] == [place + dut.latency for place in lasts]
    assert [beat["last"] for beat in run["o"].payloads] == [0] * 4 + [1] * 4
    assert np.diff(run["o"].cycles[4:]).tolist() == [2] * 3
    assert not run["counted"].payloads

"""Checks rows of windows and ends of streams, their order and counters, against sums of lists."""

import random

import pytest
from amaranth.hdl import Module, Signal
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
    operators = tuple(operator_of(i.aggregate, 16, hits.hit_of(i.aggregate)) for i in QUERY.items)
    results = Results(items=QUERY.items, operators=operators, select=False)
    passenger = kernel_passenger(keys)
    plan = KernelPlan(
        row=row, lanes=LANES, results=results, window_max=16, capacity=8, passenger=passenger
    )
    layout = {"window": 6, "valid": 1, "key": 4, "results": results.operator.result}
    return Answers(plan, keys, data.StructLayout(layout))


class CountedRows(wiring.Component):
    """Sends the beats of an Answers component, each with counts of the rows before it.

    ``wrong`` and ``overflowed`` are the sums of the two events so far.
    """

    def __init__(self, answers):
        self._answers = answers
        counts = {"wrong": 16, "overflowed": 16}
        beat = data.StructLayout({"beat": answers.o.p.shape(), **counts})
        super().__init__({"i": In(answers.i.signature.flip()), "o": Out(stream.Signature(beat))})

    def elaborate(self, platform):
        m = Module()
        m.submodules.answers = answers = self._answers
        wiring.connect(m, wiring.flipped(self.i), answers.i)
        wrong, overflowed = Signal(16), Signal(16)
        m.d.sync += [
            wrong.eq(wrong + answers.events.wrong_windows),
            overflowed.eq(overflowed + answers.events.overflowed_windows),
        ]
        m.d.comb += [
            self.o.valid.eq(answers.o.valid),
            answers.o.ready.eq(self.o.ready),
            self.o.p.beat.eq(answers.o.p),
            self.o.p.wrong.eq(wrong),
            self.o.p.overflowed.eq(overflowed),
        ]
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


@pytest.mark.parametrize("stall", [0.0, 0.4])
def test_rows_and_ends_come_in_their_order(stall):
    """Streams have 0 to 9 windows of 1 to 16 tuples; more ends follow each other than may wait
    inside.
    """
    rng, inputs, expected = random.Random(f"{stall}"), [], []
    for count in [0, 3, *[0] * 7, *(rng.randrange(10) for _ in range(15))]:
        for _ in range(count):
            values = [rng.randrange(-256, 256) for _ in range(rng.randint(1, 16))]
            window = {"key": rng.randrange(16), "window": rng.randrange(64), "values": values}
            window |= {"error": rng.random() < 0.3, "overflow": rng.random() < 0.5}
            inputs += lines_of(rng, window)
            expected.append(window)
        inputs.append(END)
        expected.append(None)
    options = {"stall_in": stall, "stall_out": stall, "seed": 3}
    run = run_streams(CountedRows(component()), {"i": inputs}, {"o": len(expected)}, **options)
    wrong = overflowed = 0
    for payload, window in zip(run["o"].payloads, expected, strict=True):
        beat = payload["beat"]
        assert (payload["wrong"], payload["overflowed"]) == (wrong, overflowed)
        assert (beat["valid"], beat["last"]) == ((0, 1) if window is None else (1, 0))
        if window is not None:
            row, values = beat["tuples"][0], window["values"]
            assert (row["key"], row["window"]) == (window["key"], window["window"])
            assert row["valid"] == (not window["error"])
            assert list(row["results"].values()) == [sum(values), len(values)]
            overflowed += window["error"] and window["overflow"]
            wrong += window["error"] and not window["overflow"]
    assert wrong > 2
    assert overflowed > 2

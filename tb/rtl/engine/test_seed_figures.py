"""Checks the hardware against the numerical example in the text of seed 003.

Figure 4 is a picture, which section 3.1 describes. The text says: P is 4; the groups are a to c;
(a,2) and (b,4) are marked as the last of their groups; (c,9) is not, because the next batch begins
with c; the sum of b is 12 over a count of 2; the results are averages; the permutation indices of a
and b are 0 and 1. So the fourth tuple is (b,8), between (a,2) and (b,4). The next tuple of c is an
addition of this test.

Figure 6 (min, median and max of a sliding window) has no test here, because the text has no numbers
for it.
"""

from amaranth.hdl import unsigned
from amaranth.lib import data

from rtl.aggregate.avg import Avg
from rtl.aggregate.lower import Lower
from rtl.aggregate.operator import Product, Segmented
from rtl.network.boundaries import GroupBoundaries
from rtl.network.compactor import RoundRobin, Router
from rtl.network.rolling import RollingScan
from tb.bench.unit import run_stream
from tb.rtl.beats import beat, slots
from tb.rtl.gates import evaluate

LANES, COUNT = 4, 8  # COUNT: bits of a count
KEY = {"a": 1, "b": 2, "c": 3}
BATCH = [("a", 2), ("b", 8), ("b", 4), ("c", 9)]
NEXT = [("c", 3)]  # not in the seed
ROW = data.StructLayout({"group": 4, "key": 8})


def rows(batch):
    present = [{"group": KEY[group], "key": key} for group, key in batch]
    return present + [None] * (LANES - len(present))


def marked():
    """Returns the output of steps (a) and (b)."""
    stream = [beat(rows(BATCH), 0), beat(rows(NEXT), 1)]
    dut = GroupBoundaries(ROW, LANES, key="group")
    return run_stream(dut, stream, expected=2).payloads


OPERATOR = Product(
    group=Segmented(Avg("key", unsigned(8), COUNT)),
    index=RoundRobin(LANES),
)


def scanned():
    """Returns the output of steps (c) and (d), without the division."""
    beats = []
    for b in marked():
        states = [
            {
                "group": {"first": t["first"], "state": {"value": t["row"]["key"], "count": 1}},
                "index": {"value": t["last"] & b["valid"] >> lane},
            }
            for lane, t in enumerate(b["tuples"])
        ]
        beats.append({"states": states, "context": 0, "last": b["last"], "passenger": 0})
    dut = RollingScan(OPERATOR, LANES, tuples=(1 << COUNT) - 1)
    return run_stream(dut, beats, expected=2).payloads


def test_marks():
    batch = marked()[0]
    assert [t["last"] for t in batch["tuples"]] == [1, 0, 1, 0]  # (a,2,T), (b,4,T), (c,9,F)
    assert [t["first"] for t in batch["tuples"]] == [1, 1, 0, 1]


def test_sums_and_counts():
    states = [state["group"]["state"] for state in scanned()[0]["states"]]
    assert states[0] == {"value": 2, "count": 1}
    assert states[2] == {"value": 12, "count": 2}
    assert states[3] == {"value": 9, "count": 1}


def test_permutation_indices():
    """The index of the last tuple of group a is 0, and of group b 1."""
    states = [state["index"]["value"] for state in scanned()[0]["states"]]
    operator = RoundRobin(LANES)
    actual = evaluate(
        {"s": operator.state(LANES)},
        {"to": 2},
        lambda s: {"to": operator.lower(s, (), None)},
        [{"s": {"value": state}} for state in (states[0], states[2])],
    )
    assert [g["to"] for g in actual] == [0, 1]


def test_averages_in_their_lanes():
    """The average of b is 12 / 2. Group c continues, so its row leaves with the next batch."""
    beats = scanned()
    lowered = run_stream(
        Lower(OPERATOR, LANES, tuples=(1 << COUNT) - 1),
        [{"lanes": b["states"], "context": 0, "passenger": 0} for b in beats],
        expected=2,
    ).payloads
    ends = [
        sum((t["last"] & b["valid"] >> k) << k for k, t in enumerate(b["tuples"])) for b in marked()
    ]
    routed = [
        {
            "tuples": [{"tuple": lane["group"], "to": lane["index"]} for lane in b["lanes"]],
            "valid": valid,
            "last": last,
        }
        for b, valid, last in zip(lowered, ends, (0, 1), strict=True)
    ]
    out = run_stream(Router(8, LANES), routed, expected=1).payloads
    c = 6  # of 9 and 3
    assert [slots(b) for b in out] == [[2, 6, c, None]]

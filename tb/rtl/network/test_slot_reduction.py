"""Checks the reduction of two blocks at a time against plain Python."""

import random

import pytest
from amaranth.hdl import signed, unsigned
from amaranth.lib import data

from rtl.aggregate.avg import Avg
from rtl.aggregate.count import Count
from rtl.aggregate.folded import Repeated
from rtl.aggregate.max import Max
from rtl.aggregate.min import Min
from rtl.aggregate.neighbours import Neighbours
from rtl.aggregate.operator import TIMES, Product
from rtl.aggregate.select import Select
from rtl.aggregate.sum import Sum
from rtl.network.slot_reduction import SLOTS, SlotReduction
from tb.bench.unit import run_streams
from tb.rtl.aggregate.models import bounds
from tb.rtl.aggregate.pivots import known, state_of

STALLS = [(0.0, 0.0), (0.3, 0.4)]
TUPLES = 96
RUN = 5


def interleaved(rng, blocks):
    """Returns the rows of all blocks with their slots, in an order that decoders may have.

    Blocks take the slots in turn, and a block begins when the block before in its slot has ended.
    """
    pending_rows = [list(block) for block in blocks]
    rows, first = [], 0
    while first < len(pending_rows):
        open_blocks = [
            k for k in range(first, min(first + SLOTS, len(pending_rows))) if pending_rows[k]
        ]
        chosen = rng.choice(open_blocks)
        row = pending_rows[chosen].pop(0)
        last = not pending_rows[chosen]
        rows.append({**row, "last": last, "slot": chosen % SLOTS, "passenger": chosen % 32})
        while first < len(pending_rows) and not pending_rows[first]:
            first += 1
    return rows


def run(dut, rows, blocks, stalls, seed=0):
    stall_in, stall_out = stalls
    result = run_streams(
        dut, {"i": rows}, {"o": blocks}, stall_in=stall_in, stall_out=stall_out, seed=seed
    )
    return result["o"].payloads


def random_blocks(rng, shape, pivot_bits, count=60):
    """Returns blocks of random rows, each row a run of equal values; some rows have no tuple."""
    low, high = bounds(shape)
    blocks = []
    for _ in range(count):
        pivot, block = rng.getrandbits(pivot_bits), []
        for _ in range(rng.choice((1, 1, 2, 3, 9))):
            x = rng.choice((low, high, rng.randint(low, high), rng.randint(low, high)))
            row = {"x": x, TIMES: rng.randint(1, RUN), "pivot": pivot}
            block.append({"row": row, "valid": rng.random() < 0.8})
        if not any(row["valid"] for row in block):
            rng.choice(block)["valid"] = True
        blocks.append(block)
    return blocks


def values_of(block):
    return [row["row"]["x"] for row in block if row["valid"] for _ in range(row["row"][TIMES])]


@pytest.mark.in_turn(5)
@pytest.mark.parametrize("stalls", STALLS)
@pytest.mark.parametrize("shape", [signed(8), unsigned(3)], ids=str)
@pytest.mark.parametrize("neighbours", [1, 2, 4])
def test_every_aggregate_over_runs(neighbours, shape, stalls):
    rng = random.Random(f"{neighbours} {shape} {stalls}")
    bits = TUPLES.bit_length()
    parts = {
        "least": Min("x", shape),
        "greatest": Max("x", shape),
        "total": Sum("x", shape, bits),
        "number": Count(bits),
        "mean": Avg("x", shape, bits),
        "near": Neighbours("x", shape, tuples=TUPLES, neighbours=neighbours),
    }
    repeated = {name: Repeated(part, each=RUN, tuples=TUPLES) for name, part in parts.items()}
    row = data.StructLayout({"x": shape, TIMES: range(RUN + 1), "pivot": shape.width})
    dut = SlotReduction(Product(**repeated), row, tuples=TUPLES, passenger=5)
    blocks = random_blocks(rng, shape, shape.width)
    results = run(dut, interleaved(rng, blocks), len(blocks), stalls)
    offset = 1 << shape.width - 1 if shape.signed else 0
    for k, (result, block) in enumerate(zip(results, blocks, strict=True)):
        xs, pivot = values_of(block), block[0]["row"]["pivot"]
        state = result["state"]
        near = known(state["near"], shape.width)
        assert near == state_of([x + offset for x in xs], pivot, neighbours, shape.width)
        others = {name: part for name, part in state.items() if name != "near"}
        assert others == {
            "least": {"value": min(xs)},
            "greatest": {"value": max(xs)},
            "total": {"value": sum(xs)},
            "number": {"value": len(xs)},
            "mean": {"value": sum(xs), "count": len(xs)},
        }
        assert result["passenger"] == k % 32


def one_block(values, slot, passenger):
    rows = [{"row": {"x": x}, "valid": 1, "last": 0, "slot": slot} for x in values]
    rows[-1]["last"] = 1
    return [row | {"passenger": passenger} for row in rows]


def test_by_hand():
    """The second block ends first, and its state waits for the first block."""
    dut = SlotReduction(
        Sum("x", unsigned(4), 3), data.StructLayout({"x": 4}), tuples=7, passenger=2
    )
    first, second = one_block([1, 2], 0, 1), one_block([5], 1, 2)
    results = run(dut, [first[0], second[0], first[1]], 2, (0.0, 0.0))
    assert [(r["state"]["value"], r["passenger"]) for r in results] == [(3, 1), (5, 2)]


def test_rows_without_tuples_before_between_and_after():
    dut = SlotReduction(Min("x", unsigned(4)), data.StructLayout({"x": 4}), tuples=7, passenger=1)
    rows = [*one_block([2], 0, 0), *one_block([6], 1, 0), *one_block([1, 5, 1, 7, 1], 0, 0)]
    for k in (2, 4, 6):
        rows[k]["valid"] = 0
    results = run(dut, rows, 3, (0.0, 0.0))
    assert [r["state"]["value"] for r in results] == [2, 6, 5]


def test_rows_of_alternating_slots_enter_in_every_cycle():
    dut = SlotReduction(
        Sum("x", unsigned(4), 3), data.StructLayout({"x": 4}), tuples=7, passenger=1
    )
    rows = [one_block([k % 16], k % SLOTS, 0)[0] for k in range(40)]
    result = run_streams(dut, {"i": rows}, {"o": 40})
    assert [r["state"]["value"] for r in result["o"].payloads] == [k % 16 for k in range(40)]
    cycles = result["i"].cycles
    assert cycles[-1] - cycles[0] == 39
    assert [o - i for i, o in zip(cycles, result["o"].cycles, strict=True)] == [dut.latency] * 40


def test_an_operator_with_a_context_is_refused():
    operator = Select([Min("x", unsigned(4)), Count(3)])
    with pytest.raises(ValueError, match="context must be 0, not 1"):
        SlotReduction(operator, data.StructLayout({"x": 4}), tuples=7)

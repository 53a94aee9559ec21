"""Checks the linear sorter against Python's sorted."""

import random

import pytest
from amaranth.lib import data

from rtl.sort.linear import LinearSorter
from rtl.sort.order import SortOrder
from tb.bench.unit import collect, put, run_streams, simulate
from tb.rtl.sort.lists import COUNTED, ORDER, ROW, beats_of, counted, lists_of, random_list

STALLS = [{}, {"stall_in": 0.4}, {"stall_out": 0.4}, {"stall_in": 0.4, "stall_out": 0.4}]


def run(cells, chunks, order=ORDER, dropped=(), **options):
    """Runs chunks; a drop ends those whose numbers are in ``dropped``."""
    dut = LinearSorter(order, cells)
    total = sum(len(chunk) for k, chunk in enumerate(chunks) if k not in dropped)
    beats = []
    for k, chunk in enumerate(chunks):
        if k in dropped:
            output = beats_of([chunk], 1, order) if chunk else []
            beats += [beat | {"last": 0} for beat in output] + beats_of([[]], 1, order)
        else:
            beats += beats_of([chunk], 1, order)
    runs = run_streams(dut, {"i": beats}, {"o": total}, **options)
    return runs["i"], runs["o"]


def some_chunks(rng, cells, count):
    """Draws chunks: long and short ones in turn, then random lengths."""
    lengths = [cells, 1] * (count // 4)
    lengths += [rng.randint(1, cells) for _ in range(count - len(lengths))]
    return [random_list(rng, length) for length in lengths]


@pytest.mark.in_turn(5)
@pytest.mark.parametrize("stalls", STALLS)
@pytest.mark.parametrize("cells", [1, 2, 3, 8])
def test_chunks_of_any_length(cells, stalls):
    rng = random.Random(f"{cells} {stalls}")
    chunks = some_chunks(rng, cells, 80)
    _, out = run(cells, chunks, seed=cells, **stalls)
    assert lists_of(out.payloads) == [sorted(chunk) for chunk in chunks]


@pytest.mark.in_turn(5)
@pytest.mark.parametrize("stalls", STALLS)
@pytest.mark.parametrize("cells", [1, 2, 5, 8])
def test_cardinality_is_that_of_the_group_in_the_chunk(cells, stalls):
    """The cardinality at the input is ignored; some chunks are dropped."""
    rng = random.Random(f"{cells} {stalls}")
    chunks = some_chunks(rng, cells, 80)
    rubbish = [[(*t, rng.randrange(256)) for t in chunk] for chunk in chunks]
    dropped = {k for k in range(len(chunks)) if rng.random() < 0.3}
    _, out = run(cells, rubbish, COUNTED, dropped, seed=cells, **stalls)
    remaining = [chunk for k, chunk in enumerate(chunks) if k not in dropped]
    assert lists_of(out.payloads) == [sorted(counted(chunk)) for chunk in remaining]


@pytest.mark.parametrize("stalls", STALLS)
@pytest.mark.parametrize("cells", [1, 4])
def test_a_drop_at_every_position(cells, stalls):
    """A drop may follow any number of tuples, with full cells and with an empty growing chunk."""
    rng = random.Random(cells)
    chunks, dropped = [], set()
    for length in range(cells + 1):
        for finished_count in range(cells + 1):
            chunks += [random_list(rng, 1)] * finished_count
            dropped.add(len(chunks))
            chunks += [random_list(rng, length), random_list(rng, cells)]
    _, out = run(cells, chunks, dropped=dropped, **stalls)
    remaining = [chunk for k, chunk in enumerate(chunks) if k not in dropped]
    assert lists_of(out.payloads) == [sorted(chunk) for chunk in remaining]


def test_full_cells_take_a_drop_at_once():
    chunks = [[(5, 1)], [(2, 2), (3, 3)]]  # a finished chunk, a dropped one
    next_chunks = [[(9, 0), (8, 0)]]
    beats = beats_of(chunks[:1], 1) + [b | {"last": 0} for b in beats_of(chunks[1:], 1)]
    beats += beats_of([[]], 1) + beats_of(next_chunks, 1)
    dut = LinearSorter(ORDER, 3)

    async def testbench(ctx):
        inputs = await put(ctx, dut.i, beats)
        assert inputs.cycles == list(range(6))
        output = await collect(ctx, dut.o, 3)
        assert lists_of(output.payloads) == [chunks[0], [(8, 0), (9, 0)]]

    simulate(dut, testbench, streams={"i": dut.i, "o": dut.o})


@pytest.mark.parametrize("stalls", STALLS)
def test_empty_beats_without_last_are_ignored(stalls):
    """Empty beats come inside of chunks and between them, with any tuple."""
    rng = random.Random(7)
    chunks, beats = some_chunks(rng, 4, 40), []
    for beat in beats_of(chunks, 1):
        while rng.random() < 0.4:
            beats.append(beats_of([random_list(rng, 1)], 1)[0] | {"valid": 0, "last": 0})
        beats.append(beat)
    total = sum(map(len, chunks))
    runs = run_streams(LinearSorter(ORDER, 4), {"i": beats}, {"o": total}, seed=7, **stalls)
    assert lists_of(runs["o"].payloads) == [sorted(chunk) for chunk in chunks]


@pytest.mark.parametrize("cells", [2, 5, 8])
def test_ties_leave_in_the_order_of_arrival(cells):
    rng = random.Random(cells)
    chunks = [random_list(rng, cells) for _ in range(40)]
    _, out = run(cells, chunks, SortOrder(ROW, ("key",)), seed=1, stall_out=0.3)
    assert lists_of(out.payloads) == [sorted(chunk, key=lambda t: t[0]) for chunk in chunks]


@pytest.mark.parametrize(("cells", "length"), [(1, 1), (4, 4), (8, 8), (8, 3), (8, 1)])
def test_one_tuple_in_and_out_in_every_cycle(cells, length):
    rng = random.Random(length)
    chunks = [random_list(rng, length) for _ in range(20)]
    inputs, output = run(cells, chunks)
    assert inputs.cycles == list(range(inputs.cycles[0], inputs.cycles[0] + 20 * length))
    assert output.cycles == [cycle + length for cycle in inputs.cycles]
    assert output.cycles[0] - inputs.cycles[length - 1] == LinearSorter.latency_of(ORDER)


@pytest.mark.parametrize("order", [ORDER, COUNTED])
@pytest.mark.parametrize("cells", [1, 5, 8])
def test_chunks_that_vary_go_in_and_out_at_full_rate(cells, order):
    rng = random.Random(cells)
    for lengths in ([cells, 1] * 12, [rng.randint(1, cells) for _ in range(40)]):
        chunks = [counted(random_list(rng, length)) for length in lengths]
        if order is ORDER:
            chunks = [[t[:2] for t in chunk] for chunk in chunks]
        inputs, output = run(cells, chunks, order)
        start = inputs.cycles[0]
        assert inputs.cycles == list(range(start, start + sum(lengths)))
        register_latency = LinearSorter.latency_of(order) - 1
        # A chunk leaves when it is complete and the previous chunk has left.
        next_start, expected = 0, []
        for length in lengths:
            start += length
            next_start = max(next_start, start)
            expected += range(next_start + register_latency, next_start + register_latency + length)
            next_start += length
        assert output.cycles == expected


def test_floats_and_fields_that_have_no_say():
    row = data.StructLayout({"key": 32, "value": 4})
    order = SortOrder(row, ("key",), floating=("key",))
    bits = [0x80000000, 0, 0xFF800000, 0x7F800000, 0x3F800000, 0xBF800000, 1, 0x80000001]
    chunk = [(b, k) for k, b in enumerate(bits)]
    _, out = run(8, [chunk], order)
    expected = [0xFF800000, 0xBF800000, 0x80000001, 0x80000000, 0, 1, 0x3F800000, 0x7F800000]
    assert [t["tuples"][0]["key"] for t in out.payloads] == expected


def test_cells_must_be_positive():
    with pytest.raises(ValueError, match=r"^cells must be an integer of at least 1, not 0$"):
        LinearSorter(ORDER, 0)

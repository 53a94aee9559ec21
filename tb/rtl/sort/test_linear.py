"""The linear sorter against Python's sorted."""

import random

import pytest
from amaranth.lib import data

from rtl.sort.linear import LinearSorter
from rtl.sort.order import SortOrder
from tb.harness.unit import run_streams
from tb.rtl.sort.lists import ORDER, ROW, beats_of, lists_of, random_list

STALLS = [{}, {"stall_in": 0.4}, {"stall_out": 0.4}, {"stall_in": 0.4, "stall_out": 0.4}]


def run(cells, chunks, order=ORDER, **options):
    dut = LinearSorter(order, cells)
    total = sum(map(len, chunks))
    runs = run_streams(dut, {"i": beats_of(chunks, 1)}, {"o": total}, **options)
    return runs["i"], runs["o"]


@pytest.mark.parametrize("stalls", STALLS)
@pytest.mark.parametrize("cells", [1, 2, 3, 8])
def test_chunks_of_any_length(cells, stalls):
    rng = random.Random(f"{cells} {stalls}")
    chunks = [random_list(rng, rng.randint(1, cells)) for _ in range(60)]
    _, out = run(cells, chunks, seed=cells, **stalls)
    assert lists_of(out.payloads) == [sorted(chunk) for chunk in chunks]


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
    taken, given = run(cells, chunks)
    assert taken.cycles == list(range(taken.cycles[0], taken.cycles[0] + 20 * length))
    assert given.cycles == [cycle + length for cycle in taken.cycles]
    assert given.cycles[0] - taken.cycles[length - 1] == LinearSorter.latency


def test_floats_and_fields_that_have_no_say():
    row = data.StructLayout({"key": 32, "value": 4})
    order = SortOrder(row, ("key",), floating=("key",))
    bits = [0x80000000, 0, 0xFF800000, 0x7F800000, 0x3F800000, 0xBF800000, 1, 0x80000001]
    chunk = [(b, k) for k, b in enumerate(bits)]
    _, out = run(8, [chunk], order)
    wanted = [0xFF800000, 0xBF800000, 0x80000001, 0x80000000, 0, 1, 0x3F800000, 0x7F800000]
    assert [t["tuples"][0]["key"] for t in out.payloads] == wanted


def test_cells_must_be_positive():
    with pytest.raises(ValueError, match=r"^cells must be an integer of at least 1, not 0$"):
        LinearSorter(ORDER, 0)

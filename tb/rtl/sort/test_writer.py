"""Checks the chunk writer: a bank stores every P-th tuple, and each group counts once."""

import random
from collections import Counter

import pytest

from rtl.sort.writer import ChunkWriter
from tb.bench.unit import simulate
from tb.rtl.sort.grouped_windows import order_of, random_tuples


def beats_of(chunks, lanes, cardinality):
    """Yields (place, items, last) of each beat."""
    for place, tuples in chunks:
        sizes = Counter(group for group, _ in tuples)
        for address in range(0, len(tuples), lanes):
            items = [{"group": g, "value": v} for g, v in tuples[address : address + lanes]]
            if cardinality:
                items = [{"tuple": t, "cardinality": sizes[t["group"]]} for t in items]
            yield place, items, int(address + lanes == len(tuples))


def write(dut, lanes, chunks, cardinality, rng):
    """Writes ``chunks``, (place, sorted tuples); returns the banks and the reported places.

    While ``valid`` is low the pins show any other beat.
    """
    banks, reported_places = [{} for _ in range(lanes)], []

    async def step(ctx):
        await ctx.tick()
        if ctx.get(dut.enable):
            for bank, item in zip(banks, dut.data, strict=True):
                bank[ctx.get(dut.address)] = ctx.get(item)
        if ctx.get(dut.done):
            reported_places.append(ctx.get(dut.done_place))

    def show(ctx, valid, place, items, last):
        ctx.set(dut.place, place)
        ctx.set(dut.i.p, {"tuples": items, "valid": (1 << lanes) - 1, "last": last})
        ctx.set(dut.i.valid, valid)

    async def bench(ctx):
        beats = list(beats_of(chunks, lanes, cardinality))
        for beat in beats:
            while rng.random() < 0.3:
                show(ctx, 0, *rng.choice(beats))
                await step(ctx)
            show(ctx, 1, *beat)
            await step(ctx)
        ctx.set(dut.i.valid, 0)
        await step(ctx)

    simulate(dut, bench)
    return banks, reported_places


@pytest.mark.parametrize("cardinality", [0, 7])
@pytest.mark.parametrize(
    ("lanes", "capacity", "places"), [(1, 4, 4), (2, 8, 8), (4, 16, 8), (8, 8, 4)]
)
def test_every_part_of_every_chunk(lanes, capacity, places, cardinality):
    rng = random.Random(lanes)
    chunks = []
    for place in rng.sample(range(places), places):
        kind = rng.choice(["random", "one group", "few groups"])
        count = rng.choice([capacity, rng.randrange(lanes, capacity + 1, lanes)])
        chunks.append((place, sorted(random_tuples(rng, kind, count))))
    dut = ChunkWriter(order_of(cardinality), lanes, capacity, places)
    banks, reported_places = write(dut, lanes, chunks, cardinality, rng)
    assert reported_places == [place for place, _ in chunks]
    for place, tuples in chunks:
        sizes, totals = Counter(group for group, _ in tuples), Counter()
        for bank in range(lanes):
            first = (bank - place) % lanes
            bank_tuples = tuples[first::lanes]
            address = place * capacity // lanes
            stored = [banks[bank][address + k] for k in range(len(bank_tuples))]
            plain = [s["tuple"] if cardinality else s for s in stored]
            assert [(t["group"], t["value"]) for t in plain] == bank_tuples
            if cardinality:  # a group has one value in a bank; the banks' sum is the group's size
                counts = {
                    (t["group"], s["cardinality"]) for s, t in zip(stored, plain, strict=True)
                }
                assert len(counts) == len({group for group, _ in counts})
                for group, count in counts:
                    totals[group] += count
        assert not cardinality or totals == sizes


def test_a_group_at_the_border_of_two_chunks():
    """The last group of a chunk is the first one of the next: each chunk counts it by itself.

    In the first chunk the group begins in lane 1, in the second one in lane 0.
    """
    chunks = [(0, [(0, 1), (5, 2)]), (1, [(5, 3), (7, 4)])]
    dut = ChunkWriter(order_of(7), 2, 8, 8)
    banks, _ = write(dut, 2, chunks, 7, random.Random(1))
    stored = [[banks[lane][address] for lane in (0, 1)] for address in (0, 4)]
    counts = [[(s["tuple"]["group"], s["cardinality"]) for s in pair] for pair in stored]
    assert counts == [[(0, 1), (5, 1)], [(7, 1), (5, 1)]]

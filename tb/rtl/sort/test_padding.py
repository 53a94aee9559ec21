"""Checks padding, which precedes a sorter, and the picker, which follows it."""

import random

import pytest
from amaranth.hdl import Value, signed
from amaranth.lib import data

from rtl.sort.padding import Padding, padded_order, padding_context
from rtl.sort.picker import Picker
from tb.bench.unit import collect, put, run_streams, simulate
from tb.rtl.beats import dense
from tb.rtl.gates import evaluate

STALLS = [(0.0, 0.0), (0.3, 0.4)]


def encoded(layout, **values):
    return sum(value << layout[name].offset for name, value in values.items())


@pytest.mark.parametrize("stalls", STALLS)
@pytest.mark.parametrize("lanes", [1, 4])
def test_windows_are_filled_to_what_was_told(lanes, stalls):
    """Each window gets ``last_beat + 1`` beats; a window without values becomes pads only."""
    rng = random.Random(lanes)
    layout = padding_context(32 // lanes)
    windows, beats = [], []
    for _ in range(30):
        values = [rng.randrange(256) for _ in range(rng.choice((0, 1, 2, 3, 7, 8, 12, 30, 32)))]
        rows = max(1, -(-len(values) // lanes))
        rows = rng.randint(rows, min(rows + rng.choice((0, 0, 3)), 32 // lanes))
        windows.append((values, rows))
        last_beat = {"context": encoded(layout, last_beat=rows - 1)}
        beats += [beat | last_beat for beat in dense(values, lanes)]
    count = sum(rows for _, rows in windows)
    dut = Padding(8, lanes, 32)
    stall_in, stall_out = stalls
    runs = run_streams(dut, {"i": beats}, {"o": count}, stall_in=stall_in, stall_out=stall_out)
    received = iter(runs["o"].payloads)
    for values, rows in windows:
        window_beats = [next(received) for _ in range(rows)]
        assert [beat["last"] for beat in window_beats] == [0] * (rows - 1) + [1]
        assert all(
            beat["valid"] == (1 << lanes) - 1 and not beat["context"] for beat in window_beats
        )
        entries = [entry for beat in window_beats for entry in beat["tuples"]]
        assert [e["pad"] for e in entries] == [0] * len(values) + [1] * (rows * lanes - len(values))
        assert [e["value"] for e in entries[: len(values)]] == values


@pytest.mark.parametrize("stalls", STALLS)
@pytest.mark.parametrize("lanes", [1, 4])
def test_the_values_of_each_window_are_counted_once(lanes, stalls):
    """``count`` comes with a window's last beat, before beats of pads; ``rows`` with each beat."""
    rng, dut = random.Random(lanes), Padding(8, lanes, 32)
    layout = padding_context(32 // lanes)
    beats, counts, all_rows = [], [0, 1, 4, 5, 8, 31, 32, 1], []
    for count in counts:
        min_rows = max(1, -(-count // lanes))
        rows = rng.choice((min_rows, 32 // lanes))
        last_beat = {"context": encoded(layout, last_beat=rows - 1)}
        beats += [beat | last_beat for beat in dense([7] * count, lanes)]
        all_rows += [rows] * rows
    counted, received_rows = [], []

    async def feed(ctx):
        await put(ctx, dut.i, beats, stalls[0], random.Random(1))

    async def drain(ctx):
        await collect(ctx, dut.o, len(all_rows), stall=stalls[1], rng=random.Random(2))

    async def watch(ctx):
        ports = dut.o.valid & dut.o.ready, dut.rows, dut.counted, dut.count
        while len(received_rows) < len(all_rows):
            _, _, transfer, rows, is_counted, count = await ctx.tick().sample(*ports)
            received_rows.extend([rows] if transfer else [])
            counted.extend([count] if is_counted else [])

    simulate(dut, feed, drain, watch)
    assert counted == counts
    assert received_rows == all_rows


@pytest.mark.parametrize("floating", [False, True])
def test_pads_come_behind_every_value(floating):
    """A pad follows the greatest value, and values are in their order."""
    order = padded_order(32 if floating else signed(32), floating)
    if floating:  # from -NaN to NaN
        values = [0xFFFFFFFF, 0xFF800000, 0xBF800000, 0x80000000, 0, 0x3F800000, 0x7FFFFFFF]
    else:
        values = [-(1 << 31), -1, 0, 1, (1 << 31) - 1]
    entries = [{"value": value, "pad": 0} for value in values] + [{"value": values[0], "pad": 1}]
    keys = evaluate(
        {"entry": order.row},
        {"key": order.width},
        lambda entry: {"key": Value.cast(order.key(entry))},
        [{"entry": entry} for entry in entries],
    )
    keys = [key_value["key"] for key_value in keys]
    assert keys == sorted(set(keys))


@pytest.mark.parametrize("stalls", STALLS)
@pytest.mark.parametrize(("lanes", "places"), [(1, 1), (4, 3), (8, 2)])
def test_picks_what_is_asked(lanes, places, stalls):
    rng = random.Random(lanes + places)
    beats, requests, expected = [], [], []
    for k in range(40):
        rows = rng.choice((1, 1, 1, 2, 32 // lanes))
        values = [rng.randrange(-128, 128) for _ in range(rows * lanes)]
        beats += [
            beat | {"tuples": [{"value": v, "pad": 0} for v in beat["tuples"]]}
            for beat in dense(values, lanes)
        ]
        window_places = [
            rng.choice((0, rows * lanes - 1, rng.randrange(rows * lanes))) for _ in range(places)
        ]
        requests.append({"places": window_places, "passenger": k})
        expected.append({"values": [values[place] for place in window_places], "passenger": k})
    dut = Picker(signed(8), lanes, places, 32, passenger=data.StructLayout({"n": 6}).size)
    stall_in, stall_out = stalls
    runs = run_streams(
        dut,
        {"i": beats, "request": requests},
        {"o": 40},
        stall_in={"i": stall_in, "request": stall_out},
        stall_out=stall_out,
    )
    assert runs["o"].payloads == expected
    if not stall_in:
        ends = [c for c, b in zip(runs["i"].cycles, beats, strict=True) if b["last"]]
        assert runs["i"].cycles == list(range(len(beats)))
        assert runs["o"].cycles == [cycle + dut.latency for cycle in ends]

"""Checks the hash table by a model of dicts, for many keys, streams and stalls."""

import random

import pytest
from amaranth.hdl import Fragment, ResetInserter, Signal, signed

from gen.report.synthesis import synthesise
from gen.verilog.elaboration import to_rtlil
from rtl.keyed.table.hash_table import HashTable
from tb.bench.payload import decode
from tb.bench.sides import as_unsigned
from tb.bench.unit import run_stream, run_streams, simulate
from tb.rtl.keyed.table.keys import PATTERNS, beats_of, colliding, expected_outputs, keys_of, plain
from tb.rtl.keyed.table.models import TableModel
from tb.rtl.keyed.table.parents import STATE, Parent

STALLS = [(0, 0), (0.5, 0), (0, 0.5), (0.3, 0.4)]


def table(width, entries, ways, **bits):
    return Parent(HashTable(width, entries, ways, STATE, 8, **bits), "state")


def check(rng, beats, width, entries, ways, *, stalls=None, epoch=8, stamp=24):
    """Checks the outputs for ``beats`` by the model, and returns them."""
    stall_in, stall_out = rng.choice(STALLS) if stalls is None else stalls
    model = TableModel(key_width=width, entries=entries, ways=ways, stamp=stamp)
    expected = expected_outputs(model, beats)
    run = run_stream(
        table(width, entries, ways, epoch=epoch, stamp=stamp),
        beats,
        expected=len(beats),
        stall_in=stall_in,
        stall_out=stall_out,
        seed=rng.randrange(99),
    )
    assert [plain(output) for output in run.payloads] == expected
    return expected


@pytest.mark.in_turn(5)
@pytest.mark.parametrize("ways", [1, 2, 4])
@pytest.mark.parametrize("stalls", STALLS[::3])
def test_keys_of_every_temper(ways, stalls):
    rng = random.Random(f"{ways} {stalls}")
    model = TableModel(key_width=32, entries=16, ways=ways)
    beats = []
    for pattern in PATTERNS:
        keys = keys_of(rng, pattern, model, 40)
        beats += beats_of(rng, keys, holes=rng.choice([0, 0.2]))
    outputs = check(rng, beats, 32, 16, ways, stalls=stalls)
    assert sum(output.get("evicted") is not None for output in outputs) > 20


@pytest.mark.parametrize(("width", "ways"), [(1, 2), (8, 1), (33, 2), (64, 4)])
def test_keys_of_any_width(width, ways):
    rng = random.Random(f"{width} {ways}")
    model = TableModel(key_width=width, entries=8, ways=ways)
    keys = [key for pattern in PATTERNS[1:5] for key in keys_of(rng, pattern, model, 20)]
    check(rng, beats_of(rng, keys), width, 8, ways, stalls=(0, 0))


@pytest.mark.parametrize(("ways", "epoch"), [(1, 1), (2, 2)])
def test_every_stream_begins_with_an_empty_table(ways, epoch):
    """Also after the stream numbers wrap, and after empty streams."""
    rng = random.Random(f"{ways} {epoch}")
    keys = [rng.getrandbits(32) for _ in range(10)]
    beats = []
    for _ in range(20):
        beats += beats_of(rng, rng.choices(keys, k=rng.choice([0, 1, 2, 12])), holes=0.2)
    check(rng, beats, 32, 8, ways, epoch=epoch, stalls=(0, 0.3))


@pytest.mark.parametrize(("ways", "stamp"), [(2, 1), (2, 2), (4, 4)])
def test_stamps_come_again(ways, stamp):
    """Entries without an arrival for 2^stamp arrivals have an age modulo 2^stamp."""
    rng = random.Random(f"{ways} {stamp}")
    model = TableModel(key_width=32, entries=2 * ways, ways=ways)
    group = colliding(rng, model, ways + 2)
    others = [rng.getrandbits(32) for _ in range(3)]
    keys = [rng.choice(group if rng.random() < 0.5 else others) for _ in range(120)]
    beats = beats_of(rng, keys, holes=0.2)
    outputs = check(rng, beats, 32, 2 * ways, ways, stamp=stamp, stalls=(0, 0))
    exact = expected_outputs(TableModel(key_width=32, entries=2 * ways, ways=ways), beats)
    assert outputs != exact


def test_by_hand():
    """The lowest three bits of zlib's CRC of the bytes 00 to 07 and 0b."""
    beats = [{"key": k, "passenger": k, "valid": 1, "last": 0} for k in [*range(8), 3, 11]]
    run = run_stream(table(8, 8, 1), beats, expected=10)
    assert [output["entry"] for output in run.payloads] == [5, 3, 1, 7, 4, 2, 0, 6, 7, 5]
    assert [output["fresh"] for output in run.payloads] == [1] * 8 + [0, 1]
    assert [output["evicted"] for output in run.payloads] == [0] * 9 + [1]
    assert run.payloads[-1]["evicted_key"] == 0


def test_the_example_of_the_docstring():
    model = TableModel(key_width=32, entries=8, ways=2)
    x, y, z = [key for key in range(500) if model.candidates(key) == [1, 7]][:3]
    inputs = [{"key": k, "passenger": 1, "valid": 1, "last": 0} for k in (x, y, x, z, y)]
    run = run_stream(table(32, 8, 2), inputs, expected=5)
    assert [output["key"] for output in run.payloads] == [x, y, x, z, y]
    assert [output["entry"] for output in run.payloads] == [1, 7, 1, 7, 1]
    assert [output["fresh"] for output in run.payloads] == [1, 1, 0, 1, 1]
    assert [output["evicted"] for output in run.payloads] == [0, 0, 0, 1, 1]
    assert [output["evicted_key"] for output in run.payloads[3:]] == [y, x]
    assert [output["state"]["count"] for output in run.payloads] == [0, 0, 1, 0, 0]


@pytest.mark.parametrize("ways", [1, 4])
def test_latency_rate_and_sweeps(ways):
    """A tuple in every cycle, except for the sweeps after a reset and every three streams."""
    rng = random.Random(ways)
    beats = []
    for _ in range(7):
        beats += beats_of(rng, [rng.getrandbits(3) for _ in range(5)])
    run = run_streams(table(32, 16, ways, epoch=2), {"i": beats}, {"o": len(beats)})
    sweep = 16 // ways
    assert run["i"].cycles == [k + sweep * (1 + k // 15) for k in range(35)]
    latencies = {b - a for a, b in zip(run["i"].cycles, run["o"].cycles, strict=True)}
    assert latencies == {HashTable.latency} == {5}


def test_a_reset_at_any_cycle():
    """A reset drops the tuples inside and empties the table, for any contents of the memories."""
    rng = random.Random(7)
    reset, parent = Signal(), table(32, 8, 2, epoch=2)
    dut = ResetInserter(reset)(parent)
    keys = [rng.getrandbits(32) for _ in range(6)]

    async def life(ctx, cycles, stall):
        """Runs ``cycles`` cycles from a reset on; returns the number of outputs."""
        beats = [b for _ in range(9) for b in beats_of(rng, rng.choices(keys, k=20), holes=0.1)]
        expected = expected_outputs(TableModel(key_width=32, entries=8, ways=2), beats)
        sent = output_count = 0
        for _ in range(cycles):
            ctx.set(parent.i.valid, 1)
            ctx.set(parent.i.p, beats[sent])
            ctx.set(parent.o.ready, rng.random() >= stall)
            _, _, accepted, transferred, payload = await ctx.tick().sample(
                parent.i.valid & parent.i.ready,
                parent.o.valid & parent.o.ready,
                as_unsigned(parent.o.p),
            )
            sent += accepted
            if transferred:
                assert plain(decode(parent.o.p.shape(), payload)) == expected[output_count]
                output_count += 1
        ctx.set(reset, 1)
        await ctx.tick()
        ctx.set(reset, 0)
        return output_count

    async def bench(ctx):
        lives = [await life(ctx, rng.randint(1, 40), rng.choice([0, 0.5])) for _ in range(30)]
        assert max(lives) > 20
        assert await life(ctx, 120, 0.2) > 70

    simulate(dut, bench)


def test_a_signed_key():
    beats = [{"key": k, "passenger": 0, "valid": 1, "last": 0} for k in (-1, 5, -1, -128)]
    run = run_stream(table(signed(8), 8, 1), beats, expected=4)
    assert [output["key"] for output in run.payloads] == [-1, 5, -1, -128]
    assert [output["state"]["count"] for output in run.payloads] == [0, 0, 1, 0]


def test_is_asked_and_refused():
    """A tag has 33 bits of key, 3 bits of the stream number, and with several ways 5 of a stamp."""
    for ways, bits in ((1, 16 * (33 + 3 + 20)), (4, 16 * (33 + 3 + 5 + 20))):
        assert HashTable.memory_bits_of(33, 16, ways, STATE, epoch=3, stamp=5) == bits
        dut = HashTable(33, 16, ways, STATE, epoch=3, stamp=5)
        Fragment.get(dut, None)
        assert dut.memory_bits == bits
    for settings, text in (
        ((8, 16, 3), "ways must be 1, 2 or 4, not 3"),
        ((8, 12, 2), "entries must be a power of two of at least 4, twice the ways, not 12"),
        ((8, 4, 4), "entries must be a power of two of at least 8, twice the ways, not 4"),
        ((0, 8, 2), "key must have at least 1 bit, not 0"),
    ):
        for call in (HashTable, HashTable.memory_bits_of):
            with pytest.raises(ValueError, match=f"^{text}$"):
                call(*settings, STATE)
    for name in ("epoch", "stamp"):
        with pytest.raises(ValueError, match=f"^{name} must be an integer of at least 1, not 0$"):
            HashTable(8, 8, 2, STATE, **{name: 0})


@pytest.mark.regress
@pytest.mark.parametrize("ways", [1, 2, 4])
def test_20000_keys(ways):
    rng = random.Random(ways)
    pool = [rng.getrandbits(32) for _ in range(20_000)]
    beats = beats_of(rng, [*pool[:1500], *rng.choices(pool[1000:], k=1500)])
    outputs = check(rng, beats, 32, 256, ways, stalls=(0, 0))
    assert sum(output["evicted"] is not None for output in outputs) > 2500


@pytest.mark.regress
@pytest.mark.parametrize("ways", [1, 2, 4])
@pytest.mark.parametrize("width", [1, 8, 32, 33, 64])
def test_grid(ways, width):
    rng = random.Random(f"{ways} {width}")
    model = TableModel(key_width=width, entries=32, ways=ways)
    beats = []
    for pattern in PATTERNS:
        keys = keys_of(rng, pattern, model, rng.randint(50, 100))
        beats += beats_of(rng, keys, holes=0.1)
    check(rng, beats, width, 32, ways, epoch=2, stamp=6)


@pytest.mark.regress
@pytest.mark.parametrize("ways", [1, 2, 4])
def test_on_an_fpga(ways):
    report = synthesise(to_rtlil(HashTable(32, 1024, ways, 72, 96)), "xcup", ".cache")
    print(report)
    assert max(report.depth, report.depth_io) <= 8

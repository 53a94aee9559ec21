"""Checks Bank and FedBank by dicts, for many sequences of indices and stalls."""

import operator
import random
from itertools import cycle, product

import pytest
from amaranth.hdl import Fragment, ResetInserter, Signal, signed

from gen.report.synthesis import synthesise
from gen.verilog.elaboration import to_rtlil
from rtl.memory.bank import Bank
from rtl.memory.fed_bank import FedBank
from tb.bench.payload import decode
from tb.bench.sides import as_unsigned
from tb.bench.unit import run_stream, run_streams, simulate
from tb.rtl.keyed.table.parents import STATE, Parent, mixed

STALLS = [(0, 0), (0.5, 0), (0.4, 0.4), (0.2, 0.8)]
NOTHING = {"count": 0, "mix": 0}


def sequence(rng, depth, n):
    """Returns indices, ``n`` of each pattern: equal ones at short distances, long ones, or both."""
    bursts = [index for _ in range(n) for index in [rng.randrange(depth)] * rng.randint(1, 5)]
    return [
        *[depth - 1] * n,
        *(k % 2 for k in range(n)),
        *(rng.randrange(min(3, depth)) for _ in range(n)),
        *bursts[:n],
        *(rng.randrange(depth) for _ in range(n)),
    ]


@pytest.mark.parametrize("depth", [2, 16])
@pytest.mark.parametrize(("stall_in", "stall_out"), STALLS)
def test_a_lookup_finds_what_all_before_it_have_left(depth, stall_in, stall_out):
    rng = random.Random(f"{depth} {stall_in} {stall_out}")
    inputs = [
        {"index": index, "passenger": rng.randrange(256)} for index in sequence(rng, depth, 50)
    ]
    model, expected = {}, []
    for lookup in inputs:
        entry = model.get(lookup["index"], NOTHING)
        expected.append({**lookup, "entry": entry})
        if lookup["passenger"] % 2:
            model[lookup["index"]] = mixed(entry, lookup["passenger"])
    run = run_stream(
        Parent(Bank(STATE, depth, 8), "entry"),
        inputs,
        expected=len(inputs),
        stall_in=stall_in,
        stall_out=stall_out,
        seed=rng.randrange(99),
    )
    assert run.payloads == expected


@pytest.mark.parametrize("entry", [8, signed(8)])
def test_the_note_is_told_of_what_is_offered(entry):
    """The note fits an entry that was read, and an entry that one of two lookups before changed."""
    dut, rng, notes = Bank(entry, 4, 8, note=operator.sub), random.Random(1), []
    note_count = 1 << len(dut.note)

    async def bench(ctx):
        for index in sequence(rng, 4, 200):
            for signal, value in (
                (dut.i.p.index, index),
                (dut.i.p.passenger, rng.randrange(256)),
                (dut.i.valid, rng.random() < 0.8),
                (dut.o.ready, rng.random() < 0.8),
                (dut.next, rng.randrange(256)),
                (dut.update, rng.random() < 0.7),
            ):
                ctx.set(signal, value)
            if ctx.get(dut.o.valid):
                o = ctx.get(dut.o.p)
                notes.append((ctx.get(dut.note), (o.entry - o.passenger) % note_count))
            await ctx.tick()

    simulate(dut, bench)
    assert len(notes) > 500
    assert [note for note, _ in notes] == [expected for _, expected in notes]


@pytest.mark.parametrize("make", [lambda: Parent(Bank(STATE, 16, 8), "entry"), lambda: fed(16)])
def test_latency_and_rate(make):
    inputs = [{"index": k % 3, "passenger": k} for k in range(40)]
    run = run_streams(make(), {"i": inputs}, {"o": len(inputs)})
    assert run["i"].cycles == list(range(40))
    assert {b - a for a, b in zip(run["i"].cycles, run["o"].cycles, strict=True)} == {Bank.latency}
    assert Bank.latency == FedBank.latency == 2


def test_a_reset_forgets_lookups_and_keeps_entries():
    """Checks a reset in each cycle of a run: only lookups transferred before it change entries.

    A lookup at a stalled output is dropped, too. The next lookup comes 1 to 3 cycles after a reset.
    """
    dut, reset = Bank(4, 4, 4), Signal()

    async def bench(ctx):
        ctx.set(dut.update, 1)
        entries = [0] * 4
        for length, stalled, gap in product(range(9), (0, 2, 3), (1, 2, 3)):
            for k in range(length + 8):
                accepted = k > length or k < length - stalled or not stalled
                ctx.set(dut.o.ready, accepted)
                ctx.set(reset, k == length)
                ctx.set(dut.i.valid, k < length or k == length + gap)
                ctx.set(dut.i.p.index, 1 if k < length and k % 3 else 2)
                ctx.set(dut.next, (ctx.get(dut.o.p.entry) + 1) % 16)
                _, _, valid, index, entry = await ctx.tick().sample(
                    dut.o.valid, dut.o.p.index, dut.o.p.entry
                )
                offers = k == length + gap + 2  # the lookup after the reset
                assert valid == offers or k <= length
                if valid and accepted:
                    assert entry == entries[index]
                    entries[index] = (entry + 1) % 16

    simulate(ResetInserter(reset)(dut), bench)


def fed(depth):
    return FedBank(STATE, depth, 8)


@pytest.mark.in_turn(5)
@pytest.mark.parametrize("depth", [2, 16])
@pytest.mark.parametrize("busy", [0.3, 1])
@pytest.mark.parametrize(("stall_in", "stall_out"), STALLS[1:])
def test_a_lookup_finds_what_was_fed_back(depth, busy, stall_in, stall_out):
    """A lookup finds entries fed back before the cycle of its first offer, and no later ones."""
    rng = random.Random(f"{depth} {busy} {stall_in} {stall_out}")
    lookups = sequence(rng, depth, 30)
    writes = cycle(sequence(rng, depth, 41))
    dut, written, results = fed(depth), {}, []

    async def bench(ctx):
        offered, sent = None, 0
        while len(results) < len(lookups):
            if not ctx.get(dut.i.valid):
                ctx.set(dut.i.valid, sent < len(lookups) and rng.random() >= stall_in)
            ctx.set(
                dut.i.p, {"index": lookups[min(sent, len(lookups) - 1)], "passenger": sent % 256}
            )
            ctx.set(dut.o.ready, rng.random() >= stall_out)
            index, feeds = next(writes), rng.random() < busy
            entry = {"count": rng.getrandbits(9), "mix": rng.getrandbits(11)}
            ctx.set(dut.feedback.valid, feeds)
            ctx.set(dut.feedback.p, {"index": index, "entry": entry})
            if ctx.get(dut.o.valid) and offered is None:
                offered = written.get(lookups[len(results)], NOTHING)
            _, _, accepted, transferred, o = await ctx.tick().sample(
                dut.i.valid & dut.i.ready, dut.o.valid & dut.o.ready, as_unsigned(dut.o.p)
            )
            if feeds:
                written[index] = entry
            if transferred:
                number, index = len(results), lookups[len(results)]
                results.append(decode(dut.o.p.shape(), o))
                assert results[-1] == {"index": index, "passenger": number % 256, "entry": offered}
                offered = None
            if accepted:
                sent += 1
                ctx.set(dut.i.valid, 0)

    simulate(dut, bench, streams={"i": dut.i, "o": dut.o})


def test_a_bank_is_asked_and_refused():
    assert Bank.memory_bits_of(STATE, 16) == FedBank.memory_bits_of(STATE, 16) == 16 * 20
    for make in (Bank, FedBank):
        dut = make(STATE, 16, 8)
        Fragment.get(dut, None)
        assert dut.memory_bits == 16 * 20
        with pytest.raises(ValueError, match=r"^depth must be a power of two .*, not 12$"):
            make(STATE, 12)


@pytest.mark.regress
def test_on_an_fpga():
    """The longest path inside of a bank has 3 LUTs at most."""
    report = synthesise(to_rtlil(Bank(72, 1024, 32)), "xcup", ".cache")
    print(report)
    assert report.bram36 == 2
    assert max(report.depth, report.depth_io) <= 3

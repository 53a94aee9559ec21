"""Checks the benches of ``tb/bench``: correct components pass, with the right cycles, and a defect
makes a run fail."""

import random

import pytest
from amaranth.hdl import Cat, Module, Signal, signed
from amaranth.lib import data, stream, wiring
from amaranth.lib.wiring import In, Out

from sim.errors import HangError, ProtocolError
from tb.bench.payload import decode, encode
from tb.bench.sides import Sink, Source
from tb.bench.unit import collect, put, run_stream, run_streams, simulate


class Register(wiring.Component):
    """A stream register; ``defect`` names a mistake in it."""

    def __init__(self, shape=8, defect=None):
        self.defect = defect
        super().__init__({"i": In(stream.Signature(shape)), "o": Out(stream.Signature(shape))})

    def elaborate(self, platform):
        m = Module()
        full, stored, count = Signal(), Signal.like(self.i.payload), Signal(8)
        m.d.comb += [
            self.i.ready.eq(~full | (self.o.ready & self.o.valid)),
            self.o.valid.eq(full),
            self.o.payload.eq(stored),
        ]
        m.d.sync += count.eq(count + 1)
        with m.If(self.i.ready):
            m.d.sync += [full.eq(self.i.valid), stored.eq(self.i.payload)]
        match self.defect:
            case "withdraws":
                m.d.comb += self.o.valid.eq(full & (count[:2] != 0))
            case "changes":
                m.d.comb += self.o.payload.eq(Cat(stored) ^ (count[:2] == 0))
            case "waits for ready":
                m.d.comb += self.o.valid.eq(full & self.o.ready)
            case "loses":
                with m.If(count == 40):
                    m.d.sync += full.eq(0)
            case "hangs":
                with m.If(count == 40):
                    m.d.comb += self.i.ready.eq(0)
                    m.d.sync += [count.eq(40), full.eq(full & ~self.o.ready)]
            case "floods":
                with m.If(count == 40):
                    m.d.comb += self.i.ready.eq(0)
                    m.d.sync += count.eq(40)
            case "ignores valid":
                with m.If(self.i.ready):
                    m.d.sync += full.eq(1)
        return m


class Sums(wiring.Component):
    """Adds ``add`` and the payloads of two inputs in the same cycle, without stalls."""

    a: In(stream.Signature(signed(8), always_ready=True, always_valid=True))
    b: In(stream.Signature(signed(8), always_ready=True))
    add: In(4)
    o: Out(stream.Signature(signed(10), always_ready=True))

    def elaborate(self, platform):
        m = Module()
        m.d.comb += self.o.valid.eq(self.b.valid)
        m.d.comb += self.o.payload.eq(self.a.payload + self.b.payload + self.add)
        return m


STALLS = [(0.0, 0.0), (0.5, 0.0), (0.0, 0.5), (0.5, 0.5)]


@pytest.mark.parametrize(("stall_in", "stall_out"), STALLS)
def test_sound_register(stall_in, stall_out):
    inputs = [random.Random(7).randrange(256) for _ in range(200)]
    options = {"stall_in": stall_in, "stall_out": stall_out, "seed": 7}
    run = run_streams(Register(), {"i": inputs}, {"o": 200}, **options)
    assert run["o"].payloads == run["i"].payloads == inputs
    pairs = zip(run["i"].cycles, run["o"].cycles, strict=True)
    latencies = {leaves - enters for enters, leaves in pairs}
    if stall_out:
        assert min(latencies) == 1
        assert max(latencies) > 3
    else:
        assert latencies == {1}
    cycles = run["i"].cycles
    assert (cycles == list(range(200))) == (stall_in == stall_out == 0)


def test_same_seed_same_cycles():
    def cycles(seed):
        run = run_stream(Register(), range(50), expected=50, stall_in=0.3, stall_out=0.3, seed=seed)
        return run.cycles

    assert cycles(1) == cycles(1)
    assert cycles(1) != cycles(2)


@pytest.mark.parametrize(
    ("defect", "message"),
    [
        ("withdraws", "o: valid withdrawn before ready"),
        ("changes", "o: payload changed before ready"),
        ("waits for ready", "^hang at cycle"),
        ("loses", "^hang at cycle"),  # "changed" has a hang, too
        ("hangs", "^hang at cycle"),
        ("floods", "o: 200 payloads expected, more came"),
    ],
)
def test_broken_register_is_caught(defect, message):
    with pytest.raises(ProtocolError, match=message):
        run_stream(Register(8, defect), range(200), expected=200, stall_out=0.5, seed=3)


def test_hang_says_how_far_the_run_came():
    with pytest.raises(
        HangError, match=r"taken {'i': 40, 'o': 40} of {'i': 200, 'o': 200}, seed 6"
    ):
        run_stream(Register(8, "hangs"), range(200), expected=200, seed=6)


def test_rubbish_while_invalid_is_seen_by_a_leaf_that_ignores_valid():
    with pytest.raises(ProtocolError, match="o: 50 payloads expected, more came"):
        run_stream(Register(8, "ignores valid"), range(50), expected=50, stall_in=0.5, seed=1)


def test_outputs_beyond_the_expected_number_are_returned():
    run = run_stream(Register(), range(50), expected=40)
    assert run.payloads == list(range(50))


def test_without_expectation_runs_for_max_cycles():
    run = run_stream(Register(), range(50), max_cycles=20)
    assert run.payloads == list(range(19))


def test_always_streams_and_ports():
    a, b = list(range(-100, 100)), list(range(100, -100, -1))
    run = run_streams(Sums(), {"a": a, "b": b}, {"o": 200}, ports={"add": 5})
    assert run["o"].payloads == [105 - 100] * 200
    assert run["o"].cycles == run["b"].cycles == list(range(200))


def test_stall_of_an_always_stream_is_refused():
    endless = stream.Signature(8, always_valid=True, always_ready=True).create()
    with pytest.raises(ValueError, match=r"stall of an always valid stream must be 0, not 0.5"):
        Source(endless, [1], 0.5, random.Random(0))
    with pytest.raises(ValueError, match=r"stall of an always ready stream must be 0, not 0.5"):
        Sink(endless, 0.5, random.Random(0))


LAYOUT = data.StructLayout(
    {"key": signed(5), "lanes": data.ArrayLayout(data.StructLayout({"v": signed(3), "on": 1}), 2)}
)


def test_struct_payloads():
    values = [
        {"key": k % 32 - 16, "lanes": [{"v": k % 8 - 4, "on": k & 1}, {"v": -1, "on": 0}]}
        for k in range(40)
    ]
    dut = Register(LAYOUT)
    assert run_stream(dut, values, expected=40, stall_in=0.2).payloads == values
    constants = [LAYOUT.const({"key": v["key"]}) for v in values]
    run = run_stream(Register(LAYOUT), constants, expected=40)
    assert run.payloads[3] == {"key": -13, "lanes": [{"v": 0, "on": 0}, {"v": 0, "on": 0}]}


def test_encoding_by_hand():
    # key -1 in 5 bits, lane 0: v -4 = 100, on 1; lane 1: v 1 = 001, on 0
    value = {"key": -1, "lanes": [{"v": -4, "on": 1}, {"v": 1, "on": 0}]}
    assert encode(LAYOUT, value) == 0b0001_1100_11111
    assert decode(LAYOUT, 0b0001_1100_11111) == value


@pytest.mark.parametrize(
    ("shape", "value"), [(8, 256), (8, -1), (signed(8), 128), (LAYOUT, 1 << 13)]
)
def test_a_number_that_does_not_fit_is_refused(shape, value):
    with pytest.raises(ValueError, match=f"payload must fit .*, not {value}"):
        encode(shape, value)


def test_put_and_collect_with_checker():
    dut, rng = Register(), random.Random(5)
    runs, idle = [], []

    async def feed(ctx):
        await put(ctx, dut.i, [1, 2, 3], 0.5, rng)
        await put(ctx, dut.i, [4, 5])
        idle.append(ctx.get(dut.i.valid))

    async def drain(ctx):
        runs.append(await collect(ctx, dut.o, until=lambda v: v == 3, stall=0.5, rng=rng))
        runs.append(await collect(ctx, dut.o, 2))
        idle.append(ctx.get(dut.o.ready))

    simulate(dut, feed, drain, streams={"i": dut.i, "o": dut.o})
    assert [run.payloads for run in runs] == [[1, 2, 3], [4, 5]]
    assert idle == [0, 0]  # both sides stop


@pytest.mark.parametrize("side", ["put", "collect"])
def test_put_and_collect_give_up(monkeypatch, side):
    """No other bench takes payloads of the register, or sends a second one."""
    monkeypatch.setattr("tb.bench.unit.LONGEST_WAIT", 50)
    dut = Register(8)

    async def bench(ctx):
        await put(ctx, dut.i, [1])
        await (put(ctx, dut.i, range(9)) if side == "put" else collect(ctx, dut.o, 2))

    with pytest.raises(HangError, match=r"^hang at cycle 5[0-9]: the last of [0-9] transfers"):
        simulate(dut, bench)


@pytest.mark.parametrize("defect", ["withdraws", "changes"])
def test_attached_checker_catches(defect):
    dut = Register(8, defect)

    async def feed(ctx):
        await put(ctx, dut.i, [1])

    async def wait(ctx):
        for _ in range(20):
            await ctx.tick()

    with pytest.raises(ProtocolError, match="the output: "):
        simulate(dut, feed, wait, streams={"the output": dut.o})

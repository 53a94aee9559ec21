"""Drives leaves with ``amaranth.lib.stream`` ports in amaranth's simulator, under random stalls.

:func:`run_stream` is the one call for a component with one input ``i`` and one output ``o``,
:func:`run_streams` that for any number of either, :func:`put` and :func:`collect` are for benches
with a sequence of their own, run by :func:`simulate`, which attaches the stream-rule checker.

A stall is the probability that a side is not willing in a cycle, so the gaps are geometric. While
``valid`` is low the payload is random rubbish. An output's pause in four waits until it has seen
``valid``: a component that waits for ``ready`` first never gets on.
"""

import random
from collections.abc import Mapping
from contextlib import nullcontext
from operator import attrgetter

from amaranth.hdl import ClockDomain, Module
from amaranth.sim import Simulator

from sim.errors import HangError, ProtocolError
from tb.bench.sides import Rules, Sink, Source, as_unsigned

DRAIN = 16  # cycles after the last expected output, in which none may follow


def stream_rules(stream, name="stream"):
    """Process that holds one stream to its rules: ``sim.add_process(stream_rules(dut.o, "o"))``.

    At each clock edge after one with ``valid & ~ready``, ``valid`` is still high and the payload
    the same. A reset ends the obligation. Raises ProtocolError out of the simulation.
    """

    async def process(ctx):
        rules, cycle = Rules(name), 0
        ports = ctx.tick().sample(stream.valid, stream.ready, as_unsigned(stream.payload))
        async for _, reset, valid, ready, bits in ports:
            rules.sample(cycle, valid, ready, bits)
            if reset:
                rules.stalled = None
            cycle += 1

    return process


async def put(ctx, stream, payloads, stall=0.0, rng=None):
    """Sends ``payloads`` over ``stream``, and leaves ``valid`` low.

    Returns
    -------
    StreamRun
        Cycles counted from the call.
    """
    return await _serve(ctx, Source(stream, payloads, stall, _rng(stall, rng)), None, None)


async def collect(ctx, stream, n=None, *, until=None, stall=0.0, rng=None):
    """Takes payloads from ``stream``: ``n``, or up to the first one for which ``until`` is true.

    Returns
    -------
    StreamRun
        Cycles counted from the call.
    """
    if (n is None) == (until is None):
        raise ValueError("collect must have one of n and until, not both or neither")
    return await _serve(ctx, Sink(stream, stall, _rng(stall, rng)), n, until)


async def _serve(ctx, side, n, until):
    cycle, stream = 0, side.stream
    while not _served(side, n, until):
        side.drive(ctx)
        _, _, *sampled = await ctx.tick().sample(
            stream.valid, stream.ready, as_unsigned(stream.payload)
        )
        side.sample(cycle, *sampled)
        cycle += 1
    side.stop(ctx)
    return side.run


def _served(side, n, until):
    if isinstance(side, Source):
        return side.done
    if until is None:
        return len(side.run) == n
    return bool(side.run.payloads) and until(side.run.payloads[-1])


def run_stream(dut, inputs, *, i="i", o="o", expected=None, **options):
    """Runs a component with one input and one output stream.

    Parameters
    ----------
    dut : Elaboratable
    inputs : list
        Payloads for the stream ``dut.<i>``.
    expected : int or None
        How many outputs to wait for, or None to run for ``max_cycles``.
    **options
        As for :func:`run_streams`; ``stall_in`` and ``stall_out`` are single numbers.

    Returns
    -------
    StreamRun
        Of the output. What came out beyond ``expected`` is in it, too. For the cycles at which
        the inputs were taken, see :func:`run_streams`.
    """
    return run_streams(dut, {i: inputs}, {o: expected}, **options)[o]


def run_streams(
    dut,
    inputs,
    outputs,
    *,
    stall_in=0.0,
    stall_out=0.0,
    seed=0,
    idle_timeout=1_000,
    max_cycles=None,
    ports=(),
    vcd=None,
):
    """Runs a component with any streams, the rules of all of them checked.

    Parameters
    ----------
    dut : Elaboratable
        In domain ``sync``, or combinational. Streams that always are ready or valid are known by
        their signature.
    inputs : dict of str to list
        Payloads by the name of the stream, such as ``"i"`` or ``"updates.a"``.
    outputs : dict of str to int or None
        How many payloads to wait for, by the name of the stream. When all have come and all inputs
        are taken, ``DRAIN`` more cycles are run. With None throughout the run takes ``max_cycles``.
    stall_in, stall_out : float or dict of str to float
        Probability of a stall in a cycle, for all streams of a side or by name.
    seed : int
    idle_timeout : int
        Cycles without a transfer on any stream after which the run is given up.
    max_cycles : int or None
        Cycles after which it is given up in any case. None is 10,000 and 100 for each payload, over
        the share of cycles without stalls.
    ports : dict of str to int
        Other ports to set before the first cycle.
    vcd : path-like or None
        Where to write the waves.

    Returns
    -------
    dict of str to StreamRun
        Of the inputs and outputs, by name.

    Raises
    ------
    HangError, ProtocolError
    """
    rng = random.Random(seed)
    sides = {
        name: Source(attrgetter(name)(dut), payloads, _of(stall_in, name), rng)
        for name, payloads in inputs.items()
    }
    sides |= {name: Sink(attrgetter(name)(dut), _of(stall_out, name), rng) for name in outputs}
    waiting = {name: n for name, n in outputs.items() if n is not None}
    if not waiting and max_cycles is None:
        raise ValueError("max_cycles must be given when no number of outputs is expected")
    if max_cycles is None:
        most = max(0.0, *(side.stall for side in sides.values()))
        count = sum(map(len, inputs.values())) + sum(waiting.values())
        max_cycles = int(10_000 + 100 * count / (1 - most) ** 2)

    rules = [Rules(name) for name in sides]
    samplers = [*zip(sides.values(), rules, strict=True)]
    exprs = [
        expr
        for side in sides.values()
        for expr in (side.stream.valid, side.stream.ready, as_unsigned(side.stream.payload))
    ]

    def complete():
        return (
            waiting
            and all(len(sides[name].run) >= n for name, n in waiting.items())
            and all(sides[name].done for name in inputs)
        )

    async def testbench(ctx):
        for name, value in dict(ports).items():
            ctx.set(attrgetter(name)(dut), value)
        quiet = idle = 0
        for cycle in range(max_cycles):
            for side in sides.values():
                side.drive(ctx)
            _, _, *sampled = await ctx.tick().sample(*exprs)
            idle += 1
            for at, (side, rule) in enumerate(samplers):
                values = sampled[3 * at : 3 * at + 3]
                rule.sample(cycle, *values)
                if side.sample(cycle, *values):
                    idle = 0
            if complete():
                quiet += 1
                if quiet > DRAIN:
                    return
            elif waiting and idle >= idle_timeout:
                break
            for name, n in waiting.items():
                if len(sides[name].run) > n + DRAIN:
                    raise ProtocolError(f"{name}: {n} payloads expected, more came (seed {seed})")
        if waiting:
            taken = {name: len(side.run) for name, side in sides.items()}
            wanted = {**{name: len(payloads) for name, payloads in inputs.items()}, **waiting}
            raise HangError(f"hang at cycle {cycle}: taken {taken} of {wanted}, seed {seed}")

    simulate(dut, testbench, vcd=vcd)
    return {name: side.run for name, side in sides.items()}


def simulate(dut, *testbenches, streams=(), vcd=None):
    """Runs testbenches on a clocked or combinational dut, until all have returned.

    Parameters
    ----------
    dut : Elaboratable
    *testbenches : async callable
        Each called with amaranth's context.
    streams : dict of str to stream
        Streams to be held to their rules, by the name that an error bears.
    vcd : path-like or None
        Where to write the waves.
    """
    module = Module()
    module.domains.sync = ClockDomain("sync")
    module.submodules.dut = dut
    simulator = Simulator(module)
    simulator.add_clock(1e-6)
    for name, stream in dict(streams).items():
        simulator.add_process(stream_rules(stream, name))
    for testbench in testbenches:
        simulator.add_testbench(testbench)
    with nullcontext() if vcd is None else simulator.write_vcd(str(vcd)):
        simulator.run()


def _of(option, name):
    return option.get(name, 0.0) if isinstance(option, Mapping) else option


def _rng(stall, rng):
    if stall and rng is None:
        raise ValueError("rng must be given when stall is not 0")
    return rng or random.Random(0)

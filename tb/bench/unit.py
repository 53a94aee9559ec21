"""Runs components with ``amaranth.lib.stream`` ports in amaranth's simulator, with random stalls.

:func:`run_stream` runs a component with one input ``i`` and one output ``o``, and
:func:`run_streams` a component with any number of streams. Benches with their own sequence use
:func:`put` and :func:`collect` in :func:`simulate`, which attaches the checker of stream rules.

``stall`` is the probability that a side pauses in a cycle, so gaps have geometric lengths. While
``valid`` of an input is low, its payload is random. One of four pauses of an output lasts until
``valid`` is high, so a component that waits for ``ready`` first hangs.
"""

import random
from collections.abc import Mapping
from contextlib import nullcontext
from operator import attrgetter

from amaranth.hdl import ClockDomain, Module
from amaranth.sim import Simulator

from sim.errors import HangError, ProtocolError
from tb.bench.sides import Rules, Sink, Source, as_unsigned

DRAIN = 16  # cycles after the last expected output in which no output may follow
LONGEST_WAIT = 100_000  # cycles without a transfer after which `put` and `collect` give up


def stream_rules(stream, name="stream"):
    """Returns a process that checks a stream: ``sim.add_process(stream_rules(dut.o, "o"))``.

    At each clock edge after an edge with ``valid & ~ready``, ``valid`` must be high and the payload
    unchanged, unless there was a reset. The process raises ProtocolError out of the simulation.
    """

    async def process(ctx):
        rules = Rules(name)
        cycle = 0
        ports = ctx.tick().sample(stream.valid, stream.ready, as_unsigned(stream.payload))
        async for _, reset, valid, ready, bits in ports:
            rules.sample(cycle, valid, ready, bits)
            if reset:
                rules.stalled = None
            cycle += 1

    return process


async def put(ctx, stream, payloads, stall=0.0, rng=None):
    """Sends ``payloads`` over ``stream``, and leaves ``valid`` low.

    ``rng`` must be given if ``stall`` is not 0. Raises HangError after :data:`LONGEST_WAIT` cycles
    without a transfer.

    Returns
    -------
    StreamRun
        Cycles count from the call.
    """
    return await _serve(ctx, Source(stream, payloads, stall, _rng(stall, rng)), None, None)


async def collect(ctx, stream, n=None, *, until=None, stall=0.0, rng=None):
    """Accepts ``n`` payloads from ``stream``, or all up to the first for which ``until`` is true.

    ``rng`` must be given if ``stall`` is not 0. Raises HangError after :data:`LONGEST_WAIT` cycles
    without a transfer.

    Returns
    -------
    StreamRun
        Cycles count from the call.
    """
    if (n is None) == (until is None):
        raise ValueError("collect must have one of n and until, not both or neither")
    return await _serve(ctx, Sink(stream, stall, _rng(stall, rng)), n, until)


async def _serve(ctx, side, n, until):
    """Runs a source or a sink until it is finished, and returns its transfers."""
    cycle = 0
    stream = side.stream
    while not _finished(side, n, until):
        last = side.run.cycles[-1] if len(side.run) else 0
        if cycle - last > LONGEST_WAIT:
            count = len(side.run)
            raise HangError(f"hang at cycle {cycle}: the last of {count} transfers in cycle {last}")
        side.drive(ctx)
        _, _, *sampled = await ctx.tick().sample(
            stream.valid, stream.ready, as_unsigned(stream.payload)
        )
        side.sample(cycle, *sampled)
        cycle += 1
    side.stop(ctx)
    return side.run


def _finished(side, n, until):
    """Returns True if a source has sent all payloads, or a sink has accepted enough."""
    if isinstance(side, Source):
        return side.is_complete
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
    i, o : str
        Names of the streams.
    expected : int or None
        Number of outputs to wait for, or None to run for ``max_cycles``.
    **options
        Arguments of :func:`run_streams`.

    Returns
    -------
    StreamRun
        Transfers of the output, including those beyond ``expected``. :func:`run_streams` also
        returns the transfers of the inputs.
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
    """Runs a component with any streams, and checks the rules of all streams.

    Parameters
    ----------
    dut : Elaboratable
        In domain ``sync``, or combinational. The signature of a stream says if the stream is always
        ready or valid.
    inputs : dict of str to list
        Payloads by the name of the stream, such as ``"i"`` or ``"updates.a"``.
    outputs : dict of str to int or None
        Number of payloads to wait for, by the name of the stream. After all payloads have arrived
        and all inputs are accepted, the run takes ``DRAIN`` more cycles. If all numbers are None,
        the run takes ``max_cycles``.
    stall_in, stall_out : float or dict of str to float
        Probability of a stall in a cycle, for all streams of a side or by name.
    seed : int
    idle_timeout : int
        Number of cycles without a transfer on any stream that counts as a hang.
    max_cycles : int or None
        Number of cycles that counts as a hang in any case. None is 10,000 + 100 * p / (1 - s)^2
        cycles, with p payloads of inputs and outputs and the greatest stall s.
    ports : dict of str to int
        Values of other ports, set before the first cycle.
    vcd : path-like or None
        File for the waves.

    Returns
    -------
    dict of str to StreamRun
        Transfers of inputs and outputs, by name.

    Raises
    ------
    HangError, ProtocolError
    """
    rng = random.Random(seed)
    sides = {
        name: Source(attrgetter(name)(dut), payloads, _stall_of(stall_in, name), rng)
        for name, payloads in inputs.items()
    }
    sides |= {
        name: Sink(attrgetter(name)(dut), _stall_of(stall_out, name), rng) for name in outputs
    }
    expected_counts = {name: n for name, n in outputs.items() if n is not None}
    if not expected_counts and max_cycles is None:
        raise ValueError("max_cycles must be given when no number of outputs is expected")
    if max_cycles is None:
        worst_stall = max(0.0, *(side.stall for side in sides.values()))
        count = sum(map(len, inputs.values())) + sum(expected_counts.values())
        max_cycles = int(10_000 + 100 * count / (1 - worst_stall) ** 2)

    rules = [Rules(name) for name in sides]
    samplers = [*zip(sides.values(), rules, strict=True)]
    exprs = [
        expr
        for side in sides.values()
        for expr in (side.stream.valid, side.stream.ready, as_unsigned(side.stream.payload))
    ]

    def complete():
        return (
            expected_counts
            and all(len(sides[name].run) >= n for name, n in expected_counts.items())
            and all(sides[name].is_complete for name in inputs)
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
            for index, (side, rule) in enumerate(samplers):
                values = sampled[3 * index : 3 * index + 3]
                rule.sample(cycle, *values)
                if side.sample(cycle, *values):
                    idle = 0
            if complete():
                quiet += 1
                if quiet > DRAIN:
                    return
            elif expected_counts and idle >= idle_timeout:
                break
            for name, n in expected_counts.items():
                if len(sides[name].run) > n + DRAIN:
                    raise ProtocolError(f"{name}: {n} payloads expected, more came (seed {seed})")
        if expected_counts:
            counts = {name: len(side.run) for name, side in sides.items()}
            expected = {
                **{name: len(payloads) for name, payloads in inputs.items()},
                **expected_counts,
            }
            raise HangError(f"hang at cycle {cycle}: taken {counts} of {expected}, seed {seed}")

    simulate(dut, testbench, vcd=vcd)
    return {name: side.run for name, side in sides.items()}


def simulate(dut, *testbenches, streams=(), vcd=None):
    """Runs testbenches on a clocked or combinational dut, until all have returned.

    Parameters
    ----------
    dut : Elaboratable
    *testbenches : async callable
        Functions of amaranth's context.
    streams : dict of str to stream
        Streams whose rules are checked, by the name in error messages.
    vcd : path-like or None
        File for the waves.
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


def _stall_of(option, name):
    """Returns the stall of a stream, from a number for all streams or a mapping by name."""
    return option.get(name, 0.0) if isinstance(option, Mapping) else option


def _rng(stall, rng):
    if stall and rng is None:
        raise ValueError("rng must be given when stall is not 0")
    return rng or random.Random(0)

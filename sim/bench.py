"""The one bench: any top of the house behind its ports, in the compiled runner or through cocotb.

Example
-------
>>> bench = Bench(top="top", streams=design.streams, verilog=text, cache=cache)  # doctest: +SKIP
>>> outcome = bench.run(beats, reads=[status], stall_output=0.5, seed=1).checked()
>>> outcome.beats, outcome.outputs["m_axis_evicted"].taken, outcome.memory["m_axi"].lines_read
"""

from pathlib import Path

from sim import simulators
from sim.compiled import runner
from sim.job import Job
from sim.memory import Memory

SIMULATORS = ("compiled", "verilator", "icarus")


class Bench:
    """Clock, reset and an agent for each port of a top: sources, sinks, registers, memory.

    The simulation is built at the first run, or found in the cache. ``compiled`` runs a Verilated
    model from a compiled loop, some million cycles a minute; ``verilator`` and ``icarus`` run the
    same through cocotb, with the models of cocotbext-axi, so that the top is shown to work with
    models that are not ours. In Icarus an undefined bit spreads, too.

    Parameters
    ----------
    top : str
        Top module, with ``aclk``, ``aresetn``, ``s_axil_*`` and the ports below.
    streams : sequence of StreamBus
        Of :mod:`rtl.contract.buses`. The first slave and the first master are the main pair.
    memories : sequence of MemoryBus
    verilog : str or pathlib.Path
        Text of the design, or the file that holds it.
    cache : path-like
        Where builds are kept, by content.
    simulator : str
        ``"compiled"``, ``"verilator"`` or ``"icarus"``.
    level : str or None
        What the C++ compiler is asked to optimise in the compiled runner: ``"-O0"`` for runs so
        short that the building counts for more. None is by the size of the design.
    """

    def __init__(
        self, *, top, streams, memories=(), verilog, cache, simulator="compiled", level=None
    ):
        if simulator not in SIMULATORS:
            raise ValueError(f"simulator must be one of {', '.join(SIMULATORS)}, not {simulator}")
        self.top, self.simulator = top, simulator
        self.streams, self.memories = tuple(streams), tuple(memories)
        self.verilog = verilog.read_text() if isinstance(verilog, Path) else verilog
        self.cache, self.level = Path(cache), level

    def build(self):
        """Builds the simulation, unless it is in the cache; :meth:`run` does so, too.

        Raises ToolMissingError, BuildError.
        """
        if self.simulator == "compiled":
            runner.build(self)
        else:
            simulators.build(self.verilog, self.top, self.simulator, self.cache)

    def run(
        self,
        streams,
        *,
        writes=(),
        reads=(),
        packets=None,
        stall_input=0.0,
        stall_output=0.0,
        hold_output=0,
        seed=0,
        reset=None,
        early=False,
        background_reads=(),
        background_rate=0.1,
        idle_timeout=10_000,
        drain=64,
        limit=None,
        memory=None,
        progress=None,
        chunk=100_000,
    ):
        """Feeds whole streams from power-up and a reset, until all packets have come out.

        A packet is what ends with a tlast. The run is at its end when every beat has been taken,
        every packet that is waited for has come, nothing has come then for ``drain`` cycles, and
        every burst to the memory has been answered.

        Parameters
        ----------
        streams : Beats, or mapping of str to Beats
            For the only slave stream; or by name, of which those left out get none.
        writes : sequence of (address, value), or dict of stream index to such sequences
            Register writes before the first beat, or before the first beats of the streams of that
            index: these wait for the responses, but earlier streams may still be inside.
        reads : sequence of int
            Registers to be read after the last beat.
        packets : int or None or "any", or mapping of str to such
            How many packets to wait for, none included; None is one for each stream of the main
            slave. One more is a violation. With "any" any number may come, and none is waited for:
            the run ends ``drain`` cycles behind the last beat. A number by itself is for the main
            master; other masters that are not named have "any". With a reset, how many to wait
            for after it.
        stall_input, stall_output : float
            Probability that a beat is held back, and that ``tready`` is low, in a cycle, for each
            stream by itself. In the compiled runner one pause of an output in four waits until its
            ``tvalid`` has been seen.
        hold_output : int
            Cycles from power-up in which no output is taken, whatever comes; only in the compiled
            runner. ``idle_timeout`` should be longer.
        seed : int
            Of all that is random; through cocotb the random numbers are others.
        reset : ResetInStream or SoftReset or None
            Only in the compiled runner, as are the next three.
        early : bool
            Writes before a stream may also be made at any time after the first beat of the stream
            before that one.
        background_reads : sequence of int
            Registers read at random during the whole run; what they held is in the outcome.
        background_rate : float
            Probability that one such read begins in a cycle in which the bus is idle.
        idle_timeout : int
            Cycles without any transfer, on stream or memory, after which the run is given up.
        drain : int
            Cycles in which no beat may follow, once all is taken and has come. A design that gives
            more than it should, but later, is not caught.
        limit : int or None
            Cycles after which the run is given up in any case, as a hang.
        memory : Memory or None
            What is behind the AXI4 masters; None is an ideal one.
        progress : callable or None
            In the compiled runner called as ``progress(cycles, beats taken, beats)``, beats of the
            main slave, after every ``chunk`` of cycles.
        chunk : int

        Returns
        -------
        Outcome
            Broken rules and hangs are in it; ``.checked()`` raises them.

        Raises
        ------
        ValueError
            For arguments that do not fit the ports, or that the simulator cannot do.
        ToolMissingError, BuildError
        """
        job = Job.of(
            self.streams,
            streams,
            writes=writes,
            reads=reads,
            packets=packets,
            stall_input=stall_input,
            stall_output=stall_output,
            hold_output=hold_output,
            seed=seed,
            reset=reset,
            early=early,
            background_reads=background_reads,
            background_rate=background_rate,
            idle_timeout=idle_timeout,
            drain=drain,
            limit=limit,
            memory=Memory() if memory is None else memory,
        )
        if self.simulator == "compiled":
            return runner.run(self, job, progress, chunk)
        return simulators.run(self, job)

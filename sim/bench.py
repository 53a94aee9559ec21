"""Simulates any top through its ports, in the compiled runner or through cocotb.

Example
-------
>>> bench = Bench(top="top", streams=design.pins, verilog=text, cache=cache)
>>> outcome = bench.run(beats, reads=[status], stall_output=0.5, seed=1).checked()
>>> outcome.beats, outcome.outputs["m_axis_evicted"].beat_cycles, outcome.memory["m_axi"].lines_read
"""

from pathlib import Path

from sim import simulators
from sim.compiled import runner
from sim.job import Job
from sim.memory import Memory

SIMULATORS = ("compiled", "verilator", "icarus")


class Bench:
    """Clock, reset and an agent for each port of a top: sources, sinks, registers, memory.

    The first run builds the simulation, or loads it from the cache. ``compiled`` runs a Verilated
    model in a compiled loop, some million cycles a minute. ``verilator`` and ``icarus`` run the
    same job through cocotb with the models of cocotbext-axi, which checks the top against models
    that the project did not write. Icarus also propagates undefined bits.

    Parameters
    ----------
    top : str
        Top module, with ``aclk``, ``aresetn``, ``s_axil_*`` and the ports of the buses below.
    streams : sequence of StreamBus
        See :mod:`rtl.contract.buses`. The first slave and the first master are the main pair.
    memories : sequence of MemoryBus
    verilog : str or pathlib.Path
        Text of the design, or the file with the text.
    cache : path-like
        Folder of the builds, which are found by their content.
    simulator : str
        ``"compiled"``, ``"verilator"`` or ``"icarus"``.
    level : str or None
        Optimisation level of the C++ compiler for the compiled runner. ``"-O0"`` suits runs that
        take less time than the build. None chooses the level by the size of the design.
    """

    def __init__(
        self, *, top, streams, memories=(), verilog, cache, simulator="compiled", level=None
    ):
        if simulator not in SIMULATORS:
            raise ValueError(f"simulator must be one of {', '.join(SIMULATORS)}, not {simulator}")
        self.top = top
        self.simulator = simulator
        self.streams = tuple(streams)
        self.memories = tuple(memories)
        self.verilog = verilog.read_text() if isinstance(verilog, Path) else verilog
        self.cache = Path(cache)
        self.level = level

    def build(self):
        """Builds the simulation unless it is in the cache; :meth:`run` calls this method, too.

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
        """Runs streams through the top, from power-up and a reset until all packets have come out.

        A packet ends with ``tlast``. The run ends once every beat has been accepted, every expected
        packet has arrived, ``drain`` more cycles have passed without a beat, and every burst to the
        memory has been answered.

        Parameters
        ----------
        streams : Beats, or mapping of str to Beats
            Beats for the only slave stream, or beats by the name of the stream. Streams without an
            entry receive no beats.
        writes : sequence of (address, value), or dict of stream index to such sequences
            Register writes before the first beat, or before the first beats of the streams with
            that index. The streams wait for the responses; earlier streams may still be inside the
            top.
        reads : sequence of int
            Registers to read at the end, after ``drain``.
        packets : int or None or "any", or mapping of str to such
            Number of packets to wait for; 0 is allowed, and None is one packet for each stream of
            the main slave. An additional packet is a violation. With "any" the run accepts any
            number and waits for none, so it ends ``drain`` cycles after the last beat. A single
            value is for the main master. Without an entry the main master has None, and every other
            master has "any". Example with 2 input streams: ``{"m_axis_evicted": 2}`` waits for 2
            packets of each of the two masters. With a reset, the numbers count from the reset on.
        stall_input, stall_output : float
            Probability in a cycle that a source does not offer its next beat, and that ``tready``
            is low, for each stream independently; at most 0.99. In the compiled runner one of four
            pauses of an output lasts until ``tvalid`` is high.
        hold_output : int
            Number of cycles from power-up in which no output beat is accepted; only in the compiled
            runner. ``idle_timeout`` should be longer.
        seed : int
            Seed of all random numbers. The compiled runner and cocotb draw different numbers.
        reset : ResetInStream or SoftReset or None
            Only in the compiled runner, as are ``early``, ``background_reads`` and
            ``background_rate``.
        early : bool
            True if writes before a stream may also happen at any time after the first beat of the
            preceding stream.
        background_reads : sequence of int
            Registers to read at random times during the whole run; the outcome has the values.
        background_rate : float
            Probability that a background read begins in a cycle in which the bus is idle.
        idle_timeout : int
            Number of cycles without progress that counts as a hang. Progress is a transfer on a
            stream or memory, or an answer to an access of ``writes`` or ``reads``.
        drain : int
            Number of cycles for which the run continues after the last expected transfer. A beat in
            these cycles is a violation; from a master with "any" it restarts the count. The run
            does not notice beats that arrive later.
        limit : int or None
            Number of cycles after which the run counts as a hang in any case.
        memory : Memory or None
            Memory behind the AXI4 masters; None is an ideal memory.
        progress : callable or None
            The compiled runner calls ``progress(cycles, accepted beats, beats)``, with beats of the
            main slave, after every ``chunk`` cycles.
        chunk : int
            Number of cycles between two calls of ``progress``.

        Returns
        -------
        Outcome
            Also lists broken rules and hangs; ``.checked()`` raises an error if there are any.

        Raises
        ------
        ValueError
            For arguments that do not fit the ports, or that the simulator does not support; for
            ``packets`` with a soft reset, and for a reset whose cycle comes after the end of the
            run.
        ToolMissingError, BuildError
        ProtocolError
            If a run through cocotb ends without a result.
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

"""Runs several jobs one after the other on one simulation, without a reset between them."""

from numbers import Integral

from sim.compiled import runner
from sim.job import Job, check_stalls
from sim.memory import Memory

_OPTIONS = {
    "reset": None,
    "early": False,
    "background_reads": (),
    "background_rate": 0.0,
    "hold_output": 0,
}


class Session:
    """A compiled model of a bench that starts with a reset and keeps its state between runs.

    Parameters
    ----------
    bench : Bench
        A bench with ``simulator="compiled"``.
    stall_input, stall_output : float
        Probabilities for all runs, see :meth:`sim.bench.Bench.run`.
    seed : int
    memory : Memory or None
    idle_timeout : int
        Number of cycles without any transfer that counts as a hang.

    Raises ValueError for a stall or a seed that no run can have.
    """

    def __init__(
        self, bench, *, stall_input=0.0, stall_output=0.0, seed=0, memory=None, idle_timeout=10_000
    ):
        check_stalls(stall_input, stall_output)
        if not isinstance(seed, Integral):
            raise ValueError(f"seed must be a whole number, not {seed!r}")
        self._bench = bench
        self._simulation = None
        self._options = _OPTIONS | {
            "stall_input": stall_input,
            "stall_output": stall_output,
            "seed": seed,
            "memory": Memory() if memory is None else memory,
            "idle_timeout": idle_timeout,
            "limit": None,
        }

    def run(self, streams=(), *, writes=(), reads=(), drain=0):
        """Writes registers, sends streams, waits for ``drain`` cycles without a beat, and reads.

        Every master may send any number of packets. For the arguments see
        :meth:`sim.bench.Bench.run`. The outcome's streams and reads are of this run alone; cycles,
        the traffic of the memory and violations count from power-up. The outcome has no contents of
        the memory, because a session may have many runs.
        """
        buses = self._bench.streams
        masters = [bus.name for bus in buses if not bus.slave]
        job = Job.of(
            buses,
            dict(streams),
            writes=writes,
            reads=reads,
            packets=dict.fromkeys(masters, 0),
            drain=drain,
            **self._options,
        )
        job = job.with_any_packets()
        if self._simulation is None:
            self._simulation = runner.Simulation(self._bench, job)
        else:
            self._simulation.continue_with(job)
        return self._simulation.run(None, 100_000, copies_memory=False)

    def close(self):
        """Ends the simulation, if there is one."""
        if self._simulation is not None:
            self._simulation.end()
            self._simulation = None

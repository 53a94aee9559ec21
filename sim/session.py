"""A simulation that goes on: registers, then a stream, then registers again, and no reset."""

from sim.compiled import runner
from sim.job import Job
from sim.memory import Memory

_OPTIONS = {
    "reset": None,
    "early": False,
    "background_reads": (),
    "background_rate": 0.0,
    "hold_output": 0,
}


class Session:
    """The compiled model of a bench, from power-up and a reset on, as long as it is open.

    Parameters
    ----------
    bench : Bench
        With ``simulator="compiled"``.
    stall_input, stall_output : float
        As of :meth:`sim.bench.Bench.run`; of all that follows.
    seed : int
    memory : Memory or None
    idle_timeout : int
        Cycles without any transfer after which a run is given up.
    """

    def __init__(
        self, bench, *, stall_input=0.0, stall_output=0.0, seed=0, memory=None, idle_timeout=10_000
    ):
        self._bench, self._simulation = bench, None
        self._options = _OPTIONS | {
            "stall_input": stall_input,
            "stall_output": stall_output,
            "seed": seed,
            "memory": Memory() if memory is None else memory,
            "idle_timeout": idle_timeout,
            "limit": None,
        }

    def run(self, streams=(), *, writes=(), reads=(), drain=0):
        """Writes, then streams, then ``drain`` cycles in which nothing has come, then reads.

        Of every master any number of packets may come. For the arguments see
        :meth:`sim.bench.Bench.run`; the outcome is of this run alone, but for its cycles.
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
        job = job.waiting_for_none()
        if self._simulation is None:
            self._simulation = runner.Simulation(self._bench, job)
        else:
            self._simulation.again(job)
        return self._simulation.run(None, 100_000)

    def close(self):
        """Ends the simulation; there may be none."""
        if self._simulation is not None:
            self._simulation.end()
            self._simulation = None

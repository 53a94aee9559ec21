"""Results of a run of a design, in the same form for every simulator."""

from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np

from sim.beats import Beats
from sim.errors import HangError, ProtocolError
from sim.memory import Contents, Traffic


@dataclass(frozen=True, kw_only=True, eq=False)
class InputStream:
    """Transfers of a slave stream.

    Attributes
    ----------
    accepted : int
        Number of accepted beats, including beats before a reset.
    stalled : int
        Number of cycles with ``tvalid & ~tready``.
    first, last : int or None
        Cycles of the first and the last accepted beat.
    beat_cycles : numpy.ndarray of int64, or None
        Cycle in which each beat was accepted.
    """

    accepted: int
    stalled: int
    first: int | None
    last: int | None
    beat_cycles: np.ndarray | None = None


@dataclass(frozen=True, kw_only=True, eq=False)
class OutputStream:
    """Transfers of a master stream.

    Attributes
    ----------
    beats : Beats
        All beats, before and after a reset.
    beat_cycles : numpy.ndarray of int64
        Cycle in which each beat was transferred.
    stalled : int
        Number of cycles with ``tvalid & ~tready``.
    before_reset : int or None
        Number of beats before a reset by ``aresetn`` during the run; None without such a reset.
    """

    beats: Beats
    beat_cycles: np.ndarray
    stalled: int
    before_reset: int | None = None

    @property
    def first(self):
        """Cycle of the first beat, or None without a beat."""
        return int(self.beat_cycles[0]) if len(self.beat_cycles) else None

    @property
    def last(self):
        """Cycle of the last beat, or None without a beat."""
        return int(self.beat_cycles[-1]) if len(self.beat_cycles) else None


@dataclass(frozen=True, kw_only=True, eq=False)
class Outcome:
    """Output beats and counts of one run.

    Cycle 0 is the first rising edge with ``aresetn`` high. A beat's cycle is the edge at which the
    beat was transferred. A reset by ``aresetn`` during the run interrupts the count, and does not
    restart it. Example in the compiled runner: three beats are offered from the start to a design
    that accepts a beat in every cycle and answers in the next cycle. Then ``first_input == 0``,
    ``last_input == 2`` and ``beat_cycles == [1, 2, 3]``.

    Attributes of a single stream, such as ``beats``, are those of the first slave or the first
    master, ``s_axis`` or ``m_axis``. ``inputs`` and ``outputs`` have all streams.

    Attributes
    ----------
    inputs : mapping of str to InputStream
    outputs : mapping of str to OutputStream
    cycles : int
        Number of cycles with ``aresetn`` high, including register accesses and the quiet cycles at
        the end.
    memory : mapping of str to Traffic
        Accesses of each AXI4 master.
    contents : Contents or None
        Contents of the memory at the end; None without a memory, for ``ddr3``, and in a session.
    reads : tuple of int
        Values of the registers that were read at the end of the run, after ``drain``. After a hang
        the tuple has only the reads that were made before the hang.
    background : tuple of (cycle, address, value)
        Register reads that are not in ``reads``: background reads, and reads of ``status`` during a
        soft reset. The cycle is that in which the address was accepted.
    soft_reset : int or None
        The cycle in which the write of a soft reset was accepted; the reset happens in the next.
    violations : tuple of str
        Broken rules, each with channel and cycle. The compiled runner lists the first 16 in order
        of time, then "and N more"; cocotb lists all of them, channel by channel.
    hang : str or None
        Description of the missing progress, if the run ended with a hang.
    seconds : float
        Time of the simulation itself, in seconds.
    """

    inputs: Mapping[str, InputStream]
    outputs: Mapping[str, OutputStream]
    cycles: int
    memory: Mapping[str, Traffic] = field(default_factory=dict)
    contents: Contents | None = None
    reads: tuple[int, ...] = ()
    background: tuple[tuple[int, int, int], ...] = ()
    soft_reset: int | None = None
    violations: tuple[str, ...] = ()
    hang: str | None = None
    seconds: float = 0.0

    @property
    def _input(self):
        return next(iter(self.inputs.values()))

    @property
    def _output(self):
        return next(iter(self.outputs.values()))

    @property
    def beats(self):
        return self._output.beats

    @property
    def beat_cycles(self):
        return self._output.beat_cycles

    @property
    def input_stalled(self):
        return self._input.stalled

    @property
    def output_stalled(self):
        return self._output.stalled

    @property
    def first_input(self):
        return self._input.first

    @property
    def last_input(self):
        return self._input.last

    @property
    def first_output(self):
        return self._output.first

    @property
    def last_output(self):
        return self._output.last

    @property
    def beats_before_reset(self):
        return self._output.before_reset

    @property
    def error(self):
        """The first of ``violations``, or else ``hang``; None without both."""
        return self.violations[0] if self.violations else self.hang

    def checked(self):
        """Returns this outcome; raises ProtocolError for violations, or HangError for a hang."""
        if self.violations:
            raise ProtocolError("; ".join(self.violations))
        if self.hang:
            raise HangError(self.hang)
        return self

    @property
    def cycles_per_second(self):
        """Simulated cycles per second."""
        return self.cycles / self.seconds if self.seconds else float("inf")


def hang_text(reason, beats, tlasts):
    """Returns a line with the reason of a hang and the progress of the run.

    ``beats`` and ``tlasts`` are pairs: the number so far, and the expected number.
    """
    return (
        f"hang: {reason}, with {beats[0]} of {beats[1]} input beats taken and {tlasts[0]} of "
        f"{tlasts[1]} tlasts seen"
    )

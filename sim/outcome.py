"""What a run of a design gave, the same from every simulator."""

from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np

from sim.beats import Beats
from sim.errors import HangError, ProtocolError
from sim.memory import Contents, Traffic


@dataclass(frozen=True, kw_only=True, eq=False)
class InputStream:
    """What became of the beats for a slave stream.

    Attributes
    ----------
    accepted : int
        Beats taken, those before a reset included.
    stalled : int
        Cycles with ``tvalid & ~tready``.
    first, last : int or None
        Cycles of the first and the last beat taken.
    taken : numpy.ndarray of int64, or None
        The cycle of each beat, where the runner tells.
    """

    accepted: int
    stalled: int
    first: int | None
    last: int | None
    taken: np.ndarray | None = None


@dataclass(frozen=True, kw_only=True, eq=False)
class OutputStream:
    """What came out of a master stream.

    Attributes
    ----------
    beats : Beats
        From both sides of a reset.
    taken : numpy.ndarray of int64
        The cycle of each beat.
    stalled : int
        Cycles with ``tvalid & ~tready``.
    before_reset : int or None
        Beats taken before the reset in the middle.
    """

    beats: Beats
    taken: np.ndarray
    stalled: int
    before_reset: int | None = None

    @property
    def first(self):
        """Cycle of the first beat, or None."""
        return int(self.taken[0]) if len(self.taken) else None

    @property
    def last(self):
        """Cycle of the last beat, or None."""
        return int(self.taken[-1]) if len(self.taken) else None


@dataclass(frozen=True, kw_only=True, eq=False)
class Outcome:
    """Output beats and counts of one run.

    Cycles are counted from 0 at the first rising edge with ``aresetn`` high; a beat's cycle is that
    of the edge at which it was taken. A reset in the middle does not set the count back. For
    instance a beat of three that is offered from the start, in a design that takes one in every
    cycle and answers in the next, has ``first_input == 0``, ``last_input == 2`` and
    ``taken == [1, 2, 3]``.

    What is said of one stream, such as ``beats``, is said of the first slave and the first master,
    ``s_axis`` and ``m_axis``; ``inputs`` and ``outputs`` have them all.

    Attributes
    ----------
    inputs : mapping of str to InputStream
    outputs : mapping of str to OutputStream
    cycles : int
        Cycles run in all, register accesses and the quiet ones at the end included.
    memory : mapping of str to Traffic
        What each AXI4 master asked for.
    contents : Contents or None
        What the memory held at the end; None without one, and of a ``ddr3``.
    reads : tuple of int
        Values of the registers asked for, read after the last beat.
    background : tuple of (cycle, address, value)
        Register reads made in between, with the cycle in which the address was taken.
    soft_reset : int or None
        The cycle in which the write of a soft reset was taken; it takes place in the next.
    violations : tuple of str
        Broken rules, each with its channel and cycle; the first few, in order.
    hang : str or None
        What did not come, when the run was given up.
    seconds : float
        Wall time of the simulation itself.
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
    def background_reads(self):
        return len(self.background)

    @property
    def beats(self):
        return self._output.beats

    @property
    def taken(self):
        return self._output.taken

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
        """One line that says what was wrong, or None."""
        return self.violations[0] if self.violations else self.hang

    def checked(self):
        """This outcome; raises ProtocolError (HangError when that is all) if the run went wrong."""
        if self.violations:
            raise ProtocolError("; ".join(self.violations))
        if self.hang:
            raise HangError(self.hang)
        return self

    @property
    def cycles_per_second(self):
        return self.cycles / self.seconds if self.seconds else float("inf")


def hang_text(what, fed, tlasts):
    """One line that says what did not happen, and how far the run has come.

    ``fed`` and ``tlasts`` are pairs: how many there were, of how many.
    """
    return (
        f"hang: {what}, with {fed[0]} of {fed[1]} input beats taken and {tlasts[0]} of "
        f"{tlasts[1]} tlasts seen"
    )

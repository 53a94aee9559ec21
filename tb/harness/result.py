"""What a run of the shipped top gave, the same from every simulator."""

from dataclasses import dataclass

import numpy as np

from tb.harness.beats import Beats
from tb.harness.errors import HangError, ProtocolError


@dataclass(frozen=True, kw_only=True, eq=False)
class RunResult:
    """Output beats and counters of one run.

    Cycles are counted from 0 at the first rising edge with ``aresetn`` high; a beat's cycle is that
    of the edge at which it was taken. A reset in the middle does not set the count back.

    Attributes
    ----------
    beats : Beats
        What came out of ``m_axis``, from both sides of a reset.
    taken : numpy.ndarray of int64
        The cycle of each output beat.
    cycles : int
        Cycles run in all, register accesses and the quiet ones at the end included.
    input_stalled : int
        Cycles with ``s_axis_tvalid & ~s_axis_tready``.
    output_stalled : int
        Cycles with ``m_axis_tvalid & ~m_axis_tready``.
    first_input, last_input, first_output, last_output : int or None
        Cycles of the first and last beat taken on each side.
    reads : tuple of int
        Values of the registers asked for, read after the last beat.
    background_reads : int
        Register reads made during the streams.
    beats_before_reset : int or None
        Output beats taken before the reset in the middle.
    violations : tuple of str
        Broken rules, each with its cycle; the first few, in order.
    hang : str or None
        What did not come, when the run was given up.
    seconds : float
        Wall time of the simulation itself.
    """

    beats: Beats
    taken: np.ndarray
    cycles: int
    input_stalled: int
    output_stalled: int
    first_input: int | None
    last_input: int | None
    first_output: int | None
    last_output: int | None
    reads: tuple[int, ...] = ()
    background_reads: int = 0
    beats_before_reset: int | None = None
    violations: tuple[str, ...] = ()
    hang: str | None = None
    seconds: float = 0.0

    @property
    def error(self):
        """One line that says what was wrong, or None."""
        return self.violations[0] if self.violations else self.hang

    def checked(self):
        """This result; raises ProtocolError (HangError when that is all) if the run went wrong."""
        if self.violations:
            raise ProtocolError("; ".join(self.violations))
        if self.hang:
            raise HangError(self.hang)
        return self

    @property
    def cycles_per_second(self):
        return self.cycles / self.seconds if self.seconds else float("inf")

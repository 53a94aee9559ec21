"""The pane engine: each tuple to one pane, each window from its panes."""

from dataclasses import dataclass
from math import gcd

from amaranth.utils import ceil_log2

from rtl.engine.pane_core import LEVELS, Pane
from rtl.engine.parameters import integer, one_of, setting
from rtl.engine.timed import TimedParameters


@dataclass(frozen=True, kw_only=True)
class PaneParameters(TimedParameters):
    """A design point of the pane engine (seed 001, sections III and IV).

    A pane is as long as the greatest common divisor of RANGE and SLIDE.

    Attributes
    ----------
    query, constants, count_width, punctuations
        As for every :class:`~rtl.engine.timed.TimedParameters`.
    modules : int
        N_PLQ, panes that may be open at a time; 0 is replaced by what the query needs:
        ceil((SLACK + SLIDE) / pane), which is ceil(SLACK / SLIDE) + 1 where SLIDE divides RANGE.
    panes : int
        Most panes of a window, a power of two; 0 is replaced by what the query needs.
    window_level : str
        "two-stacks": a window costs a cycle, whatever RANGE / SLIDE is. "sequential": it costs a
        cycle for each of its panes, as in the seed.
    """

    engine = "pane"

    modules: int = setting(
        0, "panes that may be open at a time; 0: ceil((SLACK + SLIDE) / pane)", range=(0, 1024)
    )
    panes: int = setting(
        0, "panes of the largest window, a power of two; 0: as the query needs", range=(0, 65536)
    )
    window_level: str = setting(
        "two-stacks",
        "a window in constant time, or by reading its panes one after the other",
        choices=tuple(LEVELS),
    )

    def __post_init__(self):
        super().__post_init__()
        integer("modules", self.modules, 0, 1024)
        integer("panes", self.panes, 0, 1 << 16)
        one_of("window_level", self.window_level, tuple(LEVELS))
        window = self.query.window
        self._fill("modules", -(-(window.slack + window.slide) // self.pane), 1024)
        needed = window.size // self.pane
        self._fill("panes", max(2, 1 << ceil_log2(needed)), 1 << 16)
        if self.panes < 2 or self.panes & (self.panes - 1):
            raise ValueError(f"panes must be a power of two from 2, not {self.panes}")

    def _fill(self, name, needed, most):
        """Replaces 0 by what the query needs; raises ValueError unless that is there."""
        given = getattr(self, name)
        if not given:
            if needed > most:
                raise ValueError(f"{name} must be at most {most}, and the query needs {needed}")
            object.__setattr__(self, name, needed)
        elif given < needed:
            raise ValueError(f"{name} must be at least {needed} for the query, not {given}")

    @property
    def pane(self):
        """Length of the query's pane, in raw units of the time column."""
        return gcd(self.query.window.size, self.query.window.slide)

    @property
    def predicted_tuples_per_cycle(self):
        """Input rate while the output does not stall.

        With a sequential window level it is less when windows close faster than their panes are
        read: that depends on how many tuples fall into a slide.
        """
        return 1.0

    @property
    def pause(self):
        """While a stream's panes are measured, or the panes of a window are read."""
        return 2 * self.panes

    @property
    def level(self):
        """The component that makes windows of panes."""
        return LEVELS[self.window_level](
            operator=self.operator,
            tuples=self.tuples_max,
            items_max=self.panes,
            stamp=self.time.width + 2,
        )

    @property
    def latency(self):
        """Cycles from a punctuation, or the tuple that makes it, to the first row.

        6 with two-stacks; 7 with a sequential window level, when the other panes of the window have
        been read; more by the division with averages.
        """
        return self.punctuation_latency + 2 + self.level.latency + self.lower_latency

    @property
    def memory_bits(self):
        """Bits of the pane buffer."""
        return self.level.memory_bits

    def create(self):
        return Pane(self)

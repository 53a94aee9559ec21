"""The window-ID engine: a module for each window that may be open, each tuple to all of them."""

from dataclasses import dataclass

from rtl.engine.parameters import integer, setting
from rtl.engine.timed import TimedParameters
from rtl.engine.window_id_core import WindowId


def windows_open(range_, slide, slack):
    """N, windows that are open at a time (seed 002, equations 1 and 2)."""
    return -(-range_ // slide) - (-slack // slide)


@dataclass(frozen=True, kw_only=True)
class WindowIdParameters(TimedParameters):
    """A design point of the window-ID engine (seed 002, section V).

    With no slack it is the replicated design of Glacier, which the seeds compare with: as many
    modules as windows overlap.

    Attributes
    ----------
    query, constants, count_width, punctuations
        As for every :class:`~rtl.engine.timed.TimedParameters`.
    modules : int
        N, windows that may be open at a time; 0 is replaced by what the query needs:
        ceil(RANGE / SLIDE) + ceil(SLACK / SLIDE).
    """

    engine = "window-id"

    modules: int = setting(
        0,
        "windows that may be open at a time; 0: ceil(RANGE / SLIDE) + ceil(SLACK / SLIDE)",
        range=(0, 1024),
    )

    def __post_init__(self):
        super().__post_init__()
        integer("modules", self.modules, 0, 1024)
        window = self.query.window
        needed = windows_open(window.size, window.slide, window.slack)
        if not self.modules:
            if needed > 1024:
                raise ValueError(f"modules must be at most 1024, and the query needs {needed}")
            object.__setattr__(self, "modules", needed)
        if needed > self.modules:
            raise ValueError(f"modules must be at least {needed} for the query, not {self.modules}")

    @property
    def latency(self):
        """Cycles from a punctuation, or the tuple that makes it, to the first row: 4, or the
        division's more with averages.
        """
        return self.punctuation_latency + 2 + self.lower_latency

    @property
    def memory_bits(self):
        """Bits of block RAM: none."""
        return 0

    def create(self):
        return WindowId(self)

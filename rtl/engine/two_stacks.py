"""The two-stacks engine: a window of the last ws tuples after every wa, a tuple in every cycle."""

from dataclasses import dataclass, replace

from amaranth.utils import bits_for, ceil_log2

from query.window import Rows
from rtl.engine.parameters import RunTime, integer, setting
from rtl.engine.two_stacks_core import TwoStacksEngine
from rtl.engine.ungrouped import UngroupedParameters
from rtl.window.sliding import Sliding


@dataclass(frozen=True, kw_only=True)
class TwoStacksParameters(UngroupedParameters):
    """A design point of the two-stacks engine (seed 004, sections 2 and 3).

    ROWS and SLIDE of the query are no part of the hardware: the host writes them to registers, and
    may write others before any stream.

    Attributes
    ----------
    query : Query
        A window of ``ROWS`` over the whole stream, without a group.
    constants
        As for every :class:`~rtl.engine.ungrouped.UngroupedParameters`.
    window_max : int
        Tuples of the largest window, a power of two; 0 is replaced by what the query needs.
    """

    engine = "two-stacks"
    window_type = Rows

    window_max: int = setting(
        0, "tuples of the largest window, a power of two; 0: as the query needs", range=(0, 1 << 20)
    )

    def __post_init__(self):
        super().__post_init__()
        integer("window_max", self.window_max, 0, 1 << 20)
        size = self.query.window.size
        if not self.window_max:
            needed = max(2, 1 << ceil_log2(size))
            if needed > 1 << 20:
                raise ValueError(f"ROWS must be at most {1 << 20}, not {size}")
            object.__setattr__(self, "window_max", needed)
        if self.window_max < 2 or self.window_max & (self.window_max - 1):
            raise ValueError(f"window_max must be a power of two from 2, not {self.window_max}")
        if size > self.window_max:
            raise ValueError(f"ROWS must be at most window_max, {self.window_max}, not {size}")

    @classmethod
    def refuses(cls, query):
        return super().refuses(query) or (None if query.columns else "it reads no column")

    @property
    def tuples_max(self):
        return self.window_max

    @property
    def run_time(self):
        width = bits_for(self.window_max + 1)
        size = RunTime(name="size", width=width, doc="tuples of a window (ws)")
        slide = RunTime(name="slide", width=width, doc="tuples from one window to the next (wa)")
        return (size, slide, *self.constant_numbers)

    @property
    def run_time_values(self):
        window = {"size": self.query.window.size, "slide": self.query.window.slide}
        return window | self.constant_values

    def refused(self, settings):
        bad = self.unfit_constants(settings)
        for name in ("size", "slide"):
            bad |= (settings[name] == 0) | (settings[name] > self.window_max)
        return bad

    @property
    def dropped(self):
        return ("overrun", *(("nan", "filtered") if self.selects else ()))

    @property
    def asked(self):
        """The query without what is set at run time."""
        window = replace(self.query.window, size=1, slide=1)
        return str(replace(self.query, window=window, where=self.asked_where))

    def windows(self, tuples):
        size, slide = self.query.window.size, self.query.window.slide
        return max(0, (tuples - size) // slide + 1)

    @property
    def sliding(self):
        """The component that aggregates the last tuples."""
        return Sliding(
            operator=self.operator,
            tuples=self.tuples_max,
            items_max=self.window_max,
            each=1,
        )

    @property
    def latency(self):
        """Cycles from a window's last tuple to its row: 3, and 1 with a selection, always."""
        selection = 1 if self.selects else 0
        return selection + 1 + self.sliding.latency + self.lower_latency

    @property
    def memory_bits(self):
        """Bits of the memories of tuples and aggregates."""
        return self.sliding.memory_bits

    def create(self):
        return TwoStacksEngine(self)

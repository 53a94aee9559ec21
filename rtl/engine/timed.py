"""What the parameter classes share of the engines that have windows of time."""

from dataclasses import dataclass, replace
from functools import reduce
from operator import or_

from amaranth.hdl import Shape

from query.window import Range
from rtl.engine.operators import operator_or_null
from rtl.engine.parameters import RunTime, integer, one_of, setting
from rtl.engine.ungrouped import UngroupedParameters
from rtl.window.punctuation import Punctuator


@dataclass(frozen=True, kw_only=True)
class TimedParameters(UngroupedParameters):
    """A design point of an engine with windows ``[RANGE r SLIDE s WATTR t SLACK x]``.

    RANGE, SLIDE, SLACK and the start are no part of the hardware: the host writes them to
    registers, and may write others before any stream.

    Attributes
    ----------
    query : Query
        A window of ``RANGE`` over the whole stream, without a group.
    constants
        As for every :class:`~rtl.engine.ungrouped.UngroupedParameters`.
    count_width : int
        Bits of a count: a window may hold up to ``2**count_width - 1`` tuples.
    punctuations : str
        "made": here, from the times. "stream": they come in the stream, flagged by ``tuser``.
    """

    window_type = Range

    count_width: int = setting(
        32, "bits of a count; a window holds up to 2**count_width - 1 tuples", range=(1, 48)
    )
    punctuations: str = setting(
        "made",
        "made from the times of the tuples, or taken from the stream",
        choices=("made", "stream"),
    )

    def __post_init__(self):
        super().__post_init__()
        integer("count_width", self.count_width, 1, 48)
        one_of("punctuations", self.punctuations, ("made", "stream"))
        window, type_ = self.query.window, self.query.window.attribute.type
        for name, value in (("RANGE", window.size), ("SLACK", window.slack)):
            if value >> type_.width:
                steps = f"{window.attribute} has steps of {type_.text(1)}"
                raise ValueError(
                    f"{name} must be below {1 << type_.width} steps, and {steps}: not {value}"
                )

    operator_for = staticmethod(operator_or_null)

    @property
    def tuples_max(self):
        return (1 << self.count_width) - 1

    @property
    def stream_max(self):
        return self.tuples_max

    @property
    def punctuated(self):
        return self.punctuations == "stream"

    @property
    def time(self):
        """Shape of a time: signed, so that a stream may start before 0 whatever its column is."""
        type_ = self.query.window.attribute.type
        return Shape(type_.width + (not type_.signed), signed=True)

    @property
    def end_width(self):
        """Exact: a window ends up to the greatest time and the greatest range after the start."""
        return self.query.window.attribute.type.width + 2

    @property
    def run_time(self):
        width = self.query.window.attribute.type.width
        lengths = (
            RunTime.whole("range", width, False, "length of a window (RANGE)"),
            RunTime.whole("slide", width, False, "time from one window to the next (SLIDE)"),
            RunTime.whole("slack", width, False, "most that a tuple may be late (SLACK)"),
        )
        doc = "time at which the first window begins"
        start = RunTime.whole("start", min(self.time.width, 64), True, doc)
        return (*lengths, start, *self.constant_numbers)

    @property
    def run_time_values(self):
        """The query's; ``start`` depends on the data."""
        window = self.query.window
        lengths = {"range": window.size, "slide": window.slide, "slack": window.slack}
        return lengths | self.constant_values

    def refused(self, settings):
        """Numbers that do not fit; whether lengths make sense is seen where the windows are."""
        return reduce(or_, (number.unfit(settings[number.name]) for number in self.run_time))

    @property
    def dropped(self):
        return ("late", "overrun", *(("nan", "filtered") if self.selects else ()))

    @property
    def asked(self):
        """The query without what is set at run time."""
        window = replace(self.query.window, size=1, slide=1, slack=0)
        return str(replace(self.query, window=window, where=self.asked_where))

    @property
    def punctuation_latency(self):
        """Cycles from a tuple or punctuation to what it means, counted from the start."""
        return Punctuator.latency

"""The plan of windows of time over a stream: settings, counters and rows of the engine."""

from dataclasses import dataclass, fields, replace

from amaranth.hdl import Shape

from query.query import Query
from rtl.contract.counters import BAD_SETTING, FILTERED, LATE, NAN, OVERRUN
from rtl.contract.options import option
from rtl.contract.rows import InputSchema
from rtl.contract.rules import TIME_RULES, Rule
from rtl.contract.settings import HostSetting, HostSettings
from rtl.engine.parts.columns import tuple_layout, value_layout
from rtl.engine.parts.constants import built_where, constant_settings
from rtl.engine.parts.operators import operator_or_null
from rtl.engine.parts.results import Results, window_rows
from rtl.stream.selection import needs_selection


def count_width_option(owner="window"):
    """Returns the option ``count_width`` of engines whose streams have no fixed length.

    ``owner`` names the part of the stream whose tuples are counted: "window" or "group".
    """
    return option(
        f"bits of a count; a {owner} holds up to 2**count_width - 1 tuples",
        default=32,
        unit="bits",
        range=(1, 48),
    )


def punctuations_option():
    """Returns the option ``punctuations`` of engines with windows of time."""
    return option(
        "made from the times of the tuples, or taken from the stream",
        default="made",
        choices=("made", "stream"),
    )


def check_lengths(query):
    """Raises ValueError if RANGE or SLACK has more bits than the time."""
    window = query.window
    type_ = query.window.attribute.type
    for name, value in (("RANGE", window.size), ("SLACK", window.slack)):
        if value >> type_.width:
            steps = f"{window.attribute} has steps of {type_.text(1)}"
            raise ValueError(
                f"{name} must be below {1 << type_.width} steps, and {steps}: not {value}"
            )


def signed_time(type_):
    """Returns the shape of a start: signed, because a start may lie before 0 in any column."""
    return Shape(type_.width + (not type_.signed), signed=True)


def time_settings(window, names=("range", "slide", "slack")):
    """Returns the settings of windows of time: the lengths in ``names``, then ``start``."""
    type_ = window.attribute.type
    unit = f"steps of {window.attribute.name}"
    unit += f", {window.attribute.step} each" if window.attribute.unit else ""
    lengths = {
        "range": ("length of a window (RANGE)", window.size),
        "slide": ("time from one window to the next (SLIDE)", window.slide),
        "slack": ("most that a tuple may be late (SLACK)", window.slack),
    }
    numbers = []
    for name in names:
        doc, value = lengths[name]
        description = {"name": name, "doc": doc, "unit": unit, "value": value}
        numbers.append(HostSetting.full_range(bits=type_.width, **description))
    start = HostSetting.full_range(
        name="start",
        doc="time at which the first window begins",
        bits=min(signed_time(type_).width, 64),
        signed=True,
        unit=unit,
    )
    return (*numbers, start)


@dataclass(frozen=True, kw_only=True)
class TimeWindows:
    """Describes windows ``[RANGE r SLIDE s WATTR t SLACK x]`` without groups, one tuple per cycle.

    RANGE, SLIDE, SLACK and the start are not built in: the host sets them.

    Attributes
    ----------
    query : Query
    constants : str
        See :mod:`rtl.engine.parts.constants`.
    count_width : int
        Bits of a count.
    punctuations : str
        "made": the engine makes them from the times. "stream": the stream carries them, flagged
        by ``tuser``.
    rules : tuple of Rule
        Limits of the engine on the lengths, in addition to 0 < SLIDE <= RANGE.
    """

    query: Query
    constants: str
    count_width: int
    punctuations: str
    rules: tuple[Rule, ...]

    @classmethod
    def from_options(cls, options, rules):
        """Returns the plan with these rules; the resolved ``options`` have all other attributes."""
        names = [field.name for field in fields(cls) if field.name != "rules"]
        return cls(rules=rules, **{name: getattr(options, name) for name in names})

    @property
    def row(self):
        """Layout of a tuple."""
        return tuple_layout(self.query.columns)

    @property
    def values(self):
        """Layout of a tuple after its arrival: the aggregated columns."""
        return value_layout(self.query)

    @property
    def tuples(self):
        """Number of tuples of the largest window whose count does not overflow."""
        return (1 << self.count_width) - 1

    @property
    def makes_punctuations(self):
        """True if the engine makes the punctuations itself."""
        return self.punctuations == "made"

    @property
    def time_shape(self):
        """Shape of a time: signed, so a stream may start before 0 in an unsigned column."""
        return signed_time(self.query.window.attribute.type)

    @property
    def results(self):
        """Results of windows. A window may be empty, so a result may be NULL."""
        items = self.query.items
        operators = tuple(operator_or_null(item.aggregate, self.tuples) for item in items)
        return Results(items=items, operators=operators)

    @property
    def settings(self):
        """The lengths, the start of the first window, and the constants of WHERE.

        Software evaluates the rules. In hardware the component with the windows checks the lengths
        of each stream, because only this component has the number of windows that can be open.
        """
        constants = constant_settings(self.query, self.constants)
        numbers = (*time_settings(self.query.window), *constants)
        return HostSettings(numbers=numbers, rules=(*TIME_RULES, *self.rules))

    @property
    def counters(self):
        """Counters of the tuples that are dropped on arrival."""
        selected = (NAN, FILTERED) if needs_selection(self.query) else ()
        return (LATE, OVERRUN, *selected)

    @property
    def flags(self):
        """Error bits: a setting, or the settings of a stream, were refused."""
        return (BAD_SETTING,)

    @property
    def input(self):
        """Schema of the input: one tuple in a beat, or none, or a punctuation of the stream."""
        return InputSchema(
            layout=self.row, lanes=1, gaps=True, punctuations=not self.makes_punctuations
        )

    @property
    def rows(self):
        """Schema of the rows.

        The window of a row begins at or before the latest time of a tuple or punctuation. So its
        end is at most the greatest time plus the greatest range, and 2 bits more than the time
        contain the signed end exactly. For instance with an unsigned time of 8 bits the greatest
        end is 255 + 255 = 510, which takes 9 bits and a sign.
        """
        return window_rows(self.results, self.query.window.attribute.type.width + 2)

    @property
    def built_query(self):
        """Text of the query that is built in; RANGE 1, SLIDE 1 and no SLACK stand for settings."""
        window = replace(self.query.window, size=1, slide=1, slack=0)
        where = built_where(self.query, self.constants)
        return str(replace(self.query, window=window, where=where))

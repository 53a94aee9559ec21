"""The plan of windows of time over a stream: what is set, what is counted, what a row is."""

from dataclasses import dataclass, fields, replace

from amaranth.hdl import Shape

from query.query import Query
from rtl.contract.counters import BAD_SETTING, FILTERED, LATE, NAN, OVERRUN
from rtl.contract.options import option
from rtl.contract.rows import InputSchema
from rtl.contract.rules import TIME_RULES, Rule
from rtl.contract.settings import HostSetting, HostSettings
from rtl.engine.parts.columns import tuple_layout, value_layout
from rtl.engine.parts.constants import asked_where, constant_settings
from rtl.engine.parts.operators import operator_or_null
from rtl.engine.parts.results import Results, window_rows
from rtl.stream.selection import needs_selection


def count_width_option(what="window"):
    """The option ``count_width`` of engines whose streams have no given length."""
    return option(
        f"bits of a count; a {what} holds up to 2**count_width - 1 tuples",
        default=32,
        unit="bits",
        range=(1, 48),
    )


def punctuations_option():
    """The option ``punctuations`` of engines over time."""
    return option(
        "made from the times of the tuples, or taken from the stream",
        default="made",
        choices=("made", "stream"),
    )


def check_lengths(query):
    """Raises ValueError unless RANGE and SLACK are as wide as the time."""
    window, type_ = query.window, query.window.attribute.type
    for name, value in (("RANGE", window.size), ("SLACK", window.slack)):
        if value >> type_.width:
            steps = f"{window.attribute} has steps of {type_.text(1)}"
            raise ValueError(
                f"{name} must be below {1 << type_.width} steps, and {steps}: not {value}"
            )


def moment_of(type_):
    """Shape of a start: signed, so that a stream may start before 0 whatever its column is."""
    return Shape(type_.width + (not type_.signed), signed=True)


def time_settings(window, names=("range", "slide", "slack")):
    """Settings of windows of time: the lengths of these names, and ``start`` behind them."""
    type_, unit = window.attribute.type, f"steps of {window.attribute.name}"
    unit += f", {window.attribute.step} each" if window.attribute.unit else ""
    lengths = {
        "range": ("length of a window (RANGE)", window.size),
        "slide": ("time from one window to the next (SLIDE)", window.slide),
        "slack": ("most that a tuple may be late (SLACK)", window.slack),
    }
    numbers = []
    for name in names:
        doc, value = lengths[name]
        told = {"name": name, "doc": doc, "unit": unit, "value": value}
        numbers.append(HostSetting.full_range(bits=type_.width, **told))
    start = HostSetting.full_range(
        name="start",
        doc="time at which the first window begins",
        bits=min(moment_of(type_).width, 64),
        signed=True,
        unit=unit,
    )
    return (*numbers, start)


@dataclass(frozen=True, kw_only=True)
class TimeWindows:
    """Windows ``[RANGE r SLIDE s WATTR t SLACK x]`` without groups, one tuple per cycle.

    RANGE, SLIDE, SLACK and the start are no part of the hardware: the host sets them.

    Attributes
    ----------
    query : Query
    constants : str
        See :mod:`rtl.engine.parts.constants`.
    count_width : int
        Bits of a count.
    punctuations : str
        "made": here, from the times. "stream": they come in the stream, flagged by ``tuser``.
    rules : tuple of Rule
        What the engine's windows ask of the lengths beside 0 < SLIDE <= RANGE.
    """

    query: Query
    constants: str
    count_width: int
    punctuations: str
    rules: tuple[Rule, ...]

    @classmethod
    def of(cls, options, rules):
        """The plan for an engine's resolved options, which have the other attributes."""
        names = [field.name for field in fields(cls) if field.name != "rules"]
        return cls(rules=rules, **{name: getattr(options, name) for name in names})

    @property
    def row(self):
        """Layout of a tuple."""
        return tuple_layout(self.query.columns)

    @property
    def values(self):
        """Layout of what is left of a tuple behind its arrival: the aggregated columns."""
        return value_layout(self.query)

    @property
    def tuples(self):
        """Tuples of the largest window that is counted right."""
        return (1 << self.count_width) - 1

    @property
    def made(self):
        """Punctuations are made here."""
        return self.punctuations == "made"

    @property
    def time(self):
        """Shape of a time: signed, so that a stream may start before 0 whatever its column is."""
        return moment_of(self.query.window.attribute.type)

    @property
    def results(self):
        """Over windows that may be empty."""
        items = self.query.items
        operators = tuple(operator_or_null(item.aggregate, self.tuples) for item in items)
        return Results(items=items, operators=operators)

    @property
    def settings(self):
        """The lengths, where the first window starts, and the constants of WHERE.

        Whether the lengths go together is seen where the windows are, which also know how many of
        them can be open.
        """
        constants = constant_settings(self.query, self.constants)
        numbers = (*time_settings(self.query.window), *constants)
        return HostSettings(numbers=numbers, rules=(*TIME_RULES, *self.rules))

    @property
    def counters(self):
        """What is dropped on arrival."""
        selected = (NAN, FILTERED) if needs_selection(self.query) else ()
        return (LATE, OVERRUN, *selected)

    @property
    def flags(self):
        return (BAD_SETTING,)

    @property
    def input(self):
        return InputSchema(layout=self.row, lanes=1, gaps=True, punctuations=not self.made)

    @property
    def rows(self):
        """A window ends up to the greatest time and the greatest range after the start: exact."""
        return window_rows(self.results, self.query.window.attribute.type.width + 2)

    @property
    def asked(self):
        """The query without what is set at run time."""
        window = replace(self.query.window, size=1, slide=1, slack=0)
        where = asked_where(self.query, self.constants)
        return str(replace(self.query, window=window, where=where))

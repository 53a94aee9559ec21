"""Reads a generated directory for an operator: the query with its numbers, and the engine."""

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from os import PathLike
from pathlib import Path
from typing import Any

from golden.codecs.registry import CODECS
from host.control import Control
from host.description import MANIFEST, Description
from host.errors import HostError, SettingError
from host.opening import check_backend_name
from host.pynq_board import LONGEST
from host.spark.task import EngineTask, manifest_digest
from query.errors import UserError
from query.parser import parse
from query.predicate import Comparison, Predicate
from query.query import Query
from query.window import Range, Rows, WholeStream
from sluice.arguments import path_of

#: A percentile whose fraction is a setting, or a text in quotes, which may look like one.
_FRACTION = re.compile(r"(percentile\(\w+, )([A-Za-z_]\w*)\)|\"[^\"]*\"|'[^']*'")
#: The setting of a fraction counts in this unit.
_FRACTION_UNIT = Fraction(1, 1 << 16)
#: Names of the settings of a window, and of the fields of the query's window.
_NUMBERS = {"size": "size", "range": "size", "slide": "slide", "slack": "slack"}


@dataclass(frozen=True)
class OperatorDesign:
    """Holds an engine, and the query of the engine's settings.

    Attributes
    ----------
    query : Query
        With the window and the constants of WHERE that the settings have.
    task : EngineTask
    numbers : dict of str to int
        Raw number of each setting. The same settings in another spelling have the same numbers.
    longest : int
        Greatest number of tuples of one stream, which the engine can count and a DMA can send.
    lossy : bool
        True if the engine stores values with an error within a bound.
    """

    query: Query
    task: EngineTask
    numbers: Mapping[str, int]
    longest: int
    lossy: bool

    @classmethod
    def read(
        cls,
        directory: str | PathLike[str],
        settings: Mapping[str, Any],
        *,
        backend: Any,
        options: Mapping[str, Any],
        allow_evictions: bool,
    ) -> "OperatorDesign":
        """Returns the design of a directory that ``sluice generate`` has written.

        Raises UserError for a directory without a manifest, for a design that an operator cannot
        run, and for a setting that the engine refuses.
        """
        place = path_of(directory).absolute()
        try:
            description = Description.read(place)
            digest = manifest_digest(str(place))
            configuration = _configuration(place)
            numbers = _numbers(description, settings)
            if backend is not None and not callable(backend):
                check_backend_name(backend, "a function that makes a Backend")
        except (HostError, SettingError) as error:
            raise UserError(str(error)) from None
        if description.network is not None and not description.network.get("host_link"):
            raise UserError(
                "tuples and rows of this design are in datagrams, and its registers are not: "
                "generate it with host_link=true, or without network=true", file=place,
            )  # fmt: skip
        if description.host["punctuations"]:
            raise UserError(
                "this design expects punctuations in its stream, and a DataFrame has none: "
                "generate it with punctuations=made", file=place,
            )  # fmt: skip
        query = _built_query(configuration["query"], description, place, numbers)
        query = _with_numbers(query, numbers)
        task = EngineTask(
            str(place), digest, dict(settings), backend, dict(options), allow_evictions
        )
        codec = CODECS.get(configuration["parameters"].get("codec"))
        counted = description.host["longest"]
        longest = LONGEST // description.tuples.bytes
        longest = longest if counted is None else min(counted, longest)
        return cls(query, task, numbers, longest, codec is not None and codec.lossy)

    @property
    def part_size(self) -> int:
        """Number of new tuples in one stream: at most half of the longest stream.

        The other half is left for the tuples of open windows, which the engine gets again. If a
        window has more tuples than this half, its task may fail with the engine's own error.
        """
        return max(1, self.longest // 2)

    @property
    def place(self) -> Path:
        """The directory, for messages."""
        return Path(self.task.directory)

    def check_query(self, query: Query) -> None:
        """Raises UserError unless the engine answers ``query``."""
        if _meaning(query) != _meaning(self.query):
            raise UserError(
                f"the directory is of another query: its engine answers {_one_line(self.query)}, "
                f"not {_one_line(query)}", file=self.place,
            )  # fmt: skip


def _meaning(query):
    """Returns all that two queries must have in common."""
    aggregates = [(item.name, item.aggregate) for item in query.items]
    items = [(name, a.function, a.column, a.fraction) for name, a in aggregates]
    return query.schema, items, query.window, query.where, query.group


def _built_query(text, description, place, numbers):
    """Returns the query of a manifest with its kind of window and with the names of its results.

    The manifest's text has no window where an engine serves several, and the name of a setting in
    place of a fraction that a setting has; ``numbers`` have the raw numbers of the settings.
    """
    names = []  # of the settings, each in place of the fraction 0.001, 0.002 and so on

    def placed(match):
        if match[2] is None:  # a text in quotes
            return match[0]
        names.append(match[2])
        return f"{match[1]}0.{len(names):03})"

    schema, newline, select = text.partition("\n")
    query = parse(schema + newline + _FRACTION.sub(placed, select), place)
    items = []
    settings = iter(names)
    for item, name in zip(query.items, description.host["rows"][-len(query.items) :], strict=True):
        aggregate = item.aggregate
        if names and aggregate.fraction is not None:
            fraction = numbers[next(settings)] * _FRACTION_UNIT
            decimal = f"{float(fraction):.16f}".rstrip("0").rstrip(".")
            text = f"percentile({aggregate.operand.name}, {decimal})"
            aggregate = replace(aggregate, text=text, fraction=fraction)
        items.append(replace(item, name=name, aggregate=aggregate))
    window, view = query.window, description.host["window"]
    if view["kind"] == "rows" and isinstance(window, WholeStream):
        window = Rows(size=1, slide=1)
    if isinstance(window, Range):  # streamzip has no setting for SLACK, which moves the start only
        window = replace(window, slack=view["slack"])
    return replace(query, items=tuple(items), window=window)


def _configuration(place):
    """Returns the configuration in the manifest, which `Description` has read already."""
    return json.loads((place / MANIFEST).read_text())["configuration"]


def _numbers(description, settings):
    """Returns the raw number of each setting."""
    control = Control(description, None)
    numbers = {
        name: setting.value
        for name, setting in description.settings.items()
        if setting.value is not None and setting.area is None
    }
    names: dict[str, str] = {}
    for name, value in settings.items():
        setting = control.setting(name)
        if setting.name in names:
            raise SettingError(f"{name} must be set once: {names[setting.name]} sets the same")
        names[setting.name] = name
        if setting.name == "start":
            raise SettingError("start is an argument of windows, not a setting")
        if setting.area is not None:
            raise SettingError(f"{name} is where the memory lies; the back end sets it")
        numbers[setting.name] = control.raw(name, value)
    control.check_together(numbers)
    return numbers


def _with_numbers(query, numbers):
    """Returns the query with the numbers of settings in its window and in WHERE."""
    window = query.window
    if not isinstance(window, WholeStream):
        fields = {_NUMBERS[name]: value for name, value in numbers.items() if name in _NUMBERS}
        window = replace(window, **fields)
    constants = {name: value for name, value in numbers.items() if name.startswith("where")}
    where = _with_constants(query.where, constants, iter(range(len(constants))))
    return replace(query, window=window, where=where)


def _with_constants(predicate: Predicate | None, constants, indices):
    """Returns the predicate with constants of the settings ``where0`` and so on, in their order."""
    if predicate is None or not constants:
        return predicate
    if isinstance(predicate, Comparison):
        bits = predicate.column.type.width
        raw = constants[f"where{next(indices)}"]
        is_float = predicate.column.type.floating
        return replace(predicate, raw=raw % (1 << bits) if is_float else raw)
    terms = tuple(_with_constants(term, constants, indices) for term in predicate.terms)
    return replace(predicate, terms=terms)


def _one_line(query):
    return " ".join(str(query).split())


def is_keyed(query: Query) -> bool:
    """Returns True if each key, or group, can be answered by itself."""
    return query.partition is not None or isinstance(query.window, WholeStream)

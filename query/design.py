"""Reads design points: a query, with the engine, parameters and board that shall run it."""

import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from types import MappingProxyType

from query.errors import UserError, brief, nearest
from query.parser import load as load_query
from query.parser import read_text
from query.query import Query

Value = int | bool | str

#: Keys of a design point's file. The keys of `TABLES` hold tables, and the other keys strings.
KEYS = ("query", "engine", "board", "parameters", "bus")
TABLES = ("parameters", "bus")


@dataclass(frozen=True, kw_only=True)
class DesignPoint:
    """Describes a design that a user asks ``sluice`` to build.

    An absent parameter has the default of the engine, the bus or the board. `gen.design.build`
    checks the names of parameters, and the dataclasses of engine, bus and board check the ranges.

    Attributes
    ----------
    query : Query
    query_file : Path
        File of the query's text.
    file : Path
        The ``.cql`` or ``.toml`` file that the user named; its stem names the design.
    engine, board : str or None
        None is the first engine that runs the query, and no board.
    parameters : mapping of str to int, bool or str
        Options of the engine, or of the bus and the board: read-only, in the order of the file.
    bus : mapping of str to int, bool or str
        Options of the bus only, likewise.
    """

    query: Query
    query_file: Path
    file: Path
    engine: str | None = None
    board: str | None = None
    parameters: Mapping[str, Value] = field(default_factory=dict)
    bus: Mapping[str, Value] = field(default_factory=dict)

    def __post_init__(self) -> None:
        for table in TABLES:
            object.__setattr__(self, table, MappingProxyType(dict(getattr(self, table))))

    @property
    def name(self) -> str:
        """Name of the design."""
        return self.file.stem

    @property
    def files(self) -> tuple[Path, ...]:
        """Files of the design: the ``.toml`` file if the user named one, then the query's file."""
        return tuple(dict.fromkeys((self.file, self.query_file)))

    def override(
        self,
        *,
        engine: str | None = None,
        board: str | None = None,
        parameters: Mapping[str, Value] | None = None,
    ) -> "DesignPoint":
        """Returns a copy of the point in which each argument replaces the point's own value.

        An argument that is None replaces nothing, and ``parameters`` replaces only the parameters
        that it names. A parameter given as a text is converted by :func:`value`: "8" becomes 8.
        """
        overrides = {
            name: value(setting) if isinstance(setting, str) else setting
            for name, setting in (parameters or {}).items()
        }
        return replace(
            self,
            engine=self.engine if engine is None else engine,
            board=self.board if board is None else board,
            parameters={**self.parameters, **overrides},
        )


def load(path: str | Path) -> DesignPoint:
    """Returns the design point of a ``.toml`` file, or of a ``.cql`` query alone.

    A ``.toml`` file has the keys ``query`` (relative to the file itself), ``engine`` and ``board``,
    and the tables ``[parameters]`` and ``[bus]``. Only ``query`` is mandatory.

    Raises
    ------
    UserError
        Names the file and, if possible, the line.
    """
    path = Path(path)
    if path.suffix == ".cql":
        return DesignPoint(query=load_query(path), query_file=path, file=path)
    if path.suffix == ".toml":
        return _load_toml(path)
    raise UserError("a query must be a .cql or .toml file", file=path)


def value(text: str) -> Value:
    """Returns the value of a parameter's text: a whole number, True or False, or the text itself.

    Raises UserError for a number of more than 64 bits.
    """
    if re.fullmatch(r"[+-]?[0-9]+", text):
        number = int(text) if len(text) <= 100 else 1 << 64
        if not _fits(number):
            raise UserError(f"a setting must be a number of 64 bits or fewer, not {brief(text)}")
        return number
    return {"true": True, "false": False}.get(text.lower(), text)


def settings(texts: list[str]) -> dict[str, Value]:
    """Returns the parameters of ``name=value`` texts.

    Raises UserError for a text of another form, and for a name with two different values: neither
    value has precedence.
    """
    parameters: dict[str, Value] = {}
    for text in texts:
        name, equals, setting = text.partition("=")
        name = name.strip()
        if not (name and equals):
            raise UserError(f"a setting must be name=value, not {brief(text)}")
        new = value(setting.strip())
        old = parameters.setdefault(name, new)
        if (type(old), old) != (type(new), new):  # True equals 1
            values = f"{_text(old)} and {_text(new)}"
            raise UserError(f"{name} is set to both {values}: leave one of the settings out")
    return parameters


def _text(setting):
    """Returns a short text of a setting's value, as a user writes it on the command line."""
    return brief(str(setting).lower() if isinstance(setting, bool) else str(setting))


def _load_toml(path):
    text = read_text(path)
    try:
        table = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        message, line, column = _place(str(error))
        raise UserError(message, file=path, line=line, column=column) from None
    except ValueError:  # Python reads no number of more than 4,300 digits
        raise UserError("a number must have 64 bits or fewer", file=path) from None
    except RecursionError:
        raise UserError("is nested too deeply", file=path) from None

    def refuse(key, message, table=""):
        raise UserError(message, file=path, line=_line(text, key, table))

    for key, entry in table.items():
        if key not in KEYS:
            refuse(key, f"unknown key {key}{nearest(key, KEYS)}")
        if key in TABLES and not isinstance(entry, dict):
            refuse(key, f"{key} must be a table [{key}], not {_shown(entry)}")
        if key not in TABLES and not isinstance(entry, str):
            refuse(key, f"{key} must be a string, not {_shown(entry)}")
    for name in TABLES:
        for key, entry in table.get(name, {}).items():
            if not isinstance(entry, Value):
                kinds = "a whole number, true, false or a string"
                refuse(key, f"{key} must be {kinds}, not {_shown(entry)}", name)
            if isinstance(entry, int) and not _fits(entry):
                refuse(key, f"{key} must be a number of 64 bits or fewer, not {brief(entry)}", name)
    for key, entry in table.get("parameters", {}).items():
        other = table.get("bus", {}).get(key, entry)
        if (type(other), other) != (type(entry), entry):  # True equals 1
            values = f"{_text(entry)} in [parameters] and to {_text(other)} in [bus]"
            message = f"{key} is set to {values}: leave one of the settings out"
            refuse(key, message, "parameters")
    if "query" not in table:
        raise UserError('must name its query, as in query = "name.cql"', file=path)
    if not table["query"]:
        raise UserError('query must be the name of a file, as in query = "name.cql"', file=path)
    query_file = path.parent / table["query"]
    return DesignPoint(
        query=load_query(query_file),
        query_file=query_file,
        file=path,
        engine=table.get("engine"),
        board=table.get("board"),
        parameters=table.get("parameters", {}),
        bus=table.get("bus", {}),
    )


def _shown(entry):
    """Returns the text of a TOML value for a message: "a table" for a table, which may be deep."""
    return "a table" if isinstance(entry, dict) else brief(entry)


def _fits(number):
    """Returns True if a number fits 64 bits in two's complement."""
    return -(1 << 63) <= number < 1 << 63


def _place(message):
    """Splits tomllib's message into text, line and column.

    Before Python 3.14 tomllib names the place only in the text.
    """
    match = re.search(r" \(at line (\d+), column (\d+)\)$", message)
    if not match:
        return message, None, None
    return message[: match.start()], int(match[1]), int(match[2])


def _line(text, key, table=""):
    """Returns the number of the line of a key or a table, since tomllib does not return the line.

    A key may be in both [parameters] and [bus], so a line in ``table`` has precedence. The first
    line of the file with the key counts if ``table`` has no such line, and None if no line has it.
    """
    pattern = re.compile(rf"""\s*(\[\s*|{table}\s*\.\s*)?["']?{re.escape(key)}["']?\s*[=.\]]""")
    first_lines = {}
    section = ""
    for number, line in enumerate(text.split("\n"), 1):
        if header := re.match(r"\s*\[\s*([\w-]+)\s*\]", line):
            section = header[1]
        if pattern.match(line):
            first_lines.setdefault(section, number)
    return first_lines.get(table, next(iter(first_lines.values()), None))

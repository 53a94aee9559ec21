"""From what the user gave to a design point that is complete: an engine and all its parameters."""

from dataclasses import dataclass

from boards import BOARDS
from boards.board import Board
from query.design import DesignPoint, load, settings
from query.errors import UserError, nearest
from rtl.engine import ENGINES
from rtl.engine.parameters import Parameters


@dataclass(frozen=True, kw_only=True)
class Point:
    """A design point in which nothing is open.

    Attributes
    ----------
    design : DesignPoint
        What was asked for.
    parameters : Parameters
        Of the engine: every setting has its value.
    board : Board or None
    """

    design: DesignPoint
    parameters: Parameters
    board: Board | None

    @property
    def query(self):
        return self.design.query

    @property
    def name(self):
        """Name of the design, a Verilog identifier: what its files and its top are called."""
        stem = "".join(c if c.isascii() and c.isalnum() else "_" for c in self.design.name)
        return f"sluice_{stem.lower()}"

    def configuration(self):
        """The resolved configuration as plain data."""
        return {
            "query": str(self.query),
            "engine": self.parameters.engine,
            "parameters": self.parameters.settings(),
        }


def resolve(query_file, *, engine=None, board=None, given=(), lanes=None):
    """The design point of a command line.

    Parameters
    ----------
    query_file : path-like
        ``.cql`` or ``.toml``.
    engine, board : str or None
        Override those of the file.
    given : sequence of str
        ``name=value`` settings.
    lanes : int or None
        Short for ``lanes=...``, and stronger.

    Raises
    ------
    UserError
    """
    parameters = settings(list(given)) | ({} if lanes is None else {"lanes": lanes})
    design = load(query_file).override(engine=engine, board=board, parameters=parameters)
    chosen = engine_for(design.query, design.engine)
    return Point(
        design=design,
        parameters=_parameters(chosen, design.query, design.parameters),
        board=None if design.board is None else board_named(design.board),
    )


def engine_for(query, name=None):
    """The parameter class of the engine called ``name``, or of the first that runs the query.

    Raises UserError when there is none, saying why, and which others can.
    """
    if name is not None and name not in ENGINES:
        raise UserError(f"unknown engine {name}{nearest(name, ENGINES)}")
    refusals = {known: engine.refuses(query) for known, engine in ENGINES.items()}
    able = [known for known, reason in refusals.items() if reason is None]
    if name is None and able:
        return ENGINES[able[0]]
    if name in able:
        return ENGINES[name]
    if name is not None:
        others = f"engines that can: {', '.join(able)}" if able else "no engine can yet"
        raise UserError(f"engine {name} cannot run this query: {refusals[name]}; {others}")
    why = "; ".join(f"{known}: {reason}" for known, reason in refusals.items())
    raise UserError(f"no engine can run this query ({why})")


def board_named(name):
    """The board of that name; raises UserError."""
    if name not in BOARDS:
        raise UserError(f"unknown board {name}{nearest(name, BOARDS)}")
    return BOARDS[name]


def _parameters(engine, query, given):
    known = [field.name for field in engine.settings_fields()]
    for name in given:
        if name not in known:
            near = nearest(name, known)
            raise UserError(f"unknown parameter {name} of engine {engine.engine}{near}")
    try:
        return engine(query=query, **given)
    except (TypeError, ValueError) as error:
        raise UserError(str(error)) from None

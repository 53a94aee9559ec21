"""From what the user asked for to what is built: an engine's design, and a board."""

from dataclasses import dataclass

from boards import BOARDS
from boards.board import Board
from query.design import DesignPoint, load, settings
from query.errors import UserError, nearest
from rtl.contract.design import Design
from rtl.contract.face import Face
from rtl.contract.options import option_fields
from rtl.engine import ENGINES


@dataclass(frozen=True, kw_only=True)
class Build:
    """A design point in which nothing is open.

    Attributes
    ----------
    point : DesignPoint
        What was asked for.
    design : Design
    board : Board or None
    """

    point: DesignPoint
    design: Design
    board: Board | None

    @property
    def query(self):
        return self.point.query

    @property
    def name(self):
        """Name of the design, a Verilog identifier: what its files and its top are called."""
        stem = "".join(c if c.isascii() and c.isalnum() else "_" for c in self.point.name)
        return f"sluice_{stem.lower()}"

    def configuration(self):
        """The resolved configuration as plain data."""
        face = self.design.face.values()
        return {
            "query": str(self.query),
            "engine": self.design.engine,
            "parameters": self.design.parameters,
        } | ({"bus": face} if face else {})


def resolve(query_file, *, engine=None, board=None, given=(), lanes=None):
    """What a command line asks to build.

    Parameters
    ----------
    query_file : path-like
        ``.cql`` or ``.toml``.
    engine, board : str or None
        Override those of the file.
    given : sequence of str
        Options of the engine and of the bus, as ``name=value``.
    lanes : int or None
        Short for ``lanes=...``, and stronger.

    Raises
    ------
    UserError
    """
    parameters = settings(list(given)) | ({} if lanes is None else {"lanes": lanes})
    point = load(query_file).override(engine=engine, board=board, parameters=parameters)
    chosen = engine_for(point.query, point.engine)
    return Build(
        point=point,
        design=_design(chosen, point.query, point.parameters, point.bus),
        board=None if point.board is None else board_named(point.board),
    )


def engine_for(query, name=None):
    """The engine called ``name``, or the first that runs the query.

    Raises UserError when there is none, saying why, and which others can.
    """
    if name is not None and name not in ENGINES:
        raise UserError(f"unknown engine {name}{nearest(name, ENGINES)}")
    refusals = {known: engine.fits(query) for known, engine in ENGINES.items()}
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


def _design(engine, query, given, bus):
    known = [field.name for field in option_fields(engine.options)]
    faces = [field.name for field in option_fields(Face)]
    face = {**bus, **{name: value for name, value in given.items() if name in faces}}
    for name in bus:
        if name not in faces:
            raise UserError(f"unknown option {name} of the bus{nearest(name, faces)}")
    for name in given:
        if name not in (*known, *faces):
            near = nearest(name, [*known, *faces])
            raise UserError(f"unknown parameter {name} of engine {engine.name}{near}")
    options = {name: value for name, value in given.items() if name in known}
    try:
        return engine(query=query, **options).faced(Face(**face))
    except (TypeError, ValueError) as error:
        raise UserError(str(error)) from None

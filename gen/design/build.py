"""From what the user asked for to what is built: an engine's design, and a board."""

from dataclasses import dataclass

from boards import BOARDS
from boards.board import Board
from gen.design import part_fit
from query.design import DesignPoint, load, settings
from query.errors import UserError, nearest
from rtl.contract.design import Design
from rtl.contract.face import PLAIN, Face
from rtl.contract.options import option_fields
from rtl.engine import ENGINES

#: The value of an option of the bus that stands for the engine's own beats and packets.
OWN = "engine"


@dataclass(frozen=True, kw_only=True)
class Build:
    """A design point in which nothing is open.

    Attributes
    ----------
    point : DesignPoint
        What was asked for.
    design : Design
    board : Board or None
    refused : str or None
        Why the design cannot have its board's own face, and has that of its beats.
    """

    point: DesignPoint
    design: Design
    board: Board | None
    refused: str | None = None

    @property
    def warnings(self):
        """Lines that the user must know of: of the query's text, and what the part has not."""
        about = (str(warning) for warning in self.query.warnings)
        return (*about, *part_fit.warnings(self.design, self.board))

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
        Short for ``lanes=...``; both with different values are refused.

    Raises
    ------
    UserError
    """
    parameters = settings(with_lanes(given, lanes))
    point = load(query_file).override(engine=engine, board=board, parameters=parameters)
    chosen = engine_for(point.query, point.engine)
    options, face = _options(chosen, point.parameters, point.bus)
    board = None if point.board is None else board_named(point.board)
    try:
        design = chosen(query=point.query, **options)
        own, faced = face_of(face), design.faced(face_of(face))
    except (TypeError, ValueError) as error:
        raise UserError(str(error)) from None
    refused = None
    if board is not None:
        if reason := part_fit.refusal(design, board):
            raise UserError(reason)
        try:
            faced = design.faced(face_of(face, board.face_for(design.rows)))
        except ValueError as error:
            refused, faced = str(error), design.faced(own)
    return Build(point=point, design=faced, board=board, refused=refused)


def with_lanes(given, lanes):
    """Returns the settings ``name=value`` that were passed, and ``--lanes`` as one of them."""
    return [*given, *([] if lanes is None else [f"lanes={lanes}"])]


def face_of(given, default=PLAIN):
    """The face of options that were given, over those of a ``default``.

    ``engine`` stands for the engine's own beats: with a default of 128 bits ``{"bus_bits": 64}`` is
    64 bits, ``{"bus_bits": "engine"}`` as many as the tuples of a beat have, ``{}`` is 128.
    Raises TypeError or ValueError.
    """
    values = {**default.values(), **given}
    return Face(**{name: value for name, value in values.items() if value != OWN})


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


def _options(engine, given, bus):
    """Splits settings into the engine's and the bus's; raises UserError for any other."""
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
    return {name: value for name, value in given.items() if name in known}, face

"""Resolves a query and the options of a command to an engine's design and a board."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from boards import BOARDS
from boards.board import Board
from boards.platforms.link import Link
from boards.platforms.platform_board import PlatformBoard
from boards.ports import Ports
from gen.design import part_fit
from gen.design.first_window import start_of
from gen.design.register_writes import register_writes
from query.design import DesignPoint, load, settings
from query.errors import UserError, nearest
from query.query import Query
from rtl.bus.registers import SETTING_REGISTERS
from rtl.bus.top_registers import registers_of
from rtl.contract.design import Design
from rtl.contract.face import PLAIN, Face
from rtl.contract.options import option_fields, without_effect
from rtl.engine import ENGINES

#: Value of a bus option that chooses the engine's own beats and packets.
ENGINE_DEFAULT = "engine"


#: Largest number of bits of a beat. amaranth numbers the bits of a signal up to 2^16, and an engine
#: joins a beat with states of its tuples.
_BEAT_BITS = 1 << 15
_LONGEST_NAME = 200  # a file's name has at most 255 letters, and the design's name is a part


@dataclass(frozen=True, kw_only=True)
class Build:
    """A design point with all options resolved.

    Attributes
    ----------
    point : DesignPoint
        The options as the user wrote them.
    design : Design
    board : Board or None
    start : int or None
        Raw time at which window 0 of RANGE begins, for the register writes; None if the user gave
        no start.
    refused : str or None
        Reason why the design cannot have the board's bus width and packets, and has those of its
        beats instead. None if the design has the board's.
    start_warning : str or None
        Warning of a start in a unit that the schema does not declare.
    """

    point: DesignPoint
    design: Design
    board: Board | None
    start: int | None = None
    refused: str | None = None
    start_warning: str | None = None

    @property
    def warnings(self) -> tuple[str, ...]:
        """All warnings: `text_warnings`, and a line if the board's part has too little memory."""
        return (*self.text_warnings, *part_fit.warnings(self.design, self.board))

    @property
    def text_warnings(self) -> tuple[str, ...]:
        """Warnings about the query, the start's unit, useless options, and a lost link."""
        of_query = (str(warning) for warning in self.query.warnings)
        of_start = () if self.start_warning is None else (self.start_warning,)
        of_options = (
            f"{name}={value} has no effect, because it needs {condition}"
            for name, value, condition in without_effect(self.design.options)
        )
        face = self.design.face
        is_unused = face.end_marker and not face.marks(self.design.rows)
        of_face = ["end_marker=true has no effect, because each stream is a packet"] * is_unused
        return (*of_query, *of_start, *of_options, *of_face, *self._of_link)

    @property
    def _of_link(self):
        """Warning that the link of the board carries no frames of this design, as a list."""
        if self.refused is None or self.board is None or self.design.face.network:
            return []
        if not self.board.face_for(self.design.rows).network:
            return []
        return [
            f"the link of {self.board.name} carries nothing to this design, which cannot have "
            f"network=true: {self.refused}"
        ]

    @property
    def query(self) -> Query:
        return self.point.query

    @property
    def name(self) -> str:
        """Name of the design's files and of its top module, a Verilog identifier."""
        stem = "".join(c if c.isascii() and c.isalnum() else "_" for c in self.point.name)
        return f"sluice_{stem.lower()}"

    @property
    def ports(self) -> Ports:
        """Ports of the top, with the register writes that a board without a processor makes."""
        writes = register_writes(self.design, registers_of(self.design), self.start)[0]
        return replace(Ports.of_design(self.name, self.design), writes=tuple(writes))

    @property
    def link(self) -> Link | None:
        """Both ends of the board's link, if the board connects this design to its Ethernet port."""
        board = self.board
        linked = isinstance(board, PlatformBoard) and board.has_link(self.ports)
        return board.link if linked else None

    def configuration(self) -> dict:
        """Returns the resolved configuration as plain data."""
        face = self.design.face.values()
        return {
            "query": str(self.query),
            "engine": self.design.engine,
            "parameters": self.design.parameters,
        } | ({"bus": face} if face else {})


def resolve(
    query_file: str | Path,
    *,
    engine: str | None = None,
    board: str | None = None,
    options: Iterable[str] = (),
    lanes: int | None = None,
    start: str | None = None,
) -> Build:
    """Resolves the arguments of a command.

    Parameters
    ----------
    query_file : path-like
        ``.cql`` or ``.toml``.
    engine, board : str or None
        Override the engine and the board of the file.
    options : sequence of str
        Options of the engine, of the bus and of the board, as ``name=value``.
    lanes : int or None
        Short for ``lanes=...``. Two different values are refused.
    start : str or None
        Text of the time at which window 0 of RANGE begins.

    Raises
    ------
    UserError
    """
    parameters = settings(with_lanes(options, lanes))
    point = load(query_file).override(engine=engine, board=board, parameters=parameters)
    return build_of(point, start)


def build_of(point: DesignPoint, start: str | None = None) -> Build:
    """Resolves a design point, with ``start`` as in `resolve`; raises UserError."""
    if (length := len(point.name)) > _LONGEST_NAME:
        raise UserError(
            f"the design's name, {point.name:.20}..., has {length} letters, and {_LONGEST_NAME} "
            "are allowed, because names of files are longer: rename the query's file"
        )
    chosen = engine_for(point.query, point.engine)
    chosen_board = None if point.board is None else board_named(point.board)
    engine_options, bus_options, board_options = _split_options(
        chosen, point.parameters, point.bus, chosen_board
    )
    try:
        if chosen_board is not None and board_options:
            chosen_board = chosen_board.with_options(board_options)
        design = chosen(query=point.query, **engine_options)
        own_options = _own_options(bus_options, chosen_board)
        own_face = face_of(own_options)
        faced = design.with_face(own_face)
    except (TypeError, ValueError) as error:
        raise UserError(str(error)) from None
    refused = None
    if chosen_board is not None:
        if reason := part_fit.refusal(design, chosen_board):
            raise UserError(reason)
        try:
            faced = design.with_face(face_of(bus_options, chosen_board.face_for(design.rows)))
        except TypeError as error:  # own_options lack host_link, so its type is checked only here
            raise UserError(str(error)) from None
        except ValueError as error:
            refused = str(error)
            faced = design.with_face(own_face)
        if refused is not None and bus_options.get("host_link") and "host_link" not in own_options:
            raise UserError(f"host_link=true needs the network of {chosen_board.name}: {refused}")
        if "registers_port" in board_options and not faced.face.host_link:
            raise UserError("registers_port must not be given without host_link=true")
        if isinstance(chosen_board, PlatformBoard) and faced.face.network:
            try:
                chosen_board.check_link(faced.face.host_link)
            except ValueError as error:
                raise UserError(str(error)) from None
    _check_registers(faced)
    check_beats(faced)
    raw_start, warning = start_of(point.query, start)
    build = Build(
        point=point,
        design=faced,
        board=chosen_board,
        start=raw_start,
        start_warning=warning,
        refused=refused,
    )
    if (unused := board_options.keys() - {"clock_mhz"}) and build.link is None:
        raise UserError(
            f"{min(unused)} must not be given: the design has no link to a port of the board"
        )
    return build


def _check_registers(design):
    """Raises UserError if the settings need more registers than the register map has room for."""
    words = sum(setting.words for setting in design.settings.numbers)
    if words > SETTING_REGISTERS:
        raise UserError(
            f"the settings need {words} registers of 32 bits, and the register map has room for "
            f"{SETTING_REGISTERS}; with constants=compiled the constants of WHERE need none"
        )


def check_beats(design: Design) -> None:
    """Raises UserError if a beat of tuples or rows is too wide to be built."""
    for name, schema in (("tuples", design.input), ("rows", design.rows)):
        width = schema.layout.size
        if schema.lanes * width > _BEAT_BITS:
            way_out = (
                f"set lanes to {_BEAT_BITS // width} or less"
                if width <= _BEAT_BITS
                else "leave out some columns or items"
            )
            raise UserError(
                f"a beat of {schema.lanes} {name} of {width:,} bits would have more than "
                f"{_BEAT_BITS:,} bits: {way_out}"
            )


def _own_options(options, board):
    """Returns the bus options without a link to a host that needs the network of the board."""
    is_of_board = board is not None and board.face.network and "network" not in options
    return {name: v for name, v in options.items() if name != "host_link" or not is_of_board}


def with_lanes(options: Iterable[str], lanes: int | None) -> list[str]:
    """Returns the options, each ``name=value``, and ``lanes=N`` if ``lanes`` is N."""
    return [*options, *([] if lanes is None else [f"lanes={lanes}"])]


def face_of(options: Mapping[str, object], default: Face = PLAIN) -> Face:
    """Returns the face for bus options that override the options of ``default``.

    The value ``engine`` chooses the engine's own beats. For instance with a default of 128 bits
    ``{"bus_bits": 64}`` is 64 bits, ``{"bus_bits": "engine"}`` the width of the engine's beat, and
    ``{}`` 128 bits. The default link to a host disappears without a network. Raises TypeError or
    ValueError.
    """
    values = {**default.values(), **options}
    if not values.get("network") and "host_link" not in options:
        values.pop("host_link", None)  # a default that nobody asked for
    return Face(**{name: value for name, value in values.items() if value != ENGINE_DEFAULT})


def engine_for(query: Query, name: str | None = None) -> Any:
    """Returns the engine called ``name``, or the first engine that runs the query.

    Without a name an engine whose limits are too low for the query's window is passed over: for
    instance ``RANGE 1000 SLIDE 999 SLACK 2000`` needs 2,999 open panes of a unit of time each, and
    `pane` has at most 1,024; `window-id` needs 5 open windows. If all limits are too low, the first
    of these engines is returned, which refuses the query with the limit.

    Raises UserError if there is none, with the reason and the engines that can run the query.
    """
    if name is not None and name not in ENGINES:
        raise UserError(f"unknown engine {name}{nearest(name, ENGINES)}")
    refusals = {known: engine.refusal(query) for known, engine in ENGINES.items()}
    able = [known for known, reason in refusals.items() if reason is None]
    if name is None and able:
        roomy = (known for known in able if _has_room(ENGINES[known], query))
        return ENGINES[next(roomy, able[0])]
    if name in able:
        return ENGINES[name]
    if name is not None:
        others = f"engines that can: {', '.join(able)}" if able else "no engine can yet"
        raise UserError(f"engine {name} cannot run this query: {refusals[name]}; {others}")
    reasons = "; ".join(f"{known}: {reason}" for known, reason in refusals.items())
    raise UserError(f"no engine can run this query ({reasons})")


def _has_room(engine, query):
    """Returns True if the engine's limits allow the query with default options."""
    try:
        engine.options(query=query)
    except ValueError:
        return False
    return True


def board_named(name: str) -> Board:
    """Returns the board called ``name``; raises UserError for an unknown name."""
    if name not in BOARDS:
        raise UserError(f"unknown board {name}{nearest(name, BOARDS)}")
    return BOARDS[name]


def _split_options(
    engine: Any, parameters: Mapping, bus: Mapping, board: Board | None
) -> tuple[dict, dict, dict]:
    """Splits options into those of the engine, of the bus and of the board.

    Raises UserError for an unknown option, which names a near one.
    """
    of_engine = [field.name for field in option_fields(engine.options)]
    of_bus = [field.name for field in option_fields(Face)]
    of_board = [] if board is None else list(board.option_names)

    def among(names):
        return {name: value for name, value in parameters.items() if name in names}

    for name in bus:
        if name not in of_bus:
            raise UserError(f"unknown option {name} of the bus{nearest(name, of_bus)}")
    for name in parameters:
        if name not in (*of_engine, *of_bus, *of_board):
            near = nearest(name, [*of_engine, *of_bus, *of_board])
            raise UserError(f"unknown parameter {name} of engine {engine.name}{near}")
    return among(of_engine), {**bus, **among(of_bus)}, among(of_board)

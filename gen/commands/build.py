"""Runs `sluice build`: from a query to a bitstream, with open tools."""

import json as json_module
import math
from dataclasses import asdict
from functools import partial
from pathlib import Path
from typing import Annotated

import typer

from boards import BOARDS
from boards.platforms.platform_board import FOLDER, TOP, PlatformBoard
from gen.bitstream.flow import pack
from gen.bitstream.search import find_clock
from gen.commands.arguments import (
    CACHE,
    BoardName,
    BoardStart,
    Cache,
    Engine,
    Json,
    Lanes,
    Query,
    Settings,
)
from gen.design.build import Build, resolve
from gen.directory.whole_directory import check_directory, write_directory
from gen.files.paths import checked_path
from gen.prediction.board_rate import link_tuples_per_second, rate_text, tuples_per_second
from gen.terminal.console import Output, table
from gen.terminal.errors import CheckFailedError
from query.errors import UserError

#: File of the figures of a build.
FIGURES = "build.json"


def build(
    query: Query,
    output: Annotated[
        Path,
        typer.Option(
            "-o", "--output", parser=checked_path, metavar="PATH", help="Directory for the files."
        ),
    ],
    board: BoardName = None,
    engine: Engine = None,
    given: Settings = None,
    lanes: Lanes = None,
    clock: Annotated[
        str | None,
        typer.Option(
            metavar="MHZ",
            help="Clock of the engine; by default the fastest of nine clocks from 25 to 125 MHz "
            "that the engine reaches.",
        ),
    ] = None,
    start: BoardStart = None,
    json: Json = False,
    cache: Cache = CACHE,
) -> None:
    """From a query to a bitstream by Yosys, nextpnr and Trellis, for a board with a link."""
    out = Output(json)
    options = list(given or [])
    resolve_with = partial(resolve, query, engine=engine, board=board, lanes=lanes, start=start)
    try:
        resolved = resolve_with(
            options=[*options, *([] if clock is None else [f"clock_mhz={clock}"])]
        )
    except UserError:
        if clock is not None:  # only some boards have this option, so the board may be at fault
            _check_board_alone(resolve_with, options)
        raise
    _check_board(resolved)
    check_directory(output)
    out.warn(*resolved.warnings)
    is_fixed = "clock_mhz" in resolved.point.parameters
    placed_design = find_clock(resolved, is_fixed, cache, out.step)
    # The script of the project writes top.tim, so the log has another name.
    extra = {
        f"{FOLDER}/{TOP}.nextpnr.log": placed_design.log,
        FIGURES: _text(_figures(placed_design)),
    }
    if not placed_design.missed:
        with out.step("packing the bitstream"):
            extra |= pack(placed_design.project, placed_design.config)
    write_directory(output, placed_design.files(cache, extra), resolved.point.files)
    _show(out, placed_design, output)
    if placed_design.missed:
        raise CheckFailedError(_too_slow(placed_design, is_fixed))


def _check_board_alone(resolve_with, options):
    """Checks the board without the clock; another mistake in the options is not reported here."""
    try:
        resolved = resolve_with(options=options)
    except UserError:
        return
    _check_board(resolved)


def _check_board(resolved: Build) -> None:
    """Raises UserError if no bitstream can be built for the board and the design."""
    able = [b.name for b in BOARDS.values() if isinstance(b, PlatformBoard) and _builds(b)]
    board = resolved.board
    if board is None:
        raise UserError(f"build needs a board: --board {' or '.join(able)}")
    if board.part is None:
        raise UserError(f"board {board.name} is no particular board; take {' or '.join(able)}")
    if not isinstance(board, PlatformBoard) or not board.family.is_open:
        raise UserError(
            f"board {board.name} needs its vendor's tool: `sluice generate --board {board.name}` "
            f"writes the files for it; boards with open tools are {', '.join(able)}"
        )
    if board.port is None:
        raise UserError(
            f"board {board.name} has neither Ethernet nor a serial port, so its engine would get "
            f"no tuples; boards that have one are {', '.join(able)}"
        )
    if resolved.link is None:
        raise UserError(_no_link(resolved))


def _builds(board):
    return board.family.is_open and board.port is not None


def _no_link(resolved):
    """Returns the reason why a design cannot use the link of its board."""
    if resolved.refused:
        face = f"the network face of board {resolved.board.name}"
        return f"the design cannot have {face}: {resolved.refused}"
    if not resolved.design.face.network:
        return f"board {resolved.board.name} needs network=true: its link carries frames"
    buses = ", ".join(bus.name for bus in resolved.design.memories) or "further streams"
    parameters = resolved.design.parameters
    options = [f"{k}=block" for k in ("m2_kind", "m3_kind") if parameters.get(k) == "external"]
    return (
        f"board {resolved.board.name} has nothing to connect to {buses} of engine "
        f"{resolved.design.engine}: its memory is not supported yet"
        + (f"; take {' and '.join(options)} for windows in block RAM" if options else "")
    )


def _too_slow(placed_design, is_fixed):
    texts = [
        f"{clock.name} clock {_mhz(clock.reached_mhz)} of {_mhz(clock.asked_mhz)} MHz"
        for clock in placed_design.missed
    ]
    hint = "choose a lower --clock" if is_fixed else "choose fewer lanes or a smaller engine"
    board = placed_design.build.board.name
    return (
        f"the design is too slow for {board}: {', '.join(texts)}; no bitstream was written; {hint}"
    )


def _mhz(clock):
    """Returns a clock in MHz as text, rounded down to 0.01 so that a miss does not look met."""
    return f"{math.floor(clock * 100) / 100:g}"


def _figures(placed_design):
    """Returns the figures of a build as plain data."""
    board = placed_design.build.board
    return {
        "board": board.name,
        "part": board.part,
        "clocks": [asdict(clock) | {"met": clock.is_met} for clock in placed_design.clocks],
        "utilisation": [asdict(use) | {"percent": use.percent} for use in placed_design.uses],
        "seed": placed_design.seed,
        "tuples_per_second": tuples_per_second(placed_design.build),
        "link_tuples_per_second": link_tuples_per_second(placed_design.build),
        "link": board.link.values(),
    }


def _text(values):
    return json_module.dumps(values, indent=2) + "\n"


def _show(out, placed_design, output):
    board = placed_design.build.board
    bitstream = None if placed_design.missed else str(output / f"{TOP}.bit")
    clocks = [
        (
            clock.name,
            *(_mhz(clock.asked_mhz), _mhz(clock.reached_mhz)),
            "yes" if clock.is_met else "NO",
        )
        for clock in placed_design.clocks
    ]
    uses = [(use.kind, use.used, use.available, use.percent) for use in placed_design.uses]
    written = _usage(board, bitstream, placed_design.build.design.face.host_link)
    out.result(
        {"directory": str(output), "bitstream": bitstream} | _figures(placed_design),
        table(
            f"{placed_design.build.name} on {board.title}",
            ["clock", "asked, MHz", "reached, MHz", "met"],
            clocks,
        ),
        "",
        table(None, ["", "used", "of", "per cent"], uses),
        "",
        f"engine clock: {rate_text(placed_design.build)}",
        *(written if bitstream else ()),
    )


def _usage(board, bitstream, has_host_link):
    """Returns the lines that say how the board is reached."""
    files = f"{bitstream} and {TOP}.svf: after power-up the board"
    if board.ethernet is None:
        return (
            f"{files} takes and sends frames on its serial port",
            f"at {board.serial.baud:,} baud: serial:///dev/ttyUSB0 of the host class",
        )
    link = board.link
    registers = f", registers at UDP port {link.registers_port}" if has_host_link else ""
    return (
        f"{files} answers ping {link.address}",
        f"tuples to UDP port {link.port}, rows to {link.to_address}, port {link.to_port}"
        + registers,
    )

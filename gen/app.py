"""Collects the commands, and turns their errors into one line and an exit code."""

import errno
import sys
from collections.abc import Iterable, Sequence
from importlib import import_module
from importlib.metadata import version
from typing import Annotated

import typer

from gen.commands.single_options import SingleOptionCommand
from gen.terminal.console import OutputError, UnreadError, discard_output, flush
from gen.terminal.errors import CheckFailedError
from gen.verilog.yosys import ToolError
from query.errors import UserError, brief, one_line
from sim.errors import BuildError, ProtocolError, ToolMissingError

_HELP = "Windowed aggregation in hardware: from a written query to Verilog, checked by PySpark."
MESSAGE_LIMIT = 1000  # characters of an error message, which may quote a longer argument
#: Typer returns this code for a KeyboardInterrupt, which a library may raise. `run` raises it
#: again, because :mod:`gen.cli` handles Ctrl-C.
_CTRL_C = 130
#: Commands in the order of the help. Command x is the function x of ``gen/commands/x.py``; a
#: command imports only its own file, because all files together take a second.
COMMANDS = (
    "engines",
    "generate",
    "golden",
    "simulate",
    "report",
    "build",
    "serve",
    "compare",
    "demo",
    "trace",
    "shell",
)


def _print_version(is_requested: bool) -> None:
    if is_requested:
        print(f"sluice {version('sluice')}")
        raise typer.Exit


def _main(
    version_requested: Annotated[
        bool,
        typer.Option(
            "--version", callback=_print_version, is_eager=True, help="Prints the version."
        ),
    ] = False,
) -> None:
    """Declares the options that may stand before a command."""


def app_of(commands: Iterable[str]) -> typer.Typer:
    """Returns the command line with the commands of the given names."""
    app = typer.Typer(add_completion=False, pretty_exceptions_enable=False, rich_markup_mode=None)
    app.callback(help=_HELP)(_main)
    for name in commands:
        function = getattr(import_module(f"gen.commands.{name}"), name)
        app.command(cls=SingleOptionCommand)(function)
    return app


def run(arguments: Sequence[str]) -> int:
    """Runs a command line; returns its exit code, see :mod:`gen.cli`.

    A command finds this function as ``obj`` of its context; `sluice shell` calls it for each line
    that the user types.

    Code 1: a failed check, or a design that breaks a rule of its buses. Code 2: a mistake of the
    user, a tool that is missing or fails, output that cannot be written, a full disk, or a lack of
    memory. Both print one line on standard error. Code 141, without a line: the reader of standard
    output has gone; every SystemExit counts as this. Ctrl-C passes through. Any other exception
    passes through, too, because it is a defect of the program.
    """
    is_named = bool(arguments) and arguments[0] in COMMANDS
    try:
        app = app_of(arguments[:1] if is_named else COMMANDS)
        code = app(list(arguments), prog_name="sluice", standalone_mode=False, obj=run) or 0
        flush()
        if code == _CTRL_C:
            raise KeyboardInterrupt
        return code
    # The reader of standard output has gone, as in `sluice engines | head`. Typer raises SystemExit
    # for it if it prints the text itself, as in `sluice --help | head`.
    except (UnreadError, SystemExit):
        discard_output()
        return 141
    except OutputError as error:
        discard_output()
        return _report(error, 2)
    except CheckFailedError as failure:
        return _report(failure, 1)
    except UserError as error:
        return _report(error, 2)
    except typer.TyperException as error:
        return _report(" ".join(error.format_message().split()), 2)
    except (ToolMissingError, ToolError, BuildError) as error:
        return _report(error, 2)
    except ProtocolError as error:
        return _report(error, 1)
    except typer.Abort as error:  # typer raises it for an EOFError, which is a defect here
        raise error.__cause__ or error from None
    except OSError as error:
        if error.errno not in (errno.ENOSPC, errno.EDQUOT):
            raise
        try:
            flush()
        except (OutputError, UnreadError):
            discard_output()
        return _report(f"cannot be written: {error.strerror}", 2)
    except MemoryError:
        return _report("there is not enough memory for this", 2)


def _report(message: object, code: int) -> int:
    print(f"sluice: {brief(one_line(str(message)), MESSAGE_LIMIT)}", file=sys.stderr)
    return code

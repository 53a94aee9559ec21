"""The commands, and what their errors say and end with."""

import errno
import sys
from importlib.metadata import version
from typing import Annotated

import typer

from gen.commands.demo import demo
from gen.commands.engines import engines
from gen.commands.generate import generate
from gen.commands.golden import golden
from gen.commands.report import report
from gen.commands.simulate import simulate
from gen.commands.single_options import SingleOptionCommand
from gen.commands.trace import trace
from gen.terminal.console import OutputError, UnreadError, flush, unheard
from gen.terminal.errors import CheckFailedError
from gen.verilog.yosys import ToolError
from query.errors import UserError, brief, one_line
from sim.errors import BuildError, ToolMissingError

_HELP = "Windowed aggregation in hardware: from a written query to Verilog, checked by PySpark."
LONGEST = 1000  # characters of an error: arguments may be longer
_COMMANDS = (engines, generate, golden, simulate, report, demo, trace)

app = typer.Typer(add_completion=False, pretty_exceptions_enable=False, rich_markup_mode=None)
for command in _COMMANDS:
    app.command(cls=SingleOptionCommand)(command)


def _tell_version(asked: bool):
    if asked:
        print(f"sluice {version('sluice')}")
        raise typer.Exit


@app.callback(help=_HELP)
def _main(
    told: Annotated[
        bool, typer.Option("--version", callback=_tell_version, is_eager=True, help="Its number.")
    ] = False,
):
    """What may come before a command."""


def run(arguments):
    """Runs a command line; returns its exit code, see :mod:`gen.cli`.

    What a user got wrong is one line on standard error. Ctrl-C passes through, and so does any
    other exception, which is a bug of ours.
    """
    try:
        code = app(list(arguments), prog_name="sluice", standalone_mode=False) or 0
        flush()
        return code
    except (UnreadError, SystemExit):  # as in `sluice engines | head`; typer exits for --help
        unheard()
        return 141
    except OutputError as error:
        unheard()
        return _say(error, 2)
    except CheckFailedError as failure:
        return _say(failure, 1)
    except UserError as error:
        return _say(error, 2)
    except typer.TyperException as error:
        return _say(" ".join(error.format_message().split()), 2)
    except (ToolMissingError, ToolError, BuildError) as error:
        return _say(error, 2)
    except typer.Abort:  # what typer makes of Ctrl-C
        raise KeyboardInterrupt from None
    except OSError as error:
        if error.errno not in (errno.ENOSPC, errno.EDQUOT):
            raise
        unheard()
        return _say(f"cannot be written: {error.strerror}", 2)
    except MemoryError:
        return _say("there is not enough memory for this", 2)


def _say(message, code):
    print(f"sluice: {brief(one_line(message), LONGEST)}", file=sys.stderr)
    return code

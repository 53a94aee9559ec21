"""The command line.

Exit codes: 0; 1 for a failed check; 2 for a bad query, parameter, input or place for the output; as
in shells, 130 when interrupted and 141 when nobody reads standard output any more.
"""

import errno
import sys

import typer

from gen.commands.demo import demo
from gen.commands.engines import engines
from gen.commands.generate import generate
from gen.commands.golden import golden
from gen.commands.report import report
from gen.commands.simulate import simulate
from gen.commands.trace import trace
from gen.console import OutputError, UnreadError, flush, unheard
from gen.errors import CheckFailedError
from gen.yosys import ToolError
from query.errors import UserError, brief, one_line
from tb.harness.errors import BuildError, ToolMissingError

_HELP = "Windowed aggregation in hardware: from a written query to Verilog, checked by PySpark."
LONGEST = 1000  # characters of an error: arguments may be longer
_COMMANDS = (engines, generate, golden, simulate, report, demo, trace)

app = typer.Typer(
    help=_HELP, add_completion=False, pretty_exceptions_enable=False, rich_markup_mode=None
)
for command in _COMMANDS:
    app.command()(command)


def main(arguments=None):
    """Runs the command line and ends the process with its exit code."""
    sys.exit(run(sys.argv[1:] if arguments is None else arguments))


def run(arguments):
    """Runs a command line; returns its exit code.

    What a user got wrong is one line on standard error. Any other exception is a bug of ours and
    passes through.
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
    except (KeyboardInterrupt, typer.Abort):
        return _say("interrupted", 130)
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

"""Starts the command line. This module imports nothing that takes time.

Exit codes: 0 for success; 1 for a failed check; 2 for a bad query, parameter, input or output path;
as in shells 130 after Ctrl-C, 143 after SIGTERM, and 141 if the reader of standard output has gone.
"""

import sys
from collections.abc import Sequence
from typing import NoReturn

from gen.terminal import interrupt


def main(arguments: Sequence[str] | None = None) -> NoReturn:
    """Runs the command line, and ends the process with its exit code."""
    with interrupt.handled():
        code = run(sys.argv[1:] if arguments is None else arguments)
    sys.exit(code)


def run(arguments: Sequence[str]) -> int:
    """Runs a command line; returns its exit code, see :func:`gen.app.run`."""
    from gen.app import run  # the import takes a second, and Ctrl-C must work meanwhile

    return run(arguments)

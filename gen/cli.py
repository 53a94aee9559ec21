"""Starts the command line. This module imports nothing that takes time.

Exit codes: 0 for success; 1 for a failed check; 2 for a bad query, parameter, input or output path;
as in shells 130 after Ctrl-C, 143 after SIGTERM, and 141 if the reader of standard output has gone.
"""

import atexit
import os
import sys
from collections.abc import Sequence
from contextlib import suppress
from typing import NoReturn

from gen.terminal import interrupt


def main(arguments: Sequence[str] | None = None) -> NoReturn:
    """Runs the command line, and ends the process with its exit code.

    The process ends after its exit handlers, before Python frees its objects: a thread of a
    library, such as Arrow's, that still runs then and needs Python would abort the process.
    """
    _open_streams()
    code = 1  # of an error that is a defect of the program

    def end():
        for stream in (sys.stdout, sys.stderr):
            with suppress(OSError, ValueError):  # `run` has reported what it could not write
                stream.flush()
        os._exit(code)

    atexit.register(end)  # exit handlers that are registered later run before it
    with interrupt.handled():
        code = run(sys.argv[1:] if arguments is None else arguments)
    sys.exit(code)


def run(arguments: Sequence[str]) -> int:
    """Runs a command line; returns its exit code, see :func:`gen.app.run`."""
    from gen.app import run  # the import takes a second, and Ctrl-C must work meanwhile

    return run(arguments)


def _open_streams():
    """Opens standard streams that the caller has closed, and lets them write any character.

    A closed standard input is empty. A closed standard output cannot be written, so the process
    ends with exit code 2.
    """
    if sys.stdin is None:
        sys.stdin = os.fdopen(os.open(os.devnull, os.O_RDONLY))
    if sys.stderr is None:
        sys.stderr = os.fdopen(os.open(os.devnull, os.O_WRONLY), "w")
    if sys.stdout is None:
        print("sluice: standard output: cannot be written: it is closed", file=sys.stderr)
        sys.exit(2)
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="backslashreplace")
    if hasattr(sys.stdin, "reconfigure"):  # `sluice shell` accepts a line that is not UTF-8
        sys.stdin.reconfigure(errors="surrogateescape")

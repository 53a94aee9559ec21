"""Runs compilers and simulators with their output in a log, and says why one failed."""

import os
import subprocess
from pathlib import Path

from caching.disk import has_room, no_space
from tb.harness.errors import BuildError

_LINES, _CHARACTERS = 12, 800  # of the end of the output, for the message: an error is one line


def run_logged(command, directory, log, env=None, name=None):
    """Runs a command in a directory, and appends its output to the file ``log``.

    Its temporary files go to the directory, too: they need room on one device, and they are gone
    with the directory when a run is killed. The directory is itself a temporary one, so an error
    names the folder above.

    Parameters
    ----------
    command : sequence of str
    directory, log : path-like
    env : dict or None
        None is the environment of this process.
    name : str or None
        The program's name in a message; by the command if None.

    Raises
    ------
    BuildError
        When it fails: with the last lines of its output.
    UserError
        When it fails for a full disk.
    """
    own = {"TMPDIR": str(directory), "LC_ALL": "C.UTF-8"}  # in English: has_room() reads it
    env = dict(os.environ if env is None else env) | own
    # By a pipe: on a full disk the log has no room for the reason.
    done = subprocess.run(
        command, cwd=directory, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, env=env
    )
    if done.returncode:
        said = done.stdout.decode(errors="replace")
        if not has_room(directory, said):
            raise no_space(Path(directory).parent)
        name = name or Path(command[0]).name
        raise BuildError(f"{name} failed ({done.returncode}):\n{last_lines(said)}")
    with open(log, "ab") as out:
        out.write(done.stdout)


def last_lines(text):
    """The last lines of a text, so many that they fit into a message."""
    lines = [line for line in text.splitlines() if line.strip()][-_LINES:]
    return "\n".join(lines)[-_CHARACTERS:]

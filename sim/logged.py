"""Runs compilers and simulators with their output in a log, and says why one failed."""

import os
import subprocess
from pathlib import Path

from caching.disk import has_room, no_space
from sim.errors import BuildError

_CHARACTERS, _LINE, _ERRORS = 800, 240, 3  # at most, in a message and in each line; error lines


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
    """The last lines of a program's output, so many that they fit into a message.

    The last lines that speak of an error have room before others: a compiler prints its notes
    after them. Lines stay in their order.
    """
    lines = [line[:_LINE] for line in text.splitlines() if line.strip()]
    errors = [k for k, line in enumerate(lines) if "error" in line.casefold()]
    chosen, room = set(), _CHARACTERS
    for k in dict.fromkeys([*errors[: -_ERRORS - 1 : -1], *reversed(range(len(lines)))]):
        room -= len(lines[k]) + 1
        if room < 0:
            break
        chosen.add(k)
    return "\n".join(lines[k] for k in sorted(chosen))

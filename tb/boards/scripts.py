"""Runs a board's Tcl script against a stand-in of the vendor's tool, and returns the tool calls."""

import subprocess

from tb.boards.tcl import interpreter, words


def run_script(path, stub, *arguments):
    """Runs the script at ``path``.

    Parameters
    ----------
    path : pathlib.Path
    stub : str
        Name of the stand-in in ``tb/boards``.
    arguments
        Further arguments of the stand-in, such as the state in which a run ends.

    Returns
    -------
    commands : list of list of str
        The words of every command of the tool that the script called.
    error : str
        The error that ended the script; empty for a script that ran to its end.
    """
    record = path.parent / f"{path.name}.record"
    completed = subprocess.run(
        [*interpreter(), f"tb/boards/{stub}", path, record, *map(str, arguments)],
        capture_output=True,
        text=True,
    )
    assert bool(completed.stderr) == (completed.returncode != 0)
    lines = record.read_text().splitlines() if record.exists() else []
    return [words(line) for line in lines], completed.stderr


def calls_of(commands, name):
    """Returns the arguments of each call of one command."""
    return [command[1:] for command in commands if command[0] == name]

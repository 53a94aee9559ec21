"""Runs a board's Tcl script against the stand-in of its tool, and reads what it called."""

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
        Further ones of the stand-in, such as the state that a run ends in.

    Returns
    -------
    commands : list of list of str
        Every command of the tool that the script called, each as its words.
    error : str
        What it ended with; empty for a script that ran to its end.
    """
    record = path.parent / f"{path.name}.record"
    done = subprocess.run(
        [*interpreter(), f"tb/boards/{stub}", path, record, *map(str, arguments)],
        capture_output=True,
        text=True,
    )
    assert bool(done.stderr) == (done.returncode != 0)
    lines = record.read_text().splitlines() if record.exists() else []
    return [words(line) for line in lines], done.stderr


def calls_of(commands, name):
    """The arguments of each call of one command."""
    return [command[1:] for command in commands if command[0] == name]

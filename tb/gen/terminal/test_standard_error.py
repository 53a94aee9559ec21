"""Tests the muted standard error of other programs: after an error its end is printed."""

import os
import sys

import pytest
from rich.console import Console

from caching import notes
from gen.terminal import interrupt
from gen.terminal.interrupt import Interrupted
from gen.terminal.standard_error import muted
from query.errors import UserError


def spoken(capfd, error, text):
    """Writes a text to standard error in a muted block; returns the part that is visible.

    The block raises ``error``, or ends normally if ``error`` is None.
    """
    console = Console(file=sys.stderr)

    def block():
        with muted(console):
            os.write(2, text)
            if error is not None:
                raise error

    if error is None:
        block()
    else:
        with pytest.raises(type(error)):
            block()
    os.write(2, b"|after")
    heard, _, later = capfd.readouterr().err.rpartition("|")
    assert later == "after"
    return heard


@pytest.mark.parametrize("error", [None, UserError("wrong"), KeyboardInterrupt(), Interrupted()])
def test_nothing_is_heard_of_what_ends_well_or_is_the_users_wish(capfd, error):
    assert spoken(capfd, error, b"a warning\n") == ""


@pytest.mark.parametrize(
    ("text", "heard"),
    [
        (b"", ""),
        (b"out of memory\n", "out of memory\n"),
        (b"a" * 3999 + b"z", "a" * 3999 + "z"),
        (b"x" * 500 + b"a" * 3999 + b"z", "a" * 3999 + "z"),
        ("é".encode() * 2000 + b"z", "\ufffd" + "é" * 1999 + "z"),  # the cut is within an é
    ],
)
def test_the_end_of_what_was_said_is_shown_when_something_breaks(capfd, text, heard):
    assert spoken(capfd, RuntimeError("broken"), text) == heard


def test_the_console_goes_on_speaking(capfd, monkeypatch):
    """So do the notes of the cache.

    ``sys.stderr`` of pytest does not write to file descriptor 2, so it would never be muted.
    """
    monkeypatch.setattr(sys, "stderr", os.fdopen(2, "w", buffering=1, closefd=False))
    console = Console(file=sys.stderr)
    with muted(console):
        console.print("at work")
        os.write(2, b"a warning\n")
        notes.say("a note")
    assert console.file is sys.stderr
    assert capfd.readouterr().err == "at work\nsluice: a note\n"


def test_nothing_is_shown_of_programs_that_a_signal_has_ended(capfd, monkeypatch):
    monkeypatch.setattr(interrupt, "is_requested", lambda: True)
    assert spoken(capfd, RuntimeError("broken"), b"terminated\n") == ""

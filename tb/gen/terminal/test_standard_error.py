"""Tests the muted standard error of other programs: an error shows its end."""

import os
import sys

import pytest
from rich.console import Console

from gen.terminal.standard_error import muted
from query.errors import UserError


def spoken(capfd, error, text):
    """Returns the visible part of a text on standard error, in a block that ends by this error or
    none.
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


@pytest.mark.parametrize("error", [None, UserError("wrong"), KeyboardInterrupt()])
def test_nothing_is_heard_of_what_ends_well_or_is_the_users_wish(capfd, error):
    assert spoken(capfd, error, b"a warning\n") == ""


@pytest.mark.parametrize(
    ("text", "heard"),
    [
        (b"", ""),
        (b"out of memory\n", "out of memory\n"),
        (b"a" * 3999 + b"z", "a" * 3999 + "z"),
        (b"x" * 500 + b"a" * 3999 + b"z", "a" * 3999 + "z"),
    ],
)
def test_the_end_of_what_was_said_is_shown_when_something_breaks(capfd, text, heard):
    assert spoken(capfd, RuntimeError("broken"), text) == heard


def test_the_console_goes_on_speaking(capfd):
    console = Console(file=sys.stderr)
    with muted(console):
        console.print("at work")
        os.write(2, b"a warning\n")
    assert console.file is sys.stderr
    assert capfd.readouterr().err == "at work\n"

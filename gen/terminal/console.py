"""Prints the result of a command on standard output, and all else on standard error."""

import json
import os
import sys
import threading
import time
from contextlib import contextmanager, nullcontext

from rich.console import Console
from rich.table import Table

from gen.terminal import interrupt
from gen.terminal.standard_error import kept_away
from query.errors import UserError, one_line

WIDTH = 120  # of tables that go to a file
SOON = 2.0  # seconds after which a step that still runs is announced


class OutputError(UserError):
    """Standard output takes no more."""


class UnreadError(Exception):
    """Nobody reads standard output any more. (As a BrokenPipeError, typer would make it a 1.)"""


def flush(text=""):
    """Writes ``text`` and all before it to standard output.

    Raises UnreadError when nobody reads it, and OutputError when it cannot be written.
    """
    try:
        sys.stdout.write(text)
        sys.stdout.flush()
    except BrokenPipeError:
        raise UnreadError from None
    except OSError as error:
        raise OutputError(f"cannot be written: {error.strerror}", file="standard output") from None


def unheard():
    """Lets go of standard output: what Python holds for it will not fail again at the end."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, sys.stdout.fileno())
    os.close(nowhere)


class Output:
    """Where a command's result and progress go.

    Parameters
    ----------
    as_json : bool
        The result is one JSON object on standard output, and nothing else is.
    """

    def __init__(self, as_json=False):
        self.as_json = as_json
        self._out = Console(file=sys.stdout, highlight=False, soft_wrap=True)
        if not self._out.is_terminal:
            self._out.width = WIDTH
        self._log = Console(file=sys.stderr, highlight=False, soft_wrap=True)

    def result(self, values, *shown):
        """Prints ``values`` as JSON, or else ``shown``: texts and tables."""
        with self._out.capture() as captured:
            for item in () if self.as_json else shown:
                self._out.print(item, markup=False)
        text = json.dumps(values, indent=2) + "\n" if self.as_json else captured.get()
        flush(text)

    def note(self, text):
        """A line on standard error."""
        self._log.print(text, markup=False)

    def warn(self, *warnings):
        """Prints each warning as a line of its own on standard error, also beside JSON."""
        for warning in warnings:
            self.note(f"sluice: warning: {one_line(warning)}")

    @contextmanager
    def step(self, text, *, mute=False):
        """Shows that something runs, and for how long, once it has run for two seconds.

        With ``mute`` other programs are not heard meanwhile, see
        :func:`gen.terminal.standard_error.kept_away`.

        Gives a function ``update(detail)`` for what there is to tell meanwhile. On a terminal it is
        one line that moves; elsewhere a line at the start and one at the end.
        """
        step = _Step(self._log, text)
        with kept_away(self._log) if mute else nullcontext():
            step.start()
            try:
                yield step.update
            finally:
                step.stop()


class _Step:
    def __init__(self, console, text):
        self._console, self._text, self._detail = console, text, ""
        self._begin = time.monotonic()
        self._ended = threading.Event()
        self._thread = threading.Thread(target=self._show, daemon=True)

    def start(self):
        self._thread.start()

    def update(self, detail):
        self._detail = detail

    def stop(self):
        self._ended.set()
        self._thread.join()

    def _show(self):
        if self._ended.wait(SOON):
            return
        if self._console.is_terminal:
            with self._console.status(self._line()) as status:
                while not self._ended.wait(0.2):
                    status.update(self._line())
        else:
            self._console.print(f"{self._text} ...", markup=False)
            self._ended.wait()
        if interrupt.asked():
            return
        self._console.print(f"{self._text}: {time.monotonic() - self._begin:.1f} s", markup=False)

    def _line(self):
        detail = f" {self._detail}" if self._detail else ""
        return f"{self._text}{detail} ({time.monotonic() - self._begin:.0f} s)"


def table(title, columns, rows):
    """A plain table; numbers stand to the right."""
    shown = Table(title=title, title_justify="left", box=None, pad_edge=False)
    numeric = [all(_is_number(row[k]) for row in rows) for k in range(len(columns))]
    for name, right in zip(columns, numeric, strict=True):
        shown.add_column(name, justify="right" if right else "left")
    for row in rows:
        shown.add_row(*(_text(value) for value in row))
    return shown


def _is_number(value):
    return value is None or isinstance(value, int | float)


def _text(value):
    if value is None:
        return "-"
    return f"{value:,}" if isinstance(value, int | float) else str(value)

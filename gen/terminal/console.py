"""Prints the result of a command on standard output, and notes and progress on standard error."""

import json
import os
import sys
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, nullcontext

from rich.console import Console
from rich.table import Table
from rich.text import Text

from gen.terminal import interrupt
from gen.terminal.standard_error import muted
from query.errors import UserError, one_line

WIDTH = 120  # characters of a line of a table that is written to a file
ANNOUNCE_AFTER = 2.0  # seconds after which a running step is announced


#: Numbers of processes whose standard output was discarded. A forked process is another one.
_discarded: set[int] = set()


class OutputError(UserError):
    """Standard output cannot be written."""


class UnreadError(Exception):
    """The reader of standard output has gone. For a BrokenPipeError typer would exit with 1."""


def flush(text: str = "") -> None:
    """Writes ``text`` and the buffered output to standard output.

    Raises UnreadError if nobody reads standard output, and OutputError if it cannot be written.
    """
    with _clear_faults():
        sys.stdout.write(text)
        sys.stdout.flush()


@contextmanager
def _clear_faults() -> Iterator[None]:
    """Turns errors of a block that writes to standard output into UnreadError or OutputError."""
    try:
        yield
    except BrokenPipeError:
        raise UnreadError from None
    except OSError as error:
        raise OutputError(f"cannot be written: {error.strerror}", file="standard output") from None


def discard_output() -> None:
    """Sends standard output to nowhere, so that Python's buffer does not fail again at exit."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, sys.stdout.fileno())
    os.close(nowhere)
    _discarded.add(os.getpid())


def is_output_discarded() -> bool:
    """Returns True if standard output of this process goes to nowhere since an earlier error."""
    return os.getpid() in _discarded


class Output:
    """Prints the result and the progress of a command.

    Parameters
    ----------
    as_json : bool
        If true, standard output has only the result, as one JSON object.
    """

    def __init__(self, as_json: bool = False):
        self.as_json = as_json
        self._warnings: list[str] = []
        self._out = Console(file=sys.stdout, highlight=False, soft_wrap=True, emoji=False)
        if not self._out.is_terminal:
            self._out.width = WIDTH
        self._log = Console(file=sys.stderr, highlight=False, soft_wrap=True, emoji=False)

    def result(self, values: object, *items: object) -> None:
        """Prints ``values`` as JSON with ``as_json``, otherwise the texts and tables ``items``.

        A JSON object also has all warnings of the command.
        """
        if isinstance(values, dict) and self._warnings:
            others = [text for text in values.get("warnings", []) if text not in self._warnings]
            values = values | {"warnings": [*self._warnings, *others]}
        with _clear_faults(), self._out.capture() as captured:  # rich flushes the console, too
            for item in () if self.as_json else items:
                self._out.print(item, markup=False)
        text = json.dumps(values, indent=2) + "\n" if self.as_json else captured.get()
        flush(text)

    def note(self, text: str) -> None:
        """Prints a line on standard error."""
        self._log.print(text, markup=False)

    def warn(self, *warnings: object) -> None:
        """Prints each warning as a line of its own on standard error, also beside JSON."""
        for warning in warnings:
            self._warnings.append(str(warning))
            self.note(f"sluice: warning: {one_line(str(warning))}")

    @contextmanager
    def step(self, text: str, *, mute: bool = False) -> Iterator[Callable[[str], None]]:
        """Shows the text and the time of the block, once the block has run for two seconds.

        On a terminal the time advances in one line. Without a terminal there is a line at the
        beginning and a line at the end. With ``mute`` the standard error of other programs is
        muted, see :func:`gen.terminal.standard_error.muted`.

        Yields a function ``update(detail)``, which adds a detail to the line.
        """
        step = _Step(self._log, text)
        with muted(self._log) if mute else nullcontext():
            step.start()
            try:
                yield step.update
            finally:
                step.stop()


class _Step:
    """Shows the text and the time of a running step, from a second thread."""

    def __init__(self, console, text):
        self._console = console
        self._text = text
        self._detail = ""
        self._begin = time.monotonic()
        self._stopped = threading.Event()
        self._thread = threading.Thread(target=self._show, daemon=True)

    def start(self):
        self._thread.start()

    def update(self, detail):
        self._detail = detail

    def stop(self):
        self._stopped.set()
        self._thread.join()

    def _show(self):
        if self._stopped.wait(ANNOUNCE_AFTER):
            return
        if self._console.is_terminal:
            with self._console.status(self._line()) as status:
                while not self._stopped.wait(0.2):
                    status.update(self._line())
        else:
            self._console.print(f"{self._text} ...", markup=False)
            self._stopped.wait()
        if interrupt.is_requested():
            return
        self._console.print(f"{self._text}: {time.monotonic() - self._begin:.1f} s", markup=False)

    def _line(self):
        detail = f" {self._detail}" if self._detail else ""
        text = f"{self._text}{detail} ({time.monotonic() - self._begin:.0f} s)"
        return Text(text)  # the name of a file may hold rich's markup


def table(title: str | None, columns: Sequence[str], rows: Sequence[Sequence]) -> Table:
    """Builds a plain table. Columns of numbers are right-aligned."""
    shown = None if title is None else Text(title)  # a file name may hold rich's markup
    drawn = Table(title=shown, title_justify="left", box=None, pad_edge=False)
    numeric = [all(_is_number(row[k]) for row in rows) for k in range(len(columns))]
    for name, right in zip(columns, numeric, strict=True):
        drawn.add_column(name, justify="right" if right else "left")
    for row in rows:
        drawn.add_row(*(_text(value) for value in row))
    return drawn


def _is_number(value):
    return value is None or isinstance(value, int | float)


def _text(value):
    if value is None:
        return "-"
    return f"{value:,}" if isinstance(value, int | float) else str(value)

"""Prints lines about the cache on standard error."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import TextIO

from query.errors import one_line

_streams: list[TextIO] = []


def say(text: str) -> None:
    """Prints one line on standard error, or on the stream of :func:`printed_to`."""
    with suppress(OSError, ValueError):  # the stream has no reader, or is closed
        print(f"sluice: {one_line(text)}", file=(_streams or [sys.stderr])[-1], flush=True)


@contextmanager
def printed_to(stream: TextIO) -> Iterator[None]:
    """Prints the lines on ``stream`` while the block runs.

    The lines stay visible in a block that mutes standard error, if ``stream`` is a copy of the
    terminal.
    """
    _streams.append(stream)
    try:
        yield
    finally:
        _streams.remove(stream)

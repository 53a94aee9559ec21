"""Lines on standard error about the cache."""

import sys
from contextlib import contextmanager, suppress

from query.errors import one_line

_streams = []


def say(text):
    """Prints one line on standard error, or on the stream of :func:`printed_to`."""
    with suppress(OSError, ValueError):  # nobody reads it, or it is closed
        print(f"sluice: {one_line(text)}", file=(_streams or [sys.stderr])[-1], flush=True)


@contextmanager
def printed_to(stream):
    """Redirects the lines to ``stream`` while the block runs.

    For a block in which standard error itself is muted.
    """
    _streams.append(stream)
    try:
        yield
    finally:
        _streams.remove(stream)

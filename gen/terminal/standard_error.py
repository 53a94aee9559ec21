"""Mutes the standard error of the programs that a command starts, unless a program fails."""

import os
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager

from rich.console import Console

from caching import notes
from gen.terminal import interrupt
from gen.terminal.interrupt import Interrupted
from query.errors import UserError


@contextmanager
def muted(console: Console) -> Iterator[None]:
    """Mutes the standard error of this process and of its child processes during the block.

    If the block raises an exception, the last 4,000 bytes of the muted text are printed, except
    after a UserError or a signal such as Ctrl-C. ``console`` and the notes of the cache are not
    muted. Programs that still run after the block stay muted.
    """
    sys.stderr.flush()
    original = os.dup(2)
    console_file = console.file
    with (
        tempfile.TemporaryFile() as log,
        os.fdopen(os.dup(original), "w", errors="backslashreplace") as terminal,
    ):
        os.dup2(log.fileno(), 2)
        if console_file is sys.stderr:
            console.file = terminal
        try:
            with notes.printed_to(terminal):
                yield
        except (UserError, Interrupted, KeyboardInterrupt):
            raise
        except BaseException:
            if interrupt.is_requested():  # errors of programs that a signal has ended are expected
                raise
            sys.stderr.flush()
            log.seek(0, os.SEEK_END)
            log.seek(max(0, log.tell() - 4000))
            terminal.write(log.read().decode(errors="replace"))
            raise
        finally:
            sys.stderr.flush()
            os.dup2(original, 2)
            os.close(original)
            console.file = console_file

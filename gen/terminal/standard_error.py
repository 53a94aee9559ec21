"""Standard error of the programs that are started: kept away, unless something goes wrong."""

import os
import sys
import tempfile
from contextlib import contextmanager

from caching import notes
from gen.terminal import interrupt
from gen.terminal.interrupt import Interrupted
from query.errors import UserError


@contextmanager
def kept_away(console):
    """Standard error of this process and of those it starts goes nowhere while the block runs.

    When the block ends by an exception that is neither the user's fault nor his wish, the end of
    what was said is shown first. ``console``, a rich console, goes on speaking, and so does the
    cache. Programs that the block starts and leaves running stay muted.
    """
    sys.stderr.flush()
    original = os.dup(2)
    spoken = console.file
    with tempfile.TemporaryFile() as unheard, os.fdopen(os.dup(original), "w") as voice:
        os.dup2(unheard.fileno(), 2)
        if spoken is sys.stderr:
            console.file = voice
        try:
            with notes.printed_to(voice):
                yield
        except (UserError, Interrupted, KeyboardInterrupt):
            raise
        except BaseException:
            if interrupt.asked():  # what breaks when programs are ended is no news
                raise
            sys.stderr.flush()
            unheard.seek(0, os.SEEK_END)
            unheard.seek(max(0, unheard.tell() - 4000))
            voice.write(unheard.read().decode(errors="replace"))
            raise
        finally:
            sys.stderr.flush()
            os.dup2(original, 2)
            os.close(original)
            console.file = spoken

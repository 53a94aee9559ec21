"""Ctrl-C and SIGTERM: one line, no program left running, nothing half written.

On the first signal the programs that we started are ended, the JVM too, and `Interrupted` is
raised where we are, so that scratch files are removed on its way up. Whatever else breaks meanwhile
is not heard. Further signals change nothing; should the way up take too long, it is cut short.
"""

import logging
import os
import signal
import sys
import threading
from contextlib import contextmanager

from gen.descendants import end_descendants

_SAID = {signal.SIGINT: "interrupted", signal.SIGTERM: "terminated"}
_PATIENCE = 10.0  # seconds from the signal to the end, at most
_received = []


class Interrupted(BaseException):
    """The user wants us to end. No KeyboardInterrupt, for which some libraries have a use."""


def asked():
    """Whether a signal has come that ends us."""
    return bool(_received)


@contextmanager
def heard():
    """While the block runs, a signal to end it leads to one line and an exit code.

    The code is 128 and the number of the signal. After the block, signals are ignored: all is done.
    """
    for number in _SAID:
        signal.signal(number, _receive)
    try:
        yield
    except BaseException as error:
        if isinstance(error, KeyboardInterrupt):  # by a handler that a library has put there
            _received.append(signal.SIGINT)
        if asked():
            _end()
        raise
    else:
        if asked():  # somebody has swallowed the exception
            _end()
    finally:
        _ignore()


def _receive(number, frame):
    _ignore()
    _received.append(number)
    logging.disable()
    sys.unraisablehook = threading.excepthook = lambda *_: None
    watch = threading.Timer(_PATIENCE, _end)
    watch.daemon = True
    watch.start()
    end_descendants()
    raise Interrupted


def _ignore():
    for number in _SAID:
        signal.signal(number, signal.SIG_IGN)


def _end():
    """Ends the process, without what else would be done, and said, at its end."""
    number = _received[0]
    end_descendants()
    print(f"sluice: {_SAID[number]}", file=sys.stderr, flush=True)
    os._exit(128 + number)

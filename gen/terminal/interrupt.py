"""Ctrl-C and SIGTERM: one line, no program left running, nothing half written.

On the first signal the programs that we started are ended, the JVM too, and `Interrupted` is
raised where we are, so that scratch files are removed on its way up. Whatever else breaks meanwhile
is not heard. Further signals change nothing. Where somebody swallows the exception, it is raised
again some seconds later, and in the end the process ends all the same.
"""

import logging
import os
import signal
import sys
import threading
from contextlib import contextmanager

from gen.terminal.descendants import adopt_orphans, end_descendants

_SAID = {signal.SIGINT: "interrupted", signal.SIGTERM: "terminated"}
_PATIENCE = 2  # seconds until the exception is raised again
_TRIES = 3  # how often it is
_received = []
_voices = []  # standard error as it was at the beginning


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
    adopt_orphans()
    _voices.append(os.dup(2))  # gen.terminal.standard_error may keep standard error away
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
    end_descendants()
    _raise_again_and_again(_TRIES)


def _raise_again_and_again(tries):
    """By an alarm, not a thread: the lock that a thread needs to start may be held where we are."""
    if not tries:
        _end()
    signal.signal(signal.SIGALRM, lambda *_: _raise_again_and_again(tries - 1))
    signal.alarm(_PATIENCE)
    raise Interrupted


def _ignore():
    for number in _SAID:
        signal.signal(number, signal.SIG_IGN)


def _end():
    """Ends the process, without what else would be done, and said, at its end."""
    signal.alarm(0)
    number = _received[0]
    end_descendants()
    os.write(_voices[-1], f"sluice: {_SAID[number]}\n".encode())
    os._exit(128 + number)

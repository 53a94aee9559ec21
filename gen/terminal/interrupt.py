"""Handles Ctrl-C and SIGTERM: one line, no program left running, nothing half written.

On the first signal the programs that the command has started are ended, the JVM too, and no thread
can start another one. Then `Interrupted` is raised in the main thread, so that scratch files are
removed. Errors that follow from it are not printed, and further signals are ignored. If some
library catches the exception, it is raised again after some seconds, and finally the process ends.
"""

import logging
import os
import signal
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager

from gen.terminal.descendants import adopt_orphans, end_descendants

_MESSAGES = {signal.SIGINT: "interrupted", signal.SIGTERM: "terminated"}
_PATIENCE = 2  # seconds until the exception is raised again
_TRIES = 3  # number of times that it is raised, the first time included
_received: list[int] = []
_terminals: list[int] = []  # file descriptor of standard error at the start of the command


class Interrupted(BaseException):
    """The user has ended the command. It is no KeyboardInterrupt, since some libraries catch it."""


def is_requested() -> bool:
    """True if a signal has arrived that ends the command."""
    return bool(_received)


@contextmanager
def handled() -> Iterator[None]:
    """Ends the process with one line and an exit code if a signal arrives during the block.

    The code is 128 plus the number of the signal. After the block signals are ignored, because the
    command has finished.
    """
    adopt_orphans()
    _terminals.append(os.dup(2))  # gen.terminal.standard_error may mute standard error
    for number in _MESSAGES:
        signal.signal(number, _receive)
    try:
        yield
    except BaseException as error:
        if isinstance(error, KeyboardInterrupt):  # raised by the signal handler of a library
            _received.append(signal.SIGINT)
        if is_requested():
            _end()
        raise
    else:
        if is_requested():  # a library has caught the exception
            _end()
    finally:
        _ignore()


def _receive(number, frame):
    _ignore()
    _received.append(number)
    logging.disable()
    sys.unraisablehook = threading.excepthook = lambda *_: None
    sys.addaudithook(_refuse_programs)
    end_descendants()
    _raise_again_and_again(_TRIES)


def _refuse_programs(event, arguments):
    """Raises `Interrupted` in a thread that is about to start a program.

    For instance a thread compiles two files one after the other. Without this the second compiler
    could start after all running programs have been ended, and would outlive the command.
    """
    if event == "subprocess.Popen":
        raise Interrupted


def _raise_again_and_again(tries):
    """Raises `Interrupted` now and by alarms later, up to ``tries`` times, then ends the process.

    An alarm serves and not a thread, since the interrupted code may hold the lock that a new thread
    needs.
    """
    if not tries:
        _end()
    signal.signal(signal.SIGALRM, lambda *_: _raise_again_and_again(tries - 1))
    signal.alarm(_PATIENCE)
    raise Interrupted


def _ignore():
    for number in _MESSAGES:
        signal.signal(number, signal.SIG_IGN)


def _end():
    """Ends the process at once, without exit handlers and their messages."""
    signal.alarm(0)
    number = _received[0]
    end_descendants()
    os.write(_terminals[-1], f"sluice: {_MESSAGES[number]}\n".encode())
    os._exit(128 + number)

"""Makes root obey the permissions of files, as any other user must."""

import ctypes
import os
from contextlib import contextmanager

#: Of Linux' capabilities those that let root read and write whatever it likes.
DAC_OVERRIDE, DAC_READ_SEARCH = 1, 2
VERSION = 0x20080522
EFFECTIVE = 0  # of effective, permitted, inheritable; each in two words of 32 bits


@contextmanager
def obeyed():
    """Within it permissions count for this thread, whoever runs it."""
    if os.geteuid():
        yield
        return
    libc = ctypes.CDLL(None, use_errno=True)
    header = (ctypes.c_uint32 * 2)(VERSION, 0)
    before, within = (ctypes.c_uint32 * 6)(), (ctypes.c_uint32 * 6)()
    for sets in (before, within):
        _checked(libc.capget(header, sets))
    within[EFFECTIVE] &= ~(1 << DAC_OVERRIDE | 1 << DAC_READ_SEARCH)
    _checked(libc.capset(header, within))
    try:
        yield
    finally:
        _checked(libc.capset(header, before))


def _checked(result):
    if result:
        number = ctypes.get_errno()
        raise OSError(number, os.strerror(number))

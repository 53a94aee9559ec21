"""Makes root obey the permissions of files."""

import ctypes
import os
from contextlib import contextmanager

#: Numbers of the Linux capabilities that let root ignore permissions of files.
DAC_OVERRIDE, DAC_READ_SEARCH = 1, 2
VERSION = 0x20080522
EFFECTIVE = 0  # index of the effective set in (effective, permitted, inheritable, ...)


@contextmanager
def obeyed():
    """Makes permissions of files apply to this thread, even if root runs it."""
    if os.geteuid():
        yield
        return
    libc = ctypes.CDLL(None, use_errno=True)
    header = (ctypes.c_uint32 * 2)(VERSION, 0)
    # Six words of 32 bits: the lower words of the three sets, then their upper words.
    old_sets = (ctypes.c_uint32 * 6)()
    new_sets = (ctypes.c_uint32 * 6)()
    for sets in (old_sets, new_sets):
        _checked(libc.capget(header, sets))
    new_sets[EFFECTIVE] &= ~(1 << DAC_OVERRIDE | 1 << DAC_READ_SEARCH)
    _checked(libc.capset(header, new_sets))
    try:
        yield
    finally:
        _checked(libc.capset(header, old_sets))


def _checked(result):
    """Raises OSError if a call of the C library has failed."""
    if result:
        number = ctypes.get_errno()
        raise OSError(number, os.strerror(number))

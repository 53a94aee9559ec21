"""Damages of a file of an entry; each function takes the file, and a path outside the entry."""

import os
import shutil


def truncated(file, _elsewhere):
    """As after a power cut, or on a disk that was full."""
    os.truncate(file, file.stat().st_size // 2)


def emptied(file, _elsewhere):
    os.truncate(file, 0)


def flipped(file, _elsewhere):
    """One bit in the middle."""
    data = bytearray(file.read_bytes())
    data[len(data) // 2] ^= 1
    file.write_bytes(data)


def deleted(file, _elsewhere):
    file.unlink()


def linked(file, elsewhere):
    """The same content, but where somebody else may change it."""
    shutil.move(file, elsewhere)
    file.symlink_to(elsewhere)


def piped(file, _elsewhere):
    """Puts a pipe in the place of the file: a program that opens the pipe waits for ever."""
    file.unlink()
    os.mkfifo(file)


FILE_DAMAGES = (truncated, emptied, flipped, deleted, linked, piped)

"""Damages a file of an entry; each function takes the file and a path outside the entry."""

import os
import shutil


def truncate(file, _elsewhere):
    """Truncates the file, as after a power cut or on a full disk."""
    os.truncate(file, file.stat().st_size // 2)


def empty(file, _elsewhere):
    os.truncate(file, 0)


def flip_bit(file, _elsewhere):
    """Flips a bit in the middle."""
    data = bytearray(file.read_bytes())
    data[len(data) // 2] ^= 1
    file.write_bytes(data)


def delete(file, _elsewhere):
    file.unlink()


def replace_by_link(file, elsewhere):
    """Replaces the file by a link to the same content outside the entry."""
    shutil.move(file, elsewhere)
    file.symlink_to(elsewhere)


def replace_by_pipe(file, _elsewhere):
    """Replaces the file by a pipe: a program that opens the pipe waits for ever."""
    file.unlink()
    os.mkfifo(file)


FILE_DAMAGES = (truncate, empty, flip_bit, delete, replace_by_link, replace_by_pipe)

"""A pseudo-terminal in the place of a serial line: frames in COBS, as on the line of a board."""

import os
import select
import termios
import tty
from contextlib import suppress

from host.serial_frames import FrameReader, line_bytes
from sim.wire.frames import BadFrame

_LARGEST = 1 << 16
#: Seconds after which a program that reads nothing counts as absent: its bytes are lost.
_PATIENCE = 1.0


class PseudoTerminal:
    """The far end of a serial device of this machine, which any program may open as a port.

    Frames with a wrong FCS or a cut block, and noise, arrive as
    :class:`~sim.wire.frames.BadFrame`, so the design counts them. The line has no baud
    rate of its own. If the device stays full for a second, its unread bytes and the rest of the
    frame are lost; then frames are lost at once until the device has room again.

    Attributes
    ----------
    path : str
        Name of the device, such as ``/dev/pts/7``.
    """

    def __init__(self):
        self._file, self._device = os.openpty()
        # The device stays open here, so it outlives each program that opens and closes it.
        tty.setraw(self._device)
        os.set_blocking(self._file, False)
        self.path = os.ttyname(self._device)
        self._reader = FrameReader()
        self._has_reader = True  # False after bytes were lost, until the device has room again

    def receive(self, seconds, most):
        """Waits for bytes for up to ``seconds``, and returns the frames that are complete.

        The result has more than ``most`` frames only if one read of the device completes more.
        """
        if seconds:
            select.select([self._file], [], [], seconds)
        frames = []
        with suppress(BlockingIOError):
            while len(frames) < most:
                frames += [
                    BadFrame(frame) if is_damaged else frame
                    for frame, is_damaged in self._reader.frames(self._read())
                ]
        return frames

    def send(self, frames):
        """Writes frames for the program that has opened the device."""
        for frame in frames:
            self._write(line_bytes(frame))

    def close(self):
        """Removes the device; a second call does nothing."""
        if self._file is not None:
            os.close(self._file)
            os.close(self._device)
            self._file = None

    def _read(self):
        """Returns bytes of the program; raises BlockingIOError if there are none."""
        return os.read(self._file, _LARGEST)

    def _write(self, line):
        while line:
            patience = _PATIENCE if self._has_reader else 0
            self._has_reader = bool(select.select([], [self._file], [], patience)[1])
            if not self._has_reader:
                termios.tcflush(self._device, termios.TCIFLUSH)
                return
            with suppress(BlockingIOError):
                line = line[os.write(self._file, line) :]

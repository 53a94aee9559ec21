"""Runs `sluice serve` as a user does: a process of its own that says when it is ready."""

import re
import select
import signal
import socket
import subprocess
import sys
from contextlib import contextmanager
from pathlib import Path

from scapy.layers.l2 import Ether
from scapy.utils import RawPcapReader

ROOT = Path(__file__).parents[3]
PROGRAM = "import sys; from gen.cli import main; main(sys.argv[1:])"
#: Seconds within which a model must be built.
_PATIENCE = 300


class Served:
    """A running `sluice serve`."""

    def __init__(self, arguments):
        command = [sys.executable, "-c", PROGRAM, "serve", *map(str, arguments)]
        self._process = subprocess.Popen(
            command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
        )

    def line(self):
        """Returns the line that the command prints when the design is ready."""
        assert select.select([self._process.stdout], [], [], _PATIENCE)[0], "it does not get ready"
        line = self._process.stdout.readline()
        assert line, self._process.communicate()[1]
        return line.strip()

    def interrupt(self):
        """Returns exit code, further output and the lines of standard error after Ctrl-C."""
        self._process.send_signal(signal.SIGINT)
        out, err = self._process.communicate(timeout=60)
        progress = re.compile(r"building the model( \.\.\.|: [0-9.]+ s)")
        return (
            self._process.returncode,
            out,
            [line for line in err.splitlines() if not progress.fullmatch(line)],
        )

    def end(self):
        if self._process.poll() is None:
            self._process.kill()
            self._process.communicate()


@contextmanager
def served(*arguments):
    """Starts the command, and ends it in any case."""
    process = Served(arguments)
    try:
        yield process
    finally:
        process.end()


def free_port():
    """Returns a UDP port of the loopback that nobody listens at."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def frames_of(path):
    """Returns the frames of a capture as scapy reads them; each must be complete.

    scapy computes all lengths and checksums of a frame anew: the bytes must be the same.
    """
    with RawPcapReader(str(path)) as reader:
        frames = [frame for frame, _ in reader]
    result = []
    for frame in frames:
        packet = Ether(frame)
        assert rebuilt(packet) == frame, packet.show(dump=True)
        result.append(packet)
    return result


def rebuilt(packet):
    """Returns the bytes of a packet with new lengths and checksums."""
    copy = packet.copy()
    layer = copy
    while layer:
        for name in ("chksum", "len"):
            if name in layer.fields:
                del layer.fields[name]
        layer = layer.payload
    return bytes(copy)

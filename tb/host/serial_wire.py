"""A simulated design that serves in a thread, behind a serial line that harms some of the bytes."""

import random
import threading
from collections import Counter
from contextlib import contextmanager

from boards.platforms.link import Link
from host.description import Description
from sim.wire.live_top import LiveTop
from sim.wire.power_up import power_up_writes
from sim.wire.pseudo_terminal import PseudoTerminal
from sim.wire.server import Server


class HarmedTerminal(PseudoTerminal):
    """A pseudo-terminal on whose line a share of the bytes is lost, and a share has a flipped bit.

    Attributes
    ----------
    counts : Counter
        Harmed bytes by direction: ``in`` to the design, ``out`` from it.
    shares : dict of str to float
        By direction.
    """

    def __init__(self, seed):
        super().__init__()
        self.counts = Counter()
        self.shares = {"in": 0.0, "out": 0.0}
        self._rng = random.Random(seed)

    def _read(self):
        return self._harmed(super()._read(), "in")

    def _write(self, line):
        super()._write(self._harmed(line, "out"))

    def _harmed(self, line, direction):
        result = bytearray()
        for byte in line:
            chance = self._rng.random()
            if chance >= self.shares[direction]:
                result.append(byte)
                continue
            self.counts[direction] += 1
            if chance < self.shares[direction] / 2:
                result.append(byte ^ 1 << self._rng.randrange(8))
        return bytes(result)


@contextmanager
def served(directory, cache, seed=0, level=None):
    """Yields the terminal of a design that serves while the block runs."""
    description = Description.read(directory)
    top = LiveTop(description, cache / "bench", level=level)
    terminal = HarmedTerminal(seed)
    top.write(power_up_writes(description, Link().numbers()))
    server = Server(top, terminal)
    stop = threading.Event()

    def run():
        while not stop.is_set():
            server.step()

    thread = threading.Thread(target=run, daemon=True)
    thread.start()
    try:
        yield terminal
    finally:
        stop.set()
        thread.join()
        terminal.close()
        top.close()

"""A simulated design that serves in a thread, behind a wire that harms some of the frames."""

import random
import threading
from collections import Counter
from contextlib import contextmanager

from host.description import Description
from sim.wire.frames import End, ends_and_payload
from sim.wire.live_top import LiveTop
from sim.wire.loopback import LoopbackPorts
from sim.wire.power_up import power_up_writes
from sim.wire.server import Server
from tb.gen.commands.serving import free_port

DESIGN = End(mac=0x02_53_4C_43_45_01, address=0x0A_00_00_01, port=0)
HOST = End(mac=0x02_53_4C_43_45_02, address=0x0A_00_00_02, port=0)


#: Kinds of harm.
KINDS = ("lost", "doubled", "swapped")


class LossyWire:
    """A wire that harms a share of the frames of both directions: lost, doubled, or swapped.

    Parameters
    ----------
    wire : LoopbackPorts
    share : float
        Share of the frames for each kind of harm.
    seed : int

    Attributes
    ----------
    counts : Counter
        Harmed frames by kind and port: ``("lost", 4001)`` is a frame to the design's port 4001, and
        ``("doubled", -4001)`` a frame from this port.
    next_lost : int or None
        Port whose next frame is lost in any case, written in the same way.
    cut_after : int or None
        Number of frames to the ports of the design that still pass; all others are lost.
    """

    def __init__(self, wire, share, seed):
        self.wire = wire
        self._share = share
        self.counts = Counter()
        self.next_lost = self.cut_after = None
        self._rng = random.Random(seed)
        self._held = {1: None, -1: None}  # by direction: a frame that the next one overtakes

    def receive(self, seconds, most):
        return self._passed(self.wire.receive(seconds, most), 1)

    def send(self, frames):
        self.wire.send(self._passed(list(frames), -1))

    def close(self):
        self.wire.close()

    def _passed(self, frames, direction):
        passed = []
        for frame in frames:
            passed += self._fate(frame, direction)
        if not frames and self._held[direction] is not None:  # nothing overtakes it
            passed.append(self._held[direction])
            self._held[direction] = None
        return passed

    def _fate(self, frame, direction):
        """Returns the frames that arrive when this one is sent."""
        chance = self._rng.random()
        shares = enumerate(KINDS, 1)
        kind = next((k for n, k in shares if chance < n * self._share), None)
        held = self._held[direction]
        if kind == "swapped" and held is not None:
            kind = None
        source, destination, _ = ends_and_payload(frame)
        port = destination.port if direction == 1 else -source.port
        if port == self.next_lost:
            kind = "lost"
            self.next_lost = None
        if direction == 1 and self.cut_after is not None:
            kind = None if self.cut_after else "lost"
            self.cut_after = max(0, self.cut_after - 1)
        if kind is not None:
            self.counts[kind, port] += 1
        if kind == "lost":
            return []
        if kind == "swapped":
            self._held[direction] = frame
            return []
        self._held[direction] = None
        after = [] if held is None else [held]
        return [frame, *([frame] if kind == "doubled" else []), *after]


class Served:
    """A design that serves: ``at`` is its place, ``wire`` its wire, ``ports`` those of the design.

    ``ports`` has the port of the tuples and the port of the registers.
    """

    def __init__(self, directory, cache, share, seed, capture, level):
        description = Description.read(directory)
        self._top = LiveTop(description, cache / "bench", level=level)
        self.ports = [free_port(), free_port()]
        sockets = LoopbackPorts(DESIGN, HOST, self.ports)
        self.wire = LossyWire(sockets, share, seed)
        link = {
            "mac": DESIGN.mac,
            "address": DESIGN.address,
            "port": self.ports[0],
            "registers_port": self.ports[1],
        }
        self._top.write(power_up_writes(description, link))
        self.at = f"udp://127.0.0.1:{self.ports[1]}"
        self._server = Server(self._top, self.wire, capture)
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._run, daemon=True)
        self._thread.start()

    def end(self):
        """Ends the thread; raises what has ended it before."""
        self._stop.set()
        self._thread.join()
        self.wire.close()
        self._top.close()

    def _run(self):
        while not self._stop.is_set():
            self._server.step()


@contextmanager
def served(directory, cache, share=0.0, seed=0, capture=None, level=None):
    """Serves the design of a directory while the block runs."""
    design = Served(directory, cache, share, seed, capture, level)
    try:
        yield design
    finally:
        design.end()

"""Serves a simulated design in a thread, behind a wire that harms some of the frames."""

import random
import threading
from collections import Counter
from contextlib import contextmanager

from host.description import Description
from sim.wire.frames import Endpoint, endpoints_and_payload
from sim.wire.live_top import LiveTop
from sim.wire.loopback import LoopbackPorts
from sim.wire.power_up import power_up_writes
from sim.wire.server import Server
from tb.gen.commands.serving import free_port

DESIGN = Endpoint(mac=0x02_53_4C_43_45_01, address=0x0A_00_00_01, port=0)
HOST = Endpoint(mac=0x02_53_4C_43_45_02, address=0x0A_00_00_02, port=0)


#: Kinds of harm.
KINDS = ("lost", "doubled", "swapped")


class LossyWire:
    """A wire that loses, doubles or swaps a share of the frames of both directions.

    A swapped frame waits until the next frame of its direction has overtaken it, or until a call
    without any frame.

    Parameters
    ----------
    wire : LoopbackPorts
    share : float
        Share of the frames for each kind of harm.
    seed : int

    Attributes
    ----------
    counts : Counter
        Number of harmed frames by kind and port: ``("lost", 4001)`` counts frames to the design's
        port 4001, and ``("doubled", -4001)`` frames from this port. A swapped frame counts even if
        no frame has overtaken it.
    next_lost : int or None
        Port whose next frame is lost in any case; a negative number as in ``counts``.
    cut_after : int or None
        Number of frames to the ports of the design that still arrive; later ones are lost.
    overtaken_count : int
        Number of swapped frames that another frame has overtaken.
    """

    def __init__(self, wire, share, seed):
        self.wire = wire
        self._share = share
        self.counts = Counter()
        self.next_lost = self.cut_after = None
        self.overtaken_count = 0
        self._rng = random.Random(seed)
        # By direction: the frame that the next frame overtakes.
        self._delayed_frames = {1: None, -1: None}

    def receive(self, seconds, most):
        return self._arriving(self.wire.receive(seconds, most), 1)

    def send(self, frames):
        self.wire.send(self._arriving(list(frames), -1))

    def close(self):
        self.wire.close()

    def _arriving(self, frames, direction):
        """Returns the frames that arrive when ``frames`` are sent; direction 1 is to the design."""
        arriving = []
        for frame in frames:
            arriving += self._arriving_after(frame, direction)
        if not frames and self._delayed_frames[direction] is not None:  # no frame overtakes it
            arriving.append(self._delayed_frames[direction])
            self._delayed_frames[direction] = None
        return arriving

    def _arriving_after(self, frame, direction):
        """Returns the frames that arrive when one frame is sent."""
        chance = self._rng.random()
        shares = enumerate(KINDS, 1)
        kind = next((k for n, k in shares if chance < n * self._share), None)
        overtaken = self._delayed_frames[direction]
        if kind == "swapped" and overtaken is not None:
            kind = None
        source, destination, _ = endpoints_and_payload(frame)
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
            self._delayed_frames[direction] = frame
            return []
        self._delayed_frames[direction] = None
        self.overtaken_count += overtaken is not None
        copies = 2 if kind == "doubled" else 1
        return [frame] * copies + ([] if overtaken is None else [overtaken])


class Served:
    """A simulated design that a thread serves.

    Attributes
    ----------
    at : str
        The place of the design, as :meth:`host.Engine.open` takes it.
    wire : LossyWire
    ports : list of int
        UDP port of the tuples, and UDP port of the registers.
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
        self._error = None
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._run, daemon=True)
        self._thread.start()

    def end(self):
        """Ends the thread; raises the error that has ended the thread before, if there is one."""
        self._stop.set()
        self._thread.join()
        self.wire.close()
        self._top.close()
        if self._error is not None:
            raise self._error

    def _run(self):
        try:
            while not self._stop.is_set():
                self._server.step()
        except Exception as error:
            self._error = error


@contextmanager
def served(directory, cache, share=0.0, seed=0, capture=None, level=None):
    """Serves the design of a directory while the block runs."""
    design = Served(directory, cache, share, seed, capture, level)
    try:
        yield design
    finally:
        design.end()

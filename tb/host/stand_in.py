"""A stand-in of the module `pynq`, whose programmable logic is the compiled simulation.

The stand-in implements the parts of `Overlay`, `MMIO`, `allocate` and the DMA that PYNQ documents:

- A buffer has an address, and must be freed.
- A channel transfers one buffer at a time, and is ``idle`` afterwards. ``wait`` updates the number
  of ``transferred`` bytes.
- A receive channel receives one packet, and sets ``error`` if the packet is longer than the buffer.

A stream starts, and each packet arrives, only after ``late`` further reads of ``idle``.
"""

from importlib.machinery import ModuleSpec
from types import SimpleNamespace

import numpy as np

from host.control import Control

_PAGE = 4096


class Buffer(np.ndarray):
    """An array with an address. ``allocated`` counts the buffers that are not freed yet."""

    allocated = 0
    _next = 0x1000_0000

    @classmethod
    def of_shape(cls, shape, dtype):
        buffer = np.zeros(shape, dtype).view(cls)
        buffer.device_address = cls._next + 24  # a multiple of 8 only
        cls._next += -(-buffer.nbytes // _PAGE + 1) * _PAGE
        cls.allocated += 1
        return buffer

    def __array_finalize__(self, _):
        self.device_address = None

    def freebuffer(self):
        Buffer.allocated -= 1


class Module:
    """Stand-in of the module: its overlay, `overlay`, has the engine and the engine's DMAs.

    Parameters
    ----------
    simulation : CompiledSimulation
    streams : dict of str to Stream
    lose : bool
        True if the last packet of rows of each transfer is lost.
    magic : int or None
        Value of the register ``magic``; None reads the register of the simulation.
    late : int
        Number of reads of ``idle`` before a transfer takes place.
    """

    def __init__(self, simulation, streams, lose=False, magic=None, late=0):
        self._simulation, self._streams = simulation, streams
        self._lose, self._magic, self._late = lose, magic, late
        self.Overlay = self._loaded
        self.__spec__ = ModuleSpec("pynq", None)  # find_spec reads it

    def allocate(self, shape, dtype):
        return Buffer.of_shape(shape, dtype)

    def _loaded(self, bitfile):
        self.bitfile, late = bitfile, self._late
        self.logic = logic = _Logic(self._simulation, self._streams, self._lose)
        dma = SimpleNamespace(
            sendchannel=_Send(logic, late), recvchannel=_Receive(logic, "m_axis", late)
        )
        further_dmas = {
            f"dma_{name}": SimpleNamespace(recvchannel=_Receive(logic, name, late))
            for name in self._streams
            if name.startswith("m_axis_")
        }
        mmio = SimpleNamespace(read=self._read, write=self._simulation.write)
        engine = SimpleNamespace(mmio=mmio)
        self.overlay = SimpleNamespace(engine=engine, dma=dma, **further_dmas)
        return self.overlay

    def _read(self, address):
        if address == 0 and self._magic is not None:
            return self._magic
        return self._simulation.read(address)


class _Logic:
    """The engine: ``send`` runs the simulation at once and queues the packets in ``packets``."""

    def __init__(self, simulation, streams, lose):
        self._simulation, self._streams, self._lose = simulation, streams, lose
        self._control = Control(simulation.description, simulation)
        self.packets = {name: [] for name in streams}

    def send(self, data):
        size = self._streams["s_axis"].bytes
        # A sorter may offer no row for many cycles, so only the engine's busy bit shows the end.
        received = self._simulation.transfer(data.reshape(-1, size), lambda: not self._control.busy)
        for name, packets in received.items():
            self.packets[name] += [packet.ravel() for packet in packets]
        if self._lose and self.packets["m_axis"]:
            self.packets["m_axis"].pop()


class _Send:
    def __init__(self, logic, late):
        self._logic = logic
        self._late = late
        self._sent = None
        self._reads = 0

    @property
    def idle(self):
        self._reads += 1
        if self._sent is not None and self._reads > self._late:
            data, self._sent = self._sent, None
            self._logic.send(data)
        return self._sent is None

    def transfer(self, buffer):
        if self._sent is not None:
            raise RuntimeError("DMA channel not idle")
        if not buffer.size:
            raise ValueError("Length must be at least 1")
        self._sent, self._reads = np.array(buffer).ravel(), 0


class _Receive:
    def __init__(self, logic, name, late):
        self._logic = logic
        self._name = name
        self._late = late
        self._buffer = None
        self._reads = 0
        self._packet_bytes = None
        self.transferred = 0
        self.error = False

    @property
    def idle(self):
        packets = self._logic.packets[self._name]
        self._reads += bool(packets)
        if self._buffer is not None and packets and not self.error and self._reads > self._late:
            packet, self._reads = packets.pop(0), 0
            self.error = len(packet) > len(self._buffer)
            if not self.error:
                self._buffer[: len(packet)] = packet
                self._packet_bytes, self._buffer = len(packet), None
        return self._buffer is None

    def wait(self):
        if not self.idle:
            raise AssertionError("wait() before the packet has arrived would wait for ever")
        self.transferred = self._packet_bytes

    def transfer(self, buffer):
        if self._buffer is not None:
            raise RuntimeError("DMA channel not idle")
        self._buffer = buffer

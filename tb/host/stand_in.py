"""A stand-in of the module `pynq`, whose programmable logic is the compiled simulation.

It has what PYNQ's documentation says of `Overlay`, `MMIO`, `allocate` and the DMA, and no more:
buffers have addresses, and are given back; a channel moves one buffer at a time, is ``idle`` when
that is done, tells behind a ``wait`` how many bytes were ``transferred``, and a receive channel
takes one packet, and has an ``error`` when that is longer than its buffer. With ``late`` a stream
begins, and each packet is in memory, only when somebody has asked so often.
"""

from importlib.machinery import ModuleSpec
from types import SimpleNamespace

import numpy as np

_PAGE = 4096


class Buffer(np.ndarray):
    """An array with an address; what is not given back is counted."""

    held = 0
    _next = 0x1000_0000

    @classmethod
    def of(cls, shape, dtype):
        buffer = np.zeros(shape, dtype).view(cls)
        buffer.device_address = cls._next + 24  # aligned no more than it must be
        cls._next += -(-buffer.nbytes // _PAGE + 1) * _PAGE
        cls.held += 1
        return buffer

    def __array_finalize__(self, _):
        self.device_address = None

    def freebuffer(self):
        Buffer.held -= 1


class Module:
    """What ``import pynq`` gives: an overlay with the engine and its DMAs."""

    def __init__(self, simulation, streams, lose=False, magic=None, late=0):
        self._simulation, self._streams = simulation, streams
        self._lose, self._magic, self._late = lose, magic, late
        self.Overlay = self._loaded
        self.__spec__ = ModuleSpec("pynq", None)  # by which it is found to be installed

    def allocate(self, shape, dtype):
        return Buffer.of(shape, dtype)

    def _loaded(self, bitfile):
        self.bitfile, late = bitfile, self._late
        self.logic = logic = _Logic(self._simulation, self._streams, self._lose)
        dma = SimpleNamespace(
            sendchannel=_Send(logic, late), recvchannel=_Receive(logic, "m_axis", late)
        )
        more = {
            f"dma_{name}": SimpleNamespace(recvchannel=_Receive(logic, name, late))
            for name in self._streams
            if name.startswith("m_axis_")
        }
        mmio = SimpleNamespace(read=self._read, write=self._simulation.write)
        return SimpleNamespace(engine=SimpleNamespace(mmio=mmio), dma=dma, **more)

    def _read(self, address):
        if address == 0 and self._magic is not None:
            return self._magic
        return self._simulation.read(address)


class _Logic:
    """The engine: what is sent goes through the simulation at once, packets wait to be fetched."""

    def __init__(self, simulation, streams, lose):
        self._simulation, self._streams, self._lose = simulation, streams, lose
        self.packets = {name: [] for name in streams}

    def send(self, data):
        size = self._streams["s_axis"].bytes
        given = self._simulation.transfer(data.reshape(-1, size), lambda: True)
        for name, packets in given.items():
            self.packets[name] += [packet.ravel() for packet in packets]
        if self._lose and self.packets["m_axis"]:
            self.packets["m_axis"].pop()


class _Send:
    def __init__(self, logic, late):
        self._logic, self._late, self._sent, self._asked = logic, late, None, 0

    @property
    def idle(self):
        self._asked += 1
        if self._sent is not None and self._asked > self._late:
            data, self._sent = self._sent, None
            self._logic.send(data)
        return self._sent is None

    def transfer(self, buffer):
        if self._sent is not None:
            raise RuntimeError("DMA channel not idle")
        if not buffer.size:
            raise ValueError("Length must be at least 1")
        self._sent, self._asked = np.array(buffer).ravel(), 0


class _Receive:
    def __init__(self, logic, name, late):
        self._logic, self._name, self._buffer = logic, name, None
        self._late, self._asked = late, 0
        self._came, self.transferred, self.error = None, 0, False

    @property
    def idle(self):
        packets = self._logic.packets[self._name]
        self._asked += bool(packets)
        if self._buffer is not None and packets and not self.error and self._asked > self._late:
            packet, self._asked = packets.pop(0), 0
            self.error = len(packet) > len(self._buffer)
            if not self.error:
                self._buffer[: len(packet)] = packet
                self._came, self._buffer = len(packet), None
        return self._buffer is None

    def wait(self):
        if not self.idle:
            raise AssertionError("it would wait for ever")
        self.transferred = self._came

    def transfer(self, buffer):
        if self._buffer is not None:
            raise RuntimeError("DMA channel not idle")
        self._buffer = buffer

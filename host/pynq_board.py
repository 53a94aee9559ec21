"""A board with PYNQ as a back end: registers by MMIO, streams by AXI DMA, memory by `allocate`."""

import time

import numpy as np

from .backend import Backend, packets_of
from .errors import DeviceError, HangError, HostError, TableError

#: Bytes of the longest packet, where that is a window, and where it is a stream.
_WINDOW_BYTES, _STREAM_BYTES = 1 << 22, 1 << 25


class PynqBoard(Backend):
    """An engine in the programmable logic of a Zynq, as PYNQ shows it.

    ::

        table -> buffer -> DMA, send ----> s_axis   engine   m_axis ----> DMA, receive -> buffer
                           MMIO <--------> s_axil            m_axi  <---> memory of `allocate`

    The DMAs have no scatter-gather engine, and lengths of 26 bits. Each packet is a transfer of its
    own: one for each stream or window, as the manifest says.

    Parameters
    ----------
    description : Description
    overlay : pynq.Overlay or None
        The design that is loaded; None loads ``bitfile``.
    bitfile : path-like or None
        None is ``<name>.bit`` in the directory.
    registers : str
        The name of the engine in the block design.
    dma : str or mapping of str to str
        Name of the DMA of ``s_axis`` and ``m_axis``; the DMA of a further stream has this name, an
        underscore and the stream's name, as in ``vivado/system.tcl``: ``dma_m_axis_evicted``. Or
        the name of each stream's DMA by the name of the stream.
    packet_bytes : int or None
        The longest packet that there may be. None is 4 MiB where a packet is a window, and 32 MiB
        where it is all rows of a stream.
    seconds : float
        Without any progress, until it is given up.
    """

    def __init__(
        self,
        description,
        overlay=None,
        bitfile=None,
        registers="engine",
        dma="dma",
        packet_bytes=None,
        seconds=10.0,
    ):
        import pynq

        self._told, self._allocate, self._seconds = description, pynq.allocate, seconds
        if overlay is None:
            overlay = pynq.Overlay(
                str(bitfile or description.directory / f"{description.name}.bit")
            )
        self._registers = _part(overlay, registers, "registers").mmio
        names = _dma_names(description.streams, dma) if isinstance(dma, str) else dict(dma)
        if lacking := [name for name in description.streams if name not in names]:
            raise HostError(f"dma must name a DMA for {', '.join(lacking)}, too")
        dmas = {name: _part(overlay, part, "dma") for name, part in names.items()}
        self._send = dmas["s_axis"].sendchannel
        if packet_bytes is None:
            packet_bytes = _STREAM_BYTES if description.packet == "stream" else _WINDOW_BYTES
        self._receive = {
            name: _Receiver(dmas[name].recvchannel, pynq.allocate((packet_bytes,), np.uint8))
            for name in description.streams
            if name.startswith("m")
        }
        self._areas = []

    def read(self, address):
        return self._registers.read(address)

    def write(self, address, value):
        self._registers.write(address, value)

    def transfer(self, tuples, finished):
        if not len(tuples):
            raise TableError("table must have rows: a DMA cannot send an empty stream")
        buffer = self._allocate(tuples.shape, np.uint8)
        try:
            buffer[:] = tuples
            self.discard()
            before = {name: self._count(f"{name}_low") for name in self._counted}
            for receiver in self._receive.values():
                receiver.begin()
            self._send.transfer(buffer)
            self._wait(lambda: self._ended(before) and finished(), before)
        finally:
            buffer.freebuffer()
        packets = {name: receiver.given() for name, receiver in self._receive.items()}
        return {name: packets_of(self._told, name, given) for name, given in packets.items()}

    def memory(self, name, area, multiple, value):
        buffer = self._allocate((area + multiple,), np.uint8)
        self._areas.append(buffer)
        return -(-buffer.device_address // multiple) * multiple

    def close(self):
        for buffer in [*self._areas, *(receiver.buffer for receiver in self._receive.values())]:
            buffer.freebuffer()
        self._areas, self._receive = [], {}

    def discard(self):
        for receiver in self._receive.values():
            receiver.discard()

    def _count(self, register):
        """A counter's lower 32 bits; 0 for one that there is not."""
        registers = self._told.registers
        return self.read(registers[register]) if register in registers else 0

    @property
    def _counted(self):
        """Names of the counters that say how far a stream is: streams, and rows of each master."""
        return ("streams", *(_rows_counter(name) for name in self._receive))

    def _ended(self, before):
        """Whether the engine has taken the end of a stream."""
        return self._count("streams_low") != before["streams"]

    def _complete(self, before):
        """Whether all rows that have left the engine have come, and the packet that ends them."""
        for name, receiver in self._receive.items():
            counter = _rows_counter(name)
            rows = (self._count(f"{counter}_low") - before[counter]) % (1 << 32)
            if receiver.bytes != rows * self._told.streams[name].bytes:
                return False
        lengths = [len(packet) for packet in self._receive["m_axis"].packets]
        if self._told.packet != "window":
            return bool(lengths)
        return not self._told.marked or lengths[-1:] == [0]

    def _wait(self, finished, before):
        """Until all has been sent, nothing is inside, and all rows are in memory.

        Without progress for some time, rows that lack are left to the engine, which counts them.
        """
        since = time.monotonic()
        while True:
            came = [receiver.poll() for receiver in self._receive.values()]
            done = self._send.idle and finished()
            if any(came):
                since = time.monotonic()
            elif done and self._complete(before):
                return
            elif time.monotonic() - since > self._seconds:
                if done:
                    return
                raise HangError(
                    f"no packet came in {self._seconds:g} s, and something is inside still; call "
                    "reset(), and see whether the DMAs and memories are connected"
                )


def _rows_counter(name):
    """Name of the counter of the rows of a master stream: ``rows_evicted`` of m_axis_evicted."""
    return "rows" + name.removeprefix("m_axis")


class _Receiver:
    """A DMA's receive channel, which always has a transfer to fill."""

    def __init__(self, channel, buffer):
        self._channel, self.buffer = channel, buffer
        self.packets, self._begun = [], False

    @property
    def bytes(self):
        """How many have come since :meth:`given`."""
        return sum(map(len, self.packets))

    def begin(self):
        if not self._begun:
            self._channel.transfer(self.buffer)
            self._begun = True

    def poll(self):
        """Whether a packet has come; it is kept, and the next one may come."""
        if self._channel.error:
            raise DeviceError(
                f"the DMA has stopped: a packet was longer than packet_bytes, {len(self.buffer)}, "
                "or its memory does not answer; load the overlay again, and give more"
            )
        if not self._channel.idle:
            return False
        self._channel.wait()  # only that tells how much was transferred
        self.packets.append(np.array(self.buffer[: self._channel.transferred]))
        self._channel.transfer(self.buffer)
        return True

    def given(self):
        packets, self.packets = self.packets, []
        return packets

    def discard(self):
        """Drops all packets that have come."""
        while self._begun and self.poll():
            pass
        self.packets = []


def _dma_names(streams, dma):
    """The name of each stream's DMA, as ``vivado/system.tcl`` has them."""
    return {name: dma if name in ("s_axis", "m_axis") else f"{dma}_{name}" for name in streams}


def _part(overlay, name, what):
    try:
        return getattr(overlay, name)
    except AttributeError:
        raise HostError(
            f"{what} must be a part of the design that is loaded, and {name!r} is none"
        ) from None

"""Reaches an engine on a board with PYNQ: registers by MMIO, streams by AXI DMA."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from typing import Any
from weakref import WeakKeyDictionary

import numpy as np

from .backend import Backend, packets_of
from .control import SOFT_RESET, Control
from .description import Description
from .errors import DeviceError, HangError, HostError, TableError, time_limit

#: Default size of a packet's buffer in bytes, if a packet is a window or a number of beats: 4 MiB.
_WINDOW_BYTES = 1 << 22
#: Default size of a packet's buffer in bytes, if a packet has all rows of a stream: 32 MiB.
_STREAM_BYTES = 1 << 25
#: Greatest number of bytes of a transfer, 67,108,863: the length register of a DMA has 26 bits.
LONGEST = (1 << 26) - 1
#: Buffers of receive channels with a transfer in progress. Such a channel cannot be stopped, so the
#: next board of the same overlay continues with its buffer. The buffer lives as long as the object
#: of the channel, which is that of the overlay: another overlay loads a bitstream, and with it a
#: DMA without a transfer.
_ARMED: WeakKeyDictionary[Any, Any] = WeakKeyDictionary()
#: Memory of engines that were still busy when they were closed: an engine may write to it at any
#: time, so it is never freed.
_UNFREED: list[Any] = []
#: Seconds at most that :meth:`PynqBoard.close` waits for an engine that it has reset.
_CLOSE_SECONDS = 1.0


class PynqBoard(Backend):
    """Gives access to an engine in the programmable logic of a Zynq, through the module `pynq`.

    ::

        table -> buffer -> DMA, send ----> s_axis   engine   m_axis ----> DMA, receive -> buffer
                           MMIO <--------> s_axil            m_axi  <---> memory of `allocate`

    The DMAs have no scatter-gather engine, and lengths of 26 bits. Each packet is one transfer; a
    packet is a stream, a window, or a number of beats, according to the manifest.

    Parameters
    ----------
    description : Description
    overlay : pynq.Overlay or None
        The loaded design; None loads ``bitfile``.
    bitfile : path-like or None
        The bitstream; None is ``<name>.bit`` in the directory.
    registers : str
        The name of the engine in the block design.
    dma : str or mapping of str to str
        Name of the DMA of ``s_axis`` and ``m_axis``; the DMA of a further stream has this name, an
        underscore and the stream's name, as in ``vivado/system.tcl``: ``dma_m_axis_evicted``.
        A mapping has the name of each stream's DMA by the name of the stream.
    packet_bytes : int or None
        Size in bytes of the buffer for a packet. None is 32 MiB if a packet has all rows of a
        stream, and 4 MiB otherwise. An overlay keeps the buffers of the board that ran its first
        stream: later boards use them, whatever their ``packet_bytes``.
    seconds : float
        Time limit of a transfer without progress: no tuple, no row and no packet. After it a
        transfer raises HangError, unless the engine is empty: then it returns the rows that came,
        and the host class finds by the counters that rows are missing.
    """

    def __init__(
        self,
        description: Description,
        overlay: Any = None,
        bitfile: str | os.PathLike[str] | None = None,
        registers: str = "engine",
        dma: str | Mapping[str, str] = "dma",
        packet_bytes: int | None = None,
        seconds: float = 10.0,
    ) -> None:
        import pynq

        self._seconds = time_limit(seconds)
        self._description = description
        self._pynq_allocate = pynq.allocate
        if overlay is None:
            overlay = pynq.Overlay(
                str(bitfile or description.directory / f"{description.name}.bit")
            )
        self._registers = _part(overlay, registers, "registers").mmio
        names = _dma_names(description.streams, dma) if isinstance(dma, str) else dict(dma)
        if missing := [name for name in description.streams if name not in names]:
            raise HostError(f"dma must name a DMA for {', '.join(missing)}, too")
        dmas = {name: _part(overlay, part, "dma") for name, part in names.items()}
        self._send = dmas["s_axis"].sendchannel
        if packet_bytes is None:
            packet_bytes = _STREAM_BYTES if description.packet == "stream" else _WINDOW_BYTES
        self._receive = {
            name: _Receiver(dmas[name].recvchannel, self._allocate, packet_bytes)
            for name in description.streams
            if name.startswith("m")
        }
        self._areas: list[Any] = []  # buffers of the engine's memory
        self._sent: list[Any] = []  # buffers that the DMA may still read

    def read(self, address: int) -> int:
        return self._registers.read(address)

    def write(self, address: int, value: int) -> None:
        self._registers.write(address, value)

    def transfer(
        self,
        tuples: np.ndarray,
        finished: Callable[[], bool],
        punctuations: np.ndarray | None = None,
    ) -> dict[str, list[np.ndarray]]:
        if not len(tuples):
            raise TableError("table must have rows: a DMA cannot send an empty stream")
        if tuples.size > LONGEST:
            raise TableError(
                f"table must have at most {LONGEST // tuples.shape[1]:,} rows, and has "
                f"{len(tuples):,}: a DMA sends at most {LONGEST:,} bytes; run it in parts"
            )
        self._free_sent()
        buffer, is_sent = self._allocate(tuples.shape, np.uint8), False
        try:
            buffer[:] = tuples
            self.discard()
            counts = {name: self._count(f"{name}_low") for name in self._progress_counters}
            for receiver in self._receive.values():
                receiver.start()
            self._send.transfer(buffer)
            is_sent = True
            self._wait(lambda: self._end_accepted(counts) and finished(), counts)
        finally:
            if is_sent:
                self._sent.append(buffer)
                self._free_sent()
            else:
                buffer.freebuffer()
        return {
            name: packets_of(self._description, name, receiver.pop_packets())
            for name, receiver in self._receive.items()
        }

    def _allocate(self, shape, dtype):
        """Returns a buffer of pynq; raises HostError if the board has no memory for it."""
        try:
            return self._pynq_allocate(shape, dtype)
        except (MemoryError, RuntimeError, OSError) as error:
            size = int(np.prod(shape)) * np.dtype(dtype).itemsize
            raise HostError(
                f"the board has no contiguous memory of {size:,} bytes ({error}): run a shorter "
                "table, set a smaller packet_bytes, generate the design with fewer entries, or "
                "give Linux more CMA"
            ) from None

    def memory(self, name: str, area: int, multiple: int, value: int | None) -> int:
        buffer = self._allocate((area + multiple,), np.uint8)
        self._areas.append(buffer)
        return -(-buffer.device_address // multiple) * multiple

    def close(self) -> None:
        has_stopped = not self._areas or self._stop()
        self._free_sent()
        if not has_stopped:
            _UNFREED.extend(self._areas)
        else:
            for buffer in self._areas:
                buffer.freebuffer()
        for receiver in self._receive.values():
            receiver.close()
        self._areas, self._receive = [], {}

    def discard(self) -> None:
        for receiver in self._receive.values():
            receiver.discard()

    def _stop(self):
        """Resets the engine if it is busy; returns whether the engine becomes idle.

        The method waits for at most ``seconds``, and never longer than `_CLOSE_SECONDS`.
        """
        control = Control(self._description, self)
        end = time.monotonic() + min(self._seconds, _CLOSE_SECONDS)
        if control.busy:
            control.write("control", SOFT_RESET)
        while control.busy:
            with suppress(DeviceError):  # a packet was too long, and its DMA has stopped
                self.discard()
            if time.monotonic() > end:
                return False
        return True

    def _free_sent(self):
        """Frees the buffers that were sent, unless the DMA may still read the last one."""
        if self._send.idle:
            for buffer in self._sent:
                buffer.freebuffer()
            self._sent = []

    def _count(self, register):
        """Returns the lower 32 bits of a counter; 0 if the engine has no such counter."""
        registers = self._description.registers
        return self.read(registers[register]) if register in registers else 0

    @property
    def _progress_counters(self):
        """Names of the counters that show progress: streams, tuples, and rows of each master."""
        return ("streams", "tuples", *(_rows_counter(name) for name in self._receive))

    def _end_accepted(self, counts):
        """True if the engine has accepted the end of a stream since ``counts`` were read."""
        return self._count("streams_low") != counts["streams"]

    def _complete(self, counts):
        """True if all rows that the engine has counted, and the last packet, have arrived.

        If a packet has all rows of a stream, a packet must have come, even one without rows. With
        end markers the last packet must be empty.
        """
        for name, receiver in self._receive.items():
            counter = _rows_counter(name)
            rows = (self._count(f"{counter}_low") - counts[counter]) % (1 << 32)
            if receiver.bytes != rows * self._description.streams[name].bytes:
                return False
        lengths = [len(packet) for packet in self._receive["m_axis"].packets]
        if self._description.packet != "window":
            return bool(lengths)
        return not self._description.marked or lengths[-1:] == [0]

    def _wait(self, finished, counts):
        """Waits until all tuples are sent, the engine is empty, and all rows are in memory.

        If only rows are missing after the time limit, the method returns: the caller compares the
        rows with the engine's counters. Raises HangError if the engine is not empty by then.
        """
        last_progress, last_counts = time.monotonic(), counts
        while True:
            arrivals = [receiver.poll() for receiver in self._receive.values()]
            engine_empty = self._send.idle and finished()
            new_counts = {name: self._count(f"{name}_low") for name in counts}
            if any(arrivals) or new_counts != last_counts:
                last_progress, last_counts = time.monotonic(), new_counts
            elif engine_empty and self._complete(counts):
                return
            elif time.monotonic() - last_progress > self._seconds:
                if engine_empty:
                    return
                raise HangError(
                    f"no packet came in {self._seconds:g} s, and the engine is not empty; call "
                    "reset(), and check that the DMAs and memories are connected"
                )


def _rows_counter(name):
    """Returns the name of a master stream's row counter: ``rows_evicted`` for m_axis_evicted."""
    return "rows" + name.removeprefix("m_axis")


class _Receiver:
    """Receives packets by a DMA, which has a transfer in progress at all times after :meth:`start`.

    Attributes
    ----------
    buffer : pynq buffer
        Memory that the DMA writes one packet to.
    packets : list of numpy.ndarray
        Contents of the packets that have arrived since :meth:`pop_packets`.
    """

    def __init__(self, channel: Any, allocate: Callable[..., Any], packet_bytes: int) -> None:
        self._channel = channel
        armed = _ARMED.get(channel)
        self._is_started = armed is not None
        self.buffer = allocate((packet_bytes,), np.uint8) if armed is None else armed
        self.packets: list[np.ndarray] = []

    @property
    def bytes(self) -> int:
        """Number of bytes in ``packets``."""
        return sum(map(len, self.packets))

    def start(self) -> None:
        """Starts the first transfer; later calls do nothing."""
        if not self._is_started:
            self._channel.transfer(self.buffer)
            self._is_started = True
            _ARMED[self._channel] = self.buffer

    def close(self) -> None:
        """Frees the buffer, unless the DMA may still write to it."""
        if not self._is_started:
            self.buffer.freebuffer()

    def poll(self) -> bool:
        """Returns True if a packet has arrived; appends it to ``packets`` and starts a transfer.

        Raises DeviceError if the DMA has stopped, for instance after a packet that was too long.
        """
        if self._channel.error:
            raise DeviceError(
                f"the DMA has stopped: a packet was longer than packet_bytes, {len(self.buffer)}, "
                "or its memory does not answer; load the overlay again, with a larger packet_bytes"
            )
        if not self._channel.idle:
            return False
        self._channel.wait()  # PYNQ sets `transferred` in this call only
        self.packets.append(np.array(self.buffer[: self._channel.transferred]))
        self._channel.transfer(self.buffer)
        return True

    def pop_packets(self) -> list[np.ndarray]:
        """Returns and forgets the packets that have arrived."""
        packets, self.packets = self.packets, []
        return packets

    def discard(self) -> None:
        """Receives the packets that wait at the DMA, and drops all packets."""
        while self._is_started and self.poll():
            pass
        self.packets = []


def _dma_names(streams, dma):
    """Returns the name of each stream's DMA, by the name of the stream.

    For instance with ``dma`` "dma" the DMA of m_axis_evicted is ``dma_m_axis_evicted``, and s_axis
    and m_axis share ``dma``.
    """
    return {name: dma if name in ("s_axis", "m_axis") else f"{dma}_{name}" for name in streams}


def _part(overlay, name, argument):
    """Returns the part of the overlay with this name.

    Raises HostError without such a part; ``argument`` is the user's argument with the name.
    """
    try:
        return getattr(overlay, name)
    except AttributeError:
        raise HostError(
            f"{argument} must be a part of the design that is loaded, and {name!r} is none"
        ) from None

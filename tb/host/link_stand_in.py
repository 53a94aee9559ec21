"""A plain model of the host link behind two UDP sockets: registers, tuples, rows, numbers.

The engine of the model returns each tuple as a row, reversed byte by byte. It follows the protocol
in docs/network.md, and knows nothing of the host class or of the hardware.
"""

import random
import select
import socket
import struct
import threading
from collections import Counter
from contextlib import suppress
from types import SimpleNamespace

import numpy as np

TUPLE_BYTES = 12
BUFFER = 16_384
BUSY = 31
NAMES = (
    *("magic", "control", "status", "streams_low", "received", "room", "next_row_datagram"),
    *("numbered", "flush_cycles", "port", "to_mac_low", "to_mac_high", "to_address", "to_port"),
    *("size", "configuration"),
)
#: Counters, which a soft reset clears.
COUNTERS = ("tuples_low", "streams_low", "rows_low")
REGISTERS = {name: 4 * k for k, name in enumerate(NAMES)}
DESCRIPTION = SimpleNamespace(
    directory="build/stand_in",
    registers=REGISTERS,
    network={"host_link": True, "datagram_bytes": 1472},
    host={"busy": BUSY, "magic": "0x0"},
    configuration=0,
    streams={"m_axis": SimpleNamespace(bytes=TUPLE_BYTES)},
    rows=SimpleNamespace(bytes=TUPLE_BYTES),
    packet="stream",
)


class Wire:
    """Loses, doubles and swaps a share of the datagrams of one direction; counts each."""

    def __init__(self, share, seed):
        self.share = share
        self.counts = Counter()
        self._rng = random.Random(seed)
        self._delayed = None

    def passed(self, datagram):
        """Returns the datagrams that arrive when ``datagram`` is sent."""
        chance = self._rng.random()
        arriving = [datagram]
        if chance < self.share:
            self.counts["lost"] += 1
            arriving = []
        elif chance < 2 * self.share:
            self.counts["doubled"] += 1
            arriving = [datagram, datagram]
        elif chance < 3 * self.share and self._delayed is None:
            self.counts["swapped"] += 1
            self._delayed = datagram
            return []
        if self._delayed is not None and arriving:
            arriving.append(self._delayed)
            self._delayed = None
        return arriving


class LinkStandIn:
    """The model, which serves in a thread.

    Parameters
    ----------
    share : float
        Share of the datagrams that are lost, that are doubled, and that are swapped, in each of the
        four directions: requests, answers, tuples, rows. ``shares`` overrides it by direction.
    seed : int
    drain : int
        Datagrams at most that the engine takes between two accesses to registers.
    datagram_limit : int or None
        Number of datagrams after which the engine stops; None is no limit.
    registers : dict of str to int
        Addresses of registers by name. A register that the model does not know reads as 0.
    tuple_bytes, row_bytes : int
        A row has the bytes of its tuple, reversed and repeated up to its size.

    Attributes
    ----------
    wires : dict of str to Wire
    counters : Counter
        What the hardware counts: ``repeated``, ``ahead``, ``overflow``, ``resets``.
    accepted_tuples : list of bytes
        Tuples that the engine has taken, in order.
    """

    def __init__(
        self, share=0.0, seed=0, drain=64, datagram_limit=None, registers=REGISTERS,
        tuple_bytes=TUPLE_BYTES, row_bytes=TUPLE_BYTES, **shares,
    ):  # fmt: skip
        directions = ("requests", "answers", "tuples", "rows")
        self.wires = {
            name: Wire(shares.get(name, share), 10 * seed + k) for k, name in enumerate(directions)
        }
        self.counters = Counter()
        self.accepted_tuples = []
        self.values = dict.fromkeys([*NAMES, *COUNTERS], 0) | {"room": BUFFER}
        self.is_silent = False
        self.datagram_limit = datagram_limit
        self._drain = drain
        self._names = {address: name for name, address in registers.items()}
        self._tuple_bytes, self._row_bytes = tuple_bytes, row_bytes
        self._buffer = []  # (bytes, is the end) that the engine has not yet taken
        self._row_number = 0
        self._is_in_stream = False
        self._is_cut = False  # a reset has cut a stream, whose end has not come yet
        self._sockets = {}
        for name in ("registers", "tuples"):
            self._sockets[name] = listener = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
            listener.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 1 << 23)
            listener.bind(("127.0.0.1", 0))
            listener.setblocking(False)
        self.values["port"] = self._sockets["tuples"].getsockname()[1]
        self.at = f"udp://127.0.0.1:{self._sockets['registers'].getsockname()[1]}"
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._serve, daemon=True)

    def __enter__(self):
        self._thread.start()
        return self

    def __exit__(self, *_):
        self._stop.set()
        self._thread.join()
        for listener in self._sockets.values():
            listener.close()

    def _serve(self):
        while not self._stop.is_set():
            select.select(list(self._sockets.values()), [], [], 0.001)
            self._take_and_run()
            with suppress(BlockingIOError):
                while True:
                    datagram, source = self._sockets["registers"].recvfrom(1 << 16)
                    self._take_and_run()  # tuples that were sent before the request
                    for arriving in self.wires["requests"].passed(datagram):
                        self._access(arriving, source)

    def _take_and_run(self):
        """Takes the datagrams of tuples that have come, and lets the engine run."""
        with suppress(BlockingIOError):
            while True:
                datagram, _ = self._sockets["tuples"].recvfrom(1 << 16)
                for arriving in self.wires["tuples"].passed(datagram):
                    self._take(arriving)
        self._run_engine()

    # ------------------------------------------------------------------ registers
    def _access(self, datagram, source):
        if self.is_silent:
            return
        assert datagram[:8] == bytes.fromhex("4e6f104400000000")
        flags, enable, write_count, read_count = datagram[8:12]
        assert (flags, enable) == (0, 15)
        words = struct.unpack(f"!{len(datagram) // 4 - 3}I", datagram[12:])
        if write_count:
            for k in range(write_count):
                self._write(self._names[words[0] + 4 * k], words[1 + k])
            words = words[1 + write_count :]
        assert len(words) == 1 + read_count
        values = [self._read(self._names[address]) for address in words[1:]]
        answer = bytes.fromhex("4e6f144400000000") + bytes((0, 15, read_count, 0))
        answer += struct.pack(f"!{1 + read_count}I", words[0], *values)
        for arriving in self.wires["answers"].passed(answer):
            self._sockets["registers"].sendto(arriving, source)

    def _read(self, name):
        if name == "room":
            return BUFFER - sum(max(8, -(-len(data) // 8) * 8) for data, _ in self._buffer)
        if name == "status":
            return (self._is_in_stream or self._is_cut or bool(self._buffer)) << BUSY
        if name == "next_row_datagram":
            return self._row_number
        return self.values.get(name, 0)

    def _write(self, name, value):
        if name == "control" and value == 1:
            self.counters["resets"] += 1
            self._is_cut |= self._is_in_stream  # a second reset does not end the cut stream
            self._is_in_stream = False
            self.values |= dict.fromkeys(COUNTERS, 0)
        if name == "control":  # reads as 0
            return
        assert value or name not in ("to_address", "to_port"), f"the hardware refuses {name} 0"
        if name == "numbered" and value == 0:
            self.values["received"] = self._row_number = 0
        self.values[name] = value

    # ------------------------------------------------------------------ tuples and rows
    def _take(self, datagram):
        assert self.values["numbered"] == 3
        number, flags = struct.unpack("<II", datagram[:8])
        payload = datagram[8:]
        assert flags == 0
        assert len(payload) <= 1464
        assert len(payload) % self._tuple_bytes == 0
        step = (number - self.values["received"]) % (1 << 32)
        if step:
            self.counters["repeated" if step >> 31 else "ahead"] += 1
        elif self._read("room") < max(8, -(-len(payload) // 8) * 8):
            self.counters["overflow"] += 1
        else:
            self.values["received"] = (number + 1) % (1 << 32)
            self._buffer.append((payload, not payload))

    def _run_engine(self):
        """Takes some datagrams from the buffer, and sends rows for each."""
        for _ in range(self._drain):
            if not self._buffer or self.datagram_limit == 0:
                return
            self.datagram_limit = None if self.datagram_limit is None else self.datagram_limit - 1
            payload, is_end = self._buffer.pop(0)
            if self._is_cut:
                self._is_cut = not is_end
                continue
            self._is_in_stream = not is_end
            size = self._tuple_bytes
            tuples = [payload[k : k + size] for k in range(0, len(payload), size)]
            self.accepted_tuples += tuples
            self.values["streams_low"] += is_end
            self.values["tuples_low"] += len(tuples)
            self.values["rows_low"] += len(tuples)
            rows = [self.row_of(item) for item in tuples]
            step = 1464 // self._row_bytes
            for k in range(0, max(1, len(rows)), step):
                self._send_rows(b"".join(rows[k : k + step]))

    def row_of(self, item):
        """Returns the row of a tuple."""
        return (item[::-1] * self._row_bytes)[: self._row_bytes]

    def _send_rows(self, rows):
        head = struct.pack(
            "<IHH", self._row_number, self.values["received"] & 0xFFFF, self._read("room") // 8
        )
        self._row_number = (self._row_number + 1) % (1 << 32)
        address = socket.inet_ntoa(self.values["to_address"].to_bytes(4, "big"))
        for arriving in self.wires["rows"].passed(head + rows):
            self._sockets["tuples"].sendto(arriving, (address, self.values["to_port"]))


def tuples_of(count, seed=0):
    """Returns random tuples."""
    return np.random.default_rng(seed).integers(0, 256, (count, TUPLE_BYTES), np.uint8)


def transfer(board, tuples):
    """Sends a stream to a board until the engine is not busy; returns the packets of rows."""
    status = REGISTERS["status"]
    return board.transfer(tuples, lambda: not board.read(status) >> BUSY & 1)["m_axis"]


def check(link, packets, tuples):
    """Checks that the engine took the tuples, and that the only packet has their rows."""
    (packet,) = packets
    assert np.array_equal(packet, tuples[:, ::-1])
    assert b"".join(link.accepted_tuples) == tuples.tobytes()
    link.accepted_tuples.clear()

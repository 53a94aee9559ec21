"""Back end of a board with Ethernet: registers, tuples and rows by UDP datagrams."""

from __future__ import annotations

import time
from collections.abc import Callable

import numpy as np

from .backend import Backend, packets_of
from .control import SOFT_RESET, Control
from .datagram_port import Link, UdpLink
from .description import Description
from .errors import DeviceError, HangError, HostError, LossError, time_limit
from .link_registers import LinkRegisters
from .row_datagrams import RowDatagrams
from .serial_link import SCHEME, SerialLink
from .tuple_window import HEAD, TupleWindow

_STREAMS = 1 << 32
#: Ends of a stream at most that a reset sends.
_ENDS = 3
#: Reads of ``received`` after which an end of a stream that was not taken is sent again.
_END_READS = 5
#: Seconds without progress after which datagrams that have left count as lost.
_LATE_SECONDS = 0.25
#: Seconds without progress after which the counters are released from a snapshot: the network may
#: have delivered the request for one again.
_THAW_SECONDS = 0.5
#: Seconds between two reads of the state, while the engine computes and nothing comes.
_FIRST_PAUSE, _LONGEST_PAUSE = 0.001, 0.02


class UdpBoard(Backend):
    """Access to an engine with a host link (``host_link=true``) through a network.

    ::

        LinkRegisters --- requests, answers --->  registers_port    \\
        TupleWindow   --- tuples -------------->  port               engine
        RowDatagrams  <-- rows -----------------  to_port           /

    The object writes its own address into the engine's registers, so rows come to this program,
    and switches on the numbers of datagrams. Tuples are sent as the engine has room, and again if a
    datagram gets lost. Rows are not sent again: if a datagram of rows is lost, the transfer raises
    LossError. :meth:`close` gives the registers of the link their earlier values.

    One program at a time can use an engine. An engine that is still busy with the stream of an
    earlier program is reset.

    Parameters
    ----------
    description : Description
    at : str
        ``udp://HOST`` or ``udp://HOST:PORT``: name or IPv4 address of the engine, and the UDP port
        of its registers. Or ``serial:///dev/DEVICE``: a serial line to the engine.
    seconds : float
        Time without progress after which an access or a transfer raises HangError.
    here : (str, int) or None
        Address and UDP port of this machine, to which rows come; None lets the system choose. Not
        for a serial line.
    flush_cycles : int or None
        Cycles after which a datagram of rows leaves although it is not full; 0 is never. None is
        10,000, and 1,000,000 on a serial line.
    baud : int or None
        Baud rate of a serial line; None is the board's.
    """

    takes_punctuations = True

    def __init__(
        self,
        description: Description,
        at: str,
        seconds: float = 10.0,
        here: tuple[str, int] | None = None,
        flush_cycles: int | None = None,
        baud: int | None = None,
    ) -> None:
        network = description.network or {}
        if not network.get("host_link"):
            raise HostError(
                f"{description.directory}: this design has no registers at its network; generate "
                "it with --set network=true --set host_link=true"
            )
        self._seconds = time_limit(seconds)
        for name, number, minimum in (("flush_cycles", flush_cycles, 0), ("baud", baud, 1)):
            if number is not None and not (isinstance(number, int) and minimum <= number < 1 << 32):
                raise HostError(f"{name} must be a whole number from {minimum}, not {number!r}")
        self._link = _link(at, network, here, baud)
        self._description = description
        self._datagram_bytes: int = network["datagram_bytes"]
        self._ends_left = 0  # ends that a reset may send for a stream that was cut
        self._idle_room = 0  # room of the engine's buffer when it is empty
        self._counts: dict[str, int] = {}
        self._registers = LinkRegisters(description, self._link, self._seconds)
        try:
            Control(description, self).check()  # before anything is written to another device
            self._link.rows.connect(self._registers.read("port")[0])
            self._reset_if_busy()
            self._registers.point_at_this_program(
                self._link.flush_cycles if flush_cycles is None else flush_cycles
            )
        except BaseException:
            self.close()
            raise

    def read(self, address: int) -> int:
        return self._registers.read_all([address])[0]

    def read_all(self, addresses: list[int]) -> list[int]:
        return self._registers.read_all(addresses)

    def write(self, address: int, value: int) -> None:
        self._registers.write(address, value)

    def transfer(
        self,
        tuples: np.ndarray,
        finished: Callable[[], bool],
        punctuations: np.ndarray | None = None,
    ) -> dict[str, list[np.ndarray]]:
        self._drop_rows()
        self._registers.check(is_mended=True)
        received, room, streams, status, first = self._registers.state()
        if self._registers.is_busy(status):
            raise DeviceError("the engine is busy with an earlier stream; call reset()")
        window = TupleWindow(tuples, self._datagram_bytes - HEAD, received, room, punctuations)
        rows = RowDatagrams(first)
        repeats = self._registers.repeats
        damages = self._link.counts()
        self._ends_left, self._idle_room = _ENDS, room
        try:
            self._send(window, rows)
            self._ends_left = 0
            end = self._wait(rows, streams, finished)
        finally:
            self._counts = {
                "tuple_datagrams_sent_again": window.repeats,
                "row_datagrams_repeated": rows.repeated,
                "row_datagrams_foreign": rows.foreign,
                "requests_sent_again": self._registers.repeats - repeats,
            }
            for name, count in self._link.counts().items():
                self._counts[name] = count - damages[name]
        self._check_rows(rows, end)
        self._registers.check(is_mended=False)
        return {"m_axis": packets_of(self._description, "m_axis", rows.packets())}

    def discard(self) -> None:
        """Drops rows, and ends a stream that was cut.

        A datagram of the stream that comes late may take the place of the end, since it has the
        same number. Then the engine is not empty soon after the end, and gets another one.
        """
        self._drop_rows()
        if not self._ends_left or not self._has_data():
            return
        self._ends_left -= 1
        self._end_stream()
        self._wait_while(self._has_data)
        # If the stream had not reached the engine yet, the end made it a whole stream.
        self._registers.write_control(SOFT_RESET)

    def link_counts(self) -> dict[str, int]:
        return dict(self._counts)

    def close(self) -> None:
        if self._link.is_closed:
            return
        try:
            self._registers.restore()
        finally:
            self._link.close()

    # ------------------------------------------------------------------ earlier streams
    def _reset_if_busy(self):
        """Resets an engine whose stream an earlier program has not waited for."""
        if not self._is_busy():
            return
        self._registers.write_control(SOFT_RESET)
        for _ in range(_ENDS):  # a late datagram may take the place of an end, see `discard`
            if self._is_busy():
                self._end_stream()
                self._wait_while(self._is_busy)
        end = time.monotonic() + self._seconds
        while self._is_busy():
            if time.monotonic() > end:
                raise HangError(
                    f"the engine is busy for {self._seconds:g} s although it was reset: does a "
                    "memory not answer, or does another program use it?"
                )

    def _end_stream(self):
        """Sends the end of a stream, once: after a reset the engine drops tuples up to there.

        The end has the number that the engine expects, and is sent again until the engine has taken
        it. A second end would be an empty stream, whose rows would come in the next transfer.
        """
        number, numbered = self._registers.read("received", "numbered")
        if not numbered & 2:  # the earlier program used no numbers
            self._link.rows.send(b"")
            return
        end = time.monotonic() + self._seconds
        while time.monotonic() < end:
            self._link.rows.send(number.to_bytes(4, "little") + bytes(HEAD - 4))
            for _ in range(_END_READS):
                if self._registers.read("received")[0] != number:
                    return
        raise HangError(f"no progress in {self._seconds:g} s: the engine takes no end of a stream")

    def _wait_while(self, condition):
        """Waits while the condition holds, at most as long as a datagram may be late."""
        end = time.monotonic() + _LATE_SECONDS + self._link.delay
        while condition() and time.monotonic() < end:
            pass

    def _has_data(self):
        """Returns True if the engine, or the buffer before it, has data of a stream."""
        _, room, _, status, _ = self._registers.state()
        return self._registers.is_busy(status) or room < self._idle_room

    def _is_busy(self):
        (status,) = self._registers.read("status")
        return self._registers.is_busy(status)

    # ------------------------------------------------------------------ datagrams
    def _send(self, window, rows):
        """Sends a stream until the engine has taken all of it."""
        last_progress, progress = time.monotonic(), (0, 0)
        while not window.is_complete:
            for datagram in window.ready():
                self._link.rows.send(datagram)
                self._collect(rows, window)
            self._collect(rows, window)
            received, room, *_ = self._registers.state()
            try:
                window.update_from_registers(received, room)
            except ValueError as error:
                raise DeviceError(f"{error}: was the engine reset? call reset()") from None
            if progress != (window.taken_count, rows.count):
                last_progress = time.monotonic()
                progress = window.taken_count, rows.count
            elif time.monotonic() - last_progress > self._seconds:
                raise HangError(self._hang_text(window))
            elif not window.is_waiting:  # the engine's buffer is full
                self._collect(rows, window, _LONGEST_PAUSE)

    def _wait(self, rows, streams, finished):
        """Waits until all rows have left the engine and come; returns the number after the last.

        Returns also if rows are missing, when none has come for a while.
        """
        last_progress = time.monotonic()
        pause = _FIRST_PAUSE
        is_empty = has_thawed = False
        while True:
            if self._collect(rows, None, pause):
                last_progress = time.monotonic()
                pause = _FIRST_PAUSE
            if not is_empty:
                _, _, streams_now, status, end = self._registers.state()
                has_ended = (streams_now - streams) % _STREAMS > 0
                is_empty = has_ended and not self._registers.is_busy(status) and finished()
                last_progress = time.monotonic() if is_empty else last_progress
            if is_empty and not rows.missing(end):
                return end
            waited = time.monotonic() - last_progress
            if waited > _THAW_SECONDS and not has_thawed:
                self._registers.write_control(0)
                has_thawed = True
            if is_empty and waited > _LATE_SECONDS + self._link.delay:
                return end
            if waited > self._seconds:
                raise HangError(
                    f"no row came in {self._seconds:g} s, and the engine is not empty; call reset()"
                )
            pause = min(2 * pause, _LONGEST_PAUSE)

    def _check_rows(self, rows, end):
        """Raises LossError if datagrams of rows have been lost."""
        if missing := rows.missing(end):
            size = self._description.rows.bytes
            raise LossError(
                f"{missing} of {missing + rows.count} datagrams of rows were lost on the network, "
                f"and {rows.row_count(size)} rows have come; run it again",
                datagrams=missing,
            )

    def _drop_rows(self):
        while self._link.rows.receive(0) is not None:
            pass

    def _collect(self, rows, window, seconds=0.0):
        """Stores the datagrams of rows that have come; waits for the first one.

        Returns True if any has come.
        """
        has_come = False
        while (datagram := self._link.rows.receive(0 if has_come else seconds)) is not None:
            credit = rows.add(datagram)
            has_come = True
            if credit is not None and window is not None:
                window.update_from_rows(*credit)
        return has_come

    def _hang_text(self, window):
        state = "datagrams of tuples get lost" if window.is_waiting else "the engine takes no tuple"
        return (
            f"no progress in {self._seconds:g} s: {state}; the engine's counters say why "
            "(docs/network.md); call reset()"
        )


def _link(at: str, network: dict, here: tuple[str, int] | None, baud: int | None) -> Link:
    """Returns the link to the place ``at``; raises HostError."""
    if isinstance(at, str) and at.startswith(SCHEME):
        if here is not None:
            raise HostError(f"here is for UDP; {at} has the addresses of the manifest")
        return SerialLink(at, network, baud)
    if baud is not None:
        raise HostError(f"baud is for a serial line, not for {at!r}")
    return UdpLink(at, here)

"""Accesses the registers of an engine behind a link, and checks that written values stay."""

from __future__ import annotations

from .datagram_port import Link
from .description import Description
from .errors import DeviceError, HangError
from .register_port import RegisterPort

#: Value of the register ``numbered``: datagrams of rows and of tuples have numbers in their heads.
_NUMBERED = 3
#: MAC that reaches each machine of the network: the values of ``to_mac_low`` and ``to_mac_high``.
_ALL_MACHINES = (0xFFFF_FFFF, 0xFFFF)
#: Registers that tell how far a stream is, in the order in which they are read.
_STATE = ("received", "room", "streams_low", "status", "next_row_datagram")
#: Registers to which a write of 0 is an error.
_NEVER_ZERO = ("to_address", "to_port")


class LinkRegisters:
    """Reads and writes an engine's registers through a link, and notices changes of written values.

    Parameters
    ----------
    description : Description
    link : Link
    seconds : float
        Time after which an access without an answer raises HangError.
    """

    def __init__(self, description: Description, link: Link, seconds: float) -> None:
        self._description = description
        self._end = link.end
        self._port = RegisterPort(link.registers, seconds, link.delay)
        self._earlier: dict[str, int] = {}  # values before `point_at_this_program` wrote them
        self._written: dict[int, int] = {}  # values of the registers that must stay

    @property
    def repeats(self) -> int:
        """Number of repeated requests, since an answer was late or lost."""
        return self._port.repeats

    def read_all(self, addresses: list[int]) -> list[int]:
        """Returns the value of each register, in the order of ``addresses``."""
        return self._port.read_all(addresses)

    def read(self, *names: str) -> list[int]:
        """Returns the value of each register, in the order of ``names``."""
        return self.read_all([self._description.registers[name] for name in names])

    def write(self, address: int, value: int) -> None:
        """Writes a register, and remembers the value for `check`, unless it is ``control``.

        A write of ``control`` is a command, and the register does not read as the written value.
        """
        self._port.write(address, value)
        if address != self._description.registers["control"]:
            self._written[address] = value

    def write_control(self, value: int) -> None:
        """Writes the register ``control``, which `check` leaves out."""
        self._port.write(self._description.registers["control"], value)

    def state(self) -> list[int]:
        """Returns the values of the registers of `_STATE`, which tell how far a stream is."""
        return self.read(*_STATE)

    def is_busy(self, status: int) -> bool:
        """Returns True if the value of the register ``status`` says that the engine is busy."""
        return bool(status >> self._description.host["busy"] & 1)

    def point_at_this_program(self, flush_cycles: int) -> None:
        """Lets rows come to this program, in numbered datagrams.

        The MAC becomes that of all machines, unless rows went to this machine's address already.
        """
        address, port = self._end
        values = {"flush_cycles": flush_cycles, "to_address": address, "to_port": port}
        to_address, *to_mac = self.read("to_address", "to_mac_low", "to_mac_high")
        if to_address != address or not any(to_mac):
            low, high = _ALL_MACHINES
            values |= {"to_mac_low": low, "to_mac_high": high}
        values["numbered"] = _NUMBERED
        self._earlier = dict(zip(values, self.read(*values), strict=True))
        for name, value in values.items():
            self.write(self._description.registers[name], value)
        self.state()  # the answer leaves after the new values have come into force

    def restore(self) -> None:
        """Undoes `point_at_this_program`: writes the earlier values of its registers."""
        try:
            for name, value in self._earlier.items():
                if value or name not in _NEVER_ZERO:  # it was 0 only because nobody had written it
                    self._port.write(self._description.registers[name], value)
        except HangError:  # the engine has gone, and so have its registers
            pass

    def check(self, is_mended: bool) -> None:
        """Compares registers with the values that `write` has written last.

        A write that the network delivers late a second time, or a loss of power, may have changed
        a register. With ``is_mended``, for use before a stream, such a register is written again,
        up to three times, and DeviceError is raised if it still differs. Otherwise DeviceError is
        raised at once, because the stream has run with other values.
        """
        addresses = list(self._written)
        for rewrites in (3, 2, 1, 0) if is_mended else (0,):
            values = dict(zip(addresses, self.read_all(addresses), strict=True))
            differing = [a for a in addresses if values[a] != self._written[a]]
            if not differing:
                return
            for address in differing if rewrites else ():
                self._port.write(address, self._written[address])
        names = {address: name for name, address in self._description.registers.items()}
        texts = [f"{names[a]} is {values[a]}, not {self._written[a]}" for a in differing]
        raise DeviceError(
            f"registers have changed: {', '.join(texts)}; has the board lost its power, or does "
            "another program use it? open it again"
        )

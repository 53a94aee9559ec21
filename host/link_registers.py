"""Accesses the registers of an engine behind a link, and checks that written values stay."""

from __future__ import annotations

from .datagram_port import Link
from .description import Description
from .errors import DeviceError, HangError
from .register_port import RegisterPort

#: Value of the register ``numbered``: heads with numbers on datagrams of rows and of tuples.
_NUMBERED = 3
#: MAC that reaches each machine of the network.
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
        """Number of requests that were sent again."""
        return self._port.repeats

    def read_all(self, addresses: list[int]) -> list[int]:
        return self._port.read_all(addresses)

    def read(self, *names: str) -> list[int]:
        """Returns the values of the registers of these names."""
        return self.read_all([self._description.registers[name] for name in names])

    def write(self, address: int, value: int) -> None:
        """Writes a register, whose value must stay from then on; ``control`` has no value."""
        self._port.write(address, value)
        if address != self._description.registers["control"]:
            self._written[address] = value

    def write_control(self, value: int) -> None:
        self._port.write(self._description.registers["control"], value)

    def state(self) -> list[int]:
        """Returns how far a stream is: received, room, streams, status, next datagram of rows."""
        return self.read(*_STATE)

    def is_busy(self, status: int) -> bool:
        """Returns True if the value of the register ``status`` says that the engine is busy."""
        return bool(status >> self._description.host["busy"] & 1)

    def point_at_this_program(self, flush_cycles: int) -> None:
        """Lets rows come to this program, in numbered datagrams."""
        number, port = self._end
        values = {"flush_cycles": flush_cycles, "to_address": number, "to_port": port}
        to_address, *to_mac = self.read("to_address", "to_mac_low", "to_mac_high")
        if to_address != number or not any(to_mac):
            low, high = _ALL_MACHINES
            values |= {"to_mac_low": low, "to_mac_high": high}
        values["numbered"] = _NUMBERED
        self._earlier = dict(zip(values, self.read(*values), strict=True))
        for name, value in values.items():
            self.write(self._description.registers[name], value)
        self.state()  # the answer leaves after the new values have come into force

    def restore(self) -> None:
        """Gives the registers of `point_at_this_program` the values that they had before."""
        try:
            for name, value in self._earlier.items():
                if value or name not in _NEVER_ZERO:  # it was 0 only because nobody had written it
                    self._port.write(self._description.registers[name], value)
        except HangError:  # the engine has gone, and so have its registers
            pass

    def check(self, is_mended: bool) -> None:
        """Compares registers with the values that were written last.

        A write that the network delivers twice, or a board that has lost its power, may have
        changed them. With ``is_mended`` such a register is written again, up to three times, and
        DeviceError is raised if it still differs. Otherwise DeviceError is raised at once, because
        the stream has run with other values.
        """
        addresses = list(self._written)
        for rewrites in (3, 2, 1, 0) if is_mended else (0,):
            values = dict(zip(addresses, self.read_all(addresses), strict=True))
            wrong = [a for a in addresses if values[a] != self._written[a]]
            if not wrong:
                return
            for address in wrong if rewrites else ():
                self._port.write(address, self._written[address])
        names = {address: name for name, address in self._description.registers.items()}
        texts = [f"{names[a]} is {values[a]}, not {self._written[a]}" for a in wrong]
        raise DeviceError(
            f"registers have changed: {', '.join(texts)}; has the board lost its power, or does "
            "another program use it? open it again"
        )

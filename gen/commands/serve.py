"""Runs `sluice serve`: the simulated top of a generated directory behind a wire of this machine."""

from collections.abc import Mapping
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path
from typing import Annotated, Any

import typer

from boards.platforms.link import Link
from gen.commands.arguments import CACHE, Cache, Json
from gen.design.network import HOST, endpoints_of
from gen.directory.manifest import MANIFEST
from gen.files.output_files import Outputs
from gen.files.paths import checked_path
from gen.terminal.console import Output
from host.description import Description
from host.errors import HostError
from query.design import settings
from query.errors import UserError, nearest
from rtl.contract.options import option_fields
from sim.wire.live_top import LiveTop
from sim.wire.loopback import LoopbackPorts
from sim.wire.power_up import power_up_writes
from sim.wire.pseudo_terminal import PseudoTerminal
from sim.wire.server import Server
from sim.wire.tap import TapDevice

#: Address of the sockets without --tap.
_LOOPBACK = "127.0.0.1"


def serve(
    directory: Annotated[
        Path,
        typer.Argument(
            parser=checked_path, help="A directory of `sluice generate` with a network face."
        ),
    ],
    tap: Annotated[
        str | None,
        typer.Option(
            metavar="NAME",
            help="Make this TAP device, with an address; UDP on the loopback if not given.",
        ),
    ] = None,
    serial: Annotated[
        bool,
        typer.Option(
            "--serial", help="Make a pseudo-terminal, with frames in COBS as on a serial line."
        ),
    ] = False,
    given: Annotated[
        list[str] | None,
        typer.Option(
            "--set",
            metavar="NAME=VALUE",
            help="Set an address or a port of the link, such as port=4001; repeatable.",
        ),
    ] = None,
    capture: Annotated[
        Path | None,
        typer.Option(parser=checked_path, metavar="PATH", help="Write all frames to this .pcap."),
    ] = None,
    json: Json = False,
    cache: Cache = CACHE,
) -> None:
    """Simulate a design that has a network face, and connect the design to this machine."""
    out = Output(json)
    try:
        description = Description.read(directory)
    except HostError as error:
        raise UserError(str(error)) from None
    if serial and tap is not None:
        raise UserError("--serial and --tap are two wires; take one of them")
    options = settings(given or [])
    if tap is not None and "to_mac" in options:
        raise UserError("to_mac must not be given with --tap: the device has a MAC of its own")
    link = _link(description, options)
    if capture is not None:
        outputs = Outputs([directory / MANIFEST])
        outputs.add_frames(capture)
    with ExitStack() as stack:
        ports = [link.port, *_register_ports(description, link)]
        if tap is None and not serial and link.to_port in ports:
            raise UserError(
                f"to_port must not be {link.to_port}, a port of the design: on this machine rows "
                "would come back as tuples or requests; --set to_port=N takes another"
            )
        wire, numbers = _wire(link, tap, None if serial else ports)
        stack.callback(wire.close)
        path = wire.path if serial else None
        top = LiveTop(description, cache / "bench")
        stack.callback(top.close)
        with out.step("building the model"):  # the first access builds it
            top.write(power_up_writes(description, numbers))
        frames = None if capture is None else stack.enter_context(open(capture, "wb"))
        server = Server(top, wire, frames)
        if path and (names := _unknown_to_host(description, link)):
            out.warn(
                f"the host class takes {', '.join(names)} from {MANIFEST}, so on this line the "
                "design does not answer it: to use the host class, omit these options of --set"
            )
        values = _values(description, link, tap, path, numbers["to_mac"])
        out.result(
            values,
            _serial_line(description, path, link) if path else _line(description, link, tap),
        )
        server.run()


def _link(description: Description, options: Mapping[str, Any]) -> Link:
    """Returns the link of the directory's board, changed by the options of the command.

    If the board has no link, it has the defaults of `Link`.

    Raises UserError for an unknown option or a value that is not allowed.
    """
    names = [field.name for field in option_fields(Link)]
    for name in options:
        if name not in names:
            raise UserError(f"unknown option {name} of the link{nearest(name, names)}")
    network = description.network or {}
    try:
        link = replace(Link(**network.get("link", {})), **options)
        if network.get("host_link"):
            link.check_ports()
        elif "registers_port" in options:
            raise ValueError("registers_port must not be given without host_link=true")
    except (TypeError, ValueError) as error:
        raise UserError(str(error)) from None
    return link


def _wire(link, tap, ports):
    """Returns the wire, and the network settings of the design at its end.

    ``ports`` are the UDP ports on the loopback, or None for a pseudo-terminal.
    """
    numbers = link.numbers()
    if ports is None:
        return PseudoTerminal(), numbers
    if tap is None:
        design, _ = endpoints_of(link)
        return LoopbackPorts(design, HOST, ports, _LOOPBACK), numbers
    device = TapDevice(tap, link.to_address, link.address)
    return device, numbers | {"to_mac": device.mac}


def _register_ports(description, link):
    """Returns the UDP port of the registers, or nothing for a design without a host link."""
    has_link = (description.network or {}).get("host_link", False)
    return [link.registers_port] if has_link else []


def _values(description, link, tap, path, to_mac):
    """Returns the values for ``--json``.

    ``path`` is the pseudo-terminal, or None; ``to_mac`` is the number of the host's MAC address.
    """
    address = _LOOPBACK if tap is None else link.address
    return {
        "name": description.name,
        "tap": tap,
        "at": address if path is None else path,
        "link": link.values() | {"to_mac": to_mac.to_bytes(6, "big").hex(":")},
    } | ({} if path is None else {"serial": path})


def _unknown_to_host(description, link):
    """Returns the names of the options of the link that hide the design from the host class.

    On a serial line the host class makes the frames itself, with the addresses in the manifest. If
    an option has another value, the design does not answer. The list is empty for a design without
    a host link, for which the host class opens no line at all.
    """
    network = description.network or {}
    if not network.get("host_link"):
        return []
    known = Link(**network.get("link", {})).values()
    return [n for n in ("mac", "address", "registers_port") if link.values()[n] != known[n]]


def _serial_line(description, path, link):
    """Returns the line that names the pseudo-terminal."""
    has_link = (description.network or {}).get("host_link", False)
    is_reached = has_link and not _unknown_to_host(description, link)
    opened = f'Engine.open(..., at="serial://{path}"), ' if is_reached else ""
    return f"{description.name}: {opened}frames in COBS at {path}; Ctrl-C ends it"


def _line(description, link, tap):
    """Returns the line that says where the design answers."""
    address = _LOOPBACK if tap is None else link.address
    ping = "" if tap is None else f"ping {address} through {tap}, "
    registers = "".join(
        f'Engine.open(..., at="udp://{address}:{port}"), '
        for port in _register_ports(description, link)
    )
    to = "" if tap is None else f"{link.to_address}, "
    return (
        f"{description.name}: {ping}{registers}tuples to UDP port {link.port} of {address}, rows "
        f"to {to}port {link.to_port}; Ctrl-C ends it"
    )

"""Writes the C functions by which the C driver reaches an engine with a host link over UDP."""

from collections.abc import Mapping

from boards.templates import fill
from gen.host.udp_header import HEADER
from gen.host.udp_link import LINK
from gen.host.udp_requests import REQUESTS
from gen.host.udp_rows import ROWS
from gen.host.udp_streams import STREAMS
from gen.host.udp_tuples import TUPLES
from rtl.bus.register import Access, Register
from rtl.bus.registers import BUSY, MAGIC
from rtl.contract.design import Design
from rtl.contract.rows import Packet


def udp_driver(design: Design, top: str, registers: Mapping[str, Register]) -> dict[str, str]:
    """Returns the texts of ``<top>_udp.h`` and ``<top>_udp.c`` by their names.

    The functions speak the protocol of the host class (``host/udp_board.py``): they repeat requests
    without an answer, send tuples while the engine's buffer has room, and again if they get lost,
    and count lost datagrams of rows.

    Parameters
    ----------
    design : Design
        A design with ``host_link``.
    top : str
        Name of the top module. All public names in the files begin with it, macros in capitals.
    registers : mapping of str to Register
        The register map of the design.
    """
    names = {"top": top, "macro": top.upper()}
    stable = [r for r in registers.values() if _is_stable(r)]
    unstable = [r for r in registers.values() if r.access is not Access.READ and r not in stable]
    has_packet_per_window = design.rows.packet is Packet.WINDOW and not design.face.joins(
        design.rows
    )
    # Bytes of tuples that may be under way before the driver receives rows: fewer if each window
    # is a packet, because packets of few rows are many datagrams.
    first_room = 2048 if has_packet_per_window else 16384
    parts = [
        fill(REQUESTS, unstable=_conditions(unstable, **names), **names),
        fill(TUPLES, first_room=first_room, **names),
        fill(ROWS, **names),
        fill(STREAMS, busy=BUSY.low, **names),
        fill(
            LINK,
            busy=BUSY.low,
            magic=f"{MAGIC:#010x}",
            configuration=f"{design.configuration_hash:#010x}",
            **names,
        ),
    ]
    return {
        f"{top}_udp.h": fill(HEADER, registers=len(stable), **names),
        f"{top}_udp.c": "\n".join(parts),
    }


def _is_stable(register):
    """Returns True if reads of a register return the last written value."""
    return register.access is Access.READ_WRITE and register.name != "control"


def _conditions(registers, top, macro):
    """Returns a C condition that is true if ``address`` is the address of one of the registers."""
    return " || ".join(f"address == {macro}_{register.name.upper()}" for register in registers)

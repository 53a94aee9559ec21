"""Writes a Vivado project of a Zynq UltraScale+: processing system, DMAs, memories, engine.

::

    PS  M_AXI_HPM0_FPD --> control --> engine/S_AXIL, dma/S_AXI_LITE, ..., interrupts/s_axi
    PS  S_AXI_HP0_FPD <-- data0 <----- dma, both ways, and memory master 0
    PS  S_AXI_HPk_FPD <-- datak <----- memory masters k, k + 4, ...
    dma/M_AXIS_MM2S --> engine/S_AXIS; engine/M_AXIS --> dma/S_AXIS_S2MM
    PS  pl_ps_irq0 <-- interrupts <--- engine/interrupt, dma/mm2s_introut, dma/s2mm_introut, ...

The engine is a module reference. Vivado names each interface after the ports' attribute
``X_INTERFACE_INFO`` (UG994, "List of Supported X_ Attributes"), which has the name of the bus in
capitals. Pins outside of any bus have the names of their ports. A test compares both kinds of name
with the generated Verilog.
"""

from collections.abc import Iterable

from boards.board import Board, Command
from boards.ports import Ports
from boards.templates import fill
from boards.vivado_project import PROJECT
from rtl.bus.ports import Bus
from rtl.contract.design import FRAMES

#: Names of the streams of Ethernet frames, which a MAC transfers and no DMA.
_MAC = {bus.name for bus in FRAMES}
#: Ports of the processing system for masters in the logic, and the property that enables each.
HP = {f"S_AXI_HP{k}_FPD": f"PSU__USE__S_AXI_GP{2 + k}" for k in range(4)}
#: Byte address of the engine's registers in the processors' address map.
ENGINE = 0xA000_0000
#: Byte address of the first DMA's page. Pages follow each other at a distance of STEP.
FIRST_DMA = 0xA001_0000
STEP = 0x1_0000
#: Name of the interrupt controller in the block design.
INTERRUPTS = "interrupts"
#: Widths that a stream of AXI DMA may have, in bits.
DMA_BITS = (8, 16, 32, 64, 128, 256, 512, 1024)


def vivado_system(board: Board, ports: Ports, board_part: str) -> dict[str, str]:
    """Returns ``vivado/system.tcl`` by its path; no file if :func:`has_system` is False.

    Parameters
    ----------
    board : Board
    ports : Ports
    board_part : str
        Pattern of the board's name in Vivado's board files.
    """
    if not has_system(ports):
        return {}
    streams = _streams(ports)
    slaves = [bus for bus in streams if bus.mode == "slave"]
    masters = [bus for bus in streams if bus.mode == "master"]
    dmas = _dmas(slaves, masters)
    memories = [pin(bus) for bus in ports.buses if bus.kind == "aximm" and bus.mode == "master"]
    masters_by_port = _masters_by_port(dmas, memories)
    return {
        "vivado/system.tcl": fill(
            PROJECT,
            title=board.title,
            top=ports.top,
            part=board.part,
            board_part=board_part,
            clock=f"{board.clock_mhz:g}",
            enabled=" ".join(f"CONFIG.{HP[port]} {int(port in masters_by_port)}" for port in HP),
            engine="\n".join(_engine(dmas)),
            interrupts=f"interrupts_of {INTERRUPTS} {{{' '.join(_interrupts(ports, dmas))}}}",
            control=_switch("control", ["ps/M_AXI_HPM0_FPD"], _registers(dmas)),
            base=f"{ENGINE:#x}",
            addresses="\n".join(_addresses(dmas)),
            memories="\n".join(_memories(masters_by_port)),
        )
    }


def has_system(ports: Ports) -> bool:
    """Returns True if a DMA has the width of each stream, no stream belongs to a MAC, and the ports
    have AXI's names.
    """
    fits = (_bits(bus) in DMA_BITS and bus.name not in _MAC for bus in _streams(ports))
    return ports.is_axi and all(fits)


def system_command(ports: Ports) -> Command:
    """Returns the command that builds the whole system of the board."""
    return Command(
        line="vivado -mode batch -source vivado/system.tcl",
        result=f"The whole system: processing system, DMAs, memories and the engine. It ends with "
        f"`{ports.top}.bit` and `{ports.top}.hwh` beside this file, which is what PYNQ loads.",
    )


def pynq_access(ports: Ports) -> str:
    """Returns a Markdown text about the host class on a board with PYNQ."""
    return (
        f"On a board with PYNQ, where `{ports.top}.bit` and `{ports.top}.hwh` lie in this "
        "directory: the command above makes them. On any other machine the same program "
        "simulates the Verilog of this directory; for that it needs the project's package."
    )


def _streams(ports):
    return [bus for bus in ports.buses if bus.kind == "axis"]


def dma_names(slaves: Iterable[str], masters: Iterable[str]) -> dict[str, str]:
    """Returns the name of each stream's DMA.

    ``s_axis`` and ``m_axis`` share ``dma``; another stream's DMA is ``dma_`` and the stream's name.
    """
    return {
        name: "dma" if name in ("s_axis", "m_axis") else f"dma_{name}"
        for name in (*slaves, *masters)
    }


def _dmas(slaves, masters):
    """Returns for each DMA the stream that the DMA sends and the stream that it receives.

    None stands for a direction without a stream.
    """
    names = dma_names([bus.name for bus in slaves], [bus.name for bus in masters])
    dmas = {name: [None, None] for name in names.values()}
    for direction, buses in enumerate((slaves, masters)):
        for bus in buses:
            dmas[names[bus.name]][direction] = bus
    return dmas


def _bits(bus):
    return bus.members["tdata"].shape


def pin(bus: Bus) -> str:
    """Returns the name of the engine's interface pin for a bus."""
    return f"engine/{bus.name.upper()}"


def _engine(dmas):
    """Yields the lines that create each DMA and connect the DMA's streams."""
    for name, (sent, received) in dmas.items():
        widths = (_bits(bus) if bus else 0 for bus in (sent, received))
        yield " ".join(("dma_of", name, *map(str, widths)))
        if sent:
            yield f"joined {name}/M_AXIS_MM2S {pin(sent)}"
        if received:
            yield f"joined {pin(received)} {name}/S_AXIS_S2MM"


def _interrupts(ports, dmas):
    """Returns the interrupt pins: the engine's, if the design has an interrupt, then each DMA's."""
    pins = ["engine/interrupt"] if ports.interrupt else []
    for name, (sent, received) in dmas.items():
        pins += [f"{name}/mm2s_introut"] if sent else []
        pins += [f"{name}/s2mm_introut"] if received else []
    return pins


def _registers(dmas):
    """Returns the register interfaces in the order of their addresses."""
    return ["engine/S_AXIL", *(f"{name}/S_AXI_LITE" for name in dmas), f"{INTERRUPTS}/s_axi"]


def _addresses(dmas):
    """Yields Tcl lines that give each register interface its range of addresses, engine first."""
    engine, *others = _registers(dmas)
    places = [(ENGINE, "4K", engine)]
    places += [(FIRST_DMA + STEP * k, "64K", other) for k, other in enumerate(others)]
    for base, size, place in places:
        segments = f"[get_bd_addr_segs -of_objects [get_bd_intf_pins {place}]]"
        space = "-target_address_space [get_bd_addr_spaces ps/Data]"
        yield f"assign_bd_address -offset {base:#x} -range {size} {space} {segments}"


def _masters_by_port(dmas, memories):
    """Returns the memory masters of each used port of the processing system.

    The first port has the DMAs; memory master k shares port k modulo 4.
    """
    first, *_ = ports = list(HP)
    masters = {first: []}
    for name, (sent, received) in dmas.items():
        masters[first] += [f"{name}/M_AXI_MM2S"] if sent else []
        masters[first] += [f"{name}/M_AXI_S2MM"] if received else []
    for k, name in enumerate(memories):
        masters.setdefault(ports[k % len(ports)], []).append(name)
    return masters


def _memories(masters_by_port):
    """Yields the lines that connect memory masters to ports of the processing system."""
    for port, masters in masters_by_port.items():
        number = list(HP).index(port)
        yield f"clocked ps/saxihp{number}_fpd_aclk"
        yield _switch(f"data{number}", masters, [f"ps/{port}"])


def _switch(name, masters, slaves):
    """Returns the line that connects masters to slaves through a SmartConnect."""
    return f"switch_of {name} {{{' '.join(masters)}}} {{{' '.join(slaves)}}}"

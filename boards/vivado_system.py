"""A whole Vivado project of a Zynq UltraScale+: processing system, DMA, memories and the engine.

::

    PS  M_AXI_HPM0_FPD --> control --> engine/S_AXIL, dma/S_AXI_LITE, ..., interrupts/s_axi
    PS  S_AXI_HP0_FPD <-- data0 <----- dma, both ways, and memory master 0
    PS  S_AXI_HPk_FPD <-- datak <----- memory masters k, k + 4, ...
    dma/M_AXIS_MM2S --> engine/S_AXIS; engine/M_AXIS --> dma/S_AXIS_S2MM
    PS  pl_ps_irq0 <-- interrupts <--- engine/interrupt, dma/mm2s_introut, dma/s2mm_introut, ...

The engine is a module reference. Vivado names its interfaces as the ports' ``X_INTERFACE_INFO``
says (UG994, "List of Supported X_ Attributes"), which is the bus in capitals; its pins that belong
to no bus have the names of their ports. A test reads both out of the generated Verilog.
"""

from boards.board import Board, Command, Ports
from boards.templates import fill
from boards.vivado_project import PROJECT
from rtl.contract.design import FRAMES

#: Streams of frames, which are no business of a DMA.
_MAC = {bus.name for bus in FRAMES}
#: Ports of the processing system for masters in the logic, and what enables each.
HP = {f"S_AXI_HP{k}_FPD": f"PSU__USE__S_AXI_GP{2 + k}" for k in range(4)}
#: Byte addresses of the registers, as the processors see them; each has a page of its own.
ENGINE, FIRST_DMA, STEP = 0xA000_0000, 0xA001_0000, 0x1_0000
#: Name of the interrupt controller in the block design.
INTERRUPTS = "interrupts"
#: Widths that a stream of AXI DMA may have, in bits.
DMA_BITS = (8, 16, 32, 64, 128, 256, 512, 1024)


def vivado_system(board: Board, ports: Ports, board_part):
    """``vivado/system.tcl``; nothing where a stream is of a width that no DMA has, or a MAC's.

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
    by_port = _by_port(dmas, memories)
    return {
        "vivado/system.tcl": fill(
            PROJECT,
            title=board.title,
            top=ports.top,
            part=board.part,
            board_part=board_part,
            clock=f"{board.clock_mhz:g}",
            enabled=" ".join(f"CONFIG.{HP[port]} {int(port in by_port)}" for port in HP),
            engine="\n".join(_engine(dmas)),
            interrupts=f"interrupts_of {INTERRUPTS} {{{' '.join(_interrupts(ports, dmas))}}}",
            control=_switch("control", ["ps/M_AXI_HPM0_FPD"], _registers(dmas)),
            base=f"{ENGINE:#x}",
            addresses="\n".join(_addresses(dmas)),
            memories="\n".join(_memories(by_port)),
        )
    }


def has_system(ports: Ports):
    """Whether there is a DMA for each stream, none is a MAC's, and ports have AXI's names."""
    fits = (_bits(bus) in DMA_BITS and bus.name not in _MAC for bus in _streams(ports))
    return ports.is_axi and all(fits)


def system_command(ports: Ports):
    """Returns the command that builds the whole system of the board."""
    return Command(
        line="vivado -mode batch -source vivado/system.tcl",
        makes=f"The whole system: processing system, DMAs, memories and the engine. It ends with "
        f"`{ports.top}.bit` and `{ports.top}.hwh` beside this file, which is what PYNQ loads.",
    )


def pynq_access(ports: Ports):
    """Tells where the program runs on a board with PYNQ, once the system is built."""
    return (
        f"On a board with PYNQ, where `{ports.top}.bit` and `{ports.top}.hwh` lie in this "
        "directory: the command above makes them. On any other machine the same program "
        "simulates the Verilog of this directory; for that it needs the project's package."
    )


def _streams(ports):
    return [bus for bus in ports.buses if bus.kind == "axis"]


def dma_names(slaves, masters):
    """The DMA of each stream: ``dma`` of the main two, others have one of their own name."""
    return {
        name: "dma" if name in ("s_axis", "m_axis") else f"dma_{name}"
        for name in (*slaves, *masters)
    }


def _dmas(slaves, masters):
    """Lists for each DMA the stream that it sends and the stream that it receives, or None."""
    names = dma_names([bus.name for bus in slaves], [bus.name for bus in masters])
    dmas = {name: [None, None] for name in names.values()}
    for at, buses in enumerate((slaves, masters)):
        for bus in buses:
            dmas[names[bus.name]][at] = bus
    return dmas


def _bits(bus):
    return bus.members["tdata"].shape


def pin(bus):
    """The engine's interface pin of a bus, by the name that the ports' attributes have."""
    return f"engine/{bus.name.upper()}"


def _engine(dmas):
    """Lines that make each DMA and connect its streams."""
    for name, (sent, received) in dmas.items():
        widths = (_bits(bus) if bus else 0 for bus in (sent, received))
        yield " ".join(("dma_of", name, *map(str, widths)))
        if sent:
            yield f"joined {name}/M_AXIS_MM2S {pin(sent)}"
        if received:
            yield f"joined {pin(received)} {name}/S_AXIS_S2MM"


def _interrupts(ports, dmas):
    """Lists the interrupt pins: first the engine's, if it has one, then those of each DMA."""
    pins = ["engine/interrupt"] if ports.interrupt else []
    for name, (sent, received) in dmas.items():
        pins += [f"{name}/mm2s_introut"] if sent else []
        pins += [f"{name}/s2mm_introut"] if received else []
    return pins


def _registers(dmas):
    """Register interfaces in the order of their addresses."""
    return ["engine/S_AXIL", *(f"{name}/S_AXI_LITE" for name in dmas), f"{INTERRUPTS}/s_axi"]


def _addresses(dmas):
    """Lines that place each register interface: the engine first, then a page for each other."""
    engine, *others = _registers(dmas)
    places = [(ENGINE, "4K", engine)]
    places += [(FIRST_DMA + STEP * k, "64K", other) for k, other in enumerate(others)]
    for base, size, place in places:
        segments = f"[get_bd_addr_segs -of_objects [get_bd_intf_pins {place}]]"
        space = "-target_address_space [get_bd_addr_spaces ps/Data]"
        yield f"assign_bd_address -offset {base:#x} -range {size} {space} {segments}"


def _by_port(dmas, memories):
    """The masters behind each port of the processing system that has any."""
    first, *_ = ports = list(HP)
    found = {first: []}
    for name, (sent, received) in dmas.items():
        found[first] += [f"{name}/M_AXI_MM2S"] if sent else []
        found[first] += [f"{name}/M_AXI_S2MM"] if received else []
    for k, name in enumerate(memories):
        found.setdefault(ports[k % len(ports)], []).append(name)
    return found


def _memories(by_port):
    for port, masters in by_port.items():
        number = list(HP).index(port)
        yield f"clocked ps/saxihp{number}_fpd_aclk"
        yield _switch(f"data{number}", masters, [f"ps/{port}"])


def _switch(name, masters, slaves):
    return f"switch_of {name} {{{' '.join(masters)}}} {{{' '.join(slaves)}}}"

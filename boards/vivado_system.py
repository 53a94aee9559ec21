"""A whole Vivado project of a Zynq UltraScale+: processing system, DMA, memories and the engine.

::

    PS  M_AXI_HPM0_FPD --> control --> engine/s_axil, dma/S_AXI_LITE, ...
    PS  S_AXI_HP0_FPD <-- data0 <----- dma, both ways, and memory master 0
    PS  S_AXI_HPk_FPD <-- datak <----- memory masters k, k + 4, ...
    dma/M_AXIS_MM2S --> engine/s_axis; engine/m_axis --> dma/S_AXIS_S2MM
"""

from boards.board import Board, Command, Ports
from boards.templates import fill
from rtl.contract.design import FRAMES

#: Streams of frames, which are no business of a DMA.
_MAC = {bus.name for bus in FRAMES}
#: Ports of the processing system for masters in the logic, and what enables each.
HP = {f"S_AXI_HP{k}_FPD": f"PSU__USE__S_AXI_GP{2 + k}" for k in range(4)}
#: Byte addresses of the registers, as the processors see them; each has a page of its own.
ENGINE, FIRST_DMA, STEP = 0xA000_0000, 0xA001_0000, 0x1_0000
#: What a stream of AXI DMA may be wide, in bits.
DMA_BITS = (8, 16, 32, 64, 128, 256, 512, 1024)

_PROJECT = r"""
    # ${title} with ${top}: processing system, DMA, memories. Ends with
    # ${top}.bit and ${top}.hwh in the directory above, which is what PYNQ reads.
    #   vivado -mode batch -source system.tcl
    # It needs the maker's board files (${board_part}), which have the DDR's timing.
    set here [file dirname [file normalize [info script]]]
    set root [file dirname $$here]
    create_project -force system [file join $$here system] -part ${part}
    set board [lindex [lsort [get_board_parts -quiet ${board_part}]] end]
    if {$$board eq ""} {
        error "no board files of ${board_part}: install them by Vivado's Tools, XHub Stores"
    }
    set_property board_part $$board [current_project]
    add_files [file join $$root ${top}.v]
    update_compile_order -fileset sources_1
    create_bd_design system

    # Clock and reset come from the processing system.
    create_bd_cell -type ip -vlnv xilinx.com:ip:zynq_ultra_ps_e ps
    apply_bd_automation -rule xilinx.com:bd_rule:zynq_ultra_ps_e \
        -config {apply_board_preset 1} [get_bd_cells ps]
    set_property -dict [list \
        CONFIG.PSU__FPGA_PL0_ENABLE 1 \
        CONFIG.PSU__CRL_APB__PL0_REF_CTRL__FREQMHZ ${clock} \
        CONFIG.PSU__USE__M_AXI_GP0 1 \
        CONFIG.PSU__USE__M_AXI_GP1 0 \
        CONFIG.PSU__USE__M_AXI_GP2 0 \
        ${enabled} \
    ] [get_bd_cells ps]
    create_bd_cell -type ip -vlnv xilinx.com:ip:proc_sys_reset reset
    connect_bd_net [get_bd_pins ps/pl_clk0] [get_bd_pins reset/slowest_sync_clk]
    connect_bd_net [get_bd_pins ps/pl_resetn0] [get_bd_pins reset/ext_reset_in]
    proc clocked {args} {
        foreach pin $$args {
            connect_bd_net [get_bd_pins ps/pl_clk0] [get_bd_pins $$pin]
        }
    }
    proc reset_by {args} {
        foreach pin $$args {
            connect_bd_net [get_bd_pins reset/peripheral_aresetn] [get_bd_pins $$pin]
        }
    }
    proc joined {from to} {
        connect_bd_intf_net [get_bd_intf_pins $$from] [get_bd_intf_pins $$to]
    }
    # Masters to one or more slaves.
    proc switch_of {name masters slaves} {
        create_bd_cell -type ip -vlnv xilinx.com:ip:smartconnect $$name
        set_property -dict [list CONFIG.NUM_SI [llength $$masters] \
            CONFIG.NUM_MI [llength $$slaves] CONFIG.NUM_CLKS 1] [get_bd_cells $$name]
        clocked $$name/aclk
        reset_by $$name/aresetn
        set at 0
        foreach master $$masters {
            joined $$master [format %s/S%02d_AXI $$name $$at]
            incr at
        }
        set at 0
        foreach slave $$slaves {
            joined [format %s/M%02d_AXI $$name $$at] $$slave
            incr at
        }
    }
    # A DMA without scatter and gather, which begins and ends at any byte.
    proc dma_of {name send receive} {
        create_bd_cell -type ip -vlnv xilinx.com:ip:axi_dma $$name
        set_property -dict [list CONFIG.c_include_sg 0 CONFIG.c_sg_length_width 26 \
            CONFIG.c_include_mm2s [expr {$$send > 0}] CONFIG.c_include_s2mm $$receive \
            CONFIG.c_include_mm2s_dre 1 CONFIG.c_include_s2mm_dre 1] [get_bd_cells $$name]
        clocked $$name/s_axi_lite_aclk
        reset_by $$name/axi_resetn
        if {$$send} {
            set_property CONFIG.c_m_axis_mm2s_tdata_width $$send [get_bd_cells $$name]
            clocked $$name/m_axi_mm2s_aclk
        }
        if {$$receive} {
            clocked $$name/m_axi_s2mm_aclk
        }
    }

    # The engine, by the attributes of its ports.
    create_bd_cell -type module -reference ${top} engine
    clocked engine/aclk
    reset_by engine/aresetn
    ${engine}

    # Registers: engine and DMAs, from ${base} on.
    clocked ps/maxihpm0_fpd_aclk
    ${control}
    ${addresses}

    # Memory of the processing system.
    ${memories}
    assign_bd_address
    validate_bd_design
    save_bd_design
    make_wrapper -files [get_files system.bd] -top -import
    set_property top system_wrapper [current_fileset]

    launch_runs impl_1 -to_step write_bitstream -jobs 4
    wait_on_run impl_1
    if {[get_property PROGRESS [get_runs impl_1]] ne "100%"} {
        error "no bitstream: see the log of impl_1 in [file join $$here system]"
    }
    set made [file join $$here system system]
    file copy -force [file join $$made.runs impl_1 system_wrapper.bit] \
        [file join $$root ${top}.bit]
    file copy -force [file join $$made.gen sources_1 bd system hw_handoff system.hwh] \
        [file join $$root ${top}.hwh]
    """


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
    memories = [bus.name for bus in ports.buses if bus.kind == "aximm" and bus.mode == "master"]
    by_port = _by_port(dmas, memories)
    return {
        "vivado/system.tcl": fill(
            _PROJECT,
            title=board.title,
            top=ports.top,
            part=board.part,
            board_part=board_part,
            clock=f"{board.clock_mhz:g}",
            enabled=" ".join(f"CONFIG.{HP[port]} {int(port in by_port)}" for port in HP),
            engine="\n".join(_engine(dmas)),
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
    """What builds the system, where there is one."""
    return Command(
        line="vivado -mode batch -source vivado/system.tcl",
        makes=f"The whole system: processing system, DMAs, memories and the engine. It ends with "
        f"`{ports.top}.bit` and `{ports.top}.hwh` beside this file, which is what PYNQ loads.",
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
    """Of each DMA the stream that it sends, and the one that it receives, or None."""
    names = dma_names([bus.name for bus in slaves], [bus.name for bus in masters])
    dmas = {name: [None, None] for name in names.values()}
    for at, buses in enumerate((slaves, masters)):
        for bus in buses:
            dmas[names[bus.name]][at] = bus
    return dmas


def _bits(bus):
    return bus.members["tdata"].shape


def _engine(dmas):
    for name, (sent, received) in dmas.items():
        yield f"dma_of {name} {_bits(sent) if sent else 0} {int(received is not None)}"
        if sent:
            yield f"joined {name}/M_AXIS_MM2S engine/{sent.name}"
        if received:
            yield f"joined engine/{received.name} {name}/S_AXIS_S2MM"


def _registers(dmas):
    return ["engine/s_axil", *(f"{name}/S_AXI_LITE" for name in dmas)]


def _addresses(dmas):
    """Engine first; each segment is found by the interface that it lies behind."""
    places = [(ENGINE, "4K", "engine/s_axil")]
    places += [(FIRST_DMA + STEP * k, "64K", f"{name}/S_AXI_LITE") for k, name in enumerate(dmas)]
    for base, size, pin in places:
        segments = f"[get_bd_addr_segs -of_objects [get_bd_intf_pins {pin}]]"
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
        found.setdefault(ports[k % len(ports)], []).append(f"engine/{name}")
    return found


def _memories(by_port):
    for port, masters in by_port.items():
        number = list(HP).index(port)
        yield f"clocked ps/saxihp{number}_fpd_aclk"
        yield _switch(f"data{number}", masters, [f"ps/{port}"])


def _switch(name, masters, slaves):
    return f"switch_of {name} {{{' '.join(masters)}}} {{{' '.join(slaves)}}}"

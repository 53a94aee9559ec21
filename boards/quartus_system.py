"""Writes a complete Quartus project around an engine with Avalon interfaces.

The project has a JTAG master, DMAs and a memory on the chip.

::

    jtag.master --> engine.registers, each DMA's registers, memory
    memory --> dma_sink (mm_read, st_source) --> engine.sink
    engine.source --> dma_source (st_sink, mm_write) --> memory

System Console writes tuples into the memory and descriptors into the DMAs, and reads rows from the
memory. The project needs two pins, a clock and a reset, and no driver.
"""

from boards.board import Board, Command
from boards.pins import Pin
from boards.ports import Ports
from boards.templates import fill
from rtl.bus.registers import MAGIC

#: Size of the memory on the chip in bytes. The memory begins at address 0.
MEMORY = 1 << 19
#: Byte address of the engine's registers for the JTAG master.
ENGINE = 0x10_0000
#: Byte address of the first DMA's page. Pages follow each other at a distance of STEP.
FIRST_DMA = 0x10_1000
STEP = 0x100
#: Offsets in a DMA's page: registers, descriptors and, for a receiving DMA, responses.
CSR, DESCRIPTORS, RESPONSES = 0x00, 0x20, 0x40
#: Widths that the streams of a DMA may have, in bits.
DMA_BITS = (8, 16, 32, 64, 128, 256, 512, 1024)

_SYSTEM = r"""
    # ${title} with ${top}: the system, for Platform Designer; build.tcl runs it.
    #   qsys-script --script=system.tcl --search-path=.,$$
    package require -exact qsys 16.0
    create_system system
    set_project_property DEVICE_FAMILY {${family}}
    set_project_property DEVICE {${part}}
    proc instance {name kind args} {
        add_instance $$name $$kind
        foreach {parameter value} $$args {
            set_instance_parameter_value $$name $$parameter $$value
        }
    }
    proc clocked {args} {
        foreach sink $$args { add_connection pll.outclk0 $$sink }
    }
    proc reset_by {args} {
        foreach sink $$args { add_connection board.clk_reset $$sink }
    }
    proc placed {master slave address} {
        add_connection $$master $$slave
        set_connection_parameter_value $$master/$$slave baseAddress $$address
    }
    # Mode 1 reads memory and sends a stream; mode 2 receives a stream and writes memory. The port
    # of responses is registers of the DMA if response is 0, and is absent if response is 2.
    proc dma {name mode bits response} {
        instance $$name altera_msgdma MODE $$mode DATA_WIDTH $$bits MAX_BYTE ${memory} \
            TRANSFER_TYPE {Unaligned Accesses} BURST_ENABLE 0 PACKET_ENABLE 1 \
            ERROR_ENABLE 1 ERROR_WIDTH 1 CHANNEL_ENABLE 0 RESPONSE_PORT $$response
        clocked $$name.clock
        reset_by $$name.reset_n
    }

    # Clock and reset: the board's oscillator, and a PLL.
    instance board clock_source clockFrequency ${oscillator} clockFrequencyKnown 1 \
        resetSynchronousEdges DEASSERT
    add_interface clk clock sink
    set_interface_property clk EXPORT_OF board.clk_in
    add_interface reset reset sink
    set_interface_property reset EXPORT_OF board.clk_in_reset
    instance pll altera_pll gui_reference_clock_frequency ${reference} \
        gui_number_of_clocks 1 gui_output_clock_frequency0 ${clock} gui_use_locked false
    add_connection board.clk pll.refclk
    reset_by pll.reset

    instance jtag altera_jtag_avalon_master
    clocked jtag.clk
    reset_by jtag.clk_reset
    instance memory altera_avalon_onchip_memory2 memorySize ${memory} dataWidth ${memory_bits} \
        initMemContent 0
    clocked memory.clk1
    reset_by memory.reset1
    instance engine ${top}
    clocked engine.clock
    reset_by engine.reset

    # Streams, each with a DMA of its own.
    ${streams}

    # Slaves of the JTAG master, with their byte addresses.
    placed jtag.master memory.s1 0x0
    ${addresses}
    save_system system.qsys
    """

_BUILD = r"""
    # ${title} with ${top}: makes the system, and compiles the system into ${top}_system.sof.
    # If the system misses its clock, the script ends with an error, and there is no .sof.
    #   quartus_sh -t build.tcl
    package require ::quartus::project
    package require ::quartus::flow
    cd [file dirname [file normalize [info script]]]
    source timing.tcl
    file delete -force system_build
    set tools [file join $$::quartus(quartus_rootpath) sopc_builder bin]
    exec -ignorestderr [file join $$tools qsys-script] --script=system.tcl {--search-path=.,$$}
    exec -ignorestderr [file join $$tools qsys-generate] system.qsys --synthesis=VERILOG \
        {--search-path=.,$$}
    project_new ${top}_system -overwrite
    set_global_assignment -name FAMILY {${family}}
    set_global_assignment -name DEVICE ${part}
    set_global_assignment -name TOP_LEVEL_ENTITY system
    set_global_assignment -name QIP_FILE system/synthesis/system.qip
    set_global_assignment -name SDC_FILE ${top}_system.sdc
    set_global_assignment -name PROJECT_OUTPUT_DIRECTORY system_build
    # ${source}
    ${pins}
    execute_flow -compile
    project_close
    check_timing system_build
    """

_CONSTRAINTS = r"""
    # The board's oscillator; the engine's clock of ${clock} MHz follows from the PLL.
    create_clock -name oscillator -period ${period} [get_ports {clk_clk}]
    derive_pll_clocks
    derive_clock_uncertainty
    set_false_path -from [get_ports {reset_reset_n}]
    """


def has_system(ports: Ports) -> bool:
    """Returns True if the system is possible for a design.

    The design must have Avalon streams, each as wide as a DMA can be, and no memory master.
    """
    streams = _streams(ports)
    return (
        bool(streams)
        and all(_bits(bus) in DMA_BITS for bus in streams)
        and not any(bus.kind == "aximm" for bus in ports.buses)
    )


def system_command(ports: Ports) -> Command:
    """Returns the command that builds the whole system of the board."""
    return Command(
        line="quartus_sh -t quartus/build.tcl",
        result="The whole system: JTAG master, DMAs, memory on the chip and the engine, in "
        f"`quartus/system_build/{ports.top}_system.sof`. Push the button CPU_RESET_n once after it "
        "is loaded, since the PLL needs some time to lock. System Console reads and writes the "
        "system.",
    )


def jtag_access(ports: Ports) -> str:
    """Returns a Markdown text that says how System Console reaches the engine.

    The host class has no back end for the board: it only simulates.
    """
    lines = [f"| {ENGINE:#x} | the registers above |", f"| 0x0 | memory of {MEMORY:,} bytes |"]
    lines += [
        f"| {FIRST_DMA + STEP * k:#x} | Intel's mSGDMA of `{bus.name}`, with its descriptors at "
        f"+{DESCRIPTORS:#x}{f' and responses at +{RESPONSES:#x}' * (bus.mode == 'master')} |"
        for k, bus in enumerate(_streams(ports))
    ]
    return "\n".join(
        [
            "The program simulates the Verilog of this directory; for that it needs the project's "
            "package. The host class has no back end for this board: there System Console reaches "
            f"the system of `{ports.top}_system.sof` by JTAG, at these byte addresses,",
            "",
            "| address | |",
            "| --- | --- |",
            *lines,
            "",
            "and begins with:",
            "",
            "```tcl",
            'set m [claim_service master [lindex [get_service_paths master] 0] ""]',
            f"master_read_32 $m {ENGINE:#x} 1  ;# magic: {MAGIC:#x}",
            "```",
            "",
            "A back end of yours is a class with `read`, `write`, `transfer` and `close` "
            "(`host/backend.py` says what they do); pass an object of it to `Engine.open`.",
        ]
    )


def quartus_system(
    board: Board, ports: Ports, *, family: str, clock: Pin, reset: Pin, oscillator_mhz: int
) -> dict[str, str]:
    """Returns the files of the system by path; no file if :func:`has_system` is False.

    ``clock`` is the pin of the board's oscillator, and ``reset`` the pin of its reset, which is
    active low. The board must have a pinout.
    """
    if not has_system(ports):
        return {}
    assert board.pinout is not None
    top = ports.top
    streams = _streams(ports)
    common = {"top": top, "title": board.title, "family": family, "part": board.part}
    pins = (
        f"set_location_assignment {pin.place} -to {port}\n"
        f"set_instance_assignment -name IO_STANDARD {{{pin.standard}}} -to {port}"
        for port, pin in (("clk_clk", clock), ("reset_reset_n", reset))
    )
    return {
        "quartus/system.tcl": fill(
            _SYSTEM,
            memory=MEMORY,
            memory_bits=max(32, *map(_bits, streams)),
            oscillator=f"{oscillator_mhz * 1_000_000:.1f}",
            reference=f"{oscillator_mhz:.1f}",
            clock=f"{board.clock_mhz:.1f}",
            streams="\n".join(line for bus in streams for line in _stream(bus)),
            addresses="\n".join(_addresses(streams)),
            **common,
        ),
        "quartus/build.tcl": fill(
            _BUILD, source=f"Pins: {board.pinout.source}.", pins="\n".join(pins), **common
        ),
        f"quartus/{top}_system.sdc": fill(
            _CONSTRAINTS, clock=f"{board.clock_mhz:g}", period=f"{1000 / oscillator_mhz:.3f}"
        ),
    }


def _streams(ports):
    return [bus for bus in ports.buses if bus.kind == "avalon_streaming"]


def _bits(bus):
    return bus.members["data"].shape


def _stream(bus):
    """Yields the lines that create a stream's DMA and connect it to the engine and the memory."""
    name = f"dma_{bus.name}"
    if bus.mode == "slave":
        yield f"dma {name} 1 {_bits(bus)} 2"
        yield f"add_connection {name}.st_source engine.{bus.name}"
        yield f"placed {name}.mm_read memory.s1 0x0"
    else:
        yield f"dma {name} 2 {_bits(bus)} 0"
        yield f"add_connection engine.{bus.name} {name}.st_sink"
        yield f"placed {name}.mm_write memory.s1 0x0"


def _addresses(streams):
    """Yields the Tcl lines that connect the JTAG master to the engine's registers and the DMAs.

    Each DMA has a page of `STEP` bytes: the second DMA has its registers at 0x10_1100 and its
    descriptors at 0x10_1120.
    """
    yield f"placed jtag.master engine.registers {ENGINE:#x}"
    for k, bus in enumerate(streams):
        page, name = FIRST_DMA + STEP * k, f"dma_{bus.name}"
        yield f"placed jtag.master {name}.csr {page + CSR:#x}"
        yield f"placed jtag.master {name}.descriptor_slave {page + DESCRIPTORS:#x}"
        if bus.mode == "master":
            yield f"placed jtag.master {name}.response {page + RESPONSES:#x}"

"""Writes build files for Quartus: project, constraints, and a Platform Designer component."""

from boards.board import Board, Command
from boards.fusesoc import CoreBuild
from boards.ports import VERSION, Ports
from boards.templates import fill

_PROJECT = r"""
    # Project of ${top} alone, for ${title}. Every port except the clock is a virtual pin.
    # alone.tcl compiles the project.
    set_global_assignment -name FAMILY "${family}"
    set_global_assignment -name DEVICE ${part}
    set_global_assignment -name TOP_LEVEL_ENTITY ${top}
    set_global_assignment -name VERILOG_FILE ../${top}.v
    set_global_assignment -name SDC_FILE ${top}.sdc
    set_global_assignment -name SOURCE_TCL_SCRIPT_FILE ${top}_assignments.tcl
    set_global_assignment -name PROJECT_OUTPUT_DIRECTORY build
    """

_ALONE = r"""
    # Compiles ${top} alone. Ends with an error, so with exit code 1, if ${top} misses its clock.
    #   quartus_sh -t alone.tcl
    cd [file dirname [file normalize [info script]]]
    source timing.tcl
    file delete -force build
    qexec "quartus_sh --flow compile ${top}"
    check_timing build
    """

_TIMING = r"""
    # Checks that ${top} meets its clock of ${clock} MHz, because Quartus exits with 0 even if not.
    # If a slack is negative, deletes the .sof and .rbf of the folder, and ends with an error.
    # Other scripts source this file and call check_timing. To check one folder of reports:
    #   quartus_sh -t timing.tcl FOLDER
    proc check_timing {folder} {
        set summaries [glob -nocomplain -directory $$folder *.sta.summary]
        set slacks {}
        foreach path $$summaries {
            set summary [open $$path]
            set text [read $$summary]
            close $$summary
            foreach {line slack} [regexp -all -inline -line {^Slack\s*:\s*(-?[0-9.]+)} $$text] {
                lappend slacks $$slack
            }
        }
        if {![llength $$slacks]} {
            error "no *.sta.summary in [file normalize $$folder] has a slack: was timing analysed?"
        }
        set worst [lindex [lsort -real $$slacks] 0]
        if {$$worst < 0} {
            foreach image [glob -nocomplain -directory $$folder *.sof *.rbf] {
                file delete -force $$image
            }
            error "${top} misses its clock of ${clock} MHz: worst slack $$worst ns, see\
                [join $$summaries {, }]; there is no .sof and no .rbf"
        }
    }
    if {[info exists ::quartus(args)] && [llength $$::quartus(args)]} {
        check_timing [lindex $$::quartus(args) 0]
    }
    """

_ASSIGNMENTS = r"""
    # Assignments for ${top} alone, which the projects of Quartus and of FuseSoC share.
    set_global_assignment -name VERILOG_INPUT_VERSION VERILOG_2001
    ${virtual_pins}
    """

_CONSTRAINTS = r"""
    # The engine's clock: ${clock} MHz.
    create_clock -name ${port} -period ${period} [get_ports {${port}}]
    derive_clock_uncertainty
    """

_COMPONENT = r"""
    # ${top} as a component of Platform Designer (Qsys).
    package require -exact qsys 16.0
    set_module_property NAME ${top}
    set_module_property DISPLAY_NAME {${top}}
    set_module_property DESCRIPTION {Window aggregation engine made by Sluice}
    set_module_property GROUP Sluice
    set_module_property VERSION ${version}
    set_module_property INSTANTIATE_IN_SYSTEM_MODULE true
    add_fileset synthesis QUARTUS_SYNTH {} {}
    set_fileset_property synthesis TOP_LEVEL ${top}
    add_fileset_file ${top}.v VERILOG PATH ../${top}.v TOP_LEVEL_FILE
    add_fileset simulation SIM_VERILOG {} {}
    set_fileset_property simulation TOP_LEVEL ${top}
    add_fileset_file ${top}.v VERILOG PATH ../${top}.v TOP_LEVEL_FILE

    add_interface clock clock end
    add_interface_port clock ${clock} clk Input 1
    add_interface reset reset end
    set_interface_property reset associatedClock clock
    set_interface_property reset synchronousEdges BOTH
    add_interface_port reset ${reset} reset_n Input 1
    ${buses}
    """

_PINS = r"""
    # Pins of ${title}, for a top of yours around ${top}.
    # Source: ${source}.
    ${pins}
    """

_FILESET = """\
  build:
    files:
      - quartus/${top}_assignments.tcl: {file_type: tclSource}
      - quartus/${top}.sdc: {file_type: SDC}
      - quartus/timing.tcl: {file_type: user, copyto: quartus/timing.tcl}
"""

_TARGET = """\
  build:
    default_tool: quartus
    filesets: [rtl, build]
    hooks: {post_build: [timing]}
    toplevel: ${top}
    tools:
      quartus: {family: ${family}, device: ${part}}
"""

#: Direction of an interface in Platform Designer, by the mode of its bus.
_MODES = {"slave": "end", "master": "start"}


def timing_script(top: str, clock_mhz: float) -> str:
    """Returns a Tcl script that checks the slacks of a compiled project.

    If a slack is negative, the script removes the images (``.sof`` and ``.rbf``), and ends with an
    error.
    """
    return fill(_TIMING, top=top, clock=f"{clock_mhz:g}")


def quartus_files(board: Board, ports: Ports, *, family: str) -> dict[str, str]:
    """Returns the files of a Quartus build by path, below ``quartus/``.

    The board must have a pinout.
    """
    top = ports.top
    pinout = board.pinout
    assert pinout is not None
    virtual_pins = [
        f"set_instance_assignment -name VIRTUAL_PIN ON -to {name}{'[*]' if width > 1 else ''}"
        for name, _, width in (*ports.data, (ports.reset, "input", 1))
    ]
    return {
        f"quartus/{top}.qsf": fill(
            _PROJECT,
            top=top,
            title=board.title,
            family=family,
            part=board.part,
        ),
        "quartus/alone.tcl": fill(_ALONE, top=top),
        "quartus/timing.tcl": timing_script(top, board.clock_mhz),
        f"quartus/{top}_assignments.tcl": fill(
            _ASSIGNMENTS, top=top, virtual_pins="\n".join(virtual_pins)
        ),
        f"quartus/{top}.sdc": fill(
            _CONSTRAINTS,
            port=ports.clock,
            clock=f"{board.clock_mhz:g}",
            period=f"{board.period_ns:.3f}",
        ),
        "quartus/pins.tcl": fill(
            _PINS,
            top=top,
            title=board.title,
            source=pinout.source,
            pins="\n".join(line for pin in pinout.pins for line in _pin(pin)),
        ),
        f"quartus/{top}_hw.tcl": fill(
            _COMPONENT,
            top=top,
            version=VERSION,
            clock=ports.clock,
            reset=ports.reset,
            buses=_buses(ports),
        ),
    }


def _pin(pin):
    """Yields the assignments of a pin."""
    yield f"set_location_assignment {pin.place} -to {pin.net}  ;# {pin.about}"
    yield f'set_instance_assignment -name IO_STANDARD "{pin.standard}" -to {pin.net}'


def quartus_commands() -> tuple[Command, ...]:
    """Returns the commands that build with the files of :func:`quartus_files`."""
    return (
        Command(
            line="quartus_sh -t quartus/alone.tcl",
            result="The engine alone, placed and routed with virtual pins: `quartus/build/` has "
            "its size and its timing. The command fails if the engine misses its clock.",
        ),
    )


def quartus_core(board: Board, ports: Ports, *, family: str) -> CoreBuild:
    """Returns FuseSoC's build, with the sources, assignments and timing check of the project.

    Edalize has no flow for Quartus yet, so the target uses Edalize's older tool interface.
    """
    return CoreBuild(
        filesets=fill(_FILESET, top=ports.top),
        scripts="timing:\n  cmd: [quartus_sh, -t, quartus/timing.tcl, .]\n",
        targets=fill(_TARGET, top=ports.top, family=family, part=board.part),
    )


def _buses(ports):
    """Returns the lines that declare each bus as an interface of the component."""
    lines = []
    for bus in ports.buses:
        name = bus.name
        lines += [
            f"add_interface {name} {_interface_type(bus)} {_MODES[bus.mode]}",
            f"set_interface_property {name} associatedClock clock",
            f"set_interface_property {name} associatedReset reset",
        ]
        properties = _properties(bus).items()
        lines += [f"set_interface_property {name} {key} {value}" for key, value in properties]
        lines += [
            f"add_interface_port {name} {name}_{role} {role} {direction.capitalize()} {width}"
            for role, direction, width in ports.bus_ports(bus)
        ]
    if ports.interrupt:
        registers = ports.register_bus.name
        lines += [
            "add_interface interrupt interrupt end",
            f"set_interface_property interrupt associatedAddressablePoint {registers}",
            "set_interface_property interrupt associatedClock clock",
            "set_interface_property interrupt associatedReset reset",
            "add_interface_port interrupt interrupt irq Output 1",
        ]
    return "\n".join(lines)


def _properties(bus):
    """Returns the properties of an interface, by the names of Platform Designer.

    A memory master declares the number of bursts that it may have outstanding. Platform Designer
    delays further bursts, and the default number is 1.
    """
    if bus.kind == "avalon_streaming":
        return {
            "dataBitsPerSymbol": 8,
            "symbolsPerBeat": bus.members["data"].shape // 8,
            "firstSymbolInHighOrderBits": "true",
            "readyLatency": 0,
            "maxChannel": 0,
            "errorDescriptor": "no_bytes",
        }
    if bus.kind == "avalon":
        return {"addressUnits": "WORDS", "bitsPerSymbol": 8, "readLatency": 0}
    if _interface_type(bus) == "axi4":
        return {
            "readIssuingCapability": bus.reads,
            "writeIssuingCapability": bus.writes,
            "combinedIssuingCapability": bus.reads + bus.writes,
        }
    return {}


def _interface_type(bus):
    """Returns Platform Designer's name of an interface; AXI4 has bursts and AXI4-Lite has none."""
    if bus.kind == "axis":
        return "axi4stream"
    if bus.kind != "aximm":
        return bus.kind
    return "axi4" if "awlen" in bus.members else "axi4lite"

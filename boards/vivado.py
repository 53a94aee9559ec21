"""Writes build files for Vivado: out-of-context implementation, constraints, and IP packaging."""

from boards.board import Board, Command
from boards.fusesoc import CoreBuild
from boards.ports import LIBRARY, VENDOR, VERSION, Ports
from boards.templates import fill
from rtl.bus.registers import ADDRESS_WIDTH, CONTROL, STATUS

_BUILD = r"""
    # Synthesis, placement and routing of ${top} alone, out of context, for ${title}.
    #   vivado -mode batch -source build.tcl
    set here [file dirname [file normalize [info script]]]
    set out [file join $$here build]
    file mkdir $$out
    create_project -in_memory -part ${part}
    read_verilog [file join $$here .. ${top}.v]
    read_xdc -mode out_of_context [file join $$here ${top}.xdc]
    synth_design -top ${top} -part ${part} -mode out_of_context
    opt_design
    place_design
    phys_opt_design
    route_design
    write_checkpoint -force [file join $$out ${top}.dcp]
    report_utilization -file [file join $$out utilization.rpt]
    report_timing_summary -file [file join $$out timing.rpt]

    # An error, so exit code 1, for a design that is not routed or misses its clock.
    if {![report_route_status -boolean_check ROUTED_FULLY]} {
        error "${top} is not routed: it may be too large for ${part}, see $$out"
    }
    foreach kind {setup hold} {
        set slack [get_property SLACK [get_timing_paths -$$kind -max_paths 1]]
        if {![string is double -strict $$slack] || $$slack < 0} {
            error "${top} misses its clock of ${clock} MHz: worst $$kind slack '$$slack' ns,\
                see [file join $$out timing.rpt]"
        }
    }
    """

_CONSTRAINTS = r"""
    # The engine's clock: ${clock} MHz.
    create_clock -name ${port} -period ${period} [get_ports ${port}]
    """

_PACKAGE = r"""
    # Packages ${top} as an IP core for Vivado's block designs.
    #   vivado -mode batch -source package_ip.tcl
    set here [file dirname [file normalize [info script]]]
    set root [file join $$here ip]
    file mkdir $$root
    file copy -force [file join $$here .. ${top}.v] $$root
    create_project -in_memory -part ${part}
    add_files [file join $$root ${top}.v]
    set_property top ${top} [current_fileset]
    ipx::package_project -root_dir $$root -vendor ${vendor} -library ${library} -taxonomy /UserIP
    set core [ipx::current_core]
    set_property name ${top} $$core
    set_property version ${version} $$core
    set_property display_name {${top}} $$core
    set_property description {Window aggregation engine made by Sluice} $$core

    # Vivado infers the bus interfaces from the attribute X_INTERFACE_INFO of the ports. The
    # procedure adds an interface that Vivado did not infer, and assigns the clock to it.
    proc bus {core name kind mode prefix roles} {
        if {![llength [ipx::get_bus_interfaces -quiet $$name -of_objects $$core]]} {
            set bus [ipx::add_bus_interface $$name $$core]
            set_property bus_type_vlnv xilinx.com:interface:$${kind}:1.0 $$bus
            set_property abstraction_type_vlnv xilinx.com:interface:$${kind}_rtl:1.0 $$bus
            set_property interface_mode $$mode $$bus
            foreach role $$roles {
                set map [ipx::add_port_map [string toupper $$role] $$bus]
                set_property physical_name $${prefix}_$${role} $$map
            }
        }
        ipx::associate_bus_interfaces -busif $$name -clock ${clock} $$core
    }
    ${buses}
    ${memory_map}
    ipx::create_xgui_files $$core
    ipx::update_checksums $$core
    ipx::check_integrity $$core
    ipx::save_core $$core
    """

#: The registers of AXI4-Lite; the packager has no type for the bus of Avalon-MM.
_MEMORY_MAP = """
    if {![llength [ipx::get_memory_maps -quiet -of_objects $$core]]} {
        set map [ipx::add_memory_map ${registers} $$core]
        set slave [ipx::get_bus_interfaces ${registers} -of_objects $$core]
        set_property slave_memory_map_ref ${registers} $$slave
        set block [ipx::add_address_block registers $$map]
        set_property range 4096 $$block
        set_property width 32 $$block
    }
    """

_KERNEL = r"""
    # Packages ${top} as a Vitis kernel, ${top}.xo, which v++ links. Its host controls it by the
    # engine's own registers (user_managed): xrt::ip writes and reads them at their offsets.
    #   vivado -mode batch -source package_xo.tcl
    set here [file dirname [file normalize [info script]]]
    set root [file join $$here kernel]
    file mkdir $$root
    file copy -force [file join $$here .. ${top}.v] $$root
    create_project -in_memory -part ${part}
    add_files [file join $$root ${top}.v]
    set_property top ${top} [current_fileset]
    ipx::package_project -root_dir $$root -vendor ${vendor} -library ${library} -taxonomy /KernelIP
    set core [ipx::current_core]
    set_property name ${top} $$core
    set_property version ${version} $$core
    set_property sdx_kernel true $$core
    set_property sdx_kernel_type rtl $$core
    set_property vitis_drc {ctrl_protocol user_managed} $$core
    foreach bus {${interfaces}} {
        ipx::associate_bus_interfaces -busif $$bus -clock ${clock} $$core
    }
    foreach map [ipx::get_memory_maps -quiet -of_objects $$core] {
        ipx::remove_memory_map [get_property name $$map] $$core
    }
    set map [ipx::add_memory_map ${registers} $$core]
    set slave [ipx::get_bus_interfaces ${registers} -of_objects $$core]
    set_property slave_memory_map_ref ${registers} $$slave
    set block [ipx::add_address_block registers $$map]
    set_property range ${range} $$block
    set_property width 32 $$block
    foreach {name offset} {${offsets}} {
        set register [ipx::add_register $$name $$block]
        set_property address_offset $$offset $$register
        set_property size 32 $$register
    }
    ipx::create_xgui_files $$core
    ipx::update_checksums $$core
    ipx::check_integrity -kernel $$core
    ipx::save_core $$core
    package_xo -force -xo_path [file join $$here .. ${top}.xo] -kernel_name ${top} \
        -ip_directory $$root -ctrl_protocol user_managed
    """


_TARGET = """\
  build:
    flow: vivado
    flow_options: {part: ${part}, synth: none, pnr: none}
    filesets: [build]
    hooks: {pre_build: [build]}
    toplevel: ${top}
"""


def vivado_files(board: Board, ports: Ports) -> dict[str, str]:
    """Returns the files of a Vivado build by path, below ``vivado/``."""
    common = {"top": ports.top, "part": board.part}
    return {
        "vivado/build.tcl": fill(_BUILD, title=board.title, clock=f"{board.clock_mhz:g}", **common),
        f"vivado/{ports.top}.xdc": fill(
            _CONSTRAINTS,
            port=ports.clock,
            clock=f"{board.clock_mhz:g}",
            period=f"{board.period_ns:.3f}",
        ),
        "vivado/package_ip.tcl": fill(
            _PACKAGE,
            clock=ports.clock,
            memory_map=_memory_map(ports),
            buses=_buses(ports),
            vendor=VENDOR,
            library=LIBRARY,
            version=VERSION,
            **common,
        ),
    }


def vivado_kernel(board: Board, ports: Ports) -> dict[str, str]:
    """Returns ``vivado/package_xo.tcl`` by its path, or no file without a kernel's ports."""
    if not is_kernel(ports):
        return {}
    return {
        "vivado/package_xo.tcl": fill(
            _KERNEL,
            top=ports.top,
            part=board.part,
            vendor=VENDOR,
            library=LIBRARY,
            version=VERSION,
            clock=ports.clock,
            interfaces=" ".join(bus.name.upper() for bus in ports.buses),
            registers=_registers(ports),
            range=1 << ADDRESS_WIDTH,
            offsets=f"control {CONTROL:#x} status {STATUS:#x}",
        )
    }


def is_kernel(ports: Ports) -> bool:
    """True if the register bus has the name that Vitis requires of a kernel, ``s_axi_control``."""
    return any(bus.name == "s_axi_control" for bus in ports.buses)


def kernel_command(ports: Ports) -> Command:
    """Returns the command of Vivado that packages the engine as a Vitis kernel."""
    return Command(
        line="vivado -mode batch -source vivado/package_xo.tcl",
        result=f"The engine as a Vitis kernel, `{ports.top}.xo`, to link with `v++`.",
    )


#: Commands that build with the files of :func:`vivado_files`.
VIVADO_COMMANDS = (
    Command(
        line="vivado -mode batch -source vivado/build.tcl",
        result="The engine alone, placed and routed out of context: `vivado/build/` has its size "
        "(`utilization.rpt`), its timing (`timing.rpt`) and a checkpoint.",
    ),
    Command(
        line="vivado -mode batch -source vivado/package_ip.tcl",
        result="The engine as an IP core in `vivado/ip/`, for block designs of your own.",
    ),
)


def vivado_core(board: Board, ports: Ports) -> CoreBuild:
    """Returns FuseSoC's build, which runs ``build.tcl``.

    Edalize's own project flow implements a design with pins, writes a bitstream, and has no
    out-of-context mode. The target therefore skips the flow's steps, and runs the script as a hook
    before them.
    """
    files = (f"{ports.top}.v", "vivado/build.tcl", f"vivado/{ports.top}.xdc")
    entries = "".join(f"    - {path}: {{file_type: user, copyto: {path}}}\n" for path in files)
    return CoreBuild(
        filesets=f"build:\n  files:\n{entries}",
        scripts="build:\n  cmd: [vivado, -mode, batch, -source, vivado/build.tcl]\n",
        targets=fill(_TARGET, top=ports.top, part=board.part),
    )


def _registers(ports):
    """Returns Vivado's name of the register interface, which is the bus's name in capitals."""
    return ports.register_bus.name.upper()


def _memory_map(ports):
    """Returns the lines that declare the registers; none for Avalon-MM."""
    if ports.register_bus.kind != "aximm":
        return ""
    return fill(_MEMORY_MAP, registers=_registers(ports)).strip()


def _buses(ports):
    """Returns the lines that declare each AXI bus; the packager has no type for Avalon buses."""
    lines = []
    for bus in ports.buses:
        if bus.kind not in ("axis", "aximm"):
            continue
        roles = " ".join(bus.members)
        lines.append(f"bus $core {bus.name.upper()} {bus.kind} {bus.mode} {bus.name} {{{roles}}}")
    return "\n".join(lines)

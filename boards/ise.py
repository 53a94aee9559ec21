"""Writes build files for ISE: a project without pins, its constraint, and a list of the pins.

Virtex-6 needs ISE, because Vivado does not support Virtex-6. The script runs in ``xtclsh`` of ISE
14.7, a Tcl 8.4 without ``in``, ``dict`` and ``{*}``.
"""

from dataclasses import dataclass

from boards.board import Board, Command
from boards.ports import Ports
from boards.templates import fill


@dataclass(frozen=True, kw_only=True)
class Part:
    """An FPGA's ordering code, split into the four fields of an ISE project."""

    family: str
    device: str
    package: str
    speed: str

    @property
    def code(self) -> str:
        """The ordering code."""
        return f"{self.device}{self.speed}{self.package}"


_BUILD = r"""
    # Synthesis, placement and routing of ${top} alone, without pins, for ${title}.
    #   xtclsh build.tcl
    set here [file dirname [file normalize [info script]]]
    set out [file join $$here build]
    file mkdir $$out
    cd $$out
    file delete -force ${top}.xise
    project new ${top}.xise
    project set family ${family}
    project set device ${device}
    project set package ${package}
    project set speed ${speed}
    xfile add [file join [file dirname $$here] ${top}.v]
    xfile add [file join $$here ${top}.ucf]
    project set top ${top}
    # Ports become no pads, and what only leads to a port stays.
    project set "Add I/O Buffers" "false"
    project set "Trim Unconnected Signals" "false"
    foreach step {"Implement Design" "Generate Post-Place & Route Static Timing"} {
        set done [process run $$step]
        set status [process get $$step status]
        if {!$$done || [lsearch {up_to_date warnings} $$status] < 0} {
            project close
            error "$$step: $$status; see the reports in $$out"
        }
    }
    project close
    # An error, so exit code 1, for a design that is not routed or misses its clock.
    set report [open [file join $$out ${top}.par]]
    set text [read $$report]
    close $$report
    foreach wanted {"All signals are completely routed." "All constraints were met."} {
        if {[string first $$wanted $$text] < 0} {
            error "[file join $$out ${top}.par] does not say \"$$wanted\": ${top} is not routed,\
                or misses its clock of ${clock} MHz"
        }
    }
    """

_CONSTRAINTS = r"""
    # The engine's clock: ${clock} MHz.
    NET "${port}" TNM_NET = "${port}";
    TIMESPEC "TS_${port}" = PERIOD "${port}" ${period} ns HIGH 50 %;
    """

_PINS = r"""
    # Pins of ${title}, for a top of yours around ${top}; the project here needs none.
    # Source: ${source}.
    ${pins}
    """


def ise_files(board: Board, ports: Ports, part: Part) -> dict[str, str]:
    """Returns the files of an ISE build by path, below ``ise/``; the board must have a pinout."""
    top = ports.top
    pinout = board.pinout
    assert pinout is not None
    pins = (
        f'NET "{pin.net}" LOC = "{pin.place}" | IOSTANDARD = {pin.standard};  # {pin.about}'
        for pin in pinout.pins
    )
    return {
        "ise/build.tcl": fill(
            _BUILD,
            top=top,
            title=board.title,
            family=part.family,
            device=part.device,
            package=part.package,
            speed=part.speed,
            clock=f"{board.clock_mhz:g}",
        ),
        f"ise/{top}.ucf": fill(
            _CONSTRAINTS,
            clock=f"{board.clock_mhz:g}",
            port=ports.clock,
            period=f"{board.period_ns:.3f}",
        ),
        "ise/pins.ucf": fill(
            _PINS, top=top, title=board.title, source=pinout.source, pins="\n".join(pins)
        ),
    }


def ise_commands(ports: Ports) -> tuple[Command, ...]:
    """Returns the commands that build with the files of :func:`ise_files`."""
    return (
        Command(
            line="xtclsh ise/build.tcl",
            result=f"The engine alone, placed and routed without pins: `ise/build/` has its size "
            f"(`{ports.top}_map.mrp`) and its timing (`{ports.top}.twr`). `ise/pins.ucf` has the "
            "board's clock, reset and LEDs for a top of yours.",
        ),
    )

"""Builds the core description (CAPI2), which tells FuseSoC and Edalize how to build a design."""

from dataclasses import dataclass
from textwrap import indent

from boards.ports import Ports
from boards.templates import fill

_CORE = r"""
    CAPI=2:
    # fusesoc --cores-root . run --target lint ${vlnv}
    name: "${vlnv}"
    description: "Window aggregation engine made by Sluice"
    filesets:
      rtl:
        files:
          - ${top}.v: {file_type: verilogSource-2005}
      waivers:
        files:
          - ${top}.vlt: {file_type: vlt}
      bench:
        files:
          - sim/${top}_tb.sv: {file_type: systemVerilogSource}
    ${view}${filesets}${scripts}targets:
      default:
        filesets: [rtl]
        toplevel: ${top}
      lint:
        flow: lint
        flow_options:
          tool: verilator
          verilator_options: [-Wall]
        filesets: [waivers, rtl]
        toplevel: ${top}
      sim:
        flow: sim
        flow_options:
          tool: verilator
          mode: binary
          verilator_options: [--timing, --output-split, "0", -CFLAGS, -std=c++20]
        filesets: [waivers, rtl, bench]
        toplevel: ${top}_tb
    ${targets}"""

_VIEW = "- sim/${top}_axi.v: {file_type: verilogSource-2005}\n"


@dataclass(frozen=True, kw_only=True)
class CoreBuild:
    """A board's part of the core description: CAPI2 entries, as texts of whole lines.

    Attributes
    ----------
    filesets, scripts, targets : str
        Text below the key with the attribute's name.
    """

    filesets: str
    targets: str
    scripts: str = ""


def core_file(ports: Ports, build: CoreBuild | None = None) -> dict[str, str]:
    """Returns the text of the ``.core`` file by its path.

    The targets are ``default``, ``lint``, ``sim`` and the targets of ``build``. A design without
    AXI ports adds its AXI view, ``sim/<top>_axi.v``, to the files of the bench.
    """
    build = CoreBuild(filesets="", targets="") if build is None else build
    text = fill(
        _CORE,
        vlnv=ports.vlnv,
        top=ports.top,
        view="" if ports.is_axi else indent(fill(_VIEW, top=ports.top), " " * 6),
        filesets=indent(build.filesets, "  "),
        scripts="scripts:\n" + indent(build.scripts, "  ") if build.scripts else "",
        targets=indent(build.targets, "  "),
    )
    return {f"{ports.top}.core": text.rstrip() + "\n"}

"""The core description (CAPI2) by which FuseSoC and Edalize find the design and its builds."""

from boards.board import Ports
from boards.templates import fill

_CORE = r"""
    CAPI=2:
    name: "sluice:engine:${top}:1.0.0"
    description: "Window aggregation engine made by Sluice"
    filesets:
      rtl:
        files: [${top}.v]
        file_type: verilogSource
    ${filesets}targets:
      default:
        filesets: [rtl]
        toplevel: ${top}
      lint:
        default_tool: verilator
        filesets: [rtl]
        toplevel: ${top}
        tools:
          verilator:
            mode: lint-only
            verilator_options: ["-Wno-fatal"]
    ${targets}"""

_FILESET = """  constraints:
    files:
      - {file}: {{file_type: {kind}}}
"""

_TARGET = """  build:
    default_tool: {tool}
    filesets: [rtl, constraints]
    toplevel: {top}
    tools:
      {tool}: {{{options}}}
"""


def core_file(ports: Ports, *, tool=None, constraints=None, kind=None, options=""):
    """The ``.core`` file by its path; with a build target when there is a tool for one.

    Parameters
    ----------
    tool : str or None
        Edalize's name of the tool.
    constraints, kind : str
        The constraint file and its type in CAPI2.
    options : str
        The tool's options, in YAML's flow style.
    """
    filesets = _FILESET.format(file=constraints, kind=kind) if tool else ""
    targets = _TARGET.format(tool=tool, top=ports.top, options=options) if tool else ""
    text = fill(_CORE, top=ports.top, filesets=filesets, targets=targets)
    return {f"{ports.top}.core": text.rstrip() + "\n"}

"""All files of a generated design, as contents by path; nothing is written here."""

from boards.board import Ports
from boards.fusesoc import core_file
from gen.directory.manifest import MANIFEST, manifest, sealed
from gen.directory.readme import readme
from gen.directory.regmap import exports
from gen.directory.testbench import testbench
from gen.host.c_driver import host_driver
from gen.host.c_header import host_header
from gen.host.class_files import host_files
from gen.verilog.axi_view import axi_view
from gen.verilog.lint_waivers import waiver
from gen.verilog.shipped_verilog import verilog_of
from rtl.bus.top import registers_of


def design_files(build, cache, *, html=False):
    """The files of a design.

    ``<name>.v``, what lint may say of it in ``<name>.vlt``, a first test in ``sim/`` and a view of
    the top as AXI where its ports are others, the register
    map in ``registers/``, the host class in ``host/``, ``README.md``, ``<name>.core`` for FuseSoC,
    the board's build files, and ``manifest.json``, which has the checksums of the others.

    Parameters
    ----------
    build : gen.design.build.Build
    cache : path-like
    html : bool
        With the register map as HTML.

    Returns
    -------
    dict of str to str or bytes
    """
    name, design = build.name, build.design
    registers = registers_of(design)
    ports = Ports.of_design(name, design)
    files = {f"{name}.v": verilog_of(design, name, cache), f"{name}.vlt": waiver(name)}
    exported = exports(registers.values(), ports, html=html)
    exported[f"{name}_host.h"] = host_header(design, name, registers)
    if not design.face.network:  # the driver is for buffers, not for datagrams
        exported |= host_driver(design, name)
    files |= {f"registers/{path}": contents for path, contents in exported.items()}
    files |= axi_view(name, design)
    files[f"sim/{name}_tb.sv"] = testbench(design, Ports.axi_of(name, design), registers)
    files |= host_files() | readme(build, ports, registers)
    if build.board is None:
        files |= core_file(ports)
    else:
        files |= build.board.files(ports) | core_file(ports, build.board.core_build(ports))
    return files | {MANIFEST: sealed(manifest(build, registers, ports, files))}

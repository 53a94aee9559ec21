"""All files of a generated design, as contents by path; nothing is written here."""

from boards.board import Ports
from boards.fusesoc import core_file
from gen.host_driver import host_driver
from gen.host_files import host_files
from gen.host_header import host_header
from gen.lint import waiver
from gen.manifest import MANIFEST, manifest, sealed
from gen.regmap import exports
from gen.testbench import testbench
from gen.verilog import verilog_of
from rtl.bus.ports import buses_of
from rtl.bus.top import registers_of


def design_files(build, cache, *, html=False):
    """The files of a design.

    ``<name>.v``, what lint may say of it in ``<name>.vlt``, a first test in ``sim/``, the register
    map in ``registers/``, the host class in ``host/``, ``<name>.core`` for FuseSoC, the board's
    build files, and ``manifest.json``, which has the checksums of the others.

    Parameters
    ----------
    build : gen.build.Build
    cache : path-like
    html : bool
        With the register map as HTML.

    Returns
    -------
    dict of str to str or bytes
    """
    name, design = build.name, build.design
    registers = registers_of(design)
    ports = Ports(top=name, buses=buses_of(design), interrupt=design.face.interrupt)
    files = {f"{name}.v": verilog_of(design, name, cache), f"{name}.vlt": waiver(name)}
    exported = exports(registers.values(), ports, html=html)
    exported[f"{name}_host.h"] = host_header(design, name, registers)
    if not design.face.network:  # the driver is for buffers, not for datagrams
        exported |= host_driver(design, name)
    files |= {f"registers/{path}": contents for path, contents in exported.items()}
    files[f"sim/{name}_tb.sv"] = testbench(design, ports, registers)
    files |= host_files()
    if build.board is None:
        files |= core_file(ports)
    else:
        files |= build.board.files(ports) | core_file(ports, build.board.core_build(ports))
    return files | {MANIFEST: sealed(manifest(build, registers, ports, files))}

"""All files of a generated design, as contents by path; nothing is written here."""

from boards.board import Ports
from gen.lint import waiver
from gen.manifest import MANIFEST, manifest, sealed
from gen.regmap import exports
from gen.verilog import verilog_of
from rtl.bus.ports import buses_of
from rtl.bus.top import registers_of


def design_files(build, cache, *, html=False):
    """The files of a design.

    ``<name>.v``, what lint may say of it in ``<name>.vlt``, the register map in ``registers/``, the
    board's build files, and ``manifest.json``, which has the checksums of the others.

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
    ports = Ports(top=name, buses=buses_of(design))
    files = {f"{name}.v": verilog_of(design, name, cache), f"{name}.vlt": waiver(name)}
    exported = exports(registers.values(), name, html=html)
    files |= {f"registers/{path}": contents for path, contents in exported.items()}
    if build.board is not None:
        files |= build.board.files(ports)
    return files | {MANIFEST: sealed(manifest(build, registers, ports, files))}

"""All files of a generated design, as contents by path; nothing is written here."""

import json

from gen.manifest import manifest, ports_of
from gen.regmap import exports
from gen.verilog import verilog_of
from rtl.bus.top import AxiTop

MANIFEST = "manifest.json"


def design_files(point, cache, *, html=False):
    """The files of a design point.

    ``<name>.v``, the register map in ``registers/``, the board's build files, and
    ``manifest.json``, which has the checksums of the others.

    Parameters
    ----------
    point : gen.point.Point
    cache : path-like
    html : bool
        With the register map as HTML.

    Returns
    -------
    dict of str to str or bytes
    """
    top = AxiTop(point.parameters)
    ports = ports_of(top, point.name)
    files = {f"{point.name}.v": verilog_of(point.parameters, point.name, cache)}
    registers = exports(top.registers.values(), point.name, html=html)
    files |= {f"registers/{path}": contents for path, contents in registers.items()}
    if point.board is not None:
        files |= point.board.files(ports)
    described = manifest(point, top, ports, files)
    return files | {MANIFEST: json.dumps(described, indent=2) + "\n"}

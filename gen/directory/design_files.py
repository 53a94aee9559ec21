"""Collects all files of a generated design as contents by path, without writing them."""

from collections.abc import Callable, Mapping
from os import PathLike

from boards.fusesoc import core_file
from boards.ports import Ports
from gen.design.build import Build
from gen.directory.manifest import MANIFEST, manifest, sealed
from gen.directory.readme import readme
from gen.directory.regmap import exports
from gen.directory.testbench import testbench
from gen.host.c_driver import host_driver
from gen.host.c_header import host_header
from gen.host.class_files import host_files
from gen.host.udp_driver import udp_driver
from gen.verilog.axi_view import axi_view
from gen.verilog.lint_waivers import waiver
from gen.verilog.shipped_verilog import verilog_of
from rtl.bus.top_registers import registers_of


def design_files(
    build: Build,
    cache: str | PathLike,
    *,
    html: bool = False,
    bench: dict[str, str] | None = None,
    changed: Callable[[dict], dict] | None = None,
    extra: Mapping[str, str | bytes] | None = None,
) -> dict[str, str | bytes]:
    """Returns the files of a design.

    The files are the Verilog ``<name>.v``, the explained warnings ``<name>.vlt``, a first test in
    ``sim/`` (with an AXI module around the top if the top has other ports), the register map, the C
    header and the C drivers in ``registers/``, the host class in ``host/``, ``README.md``,
    ``<name>.core`` for FuseSoC, the board's build files, ``bench``, ``extra``, and
    ``manifest.json`` with the checksums of all files.

    Parameters
    ----------
    build : gen.design.build.Build
    cache : path-like
    html : bool
        If true, the register map is also written as HTML.
    bench : dict of str to str or None
        The files of :func:`gen.cocotb_bench.bench_files.bench_files`; None for a directory without
        them.
    changed : callable or None
        Returns the files with changes, such as another seed in a script.
    extra : mapping of str to str or bytes, or None
        Further files, such as a bitstream, by their paths.

    Returns
    -------
    dict of str to str or bytes
    """
    name, design = build.name, build.design
    registers = registers_of(design)
    ports = build.ports
    files: dict[str, str | bytes] = {
        f"{name}.v": verilog_of(design, name, cache),
        f"{name}.vlt": waiver(name),
    }
    exported = exports(registers.values(), ports, html=html)
    exported[f"{name}_host.h"] = host_header(design, name, registers)
    if not design.face.network or design.face.host_link:  # otherwise no host reaches registers
        exported |= host_driver(design, name)
    if design.face.host_link:
        exported |= udp_driver(design, name, registers)
    files |= {f"registers/{path}": contents for path, contents in exported.items()}
    files |= axi_view(name, design)
    files[f"sim/{name}_tb.sv"] = testbench(design, Ports.axi_of(name, design), registers)
    files |= host_files() | readme(build, ports, registers, has_bench=bool(bench)) | (bench or {})
    if build.board is None:
        files |= core_file(ports)
    else:
        files |= build.board.files(ports) | core_file(ports, build.board.core_build(ports))
    files = (changed(files) if changed else files) | dict(extra or {})
    return files | {MANIFEST: sealed(manifest(build, registers, ports, files))}

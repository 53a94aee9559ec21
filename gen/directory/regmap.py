"""Writes the register map as SystemRDL, and by PeakRDL as C header, IP-XACT and HTML.

The C header, the IP-XACT and the SystemRDL are small and always written. The HTML is a site of some
megabytes with scripts and fonts, and is written on request.
"""

import tempfile
from collections.abc import Callable, Iterable
from pathlib import Path

from peakrdl_cheader.c_standards import CStandard
from peakrdl_cheader.exporter import CHeaderExporter
from peakrdl_html import HTMLExporter
from peakrdl_ipxact.exporter import IPXACTExporter
from systemrdl import RDLCompiler

from boards.ports import LIBRARY, VENDOR, VERSION, Ports
from gen.directory.ipxact import whole_component
from gen.text.escapes import markdown, rdl_string
from rtl.bus.register import Access, Register

#: Line in the search script of PeakRDL's HTML. It reads the text of a description, and the search
#: then inserts the text into the page as HTML, unescaped. `_write_site` adds the escapes.
_FOUND_TEXT = "text = el.textContent;"
_ACCESS = {
    Access.READ: "sw = r; hw = w;",
    Access.WRITE: "sw = w; hw = r;",
    Access.READ_WRITE: "sw = rw; hw = r;",
    Access.CLEAR: "sw = rw; onwrite = woclr; hw = w; hwset;",
}


def system_rdl(
    registers: Iterable[Register], name: str, described: Callable[[str], str] = str
) -> str:
    """Returns the SystemRDL text of a register map.

    Parameters
    ----------
    registers : iterable of rtl.bus.registers.Register
    name : str
        Name of the address map, which is the name of the top module.
    described : callable
        Function from the description of a register or field to the text in the SystemRDL, such as
        an escape for Markdown.
    """
    blocks = "\n".join(_register(register, described) for register in registers)
    return (
        "// SPDX-License-Identifier: BSD-2-Clause\n"
        f"addrmap {name} {{\n"
        f'    name = "{name}";\n'
        '    desc = "Registers of an engine made by Sluice.";\n'
        "    default regwidth = 32;\n"
        "    default accesswidth = 32;\n\n"
        f"{blocks}}};\n"
    )


def exports(
    registers: Iterable[Register], ports: Ports, *, html: bool = False
) -> dict[str, str | bytes]:
    """Returns the files of a register map: SystemRDL, C header, IP-XACT and, on request, HTML.

    Parameters
    ----------
    registers : iterable of rtl.bus.registers.Register
    ports : Ports
        Ports of the design, which IP-XACT describes.
    html : bool
        True adds the files of the site, below ``html/``.

    Returns
    -------
    dict of str to str or bytes
        Contents by path.
    """
    name = ports.top
    registers = list(registers)
    with tempfile.TemporaryDirectory(prefix="sluice-") as scratch:
        directory = Path(scratch)
        root = _compiled(directory / f"{name}.rdl", system_rdl(registers, name))
        # Standard gnu99: for C11 the exporter would add static assertions about the structure.
        CHeaderExporter().export(root, str(directory / f"{name}.h"), std=CStandard.gnu99)
        xml = directory / f"{name}.xml"
        exporter = IPXACTExporter(vendor=VENDOR, library=LIBRARY, version=VERSION)
        exporter.export(root, str(xml), component_name=name)
        xml.write_text(whole_component(xml.read_text("utf-8"), ports), "utf-8")
        if html:
            _write_site(directory, system_rdl(registers, name, markdown), name)
        paths = sorted(path for path in directory.rglob("*") if path.is_file())
        return {str(path.relative_to(directory)): _contents(path) for path in paths}


def _compiled(path, text):
    """Writes a text of SystemRDL; returns the root of its elaborated tree."""
    path.write_text(text, encoding="utf-8")
    compiler = RDLCompiler()
    compiler.compile_file(str(path))
    return compiler.elaborate()


def _write_site(directory, text, name):
    """Writes the HTML of a register map to ``html``.

    PeakRDL renders descriptions as Markdown, so the descriptions in ``text`` must be escaped. The
    site's search shows descriptions as HTML, so this function changes the search script to escape
    them.
    """
    with tempfile.TemporaryDirectory(prefix="sluice-") as scratch:
        root = _compiled(Path(scratch) / f"{name}.rdl", text)
        site = HTMLExporter(user_context={"build_ts": 0}, generate_source_links=False)
        site.export(root, str(directory / "html"))
    script = directory / "html" / "js" / "content_search.js"
    text_of_script = script.read_text("utf-8")
    if text_of_script.count(_FOUND_TEXT) != 1:
        raise ValueError(f"{script.name} must show the text found by {_FOUND_TEXT!r}")
    escaped = f'{_FOUND_TEXT.removesuffix(";")}.replace(/&/g, "&amp;").replace(/</g, "&lt;");'
    script.write_text(text_of_script.replace(_FOUND_TEXT, escaped), "utf-8")


def _contents(path):
    data = path.read_bytes()
    try:
        return data.decode()
    except UnicodeDecodeError:
        return data


def _register(register, described):
    fields = register.fields or (None,)
    body = "".join(_field(field, register, described) for field in fields)
    return (
        f"    reg {{\n"
        f"        desc = {rdl_string(described(register.doc))};\n"
        f"{body}"
        f"    }} {register.name} @ {register.address:#04x};\n"
    )


def _field(field, register, described):
    name, low, width = (field.name, field.low, field.width) if field else ("value", 0, 32)
    constant = register.value is not None
    access = "sw = r; hw = na;" if constant else _ACCESS[register.access]
    reset = f" = {register.value >> low & (1 << width) - 1:#x}" if constant else ""
    doc = f"desc = {rdl_string(described(field.doc))}; " if field else ""
    return f"        field {{ {doc}{access} }} {name}[{low + width - 1}:{low}]{reset};\n"

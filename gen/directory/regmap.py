"""The register map as SystemRDL, and by PeakRDL as C header, IP-XACT and HTML.

The C header, the IP-XACT and the SystemRDL itself are small and always made. The HTML is a whole
site with its scripts and fonts, some megabytes, and is made on request.
"""

import tempfile
from pathlib import Path

from peakrdl_cheader.c_standards import CStandard
from peakrdl_cheader.exporter import CHeaderExporter
from peakrdl_html import HTMLExporter
from peakrdl_ipxact.exporter import IPXACTExporter
from systemrdl import RDLCompiler

from boards.board import LIBRARY, VENDOR, VERSION, Ports
from gen.directory.ipxact import whole_component
from gen.text.escapes import markdown, rdl_string
from rtl.bus.registers import Access

#: Where PeakRDL's search reads a text of the page, which it then shows as HTML.
_FOUND_TEXT = "text = el.textContent;"
_ACCESS = {
    Access.READ: "sw = r; hw = w;",
    Access.WRITE: "sw = w; hw = r;",
    Access.READ_WRITE: "sw = rw; hw = r;",
    Access.CLEAR: "sw = rw; onwrite = woclr; hw = w; hwset;",
}


def system_rdl(registers, name, said=str):
    """SystemRDL text of a register map.

    Parameters
    ----------
    registers : iterable of rtl.bus.registers.Register
    name : str
        Of the address map: the top module's.
    said : callable
        From a description to the text that stands for it.
    """
    blocks = "\n".join(_register(register, said) for register in registers)
    return (
        "// SPDX-License-Identifier: BSD-2-Clause\n"
        f"addrmap {name} {{\n"
        f'    name = "{name}";\n'
        '    desc = "Registers of an engine made by Sluice, behind its AXI4-Lite port.";\n'
        "    default regwidth = 32;\n"
        "    default accesswidth = 32;\n\n"
        f"{blocks}}};\n"
    )


def exports(registers, ports: Ports, *, html=False):
    """Every form of a register map.

    Parameters
    ----------
    registers : iterable of rtl.bus.registers.Register
    ports : Ports
        Of the design, which IP-XACT describes as a whole.
    html : bool

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
        # What checks its structure when it is compiled would be of C11.
        CHeaderExporter().export(root, str(directory / f"{name}.h"), std=CStandard.gnu99)
        xml = directory / f"{name}.xml"
        exporter = IPXACTExporter(vendor=VENDOR, library=LIBRARY, version=VERSION)
        exporter.export(root, str(xml), component_name=name)
        xml.write_text(whole_component(xml.read_text(), ports))
        if html:
            _write_site(directory, system_rdl(registers, name, markdown), name)
        paths = sorted(path for path in directory.rglob("*") if path.is_file())
        return {str(path.relative_to(directory)): _contents(path) for path in paths}


def _compiled(path, text):
    """Writes a text of SystemRDL; returns the root of its elaborated tree."""
    path.write_text(text)
    compiler = RDLCompiler()
    compiler.compile_file(str(path))
    return compiler.elaborate()


def _write_site(directory, text, name):
    """Writes the HTML of a register map to ``html``.

    PeakRDL takes descriptions for Markdown, and the search of its site shows them as HTML.
    """
    with tempfile.TemporaryDirectory(prefix="sluice-") as scratch:
        root = _compiled(Path(scratch) / f"{name}.rdl", text)
        site = HTMLExporter(user_context={"build_ts": 0}, generate_source_links=False)
        site.export(root, str(directory / "html"))
    script = directory / "html" / "js" / "content_search.js"
    found = script.read_text()
    if found.count(_FOUND_TEXT) != 1:
        raise ValueError(f"{script.name} must show the text found by {_FOUND_TEXT!r}")
    shown = f'{_FOUND_TEXT.removesuffix(";")}.replace(/&/g, "&amp;").replace(/</g, "&lt;");'
    script.write_text(found.replace(_FOUND_TEXT, shown))


def _contents(path):
    data = path.read_bytes()
    try:
        return data.decode()
    except UnicodeDecodeError:
        return data


def _register(register, said):
    fields = register.fields or (None,)
    body = "".join(_field(field, register, said) for field in fields)
    return (
        f"    reg {{\n"
        f"        desc = {rdl_string(said(register.doc))};\n"
        f"{body}"
        f"    }} {register.name} @ {register.address:#04x};\n"
    )


def _field(field, register, said):
    name, low, width = (field.name, field.low, field.width) if field else ("value", 0, 32)
    constant = register.value is not None
    access = "sw = r; hw = na;" if constant else _ACCESS[register.access]
    reset = f" = {register.value >> low & (1 << width) - 1:#x}" if constant else ""
    doc = f"desc = {rdl_string(said(field.doc))}; " if field else ""
    return f"        field {{ {doc}{access} }} {name}[{low + width - 1}:{low}]{reset};\n"

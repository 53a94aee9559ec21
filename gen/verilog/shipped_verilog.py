"""Amaranth to the Verilog that is shipped: Verilog-2005, flat ports, the same bytes every time."""

import re
from itertools import count
from pathlib import Path

from caching.entries import build_once, content_key
from gen.verilog import memory_contents as contents_module
from gen.verilog import unused_wires as unused
from gen.verilog.elaboration import to_rtlil, top_rtlil
from gen.verilog.memory_contents import without_contents
from gen.verilog.yosys import run, version

LICENSE = "BSD-2-Clause"
_INTERNAL = ("generator", "top", "src", "amaranth.hierarchy", "amaranth.decoding")
_NEWER = re.compile(r"\b(always_(ff|comb|latch)|logic|typedef|interface|endinterface|unique)\b")
_BUS_ATTRIBUTE = re.compile(r"  \(\* X_INTERFACE\w+ = [^\n]*\n(?=(  \(\*[^\n]*\n)*  (wire|reg) )")
#: What each ``always @*`` of a module begins with in Yosys's text: its name in the module.
_TRIGGER = re.compile(r"( +)reg (\\\$auto\$verilog_backend\.cc:\S+ ) = 0;")
#: A part of a register beside parts that blocks assign; Yosys gives these no such start.
_PART = re.compile(r"  always @\*\n    ([^\n]* = [^\n]*;)\n")
_MODULE = re.compile(r"^(?=module )", re.MULTILINE)
#: Quartus's value of ``ramstyle`` for each ``ram_style`` of Xilinx's tools. UltraRAM has no
#: counterpart, so it is block RAM there. A block RAM may give anything for an address that is
#: written in the same cycle (:class:`rtl.memory.block.BlockMemory`), so it needs no bypass; the
#: small memories of MLABs are read without a clock, and keep what they do.
_RAM_STYLE = re.compile(r'^( *)\(\* ram_style = "(\w+)" \*\)$', re.MULTILINE)
_QUARTUS = {"block": "no_rw_check, M20K", "ultra": "no_rw_check, M20K", "distributed": "MLAB"}
_ESCAPED = re.compile(r"\\(\S+)\s")
_PLAIN = re.compile(r"[A-Za-z_][A-Za-z0-9_$]*")


def convert(component, name, cache=None):
    """Verilog text of a component.

    Modules below the top are called ``<name>_<path>``, so that two designs of different names can
    be part of one. No identifier is escaped, no path or date is in the text, and it depends on
    nothing but the component and the versions of Amaranth and Yosys.

    Parameters
    ----------
    component : amaranth.lib.wiring.Component
        Its members become ports, under their own names.
    name : str
        Of the top module.
    cache : path-like or None
        Directory in which texts are kept by what they were made of.
    """
    source = to_rtlil(component, name)
    return _converted(source) if cache is None else _kept(source, cache)


def verilog_of(design, name, cache):
    """Verilog text of a design with its bus; elaborates it only the first time.

    Parameters
    ----------
    design : object
        See :func:`gen.verilog.elaboration.core_rtlil`.
    name : str
        Of the top module.
    cache : path-like
        Directory in which results are kept.
    """
    return _kept(top_rtlil(design, name, cache), cache)


def _kept(source, cache):
    file = f"{source.top}.v"
    own = __file__, unused.__file__, contents_module.__file__
    written = (Path(file).read_bytes() for file in own)
    key = content_key(source.digest, source.top, version(), *written)

    def build(directory):
        (directory / file).write_text(_converted(source))

    return (build_once(Path(cache) / "verilog", key, build) / file).read_text()


def _converted(source):
    name = source.top
    removed = " ".join(f"-remove {attribute}" for attribute in _INTERNAL)
    script = (
        f"read_rtlil top.il; proc -nomux -norom; memory_collect; attrmap {removed}; "
        f"attrmap -modattr {removed}; write_verilog top.v"
    )
    given = without_contents(source.read(), _of_block_ram)
    text = run(script, {"top.il": given}, ["top.v"])["top.v"]
    modules = _MODULE.split(text.partition("\n")[2].lstrip("\n"))
    body = _plain_names("".join(map(_begun, modules)))
    body = _BUS_ATTRIBUTE.sub("", body)  # on the ports themselves they stay
    body = _for_quartus(unused.without_unused(_ordered(body, name, source.ports)))
    if newer := _NEWER.search(_without_strings(body)):
        raise ValueError(f"Verilog must be of 2005, not with {newer[0]}")
    return f"{_header(name)}\n{body}"


def _for_quartus(text):
    """The text with a ``ramstyle`` behind each ``ram_style``."""

    def both(found):
        indent, style = found.groups()
        return f'{found[0]}\n{indent}(* ramstyle = "{_QUARTUS[style]}" *)'

    return _RAM_STYLE.sub(both, text)


def _of_block_ram(contents):
    """Block RAM comes up with anything in it: a zero for each entry would be most of the text."""
    return contents.words >= 512


def _header(name):
    return (
        f"// SPDX-License-Identifier: {LICENSE}\n"
        f"// {name}: made by Sluice (Amaranth, {version()}). Do not edit.\n"
    )


def _begun(module):
    """The text of a module in which every combinational block runs at the start.

    Yosys has each block look at a register that is never set. Its initial value is no event in some
    simulators, and a block that depends on registers alone is undefined there until one changes;
    set a moment after time 0 it is an event in all.
    """
    found = _TRIGGER.search(module)
    if found is None:
        return module
    indent, trigger = found.groups()
    begin = f"{indent}reg {trigger};\n{indent}initial {trigger} <= 1'h0;"

    def whole(part):
        return f"  always @* begin\n    if ({trigger}) begin end\n    {part[1]}\n  end\n"

    return _PART.sub(whole, module.replace(found[0], begin, 1))


def _plain_names(text):
    """The text without escaped identifiers: each is spelled with letters, digits and ``_``.

    The same name becomes the same one everywhere, so ports and their connections stay together;
    a number is added where the plain spelling is in use.
    """
    used = set(_PLAIN.findall(text))
    plain = {}
    for name in _ESCAPED.findall(text):
        if name not in plain:
            wish = "never" if "$verilog_backend.cc:" in name else _spelled(name)
            plain[name] = _free(wish, used)
            used.add(plain[name])
    return _ESCAPED.sub(lambda match: plain[match[1]], text)


def _ordered(text, top, ports):
    """The text with the port list of the top in the order of its members."""
    head = re.compile(rf"module {top}\(([^)]*)\);")
    given = re.split(r"\s*,\s*", head.search(text)[1].strip())
    order = sorted(given, key=lambda port: ports.index(port) if port in ports else len(ports))
    return head.sub(f"module {top}({', '.join(order)});", text, count=1)


def _spelled(name):
    letters = re.sub(r"[^A-Za-z0-9_]+", "_", name).strip("_")
    return letters if letters[:1].isalpha() else f"n_{letters}"


def _free(wish, used):
    if wish not in used:
        return wish
    return next(f"{wish}_{k}" for k in count(2) if f"{wish}_{k}" not in used)


def _without_strings(text):
    return re.sub(r'"[^"\n]*"', '""', text)

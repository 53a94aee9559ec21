"""Writes the shipped Verilog: Verilog-2005 with flat ports, the same bytes every time."""

import re
from os import PathLike
from pathlib import Path
from typing import Any

from caching.entries import build_once, content_key
from gen.verilog import free_name as names_module
from gen.verilog import memory_contents as contents_module
from gen.verilog import next_states
from gen.verilog import unused_wires as unused
from gen.verilog import zeroed_memories as zeroed
from gen.verilog.elaboration import to_rtlil, top_rtlil
from gen.verilog.free_name import free_name
from gen.verilog.memory_contents import without_contents
from gen.verilog.yosys import run, version

LICENSE = "BSD-2-Clause"
_INTERNAL = ("generator", "top", "src", "amaranth.hierarchy", "amaranth.decoding")
_NEWER = re.compile(r"\b(always_(ff|comb|latch)|logic|typedef|interface|endinterface|unique)\b")
_BUS_ATTRIBUTE = re.compile(r"  \(\* X_INTERFACE\w+ = [^\n]*\n(?=(  \(\*[^\n]*\n)*  (wire|reg) )")
#: Register that each ``always @*`` of a module reads first in Yosys's text.
_TRIGGER = re.compile(r"( +)reg (\\\$auto\$verilog_backend\.cc:\S+ ) = 0;")
#: An ``always @*`` that assigns part of a register; Yosys adds no such register there.
_PART = re.compile(r"  always @\*\n    ([^\n]* = [^\n]*;)\n")
_MODULE = re.compile(r"^(?=module )", re.MULTILINE)
#: Quartus's value of ``ramstyle`` for each ``ram_style`` of Xilinx's tools. UltraRAM has no
#: counterpart, so it becomes block RAM. A block RAM may return any word for an address that is
#: written in the same cycle (:class:`rtl.memory.block.BlockMemory`), so it needs no bypass. The
#: small memories of MLABs are read without a clock, and need their bypass.
_RAM_STYLE = re.compile(r'^( *)\(\* ram_style = "(\w+)" \*\)$', re.MULTILINE)
_QUARTUS = {"block": "no_rw_check, M20K", "ultra": "no_rw_check, M20K", "distributed": "MLAB"}
_ESCAPED = re.compile(r"\\(\S+)\s")
_PLAIN = re.compile(r"[A-Za-z_][A-Za-z0-9_$]*")


def convert(component: Any, name: str, cache: str | PathLike | None = None) -> str:
    """Returns the Verilog text of a component.

    Modules below the top are called ``<name>_<path>``, so that two designs with different names can
    be parts of one design. The text has no escaped identifier, no path and no date. It depends only
    on the component and on the versions of Amaranth and Yosys.

    Parameters
    ----------
    component : amaranth.lib.wiring.Component
        The members become ports, under their own names.
    name : str
        Name of the top module.
    cache : path-like or None
        Directory of the cache; None for no cache.
    """
    source = to_rtlil(component, name)
    return _converted(source) if cache is None else _cached(source, cache)


def verilog_of(design: Any, name: str, cache: str | PathLike) -> str:
    """Returns the Verilog text of a design with its bus; elaborates the design only once.

    Parameters
    ----------
    design : object
        See :func:`gen.verilog.elaboration.core_rtlil`.
    name : str
        Name of the top module.
    cache : path-like
        Directory of the cache.
    """
    return _cached(top_rtlil(design, name, cache), cache)


def _cached(source, cache):
    file = f"{source.top}.v"
    modules = (unused, contents_module, zeroed, names_module, next_states)
    paths = __file__, *(module.__file__ for module in modules)
    written = (Path(path).read_bytes() for path in paths)
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
    source_text = without_contents(source.read(), _has_many_zeros)
    text = run(script, {"top.il": source_text}, ["top.v"])["top.v"]
    modules = _MODULE.split(text.partition("\n")[2].lstrip("\n"))
    body = _plain_names("".join(map(_begun, modules)))
    body = _BUS_ATTRIBUTE.sub("", body)  # on the ports themselves they stay
    body = _for_quartus(unused.without_unused(_ordered(body, name, source.ports)))
    body = zeroed.with_zeroed_memories(body)
    body = next_states.with_named_next_states(body)
    if newer := _NEWER.search(_without_strings(body)):
        raise ValueError(f"Verilog must be of 2005, not with {newer[0]}")
    return f"{_header(name)}\n{body}"


def _for_quartus(text):
    """Returns the text with a ``ramstyle`` behind each ``ram_style``."""

    def both(match):
        indent, style = match.groups()
        return f'{match[0]}\n{indent}(* ramstyle = "{_QUARTUS[style]}" *)'

    return _RAM_STYLE.sub(both, text)


def _has_many_zeros(contents):
    """True for memories whose zeros, a line for each word, would be most of the text."""
    return contents.zeros and contents.words >= zeroed.LOOPED_WORDS


def _header(name):
    return (
        f"// SPDX-License-Identifier: {LICENSE}\n"
        f"// {name}: made by Sluice (Amaranth, {version()}). Do not edit.\n"
    )


def _begun(module):
    """Returns the text of a module in which every combinational block runs at time 0.

    Yosys lets each block read a register that is never set. In some simulators the initial value of
    this register is no event. A block that reads only registers is undefined there until one of the
    registers changes. An assignment just after time 0 is an event in all simulators.
    """
    match = _TRIGGER.search(module)
    if match is None:
        return module
    indent, trigger = match.groups()
    begin = f"{indent}reg {trigger};\n{indent}initial {trigger} <= 1'h0;"

    def whole(part):
        return f"  always @* begin\n    if ({trigger}) begin end\n    {part[1]}\n  end\n"

    return _PART.sub(whole, module.replace(match[0], begin, 1))


def _plain_names(text):
    """Returns the text with each escaped identifier spelled in letters, digits and ``_``.

    Equal names become equal names everywhere, so ports and their connections still match. If the
    plain spelling is in use, a number is added.
    """
    used = set(_PLAIN.findall(text))
    plain = {}
    for name in _ESCAPED.findall(text):
        if name not in plain:
            wish = "never" if "$verilog_backend.cc:" in name else _spelled(name)
            plain[name] = free_name(wish, used)
            used.add(plain[name])
    return _ESCAPED.sub(lambda match: plain[match[1]], text)


def _ordered(text, top, ports):
    """Returns the text with the port list of the top in the order of the component's members."""
    head = re.compile(rf"module {top}\(([^)]*)\);")
    names = re.split(r"\s*,\s*", head.search(text)[1].strip())
    order = sorted(names, key=lambda port: ports.index(port) if port in ports else len(ports))
    return head.sub(f"module {top}({', '.join(order)});", text, count=1)


def _spelled(name):
    letters = re.sub(r"[^A-Za-z0-9_]+", "_", name).strip("_")
    return letters if letters[:1].isalpha() else f"n_{letters}"


def _without_strings(text):
    return re.sub(r'"[^"\n]*"', '""', text)

"""Elaborates components to RTLIL, and caches the RTLIL of a design.

A cache entry is found by a hash of everything that the RTLIL depends on, so a later run creates no
component. Verilog and reports are then found by the digest of the RTLIL, without reading its text.
"""

import gc
import json
import platform
import re
import zlib
from collections.abc import Callable
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial
from importlib.metadata import version as package_version
from inspect import getsourcefile
from os import PathLike
from pathlib import Path
from typing import Any

from amaranth.back import rtlil
from amaranth.hdl import Const, Value
from amaranth.hdl._ir import PortDirection
from amaranth.lib.wiring import In

import query
import rtl
from caching.entries import build_once, content_key
from gen.verilog import memory_contents as contents_module
from gen.verilog import memory_emission as emission_module
from gen.verilog.memory_contents import without_contents
from gen.verilog.memory_emission import rows_of_memories
from rtl.bus.faced_top import top_of

TEXT, ABOUT = "design.il.z", "about.json"


@dataclass(frozen=True, kw_only=True)
class Rtlil:
    """RTLIL of a component.

    Attributes
    ----------
    top : str
        Name of the top module.
    ports : tuple of str
        Ports of the top module, in the order of the component's members.
    digest : str
        Hash of the text: equal texts have equal digests.
    read : callable
        Returns the text, which is long: 8 million characters for swag with 128 cells.
    """

    top: str
    ports: tuple[str, ...]
    digest: str
    read: Callable[[], str] = field(repr=False, compare=False)


def to_rtlil(component: Any, top: str = "top") -> Rtlil:
    """Elaborates a component, and returns its RTLIL with all members as ports.

    A stream that is always ready has no port ``ready``, and a stream that is always valid has no
    port ``valid``, because they are constants.

    Parameters
    ----------
    component : amaranth.lib.wiring.Component
    top : str
        Name of the component's module.

    Returns
    -------
    Rtlil
    """
    with _no_garbage_collected(), rows_of_memories():
        text = rtlil.convert(component, name=top, ports=_ports(component), emit_src=False)
    members = {path[0]: port for path, _, port in component.signature.flatten(component)}
    text = without_contents(_with_own_attributes(text, top, members), _of_ultra_ram)
    return Rtlil(top=top, ports=tuple(members), digest=content_key(text), read=lambda: text)


def _ports(component):
    """Returns the ports of a component without constants, which Amaranth accepts for no port."""
    ports = {}
    for path, member, value in component.signature.flatten(component):
        if isinstance(value := Value.cast(value), Const):
            continue
        direction = PortDirection.Input if member.flow == In else PortDirection.Output
        ports["__".join(map(str, path))] = value, direction
    return ports


@contextmanager
def _no_garbage_collected():
    """Switches the garbage collector off during the block.

    amaranth creates millions of objects that live to the end. Searching them for garbage again and
    again would take half of the time.
    """
    enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if enabled:
            gc.enable()


def _with_own_attributes(text, top, ports):
    """Returns the text in which each port of the top has its own attributes.

    amaranth stores attributes by the driver of a signal. So two ports that are constant 0, or that
    one register drives, would both have the attributes of the second port.
    """
    attributes = {name: getattr(port, "attrs", {}) for name, port in ports.items()}
    names = "|".join(map(re.escape, {name for own in attributes.values() for name in own}))
    if not names:
        return text
    begin = text.index(f"module \\{top}\n")
    end = text.index("\nend\n", begin)
    wire = re.compile(
        rf'((?:  attribute \\(?:{names}) "[^"\n]*"\n)*)'
        r"(  wire width \d+ (?:input|output) \d+ +\\(\S+)\n)"
    )

    def replaced(match):
        own = attributes.get(match[3], {})
        return "".join(f'  attribute \\{n} "{v}"\n' for n, v in own.items()) + match[2]

    return text[:begin] + wire.sub(replaced, text[begin:end]) + text[end:]


def _of_ultra_ram(contents):
    """True for the contents of UltraRAM, which cannot have initial contents."""
    return contents.style == "ultra"


def core_rtlil(design: Any, cache: str | PathLike) -> Rtlil:
    """Returns the RTLIL of a design's core, with its streams as ports; the top is ``top``.

    Parameters
    ----------
    design : object
        ``create()`` returns the core, and ``configuration()`` returns as plain data everything that
        the core, and a bus around it, depend on.
    cache : path-like
        Directory of the cache.

    Returns
    -------
    Rtlil
    """
    return _cached(design, "top", cache, with_bus=False)


def top_rtlil(design: Any, name: str, cache: str | PathLike) -> Rtlil:
    """Returns the RTLIL of a design with its bus, as it is shipped; the top is ``name``.

    For the parameters see :func:`core_rtlil`.
    """
    return _cached(design, name, cache, with_bus=True)


def sources() -> str:
    """Returns a hash of all files of ``rtl`` and ``query``: any line may change the hardware."""
    parts = []
    for package in (rtl, query):
        root = Path(package.__path__[0])
        for path in sorted(root.rglob("*")):
            if path.is_file() and "__pycache__" not in path.parts:
                parts += [path.relative_to(root.parent).as_posix(), path.read_bytes()]
    return content_key(*parts)


def defining_file(create: Callable) -> Path:
    """Returns the file that defines a function, method or class, also inside a ``partial``."""
    while isinstance(create, partial):
        create = create.func
    return Path(getsourcefile(create) or "")


def _cached(design, top, cache, with_bus):
    configuration = json.dumps(design.configuration(), sort_keys=True)
    tools = platform.python_version(), package_version("amaranth")
    # An engine may be outside of rtl, in one file.
    own = (Path(module.__file__) for module in (contents_module, emission_module))
    files = defining_file(design.create), Path(__file__), *own
    contents = [file.read_bytes() for file in files]
    key = content_key(configuration, top, with_bus, *tools, *contents, sources())

    def build(directory):
        component_rtlil = to_rtlil(top_of(design) if with_bus else design.create(), top)
        (directory / TEXT).write_bytes(zlib.compress(component_rtlil.read().encode(), 1))
        about = {"ports": component_rtlil.ports, "digest": component_rtlil.digest}
        (directory / ABOUT).write_text(json.dumps(about))

    directory = build_once(Path(cache) / "rtlil", key, build)
    about = json.loads((directory / ABOUT).read_text())

    def read():
        return zlib.decompress((directory / TEXT).read_bytes()).decode()

    return Rtlil(top=top, ports=tuple(about["ports"]), digest=about["digest"], read=read)

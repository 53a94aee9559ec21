"""Components as RTLIL; that of a design is kept, so that it is elaborated once.

What is kept lies under a hash of all that it depends on, not of itself: to find it makes no
component. Verilog and reports are then found by the digest of the text, which need not be read.
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
from pathlib import Path

from amaranth.back import rtlil

import query
import rtl
from caching.entries import build_once, content_key
from gen.verilog import memory_contents as contents_module
from gen.verilog.memory_contents import without_contents
from rtl.bus.faced import top_of

TEXT, ABOUT = "design.il.z", "about.json"


@dataclass(frozen=True, kw_only=True)
class Rtlil:
    """RTLIL of a component.

    Attributes
    ----------
    top : str
        Name of the top module.
    ports : tuple of str
        Its ports, in the order of the component's members.
    digest : str
        Hash of the text: equal texts have equal digests.
    read : callable
        Gives the text, which is long: 8 million characters for swag with 128 cells.
    """

    top: str
    ports: tuple[str, ...]
    digest: str
    read: Callable[[], str] = field(repr=False, compare=False)


def to_rtlil(component, top="top"):
    """RTLIL of a component, all of its members as ports; elaborates it.

    Parameters
    ----------
    component : amaranth.lib.wiring.Component
    top : str
        Name of its module.

    Returns
    -------
    Rtlil
    """
    with _no_garbage_collected():
        text = rtlil.convert(component, name=top, emit_src=False)
    members = {path[0]: port for path, _, port in component.signature.flatten(component)}
    text = without_contents(_with_own_attributes(text, top, members), _of_ultra_ram)
    return Rtlil(top=top, ports=tuple(members), digest=content_key(text), read=lambda: text)


@contextmanager
def _no_garbage_collected():
    """amaranth makes millions of objects that live to the end: to look for garbage among them again
    and again takes half the time."""
    enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if enabled:
            gc.enable()


def _with_own_attributes(text, top, ports):
    """The text in which each port of the top has the attributes that it was given.

    amaranth keeps them by what drives a signal, so that of two ports that always are 0, or that
    one register drives, both have those of the last.
    """
    attributes = {name: getattr(port, "attrs", {}) for name, port in ports.items()}
    known = "|".join(map(re.escape, {name for own in attributes.values() for name in own}))
    if not known:
        return text
    begin = text.index(f"module \\{top}\n")
    end = text.index("\nend\n", begin)
    wire = re.compile(
        rf'((?:  attribute \\(?:{known}) "[^"\n]*"\n)*)'
        r"(  wire width \d+ (?:input|output) \d+ +\\(\S+)\n)"
    )

    def own(match):
        given = attributes.get(match[3], {})
        return "".join(f'  attribute \\{n} "{v}"\n' for n, v in given.items()) + match[2]

    return text[:begin] + wire.sub(own, text[begin:end]) + text[end:]


def _of_ultra_ram(contents):
    """UltraRAM cannot be given any."""
    return contents.style == "ultra"


def core_rtlil(design, cache):
    """RTLIL of a design's core, its streams as ports; the top is called ``top``.

    Parameters
    ----------
    design : object
        ``create()`` makes the core, and ``configuration()`` says as plain data all that the core,
        and a bus around it, depend on.
    cache : path-like
        Directory in which results are kept.

    Returns
    -------
    Rtlil
    """
    return _kept(design, "top", cache, with_bus=False)


def top_rtlil(design, name, cache):
    """RTLIL of a design with its bus, as it is shipped; the top is called ``name``.

    For the parameters see :func:`core_rtlil`.
    """
    return _kept(design, name, cache, with_bus=True)


def sources():
    """Hash of every file of ``rtl`` and ``query``: a changed line may be other hardware."""
    parts = []
    for package in (rtl, query):
        root = Path(package.__file__).parent
        for path in sorted(root.rglob("*")):
            if path.is_file() and "__pycache__" not in path.parts:
                parts += [path.relative_to(root.parent).as_posix(), path.read_bytes()]
    return content_key(*parts)


def defining_file(create):
    """The file of a function, method or class, the one that ``functools.partial`` goes round."""
    while isinstance(create, partial):
        create = create.func
    return Path(getsourcefile(create))


def _kept(design, top, cache, with_bus):
    configuration = json.dumps(design.configuration(), sort_keys=True)
    tools = platform.python_version(), package_version("amaranth")
    # An engine may be outside of rtl, in one file.
    own = defining_file(design.create), Path(__file__), Path(contents_module.__file__)
    files = [file.read_bytes() for file in own]
    key = content_key(configuration, top, with_bus, *tools, *files, sources())

    def build(directory):
        made = to_rtlil(top_of(design) if with_bus else design.create(), top)
        (directory / TEXT).write_bytes(zlib.compress(made.read().encode(), 1))
        about = {"ports": made.ports, "digest": made.digest}
        (directory / ABOUT).write_text(json.dumps(about))

    directory = build_once(Path(cache) / "rtlil", key, build)
    about = json.loads((directory / ABOUT).read_text())

    def read():
        return zlib.decompress((directory / TEXT).read_bytes()).decode()

    return Rtlil(top=top, ports=tuple(about["ports"]), digest=about["digest"], read=read)

"""Checks that a design is elaborated once, and again after a change of the sources."""

import os
import re
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

import pytest
from amaranth.hdl import Module
from amaranth.lib import stream
from amaranth.lib.memory import Memory
from amaranth.lib.wiring import Component, In, Out

import rtl
from gen.verilog import elaboration
from gen.verilog.elaboration import core_rtlil, sources, to_rtlil, top_rtlil
from gen.verilog.shipped_verilog import convert, verilog_of
from query.parser import parse
from rtl.bus.top import AxiTop
from rtl.engine import ENGINES
from rtl.memory.block import BlockMemory
from tb.gen.designs import Adder, Reduced

QUERY = "CREATE INPUT STREAM S (g uint(8), v int(8)); SELECT g, min(v) FROM S GROUP BY g;"


@dataclass(frozen=True)
class Adding:
    """Smallest design for elaboration; ``core_widths`` has an entry for each created core."""

    core_widths: list
    width: int = 4
    about: str = "adding"
    component: type = Reduced

    def configuration(self):
        return {"width": self.width, "about": self.about}

    def create(self):
        self.core_widths.append(self.width)
        return self.component(self.width)


@pytest.fixture
def adding(monkeypatch):
    monkeypatch.setattr(elaboration, "top_of", lambda design: design.create())
    return Adding([])


def test_elaborated_once(adding, tmp_path):
    first, again = (core_rtlil(adding, tmp_path) for _ in range(2))
    assert adding.core_widths == [4]
    assert first == again == to_rtlil(Reduced(4))
    assert first.ports == ("i", "o")
    assert first.read() == again.read() == to_rtlil(Reduced(4)).read()


def test_elaborated_again_for_another(adding, tmp_path):
    core_rtlil(adding, tmp_path)
    assert top_rtlil(adding, "top", tmp_path).top == "top"
    assert "module \\other" in top_rtlil(adding, "other", tmp_path).read()
    core_rtlil(replace(adding, width=5), tmp_path)
    core_rtlil(replace(adding, about="another with the same core"), tmp_path)
    assert adding.core_widths == [4, 4, 4, 5, 4]


def test_equal_text_has_equal_digest(adding, tmp_path):
    alike = core_rtlil(replace(adding, about="alike"), tmp_path)
    assert alike == core_rtlil(adding, tmp_path)
    assert alike.digest != core_rtlil(replace(adding, width=5), tmp_path).digest
    assert alike.digest != core_rtlil(replace(adding, about="+", component=Sum), tmp_path).digest


def test_changed_sources_are_elaborated_again(adding, tmp_path, monkeypatch):
    core_rtlil(adding, tmp_path)
    monkeypatch.setattr(elaboration, "sources", lambda: "changed")
    core_rtlil(adding, tmp_path)
    assert adding.core_widths == [4, 4]


def test_sources_are_those_of_every_file(tmp_path, monkeypatch):
    """A changed line, a new name and a new file count; compiled Python files do not."""
    monkeypatch.setattr(rtl, "__path__", [str(tmp_path / "rtl")])
    (tmp_path / "rtl" / "sort").mkdir(parents=True)
    file = tmp_path / "rtl" / "sort" / "a.py"
    seen = [sources()]
    for text in ("x = 1", "x = 2", ""):
        file.write_text(text)
        seen.append(sources())
    file.rename(file.with_name("b.py"))
    seen.append(sources())
    assert len(set(seen)) == len(seen)
    (tmp_path / "rtl" / "__pycache__").mkdir()
    (tmp_path / "rtl" / "__pycache__" / "a.pyc").write_text("compiled")
    os.utime(file.with_name("b.py"), (0, 0))
    assert sources() == seen[-1]


def test_an_engine_outside_of_rtl_counts_with_its_file(tmp_path, monkeypatch):
    """``create`` may be a method, a function, or a partial function."""
    adding = Adding([])
    for create in (adding.create, Sum, partial(Sum, 4), partial(partial(Sum), 4)):
        assert elaboration.defining_file(create) == Path(__file__)
    core_rtlil(adding, tmp_path)
    elsewhere = tmp_path / "engine.py"
    elsewhere.write_text("a changed engine")
    monkeypatch.setattr(elaboration, "defining_file", lambda create: elsewhere)
    core_rtlil(adding, tmp_path)
    assert adding.core_widths == [4, 4]


@pytest.mark.in_turn(5)
def test_verilog_is_that_of_the_component(tmp_path, monkeypatch):
    design = ENGINES["group-by"](query=parse(QUERY), lanes=2)
    text = verilog_of(design, "sluice_small", tmp_path)
    assert text == convert(AxiTop(design), "sluice_small")
    monkeypatch.setattr(elaboration, "to_rtlil", lambda *_: pytest.fail("elaborated again"))
    assert verilog_of(design, "sluice_small", tmp_path) == text


class Sum(Adder):
    """Adder that this file defines."""


def test_memories_of_ultra_ram_alone_have_no_contents():
    """The design has a module for each kind of memory, and a module with memories of all kinds."""

    class Memories(Component):
        i: In(8)

        def elaborate(self, platform):
            m = Module()
            for kind in ("block", "ultra"):
                m.submodules[kind] = BlockMemory(40, 64, kind)
                attrs = {"ram_style": kind, "other": "x"}
                m.submodules[f"{kind}_here"] = own_values = Memory(
                    shape=9, depth=128, init=[5], attrs=attrs
                )
                m.d.comb += own_values.read_port().addr.eq(self.i)
            return m

    text = to_rtlil(Memories()).read()
    modules = [part for part in text.split("\nmodule ") if "  memory " in part]
    initialised = sorted(
        (part.count('ram_style "ultra"'), part.count('ram_style "block"'), part.count("$meminit"))
        for part in modules
    )
    assert initialised == [(0, 1, 1), (1, 0, 0), (1, 1, 1)]
    assert 'MEMID "\\\\block_here"' in text


def test_constants_of_a_stream_are_no_ports():
    """The stream ``i`` is always ready, and the stream ``o`` is always valid as well."""

    class Doubler(Component):
        i: In(stream.Signature(8, always_ready=True))
        o: Out(stream.Signature(9, always_valid=True, always_ready=True))

        def elaborate(self, platform):
            m = Module()
            m.d.comb += self.o.payload.eq(self.i.payload << 1)
            return m

    text = to_rtlil(Doubler()).read()
    ports = re.findall(r"wire width (\d+) (input|output) \d+ +\\(\S+)", text)
    assert sorted(ports) == [
        ("1", "input", "i__valid"),
        ("8", "input", "i__payload"),
        ("9", "output", "o__payload"),
    ]

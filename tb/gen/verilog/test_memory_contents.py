"""Checks that exactly the requested initial contents of memories are removed."""

import pytest
from amaranth.hdl import Module
from amaranth.lib.memory import Memory
from amaranth.lib.wiring import Component, In, Out

from gen.verilog.elaboration import to_rtlil
from gen.verilog.memory_contents import Contents, without_contents

#: Of each memory of a module: its style, its contents, and how many words it has.
MEMORIES = {"a": ("", [], 8), "b": ("block", [0, 5], 600), "c": ("distributed", [], 16)}


class Part(Component):
    """A module with all of `MEMORIES`, and in it another with the first, in another style."""

    i: In(3)
    o: Out(9)

    def __init__(self, memories, parts=()):
        super().__init__()
        self._memories = memories
        self._parts = parts

    def elaborate(self, platform):
        m = Module()
        for at, part in enumerate(self._parts):
            m.submodules[f"part{at}"] = part
            m.d.comb += part.i.eq(self.i)
        for name, (style, init, words) in self._memories.items():
            attrs = {"other": "x"} | ({"ram_style": style} if style else {}) | {"then": "y"}
            m.submodules[name] = memory = Memory(shape=9, depth=words, init=init, attrs=attrs)
            port = memory.read_port()
            m.d.comb += [port.addr.eq(self.i), self.o.eq(port.data)]
        return m


@pytest.fixture(scope="module")
def text():
    return to_rtlil(Part({"a": MEMORIES["a"]}, [Part(MEMORIES | {"a": ("block", [], 8)})])).read()


def test_each_is_asked_for_with_what_it_is(text):
    """The names are the same in two modules, and the memories are others."""
    requested = []
    assert without_contents(text, requested.append) == text  # None is no
    assert sorted(requested, key=str) == sorted(
        [
            Contents(style="", words=8, zeros=True),
            Contents(style="block", words=8, zeros=True),
            Contents(style="block", words=600, zeros=False),
            Contents(style="distributed", words=16, zeros=True),
        ],
        key=str,
    )


@pytest.mark.parametrize(
    ("which", "left"),
    [
        (lambda contents: contents.style == "block", [16, 8]),
        (lambda contents: contents.words >= 16, [8, 8]),
        (lambda contents: contents.zeros, [600]),
        (lambda contents: True, []),
    ],
)
def test_those_that_are_meant_go_and_nothing_else(text, which, left):
    result = without_contents(text, which)
    present = []
    without_contents(result, lambda contents: present.append(contents.words))
    assert sorted(present) == sorted(left)
    assert result.count("$meminit") == len(left)
    for saved in ("  memory ", "$memrd", "\nend\n", "\nmodule ", "attribute \\other"):
        assert result.count(saved) == text.count(saved)

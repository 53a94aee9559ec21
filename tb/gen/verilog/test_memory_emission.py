"""Checks that memories have the text that amaranth writes."""

import random

import pytest
from amaranth.back import rtlil
from amaranth.hdl import Module, signed, unsigned
from amaranth.lib.memory import Memory
from amaranth.lib.wiring import Component, Out

from gen.verilog.memory_emission import RowEmitter, rows_of_memories


class Stored(Component):
    """Memories with these contents, each with a read port."""

    def __init__(self, *contents):
        self.contents = contents
        super().__init__({f"o{n}": Out(shape) for n, (shape, _) in enumerate(contents)})

    def elaborate(self, platform):
        m = Module()
        for n, (shape, init) in enumerate(self.contents):
            memory = Memory(shape=shape, depth=max(1, len(init)), init=init)
            m.submodules[f"memory{n}"] = memory
            m.d.comb += getattr(self, f"o{n}").eq(memory.read_port().data)
        return m


def test_the_text_is_that_of_amaranth():
    """Contents of random bits, zeros, one row, rows of one bit, negative rows, and no rows."""
    rng = random.Random(4)
    contents = (
        (unsigned(7), [rng.getrandbits(7) for _ in range(9)]),
        (unsigned(70), [rng.getrandbits(70) for _ in range(4)]),
        (unsigned(1), [1, 0, 1]),
        (unsigned(5), [0] * 8),
        (unsigned(3), [6]),
        (signed(5), [-1, -16, 15, 0]),
        (unsigned(3), []),
    )
    expected = rtlil.convert(Stored(*contents), emit_src=False)
    with rows_of_memories():
        assert rtlil.ModuleEmitter is RowEmitter
        assert rtlil.convert(Stored(*contents), emit_src=False) == expected
    assert expected.count("$meminit_v2") == len(contents)


def test_amaranth_is_as_before_after_an_error():
    usual = rtlil.ModuleEmitter
    with pytest.raises(TypeError), rows_of_memories():
        rtlil.convert(None)
    assert rtlil.ModuleEmitter is usual is not RowEmitter

"""Checks the shipped Verilog of adder and float order on all 2**32 pairs of half precision.

Verilator compiles the Verilog into one loop with a specification in C++ (every_half.h), which
computes with doubles. A shard has a sixteenth of the left operands and all right operands.
"""

import ctypes
from pathlib import Path

import pytest
from amaranth.hdl import Module
from amaranth.lib import wiring
from amaranth.lib.wiring import In, Out

from gen.verilog.shipped_verilog import convert
from rtl.float.adder import FloatAdder
from rtl.float.format import HALF
from rtl.stream import order
from sim.verilator import shared_library

pytestmark = [pytest.mark.hdl, pytest.mark.regress]

HEADER = Path(__file__).with_name("every_half.h")
GLUE = """#include "{top}.h"
#include "every_half.h"
extern "C" uint64_t check(uint32_t begin, uint32_t end) {{
    VerilatedContext context;
    {top} model{{&context}};
    return {call};
}}
"""
NONE = 2**64 - 1
SHARDS = 16
LEFT_COUNT = 1 << 16


class Order(wiring.Component):
    """The hardware's comparisons of floats, for two halves."""

    left: In(16)
    right: In(16)
    less: Out(1)
    descends: Out(1)
    equal: Out(1)

    def elaborate(self, platform):
        m = Module()
        left, right = self.left, self.right
        m.d.comb += [
            self.less.eq(order.encode(left, True) < order.encode(right, True)),
            self.descends.eq(order.descends({"x": left}, {"x": right}, {"x": True})),
            self.equal.eq(order.equal(left, right)),
        ]
        return m


def first_failure(component, name, call, shard):
    """Returns the first failing pair of a shard, as (left, right), or None."""
    glue = GLUE.format(top=f"V{name}", call=call)
    verilog = convert(component, name, ".cache")
    path = shared_library(verilog, name, glue, ".cache", headers=[HEADER], prefix=f"V{name}")
    check = ctypes.CDLL(str(path)).check
    check.restype, check.argtypes = ctypes.c_uint64, [ctypes.c_uint32, ctypes.c_uint32]
    failing_pair = check(shard * LEFT_COUNT // SHARDS, (shard + 1) * LEFT_COUNT // SHARDS)
    return None if failing_pair == NONE else (failing_pair >> 16, failing_pair & 0xFFFF)


@pytest.mark.parametrize("shard", range(SHARDS))
def test_every_sum(shard):
    call = f"check_sums(model, begin, end, {FloatAdder.latency})"
    assert first_failure(FloatAdder(HALF), "half_adder", call, shard) is None


@pytest.mark.parametrize("shard", range(SHARDS))
def test_every_comparison(shard):
    assert first_failure(Order(), "half_order", "check_order(model, begin, end)", shard) is None

"""The top and the settings of an engine: when they are sampled, and which are refused."""

from functools import cache
from pathlib import Path

import numpy as np
import pytest

from gen.verilog import convert
from rtl.bus.top import AxiTop
from tb.harness.beats import Beats
from tb.harness.compiled import CompiledModel
from tb.rtl.bus.packets import PacketsParameters

pytestmark = pytest.mark.hdl
CACHE = Path(".cache/tb")
LANES = 2


@cache
def design(lanes=LANES, **settings):
    parameters = PacketsParameters(lanes=lanes, **settings)
    top = AxiTop(parameters)
    text = convert(AxiTop(parameters), top.name, CACHE)
    user = parameters.punctuated
    return top, CompiledModel.build(text, top.name, lanes, lanes, CACHE, user=user)


def run(lengths, writes, packets, choices=0, wide=False, **options):
    """Packets, as lists of bytes; the status register's bits; and the tuples counted as overrun.

    ``writes`` are (name, value) before each stream; stream k holds the bytes 64 k, 64 k + 1, ...
    """
    top, model = design(choices=choices, wide=wide)
    address = {name: register.address for name, register in top.registers.items()}
    streams = [np.arange(64 * k, 64 * k + n, dtype=np.uint8)[:, None] for k, n in lengths]
    result = model.run(
        Beats.from_streams(streams, LANES),
        writes={k: [(address[name], value) for name, value in w] for k, w in writes.items()},
        reads=[address["status"], address["overrun_low"]],
        packets=packets,
        **options,
    ).checked()
    bits = {field.low: field.name for field in top.registers["status"].fields}
    status, overrun = result.reads
    names = {name for low, name in bits.items() if status >> low & 1}
    return [p.ravel().tolist() for p in result.beats.streams(1)], names, overrun


def cut(k, n, size, step=1):
    """The packets of a stream."""
    size *= LANES
    return [[64 * k + i + step for i in range(b, min(b + size, n))] for b in range(0, n, size)]


STALLS = [{}, {"stall_input": 0.5, "stall_output": 0.5, "seed": 3}]


@pytest.mark.parametrize("options", STALLS)
def test_settings_are_sampled_at_each_streams_first_beat(options):
    """The second write of a stream comes while its predecessor is still under way."""
    writes = {0: [("size", 3), ("step", 2)], 1: [("size", 2)], 2: [("step", 1), ("size", 20)]}
    expected = [*cut(0, 50, 3, 2), *cut(1, 9, 2, 2), *cut(2, 50, 20, 1)]
    lengths = [(0, 50), (1, 9), (2, 50)]
    assert run(lengths, writes, len(expected), **options) == (expected, set(), 0)


def test_function_and_settings_together():
    writes = {0: [("size", 3), ("step", 1), ("function", 2)], 1: [("function", 0)]}
    expected = [*cut(0, 20, 3, 3), *cut(1, 20, 3, 1)]
    assert run([(0, 20), (1, 20)], writes, len(expected), choices=3) == (expected, set(), 0)


@pytest.mark.parametrize("options", STALLS)
@pytest.mark.parametrize(
    "bad",
    [
        [("size", 0)],
        [("size", 21)],
        [("step", 0x8000_0001)],  # does not fit, and is not taken for 1
        [("size", 0x44)],
        [("size", 5), ("step", 6)],  # each allowed by itself
    ],
)
def test_a_stream_with_bad_settings_is_dropped_and_the_next_is_right(bad, options):
    writes = {0: [("size", 4), ("step", 3)], 1: bad, 2: [("size", 2), ("step", 2)]}
    expected = [*cut(0, 20, 4, 3), *cut(2, 13, 2, 2)]
    got = run([(0, 20), (1, 31), (2, 13)], writes, len(expected), **options)
    assert got == (expected, {"bad_setting"}, 31)


def test_nothing_was_ever_set():
    assert run([(0, 20), (1, 7)], {}, 0) == ([], {"bad_setting"}, 27)


@pytest.mark.parametrize(("size", "bad"), [(20, False), (21, True), (0, True), (0x40, True)])
def test_a_bad_write_shows_without_a_stream(size, bad):
    """One setting is written and judged alone; the other one still is 0."""
    top, model = design()
    address = {name: register.address for name, register in top.registers.items()}
    none = Beats.from_streams([np.zeros((LANES, 1), np.uint8)], LANES)[:0]
    result = model.run(none, writes=[(address["size"], size)], reads=[address["status"]])
    assert result.checked().reads == (bad << 3,)


def test_a_soft_reset_clears_the_error_and_keeps_the_settings():
    writes = {0: [("size", 4), ("step", 0), ("step", 2), ("control", 1)]}
    expected = cut(0, 20, 4, 2)
    assert run([(0, 20)], writes, len(expected)) == (expected, set(), 0)


def test_the_map_shows_the_settings():
    registers = AxiTop(PacketsParameters(choices=3)).registers
    assert (registers["size"].address, registers["step"].address) == (0x20, 0x24)
    assert registers["capabilities"].value == 2 | 3 << 8 | 2 << 17

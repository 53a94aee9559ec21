"""Checks the line memory with lines on the chip by a list of lines."""

import random

import pytest
from amaranth.hdl import Fragment

from rtl.keyed.dram.line_memory import LineMemory
from rtl.keyed.dram.lines import LINE_BITS, LineMap
from rtl.memory.chip_memory import ChipMemory
from tb.rtl.keyed.dram.line_bench import SMALL, LineBench, Write, answers, some_commands


@pytest.mark.in_turn
@pytest.mark.parametrize(
    ("ports", "width", "stripe", "ring_lines", "kind"),
    [
        (1, 512, 1, 4, "block"),
        (2, 128, 2, 8, "ultra"),
        (4, 256, 1, 8, "block"),
    ],
)
@pytest.mark.parametrize("port", [{}, SMALL], ids=["usual", "small"])
def test_commands_like_a_list(ports, width, stripe, ring_lines, kind, port):
    """All lines are written first, because a memory on the chip begins with undefined lines."""
    lines = LineMap(
        rings=4,
        ring_lines=ring_lines,
        ports=ports,
        stripe_lines=stripe,
        data_width=width,
    )
    rng = random.Random(f"{ports} {width} {ring_lines} {port}")
    writes = [Write(number, rng.getrandbits(LINE_BITS)) for number in range(lines.lines)]
    commands = [*writes, *some_commands(rng, lines, 100)]
    bench = LineBench(lines, [], rng.random(), stall_in=0.1, stall_out=0.3, port=port, kind=kind)
    seen = bench.run(commands)
    assert seen.results() == answers(commands, [0] * lines.lines, ring_lines)
    assert len(seen.lines) > 50
    assert seen.failed == []
    assert seen.written == sum(isinstance(command, Write) for command in commands)


def test_memories_and_members():
    lines = LineMap(rings=5, ring_lines=8, ports=2, data_width=128)
    dut = LineMemory(lines, kind="block")
    Fragment.get(dut, None)
    assert not [name for name in dut.signature.members if name.startswith("m_axi")]
    dram_bits = LineMemory.memory_bits_of(lines)
    rows = ChipMemory.depth_of(5 * 4 * 64, 128)
    assert rows == 128
    assert LineMemory.memory_bits_of(lines, kind="block") == dram_bits + 2 * 128 * rows


def test_a_wrong_kind():
    with pytest.raises(
        ValueError, match=r"^kind must be one of external, block, ultra, not 'sram'$"
    ):
        LineMemory(LineMap(rings=1, ring_lines=2), kind="sram")

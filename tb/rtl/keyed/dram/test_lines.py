"""Checks the ports of lines, the size of a line memory, and refused parameters."""

import re

import pytest

from gen.report.synthesis import synthesise
from gen.verilog.elaboration import to_rtlil
from rtl.keyed.dram.line_buffer import LineBuffer
from rtl.keyed.dram.line_memory import LineMemory
from rtl.keyed.dram.line_port import LinePort
from rtl.keyed.dram.lines import LineMap
from rtl.keyed.dram.outstanding import Outstanding
from tb.rtl.gates import evaluate


def test_sizes():
    """16,384 keys with 512 lines on four ports: 128 MiB behind each port, and bursts of 4 KiB."""
    lines = LineMap(rings=16384, ring_lines=512, ports=4)
    assert lines.port_bytes == 128 << 20
    assert (lines.segments.unit_lines, lines.port_ring_lines, lines.beats) == (64, 128, 1)
    assert (lines.line_bits, lines.local_bits, lines.base_bits) == (23, 21, 20)
    assert LineMap(rings=3, ring_lines=16, ports=2, data_width=128).segments.unit_lines == 8
    assert LineMap(rings=1, ring_lines=256, data_width=128).beats == 4


@pytest.mark.parametrize(
    ("stripe_lines", "ports", "local_lines"),
    [
        (1, [0, 1, 0, 1, 0, 1, 0, 1, 1, 0, 1], [0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 5]),
        (2, [0, 0, 1, 1, 0, 0, 1, 1, 1, 1, 0], [0, 1, 0, 1, 2, 3, 2, 3, 4, 5, 4]),
    ],
)
def test_ports_by_hand(stripe_lines, ports, local_lines):
    """Lines 0 to 10 of the example in the docstring of `LineMap`, and back from the local lines."""
    lines = LineMap(rings=2, ring_lines=8, ports=2, stripe_lines=stripe_lines)
    rows = [{"line": k, "local": local} for k, local in enumerate(local_lines)]

    def places(line, local):
        return {"port": lines.port_of(line)} | {
            f"line{port}": lines.line_at(port, local) for port in range(2)
        }

    outputs = evaluate({"line": 4, "local": 3}, {"port": 1, "line0": 4, "line1": 4}, places, rows)
    assert [output["port"] for output in outputs] == ports
    actual = [output[f"line{port}"] for output, port in zip(outputs, ports, strict=True)]
    assert actual == list(range(11))


def test_memory_bits():
    lines = LineMap(rings=4, ring_lines=8, ports=2)
    assert LineMemory.memory_bits_of(lines) == 2 * 512 * 513
    assert LineMemory.memory_bits_of(lines, 64) == 2 * 64 * 513


@pytest.mark.regress
def test_on_an_fpga():
    """One port of four, for 16,384 keys: 606 LUTs beside 336 of memory, 1,003 registers, depth 7.

    LUTs and registers may differ by 3 %, the other numbers not at all.
    """
    lines = LineMap(rings=16384, ring_lines=512, ports=4)
    report = synthesise(to_rtlil(LinePort(lines)), "xcup", ".cache")
    assert (report.depth, report.lutram, report.bram36) == (7, 336, 8)
    assert report.lut == pytest.approx(606, rel=0.03)
    assert report.ff == pytest.approx(1003, rel=0.03)


def test_wrong_parameters_are_refused():
    right = {"rings": 4, "ring_lines": 16, "ports": 4, "data_width": 256, "address_width": 20}
    for name, value, text in (
        ("rings", 0, "rings must be an integer of at least 1, not 0"),
        ("ring_lines", 4, "ring_lines must be at least 8, not 4"),
        (
            "ring_lines",
            60,
            "ring_lines must be 4 times a number of at most 3 ones in binary, not 60",
        ),
        (
            "ring_lines",
            18,
            "ring_lines must be 4 times a number of at most 3 ones in binary, not 18",
        ),
        ("stripe_lines", 3, "stripe_lines must be a power of two of at least 1, not 3"),
        ("stripe_lines", 8, "ring_lines must be at least 32, not 16"),
        ("ports", 3, "ports must be 1, 2 or 4, not 3"),
        ("data_width", 64, "data_width must be 128, 256 or 512, not 64"),
        ("data_width", 1024, "data_width must be 128, 256 or 512, not 1024"),
        ("address_width", 12, "address_width must be from 13 to 64, not 12"),
        ("address_width", 65, "address_width must be from 13 to 64, not 65"),
    ):
        with pytest.raises(ValueError, match=f"^{text}$"):
            LineMap(**right | {name: value})
    text = "rings must be a power of two with rings of 24 lines, not 3"
    with pytest.raises(ValueError, match=f"^{text}$"):
        LineMap(**right | {"rings": 3, "ring_lines": 24})
    with pytest.raises(ValueError, match=r"^address_width must be from 31 to 64, not 30$"):
        LineMap(rings=32768, ring_lines=1024, address_width=30)
    lines = LineMap(**right)
    text = "buffer_lines must be at least 4, not 2"
    with pytest.raises(ValueError, match=f"^{text}$"):
        LinePort(lines, buffer_lines=2)
    with pytest.raises(ValueError, match=re.escape("depth must be a power of two of at least 2")):
        LineBuffer(512, 12)
    with pytest.raises(ValueError, match=r"^entries must be an integer of at least 1, not 0$"):
        Outstanding(2, 2, 0)

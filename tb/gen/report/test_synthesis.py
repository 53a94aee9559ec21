"""Checks the synthesis of small designs whose figures are known beforehand."""

import shutil
from dataclasses import replace

import pytest

from gen.report.synthesis import synthesise
from gen.report.targets import TARGETS, alms
from gen.verilog.elaboration import to_rtlil
from rtl.stream.queue import StreamQueue
from tb.caching.damage import truncate
from tb.gen.designs import Adder, Reduced, Store


def figures(design, target, cache):
    return synthesise(to_rtlil(design), target, cache)


@pytest.mark.in_turn
def test_xilinx_figures(cache):
    result = figures(Reduced(6), "xcup", cache)
    assert (result.lut, result.ff, result.depth, result.depth_io) == (1, 7, 1, 0)
    assert result.cells == {"FDRE": 7, "LUT6": 1}
    assert result.critical_path[1:2] == ("LUT6",)
    assert (result.bram36, result.uram, result.dsp, result.lutram) == (0, 0, 0, 0)
    assert 300 < result.logic_ps < 3000
    assert result.fmax_mhz is None
    assert result.tool.startswith("Yosys 0.")


@pytest.mark.in_turn
@pytest.mark.parametrize(
    "target", ["xcup", pytest.param("xc6v", marks=pytest.mark.regress), "alm", "ecp5"]
)
def test_an_adder_is_one_lut_deep(target, cache):
    result = figures(Adder(16), target, cache)
    assert (result.depth, result.ff) == (1, 48)
    assert 16 <= result.lut <= 18


@pytest.mark.regress
@pytest.mark.parametrize("file", ["report.json", "net.json"])
def test_damaged_figures_are_made_again(tmp_path, capfd, file):
    source = to_rtlil(Adder(16))
    first = synthesise(source, "xcup", tmp_path, by_block=True)
    (damaged,) = tmp_path.rglob(file)
    truncate(damaged, None)
    if file == "net.json":  # it is read only to make a report
        (report,) = tmp_path.rglob("report.json")
        shutil.rmtree(report.parent)
    assert synthesise(source, "xcup", tmp_path, by_block=True) == first
    line = f"sluice: {damaged.parent}: {file} is damaged: made again\n"
    assert capfd.readouterr().err == line


@pytest.mark.in_turn(5)
def test_ecp5_is_placed_and_routed(cache):
    assert 100 < figures(Adder(16), "ecp5", cache).fmax_mhz < 1000


def test_alm_range(cache):
    result = figures(Adder(16), "alm", cache)
    assert result.as_json()["alm"] == [8, 16]
    assert "alm" not in figures(Adder(16), "ecp5", cache).as_json()


def test_alms_by_hand():
    cells = {"MISTRAL_ALUT6": 5, "MISTRAL_ALUT4": 2, "MISTRAL_ALUT_ARITH": 1, "MISTRAL_FF": 9}
    assert alms(cells) == [7, 8]
    assert alms(cells | {"MISTRAL_MLAB": 21}) == [18, 19]


def test_queues_are_no_registers_in_an_alm(cache):
    """A queue of 32 entries of 64 bits, all 0 at first, takes 64 cells of MLABs.

    Only its pointers and flags are registers.
    """
    result = figures(StreamQueue(64, 32), "alm", cache)
    assert result.lutram == 64
    assert result.ff <= 20


@pytest.mark.in_turn
def test_block_ram(cache):
    result = figures(Store(64, 512), "xcup", cache)
    assert (result.bram36, result.logic_ps) == (1, None)
    assert figures(Store(64, 32), "xcup", cache).lutram > 0


def test_halves_of_block_ram_are_rounded_up():
    xcup = TARGETS["xcup"]
    assert xcup.count(xcup.block_rams, {"RAMB18E2": 3, "RAMB36E2": 1}) == 3
    assert TARGETS["ecp5"].block_ram_bits({"DP16KD": 208, "PDPW16KD": 1}) == 209 * 18 * 1024
    assert TARGETS["alm"].block_ram_bits({"MISTRAL_M10K": 7}) == 7 * 10 * 1024
    assert xcup.count(xcup.luts, {"LUT1": 1, "LUT6": 2, "INV": 3, "CARRY4": 9, "FDRE": 9}) == 6


def test_lut_memories_by_hand():
    """A LUT holds 64 bits: a memory of 512 bits takes 8, and 4 and 4 with two ports of 256 bits."""
    xcup = TARGETS["xcup"]
    cells = {"RAM64X1S": 1, "RAM128X1S": 2, "RAM256X1S": 4, "RAM512X1S": 8}
    cells |= {"RAM64X1D": 2, "RAM128X1D": 4, "RAM256X1D": 8}
    assert {cell: xcup.count(xcup.lut_memories, {cell: 1}) for cell in cells} == cells


@pytest.mark.in_turn
def test_cached_figures_are_the_same_without_the_text(tmp_path):
    source = to_rtlil(Reduced(6))
    first = synthesise(source, "ecp5", tmp_path)
    unread = replace(source, read=lambda: pytest.fail("the text was read"))
    assert synthesise(unread, "ecp5", tmp_path) == first
    other = replace(source, digest="another text's")
    assert synthesise(other, "ecp5", tmp_path) == first
    assert len([path for path in (tmp_path / "synth").iterdir() if path.is_dir()]) == 2

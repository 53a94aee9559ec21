"""Tests designs that do not fit their board: a missing kind of RAM is refused, too few blocks
warned of.
"""

import json
from dataclasses import dataclass, replace
from pathlib import Path

import pytest

from boards import BOARDS
from gen.design import part_fit
from gen.design.build import resolve
from gen.design.part_fit import counted_warnings
from query.errors import UserError

ULTRA96, DE5NET, ML605 = (BOARDS[name] for name in ("ultra96-v2", "de5-net", "ml605"))
PER_KEY = "examples/rows_per_key.cql"
#: The table, M1, M2 and the rest of 16,384 keys with values of 64 bits fill 290 block RAMs.
TOO_MANY = (
    "the engine's memories fill about 290 block RAMs (RAMB36), and the xczu3eg-sbva484-1-i of "
    "ultra96-v2 has 216: m2_kind=external or entries=8192 would fit"
)


@pytest.mark.parametrize(
    ("board", "sheet", "lut", "ff", "blocks", "megabits", "dsp"),
    [
        (ULTRA96, "DS891", 70_560, 141_120, 216, 7.6, 360),
        (ML605, "DS150", 150_720, 301_440, 416, 14.6, 768),
        (DE5NET, "SV51001", 234_720, 938_880, 2_560, 50, 256),
        (BOARDS["versa-ecp5"], "FPGA-DS-02012", 43_848, 43_848, 108, 1.9, 72),
        (BOARDS["ecpix5-85"], "FPGA-DS-02012", 83_640, 83_640, 208, 3.66, 156),
        (BOARDS["ulx3s-85"], "FPGA-DS-02012", 83_640, 83_640, 208, 3.66, 156),
        (BOARDS["arty-a7"], "DS180", 20_800, 41_600, 50, 1.76, 90),
        (BOARDS["de10-nano"], "CV-51001", 41_509, 166_036, 557, 5.44, 112),
    ],
)
def test_resources_are_those_of_the_data_sheets(board, sheet, lut, ff, blocks, megabits, dsp):
    """Number and size of block RAMs give the sheet's megabits (of 2**20)."""
    has = board.resources
    assert sheet in has.source
    assert (has.lut, has.ff, has.dsp, has.blocks, has.uram) == (lut, ff, dsp, blocks, 0)
    assert has.blocks * has.block_bits / (1 << 20) == pytest.approx(megabits, abs=0.05)


@pytest.mark.parametrize("memory", ["m2_kind", "m3_kind"])
@pytest.mark.parametrize("board", ["ultra96-v2", "de5-net", "ml605"])
def test_ultraram_is_refused_where_there_is_none(board, memory):
    with pytest.raises(UserError) as refused:
        resolve(PER_KEY, board=board, options=[f"{memory}=ultra", "entries=1024"])
    line = str(refused.value)
    assert line.startswith(f"{memory} must be block or external for board {board}, not ultra: its ")
    assert "has no UltraRAM" in line
    assert "\n" not in line


@pytest.mark.parametrize("board", [None, "generic"])
def test_ultraram_is_for_other_parts(board):
    assert resolve(PER_KEY, board=board, options=["m2_kind=ultra"]).warnings == ()


def test_a_default_that_is_too_large_is_warned_of():
    assert resolve(PER_KEY, board="ultra96-v2").warnings == (TOO_MANY,)


@pytest.mark.parametrize("option", ["m2_kind=external", "entries=8192"])
def test_what_the_warning_names_fits(option):
    assert resolve(PER_KEY, board="ultra96-v2", options=[option]).warnings == ()
    assert resolve(PER_KEY, board="ultra96-v2", options=["entries=16384"]).warnings == (TOO_MANY,)


@pytest.mark.parametrize(
    ("options", "fits"),
    [
        (["entries=16384"], "entries=8192 would fit"),
        (
            ["entries=4096", "m2_blocks=4"],
            "m2_blocks=0 or m2_kind=external or entries=2048 would fit",
        ),
    ],
)
def test_a_warning_with_a_codec_names_copies(options, fits):
    """With a codec copies of blocks may be left out, or be outside of the chip."""
    (warning,) = resolve(
        PER_KEY, board="ultra96-v2", options=["codec=base-delta", *options]
    ).warnings
    assert warning.endswith(f"of ultra96-v2 has 216: {fits}")


@pytest.mark.parametrize(
    ("board", "fits"),
    [("ultra96-v2", "m3_kind=external or entries=1024"), ("ecpix5-85", "entries=512")],
)
def test_rings_on_the_chip(board, fits):
    """A part with a network in its top has no memory outside, so only fewer keys would fit."""
    options = ["m3_kind=block", "entries=4096"]
    (warning,) = resolve(PER_KEY, board=board, options=options).warnings
    assert warning.endswith(f": {fits} would fit")


@pytest.mark.parametrize("board", BOARDS)
@pytest.mark.parametrize("example", sorted(Path("examples").glob("*.toml")), ids=lambda p: p.stem)
def test_every_example_fits_every_board(example, board):
    """The window of rows_median, of 16,384 tuples, is too large for the two smallest parts."""
    warnings = part_fit.warnings(resolve(example, board=board).design, BOARDS[board])
    too_large = example.stem == "rows_median" and board in ("versa-ecp5", "arty-a7")
    assert len(warnings) == too_large
    assert all(warning.endswith("window_max=8192 would fit") for warning in warnings)


@pytest.mark.parametrize("board", ["de5-net", "ml605"])
def test_larger_parts_have_room(board):
    assert resolve(PER_KEY, board=board).warnings == ()


def test_generate_says_so_and_writes(sluice, tmp_path, monkeypatch):
    """A warning is a line on standard error, and part of the JSON; the files are written.

    A ring of 4,096 values of 32 bits fills 3.6 blocks of 36 Kbit. One block has room for 1,024.
    """
    one_block = replace(ULTRA96, resources=replace(ULTRA96.resources, blocks=1))
    monkeypatch.setitem(BOARDS, "ultra96-v2", one_block)
    query = tmp_path / "sums.cql"
    query.write_text("CREATE INPUT STREAM S (v uint(32)); SELECT sum(v) FROM S [ROWS 4 SLIDE 1];")
    arguments = ("--board", "ultra96-v2", "--set", "window_max=4096", "--json")
    code, out, err = sluice("generate", query, *arguments, "-o", tmp_path / "made")
    warning = (
        "the engine's memories fill about 4 block RAMs (RAMB36), and the xczu3eg-sbva484-1-i of "
        "ultra96-v2 has 1: window_max=1024 would fit"
    )
    assert code == 0
    assert f"sluice: warning: {warning}" in err.splitlines()
    assert json.loads(out)["warnings"] == [warning]
    assert (tmp_path / "made" / "manifest.json").exists()


@pytest.mark.parametrize("command", ["generate", "report", "simulate"])
def test_each_command_refuses_ultraram_in_one_line(sluice, tmp_path, command):
    data = tmp_path / "data.csv"
    data.write_text("")
    extra_options = {
        "generate": ["-o", tmp_path / "x"],
        "simulate": ["--input", data],
        "report": [],
    }
    code, out, err = sluice(
        command, PER_KEY, "--board", "ultra96-v2", "--set", "m2_kind=ultra", *extra_options[command]
    )
    assert (code, out) == (2, "")
    assert len(err.splitlines()) == 1
    assert "has no UltraRAM" in err
    assert not (tmp_path / "x").exists()


@dataclass
class Figures:
    """Figures of a report."""

    target: str = "xcup"
    lut: int = 70_000
    lutram: int = 560
    ff: int = 141_120
    bram36: int = 216
    uram: int = 0
    dsp: int = 360
    alm: list | None = None

    @property
    def block_ram_bits(self):
        return self.bram36 * 36 * 1024


def test_a_report_counts_everything():
    """A design that fills the part passes, and one more of each resource is refused."""
    build = resolve(PER_KEY, board="ultra96-v2")
    assert counted_warnings(build.design, build.board, Figures()) == []
    stretch_of_run = Figures(lut=70_001, ff=141_121, bram36=294, uram=1, dsp=361)
    part = "and the xczu3eg-sbva484-1-i of ultra96-v2 has"
    assert counted_warnings(build.design, build.board, stretch_of_run) == [
        f"the design takes 70,561 LUTs, {part} 70,560",
        f"the design takes 294 block RAMs, {part} 216",
        f"the design takes 1 UltraRAMs, {part} 0",
        f"the design takes 361 DSP blocks, {part} 360",
        f"the design takes 141,121 registers, {part} 141,120",
    ]


def test_a_report_for_another_family_estimates():
    build = resolve(PER_KEY, board="ultra96-v2")
    assert counted_warnings(build.design, build.board, Figures(target="ecp5")) == [TOO_MANY]
    alms = resolve(PER_KEY, board="de5-net")
    fitting = Figures(target="alm", alm=[234_720, 300_000], dsp=256)
    assert counted_warnings(alms.design, alms.board, fitting) == []
    (line,) = counted_warnings(alms.design, alms.board, replace(fitting, alm=[234_721, 300_000]))
    assert line.startswith("the design takes 234,721 ALMs, and the 5SGXEA7N2F45C2")
    (line,) = counted_warnings(alms.design, alms.board, replace(fitting, dsp=257))
    assert line.startswith("the design takes 257 DSP blocks, and the 5SGXEA7N2F45C2")

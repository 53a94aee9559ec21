"""Checks BlockMemory by a dict, and its block RAMs on a Zynq UltraScale+."""

import random

import pytest

from gen.report.synthesis import synthesise
from gen.verilog.elaboration import to_rtlil
from rtl.memory.block import SHAPES, BlockMemory, cut
from tb.bench.unit import simulate


@pytest.mark.parametrize(
    ("width", "depth", "kind"),
    [
        *((*size, "block") for size in ((3, 2), (40, 32), (7, 64), (64, 128), (11, 8192))),
        *((2, 32768, "block"), (1, 65536, "block"), (80, 64, "ultra")),
    ],
)
def test_like_a_dict(width, depth, kind):
    dut = BlockMemory(width, depth, kind)
    assert dut.bits == BlockMemory.bits_of(width, depth) == width * depth
    rng = random.Random(f"{width} {depth}")
    # Few addresses, which differ in their highest and lowest bits, so that addresses repeat.
    places = sorted({k * depth // 8 + j for k in range(min(8, depth)) for j in range(2)})
    places = [place for place in places if place < depth]

    async def bench(ctx):
        model, expected = {}, None
        for _ in range(400):
            write, read = rng.choice(places), rng.choice(places)
            data, enables = rng.randrange(1 << width), rng.choices([0, 1], k=2)
            enables[1] &= write != read or not enables[0]
            ctx.set(dut.write_address, write)
            ctx.set(dut.write_data, data)
            ctx.set(dut.write_enable, enables[0])
            ctx.set(dut.read_address, read)
            ctx.set(dut.read_enable, enables[1])
            if expected is not None:
                assert ctx.get(dut.read_data) == expected
            if enables[1]:
                expected = model.get(read, 0)
            if enables[0]:
                model[write] = data
            await ctx.tick()

    simulate(dut, bench)


@pytest.mark.in_turn
@pytest.mark.parametrize(
    ("width", "depth", "full_count", "half_count"),
    [
        pytest.param(256, 8192, 57, 0, marks=pytest.mark.regress),
        (72, 4096, 8, 0),
        pytest.param(64, 4096, 7, 1, marks=pytest.mark.regress),
    ],
)
def test_block_rams(width, depth, full_count, half_count):
    cells = synthesise(to_rtlil(BlockMemory(width, depth)), "xcup", ".cache").cells
    assert cells.get("RAMB36E2", 0) == full_count
    assert cells.get("RAMB18E2", 0) == half_count
    assert cut(width, depth)[1] == 2 * full_count + half_count


@pytest.mark.in_turn
def test_ultra_rams():
    """UltraRAM is one slice, without initial contents."""
    source = to_rtlil(BlockMemory(128, 4096, "ultra"))
    assert "meminit" not in source.read()
    cells = synthesise(source, "xcup", ".cache").cells
    assert {name for name in cells if "RAM" in name} == {"URAM288"}
    assert cells["URAM288"] == 2


@pytest.mark.parametrize("depth", [64, 512, 2048, 16384])
def test_cuts_are_no_worse_than_any_single_shape(depth):
    for width in range(1, 160):
        slices, halves = cut(width, depth)
        assert sum(bits for bits, _ in slices) == width
        assert all(depth % entries == 0 for _, entries in slices)
        assert halves * 18 * 1024 >= width * depth
        for entries, bits in SHAPES:
            assert halves <= 2 * -(-width // bits) * max(1, depth // entries)


def test_wrong_parameters_are_refused():
    for width, depth, text in (
        (0, 4, "width must be an integer of at least 1, not 0"),
        (4, 1, "depth must be a power of two of at least 2, not 1"),
        (4, 12, "depth must be a power of two of at least 2, not 12"),
    ):
        for call in (BlockMemory, BlockMemory.bits_of):
            with pytest.raises(ValueError, match=f"^{text}$"):
                call(width, depth)
    with pytest.raises(ValueError, match=r"^kind must be one of block, ultra, not 'huge'$"):
        BlockMemory(4, 4, "huge")

"""Settings of two registers, and signed settings: stored value, value read, and misfits."""

import random

import pytest

from rtl.bus.register_file import RegisterFile
from rtl.bus.registers import register_map
from rtl.contract.counters import BAD_SETTING, Flag
from rtl.contract.settings import HostSetting, HostSettings
from tb.bench.unit import simulate
from tb.rtl.bus.host import Host

KINDS = {  # width, signed, and the bits of an allowed number if the width does not imply them
    "u11": (11, False),
    "u40": (40, False),
    "u33": (33, False),
    "u64": (64, False),
    "s2": (2, True),
    "s17": (17, True),
    "s32": (32, True),
    "s34": (34, True),
    "s41": (41, True),
    "s64": (64, True),
    "u31": (32, False, 31),
    "s31": (32, True, 31),
    "u63": (64, False, 63),
    "s63": (64, True, 63),
}
NUMBERS = tuple(
    HostSetting(name=name, width=width, doc="a number", signed=signed, bits=sum(bits))
    for name, (width, signed, *bits) in KINDS.items()
)
SETTINGS = HostSettings(numbers=NUMBERS)
FLAGS = (Flag(name="bad_function", doc="of the function register"), BAD_SETTING)
REGISTERS = register_map(
    configuration=0, capabilities=0, settings=SETTINGS, counters=(), flags=FLAGS
)
ADDRESS = {name: register.address for name, register in REGISTERS.items()}
BAD = 0b10  # of status

# register, word, strobe; then the setting's value, what the register reads, and whether it fits
BY_HAND = (
    ("s17", 0xFFFF_FFFE, 0b1111, -2, 0xFFFF_FFFE, True),
    ("s17", 0x0000_7FFF, 0b1111, 0x7FFF, 0x7FFF, True),
    ("s17", 0x0001_FFFE, 0b1111, -0x1_0000, 0xFFFF_0000, False),  # -2, but not extended
    ("s17", 0x0001_0000, 0b1111, -0x1_0000, 0xFFFF_0000, False),
    ("s17", 0x8000_0000, 0b1111, -0x1_0000, 0xFFFF_0000, False),
    ("s17", 0xFFFF_8000, 0b1111, -0x8000, 0xFFFF_8000, True),
    ("s17", 0x0000_0005, 0b0001, -0x7FFB, 0xFFFF_8005, True),
    ("s17", 0x7F00_0000, 0b1000, -0x1_0000, 0xFFFF_0000, False),
    ("s17", 0x0000_0000, 0b1111, 0, 0, True),
    ("s2", 0xFFFF_FFFF, 0b1111, -1, 0xFFFF_FFFF, True),
    ("s2", 0x0000_0003, 0b1111, -2, 0xFFFF_FFFE, False),
    ("s32", 0x8000_0000, 0b1111, -0x8000_0000, 0x8000_0000, True),
    ("s41_low", 0xFFFF_FFFE, 0b1111, 0xFFFF_FFFE, 0xFFFF_FFFE, True),
    ("s41_high", 0xFFFF_FFFF, 0b1111, -2, 0xFFFF_FFFF, True),
    ("s41_low", 0x8765_4321, 0b0110, -0x9ABC02, 0xFF65_43FE, True),
    ("s41_high", 0x0000_007F, 0b1111, 0x7F_FF65_43FE, 0x7F, True),
    ("s41_high", 0x0000_0200, 0b1111, -0x100_0000_0000 + 0xFF65_43FE, 0xFFFF_FF00, False),
    ("s41_high", 0x0000_01FF, 0b1111, -0x100_0000_0000 + 0xFF65_43FE, 0xFFFF_FF00, False),
    ("s34_low", 0x8000_0000, 0b1111, 0x8000_0000, 0x8000_0000, True),
    ("s34_high", 0x0000_0003, 0b1111, -0x2_0000_0000 + 0x8000_0000, 0xFFFF_FFFE, False),
    ("s64_high", 0x8000_0000, 0b1111, -(1 << 63), 0x8000_0000, True),
    ("u40_low", 0x8765_4321, 0b1111, 0x8765_4321, 0x8765_4321, True),
    ("u40_high", 0x0000_007E, 0b1111, 0x7E_8765_4321, 0x7E, True),
    ("u40_high", 0x0000_0100, 0b1111, 0xFF_8765_4321, 0xFF, False),
    ("u40_low", 0x0000_0000, 0b1000, 0xFF_0065_4321, 0x0065_4321, False),
    ("u40_high", 0x0000_0001, 0b0001, 0x01_0065_4321, 0x01, True),
    ("u40_high", 0xFFFF_FFFF, 0b1110, 0xFF_0065_4321, 0xFF, False),
    ("u33_low", 0x0000_0007, 0b1111, 7, 7, True),
    ("u33_high", 0x0000_0002, 0b1111, 0x1_0000_0007, 1, False),
    ("u64_high", 0xFFFF_FFFF, 0b1111, 0xFFFF_FFFF_0000_0000, 0xFFFF_FFFF, True),
    ("u64_low", 0x0000_0009, 0b1111, 0xFFFF_FFFF_0000_0009, 9, True),
    ("u11", 0x0000_0800, 0b1111, 0x7FF, 0x7FF, False),
)


def run(script, stall=0.0, seed=0):
    dut = RegisterFile(REGISTERS, settings=SETTINGS, flags=FLAGS)

    async def bench(ctx):
        await script(ctx, dut, Host(ctx, dut.bus, stall, seed))

    simulate(dut, bench)


def stored(ctx, dut):
    return {name: ctx.get(dut.settings[name]) for name in KINDS}


@pytest.mark.parametrize(("stall", "seed"), [(0.0, 1), (0.6, 2)])
def test_by_hand(stall, seed):
    async def script(ctx, dut, host):
        for register, word, strobe, value, read, fits in BY_HAND:
            name, old_values = register.partition("_")[0], stored(ctx, dut)
            await host.write(ADDRESS[register], word, strobe)
            assert stored(ctx, dut) == old_values | {name: value}, (register, hex(word), strobe)
            assert await host.read(ADDRESS[register]) == read
            setting = SETTINGS[name]
            assert ctx.get(setting.unfit(dut.settings[name])) == (not fits)
            assert await host.read(ADDRESS["status"]) == (not fits) * BAD
            await host.write(ADDRESS["control"], 1)
        assert await host.read(ADDRESS["s41_high"]) == 0xFFFF_FF00
        assert await host.read(ADDRESS["status"]) == 0

    run(script, stall, seed)


@pytest.mark.in_turn
def test_any_number_is_held_or_unfit():
    """Random numbers near the ends of each width, high word first or last, seed 5."""
    rng = random.Random(5)

    async def script(ctx, dut, host):
        for _ in range(400):
            setting = rng.choice(NUMBERS)
            name, size = setting.name, 32 * setting.words
            bits = rng.randrange(1, size + 1)
            value = rng.getrandbits(bits)
            if setting.signed:
                value = rng.choice((-1, 1)) * (value >> 1)
            names = [name] if size == 32 else [f"{name}_low", f"{name}_high"]
            pairs = [(n, value >> 32 * k & 0xFFFF_FFFF) for k, n in enumerate(names)]
            for register, word in rng.sample(pairs, len(pairs)):
                await host.write(ADDRESS[register], word)
            spare = setting.width < size  # a bit more than the numbers that are allowed
            width = sum(KINDS[name][2:]) or setting.width - spare
            low, high = (-(1 << width - 1), 1 << width - 1) if setting.signed else (0, 1 << width)
            value_stored = ctx.get(dut.settings[name])
            unfit = ctx.get(setting.unfit(dut.settings[name]))
            assert unfit == (not low <= value < high), (name, value)
            if not unfit:
                assert value_stored == value
                assert [await host.read(ADDRESS[n]) for n in names] == [w for _, w in pairs]

    run(script)


@pytest.mark.parametrize(("first", "second"), [("low", "high"), ("high", "low")])
def test_a_pair_is_judged_after_each_of_its_words(first, second):
    """The high word is FF: the pair is refused as soon as the high word is written, and the low
    word alone is judged with the current high word."""
    word = {"low": 5, "high": 0xFF}

    async def script(ctx, dut, host):
        status = []
        for half in (first, second):
            await host.write(ADDRESS["control"], 1)
            await host.write(ADDRESS[f"s41_{half}"], word[half])
            status.append(await host.read(ADDRESS["status"]))
        assert status == ([0, BAD] if first == "low" else [BAD, BAD])
        await host.write(ADDRESS["control"], 1)
        await host.write(ADDRESS["s41_high"], 0xFFFF_FFFF, strobe=0b1110)
        assert await host.read(ADDRESS["status"]) == 0
        assert ctx.get(dut.settings.s41) == -(1 << 32) + 5

    run(script, stall=0.4, seed=9)

"""The register map is consistent, and its figures are those that hosts are told."""

import pytest

from rtl.bus.registers import COUNTERS, MAGIC, Access, capabilities, register_map, words, written
from rtl.engine.parameters import RunTime


def number(name, width=17, signed=False):
    return RunTime(name=name, width=width, doc="how many", signed=signed)


SETTINGS = tuple(number(f"s{k}", 4 * k + 1) for k in range(8))
MIXED = (number("a", 40), *SETTINGS[:6], number("b", 33), number("c", 41, True), number("d", 64))


def made(settings):
    return register_map(
        configuration=0x12345678, capabilities=5, functions=("n", "total"), settings=settings
    )


@pytest.fixture(params=[(), SETTINGS[2:4], SETTINGS, MIXED], ids=len)
def registers(request):
    return made(request.param)


def test_addresses_are_unique_and_aligned(registers):
    addresses = [register.address for register in registers.values()]
    assert len(set(addresses)) == len(addresses)
    assert all(address % 4 == 0 and 0 <= address < 256 for address in addresses)
    assert addresses == sorted(addresses)


def test_fields_do_not_overlap(registers):
    for register in registers.values():
        bits = [b for f in register.fields for b in range(f.low, f.low + f.width)]
        assert len(set(bits)) == len(bits)
        assert all(0 <= bit < 32 for bit in bits)


def test_names_and_documents(registers):
    assert all(name == register.name for name, register in registers.items())
    assert all(r.doc and all(f.doc for f in r.fields) for r in registers.values())
    assert "0 n, 1 total" in registers["function"].doc


def test_constants_can_be_read_only(registers):
    for register in registers.values():
        if register.value is not None:
            assert register.access is Access.READ
    assert registers["magic"].value == MAGIC == int.from_bytes(b"SLCE", "big")
    assert registers["configuration"].value == 0x12345678
    assert registers["capabilities"].value == 5


def test_settings_stand_before_the_counters():
    registers = made(SETTINGS)
    assert [registers[s.name].address for s in SETTINGS] == list(range(0x20, 0x40, 4))
    assert registers["tuples_low"].address == made(())["tuples_low"].address == 0x40
    for setting in SETTINGS:
        register = registers[setting.name]
        assert register.access is Access.READ_WRITE
        assert [(f.low, f.width) for f in register.fields] == [(0, setting.width)]
        assert register.doc.startswith("how many. Sampled at the first beat of each stream")


def test_settings_go_on_behind_the_counters():
    """8 registers before the counters and 24 behind them; a pair may be parted."""
    registers = made(MIXED)
    low = ["a_low", "a_high", *(f"s{k}" for k in range(6))]
    high = ["b_low", "b_high", "c_low", "c_high", "d_low", "d_high"]
    assert [registers[name].address for name in low] == list(range(0x20, 0x40, 4))
    assert [registers[name].address for name in high] == list(range(0xA0, 0xB8, 4))
    assert registers["collision_high"].address == 0x8C
    parted = made((*SETTINGS[:7], number("wide", 64)))
    assert (parted["wide_low"].address, parted["wide_high"].address) == (0x3C, 0xA0)
    full = made([number(f"n{k}", 64) for k in range(16)])
    assert full["n15_high"].address == 0xFC
    with pytest.raises(ValueError, match="settings must be at most 32, not 33"):
        made([*(number(f"n{k}", 64) for k in range(16)), number("more")])


def test_fields_and_documents_of_settings():
    registers = made((*MIXED, number("e", 17, True), number("f", 32), number("g", 64, True)))
    widths = {name: [(f.low, f.width) for f in r.fields] for name, r in registers.items()}
    assert widths["a_low"] == widths["b_low"] == widths["d_high"] == widths["f"] == [(0, 32)]
    assert (widths["a_high"], widths["b_high"]) == ([(0, 8)], [(0, 1)])
    assert widths["c_low"] == widths["c_high"] == widths["e"] == [(0, 32)]  # the sign fills it
    docs = {name: register.doc for name, register in registers.items()}
    assert docs["a_low"].startswith("how many; low word. Sampled at the first beat")
    assert docs["a_high"].startswith("how many; high word. Sampled at the first beat")
    great, least = "too great a value reads as the greatest", "does not fit reads as the least one"
    assert {name for name in docs if great in docs[name]} == {
        *("a_high", "b_high", "s0", "s1", "s2", "s3", "s4", "s5")
    }
    assert {name for name in docs if least in docs[name]} == {"c_high", "e"}


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ([number("x", 33, True)], "must not be 1 or 33: x"),
        ([number("x", 1, True)], "must not be 1 or 33: x"),
        ([number("status")], "names of settings must be those of no other register"),
        ([number("late", 40)], "names of settings must be those of no other register"),
    ],
)
def test_settings_without_a_register(settings, message):
    with pytest.raises(ValueError, match=message):
        made(settings)


def test_words_to_write():
    one, two = number("x", 17, True), number("y", 41, True)
    assert (words(one), words(two)) == (("x",), ("y_low", "y_high"))
    assert written(one, -2) == {"x": 0xFFFF_FFFE}
    assert written(two, -2) == {"y_low": 0xFFFF_FFFE, "y_high": 0xFFFF_FFFF}
    assert written(two, 0x12_3456_789A) == {"y_low": 0x3456_789A, "y_high": 0x12}
    assert written(number("z"), 0xFFFF_FFFF) == {"z": 0xFFFF_FFFF}
    with pytest.raises(ValueError, match="z must be from 0 to 4294967295, not 4294967296"):
        written(number("z"), 1 << 32)
    with pytest.raises(
        ValueError, match="x must be from -2147483648 to 2147483647, not 4294967295"
    ):
        written(one, 0xFFFF_FFFF)


def test_counters_are_pairs(registers):
    for name in COUNTERS:
        low, high = registers[f"{name}_low"], registers[f"{name}_high"]
        assert high.address == low.address + 4
        assert low.address % 8 == 0


def test_capabilities_lie_where_the_fields_say(registers):
    word = capabilities(lanes=64, functions=6, selection=1, settings=32)
    fields = {f.name: word >> f.low & (1 << f.width) - 1 for f in registers["capabilities"].fields}
    assert fields == {"lanes": 64, "functions": 6, "selection": 1, "settings": 32}

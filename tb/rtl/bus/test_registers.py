"""Checks that the register map is consistent, and its addresses and widths by hand."""

import pytest

from rtl.bus.register import Access, Register
from rtl.bus.registers import (
    COUNTERS,
    END,
    MAGIC,
    SETTINGS,
    capabilities,
    checked_map,
    register_map,
)
from rtl.bus.setting_registers import register_names, register_words
from rtl.contract.counters import Counter, Flag
from rtl.contract.settings import HostSetting, HostSettings


def number(name, width=17, signed=False):
    return HostSetting(name=name, width=width, doc="how many", signed=signed)


EIGHT = tuple(number(f"s{k}", 4 * k + 1) for k in range(8))
MIXED = (number("a", 40), *EIGHT[:6], number("b", 33), number("c", 41, True), number("d", 64))
NAMES = ("tuples", "rows", "late")
COUNTED = tuple(Counter(name=name, doc=f"{name} that came") for name in NAMES)
FLAGS = tuple(Flag(name=name, doc=f"{name} was seen") for name in ("first", "second"))


def map_of(numbers, counters=COUNTED, flags=FLAGS):
    return register_map(
        configuration=0x12345678,
        capabilities=5,
        settings=HostSettings(numbers=tuple(numbers), functions=("n", "total")),
        counters=counters,
        flags=flags,
    )


@pytest.fixture(params=[(), EIGHT[2:4], EIGHT, MIXED], ids=len)
def registers(request):
    return map_of(request.param)


def test_addresses_are_unique_and_aligned(registers):
    addresses = [register.address for register in registers.values()]
    assert len(set(addresses)) == len(addresses)
    assert all(address % 4 == 0 and 0 <= address < END for address in addresses)
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
    assert registers["version"].value == 0x0002_0000


def test_identity_and_commands_by_hand():
    """A host finds these registers without knowing the build."""
    names = ("magic", "version", "configuration", "capabilities", "control", "status", "function")
    registers = map_of(())
    assert [registers[name].address for name in names] == list(range(0, 0x1C, 4))
    fields = [(f.name, f.low, f.width) for f in registers["control"].fields]
    assert fields == [("soft_reset", 0, 1), ("snapshot", 1, 1)]
    assert registers["control"].access is Access.WRITE


def test_settings_are_laid_out_in_their_order():
    registers = map_of(MIXED)
    names = [name for n in MIXED for name in register_names(n)]
    low = ["a_low", "a_high", *(f"s{k}" for k in range(6))]
    assert names == [*low, "b_low", "b_high", "c_low", "c_high", "d_low", "d_high"]
    assert [registers[name].address for name in names] == list(range(0x020, 0x058, 4))
    for setting in EIGHT:
        register = map_of(EIGHT)[setting.name]
        assert register.access is Access.READ_WRITE
        assert [(f.low, f.width) for f in register.fields] == [(0, setting.width)]
        assert register.doc.startswith("how many. Sampled at the first beat of each stream")


def test_counters_are_pairs_at_a_place_that_settings_do_not_move(registers):
    pairs = [(registers[f"{n}_low"], registers[f"{n}_high"]) for n in NAMES]
    assert [low.address for low, _ in pairs] == [0x400, 0x408, 0x410]
    for (low, high), counter in zip(pairs, COUNTED, strict=True):
        assert high.address == low.address + 4
        assert (low.access, high.access) == (Access.READ, Access.READ)
        assert low.doc == f"{counter.doc}; low word"


def test_a_counter_that_nobody_declares_has_no_register():
    registers = map_of((), counters=COUNTED[1:2])
    assert registers["rows_low"].address == 0x400
    assert not {"tuples_low", "late_high"} & set(registers)
    assert all(register.address < 0x400 for register in map_of((), counters=()).values())


def test_the_bits_of_status_are_the_flags_in_their_order():
    flags = [Flag(name=f"f{k}", doc=f"flag {k}") for k in range(5)]
    fields = map_of((), flags=flags)["status"].fields
    *errors, busy = [(f.name, f.low, f.width, f.doc) for f in fields]
    assert errors == [(f"f{k}", k, 1, f"flag {k}") for k in range(5)]
    assert busy[:3] == ("busy", 31, 1)


def test_fields_and_documents_of_settings():
    registers = map_of((*MIXED, number("e", 17, True), number("f", 32), number("g", 64, True)))
    widths = {name: [(f.low, f.width) for f in r.fields] for name, r in registers.items()}
    assert widths["a_low"] == widths["b_low"] == widths["d_high"] == widths["f"] == [(0, 32)]
    assert (widths["a_high"], widths["b_high"]) == ([(0, 8)], [(0, 1)])
    assert widths["c_low"] == widths["c_high"] == widths["e"] == [(0, 32)]  # the sign fills it
    docs = {name: register.doc for name, register in registers.items()}
    assert docs["a_low"].startswith("how many; low word. Sampled at the first beat")
    assert docs["a_high"].startswith("how many; high word. Sampled at the first beat")
    greatest_text, smallest_text = (
        "too great a value reads as the greatest",
        "does not fit reads as the least one",
    )
    assert {name for name in docs if greatest_text in docs[name]} == {
        *("a_high", "b_high", "s0", "s1", "s2", "s3", "s4", "s5")
    }
    assert {name for name in docs if smallest_text in docs[name]} == {"c_high", "e"}


ROOM = (COUNTERS - SETTINGS) // 4  # registers of settings


def counters(count):
    return [Counter(name=f"c{k}", doc="how many") for k in range(count)]


def test_a_full_map():
    """248 registers of settings up to the counters, 384 counters up to the end of 4 KiB."""
    full = map_of([number(f"n{k}", 64) for k in range(ROOM // 2)], counters(384))
    assert (ROOM, len(full)) == (248, 7 + 248 + 768)
    assert (full["n123_high"].address, full["c0_low"].address) == (0x3FC, 0x400)
    assert full["c383_high"].address == 0xFFC


@pytest.mark.parametrize(
    ("settings", "counted", "message"),
    [
        ([number("x", 33, True)], 1, "must not be 1 or 33: x"),
        ([number("x", 1, True)], 1, "must not be 1 or 33: x"),
        ([number("status")], 1, "names of registers must differ: there are two status"),
        ([number("c0", 40)], 1, "names of registers must differ: there are two c0_low"),
        ([number("c0_low")], 1, "names of registers must differ: there are two c0_low"),
        ([number("a"), number("b"), number("a")], 1, "there are two a$"),
        ([number(f"n{k}") for k in range(249)], 1, "settings must be at most 248, not 249"),
        ([number(f"n{k}", 64) for k in range(125)], 1, "settings must be at most 248, not 250"),
        ([], 385, "counters must be at most 384, not 385"),
    ],
)
def test_what_finds_no_place(settings, counted, message):
    with pytest.raises(ValueError, match=message):
        map_of(settings, counters(counted))


def test_two_counters_of_one_name():
    with pytest.raises(ValueError, match="names of registers must differ: there are two late_low"):
        map_of((), (*COUNTED, COUNTED[-1]))


def test_flags_that_do_not_fit_one_register():
    flags = [Flag(name=f"f{k}", doc="seen") for k in range(32)]
    assert map_of((), flags=flags[:31])["status"].fields[30].low == 30
    with pytest.raises(ValueError, match="flags must be at most 31, not 32"):
        map_of((), flags=flags)
    with pytest.raises(ValueError, match="names of flags must differ: busy"):
        map_of((), flags=[Flag(name="busy", doc="seen")])
    with pytest.raises(ValueError, match="names of flags must differ: f0, f1, f0"):
        map_of((), flags=[*flags[:2], flags[0]])


def at(address, name="x"):
    return Register(name=name, address=address, access=Access.READ, doc="by hand")


def test_registers_by_hand_are_put_in_order():
    ordered = checked_map([at(0xFFC, "last"), at(0, "first"), at(0x40, "middle")])
    assert list(ordered) == ["first", "middle", "last"]


@pytest.mark.parametrize(
    ("pair", "message"),
    [
        ((at(0x40, "a"), at(0x80, "a")), "names of registers must differ: there are two a$"),
        ((at(0x40, "a"), at(0x40, "b")), "b and a must not be both at 0x040"),
        ((at(0x42, "a"), at(0x40, "b")), "a must be at a multiple of 4 below 0x1000, not at 0x042"),
        ((at(0x1000, "a"), at(0, "b")), "a must be at a multiple of 4 below 0x1000, not at 0x1000"),
        ((at(-4, "a"), at(0, "b")), "a must be at a multiple of 4 below 0x1000, not at -0x04"),
    ],
)
def test_registers_that_do_not_go_together(pair, message):
    with pytest.raises(ValueError, match=message):
        checked_map(pair)


def test_words_to_write():
    one, two = number("x", 17, True), number("y", 41, True)
    assert (register_names(one), register_names(two)) == (("x",), ("y_low", "y_high"))
    assert register_words(one, -2) == {"x": 0xFFFF_FFFE}
    assert register_words(two, -2) == {"y_low": 0xFFFF_FFFE, "y_high": 0xFFFF_FFFF}
    assert register_words(two, 0x12_3456_789A) == {"y_low": 0x3456_789A, "y_high": 0x12}
    assert register_words(number("z"), 0xFFFF_FFFF) == {"z": 0xFFFF_FFFF}
    with pytest.raises(ValueError, match="z must be from 0 to 4294967295, not 4294967296"):
        register_words(number("z"), 1 << 32)
    with pytest.raises(
        ValueError, match="x must be from -2147483648 to 2147483647, not 4294967295"
    ):
        register_words(one, 0xFFFF_FFFF)


def test_capabilities_lie_where_the_fields_say(registers):
    word = capabilities(lanes=64, functions=6, selection=1, settings=248)
    fields = {f.name: word >> f.low & (1 << f.width) - 1 for f in registers["capabilities"].fields}
    assert fields == {"lanes": 64, "functions": 6, "selection": 1, "settings": 248}


@pytest.mark.parametrize("name", ["lanes", "functions", "settings"])
def test_capabilities_that_do_not_fit_their_field(name):
    values = {"lanes": 1, "functions": 0, "selection": 0, "settings": 0}
    with pytest.raises(ValueError, match=f"{name} must be at most 255, not 256"):
        capabilities(**values | {name: 256})


def test_versions_and_places_of_an_interrupt_and_of_a_link():
    """By hand, as in docs/registers.md and docs/network.md."""
    parameters = {"configuration": 0, "capabilities": 0, "settings": HostSettings(), "flags": ()}
    interrupt = register_map(counters=(), interrupt=True, **parameters)
    assert interrupt["version"].value == 0x0002_0001
    places = [interrupt[f"interrupt_{name}"].address for name in ("enable", "pending")]
    assert places == [0xFF8, 0xFFC]
    link = register_map(
        counters=(),
        network=[number("port")],
        link=[number("registers_port")],
        link_status={"room": "how many", "received": "how many"},
        **parameters,
    )
    assert link["version"].value == 0x0002_0004
    names = ("registers_port", "room", "received", "port")
    assert [link[name].address for name in names] == [0xF80, 0xFA0, 0xFA4, 0xFC0]
    assert [link[name].access for name in names[1:3]] == [Access.READ, Access.READ]


def test_a_network_has_its_registers_before_those_of_an_interrupt():
    """By hand: a number of 48 bits has two registers, and 64 bytes are reserved for all."""
    network = [HostSetting.full_range(name="mac", bits=48, doc="a MAC"), number("port")]
    parameters = {"configuration": 0, "capabilities": 0, "settings": HostSettings(), "flags": ()}
    for interrupt in (False, True):
        registers = register_map(counters=(), network=network, interrupt=interrupt, **parameters)
        assert registers["version"].value == 0x0002_0003
        places = [(name, registers[name].address) for name in ("mac_low", "mac_high", "port")]
        assert places == [("mac_low", 0xFC0), ("mac_high", 0xFC4), ("port", 0xFC8)]
        assert "Taken over with the other settings of the network" in registers["port"].doc
        assert ("interrupt_enable" in registers) == interrupt
    many = [number(f"n{k}") for k in range(15)]
    with pytest.raises(ValueError, match=r"^registers of settings must be at most 14, not 15$"):
        register_map(counters=(), network=many, **parameters)

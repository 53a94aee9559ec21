"""The register map is consistent, and its figures are those that hosts are told."""

from dataclasses import dataclass

import pytest

from rtl.bus.registers import COUNTERS, MAGIC, Access, capabilities, register_map


@dataclass
class Setting:
    name: str
    width: int = 17
    doc: str = "how many"


SETTINGS = tuple(Setting(f"s{k}", 4 * k + 1) for k in range(8))


def made(settings):
    return register_map(
        configuration=0x12345678, capabilities=5, functions=("n", "total"), settings=settings
    )


@pytest.fixture(params=[(), SETTINGS[2:4], SETTINGS], ids=len)
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
    with pytest.raises(ValueError, match="settings must be at most 8, not 9"):
        made((*SETTINGS, Setting("s8")))


def test_counters_are_pairs(registers):
    for name in COUNTERS:
        low, high = registers[f"{name}_low"], registers[f"{name}_high"]
        assert high.address == low.address + 4
        assert low.address % 8 == 0


def test_capabilities_lie_where_the_fields_say(registers):
    word = capabilities(lanes=64, functions=6, selection=1, settings=8)
    fields = {f.name: word >> f.low & (1 << f.width) - 1 for f in registers["capabilities"].fields}
    assert fields == {"lanes": 64, "functions": 6, "selection": 1, "settings": 8}

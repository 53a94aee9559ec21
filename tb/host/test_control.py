"""Checks access to registers by name, with a table of numbers instead of a bus."""

from types import SimpleNamespace

import numpy as np
import pytest

from host import DeviceError, HangError, SettingError
from host.control import Control
from host.description import Setting

MAGIC, CONFIGURATION = 0x534C_5543, 0x1234_5678
NAMES = ("magic", "configuration", "status", "control", "size_low", "size_high", "step")
NAMES += ("tuples_low", "tuples_high")


def setting(name, registers, least, most, multiple=1, fraction=0):
    return Setting(
        name=name,
        doc=f"the {name}",
        unit="",
        registers=registers,
        least=least,
        most=most,
        multiple=multiple,
        value=None,
        area=None,
        fraction=fraction,
    )


class Registers(dict):
    """Registers by address; ``busy`` in ``status`` is high for the first ``busy_reads`` reads."""

    def __init__(self, busy_reads=0):
        super().__init__(dict.fromkeys(range(0, 4 * len(NAMES), 4), 0))
        self.busy_reads, self.writes, self.discards = busy_reads, [], 0
        self[0], self[4] = MAGIC, CONFIGURATION

    def read(self, address):
        if address == 8 and self.busy_reads:
            self.busy_reads -= 1
            return self[8] | 1
        return self[address]

    def read_all(self, addresses):
        return [self.read(address) for address in addresses]

    def write(self, address, value):
        self.writes.append((NAMES[address // 4], value))
        self[address] = value

    def discard(self):
        """Counts the calls; a table of registers stores no rows."""
        self.discards += 1


DESCRIBED = SimpleNamespace(
    name="readings",
    directory="build/readings",
    configuration=CONFIGURATION,
    registers={name: 4 * k for k, name in enumerate(NAMES)},
    settings={
        "size": setting("size", ("size_low", "size_high"), 1, 1 << 40, multiple=4),
        "step": setting("step", ("step",), -8, 12, fraction=2),
    },
    counters=({"name": "tuples"},),
    errors=({"name": "late", "doc": "a late tuple", "bit": 4}, {"name": "x", "doc": "", "bit": 5}),
    host={"magic": hex(MAGIC), "busy": 0},
)


@pytest.fixture
def registers():
    return Registers()


@pytest.fixture
def control(registers):
    return Control(DESCRIBED, registers)


def test_the_engine_of_the_description_answers(control):
    control.check()


@pytest.mark.parametrize(
    ("address", "message"),
    [
        (0, "no engine answers: magic reads 0x00000007, not 0x534c5543;"),
        (4, "another design answers: configuration reads 0x00000007, that of build/readings is "),
    ],
)
def test_another_one_answers(control, registers, address, message):
    registers[address] = 7
    with pytest.raises(DeviceError, match=message):
        control.check()


@pytest.mark.parametrize(
    ("name", "value", "writes"),
    [
        ("size", 4, [("size_low", 4), ("size_high", 0)]),
        ("size", 1 << 40, [("size_low", 0), ("size_high", 1 << 8)]),
        ("ws", (3 << 32) + 8, [("size_low", 8), ("size_high", 3)]),
        ("step", 3, [("step", 12)]),
        ("step", -2, [("step", 0xFFFF_FFF8)]),
        ("step", 0.25, [("step", 1)]),
        ("step", np.int8(3), [("step", 12)]),
        ("step", np.float32(-0.5), [("step", 0xFFFF_FFFE)]),
    ],
)
def test_settings_are_written_in_words_of_32_bits(control, registers, name, value, writes):
    control.set(name, value)
    assert registers.writes == writes
    raw = value * 4 if name == "step" else value
    assert control.values == {"step" if name == "step" else "size": raw}


@pytest.mark.parametrize(
    ("name", "value", "message"),
    [
        ("size", 0, "size must be from 1 to 1099511627776 and a multiple of 4, not 0: the size"),
        ("size", (1 << 40) + 4, "size must be from 1 to "),
        ("size", 6, "and a multiple of 4, not 6"),
        ("step", np.int8(64), "step must be from -2 to 3, not 64"),
        ("step", 3.25, "step must be from -2 to 3, not 3.25: the step"),
        ("step", -2.25, "step must be from -2 to 3, not -2.25"),
        ("step", 0.1, "step must be a whole number or a multiple of 0.25, not 0.1"),
        ("size", "4 rows", "size must be a whole number, not '4 rows'"),
        ("size", True, "size must be a whole number, not True"),
        ("rows", 4, "rows is no setting of readings; it has size, step"),
    ],
)
def test_settings_that_are_refused_write_nothing(control, registers, name, value, message):
    with pytest.raises(SettingError, match=message):
        control.set(name, value)
    assert registers.writes == []


def test_busy_is_its_bit_of_the_status_and_errors_are_theirs(control, registers):
    registers[8] = 0b010010
    assert not control.busy
    assert control.errors() == {"late": "a late tuple"}
    registers[8] = 0b100001
    assert control.busy
    assert control.errors() == {"x": ""}


def test_counters_are_read_in_a_snapshot(control, registers):
    registers[28], registers[32] = 5, 2
    assert control.counters() == {"tuples": (2 << 32) + 5}
    assert registers.writes == [("control", 2), ("control", 0)]


def test_a_reset_waits_until_nothing_is_inside(registers, control):
    registers.busy_reads = 3
    control.reset()
    assert registers.writes == [("control", 1)]
    assert registers.busy_reads == 0
    assert registers.discards == 4  # while the engine is busy, and once more after that


def test_a_reset_that_does_not_end(control, registers):
    registers[8] = 1
    with pytest.raises(HangError, match="busy is still set after 10000 reads"):
        control.reset()

"""Accesses an engine's registers by name: identity, settings, counters, errors, reset."""

from __future__ import annotations

from fractions import Fraction
from numbers import Number
from typing import Any

import numpy as np

from .backend import Backend
from .description import Description, Setting
from .errors import DeviceError, HangError, HostError, SettingError
from .rules import broken_rule, settings_of

#: Names of settings in papers on window queries, and their names in the register map.
TERMS = {"ws": "size", "wa": "slide"}
#: Bits of the register ``control``. A soft reset is one event; a snapshot lasts until the next
#: write of the register.
SOFT_RESET, _SNAPSHOT = 1, 2
#: Number of reads of ``status`` after a soft reset before :meth:`Control.reset` raises HangError.
_RESET_READS = 10_000


class Control:
    """Reads and writes the registers of an engine.

    The *raw* number of a setting is the number in its registers: the value in the setting's own
    units times 2^``fraction``. With a fraction of 8 bits the value 1.5 has the raw number 384.

    Parameters
    ----------
    description : Description
    backend : Backend or None
        None if only settings are looked up; calls that read or write then raise HostError.

    Attributes
    ----------
    values : dict of str to int
        Raw number of each setting that was written, by the setting's name.
    """

    def __init__(self, description: Description, backend: Backend | None) -> None:
        self._description = description
        self._backend: Any = backend  # None once the engine is closed
        self.values: dict[str, int] = {}

    def close(self) -> None:
        """Forgets the back end; every later call that reads or writes raises HostError."""
        self._backend = None

    def check_open(self) -> None:
        """Raises HostError after :meth:`close`."""
        if self._backend is None:
            raise HostError(
                f"the engine {self._description.name} is closed: open it again with Engine.open"
            )

    def read(self, name: str) -> int:
        """Returns the value of a register."""
        self.check_open()
        return self._backend.read(self._description.registers[name])

    def write(self, name: str, value: int) -> None:
        """Writes a register."""
        self.check_open()
        self._backend.write(self._description.registers[name], value)

    def check(self) -> None:
        """Raises DeviceError unless the engine of the description answers."""
        magic = self.read("magic")
        expected_magic = int(self._description.host["magic"], 16)
        if magic != expected_magic:
            raise DeviceError(
                f"no engine answers: magic reads {magic:#010x}, not {expected_magic:#010x}; load "
                "the bitstream, release aresetn, and check the address of s_axil"
            )
        configuration = self.read("configuration")
        if configuration != self._description.configuration:
            raise DeviceError(
                f"another design answers: configuration reads {configuration:#010x}, that of "
                f"{self._description.directory} is {self._description.configuration:#010x}; load "
                "its bitstream, or open the directory of the design that is loaded"
            )

    def set(self, name: str, value: Any) -> None:
        """Writes a setting; ``value`` is in the setting's own units.

        Raises SettingError if the engine has no such setting, or if the setting's limits do not
        allow the value.
        """
        self.set_raw(self.setting(name).name, self.raw(name, value))

    def set_raw(self, name: str, raw: int) -> None:
        """Writes a raw number, which :meth:`raw` has checked, the lowest 32 bits first."""
        for k, register in enumerate(self._description.settings[name].registers):
            self.write(register, raw >> 32 * k & 0xFFFF_FFFF)
        self.values[name] = raw

    def check_together(self, values: dict[str, int]) -> None:
        """Raises SettingError if raw numbers of settings break a rule of the manifest.

        ``values`` has the raw numbers by name; a rule with a setting that is missing there is not
        checked. The hardware drops every stream that arrives while the settings break a rule.
        """
        rule = broken_rule(self._description.host.get("rules", ()), values)
        if rule is not None:
            names = [name for name in self._description.settings if name in settings_of(rule)]
            numbers = ", ".join(f"{_term(name)} is {self._text(name, values)}" for name in names)
            raise SettingError(f"{rule['says']}; {numbers}: the engine would drop the stream")

    def _text(self, name, values):
        """Returns a setting's raw number as text in the setting's own units."""
        fraction = self._description.settings[name].fraction
        return f"{values[name] / (1 << fraction):g}" if fraction else str(values[name])

    def raw(self, name: str, value: Any) -> int:
        """Returns the raw number for a value in the setting's own units, and writes nothing.

        Raises SettingError as :meth:`set` does.
        """
        setting = self.setting(name)
        raw = _scaled(name, value, setting.fraction)
        low, high = setting.least, setting.most
        if not low <= raw <= high or raw % setting.multiple:
            scale = 1 << setting.fraction
            limits = (
                f"from {low / scale:g} to {high / scale:g}"
                if scale > 1
                else (f"from {low} to {high}")
            )
            step = f" and a multiple of {setting.multiple}" if setting.multiple > 1 else ""
            raise SettingError(f"{name} must be {limits}{step}, not {value}: {setting.doc}")
        return raw

    def setting(self, name: str) -> Setting:
        """Returns a setting by the name of its register, or by its name in :data:`TERMS`."""
        settings = self._description.settings
        setting = settings.get(name) or settings.get(TERMS.get(name))
        if setting is None:
            names = ", ".join(settings) or "none: generate it with constants=run-time"
            raise SettingError(f"{name} is no setting of {self._description.name}; it has {names}")
        return setting

    @property
    def busy(self) -> bool:
        """True while the engine contains data of a stream."""
        return bool(self.read("status") >> self._description.host["busy"] & 1)

    def errors(self) -> dict[str, str]:
        """Returns the meaning of each error bit that is set, by the name of the bit."""
        status = self.read("status")
        bits = self._description.errors
        return {bit["name"]: bit["doc"] for bit in bits if status >> bit["bit"] & 1}

    def counters(self) -> dict[str, int]:
        """Returns all counters by name, sampled in one cycle."""
        self.write("control", _SNAPSHOT)
        names = [counter["name"] for counter in self._description.counters]
        words = [f"{name}_{half}" for name in names for half in ("low", "high")]
        registers = self._description.registers
        values = self._backend.read_all([registers[word] for word in words])
        self.write("control", 0)
        return {
            name: high << 32 | low
            for name, low, high in zip(names, values[::2], values[1::2], strict=True)
        }

    def reset(self) -> None:
        """Performs a soft reset, which drops all data in the engine and clears counters and errors.

        Rows that have arrived at the back end are dropped, too.

        Raises HangError if the engine stays busy.
        """
        self.write("control", SOFT_RESET)
        for _ in range(_RESET_READS):
            busy = self.busy
            self._backend.discard()
            if not busy:
                return
        raise HangError(
            f"busy is still set after {_RESET_READS} reads: a stream has begun and not "
            "ended, or a memory does not answer; send the rest of the stream, or use aresetn"
        )


def _term(name):
    """Returns the name of a setting with its name in :data:`TERMS`, such as ``slide (wa)``."""
    words = [word for word, setting in TERMS.items() if setting == name]
    return f"{name} ({words[0]})" if words else name


def _scaled(name, value, fraction):
    """Returns ``value`` times 2^``fraction``, which must be a whole number."""
    if isinstance(value, np.generic):  # a product of NumPy's integers may overflow
        value = value.item()
    try:
        # A text would be a number for Fraction, too, and True would be 1.
        if isinstance(value, Number) and not isinstance(value, bool):
            raw = Fraction(value) * (1 << fraction)
            if raw.denominator == 1:
                return raw.numerator
    except (TypeError, ValueError, OverflowError):
        pass
    step = f" or a multiple of {1 / (1 << fraction):g}" if fraction else ""
    raise SettingError(f"{name} must be a whole number{step}, not {value!r}")

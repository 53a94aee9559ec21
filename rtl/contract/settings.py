"""Host settings: numbers that the host writes to registers, each constant for a whole stream."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import reduce
from numbers import Integral
from operator import or_

from amaranth.hdl import Const, Shape
from amaranth.lib import data
from amaranth.utils import bits_for

from rtl.contract.rules import Rule


@dataclass(frozen=True, kw_only=True)
class HostSetting:
    """A number that the host sets while the hardware runs, in registers of its own.

    A setting of up to 32 bits has one register, a setting of up to 64 bits has two, the low word
    first. It is 0 after ``aresetn``, so where 0 is refused the host must write it.

    If a written number does not fit ``width`` bits, its last register is stored as all ones; if the
    setting is signed, as its sign bit alone. Then the setting must be refused. The width makes sure
    that such a misfit is recognized, in one of three ways:

    - ``maximum`` is below every number whose last register is all ones. A size up to 16 has 5 bits:
      a written 17 is stored as 17, a written 40 as 31, and both are above 16.
    - Without such a ``maximum`` the top bit is no part of the number but marks a misfit
      (:meth:`unfit`): it is 1, or with a sign differs from the bit below. A length of any 20 bits
      has a width of 21: a written 1048576 is stored as it is, a written 2097152 or more as 2097151,
      and both have the mark.
    - A width that fills the registers fits every written number.

    Attributes
    ----------
    name, doc : str
        Name of the setting, and its meaning in words for a user.
    width : int
        Stored bits, of one register or of both together.
    signed : bool
        True for two's complement.
    bits : int
        Bits of the numbers that may be allowed: the width without the mark. 0, the default, stands
        for ``width``, less 1 if there is a mark.
    unit : str
        Unit of the number, such as ``tuples``.
    minimum, maximum : int or None
        The smallest and the greatest number that is allowed; None stands for the limit of ``bits``.
    multiple : int
        A power of two: only its multiples are allowed.
    value : int or None
        The query's number; None if the host must choose one, such as a start that fits the data.
    area : int or None
        For a byte address: bytes of memory that the engine uses from that address on.
    """

    name: str
    doc: str
    width: int
    signed: bool = False
    bits: int = 0
    unit: str = ""
    minimum: int | None = None
    maximum: int | None = None
    multiple: int = 1
    value: int | None = None
    area: int | None = None

    def __post_init__(self):
        full = self.width == 32 * self.words
        last_low = 32 * (self.words - 1)
        least_misfit = (1 << self.width) - (1 << last_low)
        topped = self.maximum is not None and not self.signed and self.maximum < least_misfit
        object.__setattr__(self, "bits", self.bits or self.width - (not full and not topped))
        if self.bits == self.width and not (full or topped):
            raise ValueError(f"width must be above {self.bits}, the bits of a number, for the mark")
        if self.maximum is not None and self.maximum >> (self.bits - self.signed):
            raise ValueError(f"maximum must fit {self.bits} bits, and is {self.maximum}")
        if self.multiple & (self.multiple - 1) or self.multiple < 1:
            raise ValueError(f"multiple must be a power of two, not {self.multiple}")

    @classmethod
    def full_range(cls, *, bits, **fields):
        """Returns a setting of which every number of ``bits`` bits may be allowed.

        The width is ``bits`` plus the mark of a misfit: 21 for 20 bits, but 32 for 32 bits.
        """
        return cls(width=bits if bits in (32, 64) else bits + 1, bits=bits, **fields)

    @property
    def shape(self):
        """Shape of the stored number, with the mark."""
        return Shape(self.width, self.signed)

    @property
    def words(self):
        """Number of 32-bit registers."""
        return -(-self.width // 32)

    @property
    def limits(self):
        """Smallest and greatest number that may be allowed; ``multiple`` may exclude both."""
        low, end = (
            (-(1 << self.bits - 1), 1 << self.bits - 1) if self.signed else (0, 1 << self.bits)
        )
        smallest = low if self.minimum is None else self.minimum
        return smallest, end - 1 if self.maximum is None else self.maximum

    def unfit(self, value):
        """Returns a bit that is high when ``value``, as wide as the setting, has the mark of a
        misfit.

        The bit is constantly 0 if the setting has no mark, because ``bits`` is the full width.
        """
        if self.bits == self.width:
            return Const(0)
        return value[-1] ^ value[-2] if self.signed else value[-1]

    def refuses(self, value):
        """Returns a bit that is high when ``value``, as wide as the setting, is not allowed,
        whatever the other settings are."""
        bad = [self.unfit(value)]
        if self.minimum is not None:
            bad.append(
                value == 0 if self.minimum == 1 and not self.signed else value < self.minimum
            )
        if self.maximum is not None:
            bad.append(value > self.maximum)
        if self.multiple > 1:
            bad.append(value[: self.multiple.bit_length() - 1].any())
        return reduce(or_, bad)


def _no_contradiction(settings):
    """Returns the constant bit 0: a `HostSettings.rule` that no numbers break."""
    return Const(0)


@dataclass(frozen=True, kw_only=True)
class HostSettings:
    """All numbers that the host sets for an engine's streams.

    Settings are sampled at a stream's first beat and hold to the stream's end, in every part that
    the stream passes.

    Attributes
    ----------
    numbers : tuple of HostSetting
    functions : tuple of str
        Choices of the function register, in the order of its values; empty without the register.
    rule : callable
        Takes a mapping of names to values, or a view, and returns a bit: the numbers contradict
        each other, though each by itself is allowed. By default the bit is 0. Engines with windows
        of time over the whole stream keep this default, because their window modules check the
        numbers.
    rules : tuple of Rule
        The rules between the numbers, for hosts: a stream whose numbers break a rule is dropped.
    """

    numbers: tuple[HostSetting, ...] = ()
    functions: tuple[str, ...] = ()
    rule: Callable[[Mapping], object] = field(default=_no_contradiction)
    rules: tuple[Rule, ...] = ()

    @property
    def layout(self):
        """Layout of a stream's settings: ``function``, if there are functions, and the numbers."""
        function = {"function": bits_for(len(self.functions) - 1)} if self.functions else {}
        return data.StructLayout(function | {n.name: n.shape for n in self.numbers})

    @property
    def values(self):
        """Numbers by name that the query determines; the host must write them, too."""
        return {n.name: n.value for n in self.numbers if n.value is not None}

    @property
    def set_by_host(self):
        """Names of the numbers that the host must choose, because the query has none."""
        return tuple(n.name for n in self.numbers if n.value is None)

    def __getitem__(self, name):
        """Returns the setting called ``name``."""
        return next(number for number in self.numbers if number.name == name)

    def check(self, **numbers):
        """Raises ValueError if the host may not set these numbers, given by name.

        A name that is missing or None stands for the query's number. For instance a SLIDE of 9 rows
        is an error if the size is 8. Raises TypeError for anything but an integer, and for a name
        that no setting has.
        """
        changed = {name: number for name, number in numbers.items() if number is not None}
        known = [setting.name for setting in self.numbers]
        for name in changed:
            if name not in known:
                raise TypeError(f"{name} is no setting; known are {', '.join(known) or 'none'}")
        for name, number in changed.items():
            if not isinstance(number, Integral) or isinstance(number, bool):
                raise TypeError(f"{name} must be an integer, not {number!r}")
            setting = self[name]
            low, high = setting.limits
            if not low <= number <= high or number % setting.multiple:
                of = f", a multiple of {setting.multiple}" if setting.multiple > 1 else ""
                raise ValueError(f"{name} must be from {low} to {high}{of}, not {number}")
        everything = self.values | changed
        for rule in self.rules if changed else ():
            if not rule.holds(everything):
                listed = ", ".join(f"{name}={number}" for name, number in changed.items())
                raise ValueError(f"{rule.says}, not {listed}")

    def inconsistent(self, settings):
        """Returns a bit that is high when the numbers contradict each other. ``settings`` is a view
        or a mapping."""
        return self.rule(settings)

    def refused(self, settings):
        """Returns a bit that is high when a number by itself is not allowed, or numbers contradict
        each other."""
        refusals = (number.refuses(settings[number.name]) for number in self.numbers)
        return reduce(or_, refusals, self.inconsistent(settings))

"""Host settings: numbers that the host writes to registers, and that hold for a whole stream."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import reduce
from operator import or_

from amaranth.hdl import Const, Shape
from amaranth.lib import data
from amaranth.utils import bits_for

from rtl.contract.rules import Rule


@dataclass(frozen=True, kw_only=True)
class HostSetting:
    """A number that the host sets while the hardware runs, in registers of its own.

    It has one register up to 32 bits, and two up to 64. It is 0 after reset, so where 0 is refused
    the host must write it.

    A written number that does not fit ``width`` bits is held as all ones, or as the least one if
    it is signed, and is refused as that. It is known by one of three:

    - ``most`` is below all ones. A size up to 16 has 5 bits: a written 17 is held as 17, a written
      40 as 31, and both are more than 16.
    - Without, the top bit is no part of the number, but the mark of the unfit (:meth:`unfit`). A
      length of any 20 bits has a width of 21: a written 1048576 is held as it is, a greater one as
      2097151, and both have the mark.
    - A width that fills the registers has no unfit numbers.

    Attributes
    ----------
    name, doc : str
    width : int
        Bits of the register.
    signed : bool
    bits : int
        Bits of a number that may be allowed: the width without the mark. 0 is replaced by that.
    unit : str
        Of the number, such as ``tuples``.
    least, most : int or None
        The least and the greatest number that is allowed; None for what ``bits`` can hold.
    multiple : int
        A power of two: only its multiples are allowed.
    value : int or None
        What the query asks for; None when the data decide.
    area : int or None
        It is a byte address, behind which the engine uses so many bytes of memory.
    """

    name: str
    doc: str
    width: int
    signed: bool = False
    bits: int = 0
    unit: str = ""
    least: int | None = None
    most: int | None = None
    multiple: int = 1
    value: int | None = None
    area: int | None = None

    def __post_init__(self):
        full = self.width == 32 * self.words
        topped = self.most is not None and not self.signed and self.most + 1 < 1 << self.width
        object.__setattr__(self, "bits", self.bits or self.width - (not full and not topped))
        if self.multiple & (self.multiple - 1) or self.multiple < 1:
            raise ValueError(f"multiple must be a power of two, not {self.multiple}")

    @classmethod
    def whole(cls, *, bits, **told):
        """A number of which every value of ``bits`` bits may be allowed."""
        return cls(width=bits if bits in (32, 64) else bits + 1, bits=bits, **told)

    @property
    def shape(self):
        return Shape(self.width, self.signed)

    @property
    def words(self):
        """Registers of 32 bits."""
        return -(-self.width // 32)

    @property
    def limits(self):
        """Least and greatest number that may be allowed."""
        low, high = (
            (-(1 << self.bits - 1), 1 << self.bits - 1) if self.signed else (0, 1 << self.bits)
        )
        least = low if self.least is None else self.least
        return least, high - 1 if self.most is None else self.most

    def unfit(self, value):
        """High when ``value``, as wide as this, bears the mark of one that did not fit.

        Never where there is no such mark, as ``bits`` are all of the width.
        """
        if self.bits == self.width:
            return Const(0)
        return value[-1] ^ value[-2] if self.signed else value[-1]

    def refuses(self, value):
        """High when ``value``, as wide as this, is not allowed, whatever the other settings are."""
        bad = [self.unfit(value)]
        if self.least is not None:
            bad.append(value == 0 if self.least == 1 and not self.signed else value < self.least)
        if self.most is not None:
            bad.append(value > self.most)
        if self.multiple > 1:
            bad.append(value[: self.multiple.bit_length() - 1].any())
        return reduce(or_, bad)


def _anything(settings):
    return Const(0)


@dataclass(frozen=True, kw_only=True)
class HostSettings:
    """All that the host sets for an engine's streams.

    They are sampled at a stream's first beat, and hold to its end, for every part that it passes.

    Attributes
    ----------
    numbers : tuple of HostSetting
    functions : tuple of str
        What the function register chooses from, in the order of its values; empty without one.
    rule : callable
        From a mapping of name to value, or a view, to a bit: the numbers do not go together,
        though each by itself is allowed. Engines over a stream's time judge by their windows.
    rules : tuple of Rule
        What must hold between the numbers, for hosts: streams with any other numbers are dropped.
    """

    numbers: tuple[HostSetting, ...] = ()
    functions: tuple[str, ...] = ()
    rule: Callable[[Mapping], object] = field(default=_anything)
    rules: tuple[Rule, ...] = ()

    @property
    def layout(self):
        """Layout of what a stream takes along: ``function``, when there is one, and the numbers."""
        function = {"function": bits_for(len(self.functions) - 1)} if self.functions else {}
        return data.StructLayout(function | {n.name: n.shape for n in self.numbers})

    @property
    def values(self):
        """What the host must write for an answer to the query, by name, as far as that tells it."""
        return {n.name: n.value for n in self.numbers if n.value is not None}

    @property
    def host_sets(self):
        """Names of the numbers that the query does not tell, but the data."""
        return tuple(n.name for n in self.numbers if n.value is None)

    def __getitem__(self, name):
        """The number of that name."""
        return next(number for number in self.numbers if number.name == name)

    def inconsistent(self, settings):
        """High when the numbers do not go together. ``settings`` is a view, or a mapping."""
        return self.rule(settings)

    def refused(self, settings):
        """High when a number is not allowed by itself, or they do not go together."""
        alone = (number.refuses(settings[number.name]) for number in self.numbers)
        return reduce(or_, alone, self.inconsistent(settings))

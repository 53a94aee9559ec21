"""What the parameter classes of all engines share."""

import dataclasses
import hashlib
import json
from abc import ABC, abstractmethod
from dataclasses import dataclass, replace
from functools import reduce
from operator import or_

from amaranth.hdl import Const, Shape
from amaranth.lib import data
from amaranth.utils import bits_for

from query.predicate import comparisons, without_constants
from query.types import Type
from rtl.stream.selection import Selection, constant_name


def shape_of(type_: Type) -> Shape:
    """Shape of a column's raw value in hardware."""
    return Shape(type_.width, type_.signed)


def row_layout(columns) -> data.StructLayout:
    """Layout of a tuple of ``columns``."""
    return data.StructLayout({column.name: shape_of(column.type) for column in columns})


def one_of(name, value, choices):
    """Raises ValueError unless ``value`` is one of ``choices``."""
    if value not in choices:
        raise ValueError(f"{name} must be one of {', '.join(choices)}, not {value!r}")


def power_of_two(name, value, low, high):
    """Raises TypeError or ValueError unless ``value`` is a power of two in ``low`` to ``high``."""
    integer(name, value, low, high)
    if value & (value - 1):
        raise ValueError(f"{name} must be a power of two from {low} to {high}, not {value}")


def integer(name, value, low, high):
    """Raises TypeError or ValueError unless ``value`` is an integer from ``low`` to ``high``."""
    if not isinstance(value, int) or isinstance(value, bool):
        raise TypeError(f"{name} must be an integer, not {value!r}")
    if not low <= value <= high:
        raise ValueError(f"{name} must be from {low} to {high}, not {value}")


def setting(default, doc, **limits):
    """A field of a parameter class: ``limits`` are its ``range`` or ``choices``."""
    return dataclasses.field(default=default, metadata={"doc": doc, **limits})


def constants_setting():
    """The field ``constants`` of an engine's parameter class."""
    return setting(
        "compiled",
        "constants of WHERE: built in, or each set at run time in a register",
        choices=("compiled", "run-time"),
    )


@dataclass(frozen=True, kw_only=True)
class RunTime:
    """A number that the host sets while the hardware runs, in registers of its own.

    It has one register up to 32 bits, and two up to 64. It is 0 after reset, so where 0 is not
    allowed the host must write it. A written number that does not fit ``width`` bits is held as one
    that is :attr:`unfit`, which an engine must refuse.

    Numbers that may be allowed have ``bits`` bits: one less than the width, which then is the mark
    of the unfit, or all of them if that fills the registers, as then every number fits. Without
    ``bits`` the one or the other is meant, by the width alone.
    """

    name: str
    width: int
    doc: str
    signed: bool = False
    bits: int = 0

    def __post_init__(self):
        full = self.width == 32 * self.words
        object.__setattr__(self, "bits", self.bits or self.width - (not full))

    @classmethod
    def whole(cls, name, bits, signed, doc):
        """A number of which every value of ``bits`` bits may be allowed."""
        width = bits if bits in (32, 64) else bits + 1
        return cls(name=name, width=width, doc=doc, signed=signed, bits=bits)

    @property
    def limits(self):
        """Least and greatest number that may be allowed."""
        if self.signed:
            return -(1 << self.bits - 1), (1 << self.bits - 1) - 1
        return 0, (1 << self.bits) - 1

    @property
    def words(self):
        """Registers of 32 bits."""
        return -(-self.width // 32)

    def unfit(self, value):
        """High when ``value``, as wide as this, is none: a number was written that did not fit."""
        if self.bits == self.width:
            return Const(0)
        return value[-1] ^ value[-2] if self.signed else value[-1]


class Parameters(ABC):
    """Base of the engines' parameter classes, which are frozen, keyword-only dataclasses.

    Every field but ``query`` is a setting: it has a default, and its ``metadata`` tell its ``doc``
    and, for enumerations and ranges, its ``choices`` or ``range``.
    """

    engine: str

    #: What the function register chooses from, in the order of its values.
    functions: tuple[str, ...] = ()

    #: Every :class:`RunTime` number beside the function.
    run_time: tuple[RunTime, ...] = ()

    #: "run-time" when each constant of WHERE has a register.
    constants: str = "compiled"

    #: Names of the counters that the core has in ``dropped``; without any it has no such port.
    dropped: tuple[str, ...] = ()

    #: Cycles that may pass without a transfer on either side, beyond the latency.
    pause: int = 0

    #: Beats of the input bring punctuations, flagged by ``tuser``.
    punctuated: bool = False

    #: Tuples of the longest stream that is counted right; None when there is no limit.
    stream_max: int | None = None

    @classmethod
    def settings_fields(cls):
        """The dataclass fields that a user may set."""
        return tuple(field for field in dataclasses.fields(cls) if field.name != "query")

    def settings(self):
        """Every setting and its value, in the order of declaration."""
        return {field.name: getattr(self, field.name) for field in self.settings_fields()}

    @property
    def tuple_layout(self):
        """Layout of an input tuple: the query's columns, in the order of the schema."""
        return row_layout(self.query.columns)

    @property
    def input_fields(self):
        """(name, shape) of each field of a tuple on the bus."""
        return tuple((column.name, shape_of(column.type)) for column in self.query.columns)

    @property
    def selects(self):
        """A selection is built in: WHERE, or floats that may be NaN."""
        return Selection.needed(self.query)

    @property
    def gaps(self):
        """Beats of the input may be short anywhere, and have gaps."""
        return self.selects

    @property
    def constant_numbers(self):
        """A :class:`RunTime` for each comparison of WHERE whose constant is set at run time."""
        if self.constants != "run-time":
            return ()
        leaves = enumerate(comparisons(self.query.where))
        return tuple(self._constant(constant_name(k), leaf) for k, leaf in leaves)

    @staticmethod
    def _constant(name, leaf):
        type_ = leaf.column.type
        doc = f"constant of a comparison, as raw value; the query's is {leaf}"
        return RunTime.whole(name, type_.width, type_.signed, doc)

    @property
    def constant_values(self):
        """The query's own constants, by the names of :attr:`constant_numbers`."""
        leaves = comparisons(self.query.where)
        return {n.name: leaf.raw for n, leaf in zip(self.constant_numbers, leaves, strict=False)}

    def unfit_constants(self, settings):
        """High when a constant was written that is none of its column's type."""
        numbers = self.constant_numbers
        return reduce(or_, (n.unfit(settings[n.name]) for n in numbers), Const(0))

    def check_constants(self):
        """Raises ValueError unless :attr:`constants` can be what it is."""
        one_of("constants", self.constants, ("compiled", "run-time"))
        for leaf in comparisons(self.query.where):
            if self.constants == "run-time" and leaf.column.type.width > 64:
                raise ValueError(
                    f"constants must be compiled for columns of more than 64 bits, not run-time "
                    f"for {leaf.column}"
                )

    @property
    def asked_where(self):
        """WHERE without the constants that are set at run time."""
        where = self.query.where
        return without_constants(where) if self.constant_numbers else where

    @property
    def asked(self):
        """The query as far as the hardware depends on it, as text."""
        return str(replace(self.query, where=self.asked_where))

    def configuration(self):
        """Everything that the hardware depends on, as plain data."""
        return {
            "engine": self.engine,
            "stream": str(self.query.schema),
            "query": self.asked,
            "parameters": self.settings(),
        }

    @property
    def configuration_hash(self):
        """First 32 bits of the SHA-256 of the configuration as compact JSON with sorted keys."""
        text = json.dumps(self.configuration(), sort_keys=True, separators=(",", ":"))
        return int(hashlib.sha256(text.encode()).hexdigest()[:8], 16)

    @property
    def settings_layout(self):
        """Layout of what the host sets and each stream takes along from its first beat on.

        Members: ``function``, when there is one, and every number of :attr:`run_time`. It is the
        context of the core's input.
        """
        function = {"function": bits_for(len(self.functions) - 1)} if self.functions else {}
        numbers = {n.name: Shape(n.width, n.signed) for n in self.run_time}
        return data.StructLayout(function | numbers)

    @property
    def run_time_values(self):
        """What the host must write for an answer to the query, by name."""
        return {}

    def refused(self, settings):
        """High when some number of ``settings``, a view or a mapping, is not allowed by itself."""
        return Const(0)

    def windows(self, tuples):
        """Packets that a stream of so many tuples gives."""
        return 1

    @classmethod
    @abstractmethod
    def refuses(cls, query):
        """Why this engine cannot run ``query``, as the end of a sentence; None when it can."""

    @abstractmethod
    def create(self):
        """The engine's core, without a bus: streams ``i`` and ``o``."""

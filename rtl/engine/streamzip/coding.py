"""What a codec asks of the engine for windows of each key, and what follows from it."""

from dataclasses import dataclass
from fractions import Fraction

from query.aggregate import Function
from query.window import Range
from rtl.contract.settings import HostSetting
from rtl.engine.parts.columns import value_layout
from rtl.engine.parts.operators import columns_of, float_sum_refusal, operator_of
from rtl.keyed.cache.cache_plan import CachePlan
from rtl.keyed.codec.block_format import COUNT_BITS
from rtl.keyed.codec.codecs import KINDS, kind_of
from rtl.keyed.codec.fold import Fold
from rtl.keyed.codec.sz import EXPONENTS, Sz
from rtl.keyed.codec.sz_interval import BOUND_BITS, WORKING_BITS
from rtl.keyed.store.blocks.block_ring import RingPlan, ring_blocks
from rtl.keyed.store.lines.line_values import usual_values

#: Of a value that is compressed, at most.
CODED_BITS = 64
#: By the name of the option; each is made for the bits of a value, 32 or 64.
CODECS = {"none": None} | {name: kind.codec for name, kind in KINDS.items()}
#: Of the unit that SZ counts floating point in, as a power of two, without the option.
FLOAT_EXPONENT = -16
#: How many times as many numbers as the largest window has values: no window that is on its way may
#: be further behind.
NUMBERS = 256


@dataclass(frozen=True)
class Coding:
    """The values of the query's only column in blocks.

    Attributes
    ----------
    options : rtl.engine.streamzip.options.Options
    """

    options: object

    def check(self):
        """Raises ValueError unless the codec can compress what the query aggregates."""
        options, name = self.options, self.options.codec
        if name == "none":
            if cached := options.cached_keys:
                raise ValueError(f"cached_keys must be 0 with codec=none, not {cached}")
            return
        query, built, bits = options.query, options.resolved, value_layout(options.query).size
        if isinstance(query.window, Range) and (cached := options.cached_keys):
            raise ValueError(f"cached_keys must be 0 with RANGE, not {cached}")
        values = usual_values(options.kind.item_bits)
        given = {"memory": "mlq", "m2_lines": 1, "m2_kind": "block", "line_values": values}
        for option, only in given.items():
            if (value := getattr(built, option)) != only:
                raise ValueError(f"{option} must be {only} with codec={name}, not {value}")
        columns = value_layout(query).members
        if len(columns) != 1:
            raise ValueError(
                f"codec must be none for a query that aggregates {len(columns)} columns, not "
                f"{name}: it compresses one"
            )
        (column,) = columns
        if bits > CODED_BITS:
            raise ValueError(f"codec must be none for {bits} bits of {column}, not {name}")
        if query.schema[column].type.floating and not KINDS[name].floating:
            raise ValueError(f"codec must be none for {column}, floating point, not {name}")
        if CODECS[name] is Sz:
            self._check_exponent(column)
            self._bound()
            if cached := options.cached_keys:  # which has values as they came
                raise ValueError(f"cached_keys must be 0 with codec=sz, not {cached}")
        if reason := float_sum_refusal(query):
            raise ValueError(f"codec must be none where {reason}, not {name}")
        if self._ranks and kind_of(self.codec).serial:
            raise ValueError(
                f"codec must be none or base-delta for median and percentile, not {name}: of its "
                "blocks come states, not values"
            )
        if self._ranks and (cached := options.cached_keys):
            raise ValueError(f"cached_keys must be 0 with median and percentile, not {cached}")

    def _check_exponent(self, column):
        low, high = 0, self._type.width - 1
        if self._type.floating:
            low, high = EXPONENTS[self._type.width]
        if not low <= (exponent := self.options.resolved.exponent) <= high:
            raise ValueError(f"exponent must be from {low} to {high} for {column}, not {exponent}")

    @property
    def codec(self):
        """None without."""
        make = CODECS[self.options.codec]
        if make is None:
            return None
        bits, stamp = self._type.width, {"stamp_bits": self.options.kind.stamp_bits}
        width = 32 if bits <= 32 else 64
        if make is not Sz:
            return make(width, **stamp)
        if self._type.floating:
            return Sz(width, "float", self.options.resolved.exponent, **stamp)
        kind = "signed" if self._type.signed else "unsigned"
        return Sz(width, kind, self.options.resolved.exponent, bits, **stamp)

    @property
    def _type(self):
        """Of the column that is compressed."""
        (column,) = value_layout(self.options.query).members
        return self.options.query.schema[column].type

    @property
    def exponent(self):
        """The option, when it was not given."""
        sz = CODECS[self.options.codec] is Sz
        return FLOAT_EXPONENT if sz and self._type.floating else 0

    @property
    def settings(self):
        """What the host sets of the codec."""
        if CODECS[self.options.codec] is not Sz:
            return ()
        relative, absolute = self._bound()
        told = (
            ("relative", "as a part of the value, in 1/65536", BOUND_BITS, "1/65536", relative),
            ("absolute", "in working values", WORKING_BITS - 1, "working values", absolute),
        )
        return tuple(
            HostSetting.full_range(
                name=name,
                doc=f"how far from a value one may be that stands for it, {doc}; the greater of "
                "relative and absolute holds",
                bits=bits,
                unit=unit,
                value=value,
            )
            for name, doc, bits, unit, value in told
        )

    def _bound(self):
        """The option, as the settings ``relative`` and ``absolute``; raises ValueError."""
        text = str(self.options.bound)  # a number, where that is how it was given
        part = text.removesuffix("%")
        try:
            number = Fraction(part)
        except (ValueError, ZeroDivisionError):
            number = Fraction(-1)
        if part != text:
            if not 0 <= number < 100:
                raise ValueError(f"bound must be from 0% to less than 100%, not {text!r}")
            return int(number / 100 * (1 << BOUND_BITS)), 0
        type_ = self._type
        unit = Fraction(2) ** (self.options.resolved.exponent - type_.fraction)
        most = (1 << WORKING_BITS - 1) - 1
        if not 0 <= number / unit <= most:
            raise ValueError(f"bound must be from 0 to {float(most * unit):g}, not {text!r}")
        return 0, int(number / unit)

    @property
    def _ranks(self):
        """The columns whose values are sorted."""
        return columns_of(self.options.query, Function.PERCENTILE)

    @property
    def pieces(self):
        """Values in which a block is given where they are sorted: as many as without a codec."""
        return self.options.resolved.line_values if self._ranks else None

    @property
    def ring(self):
        """The rings of blocks; None without a codec."""
        if (codec := self.codec) is None:
            return None
        return RingPlan(
            codec=codec,
            entries=self.options.entries,
            blocks=self.blocks,
            number_bits=self.number_bits,
            fold=self.fold,
            cache=self.cache,
            pieces=self.pieces,
        )

    @property
    def blocks(self):
        """Of a ring; None without a codec."""
        if (codec := self.codec) is None:
            return None
        return ring_blocks(codec.format, self.options.resolved.window_max, self.options.ports)

    @property
    def number_bits(self):
        """Of a value's number among those of its key; None without a codec.

        With windows of time all blocks of a ring may be read for a window, and less than nothing is
        told from that.
        """
        if (blocks := self.blocks) is None:
            return None
        if self.options.kind.stamp_bits:
            return (blocks << COUNT_BITS).bit_length()
        return (NUMBERS * self.options.resolved.window_max - 1).bit_length()

    @property
    def cache(self):
        """The windows that are kept on the chip; None without."""
        options = self.options
        if not options.cached_keys:
            return None
        most = options.resolved.window_max
        (item,) = value_layout(options.query).members.values()
        return CachePlan(
            keys=options.cached_keys,
            lanes=min(options.cache_lanes, most),
            values=most,
            item=item,
            fold=self.fold,
        )

    @property
    def fold(self):
        """What a block becomes in a serial decoder, or with a cache; None without either."""
        codec = self.codec
        serial = codec is not None and kind_of(codec).serial
        if not (serial or self.options.cached_keys):
            return None
        query, most = self.options.query, self.options.kind.tuples
        return Fold(
            row=value_layout(query),
            operators=tuple(operator_of(item.aggregate, most) for item in query.items),
            tuples=most,
            decoders=self.options.decoders,
        )

    def held(self, ratio):
        """Values of a block on average, with such a ratio."""
        return ratio * self.codec.format.raw_values

    def steps(self, ratio, known=None):
        """Of a block, on average; None where they are decoded at once."""
        if (codec := self.codec) is None or not kind_of(codec).serial:
            return None
        return kind_of(codec).usual_steps(codec, ratio) if known is None else known

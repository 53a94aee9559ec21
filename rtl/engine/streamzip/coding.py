"""What a codec asks of the engine for windows of each key, and what follows from it."""

from dataclasses import dataclass

from query.aggregate import Function
from query.window import Rows
from rtl.codec.base_delta import BaseDelta
from rtl.codec.block_ring import RingPlan, ring_blocks
from rtl.codec.block_steps import STEPS
from rtl.codec.decompressor import SERIAL
from rtl.codec.fold import Fold
from rtl.codec.xor import Xor
from rtl.engine.parts.columns import value_layout
from rtl.engine.parts.operators import columns_of, operator_of
from rtl.engine.streamzip.line_values import usual_values

#: Of a value that is compressed, at most.
CODED_BITS = 64
#: By the name of the option; each is made for the bits of a value, 32 or 64.
CODECS = {"none": None, "base-delta": BaseDelta, "xor": Xor}
#: Those that floating point can be compressed with.
FLOATING = ("none", "xor")
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
            return
        query, built, bits = options.query, options.resolved, options.kind.item_bits
        if not isinstance(query.window, Rows):
            raise ValueError(f"codec must be none with RANGE, not {name}")
        values = usual_values(bits)
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
        if query.schema[column].type.floating and name not in FLOATING:
            raise ValueError(f"codec must be none for {column}, floating point, not {name}")
        if columns_of(query, Function.PERCENTILE):
            raise ValueError(f"codec must be none for median and percentile, not {name}")

    @property
    def codec(self):
        """None without."""
        make = CODECS[self.options.codec]
        return make and make(32 if self.options.kind.item_bits <= 32 else 64)

    @property
    def ring(self):
        """The rings of blocks; None without a codec."""
        if (codec := self.codec) is None:
            return None
        options, most = self.options, self.options.resolved.window_max
        return RingPlan(
            codec=codec,
            entries=options.entries,
            blocks=ring_blocks(codec.format, most, options.ports),
            number_bits=(NUMBERS * most - 1).bit_length(),
            fold=self.fold,
        )

    @property
    def fold(self):
        """What a block becomes in a serial decoder; None where blocks are decoded at once."""
        if type(self.codec) not in SERIAL:
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
        if (codec := self.codec) is None or type(codec) not in STEPS:
            return None
        _, usual = STEPS[type(codec)]
        return usual(codec, ratio) if known is None else known

"""The designs in table 2 of seed 000, as designs of this project; nothing is built."""

from dataclasses import dataclass, field

from query.parser import parse
from rtl.engine import ENGINES

FIXED = "fixed(40,24)"
AGGREGATES = "avg(cpu), min(cpu), max(cpu), median(cpu)"


def design_of(aggregates, value=FIXED, rows=4096, **options):
    """Returns the design of the seed's query, with the aggregates, value type and ROWS given.

    A sorter finds the median, unless ``options`` name another way.
    """
    text = (
        f"CREATE INPUT STREAM TaskEvents (time uint(32), job uint(32), cpu {value});"
        f"SELECT job, {aggregates} FROM TaskEvents [PARTITION BY job ROWS {rows} SLIDE 64];"
    )
    if "median" in aggregates:
        options = {"percentiles": "sorter"} | options
    return ENGINES["streamzip"](query=parse(text), **options)


@dataclass(frozen=True, kw_only=True)
class SeedSize:
    """A row of the table: the design, and the size of the seed's implementation.

    Attributes
    ----------
    options : dict
    items, value : str
        XOR and SZ have the kernel of ``min`` alone, as in the seed.
    alm, m20k : int
        Logic and RAMs of 20 Kibit in the seed.
    """

    options: dict = field(default_factory=dict)
    items: str = AGGREGATES
    value: str = FIXED
    alm: int
    m20k: int

    @property
    def design(self):
        return design_of(self.items, self.value, **self.options)


#: Rows by the names of this project. The codec grid is not in the seed; XOR is the comparison.
SIZES = {
    "dram-only": SeedSize(options={"memory": "dram-only"}, alm=86_208, m20k=1136),
    "mlq": SeedSize(alm=93_392, m20k=1347),
    "base-delta": SeedSize(options={"codec": "base-delta"}, alm=104_168, m20k=1584),
    **{
        name: SeedSize(
            options={"codec": name}, items="min(cpu)", value="double", alm=alm, m20k=m20k
        )
        for name, alm, m20k in (
            ("xor", 219_112, 1796),
            ("grid", 219_112, 1796),
            ("sz", 308_912, 2139),
        )
    },
}
#: The same designs with the seed's whole query, whose medians pivots find, with the default of
#: ``neighbours`` for a window after every tuple.
PIVOT_SIZES = {
    f"{name}, pivot": SeedSize(
        options=size.options
        | {"percentiles": "pivot", "neighbours": 2 if size.value == "double" else 1},
        value=size.value,
        alm=size.alm,
        m20k=size.m20k,
    )
    for name, size in SIZES.items()
}
CODECS = tuple(size.options["codec"] for size in SIZES.values() if "codec" in size.options)

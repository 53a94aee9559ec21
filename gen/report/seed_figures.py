"""Lists the resources of the seeds' designs, for comparison with the project's designs."""

from dataclasses import dataclass
from typing import Any

from query.aggregate import Function
from query.predicate import Comparison, Op
from rtl.contract.design import Design


@dataclass(frozen=True, kw_only=True)
class Figure:
    """Holds the resources of a design as a publication prints them.

    ``design`` describes the design, and ``source`` names the place in the publication. ``lut``,
    ``ff`` and ``bram36`` are numbers of LUTs, of registers and of block RAMs of 36 Kbit; None if
    the publication has no such number.
    """

    lut: int | None = None
    ff: int | None = None
    bram36: int | None = None
    design: str
    source: str


GROUP_BY = Figure(
    lut=2552,
    ff=2422,
    design="group-by engine, P=4, 32-bit group and value, one selected result, Zynq UltraScale+",
    source="seed 003, Table 1: second row less the first",
)
COMPACTOR = Figure(
    lut=1260,
    ff=2290,
    design="PRRA, P=4, 64-bit tuples, Zynq UltraScale+",
    source="seed 003, section 4.5",
)
#: Functions of the group-by engine of seed 003.
_GROUP_BY_FUNCTIONS = {
    Function.MIN,
    Function.MAX,
    Function.SUM,
    Function.COUNT,
    Function.COUNT_DISTINCT,
}
#: Words that the figures of both SWAG engines share.
_SWAG = "with its bus, P=4, k=128, 32-bit group and value, one selected result, Zynq UltraScale+"
#: Functions of each SWAG engine of seed 003, and its figure. A query must have exactly these
#: functions.
SWAGS = (
    (
        {Function.MIN, Function.PERCENTILE, Function.MAX},
        Figure(
            lut=41_963,
            ff=54_437,
            bram36=89,
            design=f"SWAG engine of min, median and max {_SWAG}",
            source="seed 003, Table 1, third row, and section 4.5",
        ),
    ),
    (
        _GROUP_BY_FUNCTIONS | {Function.PERCENTILE},
        Figure(
            lut=43_441,
            ff=54_694,
            bram36=89,
            design=f"SWAG engine of all its operators {_SWAG}",
            source="seed 003, Table 1, fourth row, and section 4.5",
        ),
    ),
)
#: Figures by the number of modules: 11, 21, ... 61 for RANGE of 10, 20, ... 60 minutes, SLIDE of a
#: minute, and tuples up to a minute late.
WINDOW_IDS = {
    modules: Figure(
        lut=lut,
        ff=ff,
        design=f"window-ID query, {modules} modules, 32-bit columns, Virtex-6",
        source="seed 002, Table II: slice LUTs and slice registers",
    )
    for modules, lut, ff in (
        (11, 1_764, 1_855),
        (21, 3_342, 3_442),
        (31, 5_011, 4_975),
        (41, 6_615, 6_453),
        (51, 7_844, 8_095),
        (61, 9_241, 9_594),
    )
}
#: Figures by the option ``panes``: RANGE / SLIDE, which is a power of two in the seed. The seed
#: shows LUTs and registers only in Fig. 6.
PANES = {
    panes: Figure(
        bram36=bram36,
        design=f"pane query, RANGE / SLIDE = {panes}, 32-bit columns, Virtex-6",
        source="seed 001, Table III",
    )
    for panes, bram36 in (
        (64, 1),
        (128, 1),
        (256, 1),
        (512, 2),
        (1024, 4),
        (2048, 8),
        (4096, 17),
    )
}


def of_design(design: Design, target: str) -> Figure | None:
    """Returns the figure of the seed's design with the same query and size; otherwise None.

    For instance the window-ID engine of the seeds' query with 11 modules on ``xc6v`` has the figure
    of 1,764 LUTs. On another target it has none.
    """
    query = design.query
    own: Any = design.options
    options = own.resolved
    if design.engine == "window-id":
        return WINDOW_IDS.get(options.modules) if _counts_trades(options, target) else None
    if design.engine == "pane":
        return PANES.get(options.panes) if _counts_trades(options, target) else None
    if design.engine not in ("group-by", "swag"):
        return None
    functions = {item.aggregate.function for item in query.items}
    is_comparable = (
        target == "xcup"
        and options.lanes == 4
        and options.results == "select"
        and query.where is None
        and [column.type.width for column in query.columns] == [32, 32]
    )
    if is_comparable and design.engine == "group-by":
        return GROUP_BY if functions == _GROUP_BY_FUNCTIONS else None
    if is_comparable and design.engine == "swag" and options.capacity == 128:
        return next((figure for published, figure in SWAGS if published == functions), None)
    return None


def _counts_trades(options, target):
    """Returns True for a query as in seeds 001 and 002, on their FPGA, a Virtex-6.

    The query counts, in 32 bits, the tuples whose one column equals a constant, the symbol; it has
    two columns of 32 bits, and no other aggregate.
    """
    query = options.query
    return (
        target == "xc6v"
        and options.count_width == 32
        and [item.aggregate.function for item in query.items] == [Function.COUNT]
        and isinstance(query.where, Comparison)
        and query.where.op is Op.EQ
        and [column.type.width for column in query.columns] == [32, 32]
    )


def of_unit(name: str, settings: dict, target: str) -> Figure | None:
    """Returns the figure of the seed's component with the same name and sizes; otherwise None.

    Only the compactor of 4 lanes of 64 bits on ``xcup`` has a figure.
    """
    is_comparable = name == "compactor" and target == "xcup"
    return (
        COMPACTOR if is_comparable and (settings["lanes"], settings["width"]) == (4, 64) else None
    )

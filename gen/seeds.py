"""Figures that the seeds publish, to be set beside the project's own."""

from dataclasses import dataclass

from query.aggregate import Function


@dataclass(frozen=True, kw_only=True)
class Figure:
    """Resources of a published design; ``source`` says where, ``design`` of what."""

    lut: int
    ff: int
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
_GROUP_BY_FUNCTIONS = {
    Function.MIN,
    Function.MAX,
    Function.SUM,
    Function.COUNT,
    Function.COUNT_DISTINCT,
}
_SWAG = "with its bus, P=4, k=128, 32-bit group and value, one selected result, Zynq UltraScale+"
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


def of_engine(parameters, target):
    """The figure of the seed's design that has these parameters, or None."""
    query = parameters.query
    functions = {item.aggregate.function for item in query.items}
    alike = (
        target == "xcup"
        and parameters.lanes == 4
        and parameters.results == "select"
        and query.where is None
        and [column.type.width for column in query.columns] == [32, 32]
    )
    if alike and parameters.engine == "group-by":
        return GROUP_BY if functions == _GROUP_BY_FUNCTIONS else None
    if alike and parameters.engine == "swag" and parameters.capacity == 128:
        return next((figure for of, figure in SWAGS if of == functions), None)
    return None


def of_unit(name, settings, target):
    """The same for a unit."""
    alike = name == "compactor" and target == "xcup"
    return COMPACTOR if alike and (settings["lanes"], settings["width"]) == (4, 64) else None

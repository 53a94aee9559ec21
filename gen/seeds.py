"""Figures that the seeds publish, to be set beside the project's own."""

from dataclasses import dataclass

from query.aggregate import Function


@dataclass(frozen=True, kw_only=True)
class Figure:
    """Resources of a published design; ``source`` says where, ``design`` of what."""

    lut: int
    ff: int
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


def of_engine(parameters, target):
    """The figure of the seed's design that has these parameters, or None."""
    query = parameters.query
    alike = (
        parameters.engine == "group-by"
        and target == "xcup"
        and parameters.lanes == 4
        and parameters.results == "select"
        and query.where is None
        and {item.aggregate.function for item in query.items} == _GROUP_BY_FUNCTIONS
        and [column.type.width for column in query.columns] == [32, 32]
    )
    return GROUP_BY if alike else None


def of_unit(name, settings, target):
    """The same for a unit."""
    alike = name == "compactor" and target == "xcup"
    return COMPACTOR if alike and (settings["lanes"], settings["width"]) == (4, 64) else None

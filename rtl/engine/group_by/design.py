"""The design of the group-by engine for a query."""

from dataclasses import replace
from functools import partial

from amaranth.lib import data

from query.aggregate import Function
from rtl.contract.counters import UNSORTED
from rtl.contract.design import Design
from rtl.contract.prediction import Latency, Prediction
from rtl.contract.rows import InputSchema, Packet
from rtl.contract.settings import HostSettings
from rtl.contract.shape import Pace
from rtl.engine.group_by.core import GroupBy
from rtl.engine.parts.columns import tuple_layout
from rtl.engine.parts.constants import built_where, constant_settings
from rtl.engine.parts.grouping import Grouping
from rtl.engine.parts.intake import IntakePlan
from rtl.engine.parts.operators import columns_of, operator_of
from rtl.engine.parts.results import Results


def design(options):
    """Returns the :class:`~rtl.contract.design.Design` for ``options``."""
    built = options.resolved
    query = options.query
    row = tuple_layout(query.columns)
    tuples = (1 << built.count_width) - 1
    distinct = columns_of(query, Function.COUNT_DISTINCT)
    operators = tuple(operator_of(item.aggregate, tuples) for item in query.items)
    results = Results(items=query.items, operators=operators, select=built.results == "select")
    settings = HostSettings(
        numbers=constant_settings(query, built.constants), functions=results.functions
    )
    intake = IntakePlan(query=query, row=row, lanes=built.lanes, settings=settings, scan=built.scan)
    function = {"function": results.operator.context} if results.select else {}
    grouping = Grouping(
        row=row,
        lanes=built.lanes,
        key=query.group.name,
        results=results,
        tuples=tuples,
        distinct=distinct,
        order={name: query.schema[name].type.floating for name in (query.group.name, *distinct)},
        context=data.StructLayout(function),
        scan=built.scan,
    )
    latency = Latency(
        begin="last beat of a stream",
        end="its last row",
        cycles=intake.latency + grouping.latency,
    )
    prediction = Prediction(
        tuples_per_cycle=float(built.lanes),
        latencies=(latency,),
        pace=Pace(tuple_cycles=1 / built.lanes, window_backlog=results.queued_rows * built.lanes),
    )
    return Design(
        engine="group-by",
        options=options,
        query_text=str(replace(query, where=built_where(query, built.constants))),
        settings=settings,
        input=InputSchema(
            layout=row,
            lanes=built.lanes,
            gaps=intake.has_selection,
            sorted_by=(query.group.name, *distinct),
        ),
        rows=grouping.rows(Packet.STREAM),
        counters=intake.counters,
        flags=(*intake.flags, UNSORTED),
        predict=partial(_predict, prediction),
        create=partial(GroupBy, intake, grouping),
        stream_max=tuples,
    )


def _predict(prediction, *, shape=None):
    """Returns ``prediction``, because every ``shape`` of the data passes at the full rate."""
    return prediction

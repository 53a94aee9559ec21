"""The design of the sliding-window engine for a query."""

from dataclasses import replace
from functools import partial
from math import ceil

from amaranth.lib import data
from amaranth.utils import bits_for

from query.aggregate import Function
from query.window import WholeStream
from rtl.contract.design import Design
from rtl.contract.prediction import Latency, Prediction
from rtl.contract.rows import InputSchema, Packet
from rtl.contract.rules import ROW_RULES
from rtl.contract.settings import HostSettings
from rtl.contract.shape import Shape
from rtl.engine.parts.columns import tuple_layout
from rtl.engine.parts.constants import built_where, constant_settings
from rtl.engine.parts.grouping import Grouping
from rtl.engine.parts.intake import IntakePlan
from rtl.engine.parts.operators import columns_of, operator_of
from rtl.engine.parts.percentiles import RUN_TIME, Percentiles
from rtl.engine.parts.results import Results
from rtl.engine.parts.row_windows import longer_slide, row_window_settings
from rtl.engine.swag.core import Swag
from rtl.engine.swag.options import sorted_by
from rtl.engine.swag.sorting import Sorting
from rtl.sort.order import SortOrder


def design(options):
    """Returns the :class:`~rtl.contract.design.Design` for ``options``."""
    built = options.resolved
    query = options.query
    row = tuple_layout(query.columns)
    percentiles = Percentiles(
        query=query, run_time=built.percentiles == RUN_TIME, select=built.results == "select"
    )
    results = _results(built, percentiles)
    settings = HostSettings(
        numbers=(
            *row_window_settings(query.window, built.window_max, built.lanes),
            *percentiles.settings,
            *constant_settings(query, built.constants),
        ),
        functions=results.functions,
        rule=longer_slide,
        rules=ROW_RULES,
    )
    intake = IntakePlan(query=query, row=row, lanes=built.lanes, settings=settings, scan=built.scan)
    sorting = _sorting(built, row, percentiles)
    function = {"function": results.operator.context} if results.select else {}
    grouping = Grouping(
        row=row,
        lanes=built.lanes,
        key=query.group.name,
        results=results,
        tuples=built.window_max,
        distinct=columns_of(query, Function.COUNT_DISTINCT),
        targets=percentiles.targets,
        context=data.StructLayout(function | percentiles.context),
        scan=built.scan,
    )
    built_query = replace(
        query,
        window=WholeStream(),
        items=percentiles.built_items,
        where=built_where(query, built.constants),
    )
    return Design(
        engine="swag",
        options=options,
        query_text=str(built_query),
        settings=settings,
        input=InputSchema(layout=row, lanes=built.lanes, gaps=intake.has_selection),
        rows=grouping.rows(Packet.WINDOW),
        counters=intake.counters,
        flags=intake.flags,
        predict=partial(
            _predict, settings, query.window, sorting, intake.latency, grouping.latency
        ),
        create=partial(Swag, intake, sorting, grouping, percentiles),
    )


def _results(built, percentiles):
    """Returns the plan of the results, with the operator of each item of the query."""
    items = built.query.items
    operators = tuple(
        operator_of(item.aggregate, built.window_max, percentiles.target_index_of(item.aggregate))
        for item in items
    )
    return Results(items=items, operators=operators, select=built.results == "select")


def _sorting(built, row, percentiles):
    """Returns the plan of the replay buffer, the sorter and the queue.

    A window is sorted by its group, then by the column of a median, a percentile or a distinct
    count, if there is one. With percentiles each tuple also gets the size of its group.
    """
    query = built.query
    names = (query.group.name, *sorted_by(query))
    order = SortOrder(
        row,
        names,
        [name for name in names if query.schema[name].type.floating],
        group=query.group.name,
        cardinality=bits_for(built.window_max) if percentiles.fractions else 0,
    )
    return Sorting(
        order=order,
        lanes=built.lanes,
        capacity=built.capacity,
        window_max=built.window_max,
        passes=built.passes,
    )


def _predict(
    settings,
    window,
    sorting,
    intake_latency,
    aggregation_latency,
    *,
    size=None,
    slide=None,
    shape=None,
):
    """Returns the prediction for windows of ``size`` every ``slide``, by default the query's.

    A tuple that WHERE rejects fills no window. The fewer tuples of the ``shape`` pass WHERE, the
    more tuples enter while a window is sorted, up to P = ``lanes`` in a cycle.

    The latency is the sum of the intake (``intake_latency``), the replay buffer, the sorter from
    the first beat of a window to its first sorted beat, the queue, and the aggregation
    (``aggregation_latency``). Rows leave in full beats: if the first P groups have T tuples, the
    first beat leaves (T - 1) // P cycles later than with one tuple in each of these groups. For
    instance with P = 4 and 10 tuples in the first 4 groups, 2 cycles later.
    """
    settings.check(size=size, slide=slide)
    size = window.size if size is None else size
    slide = window.slide if slide is None else slide
    latency = Latency(
        begin="first tuple of a stream",
        end="its first row",
        cycles=intake_latency + sorting.latency_of(size) + aggregation_latency,
    )
    pace = sorting.pace(size, slide)
    rate = pace.rate((shape or Shape()).by_rows(slide))
    return Prediction(
        tuples_per_cycle=rate,
        latencies=(latency,),
        memory_bits=sorting.memory_bits,
        pause=ceil(slide / rate),  # tuples may wait until a window is sorted
        # While rows wait for the output, the sorter holds one window in addition to the windows in
        # the replay buffer.
        pace=replace(pace, window_backlog=pace.window_backlog + 1),
    )

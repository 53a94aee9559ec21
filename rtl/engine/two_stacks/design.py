"""Describes the two-stacks engine for a query as a `Design`."""

from dataclasses import replace
from functools import partial

from rtl.contract.design import Design
from rtl.contract.prediction import Latency, Prediction
from rtl.contract.rows import InputSchema
from rtl.contract.rules import ROW_RULES
from rtl.contract.settings import HostSettings
from rtl.contract.shape import Pace
from rtl.engine.parts.columns import tuple_layout
from rtl.engine.parts.constants import built_where, constant_settings
from rtl.engine.parts.intake import IntakePlan
from rtl.engine.parts.operators import operator_of
from rtl.engine.parts.results import Results, window_rows
from rtl.engine.parts.row_windows import longer_slide, row_window_settings
from rtl.engine.two_stacks.core import TwoStacks
from rtl.window.sliding import Sliding


def design(options):
    """Returns the :class:`~rtl.contract.design.Design` for ``options``."""
    built = options.resolved
    query = options.query
    row = tuple_layout(query.columns)
    tuples = built.window_max
    operators = tuple(operator_of(item.aggregate, tuples) for item in query.items)
    results = Results(items=query.items, operators=operators)
    rows = window_rows(results)
    settings = HostSettings(
        numbers=(
            *row_window_settings(query.window, built.window_max),
            *constant_settings(query, built.constants),
        ),
        rule=longer_slide,
        rules=ROW_RULES,
    )
    intake = IntakePlan(query=query, row=row, lanes=1, settings=settings, dense=False)
    latency = Latency(
        begin="last tuple of a window",
        end="its row",
        cycles=intake.latency + Sliding.latency + results.divider_latency,
    )
    memory = Sliding.memory_bits_of(
        operator=results.operator, tuples=tuples, items_max=tuples, item_tuples=1
    )
    prediction = Prediction(
        tuples_per_cycle=1.0,
        latencies=(latency,),
        memory_bits=memory,
        pace=Pace(window_backlog=results.queued_rows),
    )
    built_query = replace(
        query,
        window=replace(query.window, size=1, slide=1),
        where=built_where(query, built.constants),
    )
    return Design(
        engine="two-stacks",
        options=options,
        query_text=str(built_query),
        settings=settings,
        input=InputSchema(layout=row, lanes=1, gaps=True),
        rows=rows,
        counters=intake.counters,
        flags=intake.flags,
        predict=partial(_predict, settings, prediction),
        create=partial(TwoStacks, intake, results.operator, tuples, rows.layout),
    )


def _predict(settings, prediction, *, size=None, slide=None, shape=None):
    """Returns the prediction: one tuple per cycle for every window and ``shape`` of the data."""
    settings.check(size=size, slide=slide)
    return prediction

"""The pane engine for a query, described."""

from functools import partial

from rtl.contract.counters import OVERRUN, together
from rtl.contract.design import Design
from rtl.contract.prediction import Latency, Prediction
from rtl.engine.pane.core import LEVELS, Pane
from rtl.engine.parts.time_windows import TimeWindows
from rtl.window.punctuation import Punctuator


def design(options):
    """The :class:`~rtl.contract.design.Design` for ``options``."""
    built = options.resolved
    windows = TimeWindows.of(built)
    level = LEVELS[built.window_level]
    latency = Latency(
        begin="a punctuation, or the tuple that makes it",
        end="the first row that it closes",
        cycles=Punctuator.latency + 2 + level.latency + windows.results.divider_latency,
    )
    prediction = Prediction(
        tuples_per_cycle=1.0,
        latencies=(latency,),
        memory_bits=level.memory_bits_of(
            operator=windows.results.operator, tuples=windows.tuples, items_max=built.panes
        ),
        pause=2 * built.panes,  # panes of a stream are measured, or those of a window are read
    )
    return Design(
        engine="pane",
        options=options,
        asked=windows.asked,
        settings=windows.settings,
        input=windows.input,
        rows=windows.rows,
        counters=together(windows.counters, (OVERRUN,)),
        flags=windows.flags,
        predict=partial(_predict, prediction),
        create=partial(Pane, windows, built.modules, built.panes, built.window_level),
        stream_max=windows.tuples,
    )


def _predict(prediction):
    """A tuple in every cycle, while no more than one pane ends at once.

    With a sequential window level it is less when windows close faster than their panes are read:
    that depends on how many tuples fall into a slide.
    """
    return prediction

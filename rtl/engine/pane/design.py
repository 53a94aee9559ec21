"""Describes the pane engine for a query as a `Design`."""

from functools import partial
from math import gcd

from rtl.contract.counters import OVERRUN, merged_counters
from rtl.contract.design import Design
from rtl.contract.prediction import Latency, Prediction
from rtl.contract.rules import Rule
from rtl.contract.shape import Pace, Shape
from rtl.engine.pane.core import LEVELS, Pane
from rtl.engine.parts.time_windows import TimeWindows
from rtl.window.punctuation import Punctuator
from rtl.window.window_id import WindowModules


def design(options):
    """Returns the :class:`~rtl.contract.design.Design` for ``options``."""
    built = options.resolved
    windows = TimeWindows.from_options(built, _rules(built))
    level = LEVELS[built.window_level]
    latency = Latency(
        begin="a punctuation, or the tuple that makes it",
        end="the first row of the windows that it closes",
        cycles=Punctuator.latency + 2 + level.latency + windows.results.divider_latency,
    )
    memory = level.memory_bits_of(
        operator=windows.results.operator, tuples=windows.tuples, items_max=built.panes
    )
    return Design(
        engine="pane",
        options=options,
        query_text=windows.built_query,
        settings=windows.settings,
        input=windows.input,
        rows=windows.rows,
        counters=merged_counters(windows.counters, (OVERRUN,)),
        flags=windows.flags,
        predict=partial(
            _predict,
            windows.settings,
            built,
            windows.makes_punctuations,
            latency,
            memory,
            windows.results.queued_rows,
        ),
        create=partial(Pane, windows, built.modules, built.panes, built.window_level),
        stream_max=windows.tuples,
    )


def _rules(built):
    """Returns the rules of panes and modules.

    A pane is as long as the greatest common divisor of RANGE and SLIDE, and each open pane needs a
    module.
    """
    pane = ("gcd", "range", "slide")
    return (
        Rule(
            smaller=("/", "range", pane),
            greater=built.panes,
            says=f"range / gcd(range, slide) must be at most {built.panes}, the panes of a window "
            "in this build",
        ),
        Rule(
            smaller=("/", ("+", "slack", "slide"), pane),
            greater=built.modules,
            says="(slack + slide) / gcd(range, slide), rounded up, must be at most "
            f"{built.modules}, the modules of this build",
        ),
    )


def _predict(
    settings,
    built,
    makes_punctuations,
    latency,
    memory,
    queued_rows,
    *,
    range=None,
    slide=None,
    slack=None,
    shape=None,
):
    """Returns the prediction for lengths other than the query's, and data of this ``shape``.

    A slide closes all of its panes, each in a cycle; the tuple that makes the punctuation shares
    the cycle of the last pane. With a sequential window level each window also takes a cycle for
    each of its panes, at the same time; panes wait in the pane buffer and in the queue before it.
    With two stacks, which take a pane per cycle, the panes of a few windows wait in this queue if
    the output is slow, and the rows of ``queued_rows`` windows after it.
    """
    settings.check(range=range, slide=slide, slack=slack)
    window = built.query.window
    size = window.size if range is None else range
    slide = window.slide if slide is None else slide
    pane = gcd(size, slide)
    panes = size // pane
    step = slide // pane
    sequential = {
        "window_cycles": panes,
        "window_backlog": (built.panes + WindowModules.DEPTH // 2 - panes) // step,
    }
    two_stacks = {"window_backlog": WindowModules.DEPTH // 2 // step + queued_rows}
    window_level = sequential if built.window_level == "sequential" else two_stacks
    pace = Pace(slide_cycles=step, shared_cycles=int(makes_punctuations), **window_level)
    return Prediction(
        tuples_per_cycle=pace.rate((shape or Shape()).by_time(slide)),
        latencies=(latency,),
        memory_bits=memory,
        # The measurement of the panes, or reading the panes of a window; and two turns of the ring.
        pause=2 * built.panes + 2 * built.modules + 8,
        pace=pace,
    )

"""The pane engine for a query, described."""

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
    """The :class:`~rtl.contract.design.Design` for ``options``."""
    built = options.resolved
    windows = TimeWindows.of(built, _rules(built))
    level = LEVELS[built.window_level]
    latency = Latency(
        begin="a punctuation, or the tuple that makes it",
        end="the first row that it closes",
        cycles=Punctuator.latency + 2 + level.latency + windows.results.divider_latency,
    )
    memory = level.memory_bits_of(
        operator=windows.results.operator, tuples=windows.tuples, items_max=built.panes
    )
    return Design(
        engine="pane",
        options=options,
        query_text=windows.asked,
        settings=windows.settings,
        input=windows.input,
        rows=windows.rows,
        counters=merged_counters(windows.counters, (OVERRUN,)),
        flags=windows.flags,
        predict=partial(_predict, built, windows.made, latency, memory),
        create=partial(Pane, windows, built.modules, built.panes, built.window_level),
        stream_max=windows.tuples,
    )


def _rules(built):
    """A pane is the greatest common divisor of RANGE and SLIDE, and panes have modules."""
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


def _predict(built, made, latency, memory, *, range=None, slide=None, slack=None, shape=None):
    """What to expect with other lengths than the query's, and data of this ``shape``.

    A slide closes all of its panes, each in a cycle; the tuple that makes the punctuation shares
    that of the last one. With a sequential window level each window takes a cycle for each pane,
    too, at the same time; those that wait for it are in the pane buffer and the queue before it.
    """
    window = built.query.window
    size, slide = window.size if range is None else range, window.slide if slide is None else slide
    pane = gcd(size, slide)
    panes, step = size // pane, slide // pane
    sequential = {
        "window_cycles": panes,
        "window_backlog": (built.panes + WindowModules.DEPTH // 2 - panes) // step,
    }
    more = sequential if built.window_level == "sequential" else {}
    pace = Pace(slide_cycles=step, shared_cycles=int(made), **more)
    return Prediction(
        tuples_per_cycle=pace.rate((shape or Shape()).by_time(slide)),
        latencies=(latency,),
        memory_bits=memory,
        pause=2 * built.panes,  # panes of a stream are measured, or those of a window are read
    )

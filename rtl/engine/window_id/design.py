"""The window-ID engine for a query, described."""

from functools import partial

from rtl.contract.counters import OVERRUN, merged_counters
from rtl.contract.design import Design
from rtl.contract.prediction import Latency, Prediction
from rtl.contract.rules import Rule
from rtl.contract.shape import Pace, Shape
from rtl.engine.parts.time_windows import TimeWindows
from rtl.engine.window_id.core import WindowId
from rtl.window.punctuation import Punctuator


def design(options):
    """The :class:`~rtl.contract.design.Design` for ``options``."""
    built = options.resolved
    windows = TimeWindows.of(built, _rules(built))
    latency = Latency(
        begin="a punctuation, or the tuple that makes it",
        end="the first row that it closes",
        cycles=Punctuator.latency + 2 + windows.results.divider_latency,
    )
    return Design(
        engine="window-id",
        options=options,
        query_text=windows.asked,
        settings=windows.settings,
        input=windows.input,
        rows=windows.rows,
        counters=merged_counters(windows.counters, (OVERRUN,)),
        flags=windows.flags,
        predict=partial(_predict, windows, latency, 2 * built.modules + 4),
        create=partial(WindowId, windows, built.modules),
        stream_max=windows.tuples,
    )


def _rules(built):
    """A tuple is in RANGE / SLIDE windows, and SLACK / SLIDE more may be open."""
    return (
        Rule(
            smaller=("+", ("/", "range", "slide"), ("/", "slack", "slide")),
            greater=built.modules,
            says="range / slide and slack / slide, both rounded up, must add up to at most "
            f"{built.modules}, the modules of this build",
        ),
    )


def _predict(windows, latency, pause, *, range=None, slide=None, slack=None, shape=None):
    """What to expect with other lengths than the query's, and data of this ``shape``; no block RAM.

    A window that ends takes a cycle, which the tuple that makes the punctuation shares when it is
    the only one: so only more than one at a time hold the input. A ``pause`` is two turns of the
    ring: at the end of a stream, and before one with other lengths.
    """
    slide = windows.query.window.slide if slide is None else slide
    pace = Pace(slide_cycles=1, shared_cycles=int(windows.made))
    rate = pace.rate((shape or Shape()).by_time(slide))
    return Prediction(tuples_per_cycle=rate, latencies=(latency,), pause=pause)

"""The design of the window-ID engine for a query."""

from functools import partial

from rtl.contract.counters import OVERRUN, merged_counters
from rtl.contract.design import Design
from rtl.contract.prediction import Latency, Prediction
from rtl.contract.rules import Rule
from rtl.contract.shape import Pace, Shape
from rtl.engine.parts.time_windows import TimeWindows
from rtl.engine.window_id.core import WindowId
from rtl.window.punctuation import Punctuator
from rtl.window.window_id import WindowModules


def design(options):
    """Returns the :class:`~rtl.contract.design.Design` for ``options``."""
    built = options.resolved
    windows = TimeWindows.from_options(built, _rules(built))
    latency = Latency(
        begin="a punctuation, or the tuple that makes it",
        end="the first row of the windows that it closes",
        cycles=Punctuator.latency + 2 + windows.results.divider_latency,
    )
    return Design(
        engine="window-id",
        options=options,
        query_text=windows.built_query,
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
    """Returns the rule of the modules.

    A tuple is in up to RANGE / SLIDE windows, and SLACK / SLIDE further windows may be open, both
    rounded up.
    """
    return (
        Rule(
            smaller=("+", ("/", "range", "slide"), ("/", "slack", "slide")),
            greater=built.modules,
            says="range / slide and slack / slide, both rounded up, must add up to at most "
            f"{built.modules}, the modules of this build",
        ),
    )


def _predict(windows, latency, pause, *, range=None, slide=None, slack=None, shape=None):
    """Returns the prediction for lengths other than the query's, and data of this ``shape``.

    A closing window takes a cycle. If the engine makes the punctuations, the tuple that makes one
    shares the cycle of the last closing window, so only a punctuation that closes several windows
    stalls the input. If the output is slow, closed windows wait in the queue of the modules, and
    their rows after it. A ``pause`` has room for two turns of the ring: one at the end of a stream,
    of modules + 1 cycles, and one before a stream with other lengths, of modules + 2 cycles; a
    further cycle is a margin. The engine has no block RAM.
    """
    windows.settings.check(range=range, slide=slide, slack=slack)
    slide = windows.query.window.slide if slide is None else slide
    pace = Pace(
        slide_cycles=1,
        shared_cycles=int(windows.makes_punctuations),
        window_backlog=WindowModules.DEPTH // 2 + windows.results.queued_rows,
    )
    rate = pace.rate((shape or Shape()).by_time(slide))
    return Prediction(tuples_per_cycle=rate, latencies=(latency,), pause=pause, pace=pace)

"""The window-ID engine for a query, described."""

from functools import partial

from rtl.contract.counters import OVERRUN, together
from rtl.contract.design import Design
from rtl.contract.prediction import Latency, Prediction
from rtl.engine.parts.time_windows import TimeWindows
from rtl.engine.window_id.core import WindowId
from rtl.window.punctuation import Punctuator


def design(options):
    """The :class:`~rtl.contract.design.Design` for ``options``."""
    built = options.resolved
    windows = TimeWindows.of(built)
    latency = Latency(
        begin="a punctuation, or the tuple that makes it",
        end="the first row that it closes",
        cycles=Punctuator.latency + 2 + windows.results.divider_latency,
    )
    return Design(
        engine="window-id",
        options=options,
        asked=windows.asked,
        settings=windows.settings,
        input=windows.input,
        rows=windows.rows,
        counters=together(windows.counters, (OVERRUN,)),
        flags=windows.flags,
        predict=partial(_predict, Prediction(tuples_per_cycle=1.0, latencies=(latency,))),
        create=partial(WindowId, windows, built.modules),
        stream_max=windows.tuples,
    )


def _predict(prediction):
    """A tuple in every cycle while no more than one window ends at once; no block RAM."""
    return prediction

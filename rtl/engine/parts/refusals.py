"""Why an engine cannot run a query: ends of sentences, each naming what stands in the way."""

from query.query import Query
from query.window import WholeStream
from rtl.engine.parts.operators import float_sum, sorted_order


def wrong_window(query: Query, wanted):
    """The query's window is none of ``wanted``, the window's keyword."""
    text = "no window" if isinstance(query.window, WholeStream) else f"the window {query.window}"
    return f"it has {text} where {wanted} must be"


def partition(query):
    """The query has a window for each key; None when it has not."""
    if query.window.partition is None:
        return None
    return f"it has the window {query.window}, and windows here are those of the whole stream"


def ungrouped(query, wanted):
    """Why an engine that gives a row for each window of type ``wanted`` cannot run ``query``."""
    if not isinstance(query.window, wanted):
        return wrong_window(query, wanted.__name__.upper())
    if reason := partition(query):
        return reason
    if query.group is not None:
        return "it has GROUP BY"
    return float_sum(query) or sorted_order(query)

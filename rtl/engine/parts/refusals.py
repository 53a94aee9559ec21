"""Reasons why an engine cannot run a query, such as "it has GROUP BY", as the end of a sentence."""

from query.query import Query
from query.window import WholeStream
from rtl.engine.parts.operators import float_sum_refusal, sorting_refusal


def window_refusal(query: Query, expected):
    """Returns the refusal of the query's window; ``expected`` names the right window, as "ROWS"."""
    text = "no window" if isinstance(query.window, WholeStream) else f"the window {query.window}"
    return f"it has {text} where {expected} must be"


def partition_refusal(query):
    """Returns the refusal of windows for each key, or None if windows are of the whole stream."""
    if query.window.partition is None:
        return None
    return f"it has the window {query.window}, and windows here are those of the whole stream"


def ungrouped_refusal(query, expected):
    """Returns the refusal by an engine for ungrouped windows of type ``expected``, or None."""
    if not isinstance(query.window, expected):
        return window_refusal(query, expected.__name__.upper())
    if reason := partition_refusal(query):
        return reason
    if query.group is not None:
        return "it has GROUP BY"
    return float_sum_refusal(query) or sorting_refusal(query)

"""What goes into an engine's stream."""

import numpy as np

from gen.passing import passing, raw_columns
from gen.punctuation import punctuations
from query.window import Whole
from rtl.contract.packing import Packing
from tb.harness.beats import Beats, pack_fields
from tb.harness.pack import order_key


def beats(parameters, tuples, start=None):
    """The streams that answer the query: one, or one for each function to be selected.

    Under a window they are as they came: hardware takes out what WHERE and NaN leave out. Under no
    window the tuples are sorted by group, and within a group by the column whose distinct values
    are counted; among equals the order of arrival stays. An engine that takes its punctuations
    from the stream gets them there.

    Parameters
    ----------
    parameters : rtl.engine.parameters.Parameters
    tuples : Tuples
    start : int or None
        RANGE: where window 0 begins; None only when no tuple reaches it.

    Returns
    -------
    Beats
    """
    query = parameters.query
    raws, users = raw_columns(query, tuples), None
    if isinstance(query.window, Whole) and query.group is not None and len(tuples):
        by = [query.group, *(query.schema[name] for name in parameters.distinct)]
        order = stable_order([order_key(raws[c.name], c.type) for c in by])
        raws = {name: column[order] for name, column in raws.items()}
    if parameters.punctuated:
        raws, users = _punctuated(query, raws, start)
    packed = pack_fields([*raws.values()], Packing(parameters.input_fields).fields)
    streams = max(1, len(parameters.functions))
    users = None if users is None else [users] * streams
    return Beats.from_streams([packed] * streams, parameters.lanes, users=users)


def stable_order(keys):
    """Indices that sort by the first key, then the second, ...; equals keep their order."""
    return np.lexsort(list(reversed(keys)))


def _punctuated(query, raws, start):
    """Columns with the punctuations among the tuples, and which of their entries these are."""
    time = query.window.attribute.name
    seen = np.flatnonzero(passing(query, raws))
    tuples = np.zeros(len(raws[time]), bool)
    if not len(seen):
        return raws, tuples
    before, values = punctuations(query.window, raws[time][seen], start)
    at = seen[before]
    columns = {
        name: np.insert(column, at, values if name == time else 0) for name, column in raws.items()
    }
    return columns, np.insert(tuples, at, True)

"""What goes into an engine's stream."""

import numpy as np

from gen.prediction.selected_tuples import passing, raw_columns
from gen.simulate.punctuation_beats import punctuations
from sim.beats import Beats, pack_fields
from sim.pack import order_key


def input_beats(design, tuples, start=None):
    """The streams that answer the query: one, or one for each function to be selected.

    Tuples are in the order of their arrival, or sorted by the columns by which the engine wants
    them; among equals the order of arrival stays. Hardware takes out what WHERE and NaN leave out.
    An engine that takes its punctuations from the stream gets them there.

    Parameters
    ----------
    design : Design
    tuples : Tuples
    start : int or None
        RANGE: where window 0 begins; None only when no tuple reaches it.

    Returns
    -------
    Beats
    """
    query, into = design.query, design.input
    raws, users = raw_columns(query, tuples), None
    if into.sorted_by and len(tuples):
        by = [query.schema[name] for name in into.sorted_by]
        order = stable_order([order_key(raws[c.name], c.type) for c in by])
        raws = {name: column[order] for name, column in raws.items()}
    if into.punctuations:
        raws, users = _punctuated(query, raws, start)
    packed = pack_fields([*raws.values()], into.packing.fields)
    streams = max(1, len(design.settings.functions))
    users = None if users is None else [users] * streams
    if bits := design.face.bits:  # byte after byte, as if each were a tuple
        return Beats.from_streams([packed.reshape(-1, 1)] * streams, bits // 8)
    return Beats.from_streams([packed] * streams, into.lanes, users=users)


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

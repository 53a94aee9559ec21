"""Turns tuples into the beats of an engine's input stream."""

from collections.abc import Sequence

import numpy as np

from gen.prediction.selected_tuples import passing, raw_columns
from gen.simulate.punctuation_beats import punctuations
from golden.tuples import Tuples
from rtl.contract.design import Design
from sim.beats import Beats, pack_fields
from sim.pack import order_key


def input_beats(design: Design, tuples: Tuples, start: int | None = None) -> Beats:
    """Returns the input streams of a run: one, or one for each function of a function register.

    Tuples are in the order of their arrival. For an engine that needs sorted tuples they are sorted
    by the engine's columns, and equal tuples keep the order of arrival. All tuples are sent: the
    hardware drops those with a NaN and those that WHERE drops. If the engine reads punctuations
    from the stream, the stream contains them.

    Parameters
    ----------
    design : Design
    tuples : Tuples
    start : int or None
        Time at which window 0 of RANGE begins; None only if no tuple reaches the windows.

    Returns
    -------
    Beats
    """
    query, target = design.query, design.input
    raws = raw_columns(query, tuples)
    users = None
    if target.sorted_by and len(tuples):
        by = [query.schema[name] for name in target.sorted_by]
        order = stable_order([order_key(raws[c.name], c.type) for c in by])
        raws = {name: column[order] for name, column in raws.items()}
    if target.punctuations:
        raws, users = _punctuated(query, raws, start)
    packed = pack_fields([*raws.values()], target.packing.fields)
    streams = max(1, len(design.settings.functions))
    users = None if users is None else [users] * streams
    # If the face sets the width of tdata, packed bytes fill the beats across the borders of tuples.
    # With punctuations the face is a network, whose datagrams are cut from beats of whole tuples.
    if (bits := design.face.bits) and users is None:
        return Beats.from_streams([packed.reshape(-1, 1)] * streams, bits // 8)
    return Beats.from_streams([packed] * streams, target.lanes, users=users)


def stable_order(keys: Sequence[np.ndarray]) -> np.ndarray:
    """Returns the indices of a stable sort by the first key, then by the second, and so on."""
    return np.lexsort(list(reversed(keys)))


def _punctuated(query, raws, start):
    """Returns the columns with punctuations among the tuples, and a bool for each entry.

    The bool is true for a punctuation.
    """
    time = query.window.attribute.name
    passes = np.flatnonzero(passing(query, raws))
    is_punctuation = np.zeros(len(raws[time]), bool)
    if not len(passes):
        return raws, is_punctuation
    positions, values = punctuations(query.window, raws[time][passes], start)
    at = passes[positions]
    columns = {
        name: np.insert(column, at, values if name == time else 0) for name, column in raws.items()
    }
    return columns, np.insert(is_punctuation, at, True)

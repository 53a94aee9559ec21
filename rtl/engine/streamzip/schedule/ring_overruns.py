"""Counts the tuples that the engine drops because there is no room for them."""

import numpy as np

from rtl.engine.streamzip.schedule.time_tuples import KeyState, room_of
from rtl.keyed.table.key_places import KeyPlaces


def overruns(options, stream, size, slide):
    """Returns the number of tuples that are dropped because there is no room for them.

    The stream has windows ``[PARTITION BY k RANGE size SLIDE slide]``. Either the ring of the
    tuple's key is full, or the number of the tuple's slide has too many bits. Late tuples, and
    tuples before the start, are dropped for another reason, so they do not count.

    Parameters
    ----------
    options : Options
        Resolved.
    stream : KeyStream
        Its times may be Python's whole numbers.
    size, slide : int
    """
    key_times = options.kind.times
    slides = stream.times // slide
    is_numbered = (slides < 1 << key_times.number_bits).astype(bool)
    count = int(np.sum(~is_numbered))
    positions = np.flatnonzero((stream.times >= 0).astype(bool) & is_numbered).tolist()
    width = options.query.key.type.width
    places = KeyPlaces(stream.keys[positions], width, options.entries, options.ways)
    spacing = size // slide // key_times.marks + 1
    states = {}
    for k, (entry, fresh) in zip(positions, places.tuples(), strict=True):
        if fresh:
            states[entry] = KeyState(room_of(options), life=None)
        state = states[entry]
        first = max(0, (int(stream.times[k]) - size) // slide + 1)
        if not state.is_late(first):
            count += state.take(int(slides[k]), first, spacing, key_times.items) is None
    return count

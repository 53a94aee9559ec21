"""Counts the tuples that the engine drops because there is no room for them."""

import numpy as np

from rtl.engine.streamzip.schedule.time_tuples import KeyState, room_of
from rtl.keyed.table.key_places import KeyPlaces


def overruns(options, stream, size, slide):
    """Returns the number of tuples that are dropped because the ring of their key is full.

    The stream has windows ``[PARTITION BY k RANGE size SLIDE slide]``. A tuple whose slide has a
    number that the engine cannot count counts, too. Late tuples, and tuples before the start, are
    dropped for another reason, so they do not count.

    Parameters
    ----------
    options : Options
        Resolved.
    stream : KeyStream
    size, slide : int
    """
    times = options.kind.times
    slides = stream.times // slide
    countable = slides < 1 << times.number_bits
    count = int(np.sum(~countable))
    inside = ((stream.times >= 0) & countable).nonzero()[0].tolist()
    width = options.query.key.type.width
    places = KeyPlaces(stream.keys[inside], width, options.entries, options.ways)
    spacing, states = size // slide // times.marks + 1, {}
    for k, (entry, fresh) in zip(inside, places.tuples(), strict=True):
        if fresh:
            states[entry] = KeyState(room_of(options), life=None)
        state = states[entry]
        first = max(0, (int(stream.times[k]) - size) // slide + 1)
        if not state.is_late(first):
            count += state.take(int(slides[k]), first, spacing, times.items) is None
    return count

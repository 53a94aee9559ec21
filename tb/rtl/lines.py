"""Windows as lines of plain values; None is a lane outside the window."""

KINDS = ("dense", "edges", "any")


def window(values, lanes, first=0):
    """Returns the values as the fewest lines, from lane ``first`` of the first line on."""
    slots = [None] * first + list(values)
    slots += [None] * (-len(slots) % lanes)
    return [slots[k : k + lanes] for k in range(0, len(slots), lanes)]


def random_window(rng, lanes, lines, draw, kind=None, least=1):
    """Returns a window of ``lines`` lines with at least ``least`` values.

    Kinds of lines: dense, dense between two edges, or with gaps anywhere.
    """
    kind = kind or rng.choice(KINDS)
    places = lanes * lines
    if kind == "dense":
        return window([draw() for _ in range(rng.randint(places - lanes + 1, places))], lanes)
    if kind == "edges":
        begin, end = rng.randrange(lanes), places - rng.randrange(lanes)
        filled = set(range(begin, max(end, begin + 1)))
    else:
        share = rng.choice((0.1, 0.5, 0.9))
        filled = {k for k in range(places) if rng.random() < share}
    while len(filled) < least:
        filled.add(rng.randrange(places))
    slots = [draw() if k in filled else None for k in range(places)]
    return [slots[k : k + lanes] for k in range(0, places, lanes)]


def values(window):
    """Returns the values of a window, in the order of their arrival."""
    return [value for line in window for value in line if value is not None]


def payloads(windows, rubbish, extra=()):
    """Returns the lines of all windows as payloads of a stream.

    Parameters
    ----------
    windows : list
    rubbish : callable
        Returns the contents of a lane outside the window.
    extra : sequence of dict
        Extra members of the lines of each window.
    """
    extra = extra or [{}] * len(windows)
    return [
        {
            "tuples": [rubbish() if slot is None else slot for slot in line],
            "valid": sum(1 << lane for lane, slot in enumerate(line) if slot is not None),
            "last": int(k == len(window_) - 1),
        }
        | members
        for window_, members in zip(windows, extra, strict=True)
        for k, line in enumerate(window_)
    ]

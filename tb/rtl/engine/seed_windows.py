"""Expected rows of the seed's query: average, minimum, maximum and median of windows of keys."""

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view

#: Number of values that are sorted at a time.
SORTED = 1 << 22


def seed_rows(key, value, ws, wa, floating):
    """Returns the places of the tuples that close windows, and the row of each window.

    A row has the window's number, the key, the average, the minimum, the maximum and the median.
    Values are raw: whole numbers, or with ``floating`` the bits of doubles. No double is negative
    in these streams, so their bits sort like the doubles. For instance one key, values 5, 1, 2 and
    windows of 2 every tuple: rows (0, 0, 3, 1, 5, 1) and (1, 0, 1, 1, 2, 1).
    """
    averages = float_averages if floating else whole_averages
    closers, rows = [], []
    for number in range(int(key.max()) + 1):
        places = np.flatnonzero(key == number)
        window_begins = np.arange(0, len(places) - ws + 1, wa)
        if not len(window_begins):
            continue
        values = value[places]
        columns = [
            np.arange(len(window_begins)),
            np.full(len(window_begins), number),
            averages(values, window_begins, ws),
            *ordered(values, window_begins, ws),
        ]
        closers.append(places[window_begins + ws - 1])
        rows.append(np.array(columns).T)
    if not rows:
        return np.array([], int), []
    closers = np.concatenate(closers)
    order = np.argsort(closers)
    return closers[order], list(map(tuple, np.concatenate(rows)[order].tolist()))


def ordered(values, window_begins, ws):
    """Returns the minimum, the maximum and the median of each window of one key.

    The median is the value of rank ceil(ws / 2), counted from 1.
    """
    windows, step = sliding_window_view(values, ws), max(1, SORTED // ws)
    parts = []
    for at in range(0, len(window_begins), step):
        sorted_values = np.sort(windows[window_begins[at : at + step]], axis=1)
        parts.append(sorted_values[:, [0, ws - 1, -(-ws // 2) - 1]])
    return np.concatenate(parts).T


def whole_averages(values, window_begins, ws):
    """Returns the average of each window of whole numbers, rounded toward zero."""
    sums = np.concatenate([[0], np.cumsum(values)])
    totals = sums[window_begins + ws] - sums[window_begins]
    return np.sign(totals) * (np.abs(totals) // ws)


def float_averages(bits, window_begins, ws):
    """Returns the bits of the average of each window of doubles.

    The order of the additions is the query language's: value n of a key is leaf n of a binary tree,
    and values outside of the window are omitted. ``left`` and ``right`` are the sums of the
    window's values in its first and its last node of a level.
    """
    nodes = bits.view(np.float64)
    first, last = window_begins.copy(), window_begins + ws - 1
    left, right, totals = nodes[first], nodes[last], nodes[first].copy()
    is_open = first != last
    while is_open.any():
        siblings = is_open & (first >> 1 == last >> 1)
        totals[siblings] = left[siblings] + right[siblings]
        is_open &= ~siblings
        grows = is_open & (first & 1 == 0)
        left[grows] += nodes[first[grows] + 1]
        grows = is_open & (last & 1 == 1)
        right[grows] = nodes[last[grows] - 1] + right[grows]
        first, last = first >> 1, last >> 1
        pairs = nodes[: len(nodes) // 2 * 2]
        nodes = pairs[::2] + pairs[1::2]
    return (totals / ws).view(np.int64)

"""Sliding aggregates of constant cost: each part of a state by the means that suit it."""

from rtl.aggregate.operator import Product
from rtl.window.paced import Paced
from rtl.window.subtract_on_evict import EvictPath
from rtl.window.two_stacks import StacksPath


class Sliding(Paced):
    """The aggregate of the last ``size`` items, each part of a product in the cheapest way.

    ::

        i ---+--> remove and combine: count, sum, avg, ... ---+--> o
             +--> two stacks: min, max, ...                ---+

    The invertible parts of a :class:`~rtl.aggregate.operator.Product` go the way of
    :class:`~rtl.window.subtract_on_evict.SubtractOnEvict`, the others that of
    :class:`~rtl.window.two_stacks.TwoStacks`, side by side; an operator that is no product goes
    one of the two as a whole. One item in and, with a slide of 1, one window out in every cycle.

    Rows come in the order of the windows. A window that the end of the stream cuts short gives
    none, and the next stream, which may follow in the next cycle with other settings, begins with
    nothing. ``i`` stalls while ``o`` holds a row that is not taken, and never otherwise. A size or
    slide out of bounds makes wrong rows until the end of the stream.

    Latency 2 cycles from a window's last item to its row, always. Initiation interval 1 cycle.
    Memory: ``items_max`` states.

    Parameters
    ----------
    operator : Operator
        Without a context.
    tuples : int
        A state is that of up to so many tuples.
    items_max : int
        Items of the largest window; a power of two of at least 2.
    each : int or None
        An item is the state of up to so many tuples; None is ``tuples``.
    stamp : int
        Width of the rows' stamps, 0 for none (:func:`~rtl.window.items.ports`).

    Members
    -------
    i : In(stream.Signature(item(operator.state(each))))
    o : Out(stream.Signature(row(operator.state(tuples), stamp)))
    size : In(unsigned)
        Items of a window, at most ``items_max``.
    slide : In(unsigned)
        Items from the start of one window to that of the next, at most ``size``.
    stamp : In(signed(stamp))
        Of a stream's first row; only with stamps.
    stride : In(stamp)
        From one row's stamp to the next's; only with stamps.

    Source: seed 004, section 2.2; side by side in one pace is ours.
    """

    def __init__(self, *, operator, tuples, items_max, each=None, stamp=0):
        paths = {"total": (EvictPath, []), "stacks": (StacksPath, [])}
        if isinstance(operator, Product):
            for name, part in operator.parts.items():
                paths["total" if part.invertible else "stacks"][1].append((name, part))
            chosen = {way: (kind, Product(**dict(p))) for way, (kind, p) in paths.items() if p}
        else:
            way = "total" if operator.invertible else "stacks"
            chosen = {way: (paths[way][0], operator)}
        sizes = {"tuples": tuples, "items_max": items_max, "each": each, "stamp": stamp}
        super().__init__(operator=operator, paths=chosen, **sizes)

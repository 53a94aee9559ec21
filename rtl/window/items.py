"""The ports that every sliding aggregate has: items in, one state per full window out.

And those of a path, which is a part of one.
"""

from amaranth.hdl import signed
from amaranth.lib import data, stream
from amaranth.lib.wiring import In, Out
from amaranth.utils import bits_for


def item(state):
    """Layout of an item of a stream, for instance of a pane's aggregate.

    Members: ``state``; ``valid``, there is an item; ``last``, it ends the stream (without
    ``valid``, it does only that).
    """
    return data.StructLayout({"state": state, "valid": 1, "last": 1})


def row(state, stamp=0):
    """Layout of what a window gives: its ``state`` and, if its width is not 0, its ``stamp``."""
    return data.StructLayout({"state": state} | ({"stamp": signed(stamp)} if stamp else {}))


def ports(operator, tuples, items_max, *, each=None, stamp=0):
    """Members of a component that aggregates the last items of a stream.

    ::

        i, size, slide --> window of the last size items, every slide items --> o

    ``size`` items make a window, the next one begins ``slide`` items later; 1 <= slide <= size <=
    items_max, else what comes out is undefined. An item is the state of up to ``each`` tuples, a
    window that of up to ``tuples``; without ``each`` it is the same.

    With ``stamp``, its width, each row has a number beside it, such as the time at which the window
    ends: ``stamp`` for the first window of a stream, ``stride`` more from one to the next.

    ``busy`` is high while a row may still come of a stream whose end has been taken.

    All that steers is sampled with the first item of a stream and hold until its end.
    """
    check(operator, tuples, items_max)
    stamped = {"stamp": In(signed(stamp)), "stride": In(stamp)} if stamp else {}
    return {
        "i": In(stream.Signature(item(operator.state(tuples if each is None else each)))),
        "o": Out(stream.Signature(row(operator.state(tuples), stamp))),
        "size": In(bits_for(items_max)),
        "slide": In(bits_for(items_max)),
        "busy": Out(1),
        **stamped,
    }


def check(operator, tuples, items_max):
    """Raises ValueError unless there can be a sliding aggregate of these."""
    if operator.context:
        raise ValueError(f"operator must have no context, not one of {operator.context} bits")
    if not isinstance(tuples, int) or tuples < 1:
        raise ValueError(f"tuples must be an integer of at least 1, not {tuples!r}")
    if not isinstance(items_max, int) or items_max < 2 or items_max & (items_max - 1):
        raise ValueError(f"items_max must be a power of two of at least 2, not {items_max!r}")


def path_ports(item, state, items_max):
    """Members of a *path*: a component that has the state of the last ``size`` items at any time.

    Members: ``i``, an item's state, of layout ``item``; ``take``, it is one, and the registers
    move; ``step``, they move; ``end``, the stream ends with this step; ``fresh``, the item is the
    first of its stream, and ``size`` the items of each of its windows; ``o``, of layout ``state``,
    the state of the window that ends with the item taken two steps ago, if so many items had come.
    """
    return {
        "i": In(item),
        "step": In(1),
        "take": In(1),
        "end": In(1),
        "fresh": In(1),
        "size": In(bits_for(items_max)),
        "o": Out(state),
    }

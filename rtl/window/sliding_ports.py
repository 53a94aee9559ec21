"""The ports of sliding aggregates, and of the paths that a sliding aggregate consists of.

A sliding aggregate receives items, and sends one state for each full window.
"""

from amaranth.hdl import signed
from amaranth.lib import data, stream
from amaranth.lib.wiring import In, Out
from amaranth.utils import bits_for


def item_layout(state):
    """Returns the layout of an item of a stream, for instance the aggregate of a pane.

    Members: ``state``; ``valid``, the beat has an item; ``last``, the beat ends the stream. A beat
    with ``last`` and without ``valid`` only ends the stream.
    """
    return data.StructLayout({"state": state, "valid": 1, "last": 1})


def row_layout(state, stamp=0):
    """Returns the layout of a row: the ``state`` of a window, and a ``stamp`` of ``stamp`` bits.

    If ``stamp`` is 0, rows have no stamp.
    """
    return data.StructLayout({"state": state} | ({"stamp": signed(stamp)} if stamp else {}))


def sliding_ports(operator, tuples, items_max, *, item_tuples=None, stamp=0):
    """Returns the members of a component that aggregates the last items of a stream.

    ::

        i, size, slide --> window of the last size items, every slide items --> o

    A window contains ``size`` items, and the next window begins ``slide`` items later. The
    component requires 1 <= slide <= size <= items_max; otherwise its rows are undefined. The state
    of a window covers up to ``tuples`` tuples, and the state of an item up to ``item_tuples``
    tuples, by default the same.

    If the parameter ``stamp``, a width in bits, is not 0, each row carries a number, such as the
    time at which the window ends: the value of the port ``stamp`` in the first window of a stream,
    and ``stride`` more in each later window.

    ``busy`` is high while the component may still send a row of a stream whose end has entered. It
    may also be high before the end of the stream.

    Size, slide, stamp and stride are sampled with the first item of a stream, and hold to its end.
    """
    check_sizes(operator, tuples, items_max)
    stamped = {"stamp": In(signed(stamp)), "stride": In(stamp)} if stamp else {}
    return {
        "i": In(
            stream.Signature(
                item_layout(operator.state(tuples if item_tuples is None else item_tuples))
            )
        ),
        "o": Out(stream.Signature(row_layout(operator.state(tuples), stamp))),
        "size": In(bits_for(items_max)),
        "slide": In(bits_for(items_max)),
        "busy": Out(1),
        **stamped,
    }


def check_sizes(operator, tuples, items_max):
    """Checks the operator and the sizes of a sliding aggregate; raises ValueError."""
    if operator.context:
        raise ValueError(f"operator must have no context, not one of {operator.context} bits")
    if not isinstance(tuples, int) or tuples < 1:
        raise ValueError(f"tuples must be an integer of at least 1, not {tuples!r}")
    if not isinstance(items_max, int) or items_max < 2 or items_max & (items_max - 1):
        raise ValueError(f"items_max must be a power of two of at least 2, not {items_max!r}")


def path_ports(item, state, items_max):
    """Returns the members of a *path*, a component that always has the state of the last items.

    Members:

    - ``i``, the state of an item, of layout ``item``;
    - ``step``: the registers advance in this cycle; in all other cycles they keep their values;
    - ``transfer``: an item enters in this step;
    - ``flush``: the stream ends with this step, and the path forgets its items;
    - ``first_item``, the item is the first of its stream;
    - ``size``, the number of items in a window, valid with ``first_item``;
    - ``o``, of layout ``state``: the state of the window that ends with the item of two steps ago,
      if the stream had ``size`` items by then.
    """
    return {
        "i": In(item),
        "step": In(1),
        "transfer": In(1),
        "flush": In(1),
        "first_item": In(1),
        "size": In(bits_for(items_max)),
        "o": Out(state),
    }

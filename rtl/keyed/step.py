"""The step of a tuple: the interface between window kinds and stores of values."""

from amaranth.hdl import Value
from amaranth.lib import data


def step_layout(plan):
    """Returns the layout of a step: the effect of one tuple on its key.

    A window kind (``rtl/keyed/windows``) makes steps, a store (``rtl/keyed/store``) carries them
    out: it stores the item and sends the window that the step closes. Neither folder imports the
    other. The window kind describes a window by sequence numbers of its key's values. The sequence
    number of a value is the number of values of the key before it, modulo the number of places in
    the key's ring.

    Members:

    - those of ``plan.placed``: the store chooses them, because they say where in the store the item
      and the window lie;
    - ``valid``: there is an ``item`` to store;
    - ``closes``: the step closes the window of ``window_info`` (its key, entry and number, and
      ``bound``, the largest number of values that it may have);
    - ``window_info.end``: the stream ends after this step;
    - ``arrived``: the step is the last one of a tuple, so the sum of ``arrived`` counts the tuples
      of the stream, dropped tuples included;
    - ``evicted``: the tuple took the entry of ``evicted_key``.

    A tuple that closes several windows has a step for each window. The item is in the last of these
    steps, or in a step after them.
    """
    return data.StructLayout(
        {
            **plan.placed.members,
            "item": plan.line.item,
            "closes": 1,
            "valid": 1,
            "arrived": 1,
            "evicted": 1,
            "evicted_key": plan.key,
            "window_info": plan.window_info,
        }
    )


def offer(target, **values):
    """Returns statements that assign those of the ``values`` for which ``target`` has a member.

    A window kind offers every value that it computes for a tuple. The layout of ``target``, which
    the store chooses, says which of these values are used; the others cost no hardware.
    """
    members = target.shape().members
    return [
        Value.cast(target[name]).eq(Value.cast(value))
        for name, value in values.items()
        if name in members
    ]

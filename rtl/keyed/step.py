"""The step of a tuple: the interface between window kinds and stores of values."""

from amaranth.hdl import Value
from amaranth.lib import data


def step_layout(plan):
    """Returns the layout of a step: the effect of one tuple on its key.

    A window kind (``rtl/keyed/windows``) makes steps, and a store (``rtl/keyed/store``) carries the
    steps out: the store stores the item and sends the window that the step closes. Neither folder
    imports the other. The window kind describes a window by sequence numbers. The sequence number
    of a value is the number of values that its key had before, modulo the places of the key's ring:
    with 64 places the 70th value of a key has number 69 - 64 = 5.

    Members:

    - the members of ``plan.position_layout``, which the store chooses: the places of the item and
      of the window in the store, or the sequence numbers of the window;
    - ``valid``: the step has an ``item`` to store;
    - ``closes``: the step closes the window of ``window_info`` (key, entry and number of the
      window, and ``bound``, the largest number of values that the window may have);
    - ``window_info.end``: the stream ends after this step;
    - ``arrived``: the step is the last one of a tuple, so the sum of ``arrived`` counts the tuples
      of the stream, dropped tuples included;
    - ``evicted``: the tuple took the entry of ``evicted_key``.

    A tuple that closes several windows has a step for each window. The item is in the last of these
    steps, or in a step after them.
    """
    return data.StructLayout(
        {
            **plan.position_layout.members,
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
    """Returns statements that assign ``values`` to the members of ``target`` with the same names.

    A value without a member is left out, and costs no hardware. So a window kind offers every value
    that it computes for a tuple, and the layout of ``target``, which the store chooses, selects.
    """
    members = target.shape().members
    return [
        Value.cast(target[name]).eq(Value.cast(value))
        for name, value in values.items()
        if name in members
    ]

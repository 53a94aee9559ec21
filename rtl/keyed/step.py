"""The step of a tuple: the interface between window kinds and stores of values."""

from amaranth.hdl import Value
from amaranth.lib import data


def step_layout(plan):
    """Returns the layout of a step: the effect of one tuple on its key.

    A window kind (``rtl/keyed/windows``) makes steps, a store (``rtl/keyed/store``) carries them
    out. Neither imports the other. Windows are described by sequence numbers: value n of a key is
    the value with n values of the key before it, modulo the places of a ring.

    Members: those of the plan's ``placed``, which the store chooses; ``item``, the value to store;
    ``closes``, the step closes a window; ``valid``, there is an item to store; ``arrived``, a tuple
    of the stream ends with this step, also a tuple that is dropped; ``evicted`` and
    ``evicted_key``, the key that lost its entry to this tuple; ``window_info``, the window's key,
    entry, number and bound.

    A tuple that closes several windows has a step for each, and the item comes with the last of
    them or after it.
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

    A window kind offers all that it computes of a tuple. The layout of ``target``, which the store
    chooses, says which of these values are used.
    """
    members = target.shape().members
    return [
        Value.cast(target[name]).eq(Value.cast(value))
        for name, value in values.items()
        if name in members
    ]

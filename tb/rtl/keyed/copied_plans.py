"""Plans whose M2 has copies of closed blocks, and the blocks that their windows read from M3."""

from dataclasses import replace

from rtl.keyed.store.lines.second_level import SecondLevel
from tb.rtl.keyed.small_rings import blocks_of


def with_copies(plan, blocks, kind="block"):
    """Returns the plan with copies of the last ``blocks`` closed blocks of each key."""
    return replace(plan, store=replace(plan.store, m2=SecondLevel(blocks=blocks, kind=kind)))


def older_of(model, values, size, slide, width, copies):
    """Returns the blocks and the values that the windows of one key read from M3, at least.

    A window of which the last value is in block g has copies of blocks g - ``copies`` to g - 1, and
    block g is growing. So earlier blocks, and the window's values in them, come from M3.
    """
    numbers = blocks_of(model, values, width)
    blocks = from_m3 = 0
    for end in range(size - 1, len(values), slide):
        window = numbers[end - size + 1 : end + 1]
        oldest_copy = numbers[end] - copies
        blocks += max(0, oldest_copy - window[0])
        from_m3 += sum(number < oldest_copy for number in window)
    return blocks, from_m3

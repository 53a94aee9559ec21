"""Plans with rings too small for their windows, and the windows that must be marked there."""

from dataclasses import replace

from golden.codecs.blocks import BlockWriter
from tb.rtl.keyed.table.models import TableModel


def with_small_rings(plan, blocks):
    """Returns the plan with rings of ``blocks`` blocks, of which the oldest gives way."""
    ring = plan.store.ring
    places = plan.window.places if ring.stamped else None
    ring = replace(ring, blocks=blocks, gives_way=True, window_places=places)
    lines = replace(plan.lines, ring_lines=blocks)
    return replace(plan, store=replace(plan.store, ring=ring), lines=lines)


def blocks_of(model, values, width):
    """Returns the number of the block of each value of a key's life, from 0."""
    writer, numbers = BlockWriter(model), []
    for value in values:
        closed = writer.take(value % (1 << width)) is not None
        numbers.append((numbers[-1] if numbers else 0) + closed)
    return numbers


def needs_of(plan, streams, model):
    """Returns for each window the number of closed blocks that it needs; None for a stream's end.

    A window of which the last value is in block g, and the first in block b, needs g - b closed
    blocks, and the growing block, which is on the chip.
    """
    windows = block_numbers_of(plan, streams, model)
    return [numbers and numbers[-1] - numbers[0] for numbers in windows]


def block_numbers_of(plan, streams, model):
    """Returns for each window the number of the block of each value; None for a stream's end."""
    table = TableModel(key_width=plan.key, entries=plan.entries, ways=plan.ways)
    width, windows = plan.store.ring.codec.width, []
    for size, slide, tuples in streams:
        lives, ends = {}, []
        for key, value in tuples:
            evicted = table.arrive(key, lambda state: state)["evicted"]
            if evicted is not None:
                del lives[evicted]
            life = lives.setdefault(key, [])
            life.append(value)
            begin = len(life) - size
            if begin >= 0 and begin % slide == 0:
                ends.append((life, len(life)))
        numbers = {id(life): blocks_of(model, life, width) for life, _ in ends}
        for life, end in ends:
            windows.append(numbers[id(life)][end - size : end])
        windows.append(None)
        table.end()
    return windows

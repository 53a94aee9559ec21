"""How many tuples per cycle the engine for windows of each key takes."""

from rtl.memory.lines import LINE_BITS


def lines_of(size, slide, items):
    """Lines that windows have, on average: those out of DRAM, and those of the kernels, one more.

    Window j of a key begins at its tuple j * slide, so at place ``j * slide % items`` of a line;
    what lies between that place and the window's last tuple are its lines. For instance 8 items in
    a line, windows of 20 every 4: they begin at places 0 and 4, so 19 // 8 = 2 and 23 // 8 = 2
    lines are read before the last one, which is not in DRAM yet.
    """
    begins = {j * slide % items for j in range(items)}
    read = sum((begin + size - 1) // items for begin in begins) / len(begins)
    return read, read + 1


def rate_of(keys, kernels, size, slide, kept=1.0):
    """Tuples per cycle in the long run, from a memory that gives and takes all that ports can.

    Each of these stages takes so many cycles for a tuple that counts, and the slowest decides:

    - the table: 1;
    - the kernels: those of a window over the slide;
    - commands: one for a line that is written, and one for a window;
    - reads, and writes, of the ports together: the lines of each, over what ports move in a cycle.

    ``kept`` is the share of tuples that count.
    """
    items, lines = keys.line.items, keys.lines
    read, given = lines_of(size, slide, items)
    moved = lines.ports * lines.data_width / LINE_BITS
    cycles = max(
        1,
        kernels.interval_of(size, given) / slide,
        1 / items + (1 / slide if read else 0),
        read / slide / moved,
        1 / items / moved,
    )
    return 1 / max(1, kept * cycles)

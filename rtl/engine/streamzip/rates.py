"""How many tuples per cycle the engine for windows of each key takes."""

from dataclasses import dataclass

from rtl.memory.lines import LINE_BITS


@dataclass(frozen=True, kw_only=True)
class KeyLoad:
    """What windows ask of the engine, on average.

    Attributes
    ----------
    windows : float
        For each tuple that counts.
    size, most : int
        Tuples of a window, and of the largest.
    read : float
        Lines of a window out of DRAM. The kernels have one more.
    kept : float
        Share of the tuples that count.
    """

    windows: float
    size: int
    most: int
    read: float
    kept: float = 1.0


def lines_of(size, slide, items):
    """Lines out of DRAM that windows of rows have, on average.

    Window j of a key begins at its tuple j * slide, so at place ``j * slide % items`` of a line;
    what lies between that place and the window's last tuple are its lines. For instance 8 items in
    a line, windows of 20 every 4: they begin at places 0 and 4, so 19 // 8 = 2 and 23 // 8 = 2
    lines are read before the last one, which is not in DRAM yet.
    """
    begins = {j * slide % items for j in range(items)}
    return sum((begin + size - 1) // items for begin in begins) / len(begins)


#: Cycles after which a memory answers, as the ideal one of simulations does.
ANSWER = 40
#: Tuples whose lines are on their way, with dram-only, and bursts of each direction at a port.
IN_FLIGHT, BURSTS = 32, 8


def rate_of(keys, kernels, load):
    """Tuples per cycle in the long run, from a memory that gives and takes all that ports can.

    Each of these stages takes so many cycles for a tuple that counts, and the slowest decides:

    - the table: 1; with windows of time, one for each window if that is more;
    - the kernels: those of its windows;
    - commands: one for a line that is written, one for a line that is read to be changed, and one
      for a window;
    - reads, and writes, of the ports together: the lines of each, over what ports move in a cycle;
    - with dram-only the time until a memory answers, for so many lines are on their way at most.

    Keys are taken to come at random: then with dram-only each line is read but for its first tuple.
    """
    items, lines, windows = keys.line.items, keys.lines, load.windows
    moved = lines.ports * lines.data_width / LINE_BITS
    alone = keys.memory == "dram-only"
    written, changed = (1, 1 - 1 / items) if alone else (1 / items, 0)
    cycles = max(
        1,
        windows,
        kernels.interval_of(load.size, load.read + 1) * windows,
        written + changed + (windows if load.read else 0),
        (load.read * windows + changed) / moved,
        written / moved,
        *_waits(lines, changed) if alone else (),
    )
    return 1 / max(1, load.kept * cycles)


def _waits(lines, changed):
    """Cycles for a tuple that changes a line, as lines on their way are only so many."""
    answer = ANSWER + lines.beats
    burst = (answer + 1) / BURSTS / lines.ports
    return (answer + 11) / IN_FLIGHT, burst * changed, burst

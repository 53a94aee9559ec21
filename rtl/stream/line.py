"""Lines: windows as they are read from a memory, several values at a time."""

from amaranth.hdl import Shape
from amaranth.lib import data
from amaranth.utils import bits_for, ceil_log2

from rtl.stream.beat import beat


def line(shape, lanes, *, context=0, passenger=0, window_max=0, lines=0):
    """Returns the layout of a line of ``lanes`` values of ``shape``.

    A window is one or more lines, the final line with ``last``. Any lanes of a line may belong to
    the window, or none; every window has at least one value. Members: the members of a
    :func:`~rtl.stream.beat.beat` (``tuples``, ``valid``, ``last``), and the following members,
    which are the same in all lines of a window and are omitted if they have no bits:

    - ``context``: bits that control the processing of the window;
    - ``passenger``: a shape, which accompanies the window unchanged;
    - with ``window_max``, ``bound``: a number from 1 to ``window_max``, an upper bound of the
      number of values in the window. A sorter of windows must know from the first line how large a
      window can become;
    - with ``lines`` above 1, the maximum number of lines of a window, ``number``: the position of
      the window's first line in its ring, modulo a power of two of at least ``lines - 1``. Adders
      of floating-point numbers choose their order by this position.

    For example, with 4 lanes, a window of the tuples 6 to 13 of a ring of lines has 3 lines, with
    the valid lanes ``..67``, ``8 9 10 11`` and ``12 13 . .``, and a bound of 8.
    """
    members = {name: field.shape for name, field in beat(shape, lanes, context)}
    bound = {"bound": bits_for(window_max)} if window_max else {}
    carried = {"passenger": passenger} if Shape.cast(passenger).width else {}
    number = {"number": number_bits(lines)} if lines > 1 else {}
    return data.StructLayout(members | carried | bound | number)


def number_bits(lines):
    """Returns the width of ``number``, for windows of up to ``lines`` lines, at least 2."""
    return max(1, ceil_log2(lines - 1))

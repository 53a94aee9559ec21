"""Lines: windows as they come out of a memory, so many values at a time."""

from amaranth.hdl import Shape
from amaranth.lib import data
from amaranth.utils import bits_for, ceil_log2

from rtl.stream.beat import beat


def line(shape, lanes, *, context=0, passenger=0, window_max=0, lines=0):
    """Layout of a line of ``lanes`` values of ``shape``.

    A window is one or more lines, the final one with ``last``. Any lanes of a line may belong to
    the window, also none; at least one does in every window. Members: those of a
    :func:`~rtl.stream.beat.beat` (``tuples``, ``valid``, ``last``), and, the same in all lines of
    a window and each only when it has any bits,

    - ``context``, so many bits that steer what is done with the window;
    - ``passenger``, a shape, which goes along with it untouched;
    - with ``window_max``, ``bound``: a number from 1 to ``window_max`` that the window has no more
      values than. Who sorts a window must know from its first line how large it can become;
    - with ``lines`` more than 1, the most of a window, ``number``: that of the window's first line
      in its ring, modulo a power of two of at least ``lines - 1``. Who adds floating-point numbers
      does it in an order that depends on where they lie.

    For example, 4 lanes, and a window of the tuples 6 to 13 of a ring of lines: 3 lines, with the
    valid lanes ``..67``, ``8 9 10 11`` and ``12 13 . .``, and 8 for a bound.
    """
    members = {name: field.shape for name, field in beat(shape, lanes, context)}
    bound = {"bound": bits_for(window_max)} if window_max else {}
    carried = {"passenger": passenger} if Shape.cast(passenger).width else {}
    number = {"number": number_bits(lines)} if lines > 1 else {}
    return data.StructLayout(members | carried | bound | number)


def number_bits(lines):
    """Bits of the number of a line, for windows of up to so many lines, at least 2."""
    return max(1, ceil_log2(lines - 1))

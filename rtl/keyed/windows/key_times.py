"""Describes the windows of time of one key: windows that a tuple closes, and their tuples."""

from dataclasses import dataclass

from amaranth.hdl import Shape, ShapeLike
from amaranth.lib import data

from rtl.stream.order import equal


@dataclass(frozen=True, kw_only=True)
class KeyTimes:
    """Describes the windows [RANGE r SLIDE s] of a key; nothing is built here.

    Window j begins at the time j * s after the start, for all keys.

    Let u be the time of a tuple since the start. Two numbers, which ``slide_numbers.py`` computes,
    describe the tuple: the *slide* q = u // s, and f, the *first* window that the tuple does not
    close. The tuple is in the windows f to q, and in no other window::

        r = 10, s = 4     window 0   |---------|            of u = 13:  q = 3,  f = 1
                          window 1       |---------|        (13 >= 10, the end of window 0, but
                          window 2           |---------|     13 < 14, that of window 1)
                          window 3               |---------|
        u                 0   4   8   12  16  20

    A tuple is late if the tuple is in a window that the key has closed, f < ``next``. So **f never
    descends among accepted tuples**, in any order of arrival. Let ``newest`` be the greatest q so
    far. Consequences:

    - A tuple closes the windows ``next`` to f - 1. All earlier tuples have f <= ``next``, so the
      tuples of window j are the tuples with q >= j, and q is the only stamp that an item needs.
    - Each window up to ``newest`` has a tuple, the tuple with the greatest q, and no later window
      has a tuple. So rows belong to the windows ``next`` to min(f - 1, ``newest``), a gap of any
      length takes no time, and no empty window is read.
    - ``newest`` is from ``next`` to ``next`` + r // s. So stamps may be numbers modulo
      4 * ``overlap``, where r < overlap * s: the items read for window j have q - j from
      -(3 * overlap) to overlap - 1, and are in the window if the top two bits of q - j are zero.

    *Places of tuples.* Tuples lie in a ring of places in order of arrival. A window consists of the
    tuples from the *head* on with a stamp of the window. The places before the head are free, and
    ``marks`` tell how far the head may move: a mark is a place and a number, and all tuples before
    the place have q < number, so no window from this number on needs them. A mark is *reached* if
    the number is at most ``next``, and the head is the place of the last reached mark. A tuple that
    raises ``newest`` adds a mark at the tuple's place, with the old ``newest`` + 1, if all marks
    are reached, or if this number is ``spacing`` more than the last mark's number. With a spacing
    of r // s // marks + 1 a new mark always has room. If no window that stays open has an earlier
    tuple (f > ``newest``), the tuple's place becomes the head, and all marks are removed.
    For instance with r = 10, s = 4, 4 marks, and so spacing 1. Below a tuple are the windows that
    it closes, the head of each of these windows (``from``), and the new mark as place: number. The
    tuple with u = 29 removes all marks::

        u          1     5     3     9     13    18    29
        q, f       0, 0  1, 0  0, 0  2, 0  3, 1  4, 3  7, 5
        place      0     1     2     3     4     5     6
        closes                             0     1, 2  3, 4
        from                               0     1, 3  4, 5
        mark             1: 1        3: 2  4: 3  5: 4

    No tuple of a window lies before the window's head. Tuples after the head that are not in the
    window lie in the r // s // marks slides before the window, or came out of order.

    *A full ring.* A tuple that would begin the line with the head is dropped as an overrun, and
    changes nothing: rows are computed from the accepted tuples. No tuple is dropped as long as a
    key has at most ``places`` - ``items`` + 1 tuples from the head on, or ``places`` - 1 in a store
    of blocks, where one place stays free for the block that is being closed.

    Attributes
    ----------
    time : ShapeLike
        Shape of a tuple's time.
    overlap : int
        A power of two: RANGE is less than ``overlap`` SLIDEs, so a tuple is in at most ``overlap``
        windows.
    places : int
        Number of places of a ring, a power of two.
    items : int
        Number of places of a line, a power of two; 1 with a codec, as a block may have one value.
    marks : int
        Number of marks of a key, a power of two.
    number_bits : int
        Width of a slide's number, in bits. A tuple in a later slide is an overrun.

    Source: seed 000, section 3.1.1 (windows by time have their start in the table); all else ours.
    """

    time: ShapeLike
    overlap: int
    places: int
    items: int
    marks: int = 4
    number_bits: int = 32

    def __post_init__(self):
        minima = {"overlap": 2, "items": 1, "marks": 1, "places": 2 * self.items}
        for name, minimum in minima.items():
            value = getattr(self, name)
            if not isinstance(value, int) or value < minimum or value & (value - 1):
                raise ValueError(
                    f"{name} must be a power of two of at least {minimum}, not {value!r}"
                )
        if not self.stamp_bits <= self.number_bits <= self.moment.width:
            raise ValueError(
                f"number_bits must be from {self.stamp_bits} to {self.moment.width}, "
                f"not {self.number_bits!r}"
            )

    @property
    def moment(self):
        """Shape of a start: signed, because a stream may start before 0.

        The time since the start has the same width, and is unsigned.
        """
        time = Shape.cast(self.time)
        return Shape(time.width + (not time.signed), signed=True)

    @property
    def stamp_bits(self):
        """Width of an item's stamp, in bits."""
        return self.stamp_bits_of(self.overlap)

    @staticmethod
    def stamp_bits_of(overlap):
        """Returns the width of a stamp for an overlap, in bits."""
        return overlap.bit_length() + 1

    @property
    def spacing_bits(self):
        """Width of ``spacing``, r // s // marks + 1, in bits; r // s is at most ``overlap`` - 1."""
        return ((self.overlap - 1) // self.marks + 1).bit_length()

    @property
    def settings(self):
        """Layout of the host's settings: ``range``, ``slide``, ``start``."""
        length = self.moment.width
        return data.StructLayout({"range": length, "slide": length, "start": self.moment})

    def refused(self, settings):
        """Returns a value that is high if the settings contradict, or too many windows overlap."""
        range_ = settings["range"]
        slide = settings["slide"]
        overlaps = range_ >> (self.overlap.bit_length() - 1)
        return (slide == 0) | (range_ < slide) | (overlaps >= slide)

    def stamped(self, item):
        """Returns the layout of a stored item: ``item``, and ``stamp``, the number of its slide."""
        return data.StructLayout({"item": item, "stamp": self.stamp_bits})

    def final(self, window, first, newest):
        """Returns whether a window is the last that a tuple closes; ``newest`` is a stamp.

        The last is the window before ``first``, or ``newest``, whichever is less. Stamps are
        unambiguous for windows up to ``newest``.
        """
        stamp = window[: self.stamp_bits]
        return equal(first, (window + 1)[: self.number_bits]) | equal(stamp, newest)

    def belongs(self, stamp, window):
        """Returns whether an item at or after the head is in a window up to ``newest``."""
        distance = (stamp - window[: self.stamp_bits])[: self.stamp_bits]
        return ~distance[-2:].any()

    @property
    def mark(self):
        """Layout of a mark.

        ``place``; ``number``, a stamp above the slides of all tuples before the place; ``valid``,
        high if the key has the mark.
        """
        return data.StructLayout(
            {"place": range(self.places), "number": self.stamp_bits, "valid": 1}
        )

    @property
    def state(self):
        """Layout of a key's state.

        ``used``, the key has tuples; ``next``, the next window to be closed; ``newest``, the
        greatest slide as a stamp; ``place`` of the next tuple; ``head``; ``marks``, which ascend,
        valid marks first.
        """
        place = range(self.places)
        return data.StructLayout(
            {
                "used": 1,
                "next": self.number_bits,
                "newest": self.stamp_bits,
                "place": place,
                "head": place,
                "marks": data.ArrayLayout(self.mark, self.marks),
            }
        )

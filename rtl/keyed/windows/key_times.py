"""Windows of one key by time: which of them a tuple closes, and where their tuples are."""

from dataclasses import dataclass

from amaranth.hdl import Shape, ShapeLike
from amaranth.lib import data

from rtl.stream.order import equal


@dataclass(frozen=True, kw_only=True)
class KeyTimes:
    """Windows [RANGE r SLIDE s] of a key, aligned for all keys; nothing is built here.

    Of a tuple two numbers say all, with u its time from the start (slide_numbers.py finds them):
    the *slide* q = u // s it lies in, and the *first* window f that it does not close. It is in the
    windows f to q, and no others::

        r = 10, s = 4     window 0   |---------|            of u = 13:  q = 3,  f = 1
                          window 1       |---------|        (13 >= 10, the end of window 0, but
                          window 2           |---------|     13 < 14, that of window 1)
                          window 3               |---------|
        u                 0   4   8   12  16  20

    A tuple is late if it is in a window that its key has closed, f < ``next``. So **of tuples that
    are let in f never descends**, in whatever order they come, and with ``newest``, the greatest q
    so far, there are these consequences:

    - A tuple closes the windows ``next`` to f - 1. All earlier tuples have f <= ``next``: so those
      in window j are those with q >= j, and an item needs no stamp but its q.
    - Windows up to ``newest`` have a tuple, the one with that q, and those above have none. So the
      rows are of windows ``next`` to min(f - 1, ``newest``), a gap of any length costs nothing, and
      no window that is asked for is empty.
    - ``newest`` is from ``next`` to ``next`` + r // s. So stamps may be numbers modulo
      4 * ``overlap``, where r < overlap * s: items that are read for window j have q - j from
      -(3 * overlap) to overlap - 1, and are in it when the top two bits of that are zero.

    *Where the tuples are.* They lie in a ring of places in order of arrival. A window has the
    places from the *head* on, less those whose stamp says no. What may be forgotten is known by
    ``marks``: a mark is a place and a number, with q < number for all tuples before that place. The
    head is the place of the last mark with a number of at most ``next``, which is *reached*. A
    tuple that raises ``newest`` has its place marked, with the old ``newest`` + 1, if all marks are
    reached, or if that is ``spacing`` more than the last one's number. A spacing of
    r // s // marks + 1 is so much that marks are never too few.
    For r = 10, s = 4, 4 marks, and so spacing 1::

        u          1     5     3     9     13    18    29
        q, f       0, 0  1, 0  0, 0  2, 0  3, 1  4, 3  7, 5
        place      0     1     2     3     4     5     6
        closes                             0     1, 2  3, 4
        from                               0     1, 3  4, 5
        mark             1: 1        3: 2  4: 3  5: 4

    Tuples before the head of a window are none of its own, and behind it are no more than lie in
    r // s // marks slides before it, and those that came out of order.

    *When the ring is full.* A tuple that would begin the line in which the head lies is dropped, an
    overrun, and nothing is changed by it: all rows are those of the tuples that are let in. None is
    as long as a key has no more than ``window_max`` tuples from the head on.

    Attributes
    ----------
    time : ShapeLike
        Of a tuple's time.
    overlap : int
        A power of two: RANGE is less than so many SLIDEs. So many windows a tuple is in at most.
    places : int
        Of a ring, a power of two.
    items : int
        Places of a line, a power of two. With a codec, whose blocks may have one value, 1.
    marks : int
        Of a key, a power of two.
    numbers : int
        Bits of a slide's number. A tuple in a later slide is an overrun.

    Source: seed 000, section 3.1.1 (windows by time have their start in the table); all else ours.
    """

    time: ShapeLike
    overlap: int
    places: int
    items: int
    marks: int = 4
    numbers: int = 32

    def __post_init__(self):
        for name, least in (("overlap", 2), ("items", 1), ("marks", 1), ("places", 2 * self.items)):
            value = getattr(self, name)
            if not isinstance(value, int) or value < least or value & (value - 1):
                raise ValueError(
                    f"{name} must be a power of two of at least {least}, not {value!r}"
                )
        if not self.stamp_bits <= self.numbers <= self.moment.width:
            raise ValueError(
                f"numbers must be from {self.stamp_bits} to {self.moment.width}, "
                f"not {self.numbers!r}"
            )

    @property
    def moment(self):
        """Shape of a start: signed, so that a stream may start before 0 whatever its time is.

        From a start to a time it is no more than as many bits, unsigned.
        """
        time = Shape.cast(self.time)
        return Shape(time.width + (not time.signed), signed=True)

    @property
    def stamp_bits(self):
        """Of a slide's number beside an item."""
        return self.stamp_bits_of(self.overlap)

    @staticmethod
    def stamp_bits_of(overlap):
        """The same, of any plan with such an overlap."""
        return overlap.bit_length() + 1

    @property
    def spacing_bits(self):
        return ((self.overlap - 1) // self.marks + 1).bit_length()

    @property
    def window_max(self):
        """Tuples of a key from the head on that always have place."""
        return self.places - self.items + 1

    @property
    def settings(self):
        """Layout of what the host sets: ``range``, ``slide``, ``start``."""
        length = self.moment.width
        return data.StructLayout({"range": length, "slide": length, "start": self.moment})

    def refused(self, settings):
        """High when the lengths do not go together, or too many windows would overlap."""
        range_, slide = settings["range"], settings["slide"]
        overlaps = range_ >> (self.overlap.bit_length() - 1)
        return (slide == 0) | (range_ < slide) | (overlaps >= slide)

    def stamped(self, item):
        """Layout of an item in a line: ``item``, and as ``stamp`` the number of its slide."""
        return data.StructLayout({"item": item, "stamp": self.stamp_bits})

    def final(self, window, first, newest):
        """Whether a window is the last one that a tuple closes; ``newest`` is a stamp.

        The first one of the two there is: windows up to ``newest`` are as many as stamps tell.
        """
        stamp = window[: self.stamp_bits]
        return equal(first, (window + 1)[: self.numbers]) | equal(stamp, newest)

    def belongs(self, stamp, window):
        """Whether an item with a stamp, at or behind the head, is in a window before the newest."""
        behind = (stamp - window[: self.stamp_bits])[: self.stamp_bits]
        return ~behind[-2:].any()

    @property
    def mark(self):
        """Layout of a mark: ``place``, and the ``number`` that no slide before it reaches."""
        return data.StructLayout(
            {"place": range(self.places), "number": self.stamp_bits, "valid": 1}
        )

    @property
    def state(self):
        """Layout: ``used``, there are tuples; ``next`` window to be closed; and as above.

        ``place`` is that of the next tuple. Marks ascend, valid ones first.
        """
        place = range(self.places)
        return data.StructLayout(
            {
                "used": 1,
                "next": self.numbers,
                "newest": self.stamp_bits,
                "place": place,
                "head": place,
                "marks": data.ArrayLayout(self.mark, self.marks),
            }
        )

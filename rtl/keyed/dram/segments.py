"""Describes how a port holds its part of a ring that need not have a power of two of lines."""

from dataclasses import dataclass

from amaranth.hdl import Cat, Const, Mux

#: Greatest number of lines of a unit: 4 KiB, which no burst of AXI crosses.
UNIT_LINES = 64


@dataclass(frozen=True)
class Segments:
    """Segments of a port's part of each ring.

    The sizes of the segments are powers of two, the largest segment first. All rings' first
    segments lie in the memory before all second segments. So an address needs no multiplication,
    and no memory lies idle. For instance 7 lines of each of 2 rings are segments of 4, 2 and 1
    lines::

        byte address / 64   0 1 2 3   4 5 6 7   8 9   10 11   12   13
        ring                0         1         0     1       0    1
        place               0 1 2 3   0 1 2 3   4 5   4  5    6    6

    A unit, the lines that a burst may cover, does not go beyond its segment.

    Attributes
    ----------
    rings : int
        A power of two if there is more than one segment.
    lines : int
        Lines of the part.
    """

    rings: int
    lines: int

    @property
    def sizes(self):
        """Sizes of the segments, in lines, the largest first."""
        return [
            1 << bit for bit in reversed(range(self.lines.bit_length())) if self.lines >> bit & 1
        ]

    @property
    def slots(self):
        """Number of places that an address tells apart: ``lines``, rounded up to a power of two."""
        return 1 << (self.lines - 1).bit_length()

    @property
    def unit_lines(self):
        """Lines of the longest burst."""
        return min(self.sizes[0], UNIT_LINES)

    def unit_mask(self, place):
        """Returns the lines of a place's unit, minus 1: the mask of the places in the unit.

        For instance with segments of 16, 8 and 4 lines: 15 for place 3, 7 for place 17, and 3 for
        place 25.
        """
        masks = [min(size, self.unit_lines) - 1 for size in self.sizes]
        return self._by_segment(place, masks)

    def _by_segment(self, place, values):
        """Returns the value for the segment of a place, given a value for each segment.

        A place is in the first segment of size 2^b for which bit b of the place is 0, otherwise in
        the last one: with segments of 16, 8 and 4 lines places 0 to 15, then 16 to 23, then 24 to
        27.
        """
        chosen = values[-1]
        for size, value in reversed(list(zip(self.sizes[:-1], values[:-1], strict=True))):
            chosen = Mux(place[size.bit_length() - 1], chosen, value)
        return chosen

    def offset_of(self, local):
        """Returns the distance of a local line from the port's first line, in lines.

        ``local`` is a value: ring * ``slots`` + place.
        """
        if len(self.sizes) == 1:
            return local
        place_bits = self.slots.bit_length() - 1
        ring = local[place_bits:]
        place = local[:place_bits]
        start = 0
        offsets = []
        for size in self.sizes:
            bits = size.bit_length() - 1
            offset = Cat(place[:bits], ring, Const(start >> bits, place_bits - bits))
            offsets.append(offset)
            start += size
        return self._by_segment(place, offsets)

    def offset(self, ring, place):
        """Returns the distance of a place of a ring from the port's first line, in lines.

        This is :meth:`offset_of` for Python numbers. For instance with the 7 lines above,
        place 4 of ring 1 is at 10.
        """
        start = 0
        for size in self.sizes:
            if place < start + size:
                return start * self.rings + ring * size + place - start
            start += size
        raise ValueError(f"place must be below {start}, not {place}")

    def unit_end(self, place):
        """Returns the place after the unit that contains ``place``, a Python number."""
        start = 0
        for size in self.sizes:
            if place < start + size:
                unit = min(size, self.unit_lines)
                return place - place % unit + unit
            start += size
        raise ValueError(f"place must be below {start}, not {place}")

"""Maps lines to the memory: rings of lines, distributed over ports."""

from dataclasses import dataclass

from amaranth.hdl import Cat, Const
from amaranth.lib import data

from rtl.keyed.dram.segments import Segments

#: Size of a line, the unit of reads and writes of the memory.
LINE_BYTES = 64
LINE_BITS = 8 * LINE_BYTES

#: No burst of AXI crosses a multiple of PAGE_BYTES. A page is at most 256 beats of any width.
PAGE_BYTES = 4096

#: Greatest number of segments in which a port holds its part of a ring.
SEGMENTS = 3

#: A line read from a memory: ``error`` is high if the memory answered any beat of the line with an
#: error; then ``data`` is undefined.
LINE = data.StructLayout({"data": LINE_BITS, "error": 1})


def _check_power_of_two(name, value, least):
    if not isinstance(value, int) or value < least or value & (value - 1):
        raise ValueError(f"{name} must be a power of two of at least {least}, not {value!r}")


@dataclass(frozen=True, kw_only=True)
class LineMap:
    """Distributes rings of lines of 64 bytes, one ring for each key, over some AXI4 ports.

    Line L is place ``L % ring_lines`` of ring ``L // ring_lines``. The line belongs to *stripe*
    ``S = L // stripe_lines``. Stripe S lies behind port ``(S + ring) % ports``, as the port's
    stripe ``S // ports``. ``ring`` is added so that keys that all write the first line of their
    rings use all ports. The *local* lines of a port are numbered, too: local line N is place
    ``N % stripe_lines`` of the port's stripe ``N // stripe_lines``. If ``ring_lines`` is a power of
    two, local line N lies N * 64 bytes above the port's base. For instance with rings of 8 lines
    over 2 ports, in stripes of 1 line, and of 2::

        line        0  1  2  3  4  5  6  7 | 8  9  10 ...
        ring        0                      | 1
        port        0  1  0  1  0  1  0  1 | 1  0  1
        local line  0  0  1  1  2  2  3  3 | 4  4  5

        port        0  0  1  1  0  0  1  1 | 1  1  0
        local line  0  1  0  1  2  3  2  3 | 4  5  4

    With stripes of 1 line a read of few lines uses all ports. With longer stripes a read has longer
    bursts at fewer ports, which is less work for a DRAM, because it opens a row for each burst.

    Lines ``first`` to ``first + n - 1`` of a ring, which may wrap at the end of the ring, are a
    *stretch* at each port: consecutive lines of the port's ``ring_lines / ports`` local lines of
    the ring, which may wrap, too.

    A burst covers local lines of one *unit*: 64 lines, which are 4 KiB, or the port's part of a
    ring if this part is smaller. So with a base that is a multiple of 4 KiB a burst crosses no
    multiple of 4 KiB and does not wrap.

    *Rings of any size.* A ring need not have a power of two of lines. Line L is then place
    ``L % slots`` of ring ``L // slots``, where ``slots`` is the next power of two, and no command
    has a place from ``ring_lines`` on. A port holds its part of a ring in
    :class:`~rtl.keyed.dram.segments.Segments`, which also compute the address of a local line, and
    a unit does not go beyond its segment. For instance with rings of 14 lines over 2 ports, line 16
    is the first line of ring 1. It is local line 8 of port 1. If there are 2 rings, it lies 4 * 64
    bytes above the port's base, behind the first segment of ring 0, which has 4 lines.

    Attributes
    ----------
    rings : int
        At least 1.
    ring_lines : int
        A multiple of ``ports`` stripes, at least twice ``ports``. If ``ring_lines`` is no power of
        two, ``rings`` must be a power of two, and ``ring_lines / ports`` has at most
        :data:`SEGMENTS` bits that are 1.
    ports : int
        1, 2 or 4.
    stripe_lines : int
        A power of two.
    data_width : int
        Bits of a beat: 128, 256 or 512.
    address_width : int
        Bits of a byte address, 13 to 64: each port's lines, and its base, must fit.
    """

    rings: int
    ring_lines: int
    ports: int = 1
    stripe_lines: int = 1
    data_width: int = LINE_BITS
    address_width: int = 32

    def __post_init__(self):
        if not isinstance(self.rings, int) or self.rings < 1:
            raise ValueError(f"rings must be an integer of at least 1, not {self.rings!r}")
        if self.ports not in (1, 2, 4):
            raise ValueError(f"ports must be 1, 2 or 4, not {self.ports!r}")
        _check_power_of_two("stripe_lines", self.stripe_lines, 1)
        self._check_ring()
        if self.data_width not in (128, 256, 512):
            raise ValueError(f"data_width must be 128, 256 or 512, not {self.data_width!r}")
        min_bits = max(13, (self.port_bytes - 1).bit_length())
        if not isinstance(self.address_width, int) or not min_bits <= self.address_width <= 64:
            raise ValueError(
                f"address_width must be from {min_bits} to 64, not {self.address_width!r}"
            )

    def _check_ring(self):
        """Raises ValueError unless each port's part of a ring is whole stripes in few segments."""
        step = self.ports * self.stripe_lines
        least = max(2 * self.ports, step)
        if not isinstance(self.ring_lines, int) or self.ring_lines < least:
            raise ValueError(f"ring_lines must be at least {least}, not {self.ring_lines!r}")
        if self.ring_lines % step or len(self.segments.sizes) > SEGMENTS:
            raise ValueError(
                f"ring_lines must be {step} times a number of at most {SEGMENTS} ones in binary, "
                f"not {self.ring_lines}"
            )
        if len(self.segments.sizes) > 1 and self.rings & (self.rings - 1):
            raise ValueError(
                f"rings must be a power of two with rings of {self.ring_lines} lines, not "
                f"{self.rings}"
            )

    @property
    def lines(self):
        """Number of lines of all rings."""
        return self.rings * self.ring_lines

    @property
    def segments(self):
        """Segments of a port's part of each ring."""
        return Segments(self.rings, self.port_ring_lines)

    @property
    def port_ring_lines(self):
        """Lines of a ring that each port holds."""
        return self.ring_lines // self.ports

    @property
    def port_bytes(self):
        """Bytes of memory behind each port."""
        return self.lines // self.ports * LINE_BYTES

    @property
    def beats(self):
        """Beats of a line."""
        return LINE_BITS // self.data_width

    @property
    def line_bits(self):
        """Bits of a line's number."""
        return (self.rings * self.ports * self.segments.slots - 1).bit_length()

    @property
    def port_bits(self):
        """Bits of a port's number."""
        return self.ports.bit_length() - 1

    @property
    def stripe_bits(self):
        """Bits of a place in a stripe."""
        return self.stripe_lines.bit_length() - 1

    @property
    def ring_bits(self):
        """Bits of a place in a port's part of a ring."""
        return self.segments.slots.bit_length() - 1

    @property
    def place_bits(self):
        """Bits of a place in a unit."""
        return self.segments.unit_lines.bit_length() - 1

    @property
    def local_bits(self):
        """Bits of a local line's number."""
        return self.line_bits - self.port_bits

    @property
    def base_bits(self):
        """Bits of a base address, in multiples of 4 KiB."""
        return self.address_width - (PAGE_BYTES - 1).bit_length()

    def port_of(self, line):
        """Returns the number of the port that holds the line, ``port_bits`` wide."""
        ring = line[self.port_bits + self.ring_bits :]
        return (line[self.stripe_bits :] + ring)[: self.port_bits]

    def line_at(self, port, local):
        """Returns the number of the line that is local line ``local`` behind a port.

        It is the inverse of the map in the class. For instance with rings of 8 lines over 2 ports,
        in stripes of 1 line, local line 4 of port 1 is in ring 1. In ring 0 its stripe would be
        behind port 1 - 1 = 0, so it is line 2 * 4 + 0 = 8.
        """
        port_in_ring_0 = Const(port, self.port_bits) - local[self.ring_bits :]
        bits = self.stripe_bits
        return Cat(local[:bits], port_in_ring_0[: self.port_bits], local[bits:])

    def command(self):
        """Layout of a command of the whole memory.

        If ``write`` is high, ``data`` is written to ``line``. Otherwise ``count`` lines are read
        from ``line`` on, ``ring_lines`` at most.
        """
        count = (self.ports * self.segments.slots).bit_length()
        return data.StructLayout(
            {"write": 1, "line": self.line_bits, "count": count, "data": LINE_BITS}
        )

    def stretch(self):
        """Layout of a command's part at one port: local ``line``, and ``more`` lines after it.

        A ``write`` has ``more`` = 0.
        """
        return data.StructLayout({"write": 1, "line": self.local_bits, "more": self.ring_bits})

    def port_command(self):
        """Layout of a stretch with the ``data`` of a write."""
        return data.StructLayout({**self.stretch().members, "data": LINE_BITS})

    def burst(self):
        """Layout of a burst: lines ``first`` to ``last = first + more`` of ``unit``."""
        place = self.place_bits
        unit = self.local_bits - place
        return data.StructLayout(
            {"write": 1, "unit": unit, "first": place, "last": place, "more": place}
        )

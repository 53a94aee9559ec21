"""The length of a bit on a serial line, in parts of a clock cycle."""

from dataclasses import dataclass

#: Parts of a clock cycle in which the length of a bit is measured.
PARTS = 256
#: Fewest clock cycles in a bit. The receiver sees an edge up to a cycle late, and samples up to a
#: cycle before the middle of a bit. So with 8 cycles in a bit a sample is up to 1/8 bit off. If the
#: baud rates of sender and receiver differ by 2 %, the sample of the stop bit, 9.5 bits after the
#: edge, is 0.19 bits off as well. The sum is less than half a bit, so the sample is in its bit.
LEAST_CYCLES = 8
#: Bits of a byte on the line: a start bit, 8 bits with the lowest first, and a stop bit.
FRAME_BITS = 10


@dataclass(frozen=True)
class BitTime:
    """Describes the length of a bit, which need not be a whole number of cycles.

    A bit takes ``parts / 256`` cycles on average: each bit lasts this number of cycles, rounded
    down or up. The error of the baud rate is at most 1/512 cycle per bit, which is 0.025 % for bits
    of 8 cycles and less for longer bits. For instance 3 Mbaud at 25 MHz is 8 1/3 cycles: 2,133
    parts instead of 2,133.33, so the line is 0.016 % fast.

    Parameters
    ----------
    clock_hz : float
        Frequency of the UART's clock.
    baud : float
        Bits on the line per second.

    Raises ValueError if a bit has fewer than `LEAST_CYCLES` cycles.
    """

    clock_hz: float
    baud: float

    def __post_init__(self):
        if self.clock_hz < LEAST_CYCLES * self.baud:
            raise ValueError(
                f"baud must be at most {int(self.clock_hz / LEAST_CYCLES)}, which is a bit in "
                f"{LEAST_CYCLES} cycles of {self.clock_hz / 1e6:g} MHz, not {self.baud:g}"
            )

    @property
    def parts(self) -> int:
        """Length of a bit, in 1/256 cycle."""
        return round(PARTS * self.clock_hz / self.baud)

    @property
    def error(self) -> float:
        """Relative error of the baud rate: positive if the line is fast."""
        return self.clock_hz * PARTS / self.parts / self.baud - 1

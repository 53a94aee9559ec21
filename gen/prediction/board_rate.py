"""Computes tuples per second at the clock of a board, and at its link."""

from fractions import Fraction
from typing import TYPE_CHECKING, Any

from gen.prediction.rate_bound import RateBound

if TYPE_CHECKING:
    from gen.design.build import Build


def tuples_per_second(build: "Build") -> int:
    """Returns the predicted rate at the board's clock."""
    assert build.board is not None
    rate = RateBound.of(build.design, build.design.prediction).predicted
    return round(rate * build.board.clock_mhz * 1e6)


def link_tuples_per_second(build: "Build") -> float | None:
    """Returns the most tuples per second that the board's link carries; None without a link.

    The limit is the bytes that the link carries per second, divided by the bytes of a tuple,
    without headers and gaps. For instance tuples of 8 bytes over 1 Gb/s are 15,625,000 per second.
    Below 100 the number has three significant digits, such as 0.96 for tuples of 1,000 bytes at
    9,600 baud.
    """
    port = getattr(build.board, "port", None)
    if build.link is None or port is None:
        return None
    rate = Fraction(port.bytes_per_second) / build.design.input.packing.bytes
    return int(rate) if rate >= 100 else float(f"{float(rate):.3g}")


def rate_text(build: "Build") -> str:
    """Returns the rate at the board's clock, such as ``62.5 MHz, so 62,500,000 tuples ...``.

    If the board's link carries fewer tuples than the engine takes, the text has both rates.
    """
    assert build.board is not None
    mhz, rate = build.board.clock_mhz, tuples_per_second(build)
    link_rate = link_tuples_per_second(build)
    port: Any = getattr(build.board, "port", None)
    if link_rate is None or link_rate >= rate:
        return f"{mhz:g} MHz, so {rate:,} tuples per second"
    return (
        f"{mhz:g} MHz, so the engine takes up to {rate:,} tuples per second; "
        f"{port.carrier} carries at most {link_rate:,} of them"
    )

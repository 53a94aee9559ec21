"""Describes the window of a query. Lengths are in tuples (Rows) or in raw time units (Range)."""

from dataclasses import dataclass

from query.schema import Column


def _check(size, slide, size_name, slide_name):
    """Raises ValueError unless 1 <= slide <= size."""
    if size < 1:
        raise ValueError(f"{size_name} must be at least 1, not {size}")
    if slide < 1:
        raise ValueError(f"{slide_name} must be at least 1, not {slide}")
    if slide > size:
        raise ValueError(
            f"{slide_name} must be at most {size_name}, not {slide} with {size_name} {size}"
        )


@dataclass(frozen=True, kw_only=True)
class WholeStream:
    """Represents a query without a window: one answer over all tuples, at the stream's end."""


@dataclass(frozen=True, kw_only=True)
class Rows:
    """Represents ``[PARTITION BY k ROWS ws SLIDE wa]``.

    Window j covers the tuples j*wa <= n < j*wa+ws, where n is a tuple's number in order of arrival,
    from 0; with a ``partition`` each key has numbers of its own. For instance window 1 of
    ``[ROWS 4 SLIDE 2]`` covers the tuples 2 to 5. ``size`` and ``slide`` are ws and wa.
    """

    size: int
    slide: int
    partition: Column | None = None

    def __post_init__(self) -> None:
        _check(self.size, self.slide, "ROWS", "SLIDE")

    def __str__(self) -> str:
        by = f"PARTITION BY {self.partition.name} " if self.partition else ""
        return f"[{by}ROWS {self.size} SLIDE {self.slide}]"


@dataclass(frozen=True, kw_only=True)
class Range:
    """Represents ``[PARTITION BY k RANGE r SLIDE s WATTR t SLACK x]``.

    Window j covers the times start+j*s <= t < start+j*s+r; the start is no part of the query. A
    tuple may be late by up to x. ``size``, ``slide`` and ``slack`` are r, s and x in raw units of
    the time column ``attribute``, which is an integer or fixed point. `query.units` converts
    lengths with a unit of time to raw units.
    """

    size: int
    slide: int
    attribute: Column
    slack: int = 0
    partition: Column | None = None

    def __post_init__(self) -> None:
        _check(self.size, self.slide, "RANGE", "SLIDE")
        if self.slack < 0:
            raise ValueError(f"SLACK must be at least 0, not {self.slack}")

    def __str__(self) -> str:
        by = f"PARTITION BY {self.partition.name} " if self.partition else ""
        text = self.attribute.type.text
        slack = f" SLACK {text(self.slack)}" if self.slack else ""
        size = f"RANGE {text(self.size)} SLIDE {text(self.slide)}"
        return f"[{by}{size} WATTR {self.attribute.name}{slack}]"


Window = WholeStream | Rows | Range

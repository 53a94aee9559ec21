"""Designs of the two-stacks engine, streams for them, and the rows that these have."""

from dataclasses import dataclass, replace

from query.parser import parse
from query.window import Rows
from rtl.engine import ENGINES
from tb.rtl.engine.model import known, row_windows
from tb.rtl.engine.time_bench import ALL


def point(size=8, slide=3, value="int(7)", select=ALL, where="", **options):
    """The design for ``SELECT select FROM S [ROWS size SLIDE slide]``."""
    text = (
        f"CREATE INPUT STREAM S (x {value}, y uint(4));"
        f"SELECT {select} FROM S [ROWS {size} SLIDE {slide}] {where};"
    )
    return ENGINES["two-stacks"](query=parse(text), **options)


@dataclass(frozen=True, kw_only=True)
class Stream:
    """What the host sets before a stream, and its tuples."""

    size: int
    slide: int
    events: list
    more: dict | None = None

    def settings(self):
        return {"size": self.size, "slide": self.slide} | (self.more or {})

    def allowed(self, design):
        return 0 < self.slide <= self.size <= design.options.resolved.window_max


def answer(design, stream, passes=lambda tuple_: True):
    """Rows of a stream and its counters, by the plain model; no rows where it is not allowed."""
    sane = known(design.query, stream.events)
    kept = [t for t in sane if passes(t)]
    tally = {"tuples": len(stream.events), "streams": 1, "late": 0, "overrun": 0}
    tally |= {"nan": len(stream.events) - len(sane), "filtered": len(sane) - len(kept)}
    if not stream.allowed(design):
        return [], tally | {"overrun": len(kept), "rows": 0}
    window = Rows(size=stream.size, slide=stream.slide)
    rows = row_windows(replace(design.query, window=window), kept)
    return rows, tally | {"rows": len(rows)}

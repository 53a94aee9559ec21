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


def random_streams(rng, counts):
    """For a query with ``WHERE`` constants set at run time: windows of all sizes up to 16."""
    streams = []
    for count in counts:
        size = rng.randint(1, 16)
        events = [{"x": rng.randrange(-64, 64), "y": rng.randrange(16)} for _ in range(count)]
        more = {"where0": rng.randrange(8, 16), "where1": rng.randrange(-64, 64)}
        slide = rng.randint(1, size)
        streams.append(Stream(size=size, slide=slide, events=events, more=more))
    return streams

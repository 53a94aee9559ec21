"""Designs of the two-stacks engine, streams for them, and the expected rows."""

from dataclasses import dataclass, replace

from query.parser import parse
from query.window import Rows
from rtl.engine import ENGINES
from tb.rtl.engine.model import row_windows, without_nan
from tb.rtl.engine.time_bench import AGGREGATES


def point(size=8, slide=3, value="int(7)", select=AGGREGATES, where="", **options):
    """Returns the design for ``SELECT select FROM S [ROWS size SLIDE slide]``."""
    text = (
        f"CREATE INPUT STREAM S (x {value}, y uint(4));"
        f"SELECT {select} FROM S [ROWS {size} SLIDE {slide}] {where};"
    )
    return ENGINES["two-stacks"](query=parse(text), **options)


@dataclass(frozen=True, kw_only=True)
class Stream:
    """Settings of a stream, and its tuples.

    ``constants`` are settings by name, in addition to size and slide.
    """

    size: int
    slide: int
    events: list
    constants: dict | None = None

    def settings(self):
        return {"size": self.size, "slide": self.slide} | (self.constants or {})

    def allowed(self, design):
        return 0 < self.slide <= self.size <= design.options.resolved.window_max


def answer(design, stream, passes=lambda tuple_: True):
    """Returns the rows of a stream and its counters, by the plain model; no rows if refused."""
    valid_tuples = without_nan(design.query, stream.events)
    selected = [t for t in valid_tuples if passes(t)]
    tally = {"tuples": len(stream.events), "streams": 1, "late": 0, "overrun": 0}
    tally |= {
        "nan": len(stream.events) - len(valid_tuples),
        "filtered": len(valid_tuples) - len(selected),
    }
    if not stream.allowed(design):
        return [], tally | {"overrun": len(selected), "rows": 0}
    window = Rows(size=stream.size, slide=stream.slide)
    rows = row_windows(replace(design.query, window=window), selected)
    return rows, tally | {"rows": len(rows)}


def random_streams(rng, counts):
    """Returns streams for a query with two ``WHERE`` constants; windows have up to 16 tuples."""
    streams = []
    for count in counts:
        size = rng.randint(1, 16)
        events = [{"x": rng.randrange(-64, 64), "y": rng.randrange(16)} for _ in range(count)]
        constants = {"where0": rng.randrange(8, 16), "where1": rng.randrange(-64, 64)}
        slide = rng.randint(1, size)
        streams.append(Stream(size=size, slide=slide, events=events, constants=constants))
    return streams


FILTERED = point(where="WHERE y < 9 OR x = 1", window_max=16, constants="run-time")
BAD = [{"size": 0}, {"slide": 0}, {"size": 17}, {"size": 1 << 20}, {"size": 5, "slide": 6}]


def passes_of(stream):
    """Returns the WHERE of ``FILTERED`` with the constants of a stream."""
    limits = stream.constants
    return lambda t: t["y"] < limits["where0"] or t["x"] == limits["where1"]


def random_and_refused_streams(rng, counts):
    """Returns streams for ``FILTERED``; some have settings that are refused."""
    streams = []
    for count in counts:
        size = rng.randint(1, 16)
        settings = {"size": size, "slide": rng.randint(1, size)}
        settings |= rng.choice(BAD) if rng.random() < 0.3 else {}
        events = [{"x": rng.randrange(-64, 64), "y": rng.randrange(16)} for _ in range(count)]
        constants = {"where0": rng.randrange(16), "where1": rng.randrange(-64, 64)}
        streams.append(Stream(**settings, events=events, constants=constants))
    return streams

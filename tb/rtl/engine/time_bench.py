"""Designs of the engines with windows of time, streams for them, and the expected rows."""

from dataclasses import dataclass, replace
from math import gcd

from query.parser import parse
from rtl.engine import ENGINES
from tb.rtl.engine.bench import shipped
from tb.rtl.engine.model import time_windows, without_nan

AGGREGATES = "count(*), sum(x), min(x), max(x), avg(x)"


def point(engine, time="int(20)", value="int(7)", select=AGGREGATES, where="", **options):
    """Returns the design for ``SELECT select FROM S [RANGE 40 SLIDE 10 WATTR t SLACK 10]``."""
    text = (
        f"CREATE INPUT STREAM S (x {value}, y uint(4), t {time});"
        f"SELECT {select} FROM S [RANGE 40 SLIDE 10 WATTR t SLACK 10] {where};"
    )
    return ENGINES[engine](query=parse(text), **options)


@dataclass(frozen=True, kw_only=True)
class Stream:
    """Settings of a stream, and its events.

    ``events`` are tuples (mappings of column name to raw) and punctuations (plain numbers).
    ``constants`` are settings by name, in addition to those of the window.
    """

    range: int
    slide: int
    slack: int = 0
    start: int = 0
    events: list
    constants: dict | None = None

    def settings(self):
        lengths = {name: getattr(self, name) for name in ("range", "slide", "slack", "start")}
        return lengths | (self.constants or {})

    def query(self, query):
        """Returns the query with the stream's window."""
        window = replace(query.window, size=self.range, slide=self.slide, slack=self.slack)
        return replace(query, window=window)

    def allowed(self, design):
        """Returns True if the build has enough modules and panes for the lengths."""
        built = design.options.resolved
        if not 0 < self.slide <= self.range:
            return False
        if design.engine == "window-id":
            # Equations 1 and 2 of seed 002.
            open_windows = -(-self.range // self.slide) - (-self.slack // self.slide)
            return open_windows <= built.modules
        pane = gcd(self.range, self.slide)
        enough = self.slack + self.slide <= built.modules * pane
        return enough and self.range <= built.panes * pane


def run(design, streams, row_count, **options):
    """Runs streams of either kind; ``row_count`` is the number of expected rows."""
    options = {"idle_timeout": 50_000, "drain": 300} | options
    return shipped(design, options.pop("simulator", "compiled")).run(
        [stream.events for stream in streams],
        [stream.settings() for stream in streams],
        packets=row_count,
        **options,
    )


def answer(design, stream, passes=lambda tuple_: True):
    """Returns the rows of a stream and its counters, by the plain model; no rows if refused."""
    query = design.query
    tuples = [e for e in stream.events if not isinstance(e, int)]
    valid_tuples = without_nan(query, tuples)
    selected = [t for t in valid_tuples if passes(t)]
    tally = {"tuples": len(tuples), "streams": 1, "nan": len(tuples) - len(valid_tuples)}
    tally |= {"filtered": len(valid_tuples) - len(selected), "overrun": 0, "late": 0}
    events = [e for e in stream.events if isinstance(e, int) or e in selected]
    stream_query = stream.query(query) if stream.allowed(design) else None
    if stream_query is None:
        return [], tally | {"overrun": len(selected), "rows": 0}
    rows, late = time_windows(
        stream_query, stream.start, events, generate=not design.input.punctuations
    )
    return rows, tally | {"late": late, "rows": len(rows)}


def punctuate(stream):
    """Returns the stream with the punctuations that the hardware would make, before their tuples.

    Some punctuations are repeated, or followed by an older one.
    """
    p, greatest, events = stream.start, None, []
    for tuple_ in stream.events:
        greatest = tuple_["t"] if greatest is None else max(greatest, tuple_["t"])
        step = (greatest - stream.slack - stream.start) // stream.slide * stream.slide
        if stream.start + step > p:
            old, p = p, stream.start + step
            events += [p, p, old] if step % 3 == 0 else [p]
        events.append(tuple_)
    return replace(stream, events=events)

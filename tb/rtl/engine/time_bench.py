"""Designs of the engines over time, streams for them, and the rows that these have."""

from dataclasses import dataclass, replace
from math import gcd

from query.parser import parse
from rtl.engine import ENGINES
from rtl.engine.window_id.options import open_window_count
from tb.rtl.engine.bench import shipped
from tb.rtl.engine.model import known, time_windows

ALL = "count(*), sum(x), min(x), max(x), avg(x)"


def point(engine, time="int(20)", value="int(7)", select=ALL, where="", **options):
    """The design for ``SELECT select FROM S [RANGE 40 SLIDE 10 WATTR t SLACK 10]``."""
    text = (
        f"CREATE INPUT STREAM S (x {value}, y uint(4), t {time});"
        f"SELECT {select} FROM S [RANGE 40 SLIDE 10 WATTR t SLACK 10] {where};"
    )
    return ENGINES[engine](query=parse(text), **options)


@dataclass(frozen=True, kw_only=True)
class Stream:
    """What the host sets before a stream, and the stream.

    ``events`` are tuples (mappings of column name to raw) and punctuations (plain numbers).
    ``more`` is what is written beside the window, by the name of the setting.
    """

    range: int
    slide: int
    slack: int = 0
    start: int = 0
    events: list
    more: dict | None = None

    def settings(self):
        lengths = {name: getattr(self, name) for name in ("range", "slide", "slack", "start")}
        return lengths | (self.more or {})

    def query(self, query):
        """The query that the stream is asked."""
        window = replace(query.window, size=self.range, slide=self.slide, slack=self.slack)
        return replace(query, window=window)

    def allowed(self, design):
        """The build has the modules, and the panes, that it takes."""
        built = design.options.resolved
        if not 0 < self.slide <= self.range:
            return False
        if design.engine == "window-id":
            return open_window_count(self.range, self.slide, self.slack) <= built.modules
        pane = gcd(self.range, self.slide)
        enough = self.slack + self.slide <= built.modules * pane
        return enough and self.range <= built.panes * pane


def run(design, streams, wanted, **options):
    """A run of :class:`Stream`, or those of windows by rows; ``wanted`` is how many rows come."""
    options = {"idle_timeout": 50_000, "drain": 300} | options
    return shipped(design, options.pop("simulator", "compiled")).run(
        [stream.events for stream in streams],
        [stream.settings() for stream in streams],
        packets=wanted,
        **options,
    )


def answer(design, stream, passes=lambda tuple_: True):
    """Rows of a stream and its counters, by the plain model; no rows where it is not allowed."""
    query = design.query
    tuples = [e for e in stream.events if not isinstance(e, int)]
    sane = known(query, tuples)
    kept = [t for t in sane if passes(t)]
    tally = {"tuples": len(tuples), "streams": 1, "nan": len(tuples) - len(sane)}
    tally |= {"filtered": len(sane) - len(kept), "overrun": 0, "late": 0}
    events = [e for e in stream.events if isinstance(e, int) or e in kept]
    asked = stream.query(query) if stream.allowed(design) else None
    if asked is None:
        return [], tally | {"overrun": len(kept), "rows": 0}
    rows, late = time_windows(asked, stream.start, events, made=not design.input.punctuations)
    return rows, tally | {"late": late, "rows": len(rows)}


def punctuate(stream):
    """The stream with the punctuations in it that the hardware would make, each before the tuple
    that makes it; some of them again, or an older one behind.
    """
    p, greatest, events = stream.start, None, []
    for tuple_ in stream.events:
        greatest = tuple_["t"] if greatest is None else max(greatest, tuple_["t"])
        made = (greatest - stream.slack - stream.start) // stream.slide * stream.slide
        if stream.start + made > p:
            old, p = p, stream.start + made
            events += [p, p, old] if made % 3 == 0 else [p]
        events.append(tuple_)
    return replace(stream, events=events)

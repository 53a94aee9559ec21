"""Runs engines that give a row for each window, as shipped Verilog, on streams of raw tuples."""

from dataclasses import dataclass, replace
from functools import cache
from math import gcd

import numpy as np

from gen.verilog import convert
from query.parser import parse
from rtl.bus.top import AxiTop
from rtl.engine import ENGINES
from rtl.engine.window_id import windows_open
from tb.harness.beats import Beats, pack_fields, unpack_fields
from tb.harness.compiled import CompiledModel
from tb.rtl.engine.bench import CACHE
from tb.rtl.engine.model import known, time_windows

ALL = "count(*), sum(x), min(x), max(x), avg(x)"
COUNTERS = ("tuples", "rows", "streams", "late", "overrun", "nan", "filtered")


def point(engine, time="int(20)", value="int(7)", select=ALL, where="", **settings):
    """Parameters of ``SELECT select FROM S [RANGE 40 SLIDE 10 WATTR t SLACK 10]``."""
    text = (
        f"CREATE INPUT STREAM S (x {value}, y uint(4), t {time});"
        f"SELECT {select} FROM S [RANGE 40 SLIDE 10 WATTR t SLACK 10] {where};"
    )
    return ENGINES[engine](query=parse(text), **settings)


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

    def allowed(self, parameters):
        """The build has the modules, and the panes, that it takes."""
        if not 0 < self.slide <= self.range:
            return False
        if parameters.engine == "window-id":
            return windows_open(self.range, self.slide, self.slack) <= parameters.modules
        pane = gcd(self.range, self.slide)
        enough = self.slack + self.slide <= parameters.modules * pane
        return enough and self.range <= parameters.panes * pane


def writes(top, values):
    """Register writes of settings by name, in the order given."""
    pairs = []
    for name, value in values.items():
        if name in top.registers:
            pairs.append((top.registers[name].address, value & 0xFFFFFFFF))
        else:
            for k, half in enumerate(("low", "high")):
                address = top.registers[f"{name}_{half}"].address
                pairs.append((address, value >> 32 * k & 0xFFFFFFFF))
    return pairs


@dataclass(frozen=True)
class Design:
    """The compiled model of a design point, and how its beats are read."""

    parameters: object
    model: CompiledModel
    text: str
    top: AxiTop

    def beats(self, streams):
        """Beats of streams of events; punctuations have ``tuser``, and rubbish beside the time."""
        columns = self.parameters.query.columns
        name = getattr(getattr(self.parameters.query.window, "attribute", None), "name", None)
        packed, users = [], []
        for events in streams:
            tuples = [
                dict.fromkeys((c.name for c in columns), 1) | {name: e} if isinstance(e, int) else e
                for e in events
            ]
            arrays = [np.array([t[c.name] for t in tuples], object) for c in columns]
            packed.append(pack_fields(arrays, self.top.input_packing.fields))
            users.append(np.array([isinstance(e, int) for e in events], np.bool_))
        punctuated = self.parameters.punctuated
        return Beats.from_streams(packed, 1, **({"users": users} if punctuated else {}))

    def rows(self, beats):
        """The row of each packet, as raw integers, None for NULL."""
        packing = self.top.row_packing
        packets = beats.streams(packing.bytes)
        if any(len(packet) != 1 for packet in packets):
            raise AssertionError("every window must be a packet of one row")
        if not packets:
            return []
        fields = unpack_fields(np.concatenate(packets), packing.fields)
        names = [field.name for field in packing.fields]
        columns, valid = [], None
        for name, column in zip(names, fields, strict=True):
            if name.startswith("valid("):
                valid = column
                continue
            values = list(map(int, column))
            if valid is not None:
                values = [v if ok else None for v, ok in zip(values, valid, strict=True)]
            columns.append(values)
            valid = None
        return list(zip(*columns, strict=True))

    def run(self, streams, wanted, **options):
        """The result of a run without any broken rule, its rows, its counters and the status.

        ``streams`` are :class:`Stream`; ``wanted`` is how many rows must come.
        """
        top = self.top
        names = [f"{name}_{half}" for name in COUNTERS for half in ("low", "high")]
        reads = [top.registers[name].address for name in (*names, "status")]
        options = {"idle_timeout": 50_000, "drain": 300} | options
        result = self.model.run(
            self.beats([stream.events for stream in streams]),
            writes={k: writes(top, stream.settings()) for k, stream in enumerate(streams)},
            reads=reads,
            packets=wanted,
            **options,
        ).checked()
        values = dict(zip(COUNTERS, result.reads[:-1:2], strict=True))
        return result, self.rows(result.beats), values, result.reads[-1]


@cache
def design(parameters):
    """Builds a design point, or finds it built."""
    top = AxiTop(parameters)
    text = convert(AxiTop(parameters), top.name, CACHE)
    sizes = top.input_packing.bytes, top.row_packing.bytes
    model = CompiledModel.build(text, top.name, *sizes, CACHE, user=parameters.punctuated)
    return Design(parameters, model, text, top)


def answer(parameters, stream, passes=lambda tuple_: True):
    """Rows of a stream and its counters, by the plain model; no rows where it is not allowed."""
    query = parameters.query
    tuples = [e for e in stream.events if not isinstance(e, int)]
    sane = known(query, tuples)
    kept = [t for t in sane if passes(t)]
    counters = {"tuples": len(tuples), "streams": 1, "nan": len(tuples) - len(sane)}
    counters |= {"filtered": len(sane) - len(kept), "overrun": 0, "late": 0}
    events = [e for e in stream.events if isinstance(e, int) or e in kept]
    made = not parameters.punctuated
    asked = stream.query(query) if stream.allowed(parameters) else None
    if asked is None:
        return [], counters | {"overrun": len(kept), "rows": 0}
    rows, late = time_windows(asked, stream.start, events, made)
    return rows, counters | {"late": late, "rows": len(rows)}


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

"""Designs of the engine for windows of each key, streams for them, and the rows that these have."""

from dataclasses import dataclass, field, replace

import numpy as np

from gen.prediction.codec_model import lossy_codec
from golden.codecs.blocks import BlockWriter
from query.parser import parse
from rtl.engine import ENGINES
from rtl.engine.parts.columns import value_layout
from rtl.float.format import FORMATS
from sim.beats import unpack_fields
from tb.rtl.engine.bench import shipped
from tb.rtl.engine.model import NUMBER, result_of, without_nan
from tb.rtl.keyed.table.models import TableModel

ALL = "min(x), max(x), sum(x), avg(x), count(*), min(y)"
#: Small enough for tests: 2 lines of each key in DRAM or a few more.
SMALL = {"entries": 8, "ways": 2, "ports": 1, "port_bits": 512}


def point(size=8, slide=3, value="int(32)", select=ALL, key="uint(6)", where="", **options):
    """The design for ``SELECT k, select FROM S [PARTITION BY k ROWS size SLIDE slide]``."""
    text = (
        f"CREATE INPUT STREAM S (k {key}, x {value}, y uint(4));"
        f"SELECT k, {select} FROM S [PARTITION BY k ROWS {size} SLIDE {slide}] {where};"
    )
    return ENGINES["streamzip"](query=parse(text), **SMALL | options)


@dataclass(frozen=True, kw_only=True)
class Stream:
    """What the host sets before a stream, and its tuples."""

    size: int
    slide: int
    events: list
    more: dict = field(default_factory=dict)

    def settings(self, design):
        """All of the design's, with those of this stream."""
        return design.settings.values | {"size": self.size, "slide": self.slide} | self.more

    def allowed(self, design):
        return 0 < self.slide <= self.size <= design.options.resolved.window_max


def count_marked(rows, wanted, beside):
    """How many rows have no values, which are what follows the first ``beside`` fields.

    All others, and what stands in front of the values in these, must be as wanted.
    """
    marked = 0
    for got, right in zip(rows, wanted, strict=True):
        if got[beside:] == (None,) * (len(right) - beside):
            assert got[:beside] == right[:beside]
            marked += 1
        else:
            assert got == right
    return marked


def unsigned(type_, raw):
    return raw & (1 << type_.width) - 1


class Answers:
    """What streams give, one after the other: rows, evictions, and counters of each."""

    #: Bits of the stamps of a codec's blocks.
    stamp_bits = 0

    def __init__(self, design, streams, passes=lambda stream, tuple_: True):
        options = design.options.resolved
        self.design, self.key = design, design.query.key
        self.table = TableModel(
            key_width=self.key.type.width, entries=options.entries, ways=options.ways
        )
        self.codec = lossy_codec(design)
        self.packets, self.evicted, self.tallies = [], [], []
        for stream in streams:
            sane = without_nan(design.query, stream.events)
            kept = [t for t in sane if passes(stream, t)]
            tally = {"tuples": len(stream.events), "streams": 1, "overrun": 0, "late": 0}
            tally |= {"nan": len(stream.events) - len(sane), "filtered": len(sane) - len(kept)}
            if stream.allowed(design):
                dropped = self.stream(stream, kept)
                self.tallies.append(tally | dropped | {"rows": len(self.packets[-1])})
            else:
                self.tallies.append(tally | {"overrun": len(kept), "rows": 0})

    def stream(self, stream, kept):
        """Adds the rows and the evictions; returns the counts of what is dropped."""
        rows, thrown, windows, writers = [], [], {}, {}
        for arrival, tuple_ in enumerate(kept):
            key = unsigned(self.key.type, tuple_[self.key.name])
            gone = self.table.arrive(key, lambda state: state)["evicted"]
            if gone is not None:
                thrown.append((gone, arrival))
                del windows[gone]
                writers.pop(gone, None)
            mine = windows.setdefault(key, [])
            numbered = tuple_ | {NUMBER: len(mine)}
            mine.append(self.kept(stream, numbered, key, writers))
            behind = len(mine) - stream.size
            if behind >= 0 and behind % stream.slide == 0:
                members = mine[-stream.size :]
                results = [result_of(i.aggregate, members) for i in self.design.query.items]
                rows.append((behind // stream.slide, tuple_[self.key.name], *results))
        self.table.end()
        self.packets.append(rows)
        self.evicted.append(thrown)
        return {}

    def kept(self, stream, tuple_, key, writers):
        """The tuple as windows have it: with a codec that loses something, what comes out of it."""
        if self.codec is None:
            return tuple_
        bound = {
            name: stream.more[name] for name in ("relative", "absolute") if name in stream.more
        }
        writer = writers.setdefault(key, BlockWriter(replace(self.codec, **bound), self.stamp_bits))
        (name,) = value_layout(self.design.query).members
        width, signed = self.codec.width, self.codec.kind == "signed"
        writer.take(tuple_[name] % (1 << width))
        return tuple_ | {name: writer.restored - (signed and writer.restored >> width - 1 << width)}

    @property
    def tally(self):
        return {name: sum(t[name] for t in self.tallies) for name in self.tallies[0]}


def evicted(design, outcome):
    """(key, arrival) of each key that was thrown out, a list for each stream."""
    (bus,) = (bus for bus in design.streams if bus.name == "m_axis_evicted")
    packets = outcome.outputs[bus.name].beats.streams(bus.packing.bytes)
    columns = [unpack_fields(np.array(p), bus.packing.fields) for p in packets]
    return [list(zip(*(map(int, column) for column in told), strict=True)) for told in columns]


def check(design, answers, streams, **options):
    """Runs the shipped Verilog: rows, evictions and counters are those of ``answers``."""
    count = len(answers.packets)
    packets = {"m_axis": count, "m_axis_evicted": count}
    settings = [stream.settings(design) for stream in streams]
    done = shipped(design).run([s.events for s in streams], settings, packets=packets, **options)
    assert done.packets == answers.packets
    assert evicted(design, done.outcome) == answers.evicted
    assert {name: done.counters.get(name, 0) for name in answers.tally} == answers.tally
    assert done.counters["collision"] == sum(map(len, answers.evicted))
    refused = not all(stream.allowed(design) for stream in streams)
    assert done.errors == ({"bad_setting"} if refused else set())
    return done


def random_streams(rng, design, counts, keys=6):
    """Windows of all sizes, some refused; keys in bursts, in turn, and at random."""
    most, columns = design.options.resolved.window_max, design.query.columns
    streams = []
    for count in counts:
        size = rng.choice([1, 2, most, rng.randint(1, most), rng.randint(1, most)])
        slide = rng.choice([1, size, rng.randint(1, size)])
        size = rng.choice([0, most + 1]) if rng.random() < 0.1 else size
        order = []
        while len(order) < count:
            a, b = rng.randrange(keys), rng.randrange(keys)
            order += rng.choice(
                [
                    [a] * rng.randint(1, 30),
                    [a, b] * rng.randint(1, 9),
                    rng.sample(range(keys), min(4, keys)),
                ]
            )
        events = [
            {c.name: number if c.name == "k" else raw(rng, c.type) for c in columns}
            for number in order[:count]
        ]
        if design.options.codec != "none" and rng.random() < 0.4:
            draw_near(rng, events, design.query.columns[1])
        streams.append(Stream(size=size, slide=slide, events=events, more=bounds(rng, design)))
    return streams


def bounds(rng, design):
    """What the host sets of a codec that loses something."""
    if design.options.codec != "sz":
        return {}
    return {"relative": rng.choice((0, 655, 65535)), "absolute": rng.choice((0, 0, 3, 1 << 20))}


def draw_near(rng, events, column):
    """Gives most tuples a value near to that of the one before, or the same, for codecs to find."""
    value = events[0][column.name] if events else 0
    for event in events:
        if rng.random() < 0.95:
            event[column.name] = rng.choice((value, near(rng, value, column.type)))
        value = event[column.name]


def near(rng, value, type_):
    """A value that is not far, or of floats one of which few bits differ."""
    if type_.floating:
        return value ^ rng.getrandbits(6) << rng.randrange(type_.width - 6)
    return min(max(value + rng.randint(-60, 60), type_.raw_min), type_.raw_max)


def draw_alike(rng, events, query):
    """Gives floats values from 1/2 to 2, of both signs: a sum shows in which order it is made."""
    for column in query.columns:
        if column.type.floating:
            one, sign = column.type.parse("1"), 1 << column.type.width - 1
            for event in events:
                low = rng.getrandbits(FORMATS[column.type.width].mantissa + 1)
                event[column.name] = one ^ low ^ rng.choice((0, sign))


def raw(rng, type_):
    """Any value, the ends among them."""
    if type_.floating:
        signs = (0, 1 << type_.width - 1, (1 << type_.width) - 1)  # 0, -0, a NaN
        return rng.choice([*signs, *(rng.getrandbits(type_.width) for _ in range(9))])
    low, high = type_.raw_min, type_.raw_max
    return rng.choice([low, high, 0, *(rng.randint(low, high) for _ in range(6))])

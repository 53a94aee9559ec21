"""Designs for windows of each key, random streams for them, and the rows that a plain model
expects.
"""

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

ITEMS = "min(x), max(x), sum(x), avg(x), count(*), min(y)"
#: Options of small designs: a ring has about 2 lines of each key in DRAM.
SMALL = {"entries": 8, "ways": 2, "ports": 1, "port_bits": 512}


def point(size=8, slide=3, value="int(32)", select=ITEMS, key="uint(6)", where="", **options):
    """Returns the design for ``SELECT k, select FROM S [PARTITION BY k ROWS size SLIDE slide]``."""
    text = (
        f"CREATE INPUT STREAM S (k {key}, x {value}, y uint(4));"
        f"SELECT k, {select} FROM S [PARTITION BY k ROWS {size} SLIDE {slide}] {where};"
    )
    return ENGINES["streamzip"](query=parse(text), **SMALL | options)


@dataclass(frozen=True, kw_only=True)
class Stream:
    """Holds the tuples of one stream, and the settings that the host writes before it."""

    size: int
    slide: int
    events: list
    extra_settings: dict = field(default_factory=dict)

    def settings(self, design):
        """Returns all settings of the design, with the values of this stream."""
        return (
            design.settings.values | {"size": self.size, "slide": self.slide} | self.extra_settings
        )

    def allowed(self, design):
        return 0 < self.slide <= self.size <= design.options.resolved.window_max


def count_marked(rows, expected_rows, head):
    """Returns the number of rows without values: all fields after the first ``head`` are None.

    Checks the first ``head`` fields of these rows, and all fields of the other rows.
    """
    marked = 0
    for actual, expected in zip(rows, expected_rows, strict=True):
        if actual[head:] == (None,) * (len(expected) - head):
            assert actual[:head] == expected[:head]
            marked += 1
        else:
            assert actual == expected
    return marked


def unsigned(type_, raw):
    return raw & (1 << type_.width) - 1


class Answers:
    """Computes the rows, the evictions and the counters of successive streams from lists."""

    #: Bits of the stamps of a codec's blocks.
    stamp_bits = 0

    def __init__(self, design, streams, meets_where=lambda stream, tuple_: True):
        options = design.options.resolved
        self.design, self.key = design, design.query.key
        self.table = TableModel(
            key_width=self.key.type.width, entries=options.entries, ways=options.ways
        )
        self.codec = lossy_codec(design)
        self.packets, self.evicted, self.tallies = [], [], []
        for stream in streams:
            sane = without_nan(design.query, stream.events)
            accepted = [t for t in sane if meets_where(stream, t)]
            tally = {"tuples": len(stream.events), "streams": 1, "overrun": 0, "late": 0}
            tally |= {"nan": len(stream.events) - len(sane), "filtered": len(sane) - len(accepted)}
            if stream.allowed(design):
                dropped = self.stream(stream, accepted)
                self.tallies.append(tally | dropped | {"rows": len(self.packets[-1])})
            else:
                self.tallies.append(tally | {"overrun": len(accepted), "rows": 0})

    def stream(self, stream, accepted):
        """Adds the rows and the evictions of a stream; returns the counts of dropped tuples."""
        rows, evictions, windows, writers = [], [], {}, {}
        for arrival, tuple_ in enumerate(accepted):
            key = unsigned(self.key.type, tuple_[self.key.name])
            removed = self.table.arrive(key, lambda state: state)["evicted"]
            if removed is not None:
                evictions.append((removed, arrival))
                del windows[removed]
                writers.pop(removed, None)
            key_tuples = windows.setdefault(key, [])
            numbered = tuple_ | {NUMBER: len(key_tuples)}
            key_tuples.append(self.stored_tuple(stream, numbered, key, writers))
            begin = len(key_tuples) - stream.size
            if begin >= 0 and begin % stream.slide == 0:
                members = key_tuples[-stream.size :]
                results = [result_of(i.aggregate, members) for i in self.design.query.items]
                rows.append((begin // stream.slide, tuple_[self.key.name], *results))
        self.table.end()
        self.packets.append(rows)
        self.evicted.append(evictions)
        return {}

    def stored_tuple(self, stream, tuple_, key, writers):
        """Returns the tuple as windows contain it: a lossy codec changes the value."""
        if self.codec is None:
            return tuple_
        bound = {
            name: stream.extra_settings[name]
            for name in ("relative", "absolute")
            if name in stream.extra_settings
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
    """Returns the pairs (key, arrival) of evicted keys, as a list for each stream."""
    (bus,) = (bus for bus in design.streams if bus.name == "m_axis_evicted")
    packets = outcome.outputs[bus.name].beats.streams(bus.packing.bytes)
    columns = [unpack_fields(np.array(p), bus.packing.fields) for p in packets]
    return [
        list(zip(*(map(int, column) for column in packet_columns), strict=True))
        for packet_columns in columns
    ]


def check(design, answers, streams, **options):
    """Runs the shipped Verilog; checks rows, evictions and counters against ``answers``."""
    count = len(answers.packets)
    packets = {"m_axis": count, "m_axis_evicted": count}
    settings = [stream.settings(design) for stream in streams]
    run = shipped(design).run([s.events for s in streams], settings, packets=packets, **options)
    assert run.packets == answers.packets
    assert evicted(design, run.outcome) == answers.evicted
    assert {name: run.counters.get(name, 0) for name in answers.tally} == answers.tally
    assert run.counters["collision"] == sum(map(len, answers.evicted))
    refused = not all(stream.allowed(design) for stream in streams)
    assert run.errors == ({"bad_setting"} if refused else set())
    return run


def random_streams(rng, design, counts, keys=6):
    """Returns streams with windows of all sizes, a few of them refused.

    Keys come in bursts, in turn, and at random; ``keys`` is the number of keys, or all keys of the
    type if they are fewer.
    """
    largest, columns = design.options.resolved.window_max, design.query.columns
    keys = min(keys, 1 << columns[0].type.width)
    streams = []
    for count in counts:
        size = rng.choice([1, 2, largest, rng.randint(1, largest), rng.randint(1, largest)])
        slide = rng.choice([1, size, rng.randint(1, size)])
        size = rng.choice([0, largest + 1]) if rng.random() < 0.1 else size
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
        streams.append(
            Stream(size=size, slide=slide, events=events, extra_settings=bounds(rng, design))
        )
    return streams


def bounds(rng, design):
    """Returns the error bounds that the host sets for a lossy codec; nothing for other codecs."""
    if design.options.codec != "sz":
        return {}
    # With an adaptive exponent 0x3FD00000 stands for 0.25 of doubles.
    large = 0x3FD00000 if design.options.resolved.exponent == "adaptive" else 1 << 20
    return {"relative": rng.choice((0, 655, 65535)), "absolute": rng.choice((0, 0, 3, large))}


def draw_near(rng, events, column):
    """Gives most tuples the value of the tuple before, or a near value, for codecs to compress."""
    value = events[0][column.name] if events else 0
    for event in events:
        if rng.random() < 0.95:
            event[column.name] = rng.choice((value, near(rng, value, column.type)))
        value = event[column.name]


def near(rng, value, type_):
    """Returns an integer near the value, or a float that differs in a few bits."""
    if type_.floating:
        return value ^ rng.getrandbits(6) << rng.randrange(type_.width - 6)
    return min(max(value + rng.randint(-60, 60), type_.raw_min), type_.raw_max)


def draw_alike(rng, events, query):
    """Gives floats values from 1/2 to 2 of both signs, so that a sum shows the order of
    additions.
    """
    for column in query.columns:
        if column.type.floating:
            one, sign = column.type.parse("1"), 1 << column.type.width - 1
            for event in events:
                low = rng.getrandbits(FORMATS[column.type.width].mantissa + 1)
                event[column.name] = one ^ low ^ rng.choice((0, sign))


def raw(rng, type_):
    """Returns a random raw value; often an end of the range, 0, or a NaN."""
    if type_.floating:
        signs = (0, 1 << type_.width - 1, (1 << type_.width) - 1)  # 0, -0, a NaN
        return rng.choice([*signs, *(rng.getrandbits(type_.width) for _ in range(9))])
    low, high = type_.raw_min, type_.raw_max
    return rng.choice([low, high, 0, *(rng.randint(low, high) for _ in range(6))])

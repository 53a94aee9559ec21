"""Designs for windows of time of each key, random streams, and the rows that a plain model
expects.
"""

from collections import Counter
from dataclasses import dataclass, field

from query.parser import parse
from rtl.engine import ENGINES
from rtl.engine.streamzip.rings import Rings
from tb.rtl.engine import key_bench
from tb.rtl.engine.key_bench import ITEMS, SMALL, raw, unsigned
from tb.rtl.engine.model import NUMBER, result_of
from tb.rtl.keyed.windows.key_times import RingModel


def point(time="uint(12)", value="int(32)", select=ITEMS, key="uint(6)", where="", **options):
    """Returns the design for ``SELECT ... [PARTITION BY k RANGE 14 SLIDE 3 WATTR t]``.

    By default RANGE is less than 8 SLIDEs, and a ring has 32 places.
    """
    text = (
        f"CREATE INPUT STREAM S (k {key}, x {value}, y uint(4), t {time});"
        f"SELECT k, {select} FROM S [PARTITION BY k RANGE 14 SLIDE 3 WATTR t] {where};"
    )
    sizes = SMALL | {"window_max": 32, "line_values": 4}
    return ENGINES["streamzip"](query=parse(text), **sizes | options)


@dataclass(frozen=True, kw_only=True)
class Stream:
    """Tuples of one stream, and the settings that the host writes before the stream."""

    range: int
    slide: int
    start: int
    events: list
    extra_settings: dict = field(default_factory=dict)

    @property
    def lengths(self):
        return {name: getattr(self, name) for name in ("range", "slide", "start")}

    def settings(self, design):
        """Returns all settings of the design, with the values of this stream."""
        return design.settings.values | self.lengths | self.extra_settings

    def allowed(self, design):
        """True if RANGE and SLIDE fit each other and the type of time."""
        overlap = design.options.resolved.overlap
        widest = 1 << design.query.window.attribute.type.width
        return 0 < self.slide <= self.range < min(overlap * self.slide, widest)


class Answers(key_bench.Answers):
    """Computes the rows of windows of time, with rings that may be full.

    With a codec each value may fill a block alone, and one block of the ring stays unused.
    """

    stamp_bits = 1

    def stream(self, stream, accepted):
        options, rows, evictions, keys = self.design.options.resolved, [], [], {}
        writers, coded = {}, options.codec != "none"
        entered = Counter()
        type_ = self.design.query.window.attribute.type
        bits = min(32, type_.width + (not type_.signed))
        ring = {"ring_lines": Rings(options).lines, "items": options.line_values}
        ring = {"ring_lines": Rings(options).lines - 1, "items": 1} if coded else ring
        ring |= {"most_marks": options.marks, "numbers": 1 << bits}
        dropped = {"late": 0, "overrun": 0}
        for arrival, tuple_ in enumerate(accepted):
            time, name = tuple_["t"], None
            if time < stream.start:
                name = "late"
            elif (time - stream.start) // stream.slide >= 1 << bits:
                name = "overrun"
            if name is None:
                key = unsigned(self.key.type, tuple_["k"])
                evicted = self.table.arrive(key, lambda state: state)["evicted"]
                if evicted is not None:
                    evictions.append((evicted, arrival))
                    del keys[evicted], entered[evicted]
                    writers.pop(evicted, None)
                model = keys.setdefault(key, RingModel(**stream.lengths, **ring))
                numbered = tuple_ | {NUMBER: entered[key]}
                result = model.enter(time, numbered)
                name = result if isinstance(result, str) else None
                if name is None:
                    entered[key] += 1
                    model.accepted[-1] = time, self.stored_tuple(stream, numbered, key, writers)
            if name is not None:
                dropped[name] += 1
                continue
            for window, members in result:
                results = [result_of(i.aggregate, members) for i in self.design.query.items]
                rows.append((window, model.end(window), tuple_["k"], *results))
        self.table.end()
        self.packets.append(rows)
        self.evicted.append(evictions)
        return dropped


def check(design, streams, meets_where=lambda stream, tuple_: True, **options):
    answers = Answers(design, streams, meets_where)
    return key_bench.check(design, answers, streams, **options), answers


def lengths(rng, design, pace):
    overlap = design.options.resolved.overlap
    slide = rng.choice([1, pace, rng.randint(1, pace)])
    largest = overlap * slide - 1
    if rng.random() < 0.1:
        return rng.choice([(slide - 1, slide), (largest + 1, slide), (slide, 0)])
    return rng.choice([slide, largest, rng.randint(slide, largest)]), slide


def random_streams(rng, design, counts, keys=6, pace=6):
    """Returns streams with windows of many lengths.

    A key's tuples come in bursts, after long gaps, out of order, and too late.
    """
    columns, type_ = design.query.columns, design.query.window.attribute.type
    smallest, largest = type_.raw_min, type_.raw_max
    streams = []
    for count in counts:
        range_, slide = lengths(rng, design, pace)
        start = rng.choice(
            [smallest, 0, rng.randint(smallest, largest // 2), -rng.randint(0, largest // 4)]
        )
        current, events = max(start, smallest), []
        while len(events) < count:
            one, two = rng.randrange(keys), rng.randrange(keys)
            burst, turns = [one] * rng.randint(1, 12), [one, two] * rng.randint(1, 6)
            order = rng.choice([burst, turns, rng.sample(range(keys), 4)])
            step = rng.choice([0, 0, 1, 1, slide, range_])
            current = current if current < largest - 9 * range_ else max(start, smallest)
            for key in order:
                current += rng.randint(0, step)
                time = current - rng.choice([0, 0, 0, rng.randint(0, slide + 2), 2 * range_])
                tuple_ = {c.name: raw(rng, c.type) for c in columns if c.name not in ("k", "t")}
                events.append(tuple_ | {"k": key, "t": min(max(smallest, time), largest)})
        lengths_set = {"range": range_, "slide": slide, "start": start}
        extra_settings = key_bench.bounds(rng, design)
        if design.options.codec != "none" and rng.random() < 0.4:
            key_bench.draw_near(rng, events, columns[1])
        streams.append(Stream(**lengths_set, events=events[:count], extra_settings=extra_settings))
    return streams

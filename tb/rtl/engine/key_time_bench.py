"""Designs for windows of time of each key, streams for them, and the rows that these have."""

from collections import Counter
from dataclasses import dataclass, field

from query.parser import parse
from rtl.engine import ENGINES
from rtl.engine.streamzip.rings import Rings
from tb.rtl.engine import key_bench
from tb.rtl.engine.key_bench import ALL, SMALL, raw, unsigned
from tb.rtl.engine.model import NUMBER, result_of
from tb.rtl.keyed.windows.key_times import RingModel


def point(time="uint(12)", value="int(32)", select=ALL, key="uint(6)", where="", **options):
    """The design for ``SELECT ... [PARTITION BY k RANGE 14 SLIDE 3 WATTR t]``.

    RANGE is less than 8 SLIDEs, and a ring has 32 places, if nothing else is said.
    """
    text = (
        f"CREATE INPUT STREAM S (k {key}, x {value}, y uint(4), t {time});"
        f"SELECT k, {select} FROM S [PARTITION BY k RANGE 14 SLIDE 3 WATTR t] {where};"
    )
    sizes = SMALL | {"window_max": 32, "line_values": 4}
    return ENGINES["streamzip"](query=parse(text), **sizes | options)


@dataclass(frozen=True, kw_only=True)
class Stream:
    """What the host sets before a stream, and its tuples."""

    range: int
    slide: int
    start: int
    events: list
    more: dict = field(default_factory=dict)

    @property
    def lengths(self):
        return {name: getattr(self, name) for name in ("range", "slide", "start")}

    def settings(self, design):
        """All of the design's, with those of this stream."""
        return design.settings.values | self.lengths | self.more

    def allowed(self, design):
        """Lengths that go together, and fit the time."""
        overlap = design.options.resolved.overlap
        widest = 1 << design.query.window.attribute.type.width
        return 0 < self.slide <= self.range < min(overlap * self.slide, widest)


class Answers(key_bench.Answers):
    """What streams give, of windows of time, and of rings that may be full.

    With a codec each value may be a block by itself, and one block stays free.
    """

    stamp_bits = 1

    def stream(self, stream, kept):
        options, rows, thrown, keys = self.design.options.resolved, [], [], {}
        writers, coded = {}, options.codec != "none"
        entered = Counter()
        type_ = self.design.query.window.attribute.type
        bits = min(32, type_.width + (not type_.signed))
        ring = {"ring_lines": Rings(options).lines, "items": options.line_values}
        ring = {"ring_lines": Rings(options).lines - 1, "items": 1} if coded else ring
        ring |= {"most_marks": options.marks, "numbers": 1 << bits}
        dropped = {"late": 0, "overrun": 0}
        for arrival, tuple_ in enumerate(kept):
            time, name = tuple_["t"], None
            if time < stream.start:
                name = "late"
            elif (time - stream.start) // stream.slide >= 1 << bits:
                name = "overrun"
            if name is None:
                key = unsigned(self.key.type, tuple_["k"])
                gone = self.table.arrive(key, lambda state: state)["evicted"]
                if gone is not None:
                    thrown.append((gone, arrival))
                    del keys[gone], entered[gone]
                    writers.pop(gone, None)
                model = keys.setdefault(key, RingModel(**stream.lengths, **ring))
                numbered = tuple_ | {NUMBER: entered[key]}
                found = model.enter(time, numbered)
                name = found if isinstance(found, str) else None
                if name is None:
                    entered[key] += 1
                    model.kept[-1] = time, self.kept(stream, numbered, key, writers)
            if name is not None:
                dropped[name] += 1
                continue
            for window, members in found:
                results = [result_of(i.aggregate, members) for i in self.design.query.items]
                rows.append((window, model.end(window), tuple_["k"], *results))
        self.table.end()
        self.packets.append(rows)
        self.evicted.append(thrown)
        return dropped


def check(design, streams, passes=lambda stream, tuple_: True, **options):
    answers = Answers(design, streams, passes)
    return key_bench.check(design, answers, streams, **options), answers


def lengths(rng, design, pace):
    """RANGE and SLIDE of about this many units of time; some are refused."""
    overlap = design.options.resolved.overlap
    slide = rng.choice([1, pace, rng.randint(1, pace)])
    most = overlap * slide - 1
    if rng.random() < 0.1:
        return rng.choice([(slide - 1, slide), (most + 1, slide), (slide, 0)])
    return rng.choice([slide, most, rng.randint(slide, most)]), slide


def random_streams(rng, design, counts, keys=6, pace=6):
    """Windows of many lengths; of each key bursts, long gaps, tuples out of order and too late."""
    columns, type_ = design.query.columns, design.query.window.attribute.type
    least, most = type_.raw_min, type_.raw_max
    streams = []
    for count in counts:
        range_, slide = lengths(rng, design, pace)
        start = rng.choice([least, 0, rng.randint(least, most // 2), -rng.randint(0, most // 4)])
        now, events = max(start, least), []
        while len(events) < count:
            one, two = rng.randrange(keys), rng.randrange(keys)
            burst, turns = [one] * rng.randint(1, 12), [one, two] * rng.randint(1, 6)
            order = rng.choice([burst, turns, rng.sample(range(keys), 4)])
            step = rng.choice([0, 0, 1, 1, slide, range_])
            now = now if now < most - 9 * range_ else max(start, least)
            for key in order:
                now += rng.randint(0, step)
                time = now - rng.choice([0, 0, 0, rng.randint(0, slide + 2), 2 * range_])
                tuple_ = {c.name: raw(rng, c.type) for c in columns if c.name not in ("k", "t")}
                events.append(tuple_ | {"k": key, "t": min(max(least, time), most)})
        lengths_ = {"range": range_, "slide": slide, "start": start}
        more = key_bench.bounds(rng, design)
        if design.options.codec != "none" and rng.random() < 0.4:
            key_bench.draw_near(rng, events, columns[1])
        streams.append(Stream(**lengths_, events=events[:count], more=more))
    return streams

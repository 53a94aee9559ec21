"""Streams over time for benches: random ones, and what DESIGN section 2 says of them, as loops."""

from dataclasses import dataclass

from amaranth.hdl import Module
from amaranth.lib import data, stream, wiring
from amaranth.lib.wiring import Out

NOTES = data.StructLayout({"late": 16, "overrun": 16, "bad_setting": 16})


@dataclass(frozen=True)
class Settings:
    """Of one stream; ``start`` is a time, the others are lengths."""

    range: int
    slide: int
    slack: int = 0
    start: int = 0

    def needs(self):
        """Modules that the windows need, or None when the settings make no sense."""
        if not 0 < self.slide <= self.range:
            return None
        return -(-self.range // self.slide) + -(-self.slack // self.slide)


@dataclass(frozen=True)
class Event:
    """An arrival: a tuple with its row, or a punctuation, or (no row, no punctuation) nothing."""

    time: int = 0
    row: object = None
    punctuation: bool = False


def arrivals(streams, empty, separate_end=False):
    """Payloads for ``arrival``: of (settings, events) each. ``empty`` is the row of a non-tuple."""
    out = []
    for settings, events in streams:
        events = list(events) + ([Event()] if separate_end or not events else [])
        for k, event in enumerate(events):
            out.append(
                {
                    "row": empty if event.row is None else event.row,
                    "time": event.time,
                    "valid": event.row is not None,
                    "punctuation": event.punctuation,
                    "last": k == len(events) - 1,
                    "context": vars(settings),
                }
            )
    return out


def punctuated(settings, events, made):
    """The timely tuples as (row, u, p in force), the final u and p, and the number of late ones."""
    timely, late, p, seen = [], 0, 0, []
    for event in events:
        u = event.time - settings.start
        if event.row is not None:
            seen.append(u)
            if made and settings.slide:
                # "After each tuple": it makes no difference to the tuple itself.
                grown = (max(seen) - settings.slack) // settings.slide * settings.slide
                p = max(p, grown)
            if u < p:
                late += 1
            else:
                timely.append((event.row, u, p))
        elif event.punctuation and not made:
            p = max(p, u)
    last = max((u for _, u, _ in timely), default=None)
    final = (0, p) if last is None else (last, last + settings.range)
    return timely, final, late


@dataclass(frozen=True)
class Answer:
    """To one stream.

    Attributes
    ----------
    rows : list or None
        (end, tuples' rows) of each window; None when the settings do not fit.
    late, overrun : int
    alone : bool
        The end of the stream closes no window.
    """

    rows: list
    late: int
    overrun: int
    alone: bool = False

    @property
    def items(self):
        return 0 if self.rows is None else len(self.rows) + self.alone


def windows(settings, events, made, modules):
    """The answer."""
    timely, (_, final), late = punctuated(settings, events, made)
    if settings.needs() is None or settings.needs() > modules:
        return Answer(None, late, len(timely))
    rows, kept, overrun = [], [], 0

    def close(p):
        while len(rows) * settings.slide + settings.range <= p:
            begin = len(rows) * settings.slide
            end = begin + settings.range
            rows.append((end + settings.start, [row for row, u in kept if begin <= u < end]))

    # The punctuations that follow the last timely tuple count too.
    p = max([0] + [e.time - settings.start for e in events if e.punctuation and not made])
    for row, u, before in timely:
        close(before)
        if u < (len(rows) + modules) * settings.slide:
            kept.append((row, u))
        else:
            overrun += 1
    close(p)
    before = len(rows)
    close(final)
    return Answer(rows, late, overrun, len(rows) == before)


def every_window(settings, events):
    """The whole answer with made punctuations, in one piece: every window begun by max(t)."""
    times = [event.time - settings.start for event in events]
    kept = []
    for k, event in enumerate(events):
        p = max(0, (max(times[: k + 1]) - settings.slack) // settings.slide * settings.slide)
        if times[k] >= p:
            kept.append((event.row, times[k]))
    begins = range(0, max(times, default=-1) + 1, settings.slide)
    size = settings.range
    zero = settings.start
    return [(zero + b + size, [row for row, u in kept if b <= u < b + size]) for b in begins]


def random_settings(rng, shape, modules):
    """Settings that fit ``modules``; range and slack are multiples of the slide only at times."""
    most = 2**shape.width - 1
    least = max(1, most >> 5)  # for the run's sake: the punctuation moves by one slide a cycle
    slide = rng.choice([least, least + 1, rng.randint(least, most), rng.randint(least, 4 * least)])
    panes = rng.randint(1, modules)
    range_ = min(
        most, rng.choice([panes * slide, rng.randint((panes - 1) * slide + 1, panes * slide)])
    )
    spare = (modules - panes) * slide
    slack = min(most, rng.choice([0, spare, rng.randint(0, spare)]))
    start = rng.choice([_low(shape), rng.randint(_low(shape), _high(shape)), 0])
    return Settings(max(range_, slide), slide, slack, start)


def random_events(rng, shape, settings, count, row, *, punctuations=0.0):
    """Tuples in disorder, some late, some far ahead; with punctuations of any kind between them."""
    events, u = [], 0
    room = _high(shape) - settings.start
    gap = rng.choice([0, 1, 2 * settings.slide, max(1, 2 * room // max(1, count))])
    for _ in range(count):
        u += rng.randint(0, gap)
        if rng.random() < 0.05:
            u += rng.randint(0, 3 * settings.range)
        back = rng.choice([0, 0, settings.slack, settings.slack + settings.slide])
        time = settings.start + min(u, room) - rng.randint(0, back)
        if rng.random() < punctuations:
            time = rng.choice([time, time, settings.start + min(room, u - settings.range)])
            events.append(Event(max(_low(shape), time), punctuation=True))
        else:
            events.append(Event(max(_low(shape), time), row(rng)))
    return events


def _low(shape):
    return -(2 ** (shape.width - 1)) if shape.signed else 0


def _high(shape):
    return _low(shape) + 2**shape.width - 1


class Noted(wiring.Component):
    """Components in a row, and how often each of their notes was given since reset.

    The notes are a stream of their own, so that a bench gets them with the others.
    """

    def __init__(self, *parts):
        self._parts = parts
        first, last = parts[0].signature.members, parts[-1].signature.members
        notes = Out(stream.Signature(NOTES, always_valid=True))
        super().__init__({"i": first["i"], "o": last["o"], "notes": notes})

    @property
    def latency(self):
        return sum(part.latency for part in self._parts)

    def elaborate(self, platform):
        m = Module()
        source = wiring.flipped(self.i)
        for k, part in enumerate(self._parts):
            m.submodules[f"part{k}"] = part
            wiring.connect(m, source, part.i)
            source = part.o
            for name in NOTES.members:
                if hasattr(part, name):
                    m.d.sync += self.notes.p[name].eq(self.notes.p[name] + getattr(part, name))
        wiring.connect(m, source, wiring.flipped(self.o))
        return m

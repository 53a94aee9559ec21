"""Makes random streams over time, and their rows as docs/query-language.md defines windows."""

from dataclasses import dataclass

from amaranth.hdl import Module
from amaranth.lib import data, stream, wiring
from amaranth.lib.wiring import Out

NOTES = data.StructLayout({"late": 16, "overrun": 16, "bad_setting": 16})


@dataclass(frozen=True)
class Settings:
    """Settings of one stream; ``start`` is a time, the other fields are lengths."""

    range: int
    slide: int
    slack: int = 0
    start: int = 0

    def required_modules(self):
        """Returns the modules that the settings require, or None if the lengths are not allowed."""
        if not 0 < self.slide <= self.range:
            return None
        return -(-self.range // self.slide) + -(-self.slack // self.slide)


@dataclass(frozen=True)
class Event:
    """An arrival: a tuple with its row, or a punctuation, or a gap (no row, no punctuation)."""

    time: int = 0
    row: object = None
    punctuation: bool = False


def arrivals(streams, empty, separate_end=False):
    """Returns payloads of layout ``arrival`` for (settings, events) of each stream.

    ``empty`` is the row of an arrival without a tuple.
    """
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


def punctuated(settings, events, generate):
    """Returns the timely tuples as (row, u, p), the final (u, p), and the number of late tuples."""
    timely, late, p, seen = [], 0, 0, []
    for event in events:
        u = event.time - settings.start
        if event.row is not None:
            seen.append(u)
            if generate and settings.slide:
                # "After each tuple": the tuple itself is not affected.
                grown = (max(seen) - settings.slack) // settings.slide * settings.slide
                p = max(p, grown)
            if u < p:
                late += 1
            else:
                timely.append((event.row, u, p))
        elif event.punctuation and not generate:
            p = max(p, u)
    last = max((u for _, u, _ in timely), default=None)
    final = (0, p) if last is None else (last, last + settings.range)
    return timely, final, late


@dataclass(frozen=True)
class Answer:
    """Expected output for one stream.

    Attributes
    ----------
    rows : list or None
        (end, rows of the tuples) of each window; None if the settings do not fit.
    late, overrun : int
        Number of dropped tuples.
    end_without_row : bool
        True if the end of the stream closes no window.
    """

    rows: list
    late: int
    overrun: int
    end_without_row: bool = False

    @property
    def items(self):
        return 0 if self.rows is None else len(self.rows) + self.end_without_row


def windows(settings, events, generate, modules):
    """Returns the :class:`Answer` of window modules to a stream."""
    timely, (_, final), late = punctuated(settings, events, generate)
    if settings.required_modules() is None or settings.required_modules() > modules:
        return Answer(None, late, len(timely))
    rows, timely_rows, overrun = [], [], 0

    def close(p):
        while len(rows) * settings.slide + settings.range <= p:
            begin = len(rows) * settings.slide
            end = begin + settings.range
            rows.append((end + settings.start, [row for row, u in timely_rows if begin <= u < end]))

    # Punctuations after the last timely tuple also count.
    p = max([0] + [e.time - settings.start for e in events if e.punctuation and not generate])
    for row, u, previous in timely:
        close(previous)
        if u < (len(rows) + modules) * settings.slide:
            timely_rows.append((row, u))
        else:
            overrun += 1
    close(p)
    previous = len(rows)
    close(final)
    return Answer(rows, late, overrun, len(rows) == previous)


def every_window(settings, events):
    """Returns the rows of all windows that begin up to the greatest time, without modules.

    The punctuations are generated.
    """
    times = [event.time - settings.start for event in events]
    timely_rows = []
    for k, event in enumerate(events):
        p = max(0, (max(times[: k + 1]) - settings.slack) // settings.slide * settings.slide)
        if times[k] >= p:
            timely_rows.append((event.row, times[k]))
    starts = range(0, max(times, default=-1) + 1, settings.slide)
    size = settings.range
    zero = settings.start
    return [(zero + b + size, [row for row, u in timely_rows if b <= u < b + size]) for b in starts]


def random_settings(rng, shape, modules):
    """Returns settings that fit ``modules``; range and slack may be multiples of the slide."""
    max_length = 2**shape.width - 1
    min_slide = max(
        1, max_length >> 5
    )  # limits the run, because the punctuation moves by one slide per cycle
    slide = rng.choice(
        [
            min_slide,
            min_slide + 1,
            rng.randint(min_slide, max_length),
            rng.randint(min_slide, 4 * min_slide),
        ]
    )
    panes = rng.randint(1, modules)
    range_ = min(
        max_length, rng.choice([panes * slide, rng.randint((panes - 1) * slide + 1, panes * slide)])
    )
    spare = (modules - panes) * slide
    slack = min(max_length, rng.choice([0, spare, rng.randint(0, spare)]))
    start = rng.choice([_low(shape), rng.randint(_low(shape), _high(shape)), 0])
    return Settings(max(range_, slide), slide, slack, start)


def random_events(rng, shape, settings, count, row, *, punctuations=0.0):
    """Returns tuples in disorder, some late, some far ahead, and random punctuations."""
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
    """Components in series, with a count of each of their notes since reset.

    The counts are a stream of their own, so that a bench receives them like other streams.
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

"""Designs of the sliding-window engine, streams for them, and the windows that these have."""

from dataclasses import replace
from fractions import Fraction
from itertools import islice

from query.parser import parse
from query.window import Rows
from rtl.engine import ENGINES
from rtl.engine.parts.percentiles import PARTS, fractions_of
from tb.bench.random_streams import KINDS, random_raw, random_stream
from tb.rtl.engine.bench import narrowed
from tb.rtl.engine.model import window_rows

ALL = (
    "min(x), median(x), max(x), sum(x), count(*), count(distinct x), avg(x), percentile(x, 0.90625)"
)


def point(group, value, select=ALL, where="", *, size=None, slide=None, **options):
    """The design for ``SELECT select FROM S [ROWS size SLIDE slide] GROUP BY g`` over g, x and y.

    Without a size and a slide they are two beats and one.
    """
    lanes = options.get("lanes", 4)
    size, slide = size or 2 * lanes, slide or lanes
    text = (
        f"CREATE INPUT STREAM S (g {group}, x {value}, y int(7));"
        f"SELECT g, {select} FROM S [ROWS {size} SLIDE {slide}] {where} GROUP BY g;"
    )
    return ENGINES["swag"](query=parse(text), **options)


def query_of(design, settings):
    """The query that a stream is asked whose host has set these; None when it is refused."""
    settings = design.settings.values | settings
    built, size, slide = design.options.resolved, settings["size"], settings["slide"]
    rows = [n % built.lanes == 0 and 0 < n <= built.window_max for n in (size, slide)]
    parts = {k: v for k, v in settings.items() if k.startswith("percentile")}
    if not all(rows) or slide > size or not all(0 < v <= PARTS for v in parts.values()):
        return None
    items = [_set(design.query, item, parts) for item in design.query.items]
    return replace(design.query, window=Rows(size=size, slide=slide), items=tuple(items))


def _set(query, item, parts):
    """An item with the fraction that has been set, where one has."""
    if item.aggregate.fraction is None or not parts:
        return item
    place = fractions_of(query).index(item.aggregate.fraction)
    fraction = Fraction(parts[f"percentile{place}"], PARTS)
    return replace(item, aggregate=replace(item.aggregate, fraction=fraction))


def expected(design, streams, settings, passes=lambda tuple_: True):
    """For each stream the rows of its windows, a list for each; results as wide as they are."""
    streams_windows = []
    for stream, set_ in zip(streams, settings, strict=True):
        query = query_of(design, set_)
        kept = [tuple_ for tuple_ in stream if passes(tuple_)]
        windows = [] if query is None else window_rows(query, kept)
        if design.settings.functions:
            place = 1 + set_.get("function", 0)
            windows = [[(row[0], row[place]) for row in window] for window in windows]
        streams_windows.append(windows)
    return streams_windows


def run(dut, streams, settings=None, passes=lambda tuple_: True, **options):
    """A run without any broken rule, each stream's windows, and what they must be.

    ``settings`` are what the host writes before each stream; what they leave out is what the query
    asks for. ``passes`` is the query's WHERE.
    """
    design = dut.design
    settings = [{} for _ in streams] if settings is None else settings
    default = design.settings.values | ({"function": 0} if design.settings.functions else {})
    wanted = expected(design, streams, settings, passes)
    waiting = max([design.options.resolved.window_max, *map(len, streams)])
    options = {"idle_timeout": 10_000 + 8 * waiting, "drain": 64 + 4 * waiting} | options
    done = dut.run(
        streams, [default | set_ for set_ in settings], packets=sum(map(len, wanted)), **options
    )
    rest = iter(done.packets)
    got = [list(islice(rest, len(windows))) for windows in wanted]
    if design.settings.functions:
        shapes = [design.rows.selected[set_.get("function", 0)] for set_ in settings]
        got = [
            [narrowed(window, shape) for window in windows]
            for windows, shape in zip(got, shapes, strict=True)
        ]
    return done, got, wanted


def streams_of(design, rng, counts, kinds=None):
    """Random streams of so many tuples, each of another kind, in no order."""
    columns = {column.name: column.type for column in design.query.columns}
    group, value = columns["g"], columns.get("x", columns["g"])
    streams = []
    for count in counts:
        able = [
            k for k in sorted(kinds or KINDS) if k != "all distinct" or count <= 1 << group.width
        ]
        pairs = random_stream(
            rng.choice(able), count, group, value, lanes=design.input.lanes, seed=rng.random()
        )
        rng.shuffle(pairs)
        more = {"y": columns["y"]} if "y" in columns else {}
        streams.append(
            [{"g": g, "x": x} | {n: random_raw(rng, t) for n, t in more.items()} for g, x in pairs]
        )
    return streams

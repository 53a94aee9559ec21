"""Designs of the sliding-window engine, streams for them, and the expected windows."""

from dataclasses import replace
from fractions import Fraction
from itertools import islice

import numpy as np

from query.parser import parse
from query.window import Rows
from rtl.engine import ENGINES
from rtl.engine.parts.percentiles import PARTS, fractions_of
from tb.bench.random_streams import KINDS, random_raw, random_stream
from tb.rtl.engine.bench import narrowed
from tb.rtl.engine.model import window_rows

AGGREGATES = (
    "min(x), median(x), max(x), sum(x), count(*), count(distinct x), avg(x), percentile(x, 0.90625)"
)


def point(group, value, select=AGGREGATES, where="", *, size=None, slide=None, **options):
    """Returns the design for ``SELECT select FROM S [ROWS size SLIDE slide] GROUP BY g``.

    The columns are g, x and y. By default the size is two beats and the slide one beat.
    """
    lanes = options.get("lanes", 4)
    size, slide = size or 2 * lanes, slide or lanes
    text = (
        f"CREATE INPUT STREAM S (g {group}, x {value}, y int(7));"
        f"SELECT g, {select} FROM S [ROWS {size} SLIDE {slide}] {where} GROUP BY g;"
    )
    return ENGINES["swag"](query=parse(text), **options)


def query_of(design, settings):
    """Returns the design's query with these settings; None if the engine refuses the settings."""
    settings = design.settings.values | settings
    built, size, slide = design.options.resolved, settings["size"], settings["slide"]
    rows = [n % built.lanes == 0 and 0 < n <= built.window_max for n in (size, slide)]
    parts = {k: v for k, v in settings.items() if k.startswith("percentile")}
    if not all(rows) or slide > size or not all(0 < v <= PARTS for v in parts.values()):
        return None
    items = [_set(design.query, item, parts) for item in design.query.items]
    return replace(design.query, window=Rows(size=size, slide=slide), items=tuple(items))


def _set(query, item, parts):
    """Returns the item; a percentile gets its fraction from ``parts``, the percentile registers."""
    if item.aggregate.fraction is None or not parts:
        return item
    place = fractions_of(query).index(item.aggregate.fraction)
    fraction = Fraction(parts[f"percentile{place}"], PARTS)
    return replace(item, aggregate=replace(item.aggregate, fraction=fraction))


def expected(design, streams, settings, passes=lambda tuple_: True):
    """Returns the expected rows: a list for each stream, of a list of rows for each window.

    ``settings`` has the settings of each stream; ``passes`` is the query's WHERE.
    """
    streams_windows = []
    for stream, values in zip(streams, settings, strict=True):
        query = query_of(design, values)
        selected = [tuple_ for tuple_ in stream if passes(tuple_)]
        windows = [] if query is None else window_rows(query, selected)
        if design.settings.functions:
            place = 1 + values.get("function", 0)  # rows begin with the group
            windows = [[(row[0], row[place]) for row in window] for window in windows]
        streams_windows.append(windows)
    return streams_windows


def run(dut, streams, settings=None, passes=lambda tuple_: True, **options):
    """Runs streams; returns the checked run, the windows of each stream, and the expected windows.

    ``settings`` are written before each stream; missing settings have the values of the query.
    ``passes`` is the query's WHERE.
    """
    design = dut.design
    settings = [{} for _ in streams] if settings is None else settings
    default = design.settings.values | ({"function": 0} if design.settings.functions else {})
    expected_windows = expected(design, streams, settings, passes)
    longest = max([design.options.resolved.window_max, *map(len, streams)])
    options = {"idle_timeout": 10_000 + 8 * longest, "drain": 64 + 4 * longest} | options
    result = dut.run(
        streams,
        [default | set_ for set_ in settings],
        packets=sum(map(len, expected_windows)),
        **options,
    )
    packets_left = iter(result.packets)
    actual_windows = [list(islice(packets_left, len(windows))) for windows in expected_windows]
    if design.settings.functions:
        shapes = [design.rows.selected[set_.get("function", 0)] for set_ in settings]
        actual_windows = [
            [narrowed(window, shape) for window in windows]
            for windows, shape in zip(actual_windows, shapes, strict=True)
        ]
    return result, actual_windows, expected_windows


def streams_of(design, rng, counts, kinds=None):
    """Returns random streams with these counts of tuples, of random kinds, in random order."""
    columns = {column.name: column.type for column in design.query.columns}
    group, value = columns["g"], columns.get("x", columns["g"])
    streams = []
    for count in counts:
        possible_kinds = [
            k for k in sorted(kinds or KINDS) if k != "all distinct" or count <= 1 << group.width
        ]
        pairs = random_stream(
            rng.choice(possible_kinds),
            count,
            group,
            value,
            lanes=design.input.lanes,
            seed=rng.random(),
        )
        rng.shuffle(pairs)
        other_columns = {"y": columns["y"]} if "y" in columns else {}
        streams.append(
            [
                {"g": g, "x": x} | {n: random_raw(rng, t) for n, t in other_columns.items()}
                for g, x in pairs
            ]
        )
    return streams


SELECTED = point(
    "uint(4)",
    "float",
    "min(x), median(x), percentile(x, 0.90625), count(*)",
    "WHERE y < 40",
    capacity=8,
    window_max=64,
    results="select",
    percentiles="run-time",
)


def patterned_tuples(kind, count, seed):
    """Returns tuples whose groups and values follow one pattern."""
    rng = np.random.default_rng(seed)
    ramp = np.arange(count)
    groups, values = {
        "random": lambda: (rng.integers(0, 50, count), rng.integers(-1000, 1000, count)),
        "one group": lambda: (np.full(count, 7), rng.integers(-(1 << 31), 1 << 31, count)),
        "all distinct": lambda: (rng.permutation(count), rng.integers(-9, 9, count)),
        "all equal": lambda: (np.full(count, 1), np.full(count, -5)),
        "sorted": lambda: (ramp // 3, ramp),
        "reversed": lambda: ((count - ramp) // 3, -ramp),
        "sawtooth": lambda: (ramp % 37, ramp % 11),
    }[kind]()
    return [{"g": int(g), "x": int(x), "y": 0} for g, x in zip(groups, values, strict=True)]

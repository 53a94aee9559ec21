"""Runs a design point of the sliding-window engine as shipped Verilog on streams of raw tuples."""

from dataclasses import replace
from fractions import Fraction
from itertools import islice

from query.parser import parse
from query.window import Rows
from rtl.engine.swag import PARTS, SwagParameters
from tb.harness.random_streams import KINDS, random_raw, random_stream
from tb.rtl.engine.model import window_rows

ALL = (
    "min(x), median(x), max(x), sum(x), count(*), count(distinct x), avg(x), percentile(x, 0.90625)"
)


def point(group, value, select=ALL, where="", *, size=None, slide=None, **settings):
    """Parameters of ``SELECT select FROM S [ROWS size SLIDE slide] GROUP BY g`` over g, x and y.

    Without a size and a slide they are two beats and one.
    """
    lanes = settings.get("lanes", 4)
    size, slide = size or 2 * lanes, slide or lanes
    text = (
        f"CREATE INPUT STREAM S (g {group}, x {value}, y int(7));"
        f"SELECT g, {select} FROM S [ROWS {size} SLIDE {slide}] {where} GROUP BY g;"
    )
    return SwagParameters(query=parse(text), **settings)


def query_of(parameters, values):
    """The query that a stream is asked whose host has set ``values``; None when it is refused."""
    values = parameters.run_time_values | values
    size, slide = values["size"], values["slide"]
    rows = [n % parameters.lanes == 0 and 0 < n <= parameters.window_max for n in (size, slide)]
    parts = {k: v for k, v in values.items() if k.startswith("percentile")}
    if not all(rows) or slide > size or not all(0 < v <= PARTS for v in parts.values()):
        return None
    items = [_set(parameters, item, parts) for item in parameters.query.items]
    return replace(parameters.query, window=Rows(size=size, slide=slide), items=tuple(items))


def _set(parameters, item, parts):
    """An item with the fraction that has been set, where one has."""
    if item.aggregate.fraction is None or not parts:
        return item
    place = parameters.fractions.index(item.aggregate.fraction)
    fraction = Fraction(parts[f"percentile{place}"], PARTS)
    return replace(item, aggregate=replace(item.aggregate, fraction=fraction))


def expected(parameters, streams, values, passes=lambda tuple_: True):
    """For each stream the rows of its windows, a list for each; results as wide as they are."""
    streams_windows = []
    for stream, set_ in zip(streams, values, strict=True):
        query = query_of(parameters, set_)
        kept = [tuple_ for tuple_ in stream if passes(tuple_)]
        windows = [] if query is None else window_rows(query, kept)
        if parameters.functions:
            place = 1 + set_.get("function", 0)
            windows = [[(row[0], row[place]) for row in window] for window in windows]
        streams_windows.append(windows)
    return streams_windows


def run(dut, streams, values=None, passes=lambda tuple_: True, **options):
    """The result of a run without any broken rule, each stream's windows, and what they must be.

    ``values`` are for each stream what the host writes before it, by name; what it leaves out is
    what the query asks for. ``passes`` is the query's WHERE.
    """
    parameters = dut.parameters
    values = [{} for _ in streams] if values is None else values
    default = parameters.run_time_values | ({"function": 0} if parameters.functions else {})
    writes = {
        k: [(dut.top.registers[name].address, value) for name, value in (default | set_).items()]
        for k, set_ in enumerate(values)
    }
    wanted = expected(parameters, streams, values, passes)
    waiting = max([parameters.window_max, *map(len, streams)])
    options = {"idle_timeout": 10_000 + 8 * waiting, "drain": 64 + 4 * waiting} | options
    result, packets = dut.run(streams, writes=writes, packets=sum(map(len, wanted)), **options)
    rest = iter(packets)
    got = [list(islice(rest, len(windows))) for windows in wanted]
    if parameters.functions:
        functions = [set_.get("function", 0) for set_ in values]
        got = [
            _narrowed(windows, parameters.result_shapes[function])
            for windows, function in zip(got, functions, strict=True)
        ]
    return result, got, wanted


def _narrowed(windows, shape):
    """Of a selected result the bits that the function's own result has."""
    return [[(key, as_shape(raw, shape)) for key, raw in window] for window in windows]


def as_shape(raw, shape):
    """The lowest bits of an integer, as a number of ``shape``."""
    low = raw & ((1 << shape.width) - 1)
    return low - (1 << shape.width) if shape.signed and low >> (shape.width - 1) else low


def streams_of(parameters, rng, counts, kinds=None):
    """Random streams of so many tuples, each of another kind, in no order."""
    columns = {column.name: column.type for column in parameters.query.columns}
    group, value = columns["g"], columns.get("x", columns["g"])
    streams = []
    for count in counts:
        able = [
            k for k in sorted(kinds or KINDS) if k != "all distinct" or count <= 1 << group.width
        ]
        pairs = random_stream(
            rng.choice(able), count, group, value, lanes=parameters.lanes, seed=rng.random()
        )
        rng.shuffle(pairs)
        more = {"y": columns["y"]} if "y" in columns else {}
        streams.append(
            [{"g": g, "x": x} | {n: random_raw(rng, t) for n, t in more.items()} for g, x in pairs]
        )
    return streams

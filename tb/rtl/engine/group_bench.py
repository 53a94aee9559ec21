"""Designs of the group-by engine, and streams for them."""

from query.parser import parse
from rtl.engine import ENGINES
from tb.bench.random_streams import KINDS, random_raw, random_stream

AGGREGATES = "min(x), max(x), sum(x), count(*), count(distinct x), avg(x)"


def point(group, value, select=AGGREGATES, where="", **options):
    """Returns the design for ``SELECT select ... GROUP BY g`` over columns g, x and y."""
    text = (
        f"CREATE INPUT STREAM S (g {group}, x {value}, y int(7));"
        f"SELECT g, {select} FROM S {where} GROUP BY g;"
    )
    return ENGINES["group-by"](query=parse(text), **options)


def streams_of(design, rng, counts):
    """Returns random streams with these counts of tuples, of random kinds, sorted by group."""
    columns = {column.name: column.type for column in design.query.columns}
    group, value = columns["g"], columns.get("x", columns["g"])
    streams = []
    for count in counts:
        roomy = count <= 1 << group.width
        kinds = [kind for kind in sorted(KINDS) if roomy or kind != "all distinct"]
        pairs = random_stream(
            rng.choice(kinds),
            count,
            group,
            value,
            lanes=design.input.lanes,
            seed=rng.getrandbits(32),
        )
        stream = [{"g": g, "x": x} for g, x in pairs]
        for tuple_ in stream:
            tuple_ |= {"y": random_raw(rng, columns["y"])} if "y" in columns else {}
        streams.append(stream)
    return streams

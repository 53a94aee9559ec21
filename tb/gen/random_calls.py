"""Random legal calls of ``sluice simulate``: any engine, any options, any stream.

Calls of one design share its model; windows, data, stalls and memory differ from call to call. The
numbers of the design and of the call are the seeds.
"""

import shlex
from dataclasses import dataclass, field
from random import Random

import numpy as np

from query.aggregate import Function
from tb.aggregates import spellings
from tb.gen import random_data

#: Tuples from which on the prediction must be near.
LONG = 20_000
ENGINES = ("group-by", "swag", "window-id", "pane", "two-stacks", *["streamzip"] * 7)
BOARDS = ("ultra96-v2", "de5-net", "ml605", "generic")
#: Designs from this number on are `streamzip` with percentiles by pivots.
PIVOTS = 42


@dataclass(frozen=True)
class RandomDesign:
    """A design; all calls of the design share a model.

    Attributes
    ----------
    number : int
    engine, window : str
        ``window`` is ``groups``, ``rows`` or ``range``.
    key, value, other : str
        Types of the columns.
    items : str
        What is selected.
    where : str
    options : dict
        By name, as for ``--set``.
    board : str or None
    """

    number: int
    engine: str
    window: str
    key: str
    value: str
    other: str
    items: str
    where: str
    options: dict
    board: str | None


@dataclass(frozen=True)
class Call:
    """One call: the query, the columns as texts, and the arguments without query and data.

    The query's file has the name of the design, because the name of the top is in the Verilog: so
    all calls of a design simulate one model.
    """

    design: str
    name: str
    query: str
    columns: dict = field(repr=False)
    arguments: list
    checks_rate: bool

    @property
    def tuples(self):
        return len(self.columns["k"])

    def write(self, directory):
        """Writes query and data; returns the whole command line."""
        folder = directory / self.name
        folder.mkdir(exist_ok=True)
        query, data = folder / f"{self.design}.cql", folder / "tuples.csv"
        query.write_text(self.query)
        lines = [",".join(self.columns)]
        lines += map(",".join, zip(*self.columns.values(), strict=True))
        data.write_text("\n".join([*lines, ""]))
        return ["simulate", str(query), "--input", str(data), *self.arguments]


def shown(arguments):
    """Returns the command in the form that a user types."""
    return shlex.join(["sluice", *map(str, arguments)])


def design(number):
    """Draws the design of a number."""
    rng = Random(f"design {number}")
    engine = ENGINES[number % len(ENGINES)] if number < PIVOTS else "streamzip"
    windows = {"group-by": "groups", "swag": "rows", "two-stacks": "rows"}
    window = windows.get(engine, "range")
    if engine == "streamzip":
        window = rng.choice(("rows", "rows", "range"))
    value, other = (rng.choice(list(random_data.VALUE_TYPES)) for _ in range(2))
    options = _OPTIONS[engine](rng, window, value)
    board = rng.choice((None, None, *BOARDS))
    condition = rng.choice(
        ("", "", "WHERE w < 12", "WHERE w >= 3 AND w != 7", "WHERE w < 1 OR w > 9")
    )
    if condition and rng.random() < 0.3:
        options["constants"] = "run-time"
    items = _items(rng, engine, value, other, options)
    if number >= PIVOTS:
        items = _with_pivots(rng, items, options)
    _face(rng, engine, options)
    key = rng.choice(random_data.KEY_TYPES)
    items = ", ".join(dict.fromkeys(items))
    return RandomDesign(number, engine, window, key, value, other, items, condition, options, board)


def _group_by(rng, window, value):
    return {"lanes": rng.choice((1, 2, 4, 8)), "results": rng.choice(("all", "all", "select"))}


def _swag(rng, window, value):
    lanes = rng.choice((1, 2, 4))
    capacity = lanes * rng.choice((4, 8))
    largest = min(capacity * capacity, 256)
    return {
        "lanes": lanes,
        "capacity": capacity,
        "window_max": largest,
        "passes": rng.choice(("shared", "pipelined")),
        "results": rng.choice(("all", "all", "select")),
    }


def _window_id(rng, window, value):
    return {"modules": rng.choice((2, 4, 7)), "punctuations": rng.choice(("made", "stream"))}


def _pane(rng, window, value):
    level = rng.choice(("two-stacks", "sequential"))
    return {
        "modules": rng.choice((2, 4, 8)),
        "panes": rng.choice((4, 16, 64)),
        "window_level": level,
        "punctuations": rng.choice(("made", "stream")),
    }


def _two_stacks(rng, window, value):
    return {"window_max": rng.choice((8, 64, 512))}


def _streamzip(rng, window, value):
    """Entries are few or many, so in some calls keys are evicted."""
    options = {
        "entries": rng.choice((16, 64, 256, 1024)),
        "ways": rng.choice((1, 2, 4, 4)),
        "ports": rng.choice((1, 2, 4)),
        "stripe_lines": rng.choice((1, 1, 1, 2, 8)),
        "port_bits": rng.choice((128, 128, 256, 512)),
        "window_max": rng.choice((16, 64, 256, 512)),
    }
    if window == "range":
        options |= {"window_max": rng.choice((64, 256, 1024)), "overlap": rng.choice((2, 8, 32))}
        options["marks"] = rng.choice((1, 4, 16))
    floating = value in random_data.FLOATS
    lossless = "xor-chained" if window == "rows" else "xor"
    codec = rng.choice(("none", lossless, "xor", "grid", "sz", "xor" if floating else "base-delta"))
    if codec != "none":
        options["codec"] = codec
        if codec != "base-delta":
            options["decoders"] = rng.choice((1, 2, 4))
        if rng.random() < 0.5:
            options |= {"cached_keys": rng.choice((1, 2, 4)), "cache_lanes": 16}
        if codec == "xor-chained":
            return options
        if window == "rows" and rng.random() < 0.3:
            # Blocks of half of a line's values: a ring of any size that has room for all windows.
            options["expected_ratio"] = "1/2"
        if rng.random() < 0.4:
            options["m2_blocks"] = rng.choice((1, 2, 4))
            options["m2_kind"] = rng.choice(("block", "external"))
        return options
    levels = ({"memory": "dram-only"}, {"m2_lines": 2}, {"m2_kind": "external"}, {}, {})
    options |= rng.choice(levels)
    if rng.random() < 0.2:
        options |= {"m3_kind": "block"}
    if rng.random() < 0.3:
        options |= {"cached_keys": rng.choice((1, 2, 4)), "cache_lanes": 16}
    options["line_values"] = rng.choice((4, 4, 2)) if "m2_kind" not in options else 4
    return options


_OPTIONS = {
    "group-by": _group_by,
    "swag": _swag,
    "window-id": _window_id,
    "pane": _pane,
    "two-stacks": _two_stacks,
    "streamzip": _streamzip,
}


#: Functions that `_items` draws for the engines that accept them; all others go to every engine.
_DRAWN = {Function.COUNT, Function.COUNT_DISTINCT, Function.SUM, Function.MIN, Function.MAX}
_DRAWN |= {Function.AVG, Function.PERCENTILE}


def _items(rng, engine, value, other, options):
    """Draws up to three aggregates of the engine, at least one over the column v."""
    codec = options.get("codec", "none")
    one_column = codec != "none"
    possible = {"v": ["min(v)", "max(v)"], "x": [] if one_column else ["max(x)", "min(x)"]}
    for name, type_ in (("v", value), ("x", other)):
        adds_floats = engine == "streamzip" and "cached_keys" not in options
        adds_floats &= codec != "xor-chained"
        if type_ not in random_data.FLOATS or adds_floats:
            possible[name] += [f"sum({name})", f"avg({name})"] if possible[name] else []
    if engine in ("group-by", "swag"):
        possible["v"].append("count(distinct v)")
    if engine == "swag" or (engine == "streamzip" and codec in ("none", "base-delta")):
        sortable = "cached_keys" not in options and options.get("window_max", 0) <= 256
        if engine == "swag" or (sortable and "overlap" not in options):
            possible["v"] += ["median(v)", "percentile(v, 0.9)"]
            options["capacity"] = options.get("capacity", 16)
    for function, texts in spellings("v").items():
        possible["v"] += texts if function not in _DRAWN else []
    items = [rng.choice(possible["v"]), "count(*)"]
    items += rng.sample(possible["v"] + possible["x"], k=rng.randrange(2))
    if engine == "streamzip" and not any("median" in i or "percentile" in i for i in items):
        options.pop("capacity", None)
    return items


def _with_pivots(rng, items, options):
    """Returns items with a percentile of the column v, and draws the options of pivots."""
    options["percentiles"] = "pivot"
    options.pop("capacity", None)
    if rng.random() < 0.7:
        options["neighbours"] = rng.choice((1, 2, 4, 8))
    if rng.random() < 0.5:  # else the cache sorts its values, or is refused
        options.pop("cached_keys", None)
        options.pop("cache_lanes", None)
    percentiles = rng.choice(
        (("median(v)",), ("percentile(v, 0.9)",), ("median(v)", "percentile(v, 0.03)"))
    )
    return [*items, *percentiles]


def _face(rng, engine, options):
    """Draws options of the bus in one design of two."""
    if rng.random() < 0.5:
        return
    if rng.random() < 0.2:
        options["network"] = "true"
        options["host_link"] = rng.choice(("true", "false"))
    else:
        options["bus_bits"] = rng.choice((32, 64, 128, 256, 512))
        options["bus"] = rng.choice(("axi", "axi", "avalon"))
    if rng.random() < (0.2 if engine == "swag" else 0.5):
        packets = rng.choice(("stream", "stream", "beats:16"))
        if engine != "swag" or packets == "stream":  # swag's rows have no number of their window
            options["packets"] = packets
    options["end_marker"] = rng.choice(("true", "false"))
    options["interrupt"] = rng.choice(("true", "false"))
    if rng.random() < 0.9:  # else they are refused together
        if options.get("host_link") != "true":
            options.pop("punctuations", None)
        if options.get("network"):
            options.pop("packets", None)


def call(random_design, number):
    """Draws the call of a number for a design."""
    rng = Random(f"design {random_design.number} call {number}")
    long = rng.random() < 0.5
    count = rng.randint(LONG, 26_000) if long else rng.choice((0, 1, 40, rng.randint(2, 5000)))
    keys, _ = random_data.key_numbers(rng, count, 200)
    moments, pace, back = random_data.times(rng, count)
    columns = {
        "k": [random_data.key_text(random_design.key, int(key)) for key in keys],
        "w": list(map(str, np.random.default_rng(rng.getrandbits(32)).integers(16, size=count))),
        "v": random_data.values(rng, random_design.value, count),
        "x": random_data.values(rng, random_design.other, count),
        "t": list(map(str, moments)),
    }
    clause = _window(rng, random_design, keys, moments, pace, back)
    arguments = ["--engine", random_design.engine]
    for name, value in random_design.options.items():
        arguments += ["--set", f"{name}={value}"]
    arguments += [] if random_design.board is None else ["--board", random_design.board]
    stalls, memory = _stalls(rng), None
    if random_design.engine == "streamzip":
        memory = rng.choice((None, "ideal", "restless", "ddr3", "ddr3"))
        arguments += ["--allow-evictions"]
    icarus = count <= 300 and memory in (None, "ideal") and "network" not in random_design.options
    if icarus and rng.random() < 0.3:
        arguments += ["--simulator", "icarus"]
    arguments += [*stalls, "--seed", str(rng.getrandbits(40))]
    arguments += [] if memory is None else ["--memory", memory]
    return Call(
        design=f"design{random_design.number}",
        name=f"call{number}",
        query=_query(random_design, clause),
        columns=columns,
        arguments=arguments,
        checks_rate=long and not stalls and memory != "restless",
    )


def _stalls(rng):
    """Draws stalls, mostly none: without stalls the rate is compared with the prediction."""
    if rng.random() < 0.7:
        return []
    return [
        *("--stall-input", str(rng.choice((0, 0.2, 0.6)))),
        *("--stall-output", str(rng.choice((0.1, 0.5, 0.9)))),
    ]


def _query(random_design, clause):
    by_key = random_design.engine in ("group-by", "swag", "streamzip")
    grouped = random_design.engine in ("group-by", "swag")
    return (
        f"CREATE INPUT STREAM S (k {random_design.key}, w uint(4), v {random_design.value}, "
        f"x {random_design.other}, t uint(40));\n"
        f"SELECT {'k, ' if by_key else ''}{random_design.items}\nFROM S {clause}\n"
        f"{random_design.where}\n{'GROUP BY k' if grouped else ''};\n"
    )


def _window(rng, random_design, keys, moments, pace, back):
    """Draws a window that fits the design; returns the text of the window."""
    options = random_design.options
    if random_design.window == "groups":
        return ""
    partition = "PARTITION BY k " if random_design.engine == "streamzip" else ""
    if random_design.window == "rows":
        lanes = options.get("lanes", 1)
        size = lanes * rng.randint(1, options["window_max"] // lanes)
        slide = lanes * rng.randint(1, size // lanes)
        slide = rng.choice((slide, slide, lanes, size))
        return f"[{partition}ROWS {size} SLIDE {slide}]"
    slack = rng.choice((0, back, back))
    slide = max(1, int(pace * rng.choice((1, 5, 20, 60))))
    if random_design.engine == "streamzip":
        length = slide * rng.randint(1, options["overlap"] - 1)
        while length > 1 and _most(keys, moments, length + slide) > options["window_max"] // 2:
            length //= 2
        return f"[PARTITION BY k RANGE {length} SLIDE {min(slide, length)} WATTR t]"
    open_ = options["modules"] - 1
    slack = min(
        slack, slide * (open_ - 1) if random_design.engine == "window-id" else slide * open_
    )
    if random_design.engine == "window-id":
        largest = max(1, options["modules"] - -(-slack // slide))
        length = slide * largest - rng.choice((0, 0, slide // 3))
    else:
        length = slide * rng.randint(1, options["panes"])
    return f"[RANGE {length} SLIDE {slide} WATTR t SLACK {slack}]"


def _most(keys, moments, length):
    """Returns the greatest number of tuples of a key in a time of ``length``."""
    largest = 0
    for key in np.unique(keys):
        own_values = np.sort(moments[keys == key])
        largest = max(
            largest,
            int(
                (
                    np.searchsorted(own_values, own_values + length) - np.arange(len(own_values))
                ).max()
            ),
        )
    return largest

"""The query, the data and the command line of a row of the table."""

import json
import random
import struct
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

from rtl.keyed.codec.codecs import CODEC_ENTRIES

#: Tuples of a run, at least and at most.
TUPLES = (1000, 1600)
SCHEMA = "CREATE INPUT STREAM S (k {key}, w uint(4), v {value}, t uint(32));"
ITEMS = {
    "extremes": "min(v), max(v), count(*)",
    "sums": "sum(v), count(*)",
    "averages": "avg(v), min(v)",
    "distinct": "count(distinct v), max(v)",
    "median": "median(v), percentile(v, 0.9), count(*)",
}
#: By the kind and the overlap of windows: the window's text.
WINDOWS = {
    "groups": "",
    "grouped rows, tumbling": "[ROWS 32 SLIDE 32]",
    "grouped rows, sliding": "[ROWS 32 SLIDE 8]",
    "rows, tumbling": "[ROWS 20 SLIDE 20]",
    "rows, sliding": "[ROWS 37 SLIDE 5]",
    "rows, every tuple": "[ROWS 33 SLIDE 1]",
    "range, tumbling": "[RANGE 40 SLIDE 40 WATTR t SLACK 10]",
    "range, sliding": "[RANGE 40 SLIDE 15 WATTR t SLACK 10]",
    "key rows, tumbling": "[PARTITION BY k ROWS 12 SLIDE 12]",
    "key rows, sliding": "[PARTITION BY k ROWS 25 SLIDE 4]",
    "key rows, every tuple": "[PARTITION BY k ROWS 18 SLIDE 1]",
    "key range, tumbling": "[PARTITION BY k RANGE 150 SLIDE 150 WATTR t]",
    "key range, sliding": "[PARTITION BY k RANGE 200 SLIDE 60 WATTR t]",
}
#: Windows that are filled though most keys are evicted on the way.
SHORT = {
    "key rows, tumbling": "[PARTITION BY k ROWS 3 SLIDE 3]",
    "key rows, sliding": "[PARTITION BY k ROWS 4 SLIDE 2]",
    "key rows, every tuple": "[PARTITION BY k ROWS 3 SLIDE 1]",
}
#: Keys of the stream; with the evictions of a row the table has places for fewer than the few.
KEYS = {"few": 12, "many": 48}
ENTRIES = {"-": (256, 4), "many": (8, 1)}
PORTS = {
    "-": {},
    "one": {"ports": 1},
    "striped": {"ports": 2, "stripe_lines": 4},
    "wide": {"ports": 1, "port_bits": 256},
    "on chip": {"m3_kind": "block", "ports": 1, "port_bits": 512},
}
LEVELS = {
    "-": {},
    "two lines": {"m2_lines": 2},
    "ultra": {"m2_kind": "ultra"},
    "external": {"m2_kind": "external"},
    "dram-only": {"memory": "dram-only"},
}
NETWORK = {
    "-": {},
    "true": {"network": "true"},
    "with link": {"network": "true", "host_link": "true"},
}


def query_of(row):
    """Returns the text of the query of ``row``."""
    kind = row["window"]
    by_key = kind.startswith(("groups", "grouped", "key"))
    short = row["evictions"] != "-" and kind in SHORT
    lines = [SCHEMA.format(key=row["key"], value=row["value"])]
    lines += [f"SELECT {'k, ' if by_key else ''}{ITEMS[row['aggregates']]}"]
    lines += [f"FROM S {(SHORT if short else WINDOWS)[kind]}"]
    lines += [] if row["constants"] == "-" else ["WHERE w < 13 OR v = 0"]
    lines += ["GROUP BY k"] if kind.startswith("group") else []
    return "\n".join(lines) + ";\n"


def parameters_of(row):
    """Returns the parameters of engine and bus by name; the design is small."""
    said = ("results", "codec", "cached_keys", "m2_blocks", "punctuations", "bus_bits", "packets")
    said += ("end_marker", "interrupt", "bus", "lanes")
    named = {name: row[name] for name in said if row[name] != "-"}
    if row["constants"] == "run-time":
        named["constants"] = "run-time"
    if row["engine"] == "swag":
        named |= {"capacity": 8, "window_max": 32}
    if row["codec"] != "-" and CODEC_ENTRIES[row["codec"]].serial:
        named["decoders"] = 2
    if row["engine"] == "streamzip" or row["evictions"] != "-":
        entries, ways = ENTRIES[row["evictions"]]
        named |= {"entries": entries, "ways": ways}
    if row["engine"] == "streamzip" and row["window"].startswith("key range"):
        named["window_max"] = 256
    if row["cached_keys"] != "-":
        named["cache_lanes"] = 16
    if row["levels"] == "external" and row["codec"] == "-":
        named["line_values"] = 4
    return named | PORTS[row["ports"]] | LEVELS[row["levels"]] | NETWORK[row["network"]]


def design_arguments(row):
    """Returns the arguments that determine the hardware."""
    said = ["--engine", row["engine"]]
    for name, value in parameters_of(row).items():
        said += ["--set", f"{name}={value}"]
    return said + ([] if row["board"] == "-" else ["--board", row["board"]])


def run_arguments(row, seed):
    """Returns the arguments of ``simulate`` that choose simulator, memory, stalls and seed."""
    said = ["--simulator", row["simulator"], "--seed", str(seed)]
    said += [] if row["memory"] == "-" else ["--memory", row["memory"]]
    for side in ("input", "output"):
        if row["stalls"] in (side, "both"):
            said += [f"--stall-{side}", "0.3"]
    return said


def tuples_of(row, seed, count=None):
    """Makes the stream of ``row``, as lists of texts by column, at random by ``seed``.

    The stream has ``count`` tuples; without ``count`` a number within :data:`TUPLES`.
    """
    rng = random.Random(f"{seed} {row['keys']} {row['times']} {row['values']}")
    size, mix = rng.randint(*TUPLES), row["keys"].split(", ")
    count = size if count is None else count
    numbers = [*range(KEYS[mix[0]])]
    weights = [1 / (n + 1) if mix[1] == "skewed" else 1 for n in numbers]
    keys = rng.choices([_key(row["key"], n) for n in numbers], weights, k=count)
    return {
        "k": keys,
        "w": [str(rng.randrange(16)) for _ in range(count)],
        "v": _values(rng, row, count),
        "t": _times(rng, row, count),
    }


def _key(type_, number):
    """Returns the key with a number; different numbers have different keys."""
    if type_.startswith("string"):
        return "abcdefgh"[number % 8] + ("", "x", "yz", "z", "q", "qq")[number // 8]
    return str(number * 977 % 60_000 - (30_000 if type_.startswith("int") else 0))


def _times(rng, row, count):
    """Makes times that grow by 1 on average, out of order by up to 14; SLACK is 10."""
    current, times = 0, []
    for _ in range(count):
        current += rng.randrange(3)
        times.append(current + (rng.randrange(15) if row["times"] == "out of order" else 0))
    return list(map(str, times))


def _values(rng, row, count):
    """Makes values over the whole range of the type, or values with small steps between them."""
    bits = {"int(32)": 32, "uint(64)": 64, "fixed(8,8)": 16, "float": 32, "double": 64}
    type_ = row["value"]
    low, high = (0, 1 << 64) if type_ == "uint(64)" else (-(1 << bits[type_] - 1), 0)
    high = high or -low
    if row["values"] == "steady":
        value, raws = (low + high) // 2 + 1000, []
        for _ in range(count):
            value += rng.choice((0, 0, 1, -1, 3, 20))
            raws.append(value)
        if type_ in ("float", "double"):
            return [repr(raw / 4) for raw in raws]
    else:
        raws = [rng.randrange(low, high) for _ in range(count)]
        if type_ in ("float", "double"):
            return [_floating(raw, type_) for raw in raws]
    return [str(raw / 256) if type_ == "fixed(8,8)" else str(raw) for raw in raws]


def _floating(raw, type_):
    """Returns the number with the bits of ``raw`` as text; the number may be NaN."""
    pattern, number = ("<i", "<f") if type_ == "float" else ("<q", "<d")
    (value,) = struct.unpack(number, struct.pack(pattern, raw))
    return repr(value)


def write_files(row, seed, directory, count=None):
    """Writes query and data of ``row`` below ``directory``; returns their paths.

    For ``seed`` and ``count`` see :func:`tuples_of`.
    """
    directory = Path(directory)
    directory.mkdir(parents=True, exist_ok=True)
    (directory / "row.json").write_text(json.dumps({"seed": seed} | row, indent=1))
    query, data = directory / "query.cql", directory / f"data.{row['file']}"
    query.write_text(query_of(row))
    columns = tuples_of(row, seed, count)
    if row["file"] == "parquet":
        pq.write_table(pa.table(_typed(row, columns)), data)
    else:
        lines = [",".join(columns), *map(",".join, zip(*columns.values(), strict=True)), ""]
        data.write_text("\n".join(lines))
    return query, data


def _typed(row, columns):
    """Returns the columns for Parquet: numbers, and texts for strings."""
    kinds = {"int(32)": pa.int32(), "uint(64)": pa.uint64(), "fixed(8,8)": pa.float64()}
    kinds |= {"float": pa.float32(), "double": pa.float64()}
    read = float if row["value"] in ("fixed(8,8)", "float", "double") else int
    key = columns["k"] if row["key"].startswith("string") else list(map(int, columns["k"]))
    return {
        "k": key,
        "w": list(map(int, columns["w"])),
        "v": pa.array(list(map(read, columns["v"])), kinds[row["value"]]),
        "t": list(map(int, columns["t"])),
    }

"""Makes command lines that are nearly valid: one to three parts of a valid one are spoiled.

A case depends only on its seed. It has files, among them a query, a design point and data, and the
arguments of a command. Without the spoiled parts the command would succeed.
"""

import io
import re
from dataclasses import dataclass, field
from random import Random

import pyarrow as pa
import pyarrow.parquet as pq

from tb.aggregates import spellings, words

_EVERY_AGGREGATE = ", ".join(text for texts in spellings("b").values() for text in texts)
QUERIES = (
    "SELECT a, sum(b), avg(b), count(distinct b) FROM S WHERE c > 0.5 AND (a != 3 OR b <= -7)\n"
    "GROUP BY a;\n",
    "SELECT t, count(*) AS n, max(c) FROM S [RANGE 10 seconds SLIDE 5 WATTR t SLACK 2]\n"
    "WHERE s = 'ab' -- not all of them\n;\n",
    "SELECT a, median(b), percentile(b, 0.9) FROM S [ROWS 8 SLIDE 4] GROUP BY a;\n",
    "SELECT min(b), sum(a) FROM S [ROWS 16 SLIDE 1];\n",
    "SELECT s, sum(b) FROM S [PARTITION BY s ROWS 3 SLIDE 2];\n",
    "SELECT a, count(*) FROM S [PARTITION BY a RANGE 1.5 minutes SLIDE 3 WATTR t];\n",
    "SELECT min(f), max(d), count(*) FROM S WHERE f >= 1e-3 OR d < 1e300 GROUP BY s;\n",
    f"SELECT a, {_EVERY_AGGREGATE} FROM S [ROWS 8 SLIDE 4] GROUP BY a;\n",
)
SCHEMA = (
    "CREATE INPUT STREAM S (a uint(8), b int, c fixed(8,24), f float, d double,"
    " s string(4), t uint(64));\n"
)
POINT = 'query = "q.cql"\n\n[parameters]\nconstants = "compiled"\n'

NUMBERS = (
    "", "0", "-1", "+1", "1e9", "1e50", "1e999", "1e9999", "-1e999", "nan", "inf", "-inf",
    "Infinity", "99999999999999999999999", "9223372036854775808", "1" * 5000, "0x10", "1_0",
    "\u0661", "1.5", " 4", "4 ", "true", "None", "1e-100", "1e-999", ".5", "5.", ".", "-", "1/2",
    "0." + "0" * 1300 + "1", "--", "\u00a01", "1e", "4294967296", "-2147483649", "3.4028236e38",
)  # fmt: skip
PATHS = (
    "", ".", "..", "/", "-", "--", "none/x.csv", "folder", "folder.csv", "folder.cql",
    "folder.toml", "folder.parquet", "q.cql/x.csv", "d.csv/q.cql", "x" * 300 + ".csv", "x" * 5000,
    "a\0b.csv", "\0", "\udcff.csv", "\udcff.cql", "/dev/full", "/dev/null", "full.csv",
    "loop.csv", "loop.cql", "d.csv", "q.cql", "p.toml", "d.parquet", "none.cql", "none.toml",
    "none.parquet", "x\ny.csv", "\u20ac.csv", "d.csv.gz", "d.txt", "broken.gz", "~/x.csv",
    "%s.csv", "*.csv",
)  # fmt: skip
WORDS = (
    "SELECT", "FROM", "WHERE", "GROUP", "BY", "[", "]", "(", ")", ",", ";", "*", "ROWS", "RANGE",
    "SLIDE", "SLACK", "WATTR", "PARTITION", "AND", "OR", "AS", "DISTINCT", *sorted(words()),
    "a", "b", "c", "f", "d", "s", "t", "S", "int", "uint(65)",
    "fixed(1,99)", "string(1e12)", "string", "'x'", '"', "'", "--", "=", "!=", "<", "%", "\u20ac",
    "\0", "seconds", "hours", "weeks", "window", "x" * 4000, "(" * 300, "AND a = 1 " * 300,
    "OR a = 1 " * 1500, "sum(b), " * 200, "\ufeff", "\r",
)  # fmt: skip
BYTES = (
    b"\0", b"\xff", b"\xef\xbb\xbf", b"\xff\xfe", b"\r", b"\r\n", b"\n\n", b'"', b"'", b",",
    b"\x1f\x8b", b"\x1a", b"\x1b[2J", b"\xe2\x82", b"=", b"[", b"]]", b"[" * 5000, b"{", b'"""',
    b"\t", b"9" * 5000, b"PAR1", b" ", b"1e999", b"nan",
)  # fmt: skip
OPTIONS = {
    "golden": ("--format", "--start", "--evicted", "--master", "--cache"),
    "simulate": ("--format", "--start", "--rows", "--evicted", "--memory", "--stall-input",
                 "--stall-output", "--seed", "--simulator", "--engine", "--set", "--board",
                 "--lanes", "--master", "--cache"),
    "generate": ("--engine", "--set", "--board", "--lanes", "--cache"),
    "report": ("--target", "--unit", "--engine", "--set", "--board", "--lanes", "--cache"),
    "trace": ("--tuples", "--seed", "--jobs", "--changes"),
    "demo": ("--input", "--format", "--board", "--master", "--cache"),
    "engines": (),
}  # fmt: skip
SETTINGS = (
    "lanes", "results", "scan", "constants", "count_width", "capacity", "window_max", "passes",
    "modules", "panes", "window_level", "punctuations", "percentiles", "none", "cells", "width",
    "cardinality", "memory", "codec", "entries", "ways", "overlap", "marks", "line_values", "ports",
    "port_bits", "address_bits", "query", "", "=",
)  # fmt: skip
CHOICES = (
    "group-by", "swag", "pane", "window-id", "two-stacks", "ultra96-v2", "de5net", "xcup", "ecp5",
    "csv", "parquet", "debs2012", "google-task-events", "verilator", "icarus", "compactor",
    "flims", "linear-sorter", "all", "select", "run-time", "local[2]", "streamzip", "mlq",
    "dram-only", "ideal", "restless", "ddr3",
)  # fmt: skip


@dataclass
class Case:
    """Arguments and files of a command; ``seed`` is the seed of the case."""

    seed: int
    arguments: list[str]
    files: dict[str, bytes] = field(repr=False)
    spoiled: list[str] = field(default_factory=list)


def case(seed: int) -> Case:
    """The case of a seed."""
    rng = Random(f"fuzz {seed}")
    rows = [_row(rng, n) for n in range(rng.randrange(12))]
    query = SCHEMA + rng.choice(QUERIES)
    files = {
        "q.cql": query.encode(),
        "p.toml": POINT.encode(),
        "d.csv": "\n".join(["a,b,c,f,d,s,t", *(",".join(row) for row in rows), ""]).encode(),
        "d.parquet": _parquet(rows),
    }
    created = Case(seed, _command(rng), files)
    for spoil in _spoils(rng):
        created.spoiled.append(spoil.__name__)
        spoil(rng, created)
    return created


def _spoils(rng):
    """Returns the changes that spoil a case."""
    kinds = (_spoil_arguments, _spoil_option, _spoil_path, _spoil_text, _spoil_data, _spoil_file)
    return rng.choices(kinds, k=rng.choice((1, 1, 1, 2, 3)))


def _row(rng, n):
    return [str(rng.randrange(4)), str(rng.randrange(-99, 99)), f"{rng.uniform(-9, 9):.3f}",
            f"{rng.uniform(-9, 9):.3g}", repr(rng.uniform(-9, 9)), rng.choice(("ab", "c", "")),
            str(n + rng.randrange(3))]  # fmt: skip


def _parquet(rows):
    kinds = (int, int, str, float, float, str, int)
    columns = [[kind(row[i]) for row in rows] for i, kind in enumerate(kinds)]
    types = (pa.uint8(), pa.int32(), pa.string(), pa.float32(), pa.float64(), pa.string())
    types = (*types, pa.int64())
    arrays = [pa.array(column, type_) for column, type_ in zip(columns, types, strict=True)]
    file = io.BytesIO()
    pq.write_table(pa.table(arrays, names=list("abcfdst")), file)
    return file.getvalue()


def _command(rng):
    query, data = rng.choice(("q.cql", "q.cql", "p.toml")), rng.choice(("d.csv", "d.parquet"))
    rows, trace = rng.choice(("r.csv", "r.parquet")), rng.choice(("cluster", "disorder"))
    commands = {
        "golden": [query, "--input", data, "-o", rows],
        "simulate": [query, "--input", data, "--rows", rows],
        "generate": [query, "-o", "made", "--no-bench"],
        "report": [query],
        "trace": [trace, "--tuples", "9", "-o", rng.choice(("t.csv", "t.csv.gz"))],
        "demo": [query, "--input", data, "-o", "made"],
        "engines": rng.choice(([], ["--json"])),
    }  # fmt: skip
    name = rng.choice([*commands, "golden", "golden", "golden", "simulate", "generate"])
    return [name, *commands[name]]


def _spoil_arguments(rng, case):
    """Drops, doubles, swaps or adds an argument."""
    arguments = case.arguments
    at = rng.randrange(len(arguments))
    kind = rng.randrange(4)
    if kind == 0:
        del arguments[at]
    elif kind == 1:
        arguments.insert(at, arguments[at])
    elif kind == 2:
        other = rng.randrange(len(arguments))
        arguments[at], arguments[other] = arguments[other], arguments[at]
    else:
        arguments.insert(at, rng.choice((*PATHS, *NUMBERS, *CHOICES, "--jsn", "-x", "--json=1")))
    if not arguments:
        arguments.append("")


def _spoil_option(rng, case):
    """An option more, with a value that may be of any kind."""
    known_names = OPTIONS.get(case.arguments[0], ())
    option = rng.choice(known_names or ("--json", "--lanes"))
    value = rng.choice((*NUMBERS, *CHOICES, *PATHS) if rng.random() < 0.5 else NUMBERS)
    if option == "--set" and rng.random() < 0.9:
        value = f"{rng.choice(SETTINGS)}={value}"
    case.arguments += [option, value]


def _spoil_path(rng, case):
    names = re.compile(r".*\.(csv|parquet|cql|toml|gz)|made")
    places = [k for k, argument in enumerate(case.arguments) if names.fullmatch(argument)]
    if places:
        case.arguments[rng.choice(places)] = rng.choice(PATHS)


def _spoil_text(rng, case):
    """A word or number of the query, the design point or the data, replaced, removed or added."""
    name = rng.choice(("q.cql", "q.cql", "p.toml", "d.csv"))
    pieces = re.split(
        r"([A-Za-z_]+|[-+.0-9]+|[^\sA-Za-z_0-9])", case.files[name].decode(errors="replace")
    )
    at = rng.randrange(len(pieces))
    new = rng.choice((*NUMBERS, *WORDS))
    pieces[at] = rng.choice((new, "", pieces[at] + new, pieces[at] * 2))
    case.files[name] = "".join(pieces).encode(errors="replace")


def _spoil_data(rng, case):
    """Replaces a field of the data, or a separator, by another number or word."""
    pieces = re.split(r"([,\n])", case.files["d.csv"].decode(errors="replace"))
    pieces[rng.randrange(len(pieces))] = rng.choice((*NUMBERS, *WORDS))
    case.files["d.csv"] = "".join(pieces).encode(errors="replace")


def _spoil_file(rng, case):
    """Bytes of any file, replaced, removed or added."""
    name = rng.choice(sorted(case.files))
    data = bytearray(case.files[name])
    for _ in range(rng.choice((1, 1, 2, 8))):
        at, kind = rng.randrange(len(data) + 1), rng.randrange(4)
        if kind == 0:
            data[at:at] = rng.choice(BYTES)
        elif kind == 1:
            del data[at : at + rng.choice((1, 4, 1000))]
        elif kind == 2:
            data[at : at + 1] = bytes([rng.randrange(256)])
        else:
            del data[max(0, at - len(data) // 4) :]
    case.files[name] = bytes(data)

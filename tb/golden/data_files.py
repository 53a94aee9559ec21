"""Provides small data files and traces for the tests of readers."""

import gzip
from pathlib import Path

import pytest

from golden.readers import read
from query.errors import UserError
from query.parser import parse
from tb.golden.made_traces import made_trace

ROOT = Path(__file__).parents[2]
#: Folder of the published traces, which the project may not ship.
DATA = ROOT.parent / "shared" / "data"
#: Folder of made traces, which replace the published ones.
MADE_TRACES = ROOT / ".cache" / "made-traces"
QUERY = parse(
    "CREATE INPUT STREAM S (time uint(64), job uint(32), cpu fixed(8,24), name string(3));"
    "SELECT job, sum(cpu) FROM S WHERE name != 'no' GROUP BY job;"
)


def file(tmp_path, text, name="data.csv"):
    path = tmp_path / name
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return path


def shared(name):
    """Returns the path of a published trace, or of a made trace of its shape if it is missing."""
    path = DATA / name
    return path if path.exists() else made_trace(name, MADE_TRACES)


def unpacked(path):
    return gzip.decompress(path.read_bytes()).decode().splitlines()


def refused(path, query=QUERY, format=None):
    with pytest.raises(UserError) as caught:
        read(path, query, format)
    message = str(caught.value)
    assert "\n" not in message
    return message.removeprefix(f"{path}:")


def query_of(*columns):
    """Returns a query that uses all the columns; the first column is the key."""
    key = columns[0].split()[0]
    conditions = " AND ".join(f"{column.split()[0]} >= 0" for column in columns)
    return parse(
        f"CREATE INPUT STREAM S ({', '.join(columns)});"
        f"SELECT {key}, count(*) FROM S WHERE {conditions} GROUP BY {key};"
    )

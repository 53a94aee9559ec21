"""Small data files for the tests of readers, and what a reader says of them."""

import gzip
from pathlib import Path

import pytest

from golden.readers import read
from query.errors import UserError
from query.parser import parse
from tb.golden.made_traces import made_trace

ROOT = Path(__file__).parents[2]
#: Where published traces lie, which the project may not ship; and made ones in their place.
DATA, MADE = ROOT.parent / "shared" / "data", ROOT / ".cache" / "made-traces"
QUERY = parse(
    "CREATE INPUT STREAM S (time uint(64), job uint(32), cpu fixed(8,24), name string(3));"
    "SELECT job, sum(cpu) FROM S WHERE name != 'no' GROUP BY job;"
)


def file(tmp_path, text, name="data.csv"):
    path = tmp_path / name
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return path


def shared(name):
    """Returns the path of a published trace; where it is not at hand, that of one in its shape."""
    path = DATA / name
    return path if path.exists() else made_trace(name, MADE)


def unpacked(path):
    return gzip.decompress(path.read_bytes()).decode().splitlines()


def refused(path, query=QUERY, format=None):
    with pytest.raises(UserError) as caught:
        read(path, query, format)
    message = str(caught.value)
    assert "\n" not in message
    return message.removeprefix(f"{path}:")


def query_of(*columns):
    """A query that uses all the columns, of which the first is the key."""
    key = columns[0].split()[0]
    where = " AND ".join(f"{column.split()[0]} >= 0" for column in columns)
    return parse(
        f"CREATE INPUT STREAM S ({', '.join(columns)});"
        f"SELECT {key}, count(*) FROM S WHERE {where} GROUP BY {key};"
    )

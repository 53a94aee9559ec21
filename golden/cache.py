"""Answers kept by the hash of all that they depend on."""

import hashlib
import json
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

import golden
import query as query_package
from golden.answer import Answer, full_answer
from golden.lives import Evictions
from golden.rows import replacing
from golden.session import session
from golden.tuples import Tuples
from query.errors import UserError
from query.query import Query

_FACTS = b"sluice"  # what a kept file says beside its rows, in the metadata of its schema


def cached_answer(
    query: Query,
    tuples: Tuples,
    master: str = "local[*]",
    directory=".cache/golden",
    start: int | None = None,
    evictions: Evictions | None = None,
    codec=None,
) -> Answer:
    """`golden.answer.full_answer`, computed on ``master`` the first time and read back afterwards.

    A kept answer is found by the text of the query, the tuples, the parameters, and the
    sources of golden and query themselves; without it no Spark session is started. ``directory``
    is made when it is missing; answers from many processes can share it.
    """
    kept = Path(directory) / f"{key(query, tuples, start, evictions, codec)}.parquet"
    if not kept.exists():
        _keep(full_answer(query, session(master), tuples, start, evictions, codec), kept)
    table = pq.read_table(kept)
    facts = json.loads(table.schema.metadata[_FACTS])
    return Answer(rows=table.replace_schema_metadata(None), **facts)


def _keep(found, path):
    facts = json.dumps({"start": found.start, "late": found.late})
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        message = f"no directory for results can be made: {error.strerror}"
        raise UserError(message, file=path.parent) from None
    with replacing(path) as scratch:
        pq.write_table(found.rows.replace_schema_metadata({_FACTS: facts}), scratch)


def key(
    query: Query,
    tuples: Tuples,
    start: int | None = None,
    evictions: Evictions | None = None,
    codec=None,
) -> str:
    """The hash by which an answer is kept."""
    digest = hashlib.sha256(f"{query.schema}\n{query}\n{start}\n{codec}\n{_sources()}\n".encode())
    _digest_table(digest, tuples.table.select([column.name for column in query.columns]))
    if evictions:
        _digest_table(digest, evictions.table)
    return digest.hexdigest()


def _digest_table(digest, table):
    columns = table.combine_chunks()
    digest.update(str(columns.num_rows).encode())
    with pa.ipc.new_stream(_Sink(digest), columns.schema) as stream:
        stream.write_table(columns, max_chunksize=1 << 16)


def _sources():
    """The hash of the Python sources of golden and query: a changed meaning is a new key."""
    digest = hashlib.sha256()
    for package in (golden, query_package):
        root = Path(package.__file__).parent
        for path in sorted(root.rglob("*.py")):
            digest.update(path.relative_to(root).as_posix().encode())
            digest.update(path.read_bytes())
    return digest.hexdigest()


class _Sink:
    """A file whose writes go into a digest."""

    closed = False

    def __init__(self, digest):
        self._digest = digest

    def write(self, data):
        self._digest.update(data)
        return len(data)

    def flush(self):
        """Nothing is held back."""

    def close(self):
        self.closed = True

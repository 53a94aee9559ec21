"""Stores golden answers in the cache, by the hash of all their inputs."""

import hashlib
import json
from importlib.metadata import version
from pathlib import Path

import pyarrow.parquet as pq

import golden
import query as query_package
from caching.entries import build_once
from caching.place import default_folder
from golden.answer import Answer, full_answer
from golden.codecs.sz import AnySz
from golden.plans.lives import Evictions
from golden.spark.session import same_active_session, session
from golden.tuples import Tuples
from query.query import Query

ROWS = "rows.parquet"
_FACTS = b"sluice"  # key of the start and the late count in the metadata of the file's schema


def cached_answer(
    query: Query,
    tuples: Tuples,
    master: str = "local[*]",
    directory: str | Path | None = None,
    start: int | None = None,
    evictions: Evictions | None = None,
    codec: AnySz | None = None,
) -> Answer:
    """Returns `golden.answer.full_answer`, computed on ``master`` only if the cache has no answer.

    The key of an answer covers the texts of schema and query, the columns that the query uses, the
    start, the evictions, the codec, the sources of golden and query, and the versions of PySpark,
    PyArrow and NumPy. A Spark session starts only if
    the cache holds no answer for the key. ``directory`` is made if it is missing; None selects
    ``golden`` in the user's cache. Several processes can share the directory.
    """

    def build(entry):
        with same_active_session():
            computed = full_answer(query, session(master), tuples, start, evictions, codec)
        facts = json.dumps({"start": computed.start, "late": computed.late})
        pq.write_table(computed.rows.replace_schema_metadata({_FACTS: facts}), entry / ROWS)

    folder = default_folder() / "golden" if directory is None else directory
    entry = build_once(folder, key(query, tuples, start, evictions, codec), build)
    table = pq.read_table(entry / ROWS)
    facts = json.loads(table.schema.metadata[_FACTS])
    return Answer(rows=table.replace_schema_metadata(None), **facts)


def key(
    query: Query,
    tuples: Tuples,
    start: int | None = None,
    evictions: Evictions | None = None,
    codec: AnySz | None = None,
) -> str:
    """Returns the key of an answer in the cache: a hash of all inputs."""
    digest = hashlib.sha256(f"{query.schema}\n{query}\n{start}\n{codec}\n{_sources()}\n".encode())
    _digest_table(digest, tuples.table.select([column.name for column in query.columns]))
    if evictions:
        _digest_table(digest, evictions.table)
    return digest.hexdigest()


def _digest_table(digest, table):
    columns = table.combine_chunks()
    digest.update(str(columns.num_rows).encode())
    digest.update(columns.schema.serialize())
    for batch in columns.to_batches(max_chunksize=1 << 16):
        digest.update(batch.serialize())


def _sources():
    """Returns the hash of the code that computes rows: any other code changes every key.

    The code is the Python sources of golden and query, and the libraries by their versions.
    """
    versions = [f"{library} {version(library)}\n" for library in ("pyspark", "pyarrow", "numpy")]
    digest = hashlib.sha256("".join(versions).encode())
    for package in (golden, query_package):
        root = Path(package.__file__).parent
        for path in sorted(root.rglob("*.py")):
            digest.update(path.relative_to(root).as_posix().encode())
            digest.update(path.read_bytes())
    return digest.hexdigest()

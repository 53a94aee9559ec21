"""Keeps the rows that a Spark job computes for a bench, as Parquet files found by their content."""

import inspect
import json
from pathlib import Path

from caching.entries import build_once, content_key
from caching.place import default_folder
from golden.session import session
from tb.cocotb.support import stimulus


def rows_directory(job, point):
    """Returns the directory with ``<name>.parquet`` for each DataFrame that ``job`` returns.

    Parameters
    ----------
    job : callable
        ``job(spark, point)`` returns a mapping of a name to a DataFrame with a column ``position``,
        by which the bench sorts the rows.
    point : dict
        Settings of the block.
    """
    sources = [Path(inspect.getsourcefile(part)).read_bytes() for part in (job, stimulus)]
    key = content_key(json.dumps(point, sort_keys=True), *sources, Path(__file__).read_bytes())

    def build(directory):
        spark = session("local[2]")
        for name, frame in job(spark, point).items():
            _write(frame, directory / f"{name}.parquet")

    return build_once(Path(default_folder()) / "cocotb-rows", key, build)


def _write(frame, path):
    """Writes a DataFrame as one Parquet file."""
    import pyarrow.parquet as parquet

    parquet.write_table(frame.toArrow(), path)

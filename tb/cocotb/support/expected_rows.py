"""Keeps the rows that a Spark job computes for a bench, as Parquet files found by their content."""

import inspect
import json
import warnings
from functools import cache
from pathlib import Path

from caching.entries import build_once, content_key
from caching.place import default_folder
from golden.spark.session import session
from tb.day import ROOT


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
    module = inspect.getsourcefile(job)
    key = content_key(json.dumps(point, sort_keys=True), module, job.__name__, *_sources())

    def build(directory):
        spark = session("local[2]")
        with warnings.catch_warnings():  # PySpark warns of a newer pandas, which is not used here
            warnings.filterwarnings("ignore", "PySpark does not yet fully support", FutureWarning)
            warnings.filterwarnings("ignore", "Cannot infer the eval type", UserWarning)
            for name, frame in job(spark, point).items():
                _write(frame, directory / f"{name}.parquet")

    return build_once(Path(default_folder()) / "cocotb-rows", key, build)


@cache
def _sources():
    """Returns the texts of all files that a job may use."""
    folders = [ROOT / "query", ROOT / "golden", ROOT / "tb" / "golden", ROOT / "tb" / "cocotb"]
    files = [file for folder in folders for file in sorted(folder.rglob("*.py"))]
    return [part for file in files for part in (str(file), file.read_bytes())]


def _write(frame, path):
    """Writes a DataFrame as one Parquet file."""
    import pyarrow.parquet as parquet

    parquet.write_table(frame.toArrow(), path)

"""Keeps the rows that a Spark job computes for a bench, as Parquet files found by their content."""

import inspect
import json
import warnings
from pathlib import Path

from caching.entries import build_once, content_key
from caching.place import default_folder
from golden.session import session


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
    sources = [Path(file).read_bytes() for file in sorted(_files(inspect.getmodule(job)))]
    key = content_key(json.dumps(point, sort_keys=True), *sources, Path(__file__).read_bytes())

    def build(directory):
        spark = session("local[2]")
        with warnings.catch_warnings():  # PySpark warns of a newer pandas, which is not used here
            warnings.filterwarnings("ignore", "PySpark does not yet fully support", FutureWarning)
            warnings.filterwarnings("ignore", "Cannot infer the eval type", UserWarning)
            for name, frame in job(spark, point).items():
                _write(frame, directory / f"{name}.parquet")

    return build_once(Path(default_folder()) / "cocotb-rows", key, build)


def _files(module, seen=None):
    """Returns the source files of a module, and of all modules of golden and tb that it names."""
    seen = set() if seen is None else seen
    seen.add(inspect.getsourcefile(module))
    for value in vars(module).values():
        other = inspect.getmodule(value)
        is_own = other is not None and other.__name__.startswith(("golden.", "tb."))
        if is_own and inspect.getsourcefile(other) not in seen:
            _files(other, seen)
    return seen


def _write(frame, path):
    """Writes a DataFrame as one Parquet file."""
    import pyarrow.parquet as parquet

    parquet.write_table(frame.toArrow(), path)

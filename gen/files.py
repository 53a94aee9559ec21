"""Where files can be written to."""

from pathlib import Path

from query.errors import UserError


def check_rows_file(path):
    """Raises UserError when rows could not be written to ``path``: before the work is done."""
    path = Path(path)
    if path.suffix not in (".csv", ".parquet"):
        raise UserError("rows must go to a .csv or .parquet file", file=path)
    if not path.parent.is_dir():
        raise UserError("cannot be written: there is no such folder", file=path)

"""Where files can be written to."""

from gen.paths import check_output


def check_rows_file(path, reads=()):
    """Raises UserError when rows could not be written to ``path``: before the work is done.

    ``reads`` are the files that the command reads.
    """
    check_output(path, (".csv", ".parquet"), "rows", reads)

"""Where files can be written to."""

from pathlib import Path

from gen.paths import check_output
from query.errors import UserError


def check_rows_file(path, reads=()):
    """Raises UserError when rows could not be written to ``path``: before the work is done.

    ``reads`` are the files that the command reads.
    """
    check_output(path, (".csv", ".parquet"), "rows", reads)


def check_evicted_file(path, others=()):
    """Raises UserError when keys that were thrown out could not be written to ``path``.

    ``others`` are the files that the command reads, or writes rows to.
    """
    check_output(path, (".csv", ".parquet"), "keys that were thrown out", others)
    if any(Path(path).absolute() == Path(other).absolute() for other in others):
        raise UserError("cannot be written: the command has another file there", file=path)


def check_pcap_file(path, others=()):
    """Raises UserError when frames could not be written to ``path``, like `check_evicted_file`."""
    check_output(path, (".pcap",), "frames", others)
    if any(Path(path).absolute() == Path(other).absolute() for other in others):
        raise UserError("cannot be written: the command has another file there", file=path)

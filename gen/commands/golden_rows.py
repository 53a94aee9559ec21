"""Computes golden's rows for the data of a command, and shows the progress."""

from pathlib import Path
from typing import Any

from gen.design.first_window import start_of
from gen.files.output_files import Outputs
from gen.jobs.expected_rows import expect
from gen.terminal.console import Output
from gen.text.known_names import known
from golden.answer import Answer
from golden.plans.lives import Evictions
from golden.readers import FORMATS, read
from golden.tuples import Tuples
from query.query import Query


def golden_rows(
    out: Output,
    query: Query,
    data: Path,
    format: str | None,
    master: str,
    cache: Path,
    start: str | None = None,
    evictions: Evictions | None = None,
    codec: Any = None,
    outputs: Outputs | None = None,
    rows: Path | None = None,
) -> tuple[Tuples, Answer]:
    """Returns the tuples of a file and golden's answer for them, with progress on ``out``.

    Parameters
    ----------
    start : str or None
        The text of ``--start``.
    evictions : Evictions or None
        Keys that the hardware has evicted.
    codec
        The model of a lossy codec, or None.
    outputs : gen.files.output_files.Outputs or None
        The files that the command writes. The file of ids, which depends on the data, is added
        before golden begins to compute.
    rows : path-like or None
        Where rows will be written.
    """
    if format is not None:
        known("format", format, FORMATS)
    begin, warning = start_of(query, start)
    if warning is not None:
        out.warn(warning)
    with out.step(f"reading {data}"):
        tuples = read(data, query, format)
    if outputs is not None and rows is not None:
        outputs.add_originals(rows, query, tuples.mappings)
    with out.step(f"golden rows of {len(tuples):,} tuples, by PySpark", mute=True):
        return tuples, expect(query, tuples, master, cache, begin, evictions, codec)


def ids_line(query: Query, path: Path) -> str:
    """Returns the line that announces the file of the key's ids."""
    return f"ids of {query.key.name} and their originals: {path}"

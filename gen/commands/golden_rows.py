"""Computes golden's rows for the data of a command, and shows the progress."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

from gen.commands.arguments import known
from gen.design.first_window import start_of
from gen.files.output_files import Outputs
from gen.terminal.console import Output
from golden.answer import Answer
from golden.cache import cached_answer
from golden.lives import Evictions
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


def expect(
    query: Query,
    tuples: Tuples,
    master: str,
    cache: Path,
    start: int | None = None,
    evictions: Evictions | None = None,
    codec: Any = None,
) -> Answer:
    """Returns golden's answer, which is computed once for each content."""
    directory = Path(cache) / "golden"
    return cached_answer(query, tuples, master, directory, start, evictions, codec)


def golden_again(
    out: Output,
    query: Query,
    tuples: Tuples,
    expected: Answer,
    master: str,
    cache: Path,
    codec: Any = None,
) -> Callable[[Evictions], Answer]:
    """Returns a function from evictions to golden's answer for these evictions.

    ``expected`` is the answer without evictions.
    """

    def again(evictions):
        subject = f"golden rows of {len(tuples):,} tuples, {len(evictions):,} keys evicted"
        with out.step(f"{subject}, by PySpark", mute=True):
            return expect(query, tuples, master, cache, expected.start, evictions, codec)

    return again

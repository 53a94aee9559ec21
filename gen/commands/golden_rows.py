"""Golden's rows for the data of a command, with progress for the user."""

from pathlib import Path

from gen.commands.arguments import known
from gen.design.first_window import start_of
from golden.cache import cached_answer
from golden.readers import FORMATS, read


def golden_rows(
    out,
    query,
    data,
    format,
    master,
    cache,
    start=None,
    evictions=None,
    codec=None,
    outputs=None,
    rows=None,
):
    """Returns the tuples of a file and golden's answer for them, with progress on ``out``.

    Parameters
    ----------
    start : str or None
        The text of ``--start``.
    evictions : Evictions or None
        The keys that were thrown out on the way.
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


def ids_line(query, path):
    """The line that announces the file of the key's ids."""
    return f"ids of {query.key.name} and their originals: {path}"


def expect(query, tuples, master, cache, start=None, evictions=None, codec=None):
    """Golden's answer, computed once for each content."""
    directory = Path(cache) / "golden"
    return cached_answer(query, tuples, master, directory, start, evictions, codec)


def golden_again(out, query, tuples, expected, master, cache, codec=None):
    """The function from evictions to golden's answer for them, of which ``expected`` had none."""

    def again(evictions):
        what = f"golden rows of {len(tuples):,} tuples, {len(evictions):,} keys thrown out"
        with out.step(f"{what}, by PySpark", mute=True):
            return expect(query, tuples, master, cache, expected.start, evictions, codec)

    return again

"""Makes or reads the tuples of a generated bench in cocotb, and computes the rows by PySpark."""

from pathlib import Path

from pyspark.errors import PySparkException

from gen.cocotb_bench.bench_files import BenchError, bench_files
from gen.cocotb_bench.made_tuples import made_tuples
from gen.design.build import Build
from gen.jobs.expected_rows import expect
from gen.jobs.progress import Progress
from gen.text.known_names import known
from golden.readers import FORMATS, read
from golden.tuples import Tuples
from query.errors import UserError


def files_of_bench(
    out: Progress,
    build: Build,
    path: Path | None,
    format: str | None,
    count: int | None,
    master: str,
    cache: Path,
) -> dict[str, str] | None:
    """Returns the texts of the bench's files by their paths, with progress on ``out``.

    If the design can have no bench, the function warns of the reason and returns None. With
    ``path`` or ``count``, or if a file is at fault, it raises UserError instead. It also warns of a
    bench without a row, which checks little.

    Parameters
    ----------
    path : Path or None
        A file with tuples; None makes tuples.
    format : str or None
        Layout of ``path``, a name of `golden.readers.FORMATS`; None follows the file's name.
    count : int or None
        Number of tuples that are made; None chooses the number by the windows of the query.
    master : str
        Spark master. Spark starts only if the cache has no rows for these tuples.
    cache : Path
        Directory of the cache.
    """
    tuples = _tuples(out, build, path, format, count)
    row_counts = []

    def golden(query, tuples, start, codec):
        answer = expect(query, tuples, master, cache, start, codec=codec)
        row_counts.append(answer.rows.num_rows)
        return answer

    try:
        with out.step(f"rows of the bench for {len(tuples):,} tuples, by PySpark", mute=True):
            files = bench_files(build, tuples, golden)
        if not any(row_counts):
            out.warn(
                f"the bench in cocotb expects no row of its {len(tuples):,} tuples: give it more "
                "with --tuple-count, or your own with --tuples"
            )
        return files
    except (BenchError, UserError, PySparkException) as error:
        if isinstance(error, UserError) and error.file is not None:
            raise  # a file is at fault, such as one of the cache: the command cannot go on
        problem = f"there is no bench in cocotb: {str(error).splitlines()[0]}"
        if path is not None or count is not None:
            raise UserError(problem) from None
        out.warn(problem)
        return None


def _tuples(
    out: Progress, build: Build, path: Path | None, format: str | None, count: int | None
) -> Tuples:
    """Returns the tuples of a file, or made tuples.

    Raises UserError for arguments that exclude each other, and for a file that cannot be read.
    """
    if path is None:
        if format is not None:
            raise UserError("--format is the layout of --tuples, which is not given")
        return made_tuples(build.design, count)
    if count is not None:
        raise UserError("--tuple-count is the number of tuples that are made: not with --tuples")
    if format is not None:
        known("format", format, FORMATS)
    with out.step(f"reading {path}"):
        return read(path, build.query, format)

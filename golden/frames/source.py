"""Reads files into a frame of tuples, by Spark: a file, a directory, or a pattern of names.

Parquet and ORC bring their own types. CSV and JSON lines are read as texts: no number passes
through binary floating point on its way to fixed point. Traces have readers of their own
(`golden.readers`).
"""

from collections.abc import Sequence
from glob import glob, has_magic
from pathlib import Path
from urllib.parse import unquote

import pyarrow as pa
import pyarrow.dataset as ds
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as fn
from pyspark.sql.types import StringType, StructField, StructType

from golden.frames.csv_files import csv_frame
from query.errors import UserError, refuse_special_file
from query.query import Query

FORMATS = ("csv", "json", "orc", "parquet")
_SUFFIXES = {
    ".csv": "csv", ".json": "json", ".jsonl": "json", ".ndjson": "json", ".orc": "orc",
    ".parquet": "parquet", ".pq": "parquet",
}  # fmt: skip
#: Suffixes by which Spark unpacks files of texts. Its LZ4 and Snappy are no formats of other
#: programs, and it takes a file that it cannot unpack for an empty file.
_PACKED = (".bz2", ".deflate", ".lz4", ".snappy", ".zst")
_SPECIAL = str.maketrans({char: f"\\{char}" for char in "\\*?[]{}"})
#: An escape of half a surrogate pair without the other half; an escaped backslash begins none.
_HIGH, _LOW = r"\\u[dD][89abAB][0-9a-fA-F]{2}", r"\\u[dD][c-fC-F][0-9a-fA-F]{2}"
_LONE_SURROGATE = rf"(?<!\\)(?:\\\\)*+(?:{_HIGH}(?!{_LOW})|(?<!{_HIGH}){_LOW})"


def files_of(path: Path) -> list[Path]:
    """Returns the data files of ``path``, in order of their paths.

    ``path`` is a file, a directory with files at any depth, or a pattern with ``*``, ``?`` or
    ``[...]``. In a directory or by a pattern, names that begin with ``_`` or ``.`` are no data, as
    for Spark. Symbolic links are followed.

    Raises UserError if no file matches, for ``**``, which has several meanings, and for a directory
    with an entry that cannot be read, so that no data are left out silently.
    """
    try:
        exists = path.exists()
        if not exists and "**" in path.parts:
            message = "a pattern must not have **; a directory is read at any depth"
            raise UserError(message, file=path)
        places = [path] if exists else [Path(name) for name in glob(str(path))]
        data = [place for place in places if exists or not _is_hidden(place)]
        files = [file for place in data for file in _below(place)]
    except OSError as error:
        raise UserError(f"cannot be read: {error.strerror}", file=error.filename) from None
    if not files:
        message = "the directory has no data" if exists else "there is no such file"
        hidden = ", but names that begin with _ or ., which are no data"
        hidden = hidden if len(data) < len(places) else ""
        raise UserError(message if exists else message + hidden, file=path)
    return sorted(files)


def _below(place, above=()):
    """Returns the data files at a place: the file itself, or those of a directory at any depth.

    ``above`` has the directories that contain the place, without links.
    """
    refuse_special_file(place)
    if not place.is_dir():
        if place.is_symlink() and not place.exists():
            raise UserError("cannot be read: it is a link to a place without a file", file=place)
        return [place]
    real = place.resolve()
    if real in above:
        raise UserError("cannot be read: links lead in a circle", file=place)
    data = sorted(entry for entry in place.iterdir() if not _is_hidden(entry))
    return [file for entry in data for file in _below(entry, (*above, real))]


def spark_places(files: Sequence[Path]) -> list[str]:
    """Returns the addresses by which Spark reads files of this machine, without any pattern.

    Raises UserError for a file that Spark would silently take for no data.
    """
    for file in files:
        if _is_hidden(file):
            message = "Spark reads no file whose name begins with _ or .; give it another name"
            raise UserError(message, file=file)
        refuse_other_encodings(file)
        if ":" in file.name:
            message = "Spark reads no file whose name has a colon; give it another name"
            raise UserError(message, file=file)
    return [f"file://{str(file.absolute()).translate(_SPECIAL)}" for file in files]


def refuse_other_encodings(file: Path) -> None:
    """Raises UserError if the path is not UTF-8, because Spark cannot open the file."""
    try:
        str(file.absolute()).encode()
    except UnicodeEncodeError:
        message = "Spark reads no file whose path is not UTF-8; give it another name"
        raise UserError(message, file=ascii(str(file))) from None


def is_plural(path: Path) -> bool:
    """Returns True if ``path`` is a directory or a pattern, and no file."""
    try:
        return path.is_dir() or (has_magic(str(path)) and not path.exists())
    except OSError:  # a name that no file can have: the reader of a file says so
        return False


def has_format(path: Path) -> bool:
    """Returns True if the suffix of ``path`` names a format for Spark."""
    return format_of(path) is not None


def format_of(path: Path) -> str | None:
    """Returns the format for Spark that the suffix of ``path`` names, or None."""
    return _SUFFIXES.get(_suffix(path))


def _common_format(files, path):
    """Returns the format that the suffix of all files names; raises UserError otherwise."""
    formats = {format_of(file) for file in files}
    [first, *others] = sorted(str(name) for name in formats)
    if others or None in formats:
        listed = ", ".join(sorted({_suffix(file) or "none" for file in files}))
        message = (
            f"the files have several formats: their suffixes are {listed}"
            if None not in formats
            else f"the format must be named by --format ({', '.join(FORMATS)}), for suffix {listed}"
        )
        raise UserError(message, file=path)
    return first


def frame_of(
    spark: SparkSession,
    path: Path,
    query: Query,
    format: str | None = None,
    order: str | None = None,
) -> DataFrame:
    """Returns the tuples in the files of ``path``, with at least the columns of the schema.

    If ``order`` names another column, JSON lines have this column, too; the other formats have all
    columns of the files.

    Raises
    ------
    UserError
        For a missing file, a file that Spark cannot or does not read, and for files with different
        types of a column.
    """
    files = files_of(path)
    refuse_packed(files, format)
    format = format or _common_format(files, path)
    places = spark_places(files)
    reader = spark.read
    if format == "csv":
        return csv_frame(spark, files, places, query, order)
    if format == "json":
        names_of_texts = dict.fromkeys([*query.schema.names, *([order] if order else [])])
        texts = [StructField(name, StringType()) for name in names_of_texts]
        _check_json_lines(spark.read.text(places))
        return reader.schema(StructType(texts)).option("mode", "FAILFAST").json(places)
    _check_schemas(files, format, query, order)
    return reader.format(format).load(places)


def refuse_packed(files: Sequence[Path], format: str | None) -> None:
    """Raises UserError for a packed file of CSV or JSON lines; gzip is allowed."""
    for file in files if format not in ("orc", "parquet") else ():
        if file.suffix.lower() in _PACKED:
            message = f"a file of texts must not be packed as {file.suffix}: unpack it, or gzip it"
            raise UserError(message, file=file)


def _is_unknown_to_spark(kind):
    """Returns True for a type with which Spark reads no column of the file, not even others."""
    return pa.types.is_time(kind) or (pa.types.is_decimal(kind) and kind.precision > 38)


def _is_plain_in_spark(kind):
    """Returns True for types of times for which Spark gives plain integers."""
    is_nanoseconds = pa.types.is_timestamp(kind) and kind.unit == "ns"
    return is_nanoseconds or pa.types.is_duration(kind)


def _check_json_lines(lines):
    """Raises UserError for a line that Spark would not read as the one JSON record that it is.

    Lines of blanks are allowed. Spark reads only the first record of a line, and takes each element
    of a list as a record. To count the records, the line is put into two lists, ``[line]`` and
    ``[line,0]``: they have 1 and 2 elements only if the line is one record. Refused are also equal
    names in a record, of which Spark takes the last, and half of a surrogate pair.
    """
    line, keys = fn.col("value"), fn.json_object_keys(fn.col("value"))

    def has_elements(count, end):
        elements = fn.from_json(fn.concat(fn.lit("["), line, fn.lit(end)), "array<string>")
        return fn.coalesce(fn.size(elements), fn.lit(0)) == count

    is_record = has_elements(1, "]") & has_elements(2, ",0]") & line.rlike(r"^[ \t\r]*\{")
    fault = (
        fn.when(~is_record, "a line is not one JSON record")
        .when(fn.size(keys) != fn.size(fn.array_distinct(keys)), "a line has a name twice")
        .when(line.rlike(_LONE_SURROGATE), "a line has half of a surrogate pair")
    )
    wrong = lines.filter(~line.rlike(r"^[ \t\r]*$")).select(
        fn.input_file_name(), fault.alias("fault"), fn.substring(line, 1, 60)
    )
    for place, message, beginning in wrong.filter(fn.col("fault").isNotNull()).take(1):
        file = Path(unquote(place.removeprefix("file://")))
        raise UserError(f"{message}: {beginning}", file=file)


def _check_schemas(files, format, query, order):
    """Raises UserError unless Spark can read all files, with the same types of the columns."""
    first: dict[str, pa.DataType] = {}
    for file in files:
        if file.suffix.lower() == ".gz":
            raise UserError(f"Spark reads no gzipped file of {format}; unpack it", file=file)
        try:
            schema = ds.dataset(file, format=format).schema
        except (pa.ArrowInvalid, OSError) as error:
            reason = str(error).splitlines()[0]
            raise UserError(f"cannot be read as {format}: {reason}", file=file) from None
        for field in schema:
            if _is_unknown_to_spark(field.type):
                message = f"{field.name}: Spark reads no file with a column of type {field.type}"
                raise UserError(message, file=file)
        names = dict.fromkeys(query.schema.names)
        if order in schema.names or order in first:  # `order_column` refuses it if none has it
            names[order] = None
        for name in names:
            if name not in schema.names:
                listed = ", ".join(schema.names) or "none"
                raise UserError(f"there is no column {name}, only: {listed}", file=file)
            kind = schema.field(name).type
            if name in query.schema and _is_plain_in_spark(kind):
                expected = query.schema[name].type
                raise UserError(f"{name}: a {kind} is no value for {expected}", file=file)
            if _in_spark(first.setdefault(name, kind)) != _in_spark(kind):
                message = f"{name} is {kind}, and {first[name]} in {files[0]}: all files of a "
                raise UserError(f"{message}stream must have the same columns", file=file)


def _in_spark(kind):
    """Returns Spark's type of a column: all Arrow layouts of a text are one type in Spark."""
    if pa.types.is_dictionary(kind):
        kind = kind.value_type
    is_text = pa.types.is_large_string(kind) or pa.types.is_string_view(kind)
    return pa.string() if is_text else kind


def _suffix(file):
    plain = file.with_suffix("") if file.suffix == ".gz" else file
    return plain.suffix.lower()


def _is_hidden(path):
    return path.name[:1] in ("_", ".")

"""Reads CSV files into a frame of texts, by Spark, in the dialect of golden's own reader.

Spark reads a large file in several tasks, each from one line to another. So no value of such a file
may have a line break. A first job counts the quotes of each line to find such values:

    k,name          0 quotes
    1,"a, b"        2 quotes    the record ends with the line
    2,"c            1 quote     a line break in quotes: one task must read the whole file
    d"              1 quote

The same job refuses what Spark would silently skip, replace or read in its own way: lines of
blanks, text that is not UTF-8, and text behind a closing quote.
"""

import re
import zlib
from functools import partial
from pathlib import Path
from urllib.parse import unquote

from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as fn
from pyspark.sql.types import StringType, StructField, StructType

from golden.readers import delimited
from query.errors import UserError, refuse_special_file
from query.query import Query

_HEADER = 1 << 16  # bytes of a file in which the line of names must end
_CHECKED = 1 << 26  # bytes of a file with line breaks, in which text behind a quote is found
_LINE_END = re.compile(rb"[\r\n]")
#: Fields, then a value in quotes with text behind it; no repetition gives back a match.
_AFTER_QUOTE = r'^(?:(?:"(?:[^"]++|"")*+"|[^",][^,]*+)?+,)*+"(?:[^"]++|"")*+"[^,\r]'
_NOT_BLANK = r"[^\x00-\x20]"  # Spark skips a line without such a character, as Java's trim does


def csv_frame(
    spark: SparkSession,
    files: list[Path],
    places: list[str],
    query: Query,
    order: str | None = None,
) -> DataFrame:
    """Returns the columns of CSV files as texts; an empty field is an empty text.

    ``files`` are at the ``places`` that Spark reads. The first line of each file has the names of
    the columns, which must be the same in all files. A name that several columns have becomes #
    and the number of the column, or ## if other names begin with #, and so on. So no other
    column may have the name of the column ``order``.

    Raises
    ------
    UserError
        For a file that cannot be read, for a column of the schema that a file lacks or has twice,
        for two columns with the name ``order``, for different names in two files, for a first line
        that is too long, and for lines that `_check_lines` refuses. A record with another number of
        fields is an error of the Spark job that reads it.
    """
    names = _names(files, query)
    if order is not None and names.count(order) > 1:
        message = f"order: there is more than one column {order}; rename one"
        raise UserError(message, file=files[0])
    prefix = "#"
    while any(name.startswith(prefix) for name in names):
        prefix += "#"
    fields = [
        StructField(name if names.count(name) == 1 else f"{prefix}{number}", StringType())
        for number, name in enumerate(names)
    ]
    files_of_places = {f"file://{file.absolute()}": file for file in files}
    has_breaks = _check_lines(spark.read.text(places), files_of_places)
    reader = spark.read.schema(StructType(fields))
    options = {"header": "true", "escape": '"', "mode": "FAILFAST", "columnPruning": "false"}
    texts = reader.options(**options, multiLine=str(has_breaks).lower()).csv(places)
    return texts.fillna("")


def _check_lines(lines, files):
    """Returns True if a value of a file has a line break in quotes.

    Raises UserError for a quote that is not closed, for text behind a closing quote, for text that
    is not UTF-8, and for a line of blanks. With line breaks in quotes a line of blanks may be a
    part of a value, all text behind a closing quote is found only in files of up to 64 MiB, and a
    carriage return in quotes is refused, as are lines that end in several ways.
    """
    line = fn.col("value")
    quotes = fn.length(line) - fn.length(fn.replace(line, fn.lit('"')))
    facts = lines.groupBy(fn.input_file_name().alias("place")).agg(
        fn.count_if(quotes % 2 == 1).alias("breaks"),
        fn.count_if(~fn.is_valid_utf8(line)).alias("invalid"),
        fn.count_if(~line.rlike(_NOT_BLANK) & (line != "")).alias("blank"),
        fn.count_if((quotes > 0) & line.rlike(_AFTER_QUOTE)).alias("after"),
    )
    has_breaks = False
    for place, breaks, invalid, blank, after in sorted(facts.collect()):
        file = files.get(unquote(place), Path(unquote(place)))
        has_breaks |= breaks > 0
        if invalid:
            raise UserError(f"the text of {invalid:,} lines is not UTF-8", file=file)
        if blank and not breaks:
            raise UserError(f"{blank:,} lines have blanks only, and no fields", file=file)
        if breaks:  # quotes in plain fields may hide an open one, so their number does not decide
            delimited.refuse_open_quote(file, delimited.opened(file))
            delimited.check_breaks(file)
        if after or (breaks and file.stat().st_size <= _CHECKED):
            delimited.refuse_after_quote(file, partial(delimited.opened, file))
    for file in files.values() if has_breaks else ():
        delimited.check_line_ends(file)
    return has_breaks


def _names(files, query):
    """Returns the names of the columns, which are the same in all files; raises UserError."""
    first: tuple[str, ...] = ()
    for file in files:
        beginning = _beginning(file)
        if len(beginning) == _HEADER and not _LINE_END.search(beginning):
            message = f"the line of column names has more than {_HEADER:,} bytes"
            raise UserError(message, file=file)
        names = delimited.names(file, beginning)
        delimited.require(file, names, query.schema.names)
        first = first or names
        if names != first:
            listed = f"{', '.join(names)}, and in {files[0]} they are {', '.join(first)}"
            message = f"the columns are {listed}: all files of a stream must have the same columns"
            raise UserError(message, file=file)
    return first


def _beginning(file):
    """Returns the first bytes of a file, unpacked if it is gzipped.

    Raises UserError for a file that cannot be read, and if only the name or only the content says
    that the file is gzipped.
    """
    try:
        refuse_special_file(file)
        is_packed = delimited.is_gzipped(file)
        if is_packed != (file.suffix == ".gz"):
            state, ending = ("is", "") if is_packed else ("is not", "not ")
            raise UserError(f"{state} gzipped, so its name must {ending}end in .gz", file=file)
        with delimited.opened(file) as data:
            return data.read(_HEADER)
    except (OSError, EOFError, zlib.error) as error:
        reason = getattr(error, "strerror", None) or error
        raise UserError(f"cannot be read: {reason}", file=file) from None

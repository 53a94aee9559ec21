"""Turns errors of Spark jobs about a user's data into one line with the column and the value."""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import unquote

from query.errors import UserError, brief

_SPARK = ("pyspark.", "py4j.")  # packages of the errors of Spark jobs
#: An error of Spark's raise_error. Its text ends before the SQL state, or at the end, and may have
#: line breaks, because it may quote a value.
_RAISED = re.compile(r"\[USER_RAISED_EXCEPTION\] (.*?)(?: SQLSTATE: \w+|\Z)", re.DOTALL)
#: Line of a UserError that a Python worker of Spark has raised.
OF_WORKER = re.compile(r"^query\.errors\.UserError: (.*)$", re.MULTILINE)
_MALFORMED = re.compile(r"\[(MALFORMED_RECORD_IN_PARSING[\w.]*)\] (.*)$", re.MULTILINE)
#: Path of a file that Spark cannot read, and the reason, which the innermost error has.
_UNREADABLE = re.compile(r"\[FAILED_READ_FILE[\w.]*\] \D*? reading file (.*?)\. ")
_CAUSE = re.compile(r"^Caused by: [\w.$]+: (.*)$", re.MULTILINE)
_FULL = "No space left on device"
_ILLEGAL_TYPE = re.compile(r"\[PARQUET_TYPE_ILLEGAL\] Illegal Parquet type: (.*?)\. SQLSTATE")


@contextmanager
def clear_errors(path: Path) -> Iterator[None]:
    """Turns the error of a Spark job about the data in ``path`` into a UserError."""
    try:
        yield
    except Exception as error:
        text = str(error) if type(error).__module__.startswith(_SPARK) else ""
        for pattern in (_RAISED, OF_WORKER):
            if match := pattern.search(text):
                raise UserError(match[1], file=path) from None
        if match := _MALFORMED.search(text):
            raise UserError("a line is no record of its format", file=path) from None
        if match := _UNREADABLE.search(text):
            file = Path(unquote(match[1].removeprefix("file://")))
            reason = _CAUSE.findall(text)[-1:] or ["Spark gives no reason"]
            raise UserError(f"cannot be read: {brief(reason[0], 200)}", file=file) from None
        if _FULL in text:
            raise UserError(_FULL, file=path) from None
        if match := _ILLEGAL_TYPE.search(text):
            message = f"Spark reads no file with a column of the type {match[1]}"
            raise UserError(message, file=path) from None
        raise

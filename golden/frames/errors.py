"""Turns errors of Spark jobs about a user's data into one line with the column and the value."""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from query.errors import UserError

_SPARK = ("pyspark.", "py4j.")  # packages of the errors of Spark jobs
#: The text of an error, which may have line breaks of a value, up to the state or the end.
_RAISED = re.compile(r"\[USER_RAISED_EXCEPTION\] (.*?)(?: SQLSTATE: \w+|\Z)", re.DOTALL)
#: Line of a UserError that a Python worker of Spark has raised.
OF_WORKER = re.compile(r"^query\.errors\.UserError: (.*)$", re.MULTILINE)
_MALFORMED = re.compile(r"\[(MALFORMED_RECORD_IN_PARSING[\w.]*)\] (.*)$", re.MULTILINE)


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
        raise

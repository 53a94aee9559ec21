"""Words errors of Spark jobs that a user's data cause: one line with the column and the value."""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from query.errors import UserError

_SPARK = ("pyspark.", "py4j.")  # packages of the errors of Spark jobs
_RAISED = re.compile(r"\[USER_RAISED_EXCEPTION\] (.*?)(?: SQLSTATE: \w+)?$", re.MULTILINE)
_CONVERTED = re.compile(r"^\w*(?:\.\w+)*BadValueError: (.*)$", re.MULTILINE)
_MALFORMED = re.compile(r"\[(MALFORMED_RECORD_IN_PARSING[\w.]*)\] (.*)$", re.MULTILINE)


class BadValueError(ValueError):
    """Reports a value that does not fit its column, from a Python worker of Spark."""


@contextmanager
def clear_errors(path: Path) -> Iterator[None]:
    """Turns the error of a Spark job about the data in ``path`` into a UserError."""
    try:
        yield
    except Exception as error:
        text = str(error) if type(error).__module__.startswith(_SPARK) else ""
        for pattern in (_RAISED, _CONVERTED):
            if found := pattern.search(text):
                raise UserError(found[1], file=path) from None
        if found := _MALFORMED.search(text):
            raise UserError("a line is no record of JSON", file=path) from None
        raise

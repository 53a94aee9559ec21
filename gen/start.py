"""Where the first window of RANGE begins, as a user gives it and as it is shown."""

from query.errors import UserError
from query.window import Range


def start_of(query, text):
    """The raw time of ``--start``, a literal of the time column's type; None stays None.

    Raises UserError when it is none, or when the query has no RANGE.
    """
    if text is None:
        return None
    if not isinstance(query.window, Range):
        raise UserError("--start is where the first window of RANGE begins; the query has no RANGE")
    try:
        return query.window.attribute.type.parse(text)
    except ValueError as refusal:
        raise UserError(f"--start, a time as in {query.window.attribute}: {refusal}") from None


def start_text(query, start):
    """The literal of a raw start; None stays None."""
    return None if start is None else query.window.attribute.type.text(start)

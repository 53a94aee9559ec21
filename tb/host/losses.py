"""Runs that may lose rows on the link."""

from host import LossError


def result_of(run):
    """Returns the result and None, or None and the LossError."""
    try:
        return run(), None
    except LossError as error:
        return None, error

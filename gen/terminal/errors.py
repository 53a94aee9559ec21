"""What ends a command with exit code 1."""


class CheckFailedError(Exception):
    """The command did its work, and what it checked does not hold; one line."""

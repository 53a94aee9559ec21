"""Errors that end a command with exit code 1."""


class CheckFailedError(Exception):
    """A check of the command failed. The message is one line."""

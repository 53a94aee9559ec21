"""Errors that end a command with exit code 1."""


class CheckFailedError(Exception):
    """Reports that a check of the command failed. The message is one line."""

"""Reads arguments of the command lines of `tb.mutants`."""

import argparse


def positive(text):
    """Returns the number in a text; raises ArgumentTypeError unless the number is at least 1."""
    number = int(text)
    if number < 1:
        raise argparse.ArgumentTypeError(f"must be at least 1, not {number}")
    return number


def not_negative(text):
    """Returns the number in a text; raises ArgumentTypeError if the number is below 0."""
    number = int(text)
    if number < 0:
        raise argparse.ArgumentTypeError(f"must be at least 0, not {number}")
    return number

"""Checks how rows that differ are shown."""

import math
from pathlib import Path

import numpy as np
import pytest
from rich.console import Console

from gen.text.differing_rows import differences_table, float_widths, plain_row
from golden.compare.streams import Difference, Differences


def shown(expected, actual, kinds=("text",)):
    """Returns the cells of lines A and B of a difference between two rows of columns a, b, ..."""
    rows = [v and dict(zip("abc", v, strict=False)) for v in (expected, actual)]
    differences = Differences(1, 1, 1, [Difference(0, *rows)])
    widths = float_widths("abc"[: len(kinds)], kinds)
    console = Console(width=200)
    with console.capture() as capture:
        console.print(differences_table(differences, Path("old"), Path("new"), widths))
    lines = [line.split() for line in capture.get().splitlines()]
    return next(line[2:] for line in lines if line[1:2] == ["A"]), next(
        line[1:] for line in lines if line[:1] == ["B"]
    )


@pytest.mark.parametrize(
    ("a", "b", "a_shown", "b_shown"),
    [
        ("x" * 500 + "y", "x" * 500 + "z", "…xxxxxxxxy", "…xxxxxxxxz"),
        ("x" * 60, "x" * 61, "…xxxxxxxx", "…xxxxxxxxx"),
        ("y" + "x" * 50, "z" + "x" * 50, "y" + "x" * 39 + "…", "z" + "x" * 39 + "…"),
        ("w" * 30 + "y" + "x" * 999, "w" * 30 + "z", "…wwwwwwwwy" + "x" * 31 + "…", "…wwwwwwwwz"),
        ("x" * 39 + "y", "x" * 39 + "z", "x" * 39 + "y", "x" * 39 + "z"),
    ],
)
def test_long_texts_are_shown_around_their_difference(a, b, a_shown, b_shown):
    assert shown([a], [b]) == ([a_shown], [b_shown])


def test_a_row_beyond_the_end_of_a_file():
    """The other row is complete, also where its values are NULL or no number."""
    kinds = ("integer", "text", "double")
    absent = ["no", "row"]
    assert shown([5, None, math.inf], None, kinds) == (["5", "NULL", "inf"], absent)
    assert shown(None, [True, "NULL", 0.5], kinds) == (absent, ["True", '"NULL"', "0.5"])


def test_control_characters_do_not_reach_the_terminal():
    """U+009B begins a command to a terminal, and U+2028 is the end of a line."""
    assert shown(["a\x9bb", "c\x7f"], ["a\u2028b", "c\x00"], ["text"] * 2) == (
        [r'"a\x9bb"', r'"c\x7f"'],
        [r'"a\u2028b"', r'"c\u0000"'],
    )


def test_equal_values_stand_in_the_first_line_alone():
    assert shown([5, None, "x"], [5, 7, "y"], ["text"] * 3) == (["5", "NULL", "x"], ["7", "y"])


@pytest.mark.parametrize(
    ("kind", "form", "bits"), [("float", "f4", 0xFFC0_0001), ("double", "f8", 0xFFF8 << 48)]
)
def test_a_nan_has_its_bits(kind, form, bits):
    """NaN with other bits differ, so their texts do; the usual NaN has none."""
    value = np.array(bits, f"u{form[1]}").view(form).item()
    assert shown([value], [math.nan], [kind]) == (["nan", f"({bits:#x})"], ["nan"])
    assert plain_row({"a": value}, float_widths("a", [kind])) == {"a": f"nan ({bits:#x})"}

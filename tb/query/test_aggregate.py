"""Checks the declarations of the aggregate functions against plain models and the document."""

import re
from pathlib import Path

import pytest

from query.aggregate import Function
from query.declaration import EXACT_NUMBERS, INTEGERS, NUMBERS, column_result
from query.parser import parse
from query.types import Fixed, Float, Int, String, UInt
from tb.aggregates import MODELS, spellings

DOCUMENT = Path(__file__).parents[2] / "docs" / "query-language.md"


def documented():
    """Returns the type and the result over no tuple of each spelling in the document's table."""
    text = DOCUMENT.read_text(encoding="utf-8").partition("| aggregate |")[2].partition("\n\n")[0]
    rows = [line.strip("|").split(" | ") for line in text.splitlines()[2:]]
    return {
        spelling: (row[2].strip(), row[3].strip())
        for row in rows
        for spelling in re.findall(r"`([^`]+)`", row[0])
    }


def test_document_lists_the_spellings_of_the_models():
    assert all(model.spellings for model in MODELS.values())
    of_models = [spelling for model in MODELS.values() for spelling in model.spellings]
    assert sorted(documented()) == sorted(of_models)


@pytest.mark.parametrize("function", Function)
def test_result_over_no_tuple_is_the_same_in_model_and_document(function):
    zero = function.declaration.zero_if_empty
    assert MODELS[function].empty == (0 if zero else None)
    for spelling in MODELS[function].spellings:
        assert documented()[spelling][1] == ("0" if zero else "NULL")


@pytest.mark.parametrize("function", Function)
def test_document_says_which_results_have_the_type_of_the_column(function):
    for spelling in MODELS[function].spellings:
        as_column = function.declaration.result is column_result
        assert (documented()[spelling][0] == "as x") == as_column


@pytest.mark.parametrize("function", Function)
def test_each_spelling_selects_the_function(function):
    for text in spellings()[function]:
        query = parse(f"CREATE INPUT STREAM S (g int, x int(9)); SELECT {text} FROM S GROUP BY g;")
        (item,) = query.items
        assert item.aggregate.function is function


@pytest.mark.parametrize(
    ("accepted", "expected"), [(INTEGERS, "11000"), (EXACT_NUMBERS, "11100"), (NUMBERS, "11110")]
)
def test_columns_that_a_function_accepts(accepted, expected):
    types = (Int(32), UInt(4), Fixed(4, 4), Float(), String(3))
    assert "".join(str(int(accepted.accepts(type_))) for type_ in types) == expected

"""Checks the messages of the library for wrong arguments, and the warning about a start."""

import re

import numpy as np
import pyarrow as pa
import pytest

import sluice
from sluice.arguments import begin_of, cache_of, check_seed, check_stalls, path_of
from sluice.tables import to_arrow

RANGE = "CREATE INPUT STREAM S (t int, x int); SELECT sum(x) FROM S [RANGE 10 SLIDE 5 WATTR t];"
SUM = "CREATE INPUT STREAM S (k int, x int); SELECT k, sum(x) FROM S GROUP BY k;"


@pytest.mark.parametrize("use", [path_of, sluice.load, cache_of])
@pytest.mark.parametrize(
    ("path", "message"), [("a\0b", "holds a zero byte"), ("", "a path cannot be empty")]
)
def test_paths_that_no_file_can_have(use, path, message):
    with pytest.raises(sluice.UserError, match=message):
        use(path)


@pytest.mark.parametrize("path", [None, 5, b"gb"])
def test_paths_of_another_type(path):
    with pytest.raises(sluice.UserError, match="a path must be a str or a path, not "):
        path_of(path)


def test_a_cache_must_be_a_folder(tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(sluice.UserError, match=r"cache: .*file is not a directory"):
        cache_of(tmp_path / "file")
    assert cache_of(tmp_path / "new") == tmp_path / "new"


def test_a_start_in_a_unit_that_the_schema_does_not_declare():
    query = sluice.parse(RANGE)
    with pytest.warns(sluice.SluiceWarning, match="seconds: start 1 minute is 60"):
        assert begin_of(query, "1 minute") == 60
    assert begin_of(query, 60) == 60
    assert begin_of(query, None) is None
    with pytest.raises(sluice.UserError, match="the query has no RANGE"):
        begin_of(sluice.parse(SUM), 5)


NOT_TWO = "must be two numbers, of the input and the output, not "


@pytest.mark.parametrize(
    ("stalls", "message"),
    [
        ((0.1,), NOT_TWO + "(0.1,)"),
        ((0.1, 0.1, 0.1), NOT_TWO + "(0.1, 0.1, 0.1)"),
        (0.1, NOT_TWO + "0.1"),
        ("ab", NOT_TWO + "'ab'"),
        (("a", 0), "input must be between 0 and 0.99, not 'a'"),
        ((-0.1, 2), "input must be between 0 and 0.99, not -0.1"),
        ((0, 1.0), "output must be between 0 and 0.99, not 1.0"),
        ((0, float("nan")), "output must be between 0 and 0.99, not nan"),
    ],
)
def test_stalls_that_are_no_two_probabilities(stalls, message):
    with pytest.raises(sluice.UserError, match=rf"^stalls:? {re.escape(message)}$"):
        check_stalls(stalls)


@pytest.mark.parametrize("seed", [-1, 1 << 63, 1.0, "1", None, True])
def test_a_seed_is_that_of_the_command_line(seed):
    with pytest.raises(sluice.UserError, match=r"^seed must be a whole number from 0 to 2\^63 - 1"):
        check_seed(seed)
    for allowed in (0, (1 << 63) - 1, np.int64(7)):
        check_seed(allowed)


@pytest.mark.parametrize("stalls", [(0, 0), (0.0, 0.99), [0.99, 0.5]])
def test_stalls_from_the_least_to_the_greatest(stalls):
    check_stalls(stalls)


def test_a_series_is_no_table():
    pandas = pytest.importorskip("pandas")
    with pytest.raises(sluice.UserError, match="the table has no Arrow columns"):
        to_arrow(pandas.Series([1, 2]))


def test_an_order_of_halves():
    """Arrow sorts no numbers of 16 bits."""
    columns = {"k": [1, 2, 3], "x": [1, 2, 3]}
    table = pa.table({**columns, "at": pa.array([0.5, -2.5, 0.25], pa.float16())})
    tuples = sluice.tuples(sluice.parse(SUM), table, order="at")
    assert tuples.table["k"].to_pylist() == [2, 3, 1]

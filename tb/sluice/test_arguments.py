"""Arguments of the library that are refused in one line, and starts that warn."""

import pyarrow as pa
import pytest

import sluice
from sluice.arguments import begin_of, cache_of, check_stalls, path_of
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


def test_a_cache_must_be_a_folder(tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(sluice.UserError, match=r"cache: .*file is not a directory"):
        cache_of(tmp_path / "file")
    assert cache_of(tmp_path / "new") == tmp_path / "new"


def test_a_start_in_a_unit_that_the_schema_does_not_declare():
    query = sluice.parse(RANGE)
    with pytest.warns(sluice.SluiceWarning, match="--start 1 minute is 60"):
        assert begin_of(query, "1 minute") == 60
    assert begin_of(query, 60) == 60
    assert begin_of(query, None) is None
    with pytest.raises(sluice.UserError, match="the query has no RANGE"):
        begin_of(sluice.parse(SUM), 5)


@pytest.mark.parametrize("stalls", [(0.1,), (0.1, 0.1, 0.1), 0.1, "ab", ("a", 0), (0, 1.0)])
def test_stalls_that_are_no_two_probabilities(stalls):
    with pytest.raises(sluice.UserError, match=r"^stalls"):
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

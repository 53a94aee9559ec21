"""Checks that the cache stores answers by the hash of their content."""

from types import SimpleNamespace

import pyarrow as pa
import pytest

from golden import cache
from golden.codecs.sz import Sz
from golden.compare.tables import first_difference
from golden.plans.lives import Evictions
from golden.tuples import Tuples
from query.parser import parse

SCHEMA = "CREATE INPUT STREAM S (k uint(8), x int, y int); "
QUERY = parse(SCHEMA + "SELECT k, sum(x) FROM S GROUP BY k;")


def tuples(x=(1, 2, 3), k=(0, 1, 0), query=QUERY):
    table = pa.table({"k": pa.array(k, pa.int64()), "x": pa.array(x, pa.int64())})
    return Tuples(query.schema, table)


def test_key_covers_query_data_start_and_code(monkeypatch):
    other = parse(SCHEMA + "SELECT k, max(x) FROM S GROUP BY k;")
    renamed = parse(SCHEMA + "SELECT k, sum(x) AS s FROM S GROUP BY k;")
    wider = parse(SCHEMA.replace("x int", "x int(33)") + "SELECT k, sum(x) FROM S GROUP BY k;")
    keys = [
        cache.key(QUERY, tuples()),
        cache.key(QUERY, tuples(), start=0),
        cache.key(QUERY, tuples(), codec=Sz()),
        cache.key(QUERY, tuples(), codec=Sz(relative=0)),
        cache.key(other, tuples()),
        cache.key(renamed, tuples()),
        cache.key(wider, tuples(query=wider)),
        cache.key(QUERY, tuples(x=(1, 2, 4))),
        cache.key(QUERY, tuples(x=(1, 3, 2))),
        cache.key(QUERY, tuples(x=(1, 2), k=(0, 1))),
    ]
    assert len(set(keys)) == len(keys)
    with monkeypatch.context() as changed:
        changed.setattr(cache, "_sources", lambda: "changed")
        assert cache.key(QUERY, tuples()) not in keys


@pytest.mark.parametrize("library", ["pyspark", "pyarrow", "numpy"])
def test_key_covers_the_version_of_each_library(monkeypatch, library):
    old_key, version = cache.key(QUERY, tuples()), cache.version
    monkeypatch.setattr(
        cache, "version", lambda name: "changed" if name == library else version(name)
    )
    assert cache.key(QUERY, tuples()) != old_key


def test_key_covers_evictions():
    """Each evicted key and each arrival counts; no eviction is like none that is given."""
    query = parse(SCHEMA + "SELECT k, sum(x) FROM S [PARTITION BY k ROWS 2 SLIDE 1];")
    pairs = [((), ()), ((0,), (1,)), ((1,), (1,)), ((0,), (2,)), ((0, 0), (1, 2))]
    evictions = [Evictions.from_values(query, *map(list, pair)) for pair in pairs]
    keys = [cache.key(query, tuples(query=query), evictions=one) for one in (None, *evictions)]
    assert keys[0] == keys[1]
    assert len(set(keys)) == len(pairs)


@pytest.mark.parametrize("package", ["golden", "query_package"])
def test_each_source_changes_the_key(tmp_path, monkeypatch, package):
    """A changed, a new and a renamed file of golden and of query, at any depth, is other code."""
    for name in ("golden", "query_package"):
        (tmp_path / name / "inner").mkdir(parents=True)
        (tmp_path / name / "inner" / "a.py").write_text("1")
        place = SimpleNamespace(__file__=str(tmp_path / name / "__init__.py"))
        monkeypatch.setattr(cache, name, place)
    file = tmp_path / package / "inner" / "a.py"
    hashes = [cache._sources()]
    file.write_text("2")
    hashes.append(cache._sources())
    file = file.rename(file.with_name("b.py"))
    hashes.append(cache._sources())
    file.with_name("c.py").write_text("")
    hashes.append(cache._sources())
    assert len(set(hashes)) == 4


def test_key_depends_on_the_content_and_not_on_its_layout():
    one = tuples()
    chunked = Tuples(one.schema, pa.concat_tables([one.table.slice(0, 1), one.table.slice(1)]))
    extended = Tuples(one.schema, one.table.append_column("y", pa.array([7, 8, 9])))
    sliced = Tuples(one.schema, tuples(x=(9, 1, 2, 3), k=(9, 0, 1, 0)).table.slice(1))
    assert {cache.key(QUERY, t) for t in (one, chunked, extended, sliced)} == {
        cache.key(QUERY, one)
    }


@pytest.mark.spark
def test_answer_is_computed_once(spark, tmp_path, monkeypatch):
    directory = tmp_path / "new" / "golden"
    master = spark.sparkContext.master
    first = cache.cached_answer(QUERY, tuples(), master, directory)
    assert first.rows.to_pydict() == {"window": [0, 0], "k": [0, 1], "sum(x)": [4, 2]}
    assert (first.start, first.late) == (None, 0)
    monkeypatch.setattr(cache, "session", lambda master: pytest.fail("a session was started"))
    again = cache.cached_answer(QUERY, tuples(), master, directory)
    assert first_difference(first.rows, again.rows) is None
    assert first.rows.schema.equals(again.rows.schema, check_metadata=True)
    assert len(list(directory.iterdir())) == 1


@pytest.mark.in_turn
@pytest.mark.spark
def test_start_and_late_are_stored_with_the_rows(spark, tmp_path, monkeypatch):
    """The start is 15 - 1, rounded down to 10; 7 is late, and 15 only after a start of 16."""
    query = parse(SCHEMA + "SELECT count(*) FROM S [RANGE 10 SLIDE 10 WATTR x SLACK 1];")
    master = spark.sparkContext.master
    calls = [(tuples(x=(15, 41, 7)), start) for start in (None, 4, 16)]
    calls += [(tuples(x=(), k=()), None), (tuples(x=(), k=()), 1 << 70)]

    def answers():
        return [cache.cached_answer(query, data, master, tmp_path, start) for data, start in calls]

    first = answers()
    monkeypatch.setattr(cache, "session", lambda master: pytest.fail("a session was started"))
    for results in (first, answers()):
        facts = [(one.start, one.late) for one in results]
        assert facts == [(10, 1), (4, 1), (16, 2), (None, 0), (1 << 70, 0)]
        ends = [one.rows["window_end"].to_pylist() for one in results]
        assert ends == [[20, 30, 40, 50], [14, 24, 34, 44], [26, 36, 46], [], []]

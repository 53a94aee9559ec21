"""Checks the generated streams: their shape, their bound, and equal bytes on every run."""

import gzip
from collections import Counter
from pathlib import Path

import numpy as np
import pytest

from golden.generate import write_csv
from golden.generate.cluster import cluster
from golden.generate.disorder import disorder

EXAMPLE = Path(__file__).parents[2] / "examples" / "cluster_trace.csv.gz"


def text(table, tmp_path):
    write_csv(table, tmp_path / "t.csv.gz")
    return gzip.decompress((tmp_path / "t.csv.gz").read_bytes())


def test_example_trace_is_what_the_generator_makes(tmp_path):
    assert gzip.decompress(EXAMPLE.read_bytes()) == text(cluster(20_000, seed=1), tmp_path)


@pytest.mark.parametrize("part", [7, 500, 1000])
def test_parts_of_a_file_are_joined(tmp_path, monkeypatch, part):
    file_text = text(cluster(1000, seed=1), tmp_path)
    monkeypatch.setattr("golden.generate._PART", part)
    assert text(cluster(1000, seed=1), tmp_path) == file_text
    write_csv(cluster(1000, seed=1), tmp_path / "t.csv")
    assert (tmp_path / "t.csv").read_bytes() == file_text


def test_same_seed_same_bytes_other_seed_other_bytes(tmp_path):
    for make in (cluster, disorder):
        assert text(make(1000, 5), tmp_path) == text(make(1000, 5), tmp_path)
        assert text(make(1000, 5), tmp_path) != text(make(1000, 6), tmp_path)


def test_gzip_file_has_no_time_stamp(tmp_path):
    write_csv(cluster(10, 1), tmp_path / "t.csv.gz")
    assert (tmp_path / "t.csv.gz").read_bytes()[4:8] == bytes(4)


@pytest.mark.parametrize("make", [cluster, disorder])
def test_any_number_of_tuples(make):
    for tuples in (0, 1, 2, 65):
        assert make(tuples, 3).num_rows == tuples
    with pytest.raises(ValueError, match="tuples must be at least 0, not -1"):
        make(-1, 3)


def test_cluster_has_the_shape_of_the_trace():
    """Compares with the excerpt: 240 jobs, the largest a fifth, 33 requests, one of 63 %."""
    trace = cluster(16_385, seed=7)
    jobs = Counter(trace["job"].to_pylist()).most_common()
    assert 150 <= len(jobs) <= 300
    assert max(trace["job"].to_pylist()) < 1 << 32
    assert 0.08 <= jobs[0][1] / 16_385 <= 0.35
    assert sum(count for _, count in jobs[:20]) >= 0.5 * 16_385
    requests = Counter(trace["cpu"].to_pylist()).most_common()
    assert 15 <= len(requests) <= 33
    assert 0.4 <= requests[0][1] / 16_385 <= 0.85
    time = trace["time"].to_numpy()
    assert (np.diff(time) >= 0).all()
    job = trace["job"].to_numpy()
    assert (job[1:] == job[:-1]).mean() > 0.8  # bursts
    pairs = trace.group_by(["job", "cpu"]).aggregate([])
    assert pairs.num_rows == len(jobs)  # all tasks of a job have the same request


@pytest.mark.parametrize("slack", [0, 1, 60])
def test_disorder_is_bounded_and_reaches_the_bound(slack):
    time = disorder(20_000, seed=2, slack=slack)["Time"].to_numpy()
    lateness = np.maximum.accumulate(time) - time
    assert slack - slack // 20 <= lateness.max() <= slack
    assert ((np.diff(time) < 0).any()) == (slack > 0)


def test_disorder_has_the_schema_of_the_seed():
    stream = disorder(100, seed=2)
    assert stream.column_names == ["Symbol", "Price", "Volume", "Time"]
    assert set(map(len, stream["Symbol"].to_pylist())) <= {3, 4}
    assert "UBSN" in stream["Symbol"].to_pylist()
    with pytest.raises(ValueError, match="slack must be at least 0, not -1"):
        disorder(1, 1, slack=-1)

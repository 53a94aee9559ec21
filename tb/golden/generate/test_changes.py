"""Checks requests that change within a job: their share, and the compression ratios of seed 000."""

import hashlib

import numpy as np
import pytest

from golden.generate import write_csv
from golden.generate.changes import MAX_OFFSET
from golden.generate.cluster import cluster
from tb.golden.codecs.ratios import ratio_of

SHARE = 0.15


def by_job(trace):
    """Returns (job, requests in ten-millionths) in the order of each job's tuples."""
    job = trace["job"].to_numpy()
    requests = np.array([int(text.replace(".", "")) for text in trace["cpu"].to_pylist()])
    return [(one, requests[job == one]) for one in np.unique(job)]


def test_all_other_columns_are_the_same():
    without, changing = cluster(3000, 5), cluster(3000, 5, changes=SHARE)
    assert without.drop(["cpu"]) == changing.drop(["cpu"])


def test_without_changes_no_request_changes():
    without, changing = cluster(3000, 5), cluster(3000, 5, changes=0)
    assert [text + "0000" for text in without["cpu"].to_pylist()] == changing["cpu"].to_pylist()


@pytest.mark.parametrize("share", [0.05, SHARE, 1])
def test_the_share_of_tuples_that_change(share):
    steps = [
        np.diff(requests) for _, requests in by_job(cluster(40_000, 2, jobs=50, changes=share))
    ]
    changed = np.concatenate(steps) != 0
    assert changed.mean() == pytest.approx(share, rel=0.05)
    jumps = np.abs(np.concatenate(steps)) > 2 * MAX_OFFSET
    assert jumps.sum() / changed.sum() == pytest.approx(1 / 29, rel=0.2)


def test_a_job_jumps_away_and_back():
    """Checks that requests are thousandths plus an offset of at most 71 ten-millionths."""
    trace = cluster(30_000, 3, jobs=6, changes=0.3)
    first = dict(by_job(cluster(30_000, 3, jobs=6, changes=0)))
    for job, requests in by_job(trace):
        assert requests[0] == first[job][0]
        thousandths = (requests + 5000) // 10_000
        offset = requests - thousandths * 10_000
        assert (offset.min(), offset.max()) == (-MAX_OFFSET, MAX_OFFSET)
        at_home = thousandths == requests[0] // 10_000
        places = np.flatnonzero(np.diff(thousandths)) + 1
        assert at_home[places[1::2]].all()
        assert not at_home[places[::2]].any()
        assert len(set(thousandths)) > 4


def test_the_bytes_are_the_same_on_every_machine(tmp_path):
    """Compares with the hash of the first version's bytes."""
    write_csv(cluster(5000, 7, jobs=9, changes=SHARE), tmp_path / "t.csv")
    digest = hashlib.sha256((tmp_path / "t.csv").read_bytes()).hexdigest()
    assert digest == "3e02563ef0e9cafce0e90b929df66bb5fe062b570ecd5105d6028815cc6c8b15"


def test_any_number_of_tuples_and_jobs():
    for tuples in (0, 1, 2, 65):
        for jobs in (1, 2, 70):
            trace = cluster(tuples, 3, jobs, 1)
            assert trace.num_rows == tuples
            assert len(set(trace["job"].to_pylist())) <= jobs


@pytest.mark.parametrize("seed", [1, pytest.param(2, marks=pytest.mark.regress)])
def test_ratios_are_the_seeds(seed):
    """Compares with seed 000, section 4.3: keys that fill windows of 4,096, cpu as fixed(40,24)."""
    trace = cluster(60_000, seed, jobs=5, changes=SHARE)
    job = trace["job"].to_numpy()
    assert np.unique(job, return_counts=True)[1].min() >= 4096
    cpu = np.array(trace["cpu"].to_pylist(), float)
    raws, patterns = np.rint(cpu * 2**24).astype(int), cpu.view(np.int64)
    assert ratio_of("base-delta", job, raws, 64) == pytest.approx(5.3, rel=0.03)
    assert 5.6 <= ratio_of("xor", job, patterns, 64) <= 6.5
    for values, settings in ((patterns, {"kind": "float", "exponent": -24}), (raws, {})):
        assert ratio_of("sz", job, values, 64, **settings) == pytest.approx(23, rel=0.03)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"jobs": 0}, "jobs must be from 1 to 1,000,000, not 0"),
        ({"jobs": 1_000_001}, "jobs must be from 1 to 1,000,000, not 1000001"),
        ({"changes": -0.1}, "changes must be from 0 to 1, not -0.1"),
        ({"changes": 1.5}, "changes must be from 0 to 1, not 1.5"),
        ({"changes": float("nan")}, "changes must be from 0 to 1, not nan"),
    ],
)
def test_options_that_make_no_sense(options, message):
    with pytest.raises(ValueError, match=message):
        cluster(10, 1, **options)

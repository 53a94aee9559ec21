"""Checks that made traces have the shape of the published ones, in known numbers."""

from collections import Counter
from itertools import pairwise

import numpy as np
import pytest

from tb.golden import data_files
from tb.golden.data_files import MADE_TRACES, shared, unpacked
from tb.golden.made_traces import DEBS_LINES, GOOGLE_LINES, made_trace


def test_task_events():
    """Compares with the excerpt: 16,385 lines, 240 jobs with ids of 33 bits, 3,097 lines of the
    largest job, and 33 values of cpu.
    """
    lines = [
        line.split()
        for line in unpacked(made_trace("google_cluster_task_events.txt.gz", MADE_TRACES))
    ]
    jobs = Counter(int(line[1]) for line in lines)
    assert len(lines) == GOOGLE_LINES == 16_385
    assert 180 <= len(jobs) <= 240
    assert 2_500 <= max(jobs.values()) <= 3_500
    assert all(1 << 32 <= job < 1 << 33 for job in jobs)
    assert 20 <= len({line[8] for line in lines}) <= 33
    times = [int(line[0]) for line in lines]
    assert times == sorted(times)
    assert "-1" in {line[3] for line in lines}


def test_sensor_readings():
    """Compares with the published excerpt: 17,000 lines, one about every 10 ms, in few steps."""
    lines = [
        line.split("\t")
        for line in unpacked(made_trace("debs2012_manufacturing.txt.gz", MADE_TRACES))
    ]
    assert len(lines) == DEBS_LINES == 17_000
    stamps = [line[0] for line in lines]
    assert stamps == sorted(set(stamps))
    times = np.array([stamp.removesuffix("+00:00") for stamp in stamps], "datetime64[ns]")
    gaps = np.diff(times).astype(int)  # ns
    assert 9_000_000 < gaps.min() <= gaps.max() < 11_000_000
    assert {line[33] for line in lines} == {"0", "1"}
    values = [int(line[2]) for line in lines]
    steps = [abs(b - a) for a, b in pairwise(values)]
    assert sum(step <= 9 for step in steps) > 0.95 * len(steps)
    assert len(set(values)) > 100


@pytest.mark.parametrize(
    "name", ["google_cluster_task_events.txt.gz", "debs2012_manufacturing.txt.gz"]
)
def test_made_traces_replace_missing_published_ones(name, monkeypatch, tmp_path):
    """Checks that the bytes are the same each time."""
    monkeypatch.setattr(data_files, "DATA", tmp_path / "nowhere")
    monkeypatch.setattr(data_files, "MADE_TRACES", tmp_path / "made")
    path = shared(name)
    assert path == tmp_path / "made" / name
    assert path.read_bytes() == made_trace(name, MADE_TRACES).read_bytes()

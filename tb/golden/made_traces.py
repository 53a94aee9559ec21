"""Generates traces in the shape of two published ones, for machines without the published files.

The traces have the published columns, separators, number formats and numbers of lines. All values
are generated; no value is copied from the published files.
"""

import gzip
import os
import tempfile
from pathlib import Path

import numpy as np

from golden.generate.cluster import cluster

#: Lines of the published excerpts and of the made traces.
GOOGLE_LINES, DEBS_LINES = 16_385, 17_000
_JOBS = 240
#: Job ids of Google's trace need 33 bits.
_FIRST_JOB = 5_000_000_000
#: For each sensor, its name, its least reading, and the largest step of its random walk. The walk
#: has a range of 20 steps, and wraps around at both ends.
_SENSORS = (
    ("mf01", 13050, 9), ("mf02", 14400, 6), ("mf03", 8100, 4),
    ("pc13", 70, 2), ("pc14", 192, 2), ("pc15", 150, 2), ("pc25", 0, 0), ("pc26", 0, 0),
    ("pc27", 0, 0), ("res", 0, 0),
)  # fmt: skip
_FLAGS = 44
#: Number of readings between two changes of a flag, by the flag's index; the other flags are 0.
#: The flag with index 21 is the column s34.
_CHANGING = {21: 900, 22: 2500, 30: 4100}


def google_lines():
    """Yields task events of 12 fields, padded with blanks so that the columns align."""
    trace = cluster(GOOGLE_LINES, seed=32, jobs=_JOBS).to_pydict()
    random = np.random.Generator(np.random.PCG64(33))
    ram, disk = random.integers(0, 200, GOOGLE_LINES), random.integers(0, 90, GOOGLE_LINES)
    machines = random.integers(1, 1 << 32, GOOGLE_LINES)
    machines[random.random(GOOGLE_LINES) < 0.1] = -1
    tasks = random.integers(0, 2000, GOOGLE_LINES)
    for k in range(GOOGLE_LINES):
        job = _FIRST_JOB + trace["job"][k]
        yield (
            f"{trace['time'][k]} {job:>13} {tasks[k]:>8} {machines[k]:>13} "
            f"{trace['event'][k]:>3} {job % 500:>6} {job % 4:>2} {trace['priority'][k]:>2} "
            f"{trace['cpu'][k]:>8} {ram[k] / 1000:.3f} {disk[k] / 1000:.3f} {k % 2:>5}"
        )


def debs_lines():
    """Yields sensor readings, about one every 10 ms, of 56 fields separated by tabs."""
    random = np.random.Generator(np.random.PCG64(34))
    start = np.datetime64("2012-02-22T16:46:28.967032000")
    stamps = start + np.cumsum(random.integers(99_000, 101_000, DEBS_LINES)) * 100
    readings = []
    for _, value, step in _SENSORS:
        walk = np.cumsum(random.integers(-step, step + 1, DEBS_LINES))
        readings.append(np.clip(value + walk % (20 * step + 1), 0, 65_535))
    for k in range(DEBS_LINES):
        fields = [f"{str(stamps[k])[:-2]}+00:00", str(2_556_001 + k)]
        fields += [f"{values[k]:0{5 if values[0] > 9999 else 4}}" for values in readings]
        fields += [str(k // _CHANGING[f] % 2 if f in _CHANGING else 0) for f in range(_FLAGS)]
        yield "\t".join(fields)


_TRACES = {
    "google_cluster_task_events.txt.gz": google_lines,
    "debs2012_manufacturing.txt.gz": debs_lines,
}


def made_trace(name, directory):
    """Returns the path of a made trace in a directory; writes the trace if it is missing.

    Several processes may call this function at once: each writes its own file and renames it.
    """
    directory = Path(directory)
    path = directory / name
    if not path.exists():
        directory.mkdir(parents=True, exist_ok=True)
        text = "".join(f"{line}\n" for line in _TRACES[name]())
        handle, scratch = tempfile.mkstemp(dir=directory)
        with os.fdopen(handle, "wb") as out:
            out.write(gzip.compress(text.encode(), mtime=0))
        os.replace(scratch, path)
    return path

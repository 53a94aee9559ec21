"""Checks the predicted rates in the documents: `simulate` prints them for the pages' commands."""

import re
from pathlib import Path

import pyarrow as pa
import pytest

from gen.design.build import resolve
from gen.prediction.expected_rate import foretell
from gen.simulate.steady_part import stretch_of
from golden.generate import write_csv
from golden.generate.cluster import cluster
from golden.readers import read

ROOT = Path(__file__).parents[3]
DOCS = ROOT / "docs"
#: Time at which the first window of `requests.cql` begins, as its page says.
START = 8


def page(name):
    return (DOCS / name).read_text(encoding="utf-8")


def predicted(point, data, options=(), start=None):
    """Returns the predicted rate with four decimals, as `simulate` prints it."""
    build = resolve(point, options=options)
    tuples = read(data, build.query)
    stretch = stretch_of(build.query, tuples, start)
    no_rows = pa.table({})  # with windows of keys the rows are in the schedule of the tuples
    prediction, reason = foretell(build.design, tuples, stretch, "ideal", start, no_rows, (0, 0))
    assert reason is None
    return f"{prediction.tuples_per_cycle:.4f}"


def documented(name, measured):
    """Returns the predicted rate beside the measured rate in a page."""
    (rate,) = re.findall(
        rf"^    in the long run +{re.escape(measured)} \(predicted ([\d.]+)\)$", page(name), re.M
    )
    return rate


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """A folder with the queries of both pages, and the data that their commands make."""
    folder = tmp_path_factory.mktemp("documented")
    for name, file in (("codecs.md", "jobs.cql"), ("per-key-windows.md", "requests.cql")):
        _, _, text = page(name).partition(f"query is in `{file}`")
        (folder / file).write_text(re.search(r"```sql\n(.*?)```", text, re.S)[1])
    trace = "sluice trace cluster --tuples 3000 --jobs 8 --changes 0.15 -o jobs.csv"
    assert all(trace in page(name) for name in ("codecs.md", "per-key-windows.md"))
    write_csv(cluster(3000, seed=1, jobs=8, changes=0.15), folder / "jobs.csv")
    return folder


@pytest.mark.parametrize(
    ("name", "file", "codec", "measured"),
    [
        ("codecs.md", "jobs.cql", "none", "0.0617"),
        ("codecs.md", "jobs.cql", "base-delta", "0.2643"),
        ("per-key-windows.md", "requests.cql", "none", "0.4367"),
        ("per-key-windows.md", "requests.cql", "base-delta", "0.7836"),
    ],
)
def test_jobs(folder, name, file, codec, measured):
    start = START if file == "requests.cql" else None
    options = ["entries=64", f"codec={codec}"]
    rate = predicted(folder / file, folder / "jobs.csv", options, start)
    assert documented(name, measured) == rate


def test_speeds(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    exec(re.search(r"```python\n(.*?)```", page("per-key-windows.md"), re.S)[1])
    rate = predicted(ROOT / "examples" / "rows_per_key.toml", tmp_path / "speeds.csv")
    assert documented("per-key-windows.md", "0.9727") == rate


def test_design_predict(monkeypatch):
    """The call of docs/per-key-rates.md gives the number of its comment."""
    monkeypatch.chdir(ROOT)
    code = re.search(r"```python\n(.*?)```", page("per-key-rates.md"), re.S)[1]
    call, rate, stage = re.search(r'^(design\..*?)  # ([\d.]+); .* is "(.*)"$', code, re.M).groups()
    names = {}
    exec(code, names)
    prediction = eval(call.removesuffix(".tuples_per_cycle"), names)
    assert f"{prediction.tuples_per_cycle:.2f}" == rate
    assert prediction.slowest_stage == stage

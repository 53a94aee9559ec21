"""The functions of the library do the work of the commands, and print nothing."""

import json
import warnings
from types import SimpleNamespace

import polars as pl
import pytest

import sluice
from gen.jobs.progress import Silent

QUERY = (
    "CREATE INPUT STREAM S (k uint(4), x int(8));"
    "SELECT k, sum(x) AS s, count(*) AS n FROM S GROUP BY k;"
)
DATA = {"k": [3, 1, 3, 2], "x": [5, -4, 6, 7]}
ROWS = {"window": [0, 0, 0], "k": [1, 2, 3], "s": [-4, 7, 11], "n": [1, 1, 2]}


@pytest.mark.spark
@pytest.mark.hdl
def test_simulate(cache, capfd):
    query = sluice.parse(QUERY)
    options = {"lanes": 2}
    arguments = {"master": "local[2]", "cache": cache, "options": options}
    result = sluice.simulate(query, pl.DataFrame(DATA), stalls=(0.3, 0.3), **arguments)
    assert result.problems == ()
    assert result.rows.to_dict(as_series=False) == ROWS
    assert result.figures["parameters"]["lanes"] == 2
    assert (result.figures["tuples"], result.figures["mismatches"]) == (4, 0)
    assert capfd.readouterr().out == ""


def test_simulate_passes_its_arguments_on_and_its_problems_back(cache, monkeypatch):
    """The simulation is a stand-in that finds a problem."""
    calls, checked = [], []

    def simulate_and_compare(out, build, arrivals, expected, **options):
        calls.append(options)
        return SimpleNamespace(rows=None, problems=("row 0 differs",))

    monkeypatch.setattr(sluice.engines, "simulate_and_compare", simulate_and_compare)
    monkeypatch.setattr(sluice.engines, "expect", lambda *words, **options: None)
    monkeypatch.setattr(sluice.engines, "figures", lambda *words: {})
    monkeypatch.setattr(sluice.engines, "check_simulator", lambda *words: checked.append(words[1:]))
    options = {"stalls": (0.3, 0.1), "seed": 7, "allow_evictions": True, "simulator": "icarus"}
    options["memory"] = "ddr3"
    result = sluice.simulate(
        sluice.parse(QUERY), pl.DataFrame(DATA), master="local[2]", cache=cache, **options
    )
    assert (result.rows, result.figures, result.problems) == (None, {}, ("row 0 differs",))
    (call,) = calls
    assert call.items() >= options.items()
    assert (call["master"], call["cache"]) == ("local[2]", cache)
    assert checked == [("icarus", "ddr3")]


@pytest.mark.parametrize(("stalls", "name"), [((1.0, 0), "input"), ((0, -0.1), "output")])
def test_stalls_are_refused(stalls, name):
    """The check comes before PySpark and the model, which take long."""
    with pytest.raises(sluice.UserError, match=f"stalls: {name} must be between 0 and 0.99, not"):
        sluice.simulate(sluice.parse(QUERY), pl.DataFrame(DATA), stalls=stalls)


def test_generate(cache, tmp_path, capfd):
    query = sluice.parse(QUERY)
    manifest = sluice.generate(
        query, tmp_path / "made", name="sums", board="generic", cache=cache, options={"lanes": 2}
    )
    assert manifest == json.loads((tmp_path / "made" / "manifest.json").read_text())
    assert (tmp_path / "made" / "sluice_sums.v").exists()
    assert capfd.readouterr() == ("", "")


@pytest.mark.parametrize(
    ("asked", "bench"), [({}, None), ({"docs": True}, None), ({"bench": True}, {"bench.py": "x"})]
)
def test_generate_passes_its_arguments_on(cache, tmp_path, monkeypatch, asked, bench):
    """The files are those of stand-ins; PySpark's rows are computed for a bench only."""
    benches, calls = [], []

    def files_of_bench(out, build, path, format, count, master, folder):
        benches.append((build.name, path, format, count, master, folder))
        return {"bench.py": "x"}

    def generate_directory(out, build, directory, folder, **options):
        calls.append((build.name, directory, folder, options))
        return {}, {"name": "x"}

    monkeypatch.setattr(sluice.engines, "files_of_bench", files_of_bench)
    monkeypatch.setattr(sluice.engines, "generate_directory", generate_directory)
    query, out = sluice.parse(QUERY), tmp_path / "made"
    options = {"name": "sums", "master": "local[2]", "cache": cache}
    assert sluice.generate(query, out, **options, **asked) == {"name": "x"}
    files = {"docs": asked.get("docs", False), "bench": bench}
    assert calls == [("sluice_sums", out, cache, files)]
    asked_of_spark = [("sluice_sums", None, None, None, "local[2]", cache)]
    assert benches == (asked_of_spark if bench else [])


def test_report(cache, capfd, monkeypatch):
    """The figures are those of the command; the synthesis is of another test."""
    figures = {"lut": 7}

    class Report:
        def as_json(self):
            return figures

    calls = []
    monkeypatch.setattr(
        "gen.jobs.resources.engine_report", lambda out, *rest: calls.append(rest) or Report()
    )
    monkeypatch.setattr("gen.jobs.resources.counted_warnings", lambda *_: ["too large"])
    with pytest.warns(sluice.SluiceWarning, match="too large"):
        values = sluice.report(sluice.parse(QUERY), "xc6v", wrapper=True, cache=cache)
    assert (values["lut"], values["engine"], values["warnings"]) == (7, "group-by", ["too large"])
    with pytest.warns(sluice.SluiceWarning, match="too large"):
        sluice.report(sluice.parse(QUERY), "xcup", by_block=True, cache=cache)
    assert [call[1:] for call in calls] == [
        ("xc6v", True, cache, False),
        ("xcup", False, cache, True),
    ]
    assert capfd.readouterr() == ("", "")


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda query: sluice.report(query, "xcp"), "did you mean xcup?"),
        (lambda query: sluice.simulate(query, DATA, simulator="icaru"), "did you mean icarus?"),
        (lambda query: sluice.simulate(query, DATA, memory="ddr3"), "--memory is for engines"),
        (lambda query: sluice.simulate(query, DATA, engine="pane"), "engine pane cannot run"),
        (lambda query: sluice.generate(query, "x", board="ultra"), "unknown board ultra"),
        (lambda query: sluice.generate(query, "x", name=5), "name must be a str, not int"),
        (lambda query: sluice.report(query, 5), "target must be a str, not int"),
        (lambda query: sluice.simulate(query, DATA, simulator=5), "simulator must be a str, not"),
        (
            lambda query: sluice.simulate(query, DATA, simulator=None),
            "unknown simulator None;",
        ),
        (
            lambda query: sluice.simulate(query, DATA, memory=["m"]),
            "memory must be a str, not",
        ),
        (
            lambda query: sluice.simulate(query, DATA, seed=1.5),
            "seed must be a whole number",
        ),
    ],
)
def test_mistakes(call, message):
    with pytest.raises(sluice.UserError) as caught:
        call(sluice.parse(QUERY))
    assert message in str(caught.value)


def test_silent_progress(capfd):
    out = Silent()
    with out.step("a step", mute=True) as update:
        update("a detail")
    with warnings.catch_warnings(record=True) as raised:
        warnings.simplefilter("always")
        out.warn("one", "two")
    assert [str(warning.message) for warning in raised] == ["one", "two"]
    assert capfd.readouterr() == ("", "")

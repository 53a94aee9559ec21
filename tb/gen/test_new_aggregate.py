"""Applies the change of docs/aggregates.md to a copy of the tree, and simulates queries with it."""

import os
import random
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
ROOMS = (
    *("query", "caching", "golden", "rtl", "host", "boards", "sim", "gen", "sluice", "tb", "docs"),
)
QUERIES = {
    "swag": "SELECT g, spread(x), count(*) FROM S [ROWS 8 SLIDE 4] GROUP BY g;",
    "pane": "SELECT spread(x), sum(x) FROM S [RANGE 4 SLIDE 2 WATTR t SLACK 1];",
    "streamzip": "SELECT g, spread(x), max(x) FROM S [PARTITION BY g ROWS 4 SLIDE 2];",
}


def insert(path, marker, text):
    """Inserts ``text`` ahead of the only ``marker`` of a file."""
    content = path.read_text(encoding="utf-8")
    assert content.count(marker) == 1
    path.write_text(content.replace(marker, text + marker), encoding="utf-8")


@pytest.fixture(scope="module")
def tree(tmp_path_factory):
    """Returns a copy of the tree with the aggregate ``spread``: five files differ."""
    copy = tmp_path_factory.mktemp("tree")
    for room in ROOMS:
        shutil.copytree(ROOT / room, copy / room, ignore=shutil.ignore_patterns("__pycache__"))
    document = (ROOT / "docs" / "aggregates.md").read_text(encoding="utf-8")
    blocks = re.findall(r"^```(?:python|markdown)\n(.*?)^```$", document, re.MULTILINE | re.DOTALL)
    member, spark, hardware, model, row = blocks
    insert(copy / "query" / "aggregate.py", "    @property\n    def words", member + "\n")
    insert(copy / "query" / "aggregate.py", "    column_result,\n", "    EXACT_NUMBERS,\n")
    insert(copy / "query" / "aggregate.py", "    sum_result,\n", "    fraction_bits,\n")
    (copy / "golden" / "aggregates" / "spread.py").write_text(spark, encoding="utf-8")
    (copy / "rtl" / "aggregate" / "spread.py").write_text(hardware, encoding="utf-8")
    insert(copy / "tb" / "aggregates.py", "}\n\n\ndef plain_result", model)
    insert(copy / "docs" / "query-language.md", "| `avg(x)` |", row)
    return copy


SLUICE = "import sys; from gen.cli import main; sys.exit(main())"
REFUSALS = {
    ("swag", "results=select"): "results must be all for spread(x), not select",
    ("streamzip", "codec=grid"): "spread(x) cannot repeat a value",
}


def run(tree, *command, code=0):
    environment = os.environ | {"PYTHONPATH": str(tree)}
    process = subprocess.run(
        [sys.executable, *map(str, command)], cwd=tree, env=environment, capture_output=True,
        text=True, check=False,
    )  # fmt: skip
    assert process.returncode == code, process.stdout + process.stderr
    return process.stdout + process.stderr


@pytest.mark.in_turn
@pytest.mark.spark
@pytest.mark.long
@pytest.mark.parametrize(
    "engine", ["pane", *(pytest.param(n, marks=pytest.mark.regress) for n in ("swag", "streamzip"))]
)
def test_simulates(tree, engine):
    """The rows of the hardware equal those of PySpark; pane has windows without a tuple."""
    rng, place = random.Random(engine), tree / engine
    place.mkdir()
    schema = "CREATE INPUT STREAM S (t uint(16), g uint(2), x int(9));\n"
    (place / "q.cql").write_text(schema + QUERIES[engine], encoding="utf-8")
    times = sorted(rng.randrange(400) for _ in range(120))
    tuples = [f"{t},{rng.randrange(4)},{rng.choice((-256, 255, rng.randrange(99)))}" for t in times]
    (place / "d.csv").write_text("\n".join(["t,g,x", *tuples, ""]), encoding="utf-8")
    options = ("--engine", engine, "--input", place / "d.csv", "--rows", place / "r.csv")
    run(tree, "-c", SLUICE, "simulate", place / "q.cql", *options)
    rows = (place / "r.csv").read_text(encoding="utf-8").splitlines()
    assert "spread(x)" in rows[0]
    assert len(rows) > 20
    assert any(",," in row for row in rows) == (engine == "pane")  # NULL of a window without tuples


@pytest.mark.in_turn
@pytest.mark.parametrize(("engine", "option"), REFUSALS)
def test_options_that_ask_more_of_the_operator_are_refused(tree, engine, option):
    schema = "CREATE INPUT STREAM S (t uint(16), g uint(2), x int(32));\n"
    query = tree / f"{engine}.cql"
    query.write_text(schema + QUERIES[engine].replace(", max(x)", ""), encoding="utf-8")
    options = ("--engine", engine, "--set", option, "-o", tree / "made")
    output = run(tree, "-c", SLUICE, "generate", query, *options, code=2)
    assert REFUSALS[engine, option] in output


@pytest.mark.in_turn
def test_laws_and_table_hold(tree):
    """The five files suffice: every test that reads the table of models knows the aggregate."""
    tests = (
        "tb/query/test_aggregate.py",
        "tb/query/test_parser_errors.py",
        "tb/rtl/aggregate/test_operators.py",
        "tb/test_mirror.py",
    )
    output = run(tree, "-m", "pytest", "-q", "-p", "no:cacheprovider", "--rootdir", tree, *tests)
    assert "passed" in output


DRAWN = """
from tb.gen.fuzz import QUERIES, WORDS
from tb.gen.random_calls import design

print("spread" in WORDS, any("spread(b)" in query for query in QUERIES))
print(any("spread(v)" in design(number).items for number in range(100)))
"""


def test_random_command_lines_and_calls_contain_it(tree):
    assert run(tree, "-c", DRAWN).split() == ["True"] * 3

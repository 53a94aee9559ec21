"""Tests `sluice compare`: printed rows, exit codes and errors."""

import json

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

# Row 0 differs only without --query (1.50, 1.5), row 1 in k, row 2 in s, and A has no row 3.
A = "window,k,s\n0,a,1.50\n1,b,\n2,c,3\n"
B = 'window,k,s\n0,a,1.5\n1,"b\n",\n2,c,4\n3,d,5\n'
QUERY = (
    "CREATE INPUT STREAM S (k string(2), x fixed(8,8)); SELECT k, sum(x) AS s FROM S GROUP BY k;"
)


@pytest.fixture
def files(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for name, text in (("a.csv", A), ("b.csv", B), ("q.cql", QUERY), ("e.csv", "window,k,s\n")):
        (tmp_path / name).write_text(text)


def test_differences(files, sluice):
    code, out, err = sluice("compare", "a.csv", "b.csv", "--query", "q.cql")
    assert code == 1
    assert err == "sluice: check failed: 3 rows differ; the first is row 1\n"
    assert [" ".join(line.split()) for line in out.splitlines()] == [
        "3 rows in a.csv, 4 in b.csv",
        "the first differences between a.csv (A) and b.csv (B)",
        "row window k s",
        "1 A 1 b NULL",
        r'B "b\n"',
        "2 A 2 c 3",
        "B 4",
        "3 A no row",
        "B 3 d 5",
        "mismatches: 3",
    ]


def test_values_that_print_alike(files, sluice, tmp_path):
    """Line B leaves a value blank only if it equals the value of line A.

    So -0.0 beside 0.0, and an empty text, must be printed, and in their own columns.
    """
    for name, values in (("a", (0.0, 1.0)), ("b", (-0.0, 1.0))):
        table = pa.table({"window": [0, 1], "k": ["x", "y" if name == "a" else ""], "s": values})
        pq.write_table(table, tmp_path / f"{name}.parquet")
    code, out, _ = sluice("compare", "a.parquet", "b.parquet")
    assert code == 1
    lines = out.splitlines()[2:7]
    assert [" ".join(line.split()) for line in lines[1:]] == [
        "0 A 0 x 0.0",
        "B -0.0",
        "1 A 1 y 1.0",
        'B ""',
    ]
    column = {name: lines[0].index(name) for name in ("k", "s")}
    assert lines[1].index("x") == lines[4].index('""') == column["k"]
    assert lines[1].index("0.0") == lines[2].index("-0.0") == column["s"]


def test_texts_that_look_like_other_values(files, sluice, tmp_path):
    """Quotes tell NULL from the text NULL, and a line feed from a backslash and an n."""
    texts = {"a": [None, "", "a\nb", '"', "é"], "b": ["NULL", '""', "a\\nb", "'", "è"]}
    for name, column in texts.items():
        pq.write_table(pa.table({"k": column}), tmp_path / f"{name}.parquet")
    _, out, _ = sluice("compare", "a.parquet", "b.parquet")
    assert [line.split()[-1] for line in out.splitlines()[3:13]] == [
        *("NULL", '"NULL"'),
        *('""', r'"\"\""'),
        *(r'"a\nb"', r'"a\\nb"'),
        *(r'"\""', "'"),
        *("é", "è"),
    ]


def test_json_and_the_number_of_differences(files, sluice):
    code, out, _ = sluice("compare", "a.csv", "b.csv", "--show", 1, "--json")
    assert code == 1
    assert json.loads(out) == {
        "expected": "a.csv",
        "actual": "b.csv",
        "rows_expected": 3,
        "rows": 4,
        "mismatches": 4,
        "first": [
            {
                "row": 0,
                "expected": {"window": "0", "k": "a", "s": "1.50"},
                "actual": {"window": "0", "k": "a", "s": "1.5"},
            }
        ],
    }


def test_equal_files(files, sluice):
    assert sluice("compare", "a.csv", "a.csv") == (
        0,
        "3 rows in a.csv, 3 in a.csv\nmismatches: 0\n",
        "",
    )
    assert sluice("compare", "e.csv", "e.csv", "--show", 0) == (
        0,
        "0 rows in e.csv, 0 in e.csv\nmismatches: 0\n",
        "sluice: warning: no row was compared: e.csv and e.csv have none\n",
    )


def test_show_0_prints_no_rows(files, sluice):
    code, out, err = sluice("compare", "a.csv", "e.csv", "--show", 0)
    assert (code, out.splitlines()[1:]) == (1, ["mismatches: 3"])
    assert err == "sluice: check failed: 3 rows differ\n"


@pytest.mark.in_turn
@pytest.mark.spark
def test_on_a_master(files, sluice):
    code, out, err = sluice("compare", "a.csv", "b.csv", "--master", "local[2]", "--show", 2)
    assert (code, out.splitlines()[-1]) == (1, "mismatches: 4")
    assert err.splitlines()[-1] == "sluice: check failed: 4 rows differ; the first is row 0"
    arguments = ["a.csv", "b.csv", "--query", "q.cql", "--master", "local[2]"]
    code, out, err = sluice("compare", *arguments)
    assert (code, out.splitlines()[-1]) == (1, "mismatches: 3")  # 1.50 of fixed(8,8) is 1.5
    assert err.splitlines()[-1] == "sluice: check failed: 3 rows differ; the first is row 1"


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["a.csv"], "Missing argument 'B'."),
        (["a.csv", "c.csv"], "c.csv: there is no such file"),
        (["a.csv", "q.cql"], "q.cql: rows must be in a .csv, .csv.gz or .parquet file"),
        (
            ["a.csv", "b.csv", "--query", "n.cql"],
            "n.cql: cannot be read: No such file or directory",
        ),
        (["a.csv", "b.csv", "--master", "x"], "Invalid value for '--master': must be local"),
        (["a.csv", "a.csv", "--query", "q.cql", "--show", "-1"], "Invalid value for '--show'"),
    ],
)
def test_mistakes(arguments, message, files, sluice):
    code, out, err = sluice("compare", *arguments)
    assert (code, out, len(err.splitlines())) == (2, "", 1)
    assert err.startswith(f"sluice: {message}")

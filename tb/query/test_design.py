"""Checks design points: the effect of the file and the options, and the refusal of bad ones."""

from pathlib import Path

import pytest

from query.design import load, settings, value
from query.errors import UserError
from query.parser import load as load_query

EXAMPLES = Path(__file__).parents[2] / "examples"
CQL = "CREATE INPUT STREAM S (a int, b int);\nSELECT a, max(b) FROM S GROUP BY a;\n"


@pytest.fixture
def write(tmp_path):
    """Writes ``q.cql`` in a subfolder of the folder of ``point.toml``; returns ``point.toml``."""

    def write(text):
        (tmp_path / "queries").mkdir()
        (tmp_path / "queries" / "q.cql").write_text(CQL)
        path = tmp_path / "point.toml"
        path.write_text(text)
        return path

    return write


def test_query_alone():
    point = load(EXAMPLES / "cluster_groupby.cql")
    assert point.query == load_query(EXAMPLES / "cluster_groupby.cql")
    assert (point.name, point.engine, point.board) == ("cluster_groupby", None, None)
    assert point.parameters == {}


def test_example_point():
    point = load(EXAMPLES / "cluster_groupby.toml")
    assert point.query == load_query(EXAMPLES / "cluster_groupby.cql")
    assert (point.engine, point.board) == ("group-by", None)
    assert point.parameters == {"lanes": 4, "results": "all"}


def test_every_example_point_loads():
    points = [load(path) for path in sorted(EXAMPLES.glob("*.toml"))]
    assert "cluster_groupby" in [point.name for point in points]


def test_query_is_found_beside_the_point(write, monkeypatch):
    path = write('query = "queries/q.cql"\nboard = "de5-net"\n')
    monkeypatch.chdir("/")
    point = load(path)
    assert point.query_file == path.parent / "queries" / "q.cql"
    assert (point.name, point.board) == ("point", "de5-net")


def test_options_override(write):
    text = 'query = "queries/q.cql"\nengine = "group-by"\n[parameters]\nlanes = 4\nscan = "x"\n'
    point = load(write(text))
    changed = point.override(engine="swag", parameters={"lanes": "8", "deep": "true", "k": 3})
    assert (changed.engine, changed.board) == ("swag", None)
    assert changed.parameters == {"lanes": 8, "scan": "x", "deep": True, "k": 3}
    assert point.parameters == {"lanes": 4, "scan": "x"}
    assert point.override() == point


def test_parameters_are_read_only():
    point = load(EXAMPLES / "cluster_groupby.toml")
    with pytest.raises(TypeError):
        point.parameters["lanes"] = 8


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("4", 4),
        ("-12", -12),
        ("true", True),
        ("False", False),
        ("sklansky", "sklansky"),
        ("4x", "4x"),
        ("1.5", "1.5"),
        ("", ""),
    ],
)
def test_values(text, expected):
    assert value(text) == expected
    assert type(value(text)) is type(expected)


def test_settings():
    assert settings(["lanes=8", "scan = sklansky", "note=a=b", "lanes = +8"]) == {
        "lanes": 8,
        "scan": "sklansky",
        "note": "a=b",
    }


@pytest.mark.parametrize("texts", [["a=true", "a=1"], ["a=0", "a=false"], ["a=1", "a=2"]])
def test_two_values_of_a_setting(texts):
    with pytest.raises(UserError, match=r"a is set to both .* and .*: leave one of the settings"):
        settings(texts)


@pytest.mark.parametrize("text", ["lanes", "=4", ""])
def test_settings_refused(text):
    with pytest.raises(UserError) as caught:
        settings([text])
    assert str(caught.value) == f"a setting must be name=value, not {text}"


@pytest.mark.parametrize(
    ("text", "place", "message"),
    [
        (
            'query = "queries/q.cql"\n\nengin = "group-by"\n',
            ":3",
            "unknown key engin; did you mean engine?",
        ),
        (
            '# lanes = 4\nquery = "queries/q.cql"\nlanes = 4\n',
            ":3",
            "unknown key lanes; known are query, engine, board, parameters",
        ),
        (
            'query = "queries/q.cql"\n[parameter]\nlanes = 4\n',
            ":2",
            "unknown key parameter; did you mean parameters?",
        ),
        ('query = "queries/q.cql"\nengine = 3\n', ":2", "engine must be a string, not 3"),
        (
            'query = "queries/q.cql"\n[parameters]\nbus_bits = 64\n[bus]\nbus_bits = 128\n',
            ":3",
            "bus_bits is set to 64 in [parameters] and to 128 in [bus]: leave one of the settings",
        ),
        (
            'query = "queries/q.cql"\nparameters = 3\n',
            ":2",
            "parameters must be a table [parameters], not 3",
        ),
        (
            'query = "queries/q.cql"\n[parameters]\nlanes = [4]\n',
            ":3",
            "lanes must be a whole number, true, false or a string, not [4]",
        ),
        (
            'query = "queries/q.cql"\n[parameters]\nwidth = 1\n[bus]\nwidth = 1.5\n',
            ":5",
            "width must be a whole number, true, false or a string, not 1.5",
        ),
        (
            'bus.width = 1.5\nquery = "queries/q.cql"\n[parameters]\nwidth = 1\n',
            ":1",
            "width must be a whole number, true, false or a string, not 1.5",
        ),
        ('engine = "group-by"\n', "", 'must name its query, as in query = "name.cql"'),
        ('query = ""\n', "", 'query must be the name of a file, as in query = "name.cql"'),
        # In Python True equals 1.
        (
            'query = "queries/q.cql"\n[parameters]\nnetwork = true\n[bus]\nnetwork = 1\n',
            ":3",
            "network is set to true in [parameters] and to 1 in [bus]",
        ),
        ('query = "queries/q.cql"\nengine "swag"\n', ":2:8", "Expected '=' after a key"),
    ],
)
def test_refused(write, text, place, message):
    path = write(text)
    with pytest.raises(UserError) as caught:
        load(path)
    assert str(caught.value).startswith(f"{path}{place}: {message}")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("lanes = 9223372036854775808\n", ":3: lanes must be a number of 64 bits or fewer, not 92"),
        (f"lanes = {'9' * 5000}\n", ": a number must have 64 bits or fewer"),
        (f"lanes = {'[' * 5000}\n", ": is nested too deeply"),
        (f"lanes{'.a' * 1200} = 1\n", ":3: lanes must be a whole number, true, false or a string"),
        (f"lanes{'.a' * 1200} = 1\n[bus]\nlanes{'.a' * 1200} = 1\n", ":3: lanes must be a whole"),
        ("# \u2028 no end of a line\nlanes = []\n", ":4: lanes must be a whole number"),
        ('lanes = ["""a\nb"""]\n', ":3: lanes must be a whole number, true, false or a string"),
    ],
    ids=[
        "65 bits",
        "5000 digits",
        "5000 brackets",
        "1200 tables",
        "1200 tables twice",
        "a line separator",
        "two lines",
    ],
)
def test_values_out_of_bounds(write, text, message):
    path = write(f'query = "queries/q.cql"\n[parameters]\n{text}')
    with pytest.raises(UserError) as caught:
        load(path)
    assert str(caught.value).startswith(f"{path}{message}")
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("text", ["9223372036854775808", "-9223372036854775809", "1" * 5000])
def test_settings_of_more_than_64_bits(text):
    with pytest.raises(UserError, match="a setting must be a number of 64 bits or fewer, not"):
        settings([f"lanes={text}"])
    assert settings(["lanes=-9223372036854775808"]) == {"lanes": -(2**63)}


def test_byte_order_marks(write):
    path = write('\ufeffquery = "queries/q.cql"\n')
    plain = load(path).query
    (path.parent / "queries" / "q.cql").write_text("\ufeff" + CQL, encoding="utf-8")
    assert load(path).query == plain


def test_missing_query_is_named(write):
    path = write('query = "queries/other.cql"\n')
    with pytest.raises(UserError) as caught:
        load(path)
    assert caught.value.file == str(path.parent / "queries" / "other.cql")


def test_error_in_the_query_names_the_query_file(write):
    path = write('query = "queries/q.cql"\n')
    (path.parent / "queries" / "q.cql").write_text(CQL.replace("max(b)", "max(c)"))
    with pytest.raises(UserError) as caught:
        load(path)
    expected = path.parent / "queries" / "q.cql"
    assert str(caught.value) == f"{expected}:2:15: unknown column c; known are a, b"


def test_other_suffix():
    with pytest.raises(UserError, match=r"query\.sql: a query must be a \.cql or \.toml file"):
        load("query.sql")

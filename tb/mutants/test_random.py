"""Checks random mutants: the changes of a source, the nearest tests, and the outcomes."""

import shutil
from itertools import islice

import pytest

from tb.mutants.catalogue import DATA, ROOT
from tb.mutants.changes import changes_of
from tb.mutants.nearest import Imports
from tb.mutants.random import TURNS, Examiner, drawn, explanations, lines_of, main, report
from tb.mutants.runner import Runner

SOURCE = '''"""A text with 1 + 1 in it."""

from amaranth.hdl import Mux


def double(x: "int | None" = 2):
    """Returns twice x."""
    if not x:
        raise ValueError(f"{x + 1} is not " + "2")
    found = [x, x] + [x]
    return Mux(x > 3, x & 7 | 8, sum(found) - x)
'''

#: The changed line of every change of SOURCE.
CHANGES = {
    'def double(x: "int | None" = 3):',
    'def double(x: "int | None" = 1):',
    "if (x):",
    "if not (not x):",
    "found = [x] + [x]",
    "found = [x, x] - [x]",
    "found = [x, x] | [x]",
    "found = ([x, x])",
    "found = ([x])",
    "return Mux(x >= 3, x & 7 | 8, sum(found) - x)",
    "return Mux(x > 4, x & 7 | 8, sum(found) - x)",
    "return Mux(x > 2, x & 7 | 8, sum(found) - x)",
    "return Mux(x > 3, x | 7 | 8, sum(found) - x)",
    "return Mux(x > 3, x & 8 | 8, sum(found) - x)",
    "return Mux(x > 3, x & 6 | 8, sum(found) - x)",
    "return Mux(x > 3, (x) | 8, sum(found) - x)",
    "return Mux(x > 3, (7) | 8, sum(found) - x)",
    "return Mux(x > 3, x & 7 & 8, sum(found) - x)",
    "return Mux(x > 3, x & 7 ^ 8, sum(found) - x)",
    "return Mux(x > 3, x & 7 | 9, sum(found) - x)",
    "return Mux(x > 3, x & 7 | 7, sum(found) - x)",
    "return Mux(x > 3, (x & 7), sum(found) - x)",
    "return Mux(x > 3, (8), sum(found) - x)",
    "return Mux(x > 3, x & 7 | 8, sum(found) + x)",
    "return Mux(x > 3, sum(found) - x, x & 7 | 8)",
}


def test_changes_of_a_source():
    """Texts, ``raise`` statements and annotations have no changes."""
    changes = changes_of("rtl/double.py", SOURCE)
    assert {lines_of(change, SOURCE)[2] for change in changes} == CHANGES
    for change in changes:
        assert change.is_python(SOURCE)
        assert change.diff(SOURCE).count("\n") == 1
        old_line = SOURCE.splitlines()[change.line(SOURCE) - 1]
        assert old_line.strip() == lines_of(change, SOURCE)[1]


def test_terms_and_elements_by_name():
    text = "a = b and c or d\nx = [\n    1.5,  # first\n    2.5,\n]\nwhile a != b: pass\n"
    changes = {(c.kind, c.applied(text)) for c in changes_of("gen/x.py", text)}
    kinds = {
        "term": {"a = (d)\n", "a = (b and c)\n", "a = (c) or d\n", "a = (b) or d\n"},
        "element": {"x = [\n    2.5,\n]\n", "x = [\n    1.5,\n]\n"},
        "comparison": {"while a == b: pass\n"},
        "not": {"while not (a != b): pass\n"},
    }
    parts = [
        "a = b and c or d\n",
        "x = [\n    1.5,  # first\n    2.5,\n]\n",
        "while a != b: pass\n",
    ]
    expected = set()
    for kind, news in kinds.items():
        at = {"term": 0, "element": 1}.get(kind, 2)
        expected |= {(kind, "".join([*parts[:at], new, *parts[at + 1 :]])) for new in news}
    assert changes == expected


@pytest.mark.in_turn
def test_the_same_seed_draws_the_same_mutants_of_all_folders():
    changes = list(islice(drawn(ROOT, 7), 40))
    assert [change.file.split("/")[0] for change in changes] == [*TURNS * 4]
    assert changes == list(islice(drawn(ROOT, 7), 40))
    assert changes != list(islice(drawn(ROOT, 8), 40))
    assert len({change.kind for change in changes}) == 7


FILES = {
    "rtl/__init__.py": "",
    "rtl/part/__init__.py": "",
    "rtl/part/double.py": "def double(x):\n    return x + x\n\n\ndef same(x):\n    return x + 0\n",
    "rtl/part/twice.py": "from .double import double\n\ntwice = double\n",
    "rtl/part/deep.py": "from rtl.part.deeper import M, x\n\nN = 4 + M[0] - M[0]\n",
    "rtl/part/alone.py": "",
    "rtl/part/deeper.py": "x = 1\nassert x < 2\nM = [5, 6]\n",
    "tb/__init__.py": "",
    "tb/rtl/__init__.py": "",
    "tb/rtl/part/__init__.py": "",
    "tb/rtl/part/bench.py": "from rtl.part.double import double, same\n",
    "tb/rtl/part/test_double.py": "from tb.rtl.part.bench import double\n\n"
    "def test_double():\n    assert double(3) == 6\n",
    "tb/rtl/part/test_a.py": "from rtl.part import twice\n\ndef test_a():\n    assert twice\n",
    "tb/rtl/part/test_deep.py": "from rtl.part.deep import N\n\nassert N < 9\n\n"
    "def test_deep():\n    pass\n",
    "tb/mutants/__init__.py": "",
    "pyproject.toml": '[tool.pytest.ini_options]\naddopts = "--import-mode=importlib"\n'
    'markers = ["regress", "long", "hdl", "spark"]\n',
}


@pytest.fixture
def tree(tmp_path):
    """Returns a tree of five sources and their tests."""
    for name, text in FILES.items():
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    shutil.copy(DATA / "clock.py", tmp_path / "tb/mutants")
    return tmp_path


def test_nearest_tests(tree):
    """A bench counts as part of its test; tests with indirect imports come later. A source that no
    test imports has all tests."""
    imports = Imports(tree)
    tests = ["tb/rtl/part/test_double.py", "tb/rtl/part/test_a.py"]
    assert imports.nearest("rtl/part/double.py") == tests
    assert imports.distances("rtl/part/double.py") == {tests[0]: 1, tests[1]: 2}
    assert imports.nearest("rtl/part/deeper.py") == ["tb/rtl/part/test_deep.py"]
    all_tests = [f"tb/rtl/part/test_{name}.py" for name in ("a", "deep", "double")]
    assert imports.nearest("rtl/part/alone.py") == all_tests


def verdict(tree, file, line, **options):
    """Returns the verdict on the change of a file that makes the line ``line``."""
    text = (tree / file).read_text()
    changes = [c for c in changes_of(file, text) if lines_of(c, text)[2] == line]
    with Runner(tree) as runner:
        return Examiner(runner, tree, **options).verdict(changes[0])


@pytest.mark.in_turn
def test_killed_by_the_first_test_that_fails(tree):
    result = verdict(tree, "rtl/part/double.py", "return x - x")
    assert (result.outcome, result.reason) == (
        "killed",
        "tb/rtl/part/test_double.py::test_double - assert 0 == 6",
    )
    assert report(3, result, tree).splitlines()[:3] == [
        f"killed    3 rtl/part/double.py:2 operator, {result.seconds:.0f} s",
        "    -    return x + x",
        "    +    return x - x",
    ]


@pytest.mark.in_turn
def test_survivors_may_be_explained(tree):
    change = "rtl/part/double.py", "return x + 0", "return x - 0"
    result = verdict(tree, change[0], change[2])
    assert (result.outcome, result.reason) == ("survived", "last test file: tb/rtl/part/test_a.py")
    result = verdict(tree, change[0], change[2], explained={change: "x - 0 is x"})
    assert (result.outcome, result.reason) == ("explained", "x - 0 is x")


def test_a_change_that_cannot_be_imported_is_skipped(tree):
    assert verdict(tree, "rtl/part/deeper.py", "x = 2").outcome == "skipped"


@pytest.mark.in_turn
def test_a_change_whose_import_hangs_is_skipped(tree, monkeypatch):
    monkeypatch.setattr("tb.mutants.random.IMPORT_SECONDS", 2)
    (tree / "rtl/part/loops.py").write_text("x = 1\nwhile x < 1:\n    pass\n")
    result = verdict(tree, "rtl/part/loops.py", "while x <= 1:")
    assert (result.outcome, result.reason) == ("skipped", "its import hangs")


@pytest.mark.in_turn
def test_a_survivor_says_that_the_limit_stopped_its_tests(tree, monkeypatch):
    path = tree / "tb/rtl/part/test_double.py"
    slow = "    from time import process_time\n    while process_time() < 4: pass\n"
    path.write_text(f"def test_first():\n{slow}{FILES['tb/rtl/part/test_double.py']}")
    monkeypatch.setattr("tb.mutants.random.FILES", 1)
    result = verdict(tree, "rtl/part/double.py", "return x - x", limit=3)
    assert (result.outcome, result.reason) == (
        "survived",
        "stopped at the limit; no test file ran after tb/rtl/part/test_double.py",
    )


def test_a_test_file_that_cannot_be_collected_is_a_kill(tree):
    result = verdict(tree, "rtl/part/deep.py", "N = 4 + M[0] + M[0]")
    assert result.outcome == "killed"
    assert result.reason.startswith("tb/rtl/part/test_deep.py - ")


def test_a_test_that_fails_anyway_is_an_error(tree):
    path = tree / "tb/rtl/part/test_double.py"
    path.write_text(FILES["tb/rtl/part/test_double.py"].replace("== 6", "== 7"))
    result = verdict(tree, "rtl/part/double.py", "return x - 0")
    assert result.outcome == "error"
    assert result.reason.startswith("fails without the change, too: tb/rtl/part/test_double.py")


@pytest.mark.in_turn
def test_a_test_that_hangs_is_killed(tree, monkeypatch):
    monkeypatch.setattr("tb.mutants.random.TEST_LIMIT", 1)
    path = tree / "tb/rtl/part/test_double.py"
    path.write_text(FILES["tb/rtl/part/test_double.py"] + "    while double(1) != 2: pass\n")
    path.write_text(path.read_text().replace("assert double(3) == 6", "pass"))
    result = verdict(tree, "rtl/part/double.py", "return x - x")
    assert result.outcome == "killed"
    assert result.reason.endswith("took more than 1 s of the processor")


def test_every_explanation_is_of_a_change_of_the_tree():
    """Each entry's old line exists, and one of its changes is the entry's new line."""
    results = explanations()
    assert results
    for file, before, after in results:
        text = (ROOT / file).read_text(encoding="utf-8")
        changes = {lines_of(c, text)[1:] for c in changes_of(file, text)}
        assert (before, after) in changes, f"{file}: {before}"


def test_arguments_that_are_wrong():
    cases = ["--folder docs", "--count x", "--count 0", "--skip -1", "--limit 0", "--limit 0.5"]
    for arguments in map(str.split, cases):
        with pytest.raises(SystemExit) as raised:
            main(arguments)
        assert raised.value.code == 2

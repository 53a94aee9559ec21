"""Checks which files count as importers of a file, and which test is nearest, on small trees."""

import pytest

from tb.mutants.nearest import Imports

TEST = "tb/rtl/part/test_loader.py"
FILES = {
    "rtl/part/far.py": "",
    "rtl/part/other.py": "",
    "rtl/part/loader.py": "",
    TEST: "from rtl.part import loader\n",
}


def tree(folder, **files):
    for name, text in (FILES | files).items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return Imports(folder)


@pytest.mark.parametrize(
    ("text", "is_loaded"),
    [
        ("from .far import x", True),
        ("from ..part.far import x", True),
        ("from ..far import x", False),
        ("from rtl.part import far", True),
        ('NAME = "rtl.part.far"', True),
        ('NAME = ".far"', True),
        ('NAME = "far.py"', True),
        ('NAME = "far"', False),
        ('NAME = "rtl.part.far is a file"', False),
        ('"""rtl.part.far"""', False),
        ('module = import_module(f"rtl.part.{name}")', True),
        ('module = import_module(f"rtl.parts.{name}")', False),
        ('module = import_module(f"{name}.entry")', False),
        ('PROGRAM = "import sys; from rtl.part import far; sys.exit(far)"', True),
        ('PROGRAM = """\n    import rtl.part.far\n    print(1)\n    """', True),
        ('LINE = "from rtl.part import far"', False),  # imports alone are not a program
    ],
)
def test_what_a_file_loads(tmp_path, text, is_loaded):
    imports = tree(tmp_path, **{"rtl/part/loader.py": text + "\n"})
    assert imports.distances("rtl/part/far.py") == ({TEST: 2} if is_loaded else {})


def test_fixtures_belong_to_the_tests_that_use_them(tmp_path):
    conftest = "from rtl.part import far\n\n@pytest.fixture\ndef engine():\n    return far\n"
    used = "def test_a(engine):\n    pass\n"
    names = {"tb/rtl/test_used.py": used, "tb/rtl/part/test_below.py": used}
    names |= {"tb/test_above.py": used, "tb/rtl/test_unused.py": "def test_b(tmp_path): pass\n"}
    imports = tree(tmp_path, **{"tb/rtl/conftest.py": conftest}, **names)
    assert sorted(imports.distances("rtl/part/far.py")) == sorted(list(names)[:2])


def test_a_bench_belongs_to_its_test(tmp_path):
    """The import of a bench counts no step, so both tests are as near as each other."""
    bench, user = "from rtl.part import far\n", "from tb.rtl import bench\n"
    imports = tree(tmp_path, **{"tb/rtl/bench.py": bench, "tb/rtl/test_user.py": user, TEST: bench})
    assert imports.distances("rtl/part/far.py") == {"tb/rtl/test_user.py": 1, TEST: 1}


def test_the_test_of_the_table_comes_first(tmp_path):
    """Without the table the test of the same room comes first."""
    tests = {
        f"tb/rtl/{place}.py": "from rtl.part import far\n" for place in ("part/test_a", "test_b")
    }
    assert tree(tmp_path, **tests).nearest("rtl/part/far.py") == list(tests)
    (tmp_path / "tb/rtl/covered_by.toml").write_text('"rtl/part/far.py" = "tb/rtl/test_b.py"\n')
    assert Imports(tmp_path).nearest("rtl/part/far.py") == list(tests)[::-1]

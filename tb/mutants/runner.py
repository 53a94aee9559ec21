"""Runs the tests of mutants, each in a copy of the tree that is removed afterwards."""

import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

from caching.entries import build_once, content_key, find_entry
from tb.mutants.catalogue import ROOT, Mutant, MutantError

#: Folders and files that a copy of the tree contains: everything that a test may need.
PARTS = ("query", "caching", "golden", "rtl", "boards", "host", "sim", "gen", "sluice", "tb")
PARTS += ("examples", "docs", "README.md", "pyproject.toml")
PASSED, FAILED = 0, 1  # pytest's exit codes

#: Processor seconds after which the tests of a mutant are stopped.
LIMIT = 40
#: Tests are also stopped after this multiple of the limit in seconds of real time.
PATIENCE = 10

#: Errors by which a test notices a mistake. Any other exception means that nothing was simulated,
#: for example because the mutant is invalid Python, and does not kill the mutant.
NOTICED = re.compile(r"(assert\b|AssertionError|[\w.]*ProtocolError|[\w.]*HangError|Failed: )")


@dataclass(frozen=True, kw_only=True)
class Verdict:
    """Outcome of a mutant's tests: ``killed``, ``survived`` or ``error``.

    Attributes
    ----------
    mutant : Mutant
    outcome : str
    reason : str
        The failed test and its error, or why the outcome is an error.
    seconds : float
        Processor seconds.
    """

    mutant: Mutant
    outcome: str
    reason: str
    seconds: float


class Runner:
    """Runs tests in copies of the tree, and removes all copies and processes at the end.

    Parameters
    ----------
    root : Path
        The tree. Each copy has its own cache, so no mutant affects another mutant or the tree.
    cache : Path
        Folder that records which tests pass in the tree without a mutant.
    limit : float
        Processor seconds for the tests of a mutant.
    shared : sequence of str
        Folders of the tree's cache that all copies share, with entries that no mutant can change.
    variables : dict of str to str or None
        Further variables of the environment of all tests.
    """

    def __init__(self, root=ROOT, cache=None, limit=LIMIT, shared=(), variables=None):
        self._root = Path(root)
        self._limit = limit
        self._shared = shared
        self._variables = variables or {}
        self._cache = Path(cache or self._root / ".cache" / "mutants")
        self._running = set()
        self._is_ended = False
        self._place = tempfile.TemporaryDirectory(prefix="sluice-mutants.")
        self._pristine = Path(self._place.name) / "pristine"

    def __enter__(self):
        _copy(self._root, self._pristine)
        for name in self._shared:
            folder = self._root / ".cache" / name
            folder.mkdir(parents=True, exist_ok=True)
            (self._pristine / ".cache").mkdir(exist_ok=True)
            (self._pristine / ".cache" / name).symlink_to(folder)
        return self

    def __exit__(self, *_):
        """Kills all running tests, also after Ctrl-C, and removes all copies."""
        self.end()
        self._place.cleanup()

    def end(self):
        """Kills all running tests, and all tests that start later."""
        self._is_ended = True
        for process in tuple(self._running):
            _kill(process)

    def run(self, mutants, *, at_a_time=2):
        """Yields a :class:`Verdict` for each mutant, in the same order.

        Raises MutantError when a test fails without a mutant, or a mutant is invalid.
        """
        for mutant in mutants:
            mutant.mutated((self._pristine / mutant.file).read_text(encoding="utf-8"))
        self._check_unmutated(sorted({test for mutant in mutants for test in mutant.tests}))
        pool = ThreadPoolExecutor(at_a_time)
        try:
            yield from pool.map(self.verdict, mutants)
        except BaseException:
            self.end()
            raise
        finally:
            pool.shutdown(cancel_futures=True)

    def verdict(self, mutant):
        """Applies a mutant to a copy of the tree, and runs the mutant's tests in the copy."""
        with self.copied() as tree:
            mutant.make(tree)
            code, seconds, output = self.pytest(tree, mutant.tests, self._limit)
        outcome, reason = _judged(mutant, code, output)
        return Verdict(mutant=mutant, outcome=outcome, reason=reason, seconds=seconds)

    def _check_unmutated(self, tests):
        """Raises MutantError if a test fails without a mutant; the cache records passed tests."""
        tree = content_key(*_contents(self._pristine))
        keys = {test: content_key(tree, test) for test in tests}
        new = [test for test in tests if find_entry(self._cache, keys[test]) is None]
        if not new:
            return
        with self.copied() as copy:
            code, _, output = self.pytest(copy, new, self._limit * len(new))
        if code != PASSED:
            failure = first_failure(output) or " ".join(output.split())[-300:]
            raise MutantError(f"without a mutant: {failure}")
        for test in new:
            build_once(self._cache, keys[test], lambda directory: None)

    @contextmanager
    def copied(self):
        """Provides a copy of the tree, which is removed afterwards."""
        tree = Path(tempfile.mkdtemp(dir=self._place.name))
        try:
            shutil.copytree(self._pristine, tree, symlinks=True, dirs_exist_ok=True)
            yield tree
        finally:
            shutil.rmtree(tree, ignore_errors=True)

    def pytest(self, tree, tests, limit, options=(), variables=None):
        """Runs pytest; returns exit code (None if the time limit was reached), seconds and output.

        Parameters
        ----------
        tree : Path
            The copy in which the tests run.
        tests : sequence of str
            Paths, or names of tests.
        limit : float
            Processor seconds.
        options : sequence of str
            Further options of pytest.
        variables : dict of str to str or None
            Further variables of the environment.
        """
        common = ["-q", "-x", "--tb=no", "-p", "no:cacheprovider", "-p", "no:xdist"]
        command = [sys.executable, "-m", "pytest", *common, *options, *tests]
        limited = ["sh", "-c", 'ulimit -t "$0" && exec "$@"', str(int(limit)), *command]
        environment = os.environ | {"PYTHONPATH": str(tree), "COLUMNS": "400"}
        environment = {k: v for k, v in environment.items() if not k.startswith("PYTEST_")}
        environment |= self._variables | (variables or {})
        with tempfile.TemporaryFile() as output:
            process = subprocess.Popen(
                limited,
                cwd=tree,
                env=environment,
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=subprocess.STDOUT,
                start_new_session=True,
            )
            self._running.add(process)
            try:
                if self._is_ended:  # `end` was called while the process started
                    _kill(process)
                code, seconds = _wait(process, PATIENCE * limit)
            finally:
                self._running.discard(process)
            output.seek(0)
            return code, seconds, output.read().decode(errors="replace")


def _copy(root, target):
    ignore = shutil.ignore_patterns("__pycache__", "*.egg-info")
    target.mkdir()
    for part in PARTS:
        if (root / part).is_dir():
            shutil.copytree(root / part, target / part, ignore=ignore)
        elif (root / part).is_file():
            shutil.copy2(root / part, target / part)


def _contents(tree):
    """Yields path and content of each file except the lists of mutants, which tests do not read."""
    for path in sorted(tree.rglob("*")):
        relative = path.relative_to(tree)
        mutants = relative.parts[:2] == ("tb", "mutants") and relative.suffix == ".toml"
        if path.is_file() and not mutants:
            yield relative
            yield path.read_bytes()


def _wait(process, patience):
    """Waits for a process; returns exit code (None if the limit was reached) and seconds."""
    end = time.monotonic() + patience
    while True:
        pid, status, usage = os.wait4(process.pid, os.WNOHANG)
        if pid:
            process.returncode = os.waitstatus_to_exitcode(status)
            code = process.returncode
            stopped = code in (-signal.SIGXCPU, -signal.SIGKILL)
            return None if stopped else code, usage.ru_utime + usage.ru_stime
        if time.monotonic() > end:
            _kill(process)
            end = float("inf")
        time.sleep(0.05)


def _kill(process):
    with suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)


def _judged(mutant, code, output):
    """Returns the outcome of a mutant's tests, and the reason."""
    failure = first_failure(output)
    if code is None:
        return ("killed" if mutant.hangs else "error"), "time was up"
    if code == PASSED:
        return "survived", f"{', '.join(mutant.tests)} passed"
    if code != FAILED or failure is None:
        return "error", f"pytest ended with {code}: {' '.join(output.split())[-300:]}"
    if not NOTICED.match(failure.partition(" - ")[2]):
        return "error", f"nothing was simulated: {failure}"
    return "killed", failure


def first_failure(output):
    """Returns the first failed test and its error from pytest's summary, or None."""
    match = re.search(r"^(?:FAILED|ERROR) (.*)$", output, re.MULTILINE)
    return match[1].strip() if match else None

"""Runs the tests of mutants, each in a copy of the tree that is gone when it is over."""

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

#: What a copy has of the tree: all that a test of the program can need.
PARTS = ("query", "caching", "golden", "rtl", "boards", "host", "sim", "gen", "tb")
PARTS += ("examples", "docs", "README.md", "pyproject.toml")
PASSED, FAILED = 0, 1  # pytest's exit codes

#: Processor seconds, and as many times as long on the clock, after which tests are given up.
LIMIT, PATIENCE = 40, 10

#: How a test ends that has noticed something. Any other exception says that nothing was simulated,
#: as a mistake in the text of a mutant would: that is no kill.
NOTICED = re.compile(r"(assert\b|AssertionError|[\w.]*ProtocolError|[\w.]*HangError|Failed: )")


@dataclass(frozen=True, kw_only=True)
class Verdict:
    """What became of a mutant: ``killed``, ``survived`` or ``error``.

    Attributes
    ----------
    mutant : Mutant
    outcome : str
    reason : str
        The test that failed and how, or what is wrong.
    seconds : float
        Of the processor.
    """

    mutant: Mutant
    outcome: str
    reason: str
    seconds: float


class Runner:
    """A place for copies, and the processes in them: none of either is left behind it.

    Parameters
    ----------
    root : Path
        The tree. What is built in a copy is cached in the copy, so no mutant reaches another's
        cache, nor that of the tree.
    cache : Path
        Where to keep which tests pass in the tree as it is.
    limit : float
        Processor seconds for the tests of a mutant.
    """

    def __init__(self, root=ROOT, cache=None, limit=LIMIT):
        self._root, self._limit = Path(root), limit
        self._cache = Path(cache or self._root / ".cache" / "mutants")
        self._running, self._over = set(), False
        self._place = tempfile.TemporaryDirectory(prefix="sluice-mutants.")
        self._pristine = Path(self._place.name) / "pristine"

    def __enter__(self):
        _copy(self._root, self._pristine)
        return self

    def __exit__(self, *_):
        """Ends what still runs, also after Ctrl-C, and removes all copies."""
        self.end()
        self._place.cleanup()

    def end(self):
        """Ends all tests that run, and those that would be begun."""
        self._over = True
        for process in tuple(self._running):
            _kill(process)

    def run(self, mutants, *, at_a_time=2):
        """Yields a :class:`Verdict` for each, in their order.

        Raises MutantError when a test does not pass without any mutant, or one does not apply.
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
        """Applies one mutant to a copy of its own, and runs its tests there."""
        with self.copied() as tree:
            mutant.make(tree)
            code, seconds, told = self.pytest(tree, mutant.tests, self._limit)
        outcome, reason = _judged(mutant, code, told)
        return Verdict(mutant=mutant, outcome=outcome, reason=reason, seconds=seconds)

    def _check_unmutated(self, tests):
        """All tests pass as long as there is no mutant; those that did are not asked again."""
        tree = content_key(*_contents(self._pristine))
        keys = {test: content_key(tree, test) for test in tests}
        new = [test for test in tests if find_entry(self._cache, keys[test]) is None]
        if not new:
            return
        with self.copied() as copy:
            code, _, told = self.pytest(copy, new, self._limit * len(new))
        if code != PASSED:
            failure = first_failure(told) or " ".join(told.split())[-300:]
            raise MutantError(f"without a mutant: {failure}")
        for test in new:
            build_once(self._cache, keys[test], lambda directory: None)

    @contextmanager
    def copied(self):
        """A copy of the tree, which is removed afterwards."""
        tree = Path(tempfile.mkdtemp(dir=self._place.name))
        try:
            shutil.copytree(self._pristine, tree, dirs_exist_ok=True)
            yield tree
        finally:
            shutil.rmtree(tree, ignore_errors=True)

    def pytest(self, tree, tests, limit, options=(), variables=None):
        """Exit code, processor seconds and output of pytest; the code is None when time is up.

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
        environment |= variables or {}
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
                if self._over:  # since the loop over what was running
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
    """Path and content of each file; what mutants there are does not change how tests end."""
    for path in sorted(tree.rglob("*")):
        inside = path.relative_to(tree)
        mutants = inside.parts[:2] == ("tb", "mutants") and inside.suffix == ".toml"
        if path.is_file() and not mutants:
            yield inside
            yield path.read_bytes()


def _wait(process, patience):
    """Exit code, None when time was up, and processor seconds."""
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


def _judged(mutant, code, told):
    """The outcome, and the reason for it."""
    failure = first_failure(told)
    if code is None:
        return ("killed" if mutant.hangs else "error"), "time was up"
    if code == PASSED:
        return "survived", f"{', '.join(mutant.tests)} passed"
    if code != FAILED or failure is None:
        return "error", f"pytest ended with {code}: {' '.join(told.split())[-300:]}"
    if not NOTICED.match(failure.partition(" - ")[2]):
        return "error", f"nothing was simulated: {failure}"
    return "killed", failure


def first_failure(told):
    """The test that failed, and how, as pytest's summary has it."""
    found = re.search(r"^(?:FAILED|ERROR) (.*)$", told, re.MULTILINE)
    return found[1].strip() if found else None

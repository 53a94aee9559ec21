"""Draws mutants at random in rtl, gen, golden, host and query, and runs the nearest tests of each.

The program prints a verdict for each mutant. The same seed draws the same mutants, unless their
lines change. A mutant that cannot be imported, or whose import hangs, is printed as skipped, and
does not count. A survivor with an entry in ``explained.toml`` is printed as explained. The exit
code is 1 if any other mutant survives, or an outcome is ``error``.
"""

import argparse
import os
import signal
import subprocess
import sys
import tomllib
from collections import Counter, deque
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from itertools import cycle, islice
from pathlib import Path

from tb.mutants.arguments import not_negative, positive
from tb.mutants.catalogue import EXPLAINED, ROOT
from tb.mutants.changes import Change, changes_of
from tb.mutants.clock import STOPPED
from tb.mutants.nearest import Imports
from tb.mutants.runner import PASSED, Runner, first_failure

#: Folders whose mutants are drawn in turn: five of ten mutants are of the hardware.
TURNS = ("rtl", "gen", "rtl", "golden", "rtl", "host", "rtl", "gen", "rtl", "query")

#: Processor seconds for the tests of one mutant. A failed test then runs once without the mutant.
LIMIT = 120
#: Processor seconds for one test, which only a test that hangs exceeds.
TEST_LIMIT = 40

#: Processor seconds after which a process of pytest or of a tool is killed. The number is far above
#: the limit at which pytest stops by itself: a killed tool must not count as a failed test.
PATIENCE = 600

#: Seconds of real time for the import of a changed source.
IMPORT_SECONDS = 60

#: Number of test files that run at a time.
FILES = 8
#: Pytest's marker expressions: quick tests first, then tests with tools. Tests marked ``long`` that
#: need no tools do not run.
STAGES = ("not regress and not long and not hdl and not spark", "not regress and (hdl or spark)")
NONE_COLLECTED = 5  # pytest's exit code

#: Tests that compare with recorded figures of the tree, or check the whole tree.
LEFT_OUT = ("tb/baseline/", "tb/figures/", "tb/formal/", "tb/mutants/", "tb/test_")

#: Reason if pytest itself was killed: pytest stops at the limit of a test and of all tests, but not
#: while it collects the tests.
HANGS = "the tests cannot be collected"
#: Begin of the reason if pytest fails and names no test.
NO_TEST_FAILED = "pytest names no failed test, and ended with"

OUTCOMES = ("killed", "explained", "survived", "error")


@dataclass(frozen=True, kw_only=True)
class Verdict:
    """Outcome of the tests of one change.

    Attributes
    ----------
    change : Change
    outcome : str
        One of ``OUTCOMES``, or ``skipped`` if the source cannot be imported. ``survived`` means
        that no test failed within the limit; some tests may not have run. ``error`` means that
        nobody knows: the failed test does not pass without the change, or pytest ended without
        naming a failed test.
    reason : str
        The failed test and its error; for a survivor the last test file, and if the limit stopped
        the tests; for an explained change the reason why no test can notice the change.
    seconds : float
        Processor seconds.
    """

    change: Change
    outcome: str
    reason: str
    seconds: float


def drawn(root, seed, folders=TURNS):
    """Yields changes in the order of the seed, with folders in turn, and kinds in turn in a folder.

    The changes end when a folder has no further change at its turn.

    Parameters
    ----------
    root : Path
        The tree.
    seed : int
    folders : sequence of str
        Folders in the order of their turns.
    """
    supplies = {folder: _in_turn(_by_kind(root, seed, folder)) for folder in set(folders)}
    for folder in cycle(folders):
        change = next(supplies[folder], None)
        if change is None:
            return
        yield change


def _by_kind(root, seed, folder):
    """Returns a list of changes for each kind, in the order of their ranks."""
    kinds = {}
    for path in sorted((Path(root) / folder).rglob("*.py")):
        text = path.read_text(encoding="utf-8")
        for change in changes_of(path.relative_to(root).as_posix(), text):
            kinds.setdefault(change.kind, []).append((change.rank(text, seed), change))
    ordered = (sorted(changes, key=lambda pair: pair[0]) for _, changes in sorted(kinds.items()))
    return [[change for _, change in changes] for changes in ordered]


def _in_turn(lists):
    """Yields the first item of each list, then the second item of each list, and so on."""
    longest = max(map(len, lists), default=0)
    return (items[k] for k in range(longest) for items in lists if k < len(items))


class Examiner:
    """Runs the nearest tests of changes in copies of the tree.

    Parameters
    ----------
    runner : Runner
    root : Path
        The tree.
    limit : float
        Processor seconds for one change.
    explained : dict
        Reasons by ``(file, line before, line after)``, see :func:`explanations`.
    """

    def __init__(self, runner, root, *, limit=LIMIT, explained=None):
        self._runner = runner
        self._root = Path(root)
        self._limit = limit
        self._explained = explained or {}
        self._imports = Imports(root)

    def verdict(self, change):
        """Applies a change to a copy of the tree, and runs tests until a failure or the limit.

        A test that fails runs again in a copy without the change, in which it must pass.
        """
        text = (self._root / change.file).read_text(encoding="utf-8")
        with self._runner.copied() as tree:
            change.make(tree)
            fault = "it is not Python"
            if change.is_python(text):
                fault = _import_fault(tree, change.file)
            if fault is not None:
                return self._verdict(change, "skipped", fault, 0)
            failure, ran, seconds = self._first_failure(tree, change.file)
        if failure is None:
            reason = self._explained.get(lines_of(change, text))
            outcome = "survived" if reason is None else "explained"
            return self._verdict(change, outcome, reason or ran, seconds)
        if failure == HANGS:
            return self._verdict(change, "killed", failure, seconds)
        if failure.startswith(NO_TEST_FAILED):
            return self._verdict(change, "error", failure, seconds)
        with self._runner.copied() as tree:
            test = failure.partition(" - ")[0]
            # Without "::" the failure is of a whole file, which pytest could not collect.
            options = [] if "::" in test else ["--collect-only"]
            code, check_seconds, _ = self._pytest(tree, [test], self._limit, options)
        outcome = "killed" if code == PASSED else "error"
        reason = failure
        if code in (STOPPED, None):
            reason = f"reaches the limit without the change: {failure}"
        elif code != PASSED:
            reason = f"fails without the change, too: {failure}"
        return self._verdict(change, outcome, reason, seconds + check_seconds)

    def _first_failure(self, tree, file):
        """Returns the first failure or None, which tests ran, and processor seconds."""
        files = [f for f in self._imports.nearest(file) if not f.startswith(LEFT_OUT)]
        used = 0
        last = "no test"
        stopped = "stopped at the limit; no test file ran after {}"
        for begin in range(0, len(files), FILES):
            batch = files[begin : begin + FILES]
            for stage in STAGES:
                if (remaining := self._limit - used) < 1:
                    return None, stopped.format(last), used
                code, seconds, output = self._pytest(tree, batch, remaining, ["-m", stage])
                used, last = used + seconds, batch[-1]
                if code in (PASSED, NONE_COLLECTED):
                    continue
                if code == STOPPED:
                    return None, stopped.format(last), used
                if code is None:
                    return HANGS, last, used
                failure = first_failure(output)
                return failure or f"{NO_TEST_FAILED} {code}: {output[-300:]}", last, used
        return None, f"last test file: {last}", used

    def _pytest(self, tree, tests, seconds, options=()):
        limits = {"SLUICE_TEST_SECONDS": TEST_LIMIT, "SLUICE_SESSION_SECONDS": seconds}
        variables = {name: str(value) for name, value in limits.items()} | {
            "CI": "true",
            "XDG_CACHE_HOME": str(tree / ".cache"),
        }
        options = ["-p", "tb.mutants.clock", *options]
        return self._runner.pytest(tree, tests, PATIENCE, options, variables)

    @staticmethod
    def _verdict(change, outcome, reason, seconds):
        return Verdict(change=change, outcome=outcome, reason=reason, seconds=seconds)


def _import_fault(tree, file):
    """Returns why Python cannot import the file in the copy of the tree, or None if it can."""
    module = file.removesuffix(".py").removesuffix("/__init__").replace("/", ".")
    command = [sys.executable, "-c", f"import {module}"]
    environment = os.environ | {"PYTHONPATH": str(tree)}
    options = {"cwd": tree, "env": environment, "capture_output": True, "timeout": IMPORT_SECONDS}
    try:
        completed = subprocess.run(command, check=False, **options)
    except subprocess.TimeoutExpired:
        return "its import hangs"
    return None if completed.returncode == 0 else "it cannot be imported"


def lines_of(change, text):
    """Returns the file, and the changed lines before and after, without indentation."""
    lines = change.diff(text).splitlines()
    sides = ([line[1:].strip() for line in lines if line.startswith(sign)] for sign in "-+")
    return (change.file, *map("\n".join, sides))


def explanations(path=EXPLAINED):
    """Returns the reasons why no test can notice a change, by file, line before and line after."""
    if not path.is_file():
        return {}
    entries = tomllib.loads(path.read_text(encoding="utf-8"))["explained"]
    return {(e["file"], e["old"].strip(), e["new"].strip()): e["reason"] for e in entries}


def report(number, verdict, root):
    """Returns the printed text of a verdict: outcome and place, the change, and the reason.

    ``number`` counts the drawn changes from 0: ``--skip number`` begins with this change.
    """
    change = verdict.change
    text = (Path(root) / change.file).read_text(encoding="utf-8")
    place = f"{change.file}:{change.line(text)}"
    lines = [f"{verdict.outcome:9} {number} {place} {change.kind}, {verdict.seconds:.0f} s"]
    lines += [*change.diff(text).splitlines(), verdict.reason.splitlines()[0]]
    return "\n    ".join(lines)


def main(argv=None):
    """Returns exit code 0 if all mutants are killed or explained, 1 if not, 130 after Ctrl-C."""
    arguments = _arguments(argv)
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(128 + signal.SIGTERM))
    counts = Counter()
    number = arguments.skip
    changes = islice(drawn(ROOT, arguments.seed, arguments.folder or TURNS), arguments.skip, None)
    with Runner() as runner:
        examiner = Examiner(runner, ROOT, limit=arguments.limit, explained=explanations())
        pool = ThreadPoolExecutor(arguments.at_a_time)
        try:
            for verdict in _verdicts(examiner, changes, pool, arguments):
                print(report(number, verdict, ROOT), flush=True)
                counts[verdict.outcome] += 1
                number += 1
        except KeyboardInterrupt:
            return 128 + signal.SIGINT
        finally:
            runner.end()
            pool.shutdown(cancel_futures=True)
    print(", ".join(f"{counts[outcome]} {outcome}" for outcome in OUTCOMES))
    return 1 if counts["survived"] or counts["error"] else 0


def _verdicts(examiner, changes, pool, arguments):
    """Yields verdicts in the order of the changes, up to ``count`` that are not ``skipped``."""
    running = deque()
    examined = 0
    while True:
        target = min(2 * arguments.at_a_time, arguments.count - examined)
        for change in islice(changes, max(0, target - len(running))):
            running.append(pool.submit(examiner.verdict, change))
        if not running:
            return
        verdict = running.popleft().result()
        examined += verdict.outcome != "skipped"
        yield verdict


def _arguments(argv):
    parser = argparse.ArgumentParser(prog="python -m tb.mutants.random", description=__doc__)
    parser.add_argument("--seed", type=int, default=32, help="seed of the draw: 32")
    parser.add_argument("--count", type=positive, default=100, help="number of mutants: 100")
    parser.add_argument(
        "--skip", type=not_negative, default=0, help="mutants to leave out first: 0"
    )
    parser.add_argument(
        "--folder",
        action="append",
        choices=sorted(set(TURNS)),
        help="only mutants of this folder; may be repeated",
    )
    parser.add_argument("--limit", type=positive, default=LIMIT, help=f"processor seconds: {LIMIT}")
    parser.add_argument("--at-a-time", type=positive, default=2, help="copies at a time: 2")
    return parser.parse_args(argv)


if __name__ == "__main__":
    sys.exit(main())

"""Draws mutants at random over all folders, runs the nearest tests of each, and prints survivors.

The same seed draws the same mutants, as long as their lines are in the tree. A mutant that cannot
be imported is skipped. A survivor with an entry in ``explained.toml`` is printed as explained.
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

from tb.mutants.catalogue import EXPLAINED, ROOT
from tb.mutants.changes import Change, changes_of
from tb.mutants.clock import STOPPED
from tb.mutants.nearest import Imports
from tb.mutants.runner import PASSED, Runner, first_failure

#: Whose mutants are drawn in turn: of ten, five of the hardware.
TURNS = ("rtl", "gen", "rtl", "golden", "rtl", "host", "rtl", "gen", "rtl", "query")

#: Processor seconds for one mutant, and for one test of it. The latter only ends what hangs.
LIMIT, TEST_LIMIT = 120, 40

#: Processor seconds that a session and its tools may take at most: far more than those that it
#: stops at by itself, for a tool that is killed must not count as a test that fails.
PATIENCE = 600

#: Test files asked at a time, and pytest's expressions: quick tests first, then those with tools.
FILES = 8
STAGES = ("not regress and not long and not hdl and not spark", "not regress and (hdl or spark)")
NONE_COLLECTED = 5  # pytest's exit code

#: Tests that compare with figures of the tree itself, or run for the whole tree.
LEFT_OUT = ("tb/baseline/", "tb/figures/", "tb/formal/", "tb/mutants/", "tb/test_")

#: A session and a test end by themselves when their time is up; what does not is their collection.
HANGS = "the tests cannot be collected"

OUTCOMES = ("killed", "explained", "survived", "error")


@dataclass(frozen=True, kw_only=True)
class Verdict:
    """The verdict on one change.

    Attributes
    ----------
    outcome : str
        One of ``OUTCOMES``, or ``skipped`` if the source cannot be imported.
    reason : str
        The test that failed and how, the last file asked, or why nothing can notice the change.
    seconds : float
        Of the processor.
    """

    change: Change
    outcome: str
    reason: str
    seconds: float


def drawn(root, seed, folders=TURNS):
    """Yields changes in the order of the seed: a folder after the other, and in it a kind.

    Parameters
    ----------
    root : Path
        The tree.
    seed : int
    folders : sequence of str
        The folders whose changes come in turn.
    """
    supplies = {folder: _in_turn(_by_kind(root, seed, folder)) for folder in set(folders)}
    for folder in cycle(folders):
        change = next(supplies[folder], None)
        if change is None:
            return
        yield change


def _by_kind(root, seed, folder):
    kinds = {}
    for path in sorted((Path(root) / folder).rglob("*.py")):
        text = path.read_text(encoding="utf-8")
        for change in changes_of(path.relative_to(root).as_posix(), text):
            kinds.setdefault(change.kind, []).append((change.rank(text, seed), change))
    ordered = (sorted(changes, key=lambda pair: pair[0]) for _, changes in sorted(kinds.items()))
    return [[change for _, change in changes] for changes in ordered]


def _in_turn(lists):
    """The first of each list, then the second of each."""
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
        self._runner, self._root, self._limit = runner, Path(root), limit
        self._explained, self._imports = explained or {}, Imports(root)

    def verdict(self, change):
        """Changes a copy, and runs tests there until one fails or the limit is reached."""
        text = (self._root / change.file).read_text(encoding="utf-8")
        with self._runner.copied() as tree:
            change.make(tree)
            if not change.is_python(text) or not _can_be_imported(tree, change.file):
                return self._verdict(change, "skipped", "it cannot be imported", 0)
            failure, last, seconds = self._first_failure(tree, change.file)
        if failure is None:
            reason = self._explained.get(lines_of(change, text))
            outcome = "survived" if reason is None else "explained"
            return self._verdict(change, outcome, reason or f"asked to {last}", seconds)
        if failure == HANGS:
            return self._verdict(change, "killed", failure, seconds)
        with self._runner.copied() as tree:
            test = failure.partition(" - ")[0]
            options = [] if "::" in test else ["--collect-only"]  # a file cannot be collected
            code, more, _ = self._pytest(tree, [test], self._limit, options)
        outcome = "killed" if code == PASSED else "error"
        reason = failure if code == PASSED else f"fails without the change, too: {failure}"
        return self._verdict(change, outcome, reason, seconds + more)

    def _first_failure(self, tree, file):
        """The first failure, the last file asked, and the processor seconds."""
        files = [f for f in self._imports.nearest(file) if not f.startswith(LEFT_OUT)]
        used, last = 0, "no test"
        for begin in range(0, len(files), FILES):
            some = files[begin : begin + FILES]
            for stage in STAGES:
                if (left := self._limit - used) < 1:
                    return None, last, used
                code, seconds, output = self._pytest(tree, some, left, ["-m", stage])
                used, last = used + seconds, some[-1]
                if code in (PASSED, NONE_COLLECTED):
                    continue
                if code == STOPPED:
                    return None, last, used
                if code is None:
                    return HANGS, last, used
                failure = first_failure(output)
                return failure or f"pytest ended with {code}: {output[-300:]}", last, used
        return None, last, used

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


def _can_be_imported(tree, file):
    module = file.removesuffix(".py").removesuffix("/__init__").replace("/", ".")
    command = [sys.executable, "-c", f"import {module}"]
    environment = os.environ | {"PYTHONPATH": str(tree)}
    done = subprocess.run(command, cwd=tree, env=environment, capture_output=True, check=False)
    return done.returncode == 0


def lines_of(change, text):
    """File, and the lines before and after without their indents."""
    lines = change.diff(text).splitlines()
    sides = ([line[1:].strip() for line in lines if line.startswith(sign)] for sign in "-+")
    return (change.file, *map("\n".join, sides))


def explanations(path=EXPLAINED):
    """Reasons why nothing can notice a change, by file, line before and line after."""
    if not path.is_file():
        return {}
    entries = tomllib.loads(path.read_text(encoding="utf-8"))["explained"]
    return {(e["file"], e["old"].strip(), e["new"].strip()): e["reason"] for e in entries}


def report(number, verdict, root):
    """The lines for a verdict: its outcome and place, the change, and the reason."""
    change = verdict.change
    text = (Path(root) / change.file).read_text(encoding="utf-8")
    place = f"{change.file}:{change.line(text)}"
    lines = [f"{verdict.outcome:9} {number} {place} {change.kind}, {verdict.seconds:.0f} s"]
    lines += [*change.diff(text).splitlines(), verdict.reason.splitlines()[0]]
    return "\n    ".join(lines)


def main(argv=None):
    """Exit code 0 when all are killed or explained, 1 when not."""
    asked = _arguments(argv)
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(128 + signal.SIGTERM))
    counts, number = Counter(), asked.skip
    changes = islice(drawn(ROOT, asked.seed, asked.folder or TURNS), asked.skip, None)
    with Runner() as runner:
        examiner = Examiner(runner, ROOT, limit=asked.limit, explained=explanations())
        pool = ThreadPoolExecutor(asked.at_a_time)
        try:
            for verdict in _verdicts(examiner, changes, pool, asked):
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


def _verdicts(examiner, changes, pool, asked):
    """Yields verdicts in the order of the changes, until so many that are not skipped have come."""
    running, examined = deque(), 0
    while True:
        wanted = min(2 * asked.at_a_time, asked.count - examined)
        for change in islice(changes, max(0, wanted - len(running))):
            running.append(pool.submit(examiner.verdict, change))
        if not running:
            return
        verdict = running.popleft().result()
        examined += verdict.outcome != "skipped"
        yield verdict


def _arguments(argv):
    parser = argparse.ArgumentParser(prog="python -m tb.mutants.random", description=__doc__)
    parser.add_argument("--seed", type=int, default=32, help="which mutants: 32")
    parser.add_argument("--count", type=int, default=100, help="how many: 100")
    parser.add_argument("--skip", type=int, default=0, help="without the first so many: 0")
    parser.add_argument("--folder", action="append", choices=sorted(set(TURNS)))
    parser.add_argument("--limit", type=float, default=LIMIT, help="processor seconds for each")
    parser.add_argument("--at-a-time", type=int, default=2, help="copies at a time: 2")
    return parser.parse_args(argv)


if __name__ == "__main__":
    sys.exit(main())

"""The mutants: read from a file for each folder, and made in a copy of the tree."""

import re
import tomllib
from dataclasses import dataclass
from datetime import date, timedelta
from pathlib import Path

ROOT = Path(__file__).parents[2]
DATA = Path(__file__).parent
#: Random mutants that nothing can notice; see :mod:`tb.mutants.random`.
EXPLAINED = DATA / "explained.toml"
_FIELDS = {"mistake": str, "file": str, "old": str, "new": str, "tests": list, "hangs": bool}
_OPTIONAL = {"hangs"}


class MutantError(Exception):
    """A mutant that is no question to the tests; the message names it and what is wrong."""


@dataclass(frozen=True, kw_only=True)
class Mutant:
    """One mistake.

    Attributes
    ----------
    mistake : str
        What it is; no two are called the same.
    file : str
        Path of the source, from the root of the tree.
    old, new : str
        ``old`` occurs exactly once in the file, and ``new`` in its place changes one line.
    tests : tuple of str
        What must fail, as pytest takes it: paths from the root with ``::`` and a test's name.
    hangs : bool
        Nothing ends that the mutant is in, so the limit of time counts as a failure.
    """

    mistake: str
    file: str
    old: str
    new: str
    tests: tuple[str, ...]
    hangs: bool = False

    @property
    def folder(self):
        """The folder of its file: ``golden/codecs``; of ``rtl/`` without it: ``engine/parts``."""
        return self.file.rpartition("/")[0].removeprefix("rtl/")

    def mutated(self, text):
        """``text``, that of its file, with the mistake in it; raises MutantError."""
        if (count := text.count(self.old)) != 1:
            raise MutantError(
                f"{self.mistake}: old must occur once in {self.file}, not {count} times"
            )
        changed = text.replace(self.old, self.new)
        if (lines := _changed_lines(text, changed)) != 1:
            raise MutantError(f"{self.mistake}: must change one line of {self.file}, not {lines}")
        return changed

    def make(self, tree):
        """Puts the mistake into the copy of the tree at ``tree``."""
        path = Path(tree) / self.file
        path.write_text(self.mutated(path.read_text(encoding="utf-8")), encoding="utf-8")


def _changed_lines(text, changed):
    """Lines of ``text`` that are not in ``changed``, or the other way round if those are more."""
    before, after = text.splitlines(), changed.splitlines()
    while before and after and before[0] == after[0]:
        before, after = before[1:], after[1:]
    while before and after and before[-1] == after[-1]:
        before, after = before[:-1], after[:-1]
    return max(len(before), len(after))


def mutants(data=DATA):
    """All mutants, file by file in the order of their names; raises MutantError."""
    paths = [path for path in sorted(Path(data).glob("*.toml")) if path != EXPLAINED]
    found = [mutant for path in paths for mutant in _read(path)]
    names = [mutant.mistake for mutant in found]
    for name in names:
        if names.count(name) > 1:
            raise MutantError(f"mistakes must differ: there are two of {name!r}")
    return found


def _read(path):
    try:
        entries = tomllib.loads(path.read_text(encoding="utf-8"))["mutant"]
    except (tomllib.TOMLDecodeError, KeyError) as error:
        raise MutantError(f"{path.name} must be TOML with [[mutant]]: {error}") from None
    for entry in entries:
        _check(path, entry)
        if not entry["tests"] or not all(_names_a_test(test) for test in entry["tests"]):
            raise MutantError(f"{path.name}: {entry['mistake']}: tests must be file.py::test")
        yield Mutant(**entry | {"tests": tuple(entry["tests"])})


def _check(path, entry):
    place = f"{path.name}: {entry.get('mistake', 'a mutant without a mistake')}"
    for name, kind in _FIELDS.items():
        if name not in entry and name not in _OPTIONAL:
            raise MutantError(f"{place}: {name} must be given")
        if not isinstance(entry.get(name, kind()), kind):
            raise MutantError(f"{place}: {name} must be {kind.__name__}, not {entry[name]!r}")
    if unknown := sorted(entry.keys() - _FIELDS):
        raise MutantError(f"{place}: unknown {', '.join(unknown)}")


def _names_a_test(test):
    return isinstance(test, str) and re.fullmatch(r"tb/[\w/]+\.py::\w+(\[.*\])?", test)


def chosen(found, *, folder=None, name=None, count=None, day=None):
    """Those of the mutants that are asked for.

    Parameters
    ----------
    found : list of Mutant
    folder : str or None
        Only those of this folder and what is in it, such as ``engine`` of ``rtl/``, or ``host``.
    name : str or None
        Only those whose mistake has this in it.
    count : int or None
        Only so many of them, spread over all, others on each day.
    day : date or None
        The day for ``count``; None is the first.
    """
    if folder is not None:
        inside = folder.strip("/").removeprefix("rtl/")
        found = [m for m in found if f"{m.folder}/".startswith(f"{inside}/")]
    if name is not None:
        found = [m for m in found if name in m.mistake]
    if count is None or count >= len(found):
        return found
    # Every so many days each has had its turn once.
    day = (day or date(1970, 1, 1)) - date(1970, 1, 1)
    turn = day // timedelta(days=1)
    step, rest = divmod(len(found), count)
    sizes = [step + (k < rest) for k in range(count)]
    starts = [sum(sizes[:k]) for k in range(count)]
    return [found[start + turn % size] for start, size in zip(starts, sizes, strict=True)]

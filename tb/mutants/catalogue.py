"""Reads mutants from the ``.toml`` files beside, chooses some, and applies them to copies."""

import re
import tomllib
from dataclasses import dataclass
from datetime import date, timedelta
from pathlib import Path

ROOT = Path(__file__).parents[2]
DATA = Path(__file__).parent
#: The one ``.toml`` file without mutants: it explains the random mutants that no test can notice,
#: see :mod:`tb.mutants.random`.
EXPLAINED = DATA / "explained.toml"
_FIELDS = {"mistake": str, "file": str, "old": str, "new": str, "tests": list, "hangs": bool}
_OPTIONAL = {"hangs"}


class MutantError(Exception):
    """A mutant is invalid, or a test fails without it; the message names mutant and reason."""


@dataclass(frozen=True, kw_only=True)
class Mutant:
    """A mistake of one line, and the tests that must notice the mistake.

    Attributes
    ----------
    mistake : str
        Description of the mistake, which is unique among the mutants.
    file : str
        Path of the source, from the root of the tree.
    old, new : str
        ``old`` occurs exactly once in the file. Replacing it by ``new`` changes one line.
    tests : tuple of str
        Tests of which one must fail, in pytest's form: a path, ``::`` and the name of a test.
    hangs : bool
        True if the tests never end with the mutant, so that the time limit counts as a failure.
    """

    mistake: str
    file: str
    old: str
    new: str
    tests: tuple[str, ...]
    hangs: bool = False

    @property
    def folder(self):
        """Folder of the file, without a leading ``rtl/``: ``golden/codecs`` or ``engine/parts``."""
        return self.file.rpartition("/")[0].removeprefix("rtl/")

    def mutated(self, text):
        """Returns the file's text with the mistake; raises MutantError if the mutant is invalid."""
        if (count := text.count(self.old)) != 1:
            raise MutantError(
                f"{self.mistake}: old must occur once in {self.file}, not {count} times"
            )
        changed = text.replace(self.old, self.new)
        if (lines := _changed_lines(text, changed)) != 1:
            raise MutantError(f"{self.mistake}: must change one line of {self.file}, not {lines}")
        return changed

    def make(self, tree):
        """Applies the mistake to the copy of the tree at ``tree``."""
        path = Path(tree) / self.file
        path.write_text(self.mutated(path.read_text(encoding="utf-8")), encoding="utf-8")


def _changed_lines(text, changed):
    """Returns the number of lines between the common beginning and the common end of two texts.

    The number is that of the longer text: a line that becomes two lines counts as 2.
    """
    old_lines = text.splitlines()
    new_lines = changed.splitlines()
    while old_lines and new_lines and old_lines[0] == new_lines[0]:
        old_lines, new_lines = old_lines[1:], new_lines[1:]
    while old_lines and new_lines and old_lines[-1] == new_lines[-1]:
        old_lines, new_lines = old_lines[:-1], new_lines[:-1]
    return max(len(old_lines), len(new_lines))


def mutants(data=DATA):
    """Returns all mutants by file name and place; raises MutantError if a mutant is invalid."""
    paths = [path for path in sorted(Path(data).glob("*.toml")) if path != EXPLAINED]
    catalogue = [mutant for path in paths for mutant in _read(path)]
    names = [mutant.mistake for mutant in catalogue]
    for name in names:
        if names.count(name) > 1:
            raise MutantError(f"mistakes must differ: there are two of {name!r}")
    return catalogue


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


def choose(catalogue, *, folder=None, name=None, count=None, day=None):
    """Returns the mutants that match ``folder`` and ``name``, or ``count`` of them.

    Parameters
    ----------
    catalogue : list of Mutant
    folder : str or None
        Only mutants of this folder and its subfolders, such as ``host``, ``rtl/engine``, or
        ``engine`` for short.
    name : str or None
        Only mutants whose mistake contains this text.
    count : int or None
        Only this number of mutants, at least 1, spread over the list, with different mutants on
        each day.
    day : date or None
        The day for ``count``; None is 1970-01-01.
    """
    if folder is not None:
        prefixes = f"{folder.strip('/')}/", f"rtl/{folder.strip('/')}/"
        catalogue = [m for m in catalogue if m.file.startswith(prefixes)]
    if name is not None:
        catalogue = [m for m in catalogue if name in m.mistake]
    if count is None or count >= len(catalogue):
        return catalogue
    # The list has ``count`` sections, and each contributes one mutant a day. So every mutant has
    # its turn within as many days as the longest section has mutants: 10 mutants and a count of 4
    # make sections of 3, 3, 2 and 2, so 3 days.
    day = (day or date(1970, 1, 1)) - date(1970, 1, 1)
    turn = day // timedelta(days=1)
    step, remainder = divmod(len(catalogue), count)
    sizes = [step + (k < remainder) for k in range(count)]
    starts = [sum(sizes[:k]) for k in range(count)]
    return [catalogue[start + turn % size] for start, size in zip(starts, sizes, strict=True)]

"""Prints the line coverage of the last run of pytest with ``--cov``, and the files below 90 %.

Lines that run inside another process, such as a simulator, are not counted.
"""

import sys
from pathlib import Path

import coverage

#: Share of its lines, in per cent, that the tests should run of each file.
BAR = 90.0


def shares(data: coverage.Coverage) -> dict[str, tuple[int, int]]:
    """Returns the number of lines of each measured file, and how many of them no test ran."""
    counts = {}
    for file in sorted(data.get_data().measured_files()):
        _, lines, _, missing, _ = data.analysis2(file)
        counts[file] = (len(lines), len(missing))
    return counts


def report(counts: dict[str, tuple[int, int]]) -> str:
    """Returns a line for each file below the bar, the lowest share first, and a line for all."""
    covered = {file: _percent(*pair) for file, pair in counts.items()}
    below = sorted((share, file) for file, share in covered.items() if share < BAR)
    total = _percent(*(sum(column) for column in zip((0, 0), *counts.values(), strict=True)))
    text = [f"{share:5.1f} %  {file}" for share, file in below]
    text.append(f"{total:5.1f} %  of all lines; {len(below)} files are below {BAR:.0f} %")
    return "\n".join(text)


def _percent(lines: int, missing: int) -> float:
    return 100.0 * (lines - missing) / lines if lines else 100.0


def main() -> int:
    if not Path(".coverage").exists():
        print("coverage: no .coverage here; run pytest with --cov first", file=sys.stderr)
        return 2
    data = coverage.Coverage()
    data.load()
    print(report(shares(data)))
    return 0


if __name__ == "__main__":
    sys.exit(main())

"""Runs mutants and prints a table by folder; exit code 1 when one is not killed."""

import argparse
import signal
import sys
from collections import Counter
from datetime import date

from tb.mutants.catalogue import MutantError, chosen, mutants
from tb.mutants.runner import Runner

OUTCOMES = ("killed", "survived", "error")


def main(argv=None):
    """Exit code 0 when all are killed, 1 when not, 2 when a mutant or an argument is wrong."""
    asked = _arguments(argv)
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(128 + signal.SIGTERM))
    try:
        found = chosen(
            mutants(), folder=asked.folder, name=asked.name, count=asked.count, day=asked.day
        )
        if not found:
            raise MutantError(f"no mutant of folder {asked.folder!r} and name {asked.name!r}")
        verdicts = []
        with Runner() as runner:
            for verdict in runner.run(found, at_a_time=asked.at_a_time):
                verdicts.append(verdict)
                print(told(verdict), flush=True)
    except MutantError as error:
        print(error, file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        return 128 + signal.SIGINT
    print()
    print(table(verdicts))
    return 0 if all(verdict.outcome == "killed" for verdict in verdicts) else 1


def _arguments(argv):
    parser = argparse.ArgumentParser(prog="python -m tb.mutants", description=__doc__)
    parser.add_argument("--folder", help="only those of a folder: engine/parts, host")
    parser.add_argument("--name", help="only those whose mistake has this in it")
    parser.add_argument("--count", type=_positive, help="only so many, other ones on each day")
    parser.add_argument("--day", type=date.fromisoformat, help="the day for --count: 2026-01-31")
    parser.add_argument("--at-a-time", type=_positive, default=2, help="copies at a time: 2")
    return parser.parse_args(argv)


def _positive(text):
    number = int(text)
    if number < 1:
        raise argparse.ArgumentTypeError(f"must be at least 1, not {number}")
    return number


def told(verdict):
    """One line for a verdict."""
    mutant = verdict.mutant
    line = f"{verdict.outcome:8} {mutant.folder}: {mutant.mistake}, {verdict.seconds:.1f} s"
    return line if verdict.outcome == "killed" else f"{line}\n         {verdict.reason}"


def table(verdicts):
    """Mutants of each folder by what became of them, and processor seconds."""
    rows = {}
    for verdict in verdicts:
        row = rows.setdefault(verdict.mutant.folder, Counter())
        row.update({verdict.outcome: 1, "seconds": verdict.seconds})
    rows = dict(sorted(rows.items())) | {"in all": sum(rows.values(), Counter())}
    lines = [
        f"{'folder':20}{'mutants':>9}" + "".join(f"{name:>10}" for name in OUTCOMES) + "   CPU s"
    ]
    for folder, row in rows.items():
        counts = [row[name] for name in OUTCOMES]
        numbers = "".join(f"{count:>10}" for count in counts)
        lines.append(f"{folder:20}{sum(counts):>9}{numbers}{row['seconds']:>8.0f}")
    return "\n".join(lines)


if __name__ == "__main__":
    sys.exit(main())

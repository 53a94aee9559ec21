"""Runs mutants and prints a table by folder; exit code 1 if a mutant is not killed."""

import argparse
import signal
import sys
from collections import Counter
from datetime import date

from tb.mutants.catalogue import MutantError, choose, mutants
from tb.mutants.runner import Runner

OUTCOMES = ("killed", "survived", "error")


def main(argv=None):
    """Returns exit code 0 if all are killed, 1 if not, 2 if a mutant or an argument is invalid."""
    arguments = _arguments(argv)
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(128 + signal.SIGTERM))
    try:
        selected = choose(
            mutants(),
            folder=arguments.folder,
            name=arguments.name,
            count=arguments.count,
            day=arguments.day,
        )
        if not selected:
            raise MutantError(
                f"no mutant of folder {arguments.folder!r} and name {arguments.name!r}"
            )
        verdicts = []
        with Runner() as runner:
            for verdict in runner.run(selected, at_a_time=arguments.at_a_time):
                verdicts.append(verdict)
                print(verdict_text(verdict), flush=True)
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
    parser.add_argument("--folder", help="only the mutants of a folder: engine/parts, host")
    parser.add_argument("--name", help="only mutants whose mistake contains this text")
    parser.add_argument(
        "--count", type=_positive, help="number of mutants, different ones on each day"
    )
    parser.add_argument("--day", type=date.fromisoformat, help="the day for --count: 2026-01-31")
    parser.add_argument("--at-a-time", type=_positive, default=2, help="copies at a time: 2")
    return parser.parse_args(argv)


def _positive(text):
    number = int(text)
    if number < 1:
        raise argparse.ArgumentTypeError(f"must be at least 1, not {number}")
    return number


def verdict_text(verdict):
    """Returns a line for a verdict, and a second line with the reason unless it is "killed"."""
    mutant = verdict.mutant
    line = f"{verdict.outcome:8} {mutant.folder}: {mutant.mistake}, {verdict.seconds:.1f} s"
    return line if verdict.outcome == "killed" else f"{line}\n         {verdict.reason}"


def table(verdicts):
    """Returns a table of the number of mutants by folder and outcome, with processor seconds."""
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

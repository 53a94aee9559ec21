"""Runs mutants and prints a table by folder; exit code 1 if a mutant is not killed.

With ``--cocotb`` the benches in cocotb run in place of the named tests, and the table is by block;
exit code 1 if the benches notice fewer than nine in ten mutants.
"""

import argparse
import signal
import sys
from collections import Counter
from datetime import date

from tb.mutants.arguments import positive
from tb.mutants.blocks import REQUIRED, by_bench
from tb.mutants.catalogue import MutantError, choose, mutants
from tb.mutants.runner import Runner

OUTCOMES = ("killed", "survived", "error")
#: Mutants of blocks that benches in cocotb must notice, without ``--count``.
COUNT = 60
#: A bench takes longer than a test in Amaranth's simulator. Its rows depend on no hardware, and a
#: waveform of a mutant is of no use.
BENCHES = {"limit": 120, "shared": ("cocotb-rows",), "variables": {"WAVES": "0"}}


def main(argv=None):
    """Returns exit code 0 if all are killed, 1 if not, 2 if a mutant or an argument is invalid."""
    arguments = _arguments(argv)
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(128 + signal.SIGTERM))
    try:
        groups = _selected(arguments)
        if not groups:
            raise MutantError(
                f"no mutant of folder {arguments.folder!r} and name {arguments.name!r}"
            )
        verdicts = []
        with Runner(**BENCHES) if arguments.cocotb else Runner() as runner:
            for verdict in runner.run(list(groups), at_a_time=arguments.at_a_time):
                verdicts.append(verdict)
                print(verdict_text(verdict), flush=True)
    except MutantError as error:
        print(error, file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        return 128 + signal.SIGINT
    print()
    print(table(verdicts, groups, "block" if arguments.cocotb else "folder"))
    killed = sum(verdict.outcome == "killed" for verdict in verdicts)
    return 0 if killed >= len(verdicts) * (REQUIRED if arguments.cocotb else 1) else 1


def _selected(arguments):
    """Returns the name of the row in the table, by mutant."""
    names = {"folder": arguments.folder, "name": arguments.name}
    if arguments.cocotb:
        return by_bench(choose(mutants(), **names), arguments.count or COUNT, arguments.day)
    selected = choose(mutants(), **names, count=arguments.count, day=arguments.day)
    return {mutant: mutant.folder for mutant in selected}


def _arguments(argv):
    parser = argparse.ArgumentParser(prog="python -m tb.mutants", description=__doc__)
    parser.add_argument("--folder", help="only the mutants of a folder: engine/parts, host")
    parser.add_argument("--name", help="only mutants whose mistake contains this text")
    parser.add_argument(
        "--count", type=positive, help="number of mutants, different ones on each day"
    )
    parser.add_argument("--day", type=date.fromisoformat, help="the day for --count: 2026-01-31")
    parser.add_argument(
        "--cocotb",
        action="store_true",
        help=f"only mutants of blocks, {COUNT} without --count, by the blocks' benches in cocotb",
    )
    parser.add_argument("--at-a-time", type=positive, default=2, help="copies at a time: 2")
    return parser.parse_args(argv)


def verdict_text(verdict):
    """Returns a line for a verdict, and a second line with the reason unless it is "killed"."""
    mutant = verdict.mutant
    line = f"{verdict.outcome:8} {mutant.folder}: {mutant.mistake}, {verdict.seconds:.1f} s"
    return line if verdict.outcome == "killed" else f"{line}\n         {verdict.reason}"


def table(verdicts, groups, heading="folder"):
    """Returns a table of the number of mutants by group and outcome, with processor seconds.

    ``groups`` has the name of each mutant's group. The mutants that were not killed follow by name.
    """
    rows = {}
    for verdict in verdicts:
        row = rows.setdefault(groups[verdict.mutant], Counter())
        row.update({verdict.outcome: 1, "seconds": verdict.seconds})
    rows = dict(sorted(rows.items())) | {"in all": sum(rows.values(), Counter())}
    lines = [
        f"{heading:26}{'mutants':>9}" + "".join(f"{name:>10}" for name in OUTCOMES) + "   CPU s"
    ]
    for name, row in rows.items():
        counts = [row[outcome] for outcome in OUTCOMES]
        numbers = "".join(f"{count:>10}" for count in counts)
        lines.append(f"{name:26}{sum(counts):>9}{numbers}{row['seconds']:>8.0f}")
    for verdict in verdicts:
        if verdict.outcome != "killed":
            lines.append(f"{verdict.outcome}: {groups[verdict.mutant]}: {verdict.mutant.mistake}")
    return "\n".join(lines)


if __name__ == "__main__":
    sys.exit(main())

"""Measures golden on large data: ``python -m tb.golden.large [options] [kinds]``.

Without kinds it measures all of `tb.golden.large.kinds`. For each kind of query, Spark master and
run it prints seconds by the clock, processor seconds, the memory of all processes together, and
"equal" if the rows are DuckDB's. Several masters, and Spark's own `window()` with ``--by-hand``,
take turns, so that other load on the machine affects all alike; the last lines are ratios of
medians to the first of them. The exit code is 1 if rows differ.
"""

import argparse
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from statistics import median

from tb.golden.large import data, duck, process
from tb.golden.large.kinds import KINDS

_LOCAL = re.compile(r"local\[(\d+)\]")


def main() -> int:
    """Measures what the arguments name, and returns the exit code."""
    arguments = _arguments()
    folder = arguments.folder
    folder.mkdir(parents=True, exist_ok=True)
    source = folder / f"{arguments.tuples}.parquet"
    if not source.exists():
        data.make(source, arguments.tuples)
    difference_count = 0
    for name in arguments.kinds or KINDS:
        seconds: dict[str, list[float]] = {}
        for _ in range(arguments.runs):
            for way, command in _commands(arguments, name, source):
                measured = process.run(command, folder / "log")
                seconds.setdefault(way, []).append(measured.seconds)
                verdict = "by hand"
                if way != "by hand":
                    verdict = duck.difference(KINDS[name], source, _rows(folder)) or "equal"
                    difference_count += verdict != "equal"
                print(
                    f"{name:12} {way:24} {measured.seconds:6.1f} s"
                    f" {measured.processor_seconds:6.1f} s of processors"
                    f" {measured.memory / 2**30:5.2f} GiB  {verdict}",
                    flush=True,
                )
        (first, base), *others = seconds.items()
        for way, times in others:
            ratio = median(times) / median(base)
            print(f"{name:12} {way} takes {ratio:.2f} of the time of {first}", flush=True)
    return 1 if difference_count else 0


def _arguments():
    parser = argparse.ArgumentParser(prog="python -m tb.golden.large")
    parser.add_argument("kinds", nargs="*", help=f"kinds of queries: {', '.join(KINDS)}")
    parser.add_argument("--tuples", type=int, default=10_000_000)
    parser.add_argument("--runs", type=int, default=1)
    parser.add_argument("--master", action="append", help="Spark master; may be repeated")
    parser.add_argument("--pin", action="store_true", help="give local[N] only N cores")
    parser.add_argument("--by-hand", action="store_true", help="measure Spark's window(), too")
    parser.add_argument("--folder", type=Path, default=Path("build/large"))
    arguments = parser.parse_args()
    unknown = [kind for kind in arguments.kinds if kind not in KINDS]
    if unknown:
        parser.error(f"{unknown[0]} is none of the kinds {', '.join(KINDS)}")
    if arguments.by_hand and arguments.kinds != ["time-groups"]:
        parser.error("--by-hand needs time-groups as the only kind")
    return arguments


def _commands(arguments, name, source) -> Iterator[tuple[str, list]]:
    """Yields each way to compute the kind ``name``, with its command."""
    folder = arguments.folder
    query = folder / f"{name}.cql"
    query.write_text(KINDS[name].text)
    if arguments.by_hand:
        by_hand = [sys.executable, "-m", "tb.golden.large.by_hand", source, folder / "by_hand"]
        yield "by hand", by_hand
    program = Path(sys.executable).with_name("sluice")
    sluice = [program, "golden", query, "--input", source]
    begin = ["--start", f"{data.BEGIN} seconds"] if "time" in name else []
    for master in arguments.master or ["local[*]"]:
        cores = _LOCAL.fullmatch(master) if arguments.pin else None
        pinned = ["taskset", "-c", f"0-{int(cores[1]) - 1}"] if cores else []
        yield master, [*pinned, *sluice, "-o", _rows(folder), *begin, "--master", master]


def _rows(folder):
    return folder / "rows.parquet"


if __name__ == "__main__":
    sys.exit(main())

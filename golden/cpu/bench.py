"""Measures the software engines as the figures 4a, 6, 7, 9 and 10 of seed 004 (HammerSlide) do.

``python -m golden.cpu.bench`` prints four tables in million tuples per second; with ``--json`` it
prints one JSON object instead. The seed's figures 4a and 10 show the same measurement.
"""

import json
import sys
import time
from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass
from statistics import median

import numpy as np

from golden.cpu.engines import Algorithm, run
from query.aggregate import Function

TUPLES = 1 << 24  # of the stream
RUNS = 5  # measured runs of each algorithm; a rate is their median
VISITS = 1 << 31  # values that the non-incremental algorithm may read in one run

SIZE = 1024  # tuples of a window in the tables over slides
SLIDES = (1, 4, 16, 64, 256, 1024)
SIZES = tuple(1 << bits for bits in range(3, 22, 2))


@dataclass(frozen=True)
class Table:
    """Holds the measurement of one figure of the seed.

    ``rates`` lists for each algorithm a rate for each point, in million tuples per second.
    """

    figure: str
    aggregate: Function
    points: list[dict[str, int]]
    rates: dict[str, list[float]]


def stream(tuples: int = TUPLES, seed: int = 4) -> np.ndarray:
    """Returns int32 values, uniform in [0, 64), as in section 3.1 of seed 004.

    ``seed`` initialises the generator of random numbers.
    """
    return np.random.Generator(np.random.PCG64(seed)).integers(0, 64, tuples, np.int32)


def rates(
    algorithms: Iterable[Algorithm], function: Function, values: np.ndarray, size: int, slide: int
) -> dict[str, float]:
    """Returns million tuples per second of each algorithm: the median of `RUNS` calls of `run`.

    The algorithms take turns, so that other load on the machine affects all alike. The first turn,
    which also compiles, does not count. A rate counts ``slide`` tuples for each window, so the
    ``size - slide`` tuples that only fill the first window do not count: of 10 tuples, with size 4
    and slide 2, a rate counts 8, of 4 windows. The non-incremental algorithm gets only a part of
    the stream, so that it reads at most `VISITS` values, but always two windows: the whole stream
    would take an hour with a window of two million tuples.
    """
    seconds: dict[Algorithm, list[float]] = {algorithm: [] for algorithm in algorithms}
    windows = {}
    for _ in range(1 + RUNS):
        for algorithm, durations in seconds.items():
            part = values
            if algorithm == Algorithm.NON_INCREMENTAL:
                part = values[: size + (max(VISITS // size, 2) - 1) * slide]
            start = time.perf_counter()
            windows[algorithm] = len(run(algorithm, function, part, size, slide).valid)
            durations.append(time.perf_counter() - start)
    return {
        str(algorithm): windows[algorithm] * slide / median(durations[1:]) / 1e6
        for algorithm, durations in seconds.items()
    }


def tables(values: np.ndarray) -> Iterator[Table]:
    """Yields the four tables, each as soon as it is measured."""
    by_slide = [{"size": SIZE, "slide": slide} for slide in SLIDES]
    by_size = [{"size": size, "slide": 1} for size in SIZES]
    for figure, function, points in (
        ("6", Function.AVG, by_slide),
        ("7", Function.MIN, by_slide),
        ("9", Function.AVG, by_size),
        ("4a, 10", Function.MIN, by_size),
    ):
        algorithms = [
            a for a in Algorithm if (a, function) != (Algorithm.SUBTRACT_ON_EVICT, Function.MIN)
        ]
        rows = [rates(algorithms, function, values, **point) for point in points]
        columns = {str(a): [round(row[a], 3) for row in rows] for a in algorithms}
        yield Table(figure, function, points, columns)


def gain(table: Table, slide: int = 256) -> float:
    """Returns the rate of bulk two stacks over the rate of two stacks (seed 004, section 3.2)."""
    index = SLIDES.index(slide)
    return table.rates[Algorithm.BULK_TWO_STACKS][index] / table.rates[Algorithm.TWO_STACKS][index]


def main(arguments: list[str]) -> int:
    """Prints the tables; returns the exit code."""
    if arguments not in ([], ["--json"]):
        print(f"arguments must be --json or none, not {' '.join(arguments)}", file=sys.stderr)
        return 2
    measured = []
    for table in tables(stream()):
        measured.append(table)
        if not arguments:
            print(_text(table), flush=True)
    gains = {str(table.aggregate): round(gain(table), 1) for table in measured[:2]}
    if arguments:
        head = {"unit": "million tuples per second", "type": "int32", "tuples": TUPLES}
        body = {"runs": RUNS, "gain_at_256": gains, "tables": [asdict(table) for table in measured]}
        print(json.dumps(head | body))
    else:
        text = ", ".join(f"{name} {times}" for name, times in gains.items())
        print(f"window {SIZE}, slide 256: bulk-two-stacks over two-stacks: {text}")
    return 0


def _text(table):
    """Returns a table as text, with one line for each point and one column for each algorithm."""
    varied = "slide" if table.points[0]["size"] == table.points[1]["size"] else "size"
    fixed = "slide 1" if varied == "size" else f"window {SIZE}"
    lines = [f"{table.aggregate} of int32, {fixed}, million tuples/s (seed, figure {table.figure})"]
    lines.append(f"{varied:>9}" + "".join(f"{name:>19}" for name in table.rates))
    for i, point in enumerate(table.points):
        row = (column[i] for column in table.rates.values())
        cells = (f"{x:19,.0f}" if x >= 100 else f"{x:19.3g}" for x in row)
        lines.append(f"{point[varied]:9,}" + "".join(cells))
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

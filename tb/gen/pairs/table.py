"""Makes the table of runs ``table.csv``: every possible pair of values is in at least one row.

Rows share designs, because building a model costs more than a run. So the generator works in two
steps: the first step chooses designs with all pairs of :data:`DESIGN`, the second step chooses runs
of these designs with all other pairs.
"""

import csv
import random
from collections import Counter
from pathlib import Path

from tb.day import FIRST_DAY, places_of_day
from tb.gen.pairs.dimensions import DESIGN, DIMENSIONS, all_pairs, allowed, completed, pairs_of

TABLE = Path(__file__).with_name("table.csv")
#: Runs of the table, at least.
RUNS = 200
#: Runs of a day: each run comes every 125 days, 250 / 2.
DAILY = 2


def read(path=TABLE):
    """Reads the rows of the table, each a dict from dimension to value."""
    with path.open(newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file))


def write(rows, path=TABLE):
    """Writes ``rows`` as a table."""
    with path.open("w", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, list(DIMENSIONS), lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)


def design_of(row):
    """Returns the values of a row that determine the hardware."""
    return tuple(row[name] for name in DESIGN)


def of_the_day(rows, day=FIRST_DAY):
    """Returns the numbers of the rows that run on ``day``.

    Runs of one design mostly fall on one day, and a day has designs of all kinds.
    """
    designs = {}
    for number, row in enumerate(rows):
        designs.setdefault(design_of(row), []).append(number)
    order = list(designs.values())
    random.Random(3).shuffle(order)
    numbers = [number for group in order for number in group]
    return sorted(numbers[place] for place in places_of_day(len(numbers), DAILY, day))


def missing(rows, dimensions=DIMENSIONS):
    """Returns the pairs of values that are allowed, but in no row."""
    covered = set().union(*map(pairs_of, rows))
    open_ = [pair for pair in all_pairs() if pair not in covered]
    return [
        pair
        for pair in open_
        if all(name in dimensions for name, _ in pair) and completed(dict(pair)) is not None
    ]


def generate(seed=1):
    """Makes a new table by allpairspy; equal seeds give equal tables."""
    rng = random.Random(seed)
    designs = _covering(DESIGN, allowed, designs=None, rng=rng)
    known_names = {tuple(row.values()) for row in designs}
    begin_flags = {design[:length] for design in known_names for length in range(len(DESIGN) + 1)}

    def of_a_design(row):
        return tuple(row.values())[: len(DESIGN)] in begin_flags and allowed(row)

    rows = _covering(DIMENSIONS, of_a_design, designs=designs, rng=rng)
    return _filled(_in_verilator(rows), rng)


def extended(rows, seed=1):
    """Drops the refused rows of a table, and adds rows for the missing pairs.

    A new choice or a new refusal changes few rows.
    """
    rng = random.Random(seed)
    rows = [row for row in rows if list(row) == list(DIMENSIONS) and allowed(row)]
    for pair in missing(rows):
        if not any(set(pair) <= row.items() for row in rows):
            rows.append(_with(pair, rows, DIMENSIONS, _designs(rows), rng))
    return _filled(rows, rng)


def _designs(rows):
    """Returns the designs of ``rows``, each as a dict."""
    return [
        dict(zip(DESIGN, design, strict=True)) for design in dict.fromkeys(map(design_of, rows))
    ]


def _filled(rows, rng):
    """Adds rows up to :data:`RUNS`, and sorts the rows by design."""
    designs = _designs(rows)
    while len(rows) < RUNS:
        rows.append(_another(rows, designs, rng))
    order = {tuple(design.values()): place for place, design in enumerate(designs)}
    return sorted(rows, key=lambda row: order[design_of(row)])


def _covering(dimensions, accepted, designs, rng):
    """Makes rows with every pair, also with pairs that allpairspy misses."""
    from allpairspy import AllPairs  # needed only here: tests read the table

    names = list(dimensions)
    pairs_of_values = AllPairs(
        [list(values) for values in dimensions.values()],
        filter_func=lambda values: accepted(dict(zip(names, values, strict=False))),
    )
    rows = [dict(zip(names, values, strict=True)) for values in pairs_of_values]
    for pair in missing(rows, dimensions):
        if not any(set(pair) <= row.items() for row in rows):
            rows.append(_with(pair, rows, dimensions, designs, rng))
    return rows


def _with(pair, rows, dimensions, designs, rng):
    """Makes some rows with ``pair`` and returns the row with most new pairs."""
    covered = set().union(*map(pairs_of, rows))
    parts = [dict(pair)]
    if designs is not None:
        requested = {name: value for name, value in pair if name in DESIGN}
        parts = [
            {**design, **dict(pair)} for design in designs if requested.items() <= design.items()
        ]
        parts = [part for part in parts if allowed(part)] or [dict(pair)]

    def shuffled(name):
        return rng.sample(dimensions[name], len(dimensions[name]))

    tried = [completed(rng.choice(parts), shuffled, dimensions) for _ in range(30)]
    return max(filter(None, tried), key=lambda row: len(pairs_of(row) - covered))


def _in_verilator(rows):
    """Replaces Icarus, which is slow, by Verilator where another row has the pairs of a row."""
    count = Counter(pair for row in rows for pair in pairs_of(row))
    finished = []
    for row in rows:
        own_values = [p for p in pairs_of(row) if ("simulator", "icarus") in p]
        if own_values and all(count[pair] > 1 for pair in own_values):
            count.subtract(own_values)
            row = {**row, "simulator": "verilator"}
        finished.append(row)
    return finished


def _another(rows, designs, rng):
    """Makes a further run of the design with fewest runs."""
    runs = Counter(map(design_of, rows))
    design = min(designs, key=lambda design: runs[design_of(design)])

    def shuffled(name):
        values = [v for v in DIMENSIONS[name] if v != "icarus"]
        return rng.sample(values, len(values))

    return completed(design, shuffled)

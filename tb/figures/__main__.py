"""Measures and draws figures: ``python -m tb.figures [--missing] [names]``; without names, all.

With ``--missing`` measured numbers in the tables stay, and only points without a number are
measured. The table is then written after each point, so an interrupted run loses nothing.
"""

import sys

from tb.figures.figure import figures


def main(arguments):
    missing = "--missing" in arguments
    names = [argument for argument in arguments if argument != "--missing"]
    for name, figure in figures().items():
        if names and name not in names:
            continue
        rows = figure.predicted()
        if missing:
            measure_missing(figure, rows)
        else:
            for k, row in enumerate(rows):
                rows[k] = row | figure.scheduled(row) | figure.measured(row)
                print(name, *rows[k].values(), flush=True)
            figure.write(rows)
        figure.draw(figure.read())


def measure_missing(figure, rows):
    """Adds scheduled and measured numbers to predicted rows: those of the table, or new ones."""
    done = figure.with_numbers(rows)
    for k, row in enumerate(rows):
        if all(done[k][column] is None for column in done[k].keys() - row.keys()):
            done[k] = row | figure.scheduled(row) | figure.measured(row)
            print(figure.name, *done[k].values(), flush=True)
            figure.write(done)
    figure.write(done)


if __name__ == "__main__":
    main(sys.argv[1:])

"""Measures and draws figures: ``python -m tb.figures [option] [names]``; without names, all.

With ``--missing`` a row keeps its numbers if the columns of ``predicted()`` have not changed. A row
is measured if none of its measured columns has a number, and is predicted from a stream if one of
its stream columns has none. The table is written after each row, so an interrupted run loses
nothing.

With ``--predictions`` all predictions are computed again, and nothing is measured: the measured
numbers of the table stay. The table must have the same rows in the same order.
"""

import sys

from tb.figures.figure import figures


def main(arguments):
    names = [argument for argument in arguments if not argument.startswith("--")]
    for name, figure in figures().items():
        if names and name not in names:
            continue
        rows = figure.predicted()
        if "--missing" in arguments:
            measure_missing(figure, rows)
        elif "--predictions" in arguments:
            predict_again(figure, rows)
        else:
            for k, row in enumerate(rows):
                rows[k] = row | figure.stream_prediction(row) | figure.measured(row)
                print(name, *rows[k].values(), flush=True)
            figure.write(rows)
        figure.draw(figure.read())


def predict_again(figure, rows):
    """Writes predicted rows and their predictions from streams; measured numbers stay."""
    table = figure.read()
    figure.write(
        [
            measured | row | figure.stream_prediction(row)
            for measured, row in zip(table, rows, strict=True)
        ]
    )


def measure_missing(figure, rows):
    """Adds the other columns to predicted rows: numbers of the table, or new ones."""
    done = figure.with_numbers(rows)
    by_stream = set(figure.stream_columns)
    for k, row in enumerate(rows):
        new = {}
        if any(done[k].get(column) is None for column in by_stream):
            new |= figure.stream_prediction(row)
        if all(done[k][column] is None for column in done[k].keys() - row.keys() - by_stream):
            new |= figure.measured(row)
        if any(value is not None for value in new.values()):
            done[k] |= new
            print(figure.name, *done[k].values(), flush=True)
            figure.write(done)
    figure.write(done)


if __name__ == "__main__":
    main(sys.argv[1:])

"""Measures and draws figures: ``python -m tb.figures [option] [names]``; without names, all.

Without an option all points are measured again, which takes days.

With ``--missing`` a row keeps its numbers if the columns of ``predicted()`` have not changed. A row
is measured if none of its measured columns has a number, and is predicted from a stream if one of
its stream columns has none. The table is written after each row, so an interrupted run loses
nothing.

With ``--predictions`` all predictions are computed again, and nothing is measured: the measured
numbers of the table stay. The table must have the same rows in the same order.
"""

import argparse

from tb.figures.figure import figures


def main(arguments=None):
    """Runs the command line; ends with exit code 2 for an unknown option or figure."""
    figures_by_name = figures()
    parser = argparse.ArgumentParser(
        prog="python -m tb.figures",
        description="Measures and draws figures. Without an option all points are measured again.",
    )
    ways = parser.add_mutually_exclusive_group()
    ways.add_argument("--missing", action="store_true", help="measure rows without a number only")
    ways.add_argument("--predictions", action="store_true", help="predict again, measure nothing")
    parser.add_argument("names", nargs="*", metavar="figure", help=", ".join(figures_by_name))
    options = parser.parse_args(arguments)
    if unknown := sorted(set(options.names) - figures_by_name.keys()):
        parser.error(f"there is no figure {unknown[0]}, only {', '.join(figures_by_name)}")
    for name in options.names or figures_by_name:
        figure = figures_by_name[name]
        rows = figure.predicted()
        if options.missing:
            measure_missing(figure, rows)
        elif options.predictions:
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
    table = figure.with_numbers(rows)
    by_stream = set(figure.stream_columns)
    for k, row in enumerate(rows):
        new = {}
        if any(table[k].get(column) is None for column in by_stream):
            new |= figure.stream_prediction(row)
        if all(table[k][column] is None for column in table[k].keys() - row.keys() - by_stream):
            new |= figure.measured(row)
        if any(value is not None for value in new.values()):
            table[k] |= new
            print(figure.name, *table[k].values(), flush=True)
            figure.write(table)
    figure.write(table)


if __name__ == "__main__":
    main()

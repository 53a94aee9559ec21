"""Measures and draws figures: ``python -m tb.figures [names]``; without names, all figures."""

import sys

from tb.figures.figure import figures


def main(names):
    for name, figure in figures().items():
        if names and name not in names:
            continue
        rows = []
        for row in figure.predicted():
            rows.append(row | figure.measured(row))
            print(name, *rows[-1].values(), flush=True)
        figure.write(rows)
        figure.draw(figure.read())


if __name__ == "__main__":
    main(sys.argv[1:])

"""Base class of figures: a table with predicted and measured columns, and its picture."""

import csv
import importlib
import pkgutil
from dataclasses import dataclass
from pathlib import Path

import matplotlib
from matplotlib.figure import Figure as Canvas

FOLDER = Path(__file__).parents[2] / "docs" / "figures"


@dataclass(frozen=True, kw_only=True)
class Figure:
    """A table and its picture, docs/figures/<name>.csv and .svg.

    A subclass must implement these methods:

    - ``predicted()`` returns the rows as mappings of column to value, without the columns of the
      other methods.
    - ``measured(row)`` returns the measured columns of a row.
    - ``paint(canvas, rows)`` draws rows that were read from the table; an empty cell is None.

    A subclass with ``stream_columns`` must also implement ``stream_prediction(row)``, which returns
    these columns.

    Attributes
    ----------
    name : str
    inches : tuple of float
        Width and height of the picture.
    stream_columns : tuple of str
        Columns whose prediction needs the tuples of a measurement; it takes seconds for each row.
    """

    name: str
    inches: tuple[float, float] = (9, 7)
    stream_columns: tuple[str, ...] = ()

    def write(self, rows):
        """Writes the table."""
        FOLDER.mkdir(exist_ok=True)
        with open(FOLDER / f"{self.name}.csv", "w", newline="", encoding="utf-8") as file:
            table = csv.DictWriter(file, rows[0], lineterminator="\n")
            table.writeheader()
            table.writerows(rows)

    def read(self):
        """Returns the rows of the table in docs/figures."""
        with open(FOLDER / f"{self.name}.csv", newline="", encoding="utf-8") as file:
            return [
                {name: number(text) for name, text in row.items()} for row in csv.DictReader(file)
            ]

    def stream_prediction(self, row):
        """Returns the columns ``stream_columns`` of a row."""
        return {}

    def with_numbers(self, predicted):
        """Returns predicted rows with the other columns of the table.

        A row whose predicted columns are the same in the table has the table's numbers in its
        other columns. Each other row has None there.
        """
        table = self.read()
        columns = [name for name in table[0] if name not in predicted[0]]
        numbers = {
            tuple(row[name] for name in predicted[0]): {name: row[name] for name in columns}
            for row in table
        }
        blank = dict.fromkeys(columns)
        return [row | numbers.get(tuple(row.values()), blank) for row in predicted]

    def draw(self, rows, folder=FOLDER):
        """Writes the picture; equal rows give equal files: no dates, random names or fonts."""
        style = {"svg.hashsalt": self.name, "svg.fonttype": "none", "font.size": 9}
        with matplotlib.rc_context(style):
            canvas = Canvas(figsize=self.inches, layout="constrained")
            self.paint(canvas, rows)
            canvas.savefig(folder / f"{self.name}.svg", metadata={"Date": None, "Creator": None})


def number(text):
    """Returns a cell's number, the text if it is no number, or None for an empty cell."""
    try:
        return float(text) if text else None
    except ValueError:
        return text


def figures():
    """Returns all figures by their names."""
    package = importlib.import_module("tb.figures")
    names = sorted(module.name for module in pkgutil.iter_modules(package.__path__))
    modules = [
        importlib.import_module(f"tb.figures.{name}")
        for name in names
        if not name.startswith(("_", "test_"))
    ]
    return {module.FIGURE.name: module.FIGURE for module in modules if hasattr(module, "FIGURE")}

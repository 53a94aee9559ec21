"""What a figure is: rows of a table, of which some columns are measured, and a picture of it."""

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

    A subclass has ``predicted()``, the rows as mappings of column to value, without what is
    measured; ``measured(row)``, the rest of a row; and ``paint(canvas, rows)``, the picture of rows
    as they are kept, with numbers, and None where there is nothing.

    Attributes
    ----------
    name : str
    inches : tuple of float
        Width and height of the picture.
    """

    name: str
    inches: tuple[float, float] = (9, 7)

    def write(self, rows):
        """Writes the table."""
        FOLDER.mkdir(exist_ok=True)
        with open(FOLDER / f"{self.name}.csv", "w", newline="", encoding="utf-8") as file:
            table = csv.DictWriter(file, rows[0], lineterminator="\n")
            table.writeheader()
            table.writerows(rows)

    def kept(self):
        """The rows of the table as it was written."""
        with open(FOLDER / f"{self.name}.csv", newline="", encoding="utf-8") as file:
            return [
                {name: number(text) for name, text in row.items()} for row in csv.DictReader(file)
            ]

    def draw(self, rows, folder=FOLDER):
        """Writes the picture, the same for the same rows: no date, no random names, no fonts."""
        style = {"svg.hashsalt": self.name, "svg.fonttype": "none", "font.size": 9}
        with matplotlib.rc_context(style):
            canvas = Canvas(figsize=self.inches, layout="constrained")
            self.paint(canvas, rows)
            canvas.savefig(folder / f"{self.name}.svg", metadata={"Date": None, "Creator": None})


def number(text):
    """A number if it is one; None if there is nothing."""
    try:
        return float(text) if text else None
    except ValueError:
        return text


def figures():
    """All figures by their names."""
    package = importlib.import_module("tb.figures")
    names = sorted(found.name for found in pkgutil.iter_modules(package.__path__))
    modules = [
        importlib.import_module(f"tb.figures.{name}")
        for name in names
        if not name.startswith(("_", "test_"))
    ]
    return {module.FIGURE.name: module.FIGURE for module in modules if hasattr(module, "FIGURE")}

"""Rows that a query loses when its engine evicts keys from a table that is too small."""

from dataclasses import dataclass

from gen.table_size import way_out
from golden.comparison import missing_rows


@dataclass(frozen=True, kw_only=True)
class Losses:
    """Evictions of a run, and the rows that are missing because of them.

    Attributes
    ----------
    evictions : int
        How often a key was evicted, in one stream.
    rows : int
        Rows that the query has, with no key evicted.
    lost : int or None
        Rows of the query that did not come, or came with other values; None when the hardware's
        rows cannot be read.
    way_out : str
        Names the size of a table that would hold all keys.
    """

    evictions: int
    rows: int
    lost: int | None
    way_out: str

    @classmethod
    def of(cls, design, tuples, evictions, expected, rows):
        """The losses of a run.

        Parameters
        ----------
        design : Design
        tuples : Tuples
        evictions : Evictions
        expected : pa.Table
            The query's rows, by golden.
        rows : pa.Table or None
            The hardware's.
        """
        lost = None if rows is None else missing_rows(expected, rows)
        return cls(
            evictions=len(evictions),
            rows=expected.num_rows,
            lost=lost,
            way_out=way_out(design, tuples),
        )

    @property
    def text(self):
        """Phrase with the number of lost rows."""
        lost = "an unknown number" if self.lost is None else f"{self.lost:,}"
        return f"of the query's {self.rows:,} rows {lost} are lost or differ"

    @property
    def problem(self):
        """Line that explains why a run without ``--allow-evictions`` has failed."""
        times = "a key was" if self.evictions == 1 else f"{self.evictions:,} times a key was"
        return (
            f"{times} evicted from the table: {self.text}; {self.way_out}; --allow-evictions "
            "compares with PySpark's answer for the evicted keys instead"
        )

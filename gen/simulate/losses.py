"""Counts the rows that a query loses when its engine evicts keys from a table too small."""

from dataclasses import dataclass

import pyarrow as pa

from gen.simulate.table_size import size_advice
from golden.compare.tables import missing_rows
from golden.plans.lives import Evictions
from golden.tuples import Tuples
from rtl.contract.design import Design


@dataclass(frozen=True, kw_only=True)
class Losses:
    """Number of evictions in a run, and number of rows that are missing because of them.

    Attributes
    ----------
    evictions : int
        Number of evictions in one stream; a key evicted twice counts twice.
    rows : int
        Number of rows of the query if no key were evicted.
    lost : int or None
        Number of rows of the query that are missing in the hardware's rows, or have other values;
        None if the hardware's rows cannot be read.
    size_advice : str
        Phrase that names the size of a table that would hold all keys, or says that there is none.
    """

    evictions: int
    rows: int
    lost: int | None
    size_advice: str

    @classmethod
    def of(
        cls,
        design: Design,
        tuples: Tuples,
        evictions: Evictions,
        expected: pa.Table,
        rows: pa.Table | None,
    ) -> "Losses":
        """Computes the losses of a run.

        Parameters
        ----------
        design : Design
        tuples : Tuples
        evictions : Evictions
        expected : pa.Table
            Golden's rows of the query.
        rows : pa.Table or None
            The hardware's rows; None if they cannot be read.
        """
        lost = None if rows is None else missing_rows(expected, rows)
        return cls(
            evictions=len(evictions),
            rows=expected.num_rows,
            lost=lost,
            size_advice=size_advice(design, tuples),
        )

    @property
    def text(self) -> str:
        """Phrase with the number of lost rows."""
        lost = "an unknown number" if self.lost is None else f"{self.lost:,}"
        return f"of the query's {self.rows:,} rows {lost} are lost or differ"

    @property
    def problem(self) -> str:
        """Line that explains why a run without ``--allow-evictions`` has failed."""
        times = "a key was" if self.evictions == 1 else f"{self.evictions:,} times a key was"
        return (
            f"{times} evicted from the table: {self.text}; {self.size_advice}; --allow-evictions "
            "compares with PySpark's answer for the evicted keys instead"
        )

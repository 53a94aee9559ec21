"""Scans the tuples of each key in order of arrival: counts them, and finds their greatest value.

Usually one task sorts all tuples of a key. If a key is too big for a task, the stream is divided
into *sections*, ranges of `SECTION` numbers of arrival. The tuples of a key in a section are sorted
and scanned by themselves. A second stage adds the result of the key's earlier sections, one row
for each key and section. For instance, with sections of 3 arrivals:

    arrival                          0  1  2 | 3  4  5 | 6  7
    key                              5  9  5 | 5  5  9 | 9  5
    tuples of the key in the section 0  0  1 | 0  1  0 | 0  0
    and before the section           0  0  0 | 2  2  1 | 2  4
    count                            0  0  1 | 2  3  1 | 2  4
"""

from dataclasses import dataclass

from pyspark.sql import DataFrame, Window
from pyspark.sql import functions as fn

SECTION = 1 << 24  # arrivals; a key with more tuples is too big for a task
_SECTION, _IN_SECTION, _BEFORE_SECTION = "section", "in_section", "before_section"


@dataclass(frozen=True)
class KeyScan:
    """Scans tuples in the order of the column ``n``, their number of arrival.

    ``by`` names the columns that identify a key.
    """

    by: list[str]
    in_sections: bool = False

    @classmethod
    def of(cls, tuples: DataFrame, by: list[str], count: int) -> "KeyScan":
        """Returns the scan of ``count`` tuples, in sections if one of their keys is too big."""
        if count <= SECTION:
            return cls(by)
        [row] = tuples.groupBy(*by).count().agg(fn.max("count")).take(1)
        return cls(by, in_sections=(row[0] or 0) > SECTION)

    def counted(self, tuples: DataFrame, name: str) -> DataFrame:
        """Returns the tuples with the column ``name``, a count of each key's tuples from 0."""
        if not self.in_sections:
            row = fn.row_number().over(Window.partitionBy(*self.by).orderBy("n"))
            return tuples.withColumn(name, (row - 1).cast("long"))
        tuples, earlier_results = self._divided(tuples, fn.count(fn.lit(1)), fn.sum(_IN_SECTION))
        row = fn.row_number().over(Window.partitionBy(*self.by, _SECTION).orderBy("n"))
        joined = tuples.withColumn(_IN_SECTION, row).join(earlier_results, [*self.by, _SECTION])
        count = fn.col(_IN_SECTION) - 1 + fn.coalesce(_BEFORE_SECTION, fn.lit(0))
        return joined.withColumn(name, count.cast("long")).drop(
            _SECTION, _IN_SECTION, _BEFORE_SECTION
        )

    def with_greatest(self, tuples: DataFrame, column: str, name: str) -> DataFrame:
        """Returns the tuples with the greatest ``column`` of this and the key's earlier tuples."""
        if not self.in_sections:
            greatest = fn.max(column).over(Window.partitionBy(*self.by).orderBy("n"))
            return tuples.withColumn(name, greatest)
        tuples, earlier_results = self._divided(tuples, fn.max(column), fn.max(_IN_SECTION))
        greatest = fn.max(column).over(Window.partitionBy(*self.by, _SECTION).orderBy("n"))
        joined = tuples.withColumn(_IN_SECTION, greatest).join(
            earlier_results, [*self.by, _SECTION]
        )
        # fn.greatest ignores the NULL of a key's first section
        greatest = fn.greatest(_IN_SECTION, _BEFORE_SECTION)
        return joined.withColumn(name, greatest).drop(_SECTION, _IN_SECTION, _BEFORE_SECTION)

    def with_total(self, panes: DataFrame, column: str, name: str) -> DataFrame:
        """Returns the panes of keys with the sum of ``column`` over all panes of the key."""
        if not self.in_sections:
            return panes.withColumn(name, fn.sum(column).over(Window.partitionBy(*self.by)))
        return panes.join(panes.groupBy(*self.by).agg(fn.sum(column).alias(name)), self.by)

    def _divided(self, tuples, aggregate, earlier):
        """Returns the tuples with their section, and a frame with a row for each key and section.

        The row has the ``earlier`` aggregate: it combines the results of ``aggregate`` in the
        key's sections before this section, and is NULL in the key's first section.
        """
        section = fn.call_function("div", fn.col("n"), fn.lit(SECTION))
        tuples = tuples.withColumn(_SECTION, section)
        section_results = tuples.groupBy(*self.by, _SECTION).agg(aggregate.alias(_IN_SECTION))
        window = Window.partitionBy(*self.by).orderBy(_SECTION)
        result = earlier.over(window.rowsBetween(Window.unboundedPreceding, -1))
        return tuples, section_results.select(*self.by, _SECTION, result.alias(_BEFORE_SECTION))

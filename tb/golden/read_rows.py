"""Reads rows that golden wrote to a file back, as raw values."""

from decimal import Decimal
from fractions import Fraction
from pathlib import Path

import pyarrow as pa
import pyarrow.csv as pacsv
import pyarrow.parquet as pq

from golden.plans.plan import row_types
from golden.rows import fraction_bits
from query.errors import UserError
from query.query import Query


def read(path: str | Path, query: Query) -> pa.Table:
    """Returns the rows of a file that `golden.rows.write` wrote for ``query``, as raw values."""
    path = Path(path)
    types = dict(row_types(query))
    fractions = fraction_bits(query)
    if path.suffix == ".csv":
        texts = dict.fromkeys(types, pa.string())
        nullable = pacsv.ConvertOptions(
            column_types=texts, strings_can_be_null=True, null_values=[""],
            quoted_strings_can_be_null=False,
        )  # fmt: skip
        table = pacsv.read_csv(path, convert_options=nullable)
    else:
        table = pq.read_table(path)
    if tuple(table.column_names) != query.row_names:
        names = ", ".join(table.column_names)
        raise UserError(f"columns must be {', '.join(query.row_names)}, not {names}", file=path)
    columns = {
        name: _raw(table[name], kind, fractions[name]) for name, kind in types.items()
    }  # fmt: skip
    return pa.table(columns, schema=pa.schema(list(types.items())))


def raw_number(value, fraction_bits):
    """Returns the raw number of a user's value; a value between two raw numbers is an error."""
    scaled = Fraction(value) * 2**fraction_bits
    assert scaled.denominator == 1, value
    return int(scaled)


def _raw(column, kind, fraction_bits):
    """Returns the raw values of a file's column."""
    if pa.types.is_string(kind):
        return column.combine_chunks()
    if pa.types.is_floating(kind):
        return column.combine_chunks().cast(kind)
    coded = column.combine_chunks().dictionary_encode()
    numbers = [raw_number(value, fraction_bits) for value in coded.dictionary.to_pylist()]
    if pa.types.is_decimal(kind):
        numbers = [Decimal(number) for number in numbers]
    return pa.array(numbers, kind).take(coded.indices)

"""Writes tables of rows in any form and division, and compares them by a plain model."""

import gzip
import random

import pyarrow as pa
import pyarrow.parquet as pq


def write(table, path, form, parts=1, seed=0):
    """Writes a table as ``csv``, ``csv.gz`` or ``parquet``: one file, or a directory of parts.

    Returns the path of the file or directory. The borders of the parts are random, and parts may be
    empty.
    """
    if parts == 1:
        file = path.with_name(f"{path.name}.{form}")
        _write_file(table, file, form)
        return file
    path.mkdir()
    rng = random.Random(seed)
    borders = sorted(rng.randrange(table.num_rows + 1) for _ in range(parts - 1))
    borders = [0, *borders, table.num_rows]
    for number in range(parts):
        part = table[borders[number] : borders[number + 1]]
        _write_file(part, path / f"part-{number:05}.{form}", form)
    (path / "_SUCCESS").write_text("")
    return path


def _write_file(table, file, form):
    if form == "parquet":
        pq.write_table(table, file, row_group_size=max(1, table.num_rows // 3))
        return
    open_file = gzip.open if form == "csv.gz" else open
    with open_file(file, "wt", newline="") as text:
        text.write(",".join(table.column_names) + "\n")
        for row in zip(*(column.to_pylist() for column in table.columns), strict=True):
            text.write(",".join(map(_field, row)) + "\n")


def _field(value):
    """Returns a field of CSV: NULL is empty, and an empty text is quoted."""
    if value is None:
        return ""
    if isinstance(value, str):
        return '"' + value.replace('"', '""') + '"'
    return str(value)


def differing(expected, actual):
    """Returns the indices of rows that differ, by a loop over rows as texts.

    Texts of floats differ for different bits, and texts of decimals must have equal scales.
    """
    a, b = ([*map(repr, table.to_pylist())] for table in (expected, actual))
    row_count = max(len(a), len(b))
    a, b = (rows + ["no row"] * (row_count - len(rows)) for rows in (a, b))
    return [index for index in range(row_count) if a[index] != b[index]]


def random_rows(rng, count):
    """Returns a table with a column of each kind, with NULL, and texts that CSV must quote."""
    texts = ["", "a", 'b"c', "d,e", "f\ng", "NULL", "nan", "01", "é"]
    floats = [0.0, -0.0, 1e-45, 3.5, float("inf"), float("-inf"), 0.1]

    def column(draw, type_):
        return pa.array([draw() if rng.random() > 0.1 else None for _ in range(count)], type_)

    return pa.table(
        {
            "window": pa.array(range(count), pa.int64()),
            "key": column(lambda: rng.choice(texts), pa.string()),
            "sum": column(lambda: rng.randrange(-(10**12), 10**12), pa.decimal128(20, 0)),
            "mean": column(lambda: rng.choice(floats), pa.float32()),
            "most": column(lambda: rng.choice([*floats, rng.random()]), pa.float64()),
        }
    )


def changed(rng, table, count):
    """Returns the table with values of random places copied from other rows of their columns."""
    for _ in range(count):
        at = rng.randrange(table.num_columns)
        values = table.column(at).to_pylist()
        values[rng.randrange(len(values))] = rng.choice(values)
        field = table.schema.field(at)
        table = table.set_column(at, field, pa.array(values, field.type))
    return table

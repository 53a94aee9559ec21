"""Plans the tasks of Structured Streaming: each micro-batch is a segment of the stream."""

from collections.abc import Iterable, Iterator
from hashlib import sha256
from typing import Any

import pandas as pd
import pyarrow as pa
from pyspark.sql import DataFrame
from pyspark.sql import functions as fn
from pyspark.sql.pandas.types import to_arrow_schema

from golden.frames.engine_values import engine_columns, result_batches, result_schema
from golden.spark.arrow_maps import map_batches, quiet
from host.spark.cuts import RowWindows, StreamWindows, TimeWindows
from host.spark.key_state import KeyJob, float_sum_step
from host.spark.saved import Saved
from host.spark.stream_state import StreamJob
from query.errors import UserError
from query.window import Range, WholeStream
from sluice.operator.design import OperatorDesign
from sluice.operator.keys import key_part
from sluice.operator.prepared import ACCEPTED, ORDER, prepared_stream

#: Number of parts of the keys if the user sets no ``partitions``. The number does not depend on the
#: cluster, because a checkpoint holds the state of each part.
PARTS = 4
#: Greatest number of tuples of a key that the state may need to hold for sums of floats.
MOST_SAVED = 1 << 20
#: Columns: number of the part of the keys, and whether a row is a mark (`_with_marks`).
_PART, _MARK = "part", "mark"


def stream_results(
    design: OperatorDesign, df: DataFrame, order: str | None, start: int | None, parts: int | None
) -> DataFrame:
    """Returns the frame of results (`golden.frames.engine_values`) of a streaming frame.

    Each part of the keys has a state in the checkpoint; a query without PARTITION BY has one part.
    In a micro-batch an engine gets the tuples of a part, at most `OperatorDesign.part_size` a time.

    Raises UserError for a query whose rows a stream cannot have.
    """
    check_streams(design, start)
    query = design.query
    tuples = prepared_stream(query, df, order)
    parts = PARTS if parts is None else parts
    job = _job(design, start, parts, tuples.schema[ORDER].dataType.simpleString())
    names = [*(f"c{i}" for i in range(len(query.columns))), ACCEPTED, ORDER]
    schema = to_arrow_schema(tuples.select(*(fn.col(f"`{name}`") for name in names)).schema)
    has_parts = query.partition is not None
    part = key_part(query, parts) if has_parts else fn.lit(0)
    tuples = _with_marks(tuples, part, names, has_parts)
    identity, accepted_name, order_name, mark = job.identity, ACCEPTED, ORDER, _MARK
    size = design.part_size

    def advance(key: Any, frames: Any, state: Any) -> Iterator[pd.DataFrame]:
        """Yields the results of a part in a micro-batch, and updates the part's state."""
        tables = [
            pa.Table.from_pandas(f.loc[~f[mark], names], schema, preserve_index=False)
            for f in frames
        ]
        table = pa.concat_tables(tables).sort_by(order_name)
        saved = Saved.from_bytes(state.get[0], identity) if state.exists else None
        if saved is not None and saved.is_empty:
            saved = None
        if not table.num_rows:
            if saved is None:
                state.update((Saved.empty(identity).to_bytes(),))
            return
        for begin in range(0, table.num_rows, size):
            segment = table.slice(begin, size)
            order_values = segment[order_name].combine_chunks()
            accepted = segment[accepted_name].to_numpy()
            columns = engine_columns(query, segment)
            rows, counts, saved = job.advance(saved, columns, accepted, order_values)
            for batch in result_batches(query, rows, counts, key[0]):
                yield batch.to_pandas(types_mapper=pd.ArrowDtype)
        assert saved is not None
        state.update((saved.to_bytes(),))

    with quiet():
        return tuples.groupBy(_PART).applyInPandasWithState(
            advance, result_schema(query), "state binary", "append", "NoTimeout"
        )


def _with_marks(tuples, part, names, has_parts):
    """Returns the tuples with the columns `_PART` and `_MARK`; with PARTITION BY, marks.

    A mark is a row for part 0 that is no tuple; each partition of a micro-batch with any tuple has
    one. So part 0 gets a row in each micro-batch with tuples, has a state from the first one on,
    and checks each time that the checkpoint is of this job. Without marks a changed number of parts
    could go unnoticed: a key that moves to a part without a state would begin anew.
    """
    columns = [fn.col(f"`{name}`") for name in names]
    marked = tuples.select(part.alias(_PART), fn.lit(False).alias(_MARK), *columns)

    def mark(batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        is_first = True
        for batch in batches:
            if is_first and batch.num_rows:
                values = [pa.array([0], batch.schema.field(0).type), pa.array([True])]
                values += batch.slice(0, 1).columns[2:]
                yield pa.RecordBatch.from_arrays(values, schema=batch.schema)
                is_first = False
            yield batch

    return map_batches(marked, mark, marked.schema) if has_parts else marked


def check_streams(design: OperatorDesign, start: int | None) -> None:
    """Raises UserError for a query whose rows a stream cannot have."""
    query, window = design.query, design.query.window
    reason = None
    if isinstance(window, WholeStream):
        reason = "GROUP BY without a window has its rows at the end, and a stream has none"
    elif design.task.allow_evictions:
        reason = "evictions depend on where an engine begins, and each micro-batch begins anew"
    elif design.lossy:
        reason = "a lossy codec rounds by where a stream begins, and each micro-batch begins anew"
    elif isinstance(window, Range) and window.partition:
        if start is None:
            reason = "PARTITION BY RANGE in a stream needs start=, the same for all keys"
        elif _adds_floats(query):
            reason = "sums of floats under PARTITION BY RANGE need the whole stream of a key"
    elif window.partition and _adds_floats(query):
        step = float_sum_step(window.size, window.slide)
        if step > MOST_SAVED:
            reason = (
                f"sums of floats over ROWS {window.size:,} SLIDE {window.slide:,} need up to "
                f"{step:,} saved tuples of each key, and {MOST_SAVED:,} are allowed; a SLIDE that "
                "is a power of two needs fewer"
            )
    if reason is not None:
        raise UserError(reason, file=design.place)


def _job(design, start, parts, order_type):
    """Returns the job whose method `advance` the tasks call."""
    query, task = design.query, design.task
    parts = 1 if query.partition is None else parts
    identity = repr((task.digest, sorted(design.numbers.items()), start, parts, order_type))
    identity = sha256(identity.encode()).hexdigest()
    windows = _windows(query, start)
    if query.partition is None:
        return StreamJob(task, windows, identity, start is not None)
    return KeyJob(task, windows, query.partition.name, identity, _adds_floats(query))


def _adds_floats(query):
    return any(item.aggregate.adds_floats for item in query.items)


def _windows(query, start) -> StreamWindows:
    window = query.window
    if not isinstance(window, Range):
        return RowWindows(window.size, window.slide)
    name = window.attribute.name
    return TimeWindows(window.size, window.slide, window.slack, name, start or 0)

"""Checks streaming jobs that run engines: a job that fails and starts again gives each row once."""

import pyarrow as pa
import pytest
from pyspark.errors import StreamingQueryException

import sluice
from query.errors import UserError
from query.window import Range
from sluice.operator.design import OperatorDesign
from tb.host.spark.frames import expected, plain, random_table, with_settings

pytestmark = [pytest.mark.hdl, pytest.mark.spark]

#: Settings of each design, and whether its windows need a start.
POINTS = {
    "pane": ({"range": 20, "slide": 5, "slack": 3}, False),
    "streamzip, percentiles": ({"size": 4, "slide": 2}, False),
    "streamzip": ({"size": 6, "slide": 2}, False),
    "streamzip, time": ({"range": 6, "slide": 2}, True),
    "swag": ({"size": 8, "slide": 4}, False),
    "two-stacks": ({"size": 5, "slide": 2}, False),
    "window-id": ({"slack": 3}, True),
}
DAILY = {"pane"}


class Job:
    """A streaming job from files to files, which a fault file makes fail."""

    def __init__(self, spark, folder, directory, cache, **arguments):
        self.spark, self.folder, self.directory = spark, folder, directory
        self.fault = folder / "fault"
        fault, models = str(self.fault), str(cache / "bench")

        def backend(description, addresses):
            from pathlib import Path

            from sim.host_simulation import CompiledSimulation

            if Path(fault).exists():
                raise RuntimeError("the board is on fire")
            return CompiledSimulation(description, cache=models)

        self.arguments = {"order": "number", "backend": backend, "partitions": 2} | arguments

    def add(self, table):
        """Adds a file of tuples, in any order; files are read in the order in which they come."""
        frame = self.spark.createDataFrame(table).orderBy("y").coalesce(1)
        frame.write.mode("append").parquet(str(self.folder / "tuples"))

    def run(self):
        """Runs until all files are read."""
        stream = self.spark.readStream.schema(self.schema).option("maxFilesPerTrigger", 1)
        tuples = stream.parquet(str(self.folder / "tuples"))
        rows = sluice.windows(tuples, self.directory, **self.arguments)
        sink = rows.writeStream.option("checkpointLocation", str(self.folder / "checkpoint"))
        writer = sink.option("path", str(self.folder / "rows")).trigger(availableNow=True)
        writer.start().awaitTermination()

    @property
    def schema(self):
        return self.spark.read.parquet(str(self.folder / "tuples")).schema

    def rows(self):
        return [plain(row) for row in self.spark.read.parquet(str(self.folder / "rows")).collect()]


def closed_rows(query, table, start):
    """Returns the reference's rows without the windows that only the end of a stream closes."""
    rows, _ = expected(query, table, start)
    window = query.window
    if not isinstance(window, Range) or window.partition:
        return rows
    times = table[window.attribute.name].to_pylist()
    if start is None:
        start = (times[0] - window.slack) // window.slide * window.slide
    slides = (max(times) - window.slack - start) // window.slide
    return [row for row in rows if row["window_end"] <= start + slides * window.slide]


@pytest.mark.in_turn
@pytest.mark.parametrize(
    "name", [pytest.param(n, marks=() if n in DAILY else pytest.mark.regress) for n in POINTS]
)
def test_each_row_once_after_faults(generated, spark, cache, tmp_path, name):
    """The job writes each row once, although Spark runs two micro-batches twice.

    The first one fails in the engine. The second one is complete, but its commit is deleted.
    """
    design, directory = generated(name)
    settings, has_start = POINTS[name]
    query = with_settings(design.query, settings)
    table = random_table(query, 160, seed=len(name))
    start = 6 if has_start else None
    job = Job(spark, tmp_path, directory, cache, settings=settings, start=start)
    job.add(table[:60])
    job.run()
    job.add(table[60:90])
    job.fault.touch()
    with pytest.raises(StreamingQueryException, match="the board is on fire"):
        job.run()
    job.fault.unlink()
    job.add(table[90:])
    job.run()
    (tmp_path / "checkpoint" / "commits" / "2").unlink()
    (tmp_path / "checkpoint" / "commits" / ".2.crc").unlink()
    job.run()
    rows = closed_rows(query, table, start)
    assert sorted(map(repr, job.rows())) == sorted(map(repr, rows))
    assert len(rows) > 8


@pytest.mark.in_turn
def test_mistakes_are_one_line(generated, spark, tmp_path):
    """A query is refused before its stream has any tuple."""
    for name, columns, arguments, text in (
        ("two-stacks", "x int, y int", {"order": None}, "order: a stream needs the name of a col"),
        ("two-stacks", "z int", {}, "there is no column x, only: z"),
        ("two-stacks", "x int, y int", {}, "order: there is no column number, only: x, y"),
        ("two-stacks", "x date, y int, number int", {}, "x: a date is no value for int(7)"),
        ("group-by", "g int, x int", {}, "GROUP BY without a window has its rows at the end"),
        ("streamzip, time", "k int", {}, "PARTITION BY RANGE in a stream needs start="),
        ("streamzip, time", "k int", {"allow_evictions": True}, "evictions depend on where an"),
    ):
        _, directory = generated(name)
        stream = spark.readStream.schema(columns).parquet(str(tmp_path))
        with pytest.raises(UserError) as error:
            sluice.windows(stream, directory, **{"order": "number"} | arguments)
        assert text in str(error.value)
        assert "\n" not in str(error.value)


@pytest.mark.regress
def test_a_checkpoint_of_another_job_is_refused(generated, spark, cache, tmp_path):
    design, directory = generated("two-stacks")
    table = random_table(design.query, 40, 0)
    job = Job(spark, tmp_path, directory, cache)
    job.add(table[:20])
    job.run()
    job.add(table[20:])
    job.arguments |= {"settings": {"ws": 4}}
    with pytest.raises(StreamingQueryException, match="the checkpoint is of another job"):
        job.run()


@pytest.mark.regress
def test_a_micro_batch_of_more_tuples_than_an_engine_counts(
    generated, spark, cache, tmp_path, monkeypatch
):
    """The engine gets the tuples in several streams, and the same settings in another spelling."""
    monkeypatch.setattr("sluice.operator.design.LONGEST", 60)
    design, directory = generated("two-stacks")
    part_size = OperatorDesign.read(
        directory, {}, backend=None, options={}, allow_evictions=False
    ).part_size
    assert 5 < part_size < 40
    query = with_settings(design.query, {"size": 5, "slide": 2})
    table = random_table(query, 120, 0)
    job = Job(spark, tmp_path, directory, cache, settings={"ws": 5, "wa": 2})
    for part, settings in ((table[:80], {"ws": 5, "wa": 2}), (table[80:], {"size": 5.0, "wa": 2})):
        job.arguments |= {"settings": settings}
        job.add(part)
        job.run()
    rows = closed_rows(query, table, None)
    assert sorted(map(repr, job.rows())) == sorted(map(repr, rows))
    assert len(rows) > 40


@pytest.mark.regress
@pytest.mark.parametrize("key", [1, 2, 3])
def test_a_key_that_would_move_to_another_part_is_refused(generated, spark, cache, tmp_path, key):
    """The key's new part may have no state, but part 0 notices the other number of parts."""
    design, directory = generated("streamzip")
    table = random_table(design.query, 40, 0)
    name = design.query.partition.name
    table = table.set_column(
        table.column_names.index(name), name, pa.array([key] * 40, table[name].type)
    )
    job = Job(spark, tmp_path, directory, cache)
    job.add(table[:20])
    job.run()
    job.add(table[20:])
    job.arguments |= {"partitions": 4}
    with pytest.raises(StreamingQueryException, match="the checkpoint is of another job"):
        job.run()


@pytest.mark.regress
def test_rows_and_counters_of_micro_batches(generated, spark, cache, tmp_path):
    """A streaming query returns rows and counters; a row of a counter has its name."""
    design, directory = generated("pane")
    table = random_table(design.query, 120, 7)
    job = Job(spark, tmp_path, directory, cache, counters=True)
    for begin in (0, 50):
        job.add(table[begin : begin + (50 if begin == 0 else 70)])
    stream = spark.readStream.schema(job.schema).option("maxFilesPerTrigger", 1)
    results = sluice.windows(stream.parquet(str(tmp_path / "tuples")), directory, **job.arguments)
    rows, sums = [], {}

    def part(frame, _batch):
        for row in frame.collect():
            if row["#counter"] is None:
                rows.append({name: plain(row)[name] for name in design.query.row_names})
            else:
                sums[row["#counter"]] = sums.get(row["#counter"], 0) + row["#count"]

    writer = results.results.writeStream.foreachBatch(part).trigger(availableNow=True)
    writer.option("checkpointLocation", str(tmp_path / "checkpoint")).start().awaitTermination()
    _, counts = expected(design.query, table)
    assert rows == closed_rows(design.query, table, None)
    assert (sums["tuples"], sums["late"], sums["rows"]) == (120, counts["late"], len(rows))
    assert sums["replayed"] > 0

"""Computes the files of a generated bench in cocotb: tuples, expected rows, settings, counters."""

import csv
import io
import json
from collections.abc import Callable, Mapping
from importlib.resources import files as package_files
from typing import Any

from gen.cocotb_bench.expected_fields import expected_fields
from gen.cocotb_bench.first_start import start_for
from gen.design.build import Build
from gen.design.network import Wire, network_writes
from gen.design.register_writes import register_writes
from gen.prediction.codec_model import lossy_codec
from gen.prediction.expected_rate import foretell
from gen.prediction.overruns import overrun_count
from gen.prediction.selected_tuples import filtered_count
from gen.simulate.input_beats import input_beats
from gen.simulate.result_rows import allowed_packet_counts, packets_of_rows
from gen.simulate.run import DRAIN, IDLE
from gen.simulate.steady_part import stretch_of
from gen.simulate.table_size import entries_for, keys_of
from golden.answer import Answer, nan_count
from golden.tuples import Tuples
from query.query import Query
from query.window import WholeStream
from rtl.bus.top_registers import counters_of, network_counters, registers_of
from rtl.contract.design import Design
from sim.beats import unpack_fields

#: Factor by which a run with stalls may take longer than predicted for a run without stalls.
SLOWEST = 20
#: Share of the cycles in which the output of a network face is taken to be ready: the bench sends
#: tuples at this share of the rate without stalls.
NETWORK_RATE = 0.5

#: Returns golden's answer for a query, its tuples, a start and a lossy codec.
Golden = Callable[[Query, Tuples, int | None, Any], Answer]


class BenchError(Exception):
    """No bench can be made from the tuples; the message is one line for the user."""


def bench_files(build: Build, tuples: Tuples, golden: Golden) -> dict[str, str]:
    """Returns the files of the bench by path.

    The files are ``sim/test_<name>.py``, which is the same for all designs, and the data of this
    design: ``sim/<name>_tuples.csv``, ``sim/<name>_rows.csv`` and ``sim/<name>_run.json``. With a
    network face there is also ``sim/ethernet_frames.py``, which is the same for all designs. A
    field is written as the unsigned number of its bits: -3 of an ``int(8)`` is 0xfd.

    Parameters
    ----------
    build : Build
    tuples : Tuples
        In the order of their arrival.
    golden : callable
        Computes the expected rows by PySpark, or reads them from the cache.

    Raises
    ------
    UserError
        If a setting, such as the start of a window of time, does not fit in its register.
    BenchError
        If there are no tuples, or more than the design can count; if the design's table would
        evict a key; if windows may overflow, because ``expected_ratio`` is set; if the design would
        drop a tuple as an overrun; or if results are selected behind a network face.
    """
    design, name = build.design, build.name
    _check_count(design, tuples)
    _check_keys(design, tuples)
    _check_rings(design)
    if design.face.network and len(design.settings.functions) > 1:
        raise BenchError("with network=true a wire does not show when to select the next result")
    answer = golden(design.query, tuples, start_for(design, tuples), lossy_codec(design))
    _check_overruns(design, tuples, answer.start)
    beats = input_beats(design, tuples, answer.start)
    frames = {"sim/ethernet_frames.py": _source("ethernet_frames.py")}
    return (frames if design.face.network else {}) | {
        f"sim/test_{name}.py": _source("bench.py"),
        f"sim/{name}_tuples.csv": _tuples_text(design, beats),
        f"sim/{name}_rows.csv": _rows_text(design, answer),
        f"sim/{name}_run.json": _run_text(design, tuples, answer, beats),
    }


def _source(name):
    return package_files("gen.cocotb_bench").joinpath(name).read_text()


def _check_count(design, tuples):
    """Raises BenchError for a stream without tuples, or with more than the design can count."""
    if not len(tuples):
        raise BenchError("there are no tuples")
    if design.stream_max is not None and len(tuples) > design.stream_max:
        raise BenchError(
            f"there are {len(tuples):,} tuples, and the design takes at most "
            f"{design.stream_max:,} in a stream"
        )


def _check_keys(design, tuples):
    """Raises BenchError if the table would evict a key: the expected rows have no evictions."""
    window, parameters = design.query.window, design.parameters
    if isinstance(window, WholeStream) or window.partition is None or "ways" not in parameters:
        return
    keys, entries = keys_of(design.query, tuples), parameters["entries"]
    width = window.partition.type.width
    if entries_for(keys, width, parameters["ways"], entries, entries) is None:
        raise BenchError(
            f"the table of {entries:,} entries evicts one of the {len(keys):,} keys, and the rows "
            "of the bench are without evictions: take more entries, or other tuples"
        )


def _check_rings(design):
    """Raises BenchError if rings may overflow: no expected row says which windows lack values."""
    ratio = design.parameters.get("expected_ratio", "none")
    if ratio != "none":
        raise BenchError(
            f"windows may overflow with expected_ratio={ratio}, and the rows of the bench have all "
            "values: use sluice simulate"
        )


def _check_overruns(design, tuples, start):
    """Raises BenchError if the design would drop a tuple as an overrun, which golden has not."""
    if count := overrun_count(design, tuples, start):
        raise BenchError(
            f"the design has no room for {count:,} of the {len(tuples):,} tuples, and the rows of "
            "the bench have all of them: set a greater window_max or more marks, or take other "
            "tuples"
        )


def _tuples_text(design, beats):
    """Returns a CSV text: the names of the fields, then a line for each tuple of a stream.

    The tuples are read back from the beats, so they are in the order of the bus, and include the
    punctuations that ``input_beats`` has put between them.
    """
    packing = design.input.packing
    # Densely packed bytes fill the beats without regard to tuples; else a lane is a whole tuple.
    is_dense = design.face.bits is not None and not design.input.punctuations
    packed = packets_of_rows(beats, packing.bytes, is_dense)[0]
    columns = [
        [f"0x{int(number) & (1 << field.width) - 1:x}" for number in column]
        for field, column in zip(packing.fields, unpack_fields(packed, packing.fields), strict=True)
    ]
    names = [field.name for field in packing.fields]
    if design.input.punctuations:
        names.append("tuser")
        columns.append([int(user) for user in beats.users[: len(packed)]])
    return _csv(names, zip(*columns, strict=True))


def _rows_text(design, answer):
    """Returns a CSV text: the names of the fields, then a line for each expected row.

    The first field of a row is the number of its packet.
    """
    names = ["packet", *(field.name for field in design.rows.fields)]
    rows = (
        [number, *(f if isinstance(f, str) else f"0x{f:x}" for f in fields)]
        for number, *fields in expected_fields(design, answer)
    )
    return _csv(names, rows)


def _csv(names, rows):
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(names)
    writer.writerows(rows)
    return text.getvalue()


def _rate(design, tuples, answer):
    """Returns the predicted rate for these tuples in tuples per cycle, at most the usual rate.

    The usual rate is the prediction for data of the default shape. For instance an engine is slower
    if windows close faster than in such data.
    """
    stretch = stretch_of(design.query, tuples, answer.start)
    prediction, _ = foretell(
        design, tuples, stretch, "ideal", answer.start, answer.rows, (0.0, 0.0)
    )
    usual = design.prediction.tuples_per_cycle
    return usual if prediction is None else min(usual, prediction.tuples_per_cycle)


def _run_text(design, tuples, answer, beats):
    """Returns a JSON text: settings of each stream, expected counters, and times of waiting."""
    registers = registers_of(design)
    writes = register_writes(design, registers, answer.start)
    counters = expected_counters(design, tuples, answer)
    prediction = design.prediction
    latency = max(latency.cycles for latency in prediction.latencies)
    transfers = len(beats) + len(writes) * answer.rows.num_rows
    # `patience` is the number of cycles that the bench waits for a stream to be taken, or for a
    # packet: twice the longest time without a transfer, the search for percentiles once, and
    # `SLOWEST` times the cycles of all transfers.
    patience = 2 * (IDLE + 2 * latency + prediction.pause + prediction.clearing)
    patience += prediction.search
    rate = _rate(design, tuples, answer)
    patience += int(SLOWEST * (transfers + len(tuples) / rate))
    packets: int | None = len(writes) * allowed_packet_counts(design, answer.rows)[0]
    if design.face.beats:
        packets = None
    pauses: dict[str, Any] = {}
    if design.face.network:
        wire = Wire.of(design, beats, answer.rows, rate, NETWORK_RATE)
        writes[0] = network_writes(design, registers) + writes[0]
        counters |= dict.fromkeys((counter.name for counter in network_counters(design)), 0)
        # The bench sends one frame with a wrong FCS, which the design must count and drop.
        counters |= {"datagrams": len(wire.sent), "sent": wire.datagrams, "bad_fcs": 1}
        pauses = {"pause_cycles": wire.longest}
    names = {register.address: name for name, register in registers.items()}
    return (
        json.dumps(
            {
                "settings": [
                    {names[address]: f"{word:#x}" for address, word in stream}
                    for _, stream in sorted(writes.items())
                ],
                "packets": packets,
                "counters": counters,
                "patience_cycles": patience,
                "drain_cycles": DRAIN + latency + prediction.pause,
            }
            | pauses,
            indent=2,
        )
        + "\n"
    )


def expected_counters(design: Design, tuples: Tuples, answer: Answer) -> Mapping[str, int]:
    """Returns the expected values of the counters that the tuples and the rows determine.

    A counter of dropped tuples that is not among them, such as the counter of overruns, must be 0.
    """
    query, streams = design.query, max(1, len(design.settings.functions))
    counts_per_stream = {
        "tuples": len(tuples),
        "streams": 1,
        "rows": answer.rows.num_rows,
        "nan": nan_count(query, tuples),
        "filtered": filtered_count(query, tuples),
        "late": answer.late,
    }
    names = [counter.name for counter in counters_of(design) if counter.name in counts_per_stream]
    expected = {name: streams * counts_per_stream[name] for name in names}
    dropped = {c.name: 0 for c in counters_of(design) if c.dropped}
    return dropped | expected

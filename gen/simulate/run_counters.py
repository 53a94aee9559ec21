"""Converts the registers that a run has read to counters, and compares some with golden."""

from collections.abc import Mapping, Sequence

import pyarrow as pa
import pyarrow.compute as pc

from gen.prediction.selected_tuples import filtered_count
from gen.simulate.run_result import rounded
from golden.answer import nan_count
from golden.tuples import Tuples
from query.query import Query
from query.window import Range
from rtl.bus.top_registers import counters_of
from rtl.contract.design import Design
from rtl.engine.streamzip.time_options import NUMBERS

#: Counters of the memory behind a design; a design may lack them.
MEMORY_COUNTERS = ("m3_lines_read", "m3_lines_written", "m3_read_modify_writes")
#: Number of slides from the start on whose tuples a table of keys takes.
SLIDES = 1 << NUMBERS
#: Counters of the values of windows, and of the values that were read from the memory.
WINDOW_VALUES = ("window_values", "m3_window_values")


def register_names(design: Design) -> list[str]:
    """Returns the names of the registers that are read after a run."""
    halves = [f"{c.name}_{half}" for c in counters_of(design) for half in ("low", "high")]
    return [*halves, "status"]


def register_values(design: Design, reads: Sequence[int]) -> tuple[dict[str, int], int]:
    """Returns the counters by name, and the status register; zeros if a run was cut short."""
    value = dict.fromkeys(register_names(design), 0)
    value |= dict(zip(value, reads, strict=False))
    counters = {
        c.name: value[f"{c.name}_low"] | value[f"{c.name}_high"] << 32 for c in counters_of(design)
    }
    return counters, value["status"]


def miscounted(
    query: Query,
    tuples: Tuples,
    late: int | None,
    rows: pa.Table | None,
    counters: Mapping[str, int],
    streams: int,
    evictions: int = 0,
) -> list[str]:
    """Returns a line for each counter that differs from golden.

    The counters are ``tuples``, ``streams``, ``nan``, ``filtered``, ``late``, ``collision`` and
    ``rows``. Other counters are not compared here.

    Parameters
    ----------
    query : Query
    tuples : Tuples
    late : int or None
        Number of tuples of a stream that golden dropped as late; None if it is unknown.
    rows : pa.Table or None
        The hardware's rows; None if they cannot be read.
    counters : dict of str to int
    streams : int
        Number of times that the tuples were sent.
    evictions : int
        Number of evictions that the hardware has reported in one stream.
    """
    expected = {"tuples": len(tuples), "streams": 1, "nan": nan_count(query, tuples)}
    expected |= {"filtered": filtered_count(query, tuples)}
    expected |= {} if late is None else {"late": late}
    expected |= {"collision": evictions}
    expected |= {} if rows is None else {"rows": rows.num_rows}
    return [
        f"counter {name} must be {streams * value}, not {counters.get(name, 0)}"
        for name, value in expected.items()
        if counters.get(name, 0) != streams * value
    ]


def overruns(
    query: Query, tuples: Tuples, start: int | None, counters: Mapping[str, int]
) -> list[str]:
    """Returns a line if tuples were dropped as overruns; golden has no overrun.

    With windows of time for each key the line says how to avoid them: a greater ring, or a start
    that is not too far before the tuples.
    """
    count = counters.get("overrun", 0)
    if not count:
        return []
    text = f"counter overrun must be 0, not {count:,}: these tuples "
    window = query.window
    if not (isinstance(window, Range) and query.partition is not None):
        return [f"{text}had no room in their windows, and are missing in rows"]
    times = tuples.table[window.attribute.name]
    if start is not None and pc.max(times).as_py() - start >= SLIDES * window.slide:
        return [
            f"{text}are missing in rows. The greatest time is {SLIDES:,} or more slides after the "
            f"start {start}, and such slides have no number: set a greater slide or start"
        ]
    return [
        f"{text}had no room in their windows, and are missing in rows: set a greater window_max, "
        "or more marks"
    ]


def memory_figures(
    design: Design, back_end: str, counters: Mapping[str, int], streams: int
) -> dict | None:
    """Returns `Simulation.memory`, with the counts of one stream; None without a memory.

    ``back_end`` names the memory behind the masters; a memory on the chip is "on chip".
    """
    is_on_chip = design.parameters.get("m3_kind", "external") != "external"
    if not (design.memories or is_on_chip):
        return None
    back_end = "on chip" if is_on_chip else back_end
    totals = {name: counters.get(name) for name in (*MEMORY_COUNTERS, *WINDOW_VALUES)}
    counts = {name: None if n is None else n // streams for name, n in totals.items()}
    values, read = (counts[name] for name in WINDOW_VALUES)
    share = rounded(1 - read / values) if values and read is not None else None
    passes = {"passes": counters["passes"] // streams} if "passes" in counters else {}
    return {"back_end": back_end} | counts | {"on_chip_share": share} | passes

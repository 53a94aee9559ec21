"""Converts the registers that are read after a run to counters, and checks some of them."""

from collections.abc import Mapping, Sequence

import pyarrow as pa
import pyarrow.compute as pc

from gen.design.first_window import start_text
from gen.prediction.selected_tuples import filtered_count, passing, raw_columns
from gen.simulate.run_result import rounded
from golden.answer import nan_count
from golden.tuples import Tuples
from query.query import Query
from query.window import Range
from rtl.bus.top_registers import counters_of
from rtl.contract.design import Design
from rtl.engine.streamzip.time_options import NUMBER_BITS_MAX

#: Counters of the memory behind a design; a design may lack them.
MEMORY_COUNTERS = ("m3_lines_read", "m3_lines_written", "m3_read_modify_writes")
#: Number of slides after the start that the hardware can number, in windows of time of each key:
#: 2^32, because a number has at most 32 bits. A tuple of a later slide is dropped as an overrun.
NUMBERED_SLIDES = 1 << NUMBER_BITS_MAX
#: Counters of the values in all windows, and of those values that were read from M3.
WINDOW_VALUES = ("window_values", "m3_window_values")


def register_names(design: Design) -> list[str]:
    """Returns the names of the registers that are read after a run."""
    halves = [f"{c.name}_{half}" for c in counters_of(design) for half in ("low", "high")]
    return [*halves, "status"]


def register_values(design: Design, reads: Sequence[int]) -> tuple[dict[str, int], int]:
    """Returns the counters by name, and the status register.

    ``reads`` has the words in the order of `register_names`. Words that a run which was cut short
    did not read count as 0. For instance low 5 and high 1 are the count 2**32 + 5.
    """
    words = dict.fromkeys(register_names(design), 0)
    words |= dict(zip(words, reads, strict=False))
    counters = {
        c.name: words[f"{c.name}_low"] | words[f"{c.name}_high"] << 32 for c in counters_of(design)
    }
    return counters, words["status"]


def miscounted(
    query: Query,
    tuples: Tuples,
    late: int | None,
    rows: pa.Table | None,
    counters: Mapping[str, int],
    streams: int,
    *,
    evictions: int,
) -> list[str]:
    """Returns a line for each counter that has another value than expected.

    ``tuples``, ``nan``, ``filtered`` and ``late`` are expected from the data and golden, ``rows``
    and ``collision`` from the rows and evictions that the hardware has sent, and ``streams`` from
    the number of sends. Other counters are not checked here.

    Parameters
    ----------
    query : Query
    tuples : Tuples
    late : int or None
        Number of tuples of one stream that golden dropped as late, or as before the start; the
        counter ``late`` counts both. None if the number is unknown, and then not compared.
    rows : pa.Table or None
        The hardware's rows of one stream; None if they cannot be read.
    counters : dict of str to int
        A counter that the design lacks counts as 0.
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
    """Returns a line if tuples were dropped as overruns, else no line; golden has no overrun.

    With windows of time for each key the line names one way out: a greater slide or start, if the
    greatest time of a tuple that passes WHERE is `NUMBERED_SLIDES` or more slides after the start;
    else a greater ``window_max`` or more ``marks``.
    """
    count = counters.get("overrun", 0)
    if not count:
        return []
    text = f"counter overrun must be 0, not {count:,}: these tuples "
    window = query.window
    if not (isinstance(window, Range) and query.partition is not None):
        return [f"{text}had no room in their windows, and are missing in rows"]
    passes = pa.array(passing(query, raw_columns(query, tuples)))
    greatest = pc.max(tuples.table[window.attribute.name].filter(passes)).as_py()
    if None not in (start, greatest) and greatest - start >= NUMBERED_SLIDES * window.slide:
        return [
            f"{text}are missing in rows. The greatest time is {NUMBERED_SLIDES:,} or more slides "
            f"after the start {start_text(query, start)}, and such slides have no number: set a "
            "greater slide or start"
        ]
    return [
        f"{text}had no room in their windows, and are missing in rows: set a greater window_max, "
        "or more marks"
    ]


def memory_figures(
    design: Design, back_end: str, counters: Mapping[str, int], streams: int
) -> dict | None:
    """Returns `Simulation.memory`; None without a memory.

    Counts are those of all ``streams`` together, divided by their number and rounded down.

    ``back_end`` names the memory behind the masters; a memory on the chip is "on chip". The
    ``on_chip_share`` is the share of the values in windows that were not read from M3: 0.75 if 100
    of 400 values were read.
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

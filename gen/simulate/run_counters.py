"""Counters that are read after a run, and the comparison with their expected values."""

from gen.prediction.selected_tuples import filtered_count
from gen.simulate.run_result import rounded
from golden.answer import nan_count
from rtl.bus.top import counters_of

#: What a design counts of its memory, if it does.
MEMORY_COUNTERS = ("m3_lines_read", "m3_lines_written", "m3_read_modify_writes")
#: Values of windows, and those of them that were read from the memory, if it counts these.
WINDOW_VALUES = ("window_values", "m3_window_values")


def register_names(design):
    """Names of the registers that are read after a run."""
    halves = [f"{c.name}_{half}" for c in counters_of(design) for half in ("low", "high")]
    return [*halves, "status"]


def register_values(design, reads):
    """Counters by name, and the status register; zeros when the run ended before the reads."""
    value = dict.fromkeys(register_names(design), 0)
    value |= dict(zip(value, reads, strict=False))
    counters = {
        c.name: value[f"{c.name}_low"] | value[f"{c.name}_high"] << 32 for c in counters_of(design)
    }
    return counters, value["status"]


def miscounted(query, tuples, late, rows, counters, streams, evictions=0):
    """Lists the counters that are wrong, a line each.

    Parameters
    ----------
    query : Query
    tuples : Tuples
    late : int or None
        How many tuples of a stream golden dropped as late; None where golden was not asked.
    rows : pa.Table or None
        The rows of the hardware, None when they cannot be read.
    counters : dict of str to int
    streams : int
        How often the tuples were fed.
    evictions : int
        How many keys the hardware has reported as evicted, in one stream.
    """
    expected = {"tuples": len(tuples), "streams": 1, "nan": nan_count(query, tuples)}
    expected |= {"filtered": filtered_count(query, tuples)}
    expected |= {} if late is None else {"late": late}
    expected |= {"overrun": 0, "collision": evictions}
    expected |= {} if rows is None else {"rows": rows.num_rows}
    return [
        f"counter {name} must be {streams * value}, not {counters.get(name, 0)}"
        for name, value in expected.items()
        if counters.get(name, 0) != streams * value
    ]


def memory_figures(design, back_end, counters, streams):
    """`Simulation.memory`: lines are counted for each time that the tuples were fed."""
    if not design.memories:
        return None
    found = {name: counters.get(name) for name in (*MEMORY_COUNTERS, *WINDOW_VALUES)}
    found = {name: None if n is None else n // streams for name, n in found.items()}
    values, read = (found[name] for name in WINDOW_VALUES)
    share = rounded(1 - read / values) if values else None
    return {"back_end": back_end} | found | {"on_chip_share": share}

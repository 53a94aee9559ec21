"""Predicts the rate of a design for the tuples of a file and the memory behind the design."""

from inspect import Parameter, signature

import numpy as np

from gen.prediction.key_streams import key_stream
from gen.prediction.lossy_model import lossy_codec
from gen.prediction.selected_tuples import passing, raw_columns
from golden.codecs.blocks import restored_values
from golden.codecs.ratio import CODECS, full_blocks, ratio_of_blocks
from query.window import Range
from rtl.contract.rows import Packet
from rtl.contract.shape import Shape
from rtl.engine.parts.columns import value_layout
from rtl.engine.streamzip.key_mix import SeenMix
from rtl.keyed.codec.codecs import KINDS

#: Tuples that are near each other: as many as are on their way at a time.
NEAR = 32
#: Tuples that are looked at for what is near, at most.
MOST = 200_000
#: Whether an error in a prediction stops the command: so the tests see it.
STOPS = False


def foretell(design, tuples, stretch, dram, start, rows, stalls):
    """Returns the predicted tuples per cycle of a simulation, and the reason if there are none.

    The rate is that of :func:`predicted`, and no more than the input gives and the output takes.
    For instance rows of 16 bytes over a bus of 32 bits take 4 cycles each: with a row for every
    tuple, and a stall in half of the cycles, that is 1 tuple in 8 cycles.

    Parameters
    ----------
    design, tuples, stretch, dram, start
        As for :func:`predicted`.
    rows : pa.Table
        The query's.
    stalls : (float, float)
        Probability of a gap in a cycle, at the input and at the output.
    """
    try:
        into, out = gaps_of(design, rows, stalls)
        rate = predicted(design, tuples, stretch, dram, start, (into, out)).tuples_per_cycle
        rate = min(rate, 1 / into)
        if rows.num_rows and design.query.partition is None:  # else rows are in the schedule
            rate = min(rate, len(tuples) / (rows.num_rows * out))
        return rate, None
    except Exception as error:  # whatever it is, the simulation does not depend on it
        if STOPS:
            raise
        return None, f"{type(error).__name__}: {error}"


def gaps_of(design, rows, stalls):
    """Returns the least cycles from a tuple to the next at the pins, and from a row to the next.

    Rows of a beat leave together: with windows in packets each begins a beat of its own. For
    instance 6 rows of a window in beats of 4 take 2 cycles, so a third of a cycle each.
    """
    bits, into, out = design.face.bits, design.input, design.rows
    tuples = into.lanes if bits is None else bits / (8 * into.packing.bytes)
    return 1 / tuples / (1 - stalls[0]), _cycles_of_a_row(design, rows, out, bits) / (1 - stalls[1])


def _cycles_of_a_row(design, rows, out, bits):
    held = out.lanes if bits is None else bits / (8 * out.packing.bytes)
    if not rows.num_rows:
        return 1 / held
    packets = design.face.joins(out) or "window" not in rows.column_names
    packets = packets or out.packet is not Packet.WINDOW
    counts = [rows.num_rows] if packets else np.unique(rows["window"], return_counts=True)[1]
    return float(np.sum(np.ceil(np.asarray(counts) / held))) / rows.num_rows


def predicted(design, tuples, stretch, dram, start=None, gaps=(1, 1)):
    """Returns the Prediction for the data of the stretch; with windows of keys, for all data.

    Parameters
    ----------
    design : Design
    tuples : golden.tuples.Tuples
    stretch : gen.simulate.steady_part.Stretch or None
    dram : str
        What is behind memory masters, a name of :data:`rtl.keyed.dram.dram_model.DRAMS`.
    start : int or None
        RANGE: where window 0 begins, in raw units; None: with the first tuple.
    gaps : (float, float)
        Cycles from a tuple to the next at the input, and from a row to the next at the output, at
        least, for engines that are predicted tuple by tuple.

    Returns
    -------
    rtl.contract.prediction.Prediction
    """
    asked = {"dram": dram} if design.memories else {}
    if stretch is not None:
        asked["shape"] = stretch.shape
    elif design.query.partition is not None:
        asked |= _of_keys(design, tuples, start)
        if "stream" in asked:
            asked["gaps"] = gaps
    return design.at_pins(design.predict(**_taken(design.predict, asked)))


def _taken(predict, asked):
    """Returns the keywords that ``predict`` has parameters for: an engine may ignore others."""
    parameters = signature(predict).parameters.values()
    if any(parameter.kind is Parameter.VAR_KEYWORD for parameter in parameters):
        return asked
    known = {parameter.name for parameter in parameters}
    return {name: value for name, value in asked.items() if name in known}


def _of_keys(design, tuples, start):
    """Returns keywords of :meth:`Design.predict` for windows of keys; none if no tuple counts.

    They say how many keys have tuples that count, and the shape of the data; with windows of rows
    how keys are mixed and how many tuples have a full window; with a codec the sizes of blocks, by
    its plain model; and the stream itself, tuple by tuple. For instance with 1,000 tuples in the
    times 0 to 1,999, half of which WHERE lets pass, of 10 keys: that is 1 / 2 of the tuples, 1 / 2
    in a unit of time,
    and a key has one every 40 units. Windows of 20 are full for the last 31 of each key's 50.
    """
    query = design.query
    raws, window = raw_columns(query, tuples), query.window
    seen = passing(query, raws)
    if not seen.any():
        return {}
    told = {"counted_share": float(seen.mean())}
    if isinstance(window, Range):
        times = raws[window.attribute.name]
        told["tuples_per_time"] = len(tuples) / (int(times.max()) - int(times.min()) + 1)
    key = raws[window.partition.name][seen]
    found = {"keys": len(np.unique(key)), "shape": Shape(**told)}
    if not design.face.network:  # where a sender goes by the slowest part of the stream
        found["stream"] = key_stream(design, raws, seen, start)
    if not isinstance(window, Range):
        found |= of_rows(key, window.size)
    if (codec := design.parameters.get("codec", "none")) != "none":
        ((value, shape),) = value_layout(query).members.items()
        found |= of_values(codec, key, raws[value][seen], shape.width, lossy_codec(design))
    return found


def of_rows(key, size):
    """Returns keywords of :meth:`Design.predict` that follow from the keys, with windows of rows.

    Near a tuple are the others of the same :data:`NEAR`. For instance, with NEAR 4, of the keys
    ``1 1 2 3`` both tuples of 1 have a third of those near them, the others none.
    """
    _, tuples = np.unique(key, return_counts=True)
    full = np.maximum(tuples - size + 1, 0).sum() / len(key)
    found = {"full": float(full)}
    if len(key) >= NEAR:
        groups = key[: min(len(key), MOST) // NEAR * NEAR].reshape(-1, NEAR)
        alike = sum((groups == np.roll(groups, by, 1)) for by in range(1, NEAR))
        often = np.bincount(alike.ravel(), minlength=NEAR) / alike.size
        shares = enumerate(often.tolist())
        parts = tuple((k / (NEAR - 1), part) for k, part in shares if part)
        counts, keys = np.unique(-tuples, return_counts=True)  # the most frequent keys first
        of_stream = zip((-counts / len(key)).tolist(), keys.tolist(), strict=True)
        found["mix"] = SeenMix(parts, tuple(of_stream))
    return found


def of_values(codec, key, values, bits, model=None):
    """Returns keywords of :meth:`Design.predict` that follow from the values, with a codec."""
    made = model or CODECS[codec](32 if bits <= 32 else 64)
    blocks = full_blocks(made, key, values)
    found = {"ratio": ratio_of_blocks(made, blocks)}
    if blocks and (steps := KINDS[codec].steps):
        found["steps"] = float(
            np.mean([steps(restored_values(made, of), raw) for of, raw in blocks])
        )
    return found

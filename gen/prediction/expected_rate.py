"""Predicts the rate of a design for the tuples of a file and the memory behind the design."""

from collections.abc import Sequence
from dataclasses import replace
from inspect import Parameter, signature
from math import inf
from typing import Any

import numpy as np
import pyarrow as pa

from gen.prediction.codec_model import codec_model, sums_top
from gen.prediction.key_streams import key_stream
from gen.prediction.selected_tuples import passing, raw_columns
from golden.codecs.blocks import restored_values
from golden.codecs.codec import Codec
from golden.codecs.ratio import full_blocks, ratio_of_blocks
from golden.tuples import Tuples
from query.window import Range, WholeStream
from rtl.contract.design import Design
from rtl.contract.prediction import Prediction
from rtl.contract.rows import Packet
from rtl.contract.shape import Shape
from rtl.engine.parts.columns import value_layout
from rtl.engine.streamzip.rates.key_mix import SeenMix
from rtl.keyed.codec.codecs import CODEC_ENTRIES
from rtl.network.sum_steps import cycles_of_block, sum_steps
from sim.pack import order_key

#: Number of tuples that the engine works on at the same time.
NEAR = 32
#: Greatest number of tuples whose neighbours are examined.
MAX_TUPLES = 200_000
#: Bursts of rows count only if they lower the rate to less than this share of the rate that the
#: mean of the rows allows. A smaller difference comes from the end of a stream.
LASTING = 0.99
#: If true, an error in a prediction stops the command, so that tests see the error.
STOPS = False


def foretell(
    design: Design,
    tuples: Tuples,
    stretch: Any,
    dram: str,
    start: int | None,
    rows: pa.Table,
    stalls: tuple[float, float],
) -> tuple[Prediction | None, str | None]:
    """Returns the Prediction for a simulation, or None and the reason.

    The rate is the rate of :func:`predicted`, limited by the input and the output. For instance
    rows of 16 bytes over a bus of 32 bits take 4 cycles each: with a row for every tuple, and a
    stall in half of the cycles, the rate is 1 tuple in 8 cycles. If rows come in bursts, tuples
    wait while a burst leaves: a row for each tuple in half of the stream, and no row in the other
    half, take 4 + 1 cycles for 2 tuples, and not 4.

    With windows of the stream the rate is that of the stretch, as a simulation measures it. With a
    network, too, because no signal makes the sender of the tuples wait for the rows.

    Parameters
    ----------
    design, tuples, stretch, dram, start
        As for :func:`predicted`.
    rows : pa.Table
        Rows of the query.
    stalls : (float, float)
        Probability of a gap in a cycle, at the input and at the output.
    """
    try:
        into, out = gaps_of(design, rows, stalls)
        prediction = predicted(design, tuples, stretch, dram, start, (into, out))
        rate = min(prediction.tuples_per_cycle, 1 / into)
        waits = False
        if rows.num_rows and design.query.partition is None:  # else rows are in the schedule
            rate = min(rate, leaving_rate(len(tuples), stretch, rows, out))
            ends = row_ends(design, tuples, stretch, rows, stalls[1])
            if ends is not None and (pace := prediction.pace) is not None:
                pace = replace(pace, tuple_cycles=max(pace.tuple_cycles, into))
                burst_rate = pace.rate(*ends)
                waits = burst_rate < LASTING * rate
                rate = burst_rate if waits else rate
        return replace(prediction, tuples_per_cycle=rate, waits_for_rows=waits), None
    except Exception as error:  # any error: the simulation does not depend on the prediction
        if STOPS:
            raise
        return None, f"{type(error).__name__}: {error}"


def gaps_of(design: Design, rows: pa.Table, stalls: tuple[float, float]) -> tuple[float, float]:
    """Returns the least cycles from a tuple to the next at the pins, and from a row to the next.

    Rows of a beat leave together. If each window is a packet, its first row begins a new beat: for
    instance 6 rows of a window in beats of 4 take 2 cycles, so a third of a cycle each.
    """
    bits, into, out = design.face.bits, design.input, design.rows
    tuples = into.lanes if bits is None else bits / (8 * into.packing.bytes)
    return 1 / tuples / (1 - stalls[0]), _cycles_of_a_row(design, rows, out, bits) / (1 - stalls[1])


def leaving_rate(tuples: int, stretch: Any, rows: pa.Table, gap: float) -> float:
    """Returns the greatest rate at which the output can carry the rows; infinite without rows.

    With a stretch only its tuples and the rows of its windows count, because a stream has no rows
    before its first window ends. For instance 5,000 tuples with ROWS 1024 SLIDE 1 have 3,977 rows:
    one for tuple 1,024, and one for each of the 3,976 tuples of the stretch. If a row takes 4
    cycles, the rate is 1/4, and not 5,000 / (3,977 * 4).

    Parameters
    ----------
    tuples : int
        Number of tuples of the input.
    stretch : gen.simulate.steady_part.Stretch or None
    rows : pa.Table
        Rows of the query.
    gap : float
        Cycles from a row to the next at the output.
    """
    count = rows.num_rows
    if stretch is not None:
        windows = rows["window"].to_numpy()
        tuples = stretch.tuples
        count = np.count_nonzero((windows > stretch.first) & (windows <= stretch.last))
    return tuples / (count * gap) if count else inf


def row_ends(
    design: Design, tuples: Tuples, stretch: Any, rows: pa.Table, stall: float
) -> tuple[Sequence[tuple[int, int]], Sequence[float], float] | None:
    """Returns the places in the stream at which rows arise, and the cycles of rows at the output.

    The places are pairs as in :class:`~rtl.contract.shape.Shape`: for each end of windows in the
    stretch the number of tuples since the previous end, and the number of windows that end. In a
    query without windows each group stands for a window. The second result has the cycles that the
    rows of each window, or group, take at the output. The third has the cycles of the rows of the
    window with which the stretch begins; they leave while tuples of the next windows enter.

    None without a bus and without stalls, because the rows then leave as fast as the engine makes
    them, and for a query with windows but without a stretch. ``stall`` is the probability of a gap
    at the output.
    """
    query, out, bits = design.query, design.rows, design.face.bits
    if bits is None and not stall:
        return None
    rows_per_beat = out.lanes if bits is None else bits / (8 * out.packing.bytes)
    if isinstance(query.window, WholeStream):
        counts, has_row = _groups(query, tuples)
        cycles = has_row / rows_per_beat / (1 - stall)
        return [(count, 1) for count in counts.tolist()], cycles.tolist(), 0.0
    if stretch is None:
        return None
    windows = slice(stretch.first, stretch.last + 1)
    counts = np.bincount(rows["window"].to_numpy(), minlength=windows.stop)[windows]
    beats = counts / rows_per_beat
    if not design.face.joins(out):  # the first row of a window begins a new beat
        beats = np.ceil(beats)
    first, *others = (beats / (1 - stall)).tolist()
    return stretch.shape.window_ends, others, first


def _groups(query, tuples):
    """Returns for each group, in order of the keys, its number of tuples and whether it has a row.

    A group has a row if WHERE passes one of its tuples.
    """
    raws = raw_columns(query, tuples)
    keys = order_key(raws[query.group.name], query.group.type)
    _, of_tuple, counts = np.unique(keys, return_inverse=True, return_counts=True)
    return counts, np.bincount(of_tuple, passing(query, raws), len(counts)) > 0


def _cycles_of_a_row(design, rows, out, bits):
    rows_per_beat = out.lanes if bits is None else bits / (8 * out.packing.bytes)
    if not rows.num_rows:
        return 1 / rows_per_beat
    packets = design.face.joins(out) or "window" not in rows.column_names
    packets = packets or out.packet is not Packet.WINDOW
    counts = [rows.num_rows] if packets else np.unique(rows["window"], return_counts=True)[1]
    return float(np.sum(np.ceil(np.asarray(counts) / rows_per_beat))) / rows.num_rows


def predicted(
    design: Design,
    tuples: Tuples,
    stretch: Any,
    dram: str,
    start: int | None = None,
    gaps: tuple[float, float] = (1, 1),
) -> Prediction:
    """Returns the Prediction for the data of the stretch, or with windows of keys for all data.

    Windows of keys are predicted tuple by tuple. No signal makes the sender of a network wait, so
    with a network the prediction from the mean load counts if it is lower: the mean rate of a
    stream is too high for parts of the stream that are slower.

    Parameters
    ----------
    design : Design
    tuples : golden.tuples.Tuples
    stretch : gen.simulate.steady_part.Stretch or None
    dram : str
        The memory behind the memory masters, a name of :data:`rtl.keyed.dram.dram_model.DRAMS`.
    start : int or None
        Time at which window 0 of RANGE begins, in raw units; None: the least time.
    gaps : (float, float)
        Fewest cycles from a tuple to the next at the input, and from a row to the next at the
        output, for engines that are predicted tuple by tuple.

    Returns
    -------
    rtl.contract.prediction.Prediction
    """
    keywords: dict[str, Any] = {"dram": dram} if design.memories else {}
    if stretch is not None:
        keywords["shape"] = stretch.shape
    elif design.query.partition is not None:
        keywords |= _keywords_of_keys(design, tuples, start)
        if len(tuples) and "stream" not in keywords:  # each tuple takes a cycle, and has no effect
            prediction = design.predict(**_accepted(design.predict, keywords))
            prediction = replace(prediction, tuples_per_cycle=1.0, slowest_stage=None)
            return design.at_pins(prediction)
    of_stream = {"stream": keywords.pop("stream"), "gaps": gaps} if "stream" in keywords else {}
    prediction = design.predict(**_accepted(design.predict, keywords | of_stream))
    if of_stream and design.face.network:
        other = design.predict(**_accepted(design.predict, keywords))
        prediction = min(prediction, other, key=lambda each: each.tuples_per_cycle)
    return design.at_pins(prediction)


def _accepted(predict, keywords):
    """Returns the keywords that ``predict`` of the engine accepts."""
    parameters = signature(predict).parameters.values()
    if any(parameter.kind is Parameter.VAR_KEYWORD for parameter in parameters):
        return keywords
    names = {parameter.name for parameter in parameters}
    return {name: value for name, value in keywords.items() if name in names}


def _keywords_of_keys(design, tuples, start):
    """Returns keywords of :meth:`Design.predict` for windows of keys; none if no tuple passes.

    Keywords are the number of keys with passing tuples, the average number of these tuples for each
    key, the shape of the data, and the stream, tuple by tuple. Windows of rows add the mix of keys
    and the share of tuples with a full window, and a codec adds the sizes of blocks by its plain
    model.

    For instance WHERE passes half of 1,000 tuples of 10 keys in the times 0 to 1,999. Then 1/2 of
    the tuples pass, 1/2 tuple comes in a unit of time, and a key has a passing tuple every 40
    units. Each key has 50 passing tuples, and windows of 20 are full for the last 31 of them.
    """
    query = design.query
    raws, window = raw_columns(query, tuples), query.window
    passes = passing(query, raws)
    if not passes.any():
        return {}
    shape = {"counted_share": float(passes.mean())}
    if isinstance(window, Range):
        times = raws[window.attribute.name]
        shape["tuples_per_time"] = len(tuples) / (int(times.max()) - int(times.min()) + 1)
    key = raws[window.partition.name][passes]
    keys = len(np.unique(key))
    keywords = {
        "keys": keys,
        "shape": Shape(**shape),
        "tuples_per_key": len(key) / keys,
        "stream": key_stream(design, raws, passes, start),
    }
    if not isinstance(window, Range):
        keywords |= of_rows(key, window.size)
    if (codec := design.parameters.get("codec", "none")) != "none":
        (value,) = value_layout(query).members
        values = raws[value][passes]
        keywords |= of_values(codec, codec_model(design), key, values, sums_top(design))
    return keywords


def of_rows(key: np.ndarray, size: int) -> dict[str, Any]:
    """Returns keywords of :meth:`Design.predict` that follow from the keys, with windows of rows.

    Tuples are near each other if they are in the same group of :data:`NEAR` tuples. For instance
    with NEAR 4 and the keys ``1 1 2 3`` a third of the tuples near each tuple of key 1 has key 1
    too. Near the tuples of keys 2 and 3 no tuple has their key.
    """
    _, tuples = np.unique(key, return_counts=True)
    full = np.maximum(tuples - size + 1, 0).sum() / len(key)
    keywords: dict[str, Any] = {"full": float(full)}
    if len(key) >= NEAR:
        groups = key[: min(len(key), MAX_TUPLES) // NEAR * NEAR].reshape(-1, NEAR)
        alike = np.sum([groups == np.roll(groups, by, 1) for by in range(1, NEAR)], axis=0)
        frequencies = np.bincount(alike.ravel(), minlength=NEAR) / alike.size
        shares = enumerate(frequencies.tolist())
        parts = tuple((k / (NEAR - 1), part) for k, part in shares if part)
        counts, keys = np.unique(-tuples, return_counts=True)  # the most frequent keys first
        of_stream = zip((-counts / len(key)).tolist(), keys.tolist(), strict=True)
        keywords["mix"] = SeenMix(parts, tuple(of_stream))
    return keywords


def of_values(
    codec: str, model: Codec, key: np.ndarray, values: np.ndarray, top: int | None = None
) -> dict[str, Any]:
    """Returns keywords of :meth:`Design.predict` that follow from the values, with a codec.

    ``top`` is the greatest level of the nodes of a block, if the decoders add floats.
    """
    blocks = full_blocks(model, key, values)
    keywords = {"ratio": ratio_of_blocks(model, blocks)}
    if blocks and (steps := CODEC_ENTRIES[codec].block_steps):
        restored = [(restored_values(model, of), raw) for of, raw in blocks]
        keywords["steps"] = float(np.mean([steps(of, raw) for of, raw in restored]))
        if top is not None:
            levels = [sum_steps(of, top, k) for k, (of, _) in enumerate(restored)]
            keywords["steps"] = cycles_of_block(keywords["steps"], float(np.mean(levels)), top)
    return keywords

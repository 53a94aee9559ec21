"""Prepares the tuples of a file for the prediction of the engine for windows of each key."""

from collections.abc import Mapping
from typing import Any

import numpy as np

from gen.prediction.codec_model import codec_model
from golden.codecs.blocks import BlockWriter, restored_values
from golden.codecs.codec import Codec
from query.window import Range
from rtl.contract.design import Design
from rtl.engine.parts.columns import value_layout
from rtl.engine.streamzip.schedule.key_stream import KeyStream
from rtl.keyed.codec.codecs import CODEC_ENTRIES
from rtl.keyed.windows.key_times import KeyTimes

#: Greatest number of tuples that a prediction examines, in some seconds. Later tuples are taken to
#: be like the last ones.
MAX_TUPLES = 200_000


def key_stream(
    design: Design, raws: Mapping[str, np.ndarray], passes: np.ndarray, start: int | None
) -> KeyStream:
    """Returns the :class:`KeyStream` of the first passing tuples, at most :data:`MAX_TUPLES`.

    Parameters
    ----------
    design : Design
    raws : dict of str to array
        Raw columns, from :func:`gen.prediction.selected_tuples.raw_columns`.
    passes : array of bool
        True for each tuple that WHERE passes.
    start : int or None
        Time at which window 0 of RANGE begins; None: the time of the first tuple.
    """
    window = design.query.window
    at = np.flatnonzero(passes)[:MAX_TUPLES]
    keys = raws[window.partition.name][at]
    fields: dict[str, Any] = {}
    if isinstance(window, Range):
        times = raws[window.attribute.name][at]
        begin = int(times.min()) if start is None else start
        elapsed = times.astype(np.uint64) - np.uint64(begin % (1 << 64))
        fields["times"] = elapsed.view(np.int64)
    if (codec := design.parameters.get("codec", "none")) != "none":
        (value,) = value_layout(design.query).members
        model = codec_model(design)
        stamps = {}
        if isinstance(window, Range):
            stamps["slides"] = fields["times"] // window.slide
            stamps["stamp_bits"] = KeyTimes.stamp_bits_of(design.parameters["overlap"])
        fields |= blocks_of(codec, model, keys, raws[value][at], **stamps)
    return KeyStream(count=len(passes), at=at, keys=keys, **fields)


def blocks_of(
    codec: str,
    model: Codec,
    keys: np.ndarray,
    values: np.ndarray,
    slides: np.ndarray | None = None,
    stamp_bits: int = 0,
) -> dict[str, Any]:
    """Returns ``blocks`` and ``steps`` of a :class:`KeyStream`, by the plain model of the codec.

    For instance with base-delta, equal values of 64 bits and one key, the first 54 values are in
    block 0 and the next 54 in block 1. There are no steps, since a block is decoded in one cycle.
    With windows of time a value of another slide begins a block, too: ``slides`` has the slide of
    each value, and ``stamp_bits`` is the width of a block's stamp.
    """
    blocks = np.zeros(len(keys), np.int64)
    steps: dict[tuple[int, int], int] = {}
    steps_of = CODEC_ENTRIES[codec].block_steps
    order = np.argsort(keys, kind="stable")
    parts = np.split(order, np.flatnonzero(np.diff(keys[order])) + 1) if len(keys) else []
    for part in parts:
        writer, number = BlockWriter(model, stamp_bits), 0
        slide = [0] * len(part) if slides is None else slides[part].tolist()
        for k, stamp in zip(part.tolist(), slide, strict=True):
            growing = writer.growing
            if writer.take(int(values[k]) % (1 << model.width), stamp) is not None:
                if steps_of:
                    decoded = restored_values(model, growing.values)
                    steps[int(keys[k]), number] = steps_of(decoded, growing.raw)
                number += 1
            blocks[k] = number
    return {"blocks": blocks, "steps": steps if steps_of else None}

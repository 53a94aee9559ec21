"""The tuples of a file as the engine for windows of each key gets them, for its prediction."""

import numpy as np

from gen.prediction.lossy_model import lossy_codec
from golden.codecs.blocks import BlockWriter, restored_values
from golden.codecs.ratio import CODECS
from query.window import Range
from rtl.engine.parts.columns import value_layout
from rtl.engine.streamzip.schedule.key_stream import KeyStream
from rtl.keyed.codec.codecs import KINDS

#: Tuples that are looked at, at most: some seconds. The rest is taken to be like their end.
MOST = 200_000


def key_stream(design, raws, seen, start):
    """The :class:`KeyStream` of the first passing tuples, as many as a prediction looks at.

    Parameters
    ----------
    design : Design
    raws : dict of str to array
        Of :func:`gen.prediction.selected_tuples.raw_columns`.
    seen : array of bool
        Which tuples WHERE lets pass.
    start : int or None
        RANGE: where window 0 begins; None: with the first tuple.
    """
    window, at = design.query.window, np.flatnonzero(seen)[:MOST]
    keys, found = raws[window.partition.name][at], {}
    if isinstance(window, Range):
        times = raws[window.attribute.name][at]
        begin = int(times.min()) if start is None else start
        elapsed = times.astype(np.uint64) - np.uint64(begin % (1 << 64))
        found["times"] = elapsed.view(np.int64)
    if (codec := design.parameters.get("codec", "none")) != "none":
        ((value, shape),) = value_layout(design.query).members.items()
        model = lossy_codec(design) or CODECS[codec](32 if shape.width <= 32 else 64)
        slides = found["times"] // window.slide if isinstance(window, Range) else None
        found |= blocks_of(codec, model, keys, raws[value][at], slides)
    return KeyStream(count=len(seen), at=at, keys=keys, **found)


def blocks_of(codec, model, keys, values, slides=None):
    """``blocks`` and ``steps`` of a :class:`KeyStream`, by the plain model of the codec.

    For instance with base-delta, values of 64 bits that are all equal, and one key: 54 values have
    block 0, the next 54 block 1, and there are no steps, as blocks are decoded at once.
    """
    blocks, steps = np.zeros(len(keys), np.int64), {}
    takes = KINDS[codec].steps
    order = np.argsort(keys, kind="stable")
    parts = np.split(order, np.flatnonzero(np.diff(keys[order])) + 1) if len(keys) else []
    for part in parts:
        writer, number = BlockWriter(model, int(slides is not None)), 0
        slide = [0] * len(part) if slides is None else (slides[part] % 2).tolist()
        for k, stamp in zip(part.tolist(), slide, strict=True):
            growing = writer.growing
            if writer.take(int(values[k]) % (1 << model.width), stamp) is not None:
                if takes:
                    stands = restored_values(model, growing.values)
                    steps[int(keys[k]), number] = takes(stands, growing.raw)
                number += 1
            blocks[k] = number
    return {"blocks": blocks, "steps": steps if takes else None}

"""What a design is predicted to do with the tuples that are fed to it, and what is behind it."""

from inspect import Parameter, signature

import numpy as np

from gen.lossy import lossy_codec
from gen.selected_tuples import passing, raw_columns
from golden.codecs.blocks import kept
from golden.codecs.ratio import CODECS, full_blocks, ratio_of_blocks
from query.window import Range
from rtl.codec.codecs import KINDS
from rtl.contract.shape import Shape
from rtl.engine.parts.columns import value_layout
from rtl.engine.streamzip.key_mix import SeenMix

#: Tuples that are near each other: as many as are on their way at a time.
NEAR = 32
#: Tuples that are looked at for what is near, at most.
MOST = 200_000


def predicted(design, tuples, stretch, dram):
    """The Prediction for what the data do in the stretch; with windows of keys, all of the data.

    Parameters
    ----------
    design : Design
    tuples : golden.tuples.Tuples
    stretch : gen.stretch.Stretch or None
    dram : str
        What is behind memory masters, as :attr:`tb.harness.memory.Memory.backend` calls it.

    Returns
    -------
    rtl.contract.prediction.Prediction
    """
    asked = {"dram": dram} if design.memories else {}
    if stretch is not None:
        asked["shape"] = stretch.shape
    elif design.query.partition is not None:
        asked |= _of_keys(design, tuples)
    return design.at_pins(design.predict(**_taken(design.predict, asked)))


def _taken(predict, asked):
    """What ``predict`` makes use of: an engine need not know all that data may be like."""
    parameters = signature(predict).parameters.values()
    if any(parameter.kind is Parameter.VAR_KEYWORD for parameter in parameters):
        return asked
    known = {parameter.name for parameter in parameters}
    return {name: value for name, value in asked.items() if name in known}


def _of_keys(design, tuples):
    """How many keys have tuples that count, and the shape of the data; nothing when none counts.

    With windows of rows also how keys are mixed, and how many tuples have a full window; with a
    codec what becomes of the values, by its plain model. With 1,000 tuples in the times 0 to 1,999,
    half of which WHERE lets pass, of 10 keys: that is 1 / 2 of the tuples, 1 / 2 in a unit of time,
    and a key has one every 40 units. Windows of 20 are full for the last 31 of each key's 50.
    """
    query = design.query
    raws, window = raw_columns(query, tuples), query.window
    seen = passing(query, raws)
    if not seen.any():
        return {}
    told = {"kept": float(seen.mean())}
    if isinstance(window, Range):
        times = raws[window.attribute.name]
        told["tuples_per_time"] = len(tuples) / (int(times.max()) - int(times.min()) + 1)
    key = raws[window.partition.name][seen]
    found = {"keys": len(np.unique(key)), "shape": Shape(**told)}
    if not isinstance(window, Range):
        found |= of_rows(key, window.size)
    if (codec := design.parameters.get("codec", "none")) != "none":
        ((value, shape),) = value_layout(query).members.items()
        found |= of_values(codec, key, raws[value][seen], shape.width, lossy_codec(design))
    return found


def of_rows(key, size):
    """What :meth:`Design.predict` takes of the keys of tuples, with windows of so many rows.

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
        found["mix"] = SeenMix(tuple((k / (NEAR - 1), part) for k, part in shares if part))
    return found


def of_values(codec, key, values, bits, model=None):
    """What :meth:`Design.predict` takes of values with a codec: that of this name, or a model."""
    made = model or CODECS[codec](32 if bits <= 32 else 64)
    blocks = full_blocks(made, key, values)
    found = {"ratio": ratio_of_blocks(made, blocks)}
    if blocks and (steps := KINDS[codec].steps):
        found["steps"] = float(np.mean([steps(kept(made, of), raw) for of, raw in blocks]))
    return found

"""What a design is predicted to do with the tuples that are fed to it, and what is behind it."""

import numpy as np

from gen.selected_tuples import passing, raw_columns
from golden.codecs.ratio import ratio_of
from query.window import Range
from rtl.contract.shape import Shape
from rtl.engine.parts.columns import value_layout


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
    return design.predict(**asked)


def _of_keys(design, tuples):
    """How many keys have tuples that count, and the shape of the data; nothing when none counts.

    With a codec also how much smaller it makes them, by its plain model. With 1,000 tuples in the
    times 0 to 1,999, half of which WHERE lets pass, of 10 keys: that is 1 / 2 of the tuples, 1 / 2
    in a unit of time, and a key has one every 40 units.
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
    keys = len(np.unique(raws[window.partition.name][seen]))
    found = {"keys": keys, "shape": Shape(**told)}
    if (codec := design.parameters.get("codec", "none")) != "none":
        ((value, shape),) = value_layout(query).members.items()
        columns = (raws[name][seen] for name in (window.partition.name, value))
        found["ratio"] = ratio_of(codec, *columns, shape.width)
    return found

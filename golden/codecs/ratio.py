"""How much smaller a codec makes the values of keys."""

import numpy as np

from golden.codecs.base_delta import BaseDelta
from golden.codecs.blocks import BLOCK_BITS, BlockWriter
from golden.codecs.xor import Xor

CODECS = {"base-delta": BaseDelta, "xor": Xor}
#: Values that are compressed, at most: some seconds.
MOST = 200_000


def ratio_of(codec, keys, values, bits):
    """Bits of values over those of the blocks that they fill, of the first :data:`MOST` values.

    Parameters
    ----------
    codec : str
    keys : array
        Of each value.
    values : array
        Whole numbers, of so many ``bits``, in the order of their arrival.

    Returns
    -------
    float
        1.0 if no block is filled.
    """
    width = 32 if bits <= 32 else 64
    keys, values = keys[:MOST], values[:MOST]
    order = np.argsort(keys, kind="stable")
    cuts = np.flatnonzero(np.diff(keys[order])) + 1
    blocks = full = 0
    for part in np.split(values[order], cuts):
        writer = BlockWriter(CODECS[codec](width))
        for value in part:
            growing = writer.growing
            if writer.take(int(value) % (1 << width)) is not None:
                blocks, full = blocks + 1, full + len(growing.values)
    return full * width / (blocks * BLOCK_BITS) if blocks else 1.0

"""The hand-made AXI design of these tests, sound or broken in one way."""

from pathlib import Path

import numpy as np

from tb.harness.beats import Beats

TOP = "passthrough"
SOURCE = Path(__file__).with_name("passthrough.v")
MAGIC, MASK, COUNT = 0, 4, 8
MAGIC_VALUE = 0x0051CE00


def passthrough(size, defect=None):
    """Verilog text of the pass-through with beats of ``size`` bytes; ``defect`` is a macro."""
    defines = [f"`define BYTES {size}", *([f"`define {defect} 1"] if defect else [])]
    return "\n".join([*defines, SOURCE.read_text()])


def inverted(beats, seed=3):
    """The same beats, every third or so with ``tuser``; and what the design makes of these."""
    user = np.random.default_rng(seed).integers(0, 3, len(beats)) == 0
    out = np.where(user[:, None], 255 - beats.data, beats.data)
    return Beats(beats.data, beats.keep, beats.last, user), Beats(out, beats.keep, beats.last)

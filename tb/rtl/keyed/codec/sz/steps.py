"""Counts the steps of SZ's decoders."""

from golden.codecs.blocks import is_coded
from golden.codecs.symbols import BLOCK_BITS
from rtl.keyed.codec.sz.decoder import RUN
from tb.rtl.keyed.codec.serial import COUNT_AT


def steps(codec, block):
    """Returns the steps for a block: one for a symbol, one for a run of constant predictions."""
    if not is_coded(block):
        return BLOCK_BITS // codec.width
    values_left, bits, step_count = (block >> COUNT_AT) % 512, block, 0
    while values_left > 0:
        run = next((k for k in range(RUN) if bits >> 2 * k & 3), RUN) or 1
        values_left, bits, step_count = values_left - run, bits >> 2 * run, step_count + 1
    return step_count

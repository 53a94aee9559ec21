"""Base and delta: the lossless codec for integers and fixed point."""

from rtl.keyed.codec.base_delta.base_delta import BaseDelta, BaseDeltaEncoder
from rtl.keyed.codec.base_delta.decoder import BaseDeltaDecoder
from rtl.keyed.codec.codec import CodecEntry

ENTRY = CodecEntry(
    name="base-delta",
    summary="differences of 8 bits, for whole numbers and fixed point",
    codec=BaseDelta,
    encoder=BaseDeltaEncoder,
    decoder=BaseDeltaDecoder,
    takes_floats=False,
)

"""SZ: the lossy codec for integers, fixed and floating point."""

from dataclasses import replace

from rtl.keyed.codec.block_steps import change_steps
from rtl.keyed.codec.sz.decoder import SzDecoder
from rtl.keyed.codec.sz.entry import SzEntry, usual_sz_steps
from rtl.keyed.codec.sz.restored import RestoredSymbols
from rtl.keyed.codec.sz.scaled import ScaledSz, ScaledSzEncoder
from rtl.keyed.codec.sz.scaled_decoder import ScaledSzDecoder
from rtl.keyed.codec.sz.sz import Sz, SzEncoder

#: A block of SZ takes as many steps as a block of a codec of changes: equal values that come out of
#: it are constant predictions.
_FIXED = SzEntry(
    name="sz",
    summary="predictions within a bound, for any numbers",
    codec=Sz,
    encoder=SzEncoder,
    decoder=SzDecoder,
    restorer=RestoredSymbols,
    takes_floats=True,
    lossy=True,
    block_steps=change_steps,
    usual_steps=usual_sz_steps,
)
#: Entry of the codec with an adaptive exponent, which shares name, options and steps.
_SCALED = replace(_FIXED, codec=ScaledSz, encoder=ScaledSzEncoder, decoder=ScaledSzDecoder)
ENTRY = replace(_FIXED, variants=(_SCALED,))

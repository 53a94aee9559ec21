"""SZ: the lossy codec for integers, fixed and floating point."""

from rtl.keyed.codec.block_steps import change_steps
from rtl.keyed.codec.sz.decoder import SzDecoder
from rtl.keyed.codec.sz.entry import SzEntry, usual_sz_steps
from rtl.keyed.codec.sz.sz import Sz, SzEncoder

#: A block of SZ takes as many steps as a block of a codec of changes: equal values that come out of
#: it are constant predictions.
ENTRY = SzEntry(
    name="sz",
    summary="predictions within a bound, for any",
    codec=Sz,
    encoder=SzEncoder,
    decoder=SzDecoder,
    takes_floats=True,
    lossy=True,
    block_steps=change_steps,
    usual_steps=usual_sz_steps,
)

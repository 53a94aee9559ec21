"""The codecs that there are: all that others know of one is its line here."""

from collections.abc import Callable
from dataclasses import dataclass

from rtl.keyed.codec.base_delta import BaseDelta, BaseDeltaEncoder
from rtl.keyed.codec.base_delta_decoder import BaseDeltaDecoder
from rtl.keyed.codec.block_steps import change_steps, usual_change_steps, usual_sz_steps
from rtl.keyed.codec.change_decoder import ChangeDecoder
from rtl.keyed.codec.grid import Grid, GridEncoder
from rtl.keyed.codec.sz import Sz, SzEncoder
from rtl.keyed.codec.sz_decoder import SzDecoder
from rtl.keyed.codec.xor import Xor, XorEncoder


@dataclass(frozen=True)
class Kind:
    """What belongs to a codec.

    Attributes
    ----------
    codec, encoder, decoder : type
        The codec describes; the others are made of it.
    floating : bool
        Floating point may be compressed with it.
    steps, usual_steps : callable or None
        Where the decoder is a serial one: the steps of a block of (values that come out, raw), and
        those on average where nothing is known but (codec, ratio).
    """

    codec: type
    encoder: type
    decoder: type
    floating: bool
    steps: Callable | None = None
    usual_steps: Callable | None = None

    @property
    def serial(self):
        """A block is decoded value by value, not at once."""
        return self.steps is not None


#: By the name of the option; each codec is made for the bits of a value, 32 or 64. Of SZ values
#: that come out equal are constant ones.
KINDS = {
    "base-delta": Kind(BaseDelta, BaseDeltaEncoder, BaseDeltaDecoder, False),
    "xor": Kind(Xor, XorEncoder, ChangeDecoder, True, change_steps, usual_change_steps),
    "grid": Kind(Grid, GridEncoder, ChangeDecoder, True, change_steps, usual_change_steps),
    "sz": Kind(Sz, SzEncoder, SzDecoder, True, change_steps, usual_sz_steps),
}
_BY_TYPE = {kind.codec: kind for kind in KINDS.values()}


def kind_of(codec):
    """The kind of a codec's description."""
    return _BY_TYPE[type(codec)]

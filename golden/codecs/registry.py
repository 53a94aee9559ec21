"""Registry of the plain models of codecs. Adding a codec means adding its import and its entry."""

from golden.codecs.base_delta import BaseDelta
from golden.codecs.codec import Codec
from golden.codecs.grid import Grid
from golden.codecs.sz import Sz
from golden.codecs.xor import Xor
from golden.codecs.xor_chained import XorChained

#: The model of each codec by its name, the value of the option ``codec``.
CODECS: dict[str, type[Codec]] = {
    "base-delta": BaseDelta,
    "xor": Xor,
    "xor-chained": XorChained,
    "grid": Grid,
    "sz": Sz,
}

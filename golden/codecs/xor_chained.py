"""Encodes values by XOR with the value before, in blocks that depend on the block before.

Source: seed 000, sections 2.1 and 3.4.4, figure 14b.
"""

from dataclasses import dataclass
from typing import ClassVar

from golden.codecs.xor import Xor

#: Greatest number of blocks of a chain.
CHAIN = 16


@dataclass(frozen=True)
class XorChained(Xor):
    """Encodes values as :class:`~golden.codecs.xor.Xor`, in chains of up to 16 blocks.

    Only the first block of a chain has a seed, so the other 15 blocks have 75 bits more for
    symbols, or 43 of values of 32 bits. A dependent block has up to 496 values. For instance 10.5
    500 times: a block of 422 values with the seed 10.5, 31, 0; then a dependent block of 78 values,
    which has 78 bits after its head, all 0.
    """

    chain: ClassVar[int] = CHAIN

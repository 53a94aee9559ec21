"""XOR with the value before, in blocks that depend on the block before."""

from dataclasses import dataclass, replace

from amaranth.hdl import Cat

from rtl.keyed.codec.block_steps import change_steps, usual_change_steps
from rtl.keyed.codec.chained.chain_decoder import ChainDecoder
from rtl.keyed.codec.codec import CodecEntry
from rtl.keyed.codec.xor import LENGTH_BITS, Xor, XorEncoder

#: Maximum count of blocks of a chain.
CHAIN = 16


@dataclass(frozen=True)
class XorChained(Xor):
    """Encodes values as :class:`~rtl.keyed.codec.xor.Xor`, in chains of up to 16 blocks.

    Only the first block of a chain has a seed, so the other 15 blocks have 75 bits more for
    symbols, or 43 of values of 32 bits. For instance 10.5 500 times: a block of 422 values with the
    seed 10.5, 31, 0; then a dependent block of 78 values, which has 78 bits after its head, all 0.

    Attributes
    ----------
    chain : int
        Maximum count of blocks of a chain, a power of two of at least 2.

    Source: seed 000, figures 9a and 14b; chains are ours.
    """

    chain: int = CHAIN

    @property
    def format(self):
        return replace(super().format, chain=self.chain)

    def state_code(self, state):
        """Returns the bits of a seed below its value, from the state of a decoder."""
        return Cat(state.length[:LENGTH_BITS], state.leading)


ENTRY = CodecEntry(
    name="xor-chained",
    summary="the same in blocks that depend on the block before, any numbers in windows of rows",
    codec=XorChained,
    encoder=XorEncoder,
    decoder=ChainDecoder,
    takes_floats=True,
    block_steps=change_steps,
    usual_steps=usual_change_steps,
)

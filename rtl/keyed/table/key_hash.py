"""Hash functions of keys: an index from a CRC, computed by a network of XORs."""

from dataclasses import dataclass

from amaranth.hdl import Cat
from amaranth.lib.crc import catalog

#: The CRC of each way. No two have the same polynomial, because two keys with the same CRC by one
#: function have the same CRC by all functions with the same polynomial.
FUNCTIONS = (
    catalog.CRC32_ISO_HDLC,  # the CRC of zlib, and of Spark's function crc32
    catalog.CRC32_ISCSI,
    catalog.CRC32_AUTOSAR,
    catalog.CRC32_BASE91_D,
)


@dataclass(frozen=True, kw_only=True)
class KeyHash:
    """Computes the index of a key in a way: the lowest bits of a CRC of the key's bytes.

    The key is an unsigned number, extended by zeros to complete bytes, the lowest byte first. So
    the key 0x123 of 12 bits is the bytes 23 01, also if its type is signed.

    A CRC is affine over GF(2): ``crc(a ^ b) = crc(a) ^ crc(b) ^ crc(0)``. So every bit of the index
    is the XOR of some bits of the key and of a bit of ``crc(0)``. To find these bits of the key,
    the class computes the software CRC of amaranth's catalogue for each key with a single 1. For
    way 0, a key of 3 bits and an index of 3 bits::

        key    crc       index    index ^ index of key 000
        000    d202ef8d    101
        001    a505df1b    011    110: bit 0 of the key changes bits 1 and 2 of the index
        010    3c0c8ea1    001    100: bit 1 of the key changes bit 2 of the index
        100    d56f2b94    100    001: bit 2 of the key changes bit 0 of the index

    So the index is ``Cat(key[2] ^ 1, key[0], key[0] ^ key[1] ^ 1)``: 111 for the key 011.

    The functions of two ways are independent: two keys of 32 bits with the same 12-bit index in
    both ways are as rare as two keys with the same 24-bit index in one way.

    Parameters
    ----------
    way : int
        Index in :data:`FUNCTIONS`.
    key_width : int
        Bits of a key.
    bits : int
        Bits of the index, at most 32.

    Source: seed 000, section 3.1 ("multiple hash functions are used to reduce collisions"); the
    functions are ours.
    """

    way: int
    key_width: int
    bits: int

    def __post_init__(self):
        if self.way not in range(len(FUNCTIONS)):
            raise ValueError(f"way must be 0 to {len(FUNCTIONS) - 1}, not {self.way!r}")
        if not isinstance(self.key_width, int) or self.key_width < 1:
            raise ValueError(f"key_width must be an integer of at least 1, not {self.key_width!r}")
        if not isinstance(self.bits, int) or not 1 <= self.bits <= 32:
            raise ValueError(f"bits must be an integer from 1 to 32, not {self.bits!r}")

    def index_of(self, key):
        """Returns the index of a key, an unsigned Python number, by the catalogue's software."""
        data = key.to_bytes(-(-self.key_width // 8), "little")
        return FUNCTIONS[self.way]().compute(data) & ((1 << self.bits) - 1)

    @property
    def masks(self):
        """For each bit of the index, a mask of the key's bits on which it depends.

        In the example above the masks are 100, 001 and 011.
        """
        zero = self.index_of(0)
        columns = [self.index_of(1 << k) ^ zero for k in range(self.key_width)]
        return [
            sum((column >> bit & 1) << k for k, column in enumerate(columns))
            for bit in range(self.bits)
        ]

    def network(self, key):
        """Returns the index of ``key``, a Value of ``key_width`` bits, combinationally.

        Each bit is an XOR of at most ``key_width`` bits: two levels of LUTs with 6 inputs for 32
        bits, three for 64 bits.
        """
        zero = self.index_of(0)
        return Cat((key & mask).xor() ^ (zero >> bit & 1) for bit, mask in enumerate(self.masks))

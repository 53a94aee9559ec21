"""Where a key may lie: an index out of a CRC, as a network of XORs."""

from dataclasses import dataclass

from amaranth.hdl import Cat
from amaranth.lib.crc import catalog

#: Of each way its CRC. Their polynomials differ: many names of the catalogue share one, and where
#: two keys have the same CRC by one of those, they have it by all of them.
FUNCTIONS = (
    catalog.CRC32_ISO_HDLC,  # that of zlib, and of Spark's crc32
    catalog.CRC32_ISCSI,
    catalog.CRC32_AUTOSAR,
    catalog.CRC32_BASE91_D,
)


@dataclass(frozen=True, kw_only=True)
class KeyHash:
    """The index of a key: the lowest bits of a CRC of its bytes.

    The key's bits are taken as an unsigned number, as bytes with the lowest first, and its width is
    rounded up to whole bytes with zeros. So the key 0x123 of 12 bits is the bytes 23 01, whatever
    its sign.

    A CRC is affine over GF(2): ``crc(a ^ b) = crc(a) ^ crc(b) ^ crc(0)``. So every bit of it is the
    XOR of some bits of the key, and of its bit in ``crc(0)``; which bits, is asked of the software
    that amaranth's catalogue has, once for each bit of the key. For way 0 and 3 bits of each::

        key    crc       index    differs from that of 0 by
        000    d202ef8d    101
        001    a505df1b    011    110: the key's bit 0 is in bits 1 and 2 of the index,
        010    3c0c8ea1    001    100: its bit 1 in bit 2,
        100    d56f2b94    100    001: its bit 2 in bit 0

    and so the index is ``Cat(key[2] ^ 1, key[0], key[0] ^ key[1] ^ 1)``: of 011, it is 111.

    Two functions part the keys differently: keys of 32 bits that two functions both give the same
    12-bit index are as rare as those with the same 24 bits.

    Parameters
    ----------
    way : int
        Which of :data:`FUNCTIONS`.
    key_width : int
        Bits of a key.
    bits : int
        Bits of the index, at most 32.

    Source: seed 000, section 3.1 ("multiple hash functions are used to reduce collisions"); which
    functions is ours.
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
        """The index of a key that is a number, by the catalogue's software; no hardware."""
        data = key.to_bytes(-(-self.key_width // 8), "little")
        return FUNCTIONS[self.way]().compute(data) & ((1 << self.bits) - 1)

    @property
    def masks(self):
        """For each bit of the index, from the lowest on: the bits of the key that it is made of."""
        zero = self.index_of(0)
        columns = [self.index_of(1 << k) ^ zero for k in range(self.key_width)]
        return [
            sum((column >> bit & 1) << k for k, column in enumerate(columns))
            for bit in range(self.bits)
        ]

    def network(self, key):
        """The index of ``key``, a Value of ``key_width`` bits: combinational.

        Each bit is an XOR of at most ``key_width`` bits: for 32, two levels of LUTs, for 64 three.
        """
        zero = self.index_of(0)
        return Cat((key & mask).xor() ^ (zero >> bit & 1) for bit, mask in enumerate(self.masks))

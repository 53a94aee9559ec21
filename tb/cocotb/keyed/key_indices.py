"""The indices of keys by CRCs: Spark's own crc32, and the other CRCs bit by bit."""

from pyspark.sql import functions as fn

#: Polynomials of the ways after the first one, lowest bit first: CRC-32C, AUTOSAR's, BASE91-D's.
POLYNOMIALS = (0x1EDC6F41, 0xF4ACFB13, 0xA833982B)


def indices(key, key_width, bits, ways):
    """Returns a column with the array of a key's index in each way."""
    count = -(-key_width // 8)
    parts = [fn.shiftright(key, 8 * k).bitwiseAND(fn.lit(255)) for k in range(count)]
    text = fn.concat(*[fn.unhex(fn.lpad(fn.hex(part), 2, "0")) for part in parts])
    crcs = [fn.crc32(text), *(_crc(polynomial)(text) for polynomial in POLYNOMIALS)]
    mask = fn.lit((1 << bits) - 1)
    return fn.array(*[crc.cast("long").bitwiseAND(mask) for crc in crcs[:ways]])


def _crc(polynomial):
    """Returns a function of Spark: the CRC of bytes, which starts and ends with an inversion."""
    reflected = int(f"{polynomial:032b}"[::-1], 2)

    def crc(text):
        remainder = 0xFFFFFFFF
        for byte in bytes(text):
            remainder ^= byte
            for _ in range(8):
                remainder = remainder >> 1 ^ (reflected if remainder & 1 else 0)
        return remainder ^ 0xFFFFFFFF

    return fn.udf(crc, "long")

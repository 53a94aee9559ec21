"""Octets of frames as Spark columns: texts of two hexadecimal digits for each octet."""

from pyspark.sql import functions as fn


def lit(number):
    """Returns a column of a constant long integer."""
    return fn.lit(number).cast("long")


def octets(number, count):
    """Returns the text of a number in ``count`` octets, the highest octet first."""
    return fn.lpad(fn.hex(number.cast("long")), 2 * count, "0")


def size_of(text):
    """Returns the number of octets of a text."""
    return (fn.length(text) / 2).cast("long")


def part(text, first, count):
    """Returns ``count`` octets of a text from octet ``first`` on; both are columns."""
    return text.substr((2 * first + 1).cast("int"), (2 * count).cast("int"))


def number_at(text, first, count):
    """Returns the number in ``count`` octets from octet ``first`` on, the highest octet first."""
    first = first if isinstance(first, type(text)) else lit(first)
    return fn.conv(part(text, first, lit(count)), 16, 10).cast("long")


def word_sum(text):
    """Returns the sum of the 16-bit words of a text; an odd octet at the end is a high octet."""
    padded = fn.concat(text, fn.lit("0000"))
    places = fn.sequence(lit(0), (size_of(text) / 2).cast("long"))
    words = fn.transform(places, lambda k: number_at(padded, 2 * k, 2))
    return fn.aggregate(words, lit(0), lambda total, word: total + word)


def folded(total):
    """Returns the one's-complement sum in 16 bits; it is 0 only if all words are 0 (RFC 1071)."""
    return fn.when(total == 0, lit(0)).otherwise((total - 1) % 0xFFFF + 1)


def checksum(total):
    """Returns the checksum for words with this sum."""
    return 0xFFFF - folded(total)


def sum_halves(number):
    """Returns the sum of both 16-bit words of a number of 32 bits, such as an IPv4 address."""
    return fn.floor(number / 0x10000).cast("long") + number % 0x10000


def random_number(bits, seed, *keys):
    """Returns a random number of ``bits`` bits, equal for rows that agree in ``keys``."""
    return fn.pmod(fn.xxhash64(lit(seed), *keys), lit(1 << bits))


def random_octets(count, seed, *keys):
    """Returns ``count`` random octets; rows that agree in ``keys`` have the same octets."""
    places = fn.sequence(lit(0), (count / 8).cast("long"))
    parts = fn.transform(
        places, lambda k: fn.lpad(fn.hex(fn.xxhash64(lit(seed), *keys, k)), 16, "0")
    )
    return fn.array_join(parts, "").substr(fn.lit(1), (2 * count).cast("int"))


def carrying_octets(count):
    """Returns ``count`` octets whose sum carries twice when it is folded to 16 bits.

    With the lower octet of a word first, the words are FFFF, FFFF, 0001 and 0000, and add up to
    1FFFF. The first fold gives FFFF + 1 = 10000, whose carry must be added again.
    """
    repeated = fn.repeat(fn.lit("FFFFFFFF01000000"), (count / 8).cast("int") + 1)
    return repeated.substr(fn.lit(1), (2 * count).cast("int"))


def one_of(numbers, seed, *keys):
    """Returns a random element of a list of numbers or texts."""
    choice = fn.pmod(fn.xxhash64(lit(seed), *keys), lit(len(numbers))).cast("int")
    return fn.element_at(fn.array(*(fn.lit(number) for number in numbers)), choice + 1)


def one_bit(number, bits, seed, *keys):
    """Returns a number with one random bit of its lowest ``bits`` changed."""
    masks = [1 << k for k in range(bits)]
    return number.bitwiseXOR(one_of(masks, seed, *keys).cast("long"))

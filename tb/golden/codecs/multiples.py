"""Encodes values as the codec grid describes, as text of bits, independently of the model.

The module divides and compares numbers; it reads no bits, and has no blocks.
"""

from itertools import pairwise


def encode(width, patterns):
    """Returns one text of bits for each value after the first."""
    texts, spacing = [], 1
    for previous, value in pairwise(patterns):
        # The difference is only known modulo 2^width: take the number nearest to 0.
        candidates = (value - previous - 2**width, value - previous, value - previous + 2**width)
        difference = next(d for d in candidates if -(2 ** (width - 1)) <= d < 2 ** (width - 1))
        if difference == 0:
            texts.append("0")
            continue
        times, remainder = divmod(difference, spacing)
        if remainder == 0 and -4 <= times <= 3:
            texts.append("10" + signed(times, 3))
            continue
        if remainder == 0 and -32 <= times <= 31:
            texts.append("110" + signed(times, 6))
            continue
        grid = max(k for k in range(width - 5) if difference % 2**k == 0)
        spacing = 2**grid
        times = difference // spacing
        length = min(k for k in range(1, 65) if -(2 ** (k - 1)) <= times < 2 ** (k - 1))
        lengths = "000000" if length == 64 else format(length, "06b")
        texts.append("111" + format(grid, "06b") + lengths + signed(times, length))
    return texts


def signed(number, length):
    return format(number % 2**length, f"0{length}b")

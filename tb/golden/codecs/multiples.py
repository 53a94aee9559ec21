"""What the codec grid makes of values, as text of bits, written from its description, on its own.

It divides and compares numbers, looks at no bits, and knows no blocks.
"""

from itertools import pairwise


def encode(width, patterns):
    """One text of bits for each value behind the first."""
    texts, spacing = [], 1
    for before, value in pairwise(patterns):
        # Of the numbers that are the difference modulo 2^width the one nearest to 0.
        around = (value - before - 2**width, value - before, value - before + 2**width)
        difference = next(d for d in around if -(2 ** (width - 1)) <= d < 2 ** (width - 1))
        if difference == 0:
            texts.append("0")
            continue
        times, rest = divmod(difference, spacing)
        if rest == 0 and -4 <= times <= 3:
            texts.append("10" + signed(times, 3))
            continue
        if rest == 0 and -32 <= times <= 31:
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

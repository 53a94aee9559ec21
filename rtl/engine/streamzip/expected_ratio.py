"""Sizes the rings of compressed windows for an expected compression ratio."""

from fractions import Fraction

from rtl.contract.options import exact_number, option
from rtl.keyed.store.blocks.ring_plan import ring_size

#: Value of the option for rings with room for every window, however its values are coded.
WORST_CASE = "none"
#: Least ratio.
LEAST = Fraction(1, 8)
#: Greatest ratio.
MOST = 64
#: Share of the expected blocks that a ring has more: the ratio varies from window to window.
RESERVE = Fraction(1, 50)
#: Blocks of a window that may have few values: the first, of which the window has only the last
#: value, one that is being closed, and the growing block.
ENDS = 3
#: Greatest share of a ring that is rounded up for stripes of several lines; with more, the stripes
#: get shorter.
ROUNDING = Fraction(1, 64)


def ratio_option():
    """Returns the field of the option ``expected_ratio``."""
    return option(
        "with a codec, the rings of keys in DRAM have room for windows that the codec makes so "
        f"many times smaller, a number from {LEAST} to {MOST} such as 4.5; windows that do not fit "
        "are marked and counted; with none the rings have room for every window",
        default=WORST_CASE,
    )


def ratio_of(text):
    """Returns the ratio of an option's text as a Fraction; None for rings for the worst case.

    The text is a decimal number such as ``4.5``, or a fraction such as ``1/4``. Raises ValueError
    for any other text.
    """
    if text == WORST_CASE:
        return None
    ratio = exact_number(str(text))
    if ratio is None or not LEAST <= ratio <= MOST:
        raise ValueError(
            f"expected_ratio must be {WORST_CASE}, or a number from {LEAST} to {MOST} such as 4.5, "
            f"not {text}"
        )
    return ratio


def expected_ring(ratio, lines, ports, stripe_lines, copies=0):
    """Returns a ring for windows that take ``lines`` lines without a codec.

    The ring is a pair: its number of blocks, and the lines of its stripes. For instance 512 lines
    at a ratio of 5, with 4 ports and stripes of one line: 102.4 blocks and 2 % more are 105, with 3
    for the ends of a window 108, which :func:`~rtl.keyed.store.blocks.ring_plan.ring_size` rounds
    up to 112. The ring has a multiple of ``copies`` blocks, because the places of copies on the
    chip follow from the places in the ring.

    Stripes have fewer than ``stripe_lines`` lines if the ring would have less than two stripes at
    each port, or if it would be larger than with stripes of one line by more than
    :data:`ROUNDING`. For instance at a ratio of 1 the ring has 528 blocks with stripes of 1 to 4
    lines, and would have 544 with stripes of 8 lines; so the stripes have 4 lines.

    Parameters
    ----------
    ratio : Fraction
    lines, ports, stripe_lines : int
    copies : int
        Copies of blocks of each key on the chip, 0 or a power of two.
    """
    blocks = -(-lines * (1 + RESERVE) // ratio) + ENDS

    def ring_of(stripe):
        return ring_size(blocks, max(ports * stripe, copies))

    most = (1 + ROUNDING) * ring_of(1)
    while stripe_lines > 1 and (2 * ports * stripe_lines > blocks or ring_of(stripe_lines) > most):
        stripe_lines //= 2
    return ring_of(stripe_lines), stripe_lines

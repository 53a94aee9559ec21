"""Chooses one of several values by a number, and computes the OR of several values."""

from amaranth.hdl import Mux


def chosen(options, number):
    """Returns ``options[number]``, by a tree of multiplexers of two inputs.

    A number from ``len(options)`` on selects any of the options. For instance 16 options take 5
    LUTs of 6 inputs for each bit, 2 levels deep; an AND for each option and an OR take more LUTs.

    Parameters
    ----------
    options : sequence of Value
    number : Value
        Has at least one bit for each level of the tree: ``ceil(log2(len(options)))`` bits.
    """
    options = list(options)
    for level in range((len(options) - 1).bit_length()):
        # The last of an odd number of options has itself as its pair, and takes no multiplexer.
        pairs = zip(options[::2], [*options[1::2], options[-1]], strict=False)
        options = [low if low is high else Mux(number[level], high, low) for low, high in pairs]
    return options[0]


def any_of(values):
    """Returns the OR of all values, by a tree of pairs: a chain of 1,024 would be too deep.

    For instance of 5 values ``((a | b) | (c | d)) | e``.

    Parameters
    ----------
    values : sequence of Value
        At least one.
    """
    values = list(values)
    while len(values) > 1:
        pairs = zip(values[::2], values[1::2], strict=False)
        values = [low | high for low, high in pairs] + values[len(values) & ~1 :]
    return values[0]

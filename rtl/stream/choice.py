"""The choice of one of several values by a number."""

from amaranth.hdl import Mux


def chosen(options, number):
    """Returns the option with the number, by a tree of multiplexers of two inputs.

    A number that no option has chooses some option. For instance 16 options take 5 LUTs of 6
    inputs for each bit, 2 levels deep. An AND for each option and an OR take more.

    Parameters
    ----------
    options : sequence of Value
    number : Value
        With a bit for each level of the tree, at least.
    """
    options = list(options)
    for level in range((len(options) - 1).bit_length()):
        pairs = zip(options[::2], [*options[1::2], options[-1]], strict=False)
        options = [low if low is high else Mux(number[level], high, low) for low, high in pairs]
    return options[0]

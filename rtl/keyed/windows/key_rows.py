"""Describes the windows of rows of one key, and the effect of a tuple on the key's state."""

from dataclasses import dataclass

from amaranth.hdl import Mux
from amaranth.lib import data


@dataclass(frozen=True, kw_only=True)
class KeyRows:
    """Describes windows of the last ws tuples of a key, after every wa tuples.

    A key's tuples lie in a ring of places, in the order of their arrival. The key's state has the
    number of tuples in the next window so far, the place of the next tuple, and the number of the
    next window; the state of a new key is zero. A tuple fills a window if the window then has ws
    tuples. The next window begins wa tuples later, so ws - wa of its tuples have already arrived.
    For instance with windows of 3 tuples every 2, in a ring of 8 places::

        tuple        1   2   3   4   5   6   7   8   9
        place        0   1   2   3   4   5   6   7   0
        so far       1   2   3   2   3   2   3   2   3
        window               0       1       2       3
        places               0-2     2-4     4-6     6-0

    Attributes
    ----------
    window_max : int
        Tuples of the largest window.
    places : int
        Number of places of a ring: a power of two of at least ``window_max``.
    number_bits : int
        Width of a window's number, in bits. After the greatest number comes 0.

    Source: seed 000, section 3.1.1 (the tuple counter) and figure 10.
    """

    window_max: int
    places: int
    number_bits: int = 32

    def __post_init__(self):
        if self.places & (self.places - 1) or self.places < self.window_max:
            raise ValueError(
                f"places must be a power of two of at least {self.window_max}, not {self.places}"
            )

    @property
    def state(self):
        """Layout of a key's state.

        ``tuples`` of the next window so far, ``place`` of the next tuple, number of the next
        ``window``.
        """
        return data.StructLayout(
            {
                "tuples": range(self.window_max + 1),
                "place": range(self.places),
                "window": self.number_bits,
            }
        )

    def step(self, state, size, slide):
        """Returns two expressions for a tuple: a window becomes full, and the key's next state.

        The full window has the number in ``state``. ``size`` and ``slide`` are values, with
        slide <= size.
        """
        grown = (state.tuples + 1)[: len(state.tuples)]
        closes = grown == size
        overlap = size - slide
        following = {
            "tuples": Mux(closes, overlap[: len(grown)], grown),
            "place": (state.place + 1)[: len(state.place)],
            "window": (state.window + closes)[: self.number_bits],
        }
        return closes, following

"""Ring buffers of fixed size: the low bits of a position select the slot."""

import numpy as np
from numba import njit


def ring(capacity: int, dtype: np.dtype) -> np.ndarray:
    """Returns an empty ring for ``capacity`` values, rounded up to a power of two."""
    return np.empty(1 << max(capacity - 1, 0).bit_length(), dtype)


@njit
def slot(position: int, mask: int) -> np.uint64:
    """Returns the slot of ``position`` in a ring of mask + 1 slots.

    The slot is unsigned, so that the compiled access does not test the sign of the index.
    """
    return np.uint64(position & mask)

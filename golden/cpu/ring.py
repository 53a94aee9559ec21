"""Ring buffers: fixed memory, whose slots are found by the low bits of a position."""

import numpy as np
from numba import njit


def ring(capacity: int, dtype: np.dtype) -> np.ndarray:
    """Room for ``capacity`` values, rounded up to a power of two."""
    return np.empty(1 << max(capacity - 1, 0).bit_length(), dtype)


@njit
def slot(position, mask):
    """Slot of ``position`` in a ring of mask + 1 slots; unsigned, so that no sign is asked for."""
    return np.uint64(position & mask)

"""Compiles the aggregates: lift a value, combine two states, lower to the result.

The three steps are those of the hardware and of `golden.aggregates`. ``subtract`` removes a state,
where possible. Each kernel is a closure over one operator, so that the compiler can inline it.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np
from numba import njit

from query.aggregate import Function

# Binary64 holds every whole number up to this limit. The quotient of two such numbers is rounded by
# less than 1 / divisor, so the rounded quotient never reaches the next whole number.
_EXACT = 1 << 53


@dataclass(frozen=True, eq=False)
class Operator:
    """Computes one aggregate over values of one type.

    Attributes
    ----------
    lift : callable
        State of a value.
    combine : callable
        State of two adjacent pieces of the stream, the older one first.
    lower : callable
        Result of a state and the number of its tuples. The sum of no tuple is 0; the other results
        of no tuple mean nothing.
    identity : np.generic
        State of no tuple; its type is that of every state. For sums of floats it is -0, since
        -0 + x is x for every x.
    result : np.dtype
    subtract : callable or None
        State without its older piece; None if impossible.
    lanes : bool
        True if a bulk insertion adds floats in `golden.cpu.scan.LANES` partial sums, so that the
        loop becomes vector instructions: a compiler may not reorder additions of floats by itself.
    """

    lift: Callable
    combine: Callable
    lower: Callable
    identity: np.generic
    result: np.dtype
    subtract: Callable | None = None
    lanes: bool = False

    @property
    def state(self) -> np.dtype:
        """Type of a state."""
        return self.identity.dtype


@njit
def same(x: Any) -> Any:
    """Returns its argument: for some operators a value is the state of itself."""
    return x


@njit
def _long(x):
    return np.int64(x)


@njit
def _double(x):
    return np.float64(x)


@njit
def _smaller(a, b):
    return a if a < b else b


@njit
def _larger(a, b):
    return a if a > b else b


@njit
def _add(a, b):
    return a + b


@njit
def _take_back(a, b):
    return a - b


@njit
def _total(state, count):
    return state


@njit(error_model="numpy")
def _whole_mean(total, count):
    if count == 0:
        return np.int64(0)
    if -_EXACT <= total <= _EXACT:  # the common case; the cast cuts towards zero
        return np.int64(np.float64(total) / np.float64(count))
    quotient = total // count  # rounded down; -2^63 has no absolute value of 64 bits
    return quotient + 1 if total < 0 and total % count else quotient


def _rounded(kind):
    @njit
    def lower(total, count):
        return kind(0.0) if count == 0 else kind(total)

    return lower


def _mean(kind):
    """Returns the kernel that rounds the sum to ``kind``, divides by the count, and rounds again.

    A quotient of binary32 is rounded twice, to binary64 and to binary32, with the same result as
    one rounding for counts of up to 27 bits.
    """

    @njit(error_model="numpy")
    def lower(total, count):
        if count == 0:
            return kind(0.0)
        return kind(np.float64(kind(total)) / np.float64(count))

    return lower


@cache
def operator(function: Function, dtype: np.dtype, in_order: bool = False) -> Operator:
    """Returns the operator of ``function`` over values of ``dtype``.

    Parameters
    ----------
    function : Function
        ``min``, ``max``, ``sum`` or ``avg``; ``count`` needs no operator.
    dtype : np.dtype
        int32, int64, float32 or float64; for ``min`` and ``max`` an integer type:
        floats are compared by their places, see `golden.values.carry.invert_negatives`.
    in_order : bool
        True if each sum of floats is rounded to their own type, as golden's answer does. Otherwise
        floats are added in binary64.
    """
    if function in (Function.MIN, Function.MAX):
        return _extreme(function, dtype)
    mean = function == Function.AVG
    if dtype.kind == "i":
        lower, result = (_whole_mean, dtype) if mean else (_total, np.dtype(np.int64))
        return Operator(_long, _add, lower, np.int64(0), result, _take_back)
    lower = (_mean if mean else _rounded)(dtype.type)
    if in_order:
        return Operator(same, _add, lower, dtype.type(-0.0), dtype)
    return Operator(_double, _add, lower, np.float64(-0.0), dtype, _take_back, lanes=True)


def _extreme(function, dtype):
    edges = np.iinfo(dtype)
    pick, last = (_smaller, edges.max) if function == Function.MIN else (_larger, edges.min)
    return Operator(same, pick, _total, dtype.type(last), dtype)

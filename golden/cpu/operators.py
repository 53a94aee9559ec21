"""The aggregates as compiled functions: lift a value, combine two states, lower to the result.

The same three steps as the hardware's and as `golden.aggregates`, with ``subtract`` where a state
can be taken back. The kernels are closed over one operator, so that the compiler sees through it.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache

import numpy as np
from numba import njit

from golden.cpu import order
from query.aggregate import Function

# Up to here binary64 holds every whole number, and a quotient of two of them is less than one part
# in the divisor from the true one: it never reaches the next whole number.
_EXACT = 1 << 53


@dataclass(frozen=True, eq=False)
class Operator:
    """One aggregate over values of one type.

    Attributes
    ----------
    lift : callable
        State of a value.
    combine : callable
        State of two adjacent pieces of the stream, the older one first.
    lower : callable
        Result of a state and the number of its tuples. Of no tuple, the sum is 0 and the others
        mean nothing.
    identity : np.generic
        State of no tuple; its type is that of every state. Of sums of floats it is -0, for -0 + x
        is x for every x.
    result : np.dtype
    subtract : callable or None
        The state without its older piece, where that can be done.
    lanes : bool
        Whether a bulk insertion adds in `golden.cpu.scan.LANES` partial sums: asked for where
        the compiler may not choose the order of the additions itself.
    of_bits : bool
        Whether it takes and gives the bits of floats, as integers.
    """

    lift: Callable
    combine: Callable
    lower: Callable
    identity: np.generic
    result: np.dtype
    subtract: Callable | None = None
    lanes: bool = False
    of_bits: bool = False

    @property
    def state(self) -> np.dtype:
        return self.identity.dtype


@njit
def same(x):
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
    quotient = abs(total) // count
    return -quotient if total < 0 else quotient


def _rounded(kind):
    @njit
    def lower(total, count):
        return kind(0.0) if count == 0 else kind(total)

    return lower


def _mean(kind):
    """The rounded sum over the count, rounded; from binary64 to binary32 once more does no harm."""

    @njit(error_model="numpy")
    def lower(total, count):
        if count == 0:
            return kind(0.0)
        return kind(np.float64(kind(total)) / np.float64(kind(count)))

    return lower


@cache
def operator(function: Function, dtype: np.dtype, in_order: bool = False) -> Operator:
    """The operator of ``function`` over values of ``dtype``.

    Parameters
    ----------
    function : Function
        ``min``, ``max``, ``sum`` or ``avg``; ``count`` needs no operator.
    dtype : np.dtype
        int32, int64, float32 or float64.
    in_order : bool
        Whether each addition of floats is to be rounded to their own type, as PySpark does it.
        Else they are added in binary64.
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
    of_bits = dtype.kind == "f"
    kind = order.bits(dtype) if of_bits else dtype
    lift = order.turned(kind) if of_bits else same
    edges = np.iinfo(kind)
    pick, last = (_smaller, edges.max) if function == Function.MIN else (_larger, edges.min)

    @njit
    def lower(state, count):
        return lift(state)  # which is its own inverse

    return Operator(lift, pick, lower, kind.type(last), dtype, of_bits=of_bits)

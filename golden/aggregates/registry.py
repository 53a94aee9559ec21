"""Finds the operator of each aggregate function in the file of the function's name."""

from collections.abc import Callable
from importlib import import_module

from golden.aggregates.operator import Operator
from query.aggregate import Aggregate, Function

#: ``OPERATOR`` of the file of each function: a class, or a function that chooses a class.
_OPERATORS: dict[Function, Callable[[Aggregate, str, bool], Operator]] = {
    function: import_module(f"golden.aggregates.{function.module_name}").OPERATOR
    for function in Function
}


def operator(aggregate: Aggregate, name: str, tree: bool = False) -> Operator:
    """Returns the operator of ``aggregate``; the columns of its state begin with ``name``.

    With ``tree`` the operator adds floats in a tree (`golden.aggregates.float_sum.TreeSum`) instead
    of one after the other.
    """
    return _OPERATORS[aggregate.function](aggregate, name, tree)

"""Finds the entry of each aggregate function in the file of the function's name."""

from importlib import import_module

from query.aggregate import Function

#: ``ENTRY`` of the file of each function.
ENTRIES = {
    function: import_module(f"rtl.aggregate.{function.module_name}").ENTRY for function in Function
}

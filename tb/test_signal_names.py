"""Checks that each signal of the hardware gets the name of its variable, also in the Verilog.

Amaranth reads the name from the assignment ``full = Signal()``. In ``full, empty = Signal(),
Signal()`` it finds only the last name, and the Verilog calls the other one ``signal``. So a
statement in rtl assigns one value.
"""

import ast

import pytest

from tb.sources import findings


def joint_assignments(source):
    """Yields line and targets of each statement that gives several variables one value each.

    Such a statement has a tuple on both sides, or on the right a generator that makes signals
    without names. To unpack what a function returns is none.
    """
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Tuple):
            value = node.value
            is_list = isinstance(value, ast.GeneratorExp | ast.ListComp)
            if isinstance(value, ast.Tuple | ast.List) or (is_list and _makes_signals(value)):
                yield node.lineno, ast.unparse(node.targets[0])


def _makes_signals(node):
    """Returns True if a call below a node makes a signal without a name."""
    return any(
        isinstance(call, ast.Call)
        and ast.unparse(call.func) in ("Signal", "Signal.like")
        and all(keyword.arg != "name" for keyword in call.keywords)
        for call in ast.walk(node)
    )


def test_a_statement_of_rtl_assigns_one_value():
    joint = findings("rtl", joint_assignments)
    assert not joint, "\n".join(joint)


@pytest.mark.parametrize(
    ("source", "targets"),
    [
        ("full, empty = Signal(), Signal()", ["(full, empty)"]),
        ("m.a, m.b = a, b = x, y", ["(m.a, m.b)"]),
        ("full, empty = (Signal(2) for _ in range(2))", ["(full, empty)"]),
        ("full, empty = [Signal.like(x) for _ in range(2)]", ["(full, empty)"]),
        ("full, empty = (Signal(name=n) for n in names)", []),
        ("full, empty = flags(m)", []),
        ("full = Signal()\nempty = Signal()", []),
    ],
)
def test_an_assignment_of_several_values_is_found(source, targets):
    assert [names for _, names in joint_assignments(source)] == targets

"""Checks that public functions have type hints, which the type checker then compares with calls."""

import ast

import pytest

from tb.sources import findings

ROOMS = ("query", "caching", "golden", "host", "gen", "boards", "sluice")


def unhinted(source):
    """Yields line and name of each public function of a module without all type hints.

    A function is public if neither its name nor the name of a class around it begins with an
    underscore. Functions inside functions are not public; those below ``if`` or ``try`` are.
    """
    yield from _unhinted(ast.parse(source).body, is_method=False)


def _unhinted(statements, is_method):
    for node in statements:
        if isinstance(node, ast.If | ast.Try):
            parts = [node.body, node.orelse, getattr(node, "finalbody", [])]
            parts += [handler.body for handler in getattr(node, "handlers", [])]
            yield from _unhinted([n for part in parts for n in part], is_method)
        if getattr(node, "name", "_").startswith("_"):
            continue
        if isinstance(node, ast.ClassDef):
            yield from _unhinted(node.body, is_method=True)
        elif not _is_hinted(node, is_method):
            yield node.lineno, node.name


def _is_hinted(node, is_method):
    """Returns whether a function has a hint for its result and for each parameter but ``self``."""
    parameters = [*node.args.posonlyargs, *node.args.args]
    is_static = any(getattr(mark, "id", "") == "staticmethod" for mark in node.decorator_list)
    parameters = parameters[is_method and not is_static :]
    parameters += [*node.args.kwonlyargs, node.args.vararg, node.args.kwarg]
    hints = [parameter.annotation for parameter in parameters if parameter is not None]
    return node.returns is not None and None not in hints


@pytest.mark.parametrize("room", ROOMS)
def test_public_functions_have_type_hints(room):
    missing = findings(room, unhinted)
    assert not missing, "\n".join(missing)


@pytest.mark.parametrize(
    "source",
    [
        "def f(): pass",
        "async def f(a: int): pass",
        "def f(a) -> int: pass",
        "def f(*, a) -> int: pass",
        "def f(*a) -> int: pass",
        "def f(**a) -> int: pass",
        "class C:\n    def f(self): pass",
        "if 1:\n    def f(): pass",
        "try:\n    pass\nexcept OSError:\n    def f(): pass",
        "class C:\n    def f(self, a) -> None: pass",
        "class C:\n    @staticmethod\n    def f(a) -> None: pass",
    ],
)
def test_a_missing_hint_is_noticed(source):
    assert [name for _, name in unhinted(source)] == ["f"]


@pytest.mark.parametrize(
    "source",
    [
        "def _f(a): pass",
        "def f(a: int, *b: int, c: int, **d: int) -> None: pass",
        "class _C:\n    def f(self): pass",
        "class C:\n    def __init__(self, a): pass\n    def f(self) -> None: pass",
        "def f() -> None:\n    def g(a): pass",
    ],
)
def test_hinted_and_private_functions_are_no_findings(source):
    assert not list(unhinted(source))

"""Checks that each name taken from a module of ours exists, also in code that only slow tests run.

For instance ``soft_resets`` imports the module ``row_points`` and calls ``row_points.passes``: if
the function gets another name, the linter finds nothing, and only ``make regress`` fails.
"""

import ast
import importlib.util
from functools import cache
from importlib import import_module

import pytest

from tb.sources import findings

ROOMS = ("query", "caching", "golden", "rtl", "boards", "host", "sim", "gen", "sluice", "tb")


def unknown_names(source):
    """Yields line and name of each import or use of a name that a module of ours does not have.

    A use is ``module.name``, where the source imports the module, anywhere in the file. Where the
    source also binds the module's name otherwise, such as by a parameter, uses are not examined.
    """
    tree = ast.parse(source)
    modules = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.Import | ast.ImportFrom):
            modules |= _imported(node)
        if isinstance(node, ast.ImportFrom) and _is_ours(node.module):
            for name in (alias.name for alias in node.names):
                if not _is_ours(f"{node.module}.{name}") and not _has(node.module, name):
                    yield node.lineno, f"{node.module}.{name}"
    bound = {node.id for node in ast.walk(tree) if _is_bound(node)}
    bound |= {node.arg for node in ast.walk(tree) if isinstance(node, ast.arg)}
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
            module = None if node.value.id in bound else modules.get(node.value.id)
            if module is not None and not _has(module, node.attr):
                yield node.lineno, f"{module}.{node.attr}"


def _has(module, name):
    return hasattr(import_module(module), name)


def _is_bound(node):
    return isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Load)


def _imported(node):
    """Returns the modules of ours that an import binds to a name, by this name."""
    modules = {}
    for alias in node.names:
        if isinstance(node, ast.ImportFrom):
            module, name = f"{node.module}.{alias.name}", alias.asname or alias.name
        elif alias.asname:
            module, name = alias.name, alias.asname
        else:  # `import a.b` binds `a`
            continue
        if _is_ours(module):
            modules[name] = module
    return modules


@cache
def _is_ours(module):
    """Returns whether a dotted name is a module or package of ours."""
    if module.split(".")[0] not in ROOMS:
        return False
    try:
        return importlib.util.find_spec(module) is not None
    except ModuleNotFoundError:  # `a.b.C`, where b is a module and C a class
        return False


@pytest.mark.parametrize("room", ROOMS)
def test_names_of_modules_exist(room):
    unknown = findings(room, unknown_names)
    assert not unknown, "\n".join(unknown)


@pytest.mark.parametrize(
    ("source", "names"),
    [
        ("from query import parser\nparser.parse('')\nparser.pars", [(3, "query.parser.pars")]),
        ("import query.parser as p\ndef f():\n    return p.x", [(3, "query.parser.x")]),
        ("from query import parser\ndef f(parser):\n    return parser.x", []),
        ("from query import parser\nparser = 5\nparser.x", []),
        ("from query.parser import parse\nparse.x", []),
        ("def f():\n    from query.parser import pars", [(2, "query.parser.pars")]),
        ("from query import parser\nfrom query.parser import parse", []),
        ("import json\njson.x", []),
    ],
)
def test_a_name_that_does_not_exist_is_found(source, names):
    assert list(unknown_names(source)) == names

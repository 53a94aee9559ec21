"""Limits the size of queries. Golden, the reference in PySpark, supports all queries within them.

An engine may have lower limits. docs/query-language.md lists the limits for users. `check` applies
the limits on names, counts and nesting to a parsed query. `query.resolve` checks `PLACES` and
`ROWS`, and `query.literals` checks `STEPS`; the limits of numbers and texts are in `query.types`.
"""

from lark import Token, Tree

from query.errors import QueryError, brief

NAME = 128  # letters of a name: files and ports have the names of columns
COLUMNS = 1024  # columns of a schema
AGGREGATES = 64  # aggregates of a SELECT list
COMPARISONS = 256  # comparisons of a WHERE
#: Levels of AND and OR inside each other: a AND (b OR c) has 2, and so has a AND (b AND c).
#: Brackets around a single comparison add no level.
NESTING = 32
#: Decimals of a percentile's fraction p. So p * 10**18, times the number of tuples, has at most 33
#: digits, and a decimal of Spark has 38.
PLACES = 18
ROWS = (1 << 48) - 1  # tuples of a window: the widest count of an engine
STEPS = (1 << 64) - 1  # RANGE, SLIDE and SLACK, raw: the largest distance of two 64-bit times

_NAMES = ("STREAM", "COLUMN", "TYPE", "ITEM", "ALIAS", "UNIT")


def check(tree: Tree) -> None:
    """Raises QueryError at the first token, in the order of the text, that exceeds a bound.

    The walk does not recurse, since a tree may be deeper than Python's stack.
    """
    counts = {"comparison": 0, "declaration": 0, "aggregate": 0}
    stack = [(tree, 0)]
    while stack:
        node, depth = stack.pop()
        if isinstance(node, Token):
            _check_name(node)
        elif node is not None:
            depth += node.data in ("conjunction", "disjunction")
            _check_node(node, depth, counts)
            stack += [(child, depth) for child in reversed(node.children)]


def _check_name(token):
    if token.type in _NAMES and len(token) > NAME:
        message = f"a name must have at most {NAME} letters, not {len(token)} as {brief(token)}"
        raise _at(token, message)


def _check_node(node, depth, counts):
    if depth > NESTING:
        raise _at(_first(node), f"AND and OR must be nested at most {NESTING} deep in WHERE")
    for kind, limit, message in (
        ("declaration", COLUMNS, "a schema must have at most {} columns"),
        ("aggregate", AGGREGATES, "SELECT must list at most {} aggregates"),
        ("comparison", COMPARISONS, "WHERE must have at most {} comparisons"),
    ):
        counts[kind] += node.data == kind
        if counts[kind] > limit:
            raise _at(_first(node), message.format(limit))


def _first(node):
    """Returns the first token below a node."""
    stack = [node]
    while not isinstance(stack[-1], Token):
        node = stack.pop()
        stack += [child for child in reversed(node.children) if child is not None]
    return stack[-1]


def _at(token, message):
    return QueryError(message, line=token.line, column=token.column)

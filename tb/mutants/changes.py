"""Finds the places in a source's syntax tree where one small change makes a mutant.

A place is an operator, a comparison, a whole number, a term, an element of a list, a Mux, a
negation, or the condition of an ``if``, a ``while`` or a conditional expression. A term is a side
of ``&`` or ``|``, an operand of ``and`` or ``or``, or a side of the ``+`` before a list.
Docstrings, f-strings, ``raise`` statements, imports, annotations, decorators and base classes have
no places.
"""

import ast
import hashlib
import re
from dataclasses import dataclass
from difflib import unified_diff
from itertools import pairwise
from pathlib import Path

#: For each operator or comparison: its text, and the texts that may replace it.
OPERATORS = {
    ast.Add: ("+", ("-", "|")),
    ast.Sub: ("-", ("+",)),
    ast.BitAnd: ("&", ("|",)),
    ast.BitOr: ("|", ("&", "^")),
    ast.BitXor: ("^", ("|",)),
    ast.LShift: ("<<", (">>",)),
    ast.RShift: (">>", ("<<",)),
    ast.Mult: ("*", ("+",)),
    ast.FloorDiv: ("//", ("%",)),
    ast.Mod: ("%", ("//",)),
}
COMPARISONS = {
    ast.Eq: ("==", ("!=",)),
    ast.NotEq: ("!=", ("==",)),
    ast.Lt: ("<", ("<=",)),
    ast.LtE: ("<=", ("<",)),
    ast.Gt: (">", (">=",)),
    ast.GtE: (">=", (">",)),
}
BOOLEAN = {ast.And: "and", ast.Or: "or"}


@dataclass(frozen=True, kw_only=True)
class Change:
    """A change of one line of one source file.

    Attributes
    ----------
    file : str
        Path of the source, from the root of the tree.
    kind : str
        ``operator``, ``comparison``, ``constant``, ``term``, ``element``, ``branches`` (of a Mux),
        or ``not`` (of a negation or a condition).
    start, end : int
        Positions in the text: ``new`` replaces the characters from ``start`` to before ``end``.
    new : str
    """

    file: str
    kind: str
    start: int
    end: int
    new: str

    def applied(self, text):
        """Returns the text of the source with the change."""
        return text[: self.start] + self.new + text[self.end :]

    def line(self, text):
        """Returns the number of the line at which the change begins; the first line is 1."""
        return text.count("\n", 0, self.start) + 1

    def diff(self, text):
        """Returns the changed lines, first as they were with ``-``, then as they are with ``+``."""
        before = text.splitlines()
        after = self.applied(text).splitlines()
        lines = list(unified_diff(before, after, n=0, lineterm=""))[3:]
        return "\n".join(line for line in lines if not line.startswith("@@"))

    def rank(self, text, seed):
        """Returns a hash of the seed, the change, and the line or lines that the change touches.

        Random mutants are drawn in the order of the ranks, so most of them stay the same when
        other lines of the tree change.
        """
        begin = text.rfind("\n", 0, self.start) + 1
        line = text[begin : text.find("\n", self.end)]
        parts = (seed, self.file, self.kind, line.strip(), self.start - begin, self.new)
        return hashlib.sha256("\0".join(map(str, parts)).encode()).hexdigest()

    def is_python(self, text):
        """Returns True if the changed source can be parsed and has a different syntax tree."""
        try:
            return ast.dump(ast.parse(self.applied(text))) != ast.dump(ast.parse(text))
        except SyntaxError:
            return False

    def make(self, tree):
        """Changes the source in the copy of the tree at ``tree``."""
        path = Path(tree) / self.file
        path.write_text(self.applied(path.read_text(encoding="utf-8")), encoding="utf-8")


def changes_of(file, text):
    """Returns a change for each place and replacement, in the order of the syntax tree.

    A few changes may be invalid Python, see :meth:`Change.is_python`.

    Parameters
    ----------
    file : str
        Path from the root of the tree.
    text : str
    """
    finder = _PlaceFinder(text)
    finder.visit(ast.parse(text))
    return [
        Change(file=file, kind=kind, start=start, end=end, new=new)
        for kind, start, end, new in finder.places
    ]


class _PlaceFinder(ast.NodeVisitor):
    """Collects ``(kind, start, end, new)`` of each place."""

    def __init__(self, text):
        self._text = text
        self.places = []
        self._lines = text.splitlines(keepends=True)
        self._line_offsets = [0]
        for line in self._lines:
            self._line_offsets.append(self._line_offsets[-1] + len(line))

    def _at(self, line, column):
        """Returns the position in the text; ``column`` counts bytes of UTF-8."""
        characters = len(self._lines[line - 1].encode()[:column].decode())
        return self._line_offsets[line - 1] + characters

    def _span(self, node):
        return self._at(node.lineno, node.col_offset), self._at(
            node.end_lineno, node.end_col_offset
        )

    def _code(self, node):
        start, end = self._span(node)
        return self._text[start:end]

    def _skip(self, node):
        """Skips a node without visiting its children."""

    visit_Raise = visit_JoinedStr = visit_Import = visit_ImportFrom = _skip  # noqa: N815

    def visit_FunctionDef(self, node):
        defaults = [*node.args.defaults, *filter(None, node.args.kw_defaults)]
        for part in (*defaults, *node.body):
            self.visit(part)

    def visit_ClassDef(self, node):
        for part in node.body:
            self.visit(part)

    def visit_AnnAssign(self, node):
        if node.value is not None:
            self.visit(node.value)

    def visit_BinOp(self, node):
        self._operator("operator", node.left, node.right, OPERATORS.get(type(node.op)))
        joins = isinstance(node.op, ast.Add) and isinstance(node.right, ast.List)
        if joins or isinstance(node.op, ast.BitAnd | ast.BitOr):
            for side in (node.left, node.right):
                self.places.append(("term", *self._span(node), f"({self._code(side)})"))
        self.generic_visit(node)

    def visit_BoolOp(self, node):
        word = BOOLEAN[type(node.op)]
        for k in range(len(node.values)):
            others = [f"({self._code(v)})" for n, v in enumerate(node.values) if n != k]
            self.places.append(("term", *self._span(node), f" {word} ".join(others)))
        self.generic_visit(node)

    def visit_Compare(self, node):
        sides = [node.left, *node.comparators]
        for left, right, op in zip(sides, sides[1:], node.ops, strict=False):
            self._operator("comparison", left, right, COMPARISONS.get(type(op)))
        self.generic_visit(node)

    def visit_Constant(self, node):
        if type(node.value) is int:
            for number in {node.value + 1, abs(node.value - 1)}:
                self.places.append(("constant", *self._span(node), str(number)))

    def visit_List(self, node):
        if len(node.elts) > 1 and not all(map(_is_text, node.elts)):
            spans = [self._span(element) for element in node.elts]
            for (begin, _), (next_begin, _) in pairwise(spans):
                self.places.append(("element", begin, next_begin, ""))
            self.places.append(("element", spans[-2][1], spans[-1][1], ""))
        self.generic_visit(node)

    def visit_Call(self, node):
        if isinstance(node.func, ast.Name) and node.func.id == "Mux" and len(node.args) == 3:
            choice, *branches = map(self._code, node.args)
            new = ", ".join([choice, *reversed(branches)])
            start, end = self._span(node.args[0])[0], self._span(node.args[2])[1]
            self.places.append(("branches", start, end, new))
        self.generic_visit(node)

    def visit_UnaryOp(self, node):
        if isinstance(node.op, ast.Not | ast.Invert):
            self.places.append(("not", *self._span(node), f"({self._code(node.operand)})"))
        self.generic_visit(node)

    def visit_If(self, node):
        self.places.append(("not", *self._span(node.test), f"not ({self._code(node.test)})"))
        self.generic_visit(node)

    visit_IfExp = visit_While = visit_If  # noqa: N815

    def _operator(self, kind, left, right, change):
        """Adds a place for each text that may replace the operator between two operands."""
        if change is None:
            return
        old, news = change
        begin, end = self._span(left)[1], self._span(right)[0]
        separator = re.sub(r"#.*", lambda match: " " * len(match[0]), self._text[begin:end])
        place = begin + separator.index(old)
        for new in news:
            self.places.append((kind, place, place + len(old), new))


def _is_text(node):
    return isinstance(node, ast.JoinedStr) or (
        isinstance(node, ast.Constant) and isinstance(node.value, str)
    )

"""Describes WHERE: comparisons of a column with a constant, combined by AND and OR."""

from dataclasses import dataclass, replace
from enum import StrEnum
from typing import overload

from query.schema import Column


class Op(StrEnum):
    """Names the comparison operators."""

    EQ = "="
    NE = "!="
    LT = "<"
    LE = "<="
    GT = ">"
    GE = ">="


@dataclass(frozen=True)
class Comparison:
    """Compares ``column`` with a constant; ``raw`` is the constant in the column's raw encoding.

    Floats compare in totalOrder (-0 < +0), strings as bytes. A tuple with a NaN in a column that
    the query uses is counted and dropped, whatever its comparisons say.
    """

    column: Column
    op: Op
    raw: int

    def __str__(self) -> str:
        text = self.column.type.text(self.raw)
        if not self.column.type.numeric:
            text = '"' + text.replace('"', '""') + '"'
        return f"{self.column.name} {self.op} {text}"


@dataclass(frozen=True)
class And:
    """Is true if all terms are true. There are two or more terms, and no term is an And."""

    terms: tuple["Predicate", ...]

    def __str__(self) -> str:
        return " AND ".join(f"({t})" if isinstance(t, Or) else str(t) for t in self.terms)


@dataclass(frozen=True)
class Or:
    """Is true if any term is true. There are two or more terms, and no term is an Or."""

    terms: tuple["Predicate", ...]

    def __str__(self) -> str:
        return " OR ".join(map(str, self.terms))


Predicate = Comparison | And | Or


def comparisons(predicate: Predicate | None) -> tuple[Comparison, ...]:
    """Returns every comparison in the predicate, in the order of the text."""
    if predicate is None:
        return ()
    if isinstance(predicate, Comparison):
        return (predicate,)
    return tuple(leaf for term in predicate.terms for leaf in comparisons(term))


@overload
def without_constants(predicate: None) -> None: ...
@overload
def without_constants(predicate: Predicate) -> Predicate: ...
def without_constants(predicate: Predicate | None) -> Predicate | None:
    """Returns the predicate with the raw constant 0 in every comparison.

    Predicates that differ only in constants then are equal, as is their hardware if it gets the
    constants at run time.
    """
    if predicate is None:
        return None
    if isinstance(predicate, Comparison):
        return replace(predicate, raw=0)
    return replace(predicate, terms=tuple(without_constants(term) for term in predicate.terms))

"""Checks with random queries that the text of any query reads back as an equal query."""

import string
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from query.aggregate import Aggregate, Function, Item
from query.parser import parse
from query.predicate import And, Comparison, Op, Or
from query.query import Query
from query.schema import Column, Schema
from query.types import Double, Fixed, Float, Int, String, UInt
from query.window import Range, Rows, WholeStream

NAMES = st.text(string.ascii_letters + "_", min_size=1, max_size=6).filter(
    lambda name: name.lower() not in ("distinct", "window", "window_end")
)
UNITS = st.sampled_from(("ns", "us", "ms", "seconds", "minutes", "hours", "days"))
BITS = st.integers(1, 64)
INTEGERS = st.one_of(
    st.builds(Int, BITS),
    st.builds(UInt, BITS),
    st.integers(1, 64).flatmap(
        lambda integer: st.builds(Fixed, st.just(integer), st.integers(0, 64 - integer))
    ),
)
TYPES = st.one_of(
    INTEGERS, st.just(Float()), st.just(Double()), st.builds(String, st.integers(1, 8))
)


def raws(type_):
    """Returns a strategy for the raws of constants that can occur in a text."""
    if isinstance(type_, String):
        texts = st.text(st.characters(exclude_characters="\n\0", exclude_categories=["Cs"]))
        fitting = texts.filter(lambda text: len(text.encode()) <= type_.length)
        return fitting.map(type_.parse)
    if isinstance(type_, Float):
        finite = st.floats(allow_nan=False, allow_infinity=False, width=type_.width)
        return finite.map(repr).map(type_.parse)
    return st.integers(type_.raw_min, type_.raw_max)


@st.composite
def predicates(draw, columns, depth=2, without=None):
    kinds = [kind for kind in (And, Or) if kind is not without] if depth else []
    kind = draw(st.sampled_from([Comparison, *kinds]))
    if kind is Comparison:
        column = draw(st.sampled_from(columns))
        return Comparison(column, draw(st.sampled_from(list(Op))), draw(raws(column.type)))
    term = predicates(columns, depth - 1, kind)
    return kind(tuple(draw(st.lists(term, min_size=2, max_size=3))))


@st.composite
def windows(draw, columns, times):
    """Draws a window; one of RANGE has its time in a column of ``times``."""
    partition = draw(st.none() | st.sampled_from(columns))
    size = draw(st.integers(1, 10**6))
    slide = draw(st.integers(1, size))
    kinds = [WholeStream, Rows, Range] if times else [WholeStream, Rows]
    kind = draw(st.sampled_from(kinds))
    if kind is WholeStream:
        return WholeStream()
    if kind is Rows:
        return Rows(size=size, slide=slide, partition=partition)
    slack = draw(st.integers(0, 1000))
    time = draw(st.sampled_from(times))
    return Range(size=size, slide=slide, slack=slack, attribute=time, partition=partition)


def aggregates(columns):
    column = st.sampled_from(columns)
    plain = {Function.SUM, Function.MIN, Function.MAX, Function.AVG}
    # p is 1 to 1000 thousandths; Python's format "g" gives its canonical text.
    return st.one_of(
        st.just(Aggregate(Function.COUNT, None, "count(*)")),
        st.builds(
            lambda c: Aggregate(Function.COUNT_DISTINCT, c, f"count(distinct {c.name})"), column
        ),
        st.builds(
            lambda f, c: Aggregate(f, c, f"{f}({c.name})"), st.sampled_from(sorted(plain)), column
        ),
        st.builds(
            lambda c: Aggregate(Function.PERCENTILE, c, f"median({c.name})", Fraction(1, 2)), column
        ),
        st.builds(
            lambda c, n: Aggregate(
                Function.PERCENTILE, c, f"percentile({c.name}, {n / 1000:g})", Fraction(n, 1000)
            ),
            column,
            st.integers(1, 1000),
        ),
    )


@st.composite
def queries(draw):
    names = draw(st.lists(NAMES, min_size=1, max_size=5, unique_by=str.casefold))
    types = [draw(TYPES) for _ in names]
    units = [
        None if isinstance(type_, Float | String) else draw(st.none() | UNITS) for type_ in types
    ]
    columns = [Column(*parts) for parts in zip(names, types, units, strict=True)]
    # One column can be the time, and can be summed.
    columns.append(Column("t1", draw(INTEGERS), draw(st.none() | UNITS)))
    numeric = [column for column in columns if column.type.numeric]
    times = [column for column in numeric if not column.type.floating]
    window = draw(windows(columns, times))
    group = draw(st.sampled_from(columns)) if isinstance(window, WholeStream) else None
    if isinstance(window, Rows | Range) and window.partition is None:
        group = draw(st.none() | st.sampled_from(columns))
    chosen = draw(st.lists(aggregates(numeric), min_size=1, max_size=4, unique_by=str))
    named = draw(st.lists(st.booleans(), min_size=len(chosen), max_size=len(chosen)))
    items = [
        Item(aggregate, f"r{k}" if alias else aggregate.text)
        for k, (aggregate, alias) in enumerate(zip(chosen, named, strict=True))
    ]
    return Query(
        schema=Schema(draw(NAMES), tuple(columns)),
        items=tuple(items),
        window=window,
        where=draw(st.none() | predicates(columns)),
        group=group,
    )


@pytest.mark.in_turn
@given(queries())
@settings(deadline=None, max_examples=300, derandomize=True)
def test_text_of_a_query_reads_back_equal(query):
    again = parse(str(query))
    assert (again, again.warnings) == (query, ())


@given(queries())
@settings(deadline=None, max_examples=100, derandomize=True)
def test_letter_case_of_the_words_and_space_between_them_do_not_matter(query):
    text = str(query)
    for word in ("CREATE INPUT STREAM", "SELECT ", " FROM ", " WHERE ", " GROUP BY "):
        text = text.replace(word, word.lower().replace(" ", " -- and a comment\n\t"))
    assert parse(text) == query


@given(st.data())
@settings(deadline=None, max_examples=300, derandomize=True)
def test_text_of_a_raw_parses_to_the_raw(data):
    type_ = data.draw(TYPES)
    raw = data.draw(raws(type_))
    assert type_.parse(type_.text(raw)) == raw

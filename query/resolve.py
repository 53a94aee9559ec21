"""Turns a parse tree into a Query: resolves names and constants, and refuses bad queries."""

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction

from lark import Token, Transformer, v_args

from query.aggregate import Aggregate, Function, Item
from query.bounds import PLACES, ROWS
from query.errors import QueryWarning, brief, nearest
from query.literals import Duration, decimal, error, exact, warning, whole_number
from query.predicate import And, Comparison, Op, Or, Predicate
from query.query import Query
from query.schema import Column, Schema
from query.types import Double, Fixed, Float, Int, String, Type, UInt
from query.units import spelled, undeclared
from query.window import Range, Rows, WholeStream, Window

TYPES: dict[str, Callable[..., Type]] = {
    "int": Int,
    "uint": UInt,
    "fixed": Fixed,
    "float": Float,
    "double": Double,
    "string": String,
}
_TYPE_FORMS = {
    "int": ("int", "int(N)"),
    "uint": ("uint(N)",),
    "fixed": ("fixed(I,F)",),
    "float": ("float",),
    "double": ("double",),
    "string": ("string(N)",),
}
AGGREGATES = {word: function for function in Function for word in function.words}


@dataclass(frozen=True)
class _Bare:
    """A column of the SELECT list that stands without an aggregate."""

    token: Token


_Item = tuple[Token, Aggregate] | _Bare
_Build = Callable[[Token, str], Aggregate]  # from the function's name, as written and in lower case


def _unique(tokens, kind):
    """Raises QueryError for a repeated name, also in other letter case, which Spark ignores."""
    seen = {}
    for token in tokens:
        first = seen.setdefault(token.casefold(), token)
        if first is not token:
            raise error(token, f"{kind} {token} is there already{_spelled(first, token)}")


def _spelled(first, token):
    if str(first) == str(token):
        return ""
    return f", as {first}; letter case does not tell them apart"


@v_args(inline=True)
class Resolver(Transformer):
    """Turns a parse tree into a Query, bottom-up; raises QueryError (inside lark's VisitError).

    Each public method converts the grammar rule of its name. The transformer works from left to
    right, so it knows the schema when it reads the first use of a column. An item stays a
    pair of its name's token and its aggregate until select(): the name may clash with a column of
    the rows, which depend on the window, and the error must have the token's place.
    """

    def __init__(self) -> None:
        super().__init__()
        self._warnings: list[QueryWarning] = []

    def start(self, schema: Schema, query: Query) -> Query:
        return query

    # The schema.

    def create(self, name: Token, *declarations: tuple[Token, Column]) -> Schema:
        _unique([token for token, _ in declarations], "column")
        self._schema = Schema(str(name), tuple(column for _, column in declarations))
        return self._schema

    def declaration(
        self, name: Token, type_: Type, unit: Token | None = None
    ) -> tuple[Token, Column]:
        if name.lower() == "distinct":
            raise error(name, f"{name} is a word of the language and cannot name a column")
        if unit and (type_.floating or not type_.numeric):
            message = f"a unit of time is for int, uint and fixed, but {name} is {type_}"
            raise error(unit, message)
        return name, Column(str(name), type_, spelled(unit) if unit else None)

    def type(self, name: Token, *arguments: Token) -> Type:
        word = name.lower()
        if word not in TYPES:
            forms = [form for forms in _TYPE_FORMS.values() for form in forms]
            hint = nearest(name, TYPES, else_list=False) or f"; types are {', '.join(forms)}"
            hint = "; a count of microseconds is int(64) us" if word == "timestamp" else hint
            raise error(name, f"unknown type {name}{hint}")
        numbers = [whole_number(argument, f"the size in {word}") for argument in arguments]
        if len(numbers) not in {form.count("(") + form.count(",") for form in _TYPE_FORMS[word]}:
            written = f"{word}({','.join(map(str, numbers))})" if numbers else word
            raise error(name, f"expected {' or '.join(_TYPE_FORMS[word])}, not {brief(written)}")
        try:
            return TYPES[word](*numbers)
        except ValueError as refusal:
            raise error(name, str(refusal)) from None

    def _column(self, token):
        """Returns the column of a name; raises QueryError for an unknown name."""
        if token not in self._schema:
            raise error(token, f"unknown column {token}{nearest(token, self._schema.names)}")
        return self._schema[str(token)]

    # The SELECT list.

    def items(self, *items: _Item) -> tuple[_Item, ...]:
        return items

    def bare(self, token: Token, alias: Token | None = None) -> _Bare:
        self._column(token)
        if alias:
            raise error(alias, f"only an aggregate can have another name; {token} keeps its own")
        return _Bare(token)

    def aggregate(
        self, name: Token, argument: _Build, alias: Token | None = None
    ) -> tuple[Token, Aggregate]:
        function = name.lower()
        if function not in AGGREGATES:
            raise error(name, f"unknown aggregate {name}{nearest(name, AGGREGATES)}")
        aggregate = argument(name, function)
        return alias or Token.new_borrow_pos("ITEM", aggregate.text, name), aggregate

    def star(self, star: Token) -> _Build:
        def build(name, function):
            if function != "count":
                raise error(star, f"{function} needs a column, not *")
            return Aggregate(Function.COUNT, None, "count(*)")

        return build

    def distinct(self, token: Token) -> _Build:
        def build(name, function):
            if function != "count":
                raise error(name, f"only count can take distinct, not {function}")
            column = self._operand(token, Function.COUNT_DISTINCT, "count distinct")
            return Aggregate(Function.COUNT_DISTINCT, column, f"count(distinct {column.name})")

        return build

    def values(self, token: Token, fraction: Token | None = None) -> _Build:
        def build(name, function):
            if function == "count":
                raise error(token, f"expected * or distinct {token} in count, not {token}")
            column = self._operand(token, AGGREGATES[function], function)
            if function == "percentile":
                return _percentile(name, column, fraction)
            if fraction is not None:
                raise error(fraction, f"{function} takes one column and nothing more")
            text = f"{function}({column.name})"
            if function == "median":
                return Aggregate(Function.PERCENTILE, column, text, Fraction(1, 2))
            return Aggregate(AGGREGATES[function], column, text)

        return build

    def _operand(self, token, function, word):
        """Returns the column; raises QueryError if ``function`` cannot aggregate its type."""
        column, accepted = self._column(token), function.declaration.columns
        if not accepted.accepts(column.type):
            raise error(token, f"{word} needs {accepted.phrase}, but {token} is {column.type}")
        return column

    # The window.

    def window(self, partition: Token | None, build: Callable[[Column | None], Window]) -> Window:
        return build(self._key(partition) if partition else None)

    def rows(self, size: Token, slide: Token) -> Callable[[Column | None], Window]:
        counts = whole_number(size, "ROWS", 1, ROWS), whole_number(slide, "SLIDE", 1, ROWS)
        if counts[1] > counts[0]:
            raise error(
                slide, f"SLIDE must be at most ROWS, not {brief(slide)} with ROWS {brief(size)}"
            )
        return lambda partition: Rows(size=counts[0], slide=counts[1], partition=partition)

    def range(
        self, size: Duration, slide: Duration, token: Token, slack: Duration | None = None
    ) -> Callable[[Column | None], Window]:
        time = self._column(token)
        if time.type.floating or not time.type.numeric:
            raise error(token, f"WATTR must be int, uint or fixed, but {token} is {time.type}")
        raws = {
            "size": size.raw("RANGE", time, 1),
            "slide": slide.raw("SLIDE", time, 1),
            "slack": slack.raw("SLACK", time, 0) if slack else 0,
        }
        self._warn_of_unit(time, {"RANGE": size, "SLIDE": slide, "SLACK": slack}, raws)
        if raws["slide"] > raws["size"]:
            lengths = f"not {brief(slide.text)} with RANGE {brief(size.text)}"
            message = f"SLIDE must be at most RANGE, {lengths}"
            raise error(slide.token, message)
        return lambda partition: Range(attribute=time, partition=partition, **raws)

    def duration(self, number: Token, unit: Token | None = None) -> Duration:
        return Duration.read(number, unit)

    def _warn_of_unit(self, time, durations, raws):
        """Warns that lengths with units count seconds if the time column declares no unit."""
        lengths = [
            (f"{keyword} {brief(duration.text)}", time.type.text(raw), duration.token)
            for (keyword, duration), raw in zip(durations.items(), raws.values(), strict=True)
            if duration and duration.unit
        ]
        if time.unit is None and lengths:
            meanings = ", ".join(f"{text} is {brief(raw)}" for text, raw, _ in lengths)
            self._warnings.append(warning(lengths[0][2], undeclared(time, meanings)))

    # WHERE.

    def where(self, predicate: Predicate) -> Predicate:
        return predicate

    def conjunction(self, *terms: Predicate) -> And:
        return And(_flat(And, terms))

    def disjunction(self, *terms: Predicate) -> Or:
        return Or(_flat(Or, terms))

    def comparison(self, token: Token, op: Token, constant: Token) -> Comparison:
        column = self._column(token)
        quoted = constant.type == "STRING"
        if quoted and column.type.numeric:
            raise error(
                constant, f"{token} is {column.type}; expected a number, not {brief(constant)}"
            )
        if not quoted and not column.type.numeric:
            raise error(
                constant, f'{token} is {column.type}; expected a string, as in "{brief(constant)}"'
            )
        if not quoted:
            exact(constant)
        quote = constant[0]
        text = constant[1:-1].replace(2 * quote, quote) if quoted else str(constant)
        try:
            return Comparison(column, Op(op), column.type.parse(text))
        except ValueError as refusal:
            raise error(constant, str(refusal)) from None

    def group(self, *tokens: Token) -> tuple[Token, Column]:
        if len(tokens) > 1:
            raise error(tokens[1], f"GROUP BY takes one column, not {', '.join(tokens)}")
        return tokens[0], self._key(tokens[0])

    def _key(self, token):
        """Returns the key's column; raises QueryError if the rows have its name already."""
        if token.casefold() in ("window", "window_end"):
            raise error(
                token, f"{token} cannot be the key: rows have a column {token.lower()} anyway"
            )
        return self._column(token)

    # All together.

    def select(
        self,
        items: tuple[_Item, ...],
        stream: Token,
        window: Rows | Range | None,
        where: Predicate | None,
        group: tuple[Token, Column] | None,
    ) -> Query:
        if str(stream) != self._schema.name:
            raise error(stream, f"unknown stream {stream}{nearest(stream, [self._schema.name])}")
        if window and window.partition and group:
            key = window.partition.name
            message = f"PARTITION BY {key} gives rows for each {key}; GROUP BY cannot be added"
            raise error(group[0], message)
        bare = [item.token for item in items if isinstance(item, _Bare)]
        if not window and not group:
            by = bare[0] if bare else "a column"
            raise error(stream, f"expected a [window] after {stream}, or GROUP BY {by}")
        named = [item for item in items if not isinstance(item, _Bare)]
        if not named:
            raise error(bare[0], "SELECT must hold an aggregate beside the column")
        query = Query(
            schema=self._schema,
            items=tuple(Item(aggregate, str(name)) for name, aggregate in named),
            window=window or WholeStream(),
            where=where,
            group=group[1] if group else None,
            warnings=tuple(self._warnings),
        )
        _check_bare(bare, query)
        _check_names([name for name, _ in named], query)
        return query


def _percentile(name, column, fraction):
    """Returns ``percentile(column, fraction)``; raises QueryError for a bad fraction."""
    if fraction is None:
        raise error(name, f"percentile needs a fraction, as in percentile({column.name}, 0.9)")
    p = exact(fraction)
    if not 0 < p <= 1:
        message = f"the fraction of percentile must be above 0 and at most 1, not {brief(fraction)}"
        raise error(fraction, message)
    if (p * 10**PLACES).denominator != 1:
        message = f"the fraction of percentile must have at most {PLACES} decimals"
        raise error(fraction, f"{message}, not {brief(fraction)}")
    text = f"percentile({column.name}, {decimal(p)})"
    return Aggregate(Function.PERCENTILE, column, text, p)


def _flat(kind, terms):
    """Flattens nested terms of the same kind: ``a AND (b AND c)`` has three terms."""
    return tuple(
        leaf for term in terms for leaf in (term.terms if isinstance(term, kind) else (term,))
    )


def _check_bare(tokens, query):
    """Raises QueryError unless each bare column is the key, or the time that window_end shows."""
    allowed = [query.key.name] if query.key else []
    if isinstance(query.window, Range):
        allowed.append(query.window.attribute.name)
    _unique(tokens, "column")
    for token in tokens:
        if str(token) not in allowed:
            list_ = " or ".join(allowed)
            hint = f"; besides aggregates, {list_} can stand here" if allowed else ""
            raise error(token, f"{token} is neither aggregated nor grouped by{hint}")


def _check_names(tokens, query):
    """Raises QueryError unless names of results differ from each other and from other columns."""
    _unique(tokens, "result")
    other_names = {name.casefold() for name in query.row_names[: -len(tokens)]}
    for token in tokens:
        if token.casefold() in other_names:
            raise error(token, f"rows have a column {token} anyway; name the result otherwise")

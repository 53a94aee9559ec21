"""Makes the tuples of a generated bench; the same design and seed give the same tuples.

The tuples have the query's schema, and exercise all cases of the query: WHERE, a NaN or a late time
drops some tuples; values repeat, change slowly, or are at the ends of their types; windows close,
if they are not too long.
"""

from decimal import Decimal
from random import Random

import pyarrow as pa

from gen.cocotb_bench.first_start import start_for
from gen.prediction.overruns import overrun_count
from gen.prediction.selected_tuples import passing, raw_columns
from gen.simulate.table_size import entries_for
from golden.tuples import Tuples, arrow_type
from query.predicate import comparisons
from query.query import Query
from query.schema import Column
from query.types import String, Type
from query.window import Range, Rows, WholeStream
from rtl.contract.design import Design

#: Default number of tuples; there are more only if windows of rows need more.
USUAL_COUNT = 300
#: The default number of tuples is not halved below this number.
LEAST_COUNT = 15
#: Greatest default number of tuples, however large the windows of rows are; `sluice generate` makes
#: no more on request, either.
GREATEST_COUNT = 8192
#: There are up to 6 keys, or up to 2 if each key has windows of its own of more than 128 rows.
KEY_COUNT, SMALL_KEY_COUNT, LONG_WINDOW = 6, 2, 128
#: Share of the tuples that satisfy WHERE, if the candidates have tuples of both kinds. With RANGE
#: the times are drawn later, so a WHERE on the time column has another share.
SELECTED = 0.8
#: Number of candidates that are drawn for each tuple; WHERE selects some candidates.
CANDIDATES = 4
#: Number of windows of time that close within USUAL_COUNT tuples.
WINDOW_COUNT = 10
#: With RANGE about one tuple in this many is late.
LATE_PERIOD = 40
_LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"


def made_tuples(design: Design, count: int | None = None, seed: int = 1) -> Tuples:
    """Returns tuples in the order of their arrival.

    Parameters
    ----------
    design : Design
    count : int or None
        Number of tuples. None chooses `usual_count`, or as many tuples as the design can count if
        that is less. This number is halved, down to `LEAST_COUNT` or more, as long as the design
        has no room for all tuples.
    seed : int
    """
    if count is not None:
        return _drawn_tuples(design, count, seed)
    count = usual_count(design.query)
    if design.stream_max is not None:
        count = min(count, design.stream_max)
    tuples = _drawn_tuples(design, count, seed)
    while count >= 2 * LEAST_COUNT and overrun_count(design, tuples, start_for(design, tuples)):
        count //= 2
        tuples = _drawn_tuples(design, count, seed)
    return tuples


def _drawn_tuples(design, count, seed):
    """Returns ``count`` tuples in the order of their arrival.

    Draws `CANDIDATES` candidates for each tuple, and selects candidates so that the share
    `SELECTED` of the tuples satisfies WHERE. With RANGE the time column is drawn last.
    """
    query, rng = design.query, Random(seed)
    columns = list(query.columns) or [query.schema[query.schema.names[0]]]
    keys = {c.name: _keys(design, c, rng) for c in columns if _is_key(query, c)}
    candidate_count = CANDIDATES * count
    drawn = {
        c.name: _drawn_values(rng, c.type, candidate_count, _constants(query, c), keys.get(c.name))
        for c in columns
    }
    candidates = _as_tuples(query, columns, drawn)
    passes = passing(query, raw_columns(query, candidates)).tolist()
    order = _candidate_order(rng, passes, count)
    chosen = {name: [values[k] for k in order] for name, values in drawn.items()}
    if isinstance(query.window, Range):
        key_count = len(set(chosen[query.key.name])) if window_of_keys(query) else 1
        chosen[query.window.attribute.name] = _times(rng, design, count, key_count)
    return _as_tuples(query, columns, chosen)


def usual_count(query: Query) -> int:
    """Returns the default number of tuples of a bench.

    Several windows close, unless they need more than `GREATEST_COUNT` tuples. For instance a query
    with ``ROWS 1000 SLIDE 1`` gets 1,330 tuples, of which about 1,064 pass WHERE.
    """
    window = query.window
    if not isinstance(window, Rows):
        return USUAL_COUNT
    if window.partition is None:
        needed = window.size + max(64, 8 * window.slide)
    else:
        needed = _key_count(query) * (window.size + 8 * window.slide)
    return min(GREATEST_COUNT, max(USUAL_COUNT, int(needed / SELECTED)))


def _is_key(query, column):
    return query.key is not None and column.name == query.key.name


def _key_count(query):
    """Returns the number of different keys that the tuples should have."""
    window = query.window
    long = isinstance(window, Rows) and window.size > LONG_WINDOW
    return SMALL_KEY_COUNT if window_of_keys(query) and long else KEY_COUNT


def window_of_keys(query: Query) -> bool:
    """Returns True if each key has its own windows."""
    return not isinstance(query.window, WholeStream) and query.window.partition is not None


def _keys(design, column, rng):
    """Returns the different keys of the tuples: at most `_key_count` of them.

    If the design has a table of keys, no two of the keys have the same place in the table's first
    way. So the table evicts no key, in whatever order the keys arrive.
    """
    query, type_ = design.query, column.type
    has_ends = not (isinstance(type_, String) or type_.floating)
    ends = [type_.raw_max, type_.raw_min] if has_ends else []
    random_values = [_random_value(rng, type_) for _ in range(3 * KEY_COUNT)]
    choices = [*_constants(query, column), *random_values, *ends]
    keys: list = []
    depth = None
    if window_of_keys(query) and "ways" in design.parameters:
        depth = design.parameters["entries"] // design.parameters["ways"]
    for choice in dict.fromkeys(choices):
        more_keys = [*keys, choice]
        raws = [_raw(type_, key) for key in more_keys]
        if depth is None or entries_for(raws, type_.width, 1, depth, depth) is not None:
            keys = more_keys
        if len(keys) == _key_count(query):
            break
    return keys


def _constants(query, column):
    """Returns the constants with which WHERE compares a column, as values of the column."""
    raws = [c.raw for c in comparisons(query.where) if c.column.name == column.name]
    return [_column_value(column.type, raw) for raw in raws]


def _column_value(type_, raw):
    """Returns a raw number as the value that a column of `Tuples` holds: text, float or raw."""
    return type_.value(raw) if isinstance(type_, String) or type_.floating else raw


def _raw(type_, value):
    """Returns the raw number of a value of a column of `Tuples`: the inverse of `_column_value`."""
    if isinstance(type_, String):
        return type_.parse(value)
    return type_.parse(repr(value)) if type_.floating else value


def _random_value(rng, type_):
    """Returns a random value: any raw integer of the type, -50.0 to 50.0, or up to 4 letters."""
    if isinstance(type_, String):
        length = rng.randrange(min(type_.length, 4) + 1)
        return "".join(_LETTERS[rng.randrange(26)] for _ in range(length))
    if type_.floating:
        return rng.randrange(-400, 401) / 8
    return rng.randrange(type_.raw_min, type_.raw_max + 1)


def _drawn_values(rng, type_, count, constants, keys):
    """Returns ``count`` values of a column.

    For a key column, each value is a random one of the ``keys``, and comes 1 to 3 times in a row.
    For another column (``keys`` is None) values come from a pool of WHERE's ``constants`` and 8
    random values; see `_numbers` for columns of numbers.
    """
    if keys is not None:
        values: list = []
        while len(values) < count:
            values += [keys[rng.randrange(len(keys))]] * rng.randrange(1, 4)
        return values[:count]
    pool = [*constants, *(_random_value(rng, type_) for _ in range(8))]
    if isinstance(type_, String):
        return [pool[rng.randrange(len(pool))] for _ in range(count)]
    return _numbers(rng, type_, count, pool)


def _numbers(rng, type_, count, pool):
    """Returns ``count`` numbers of three kinds.

    Of 20 numbers about 12 are steps of a random walk, 7 come from the ``pool``, and 1 is 0 or an
    end of the type; floats have NaN, zeros, 1e30 and -1e-30 instead. A step is at most 2, for
    integers and decimals 2 raw units.
    """
    if type_.floating:
        low, high, ends = -50, 50, [float("nan"), 0.0, -0.0, 1e30, -1e-30]
    else:
        low, high, ends = type_.raw_min, type_.raw_max, [type_.raw_min, type_.raw_max, 0]
    current, values = pool[-1], []
    for _ in range(count):
        kind = rng.randrange(20)
        if kind < 12:
            current = min(max(current + rng.randrange(-2, 3), low), high)
            values.append(current)
        elif kind < 19:
            values.append(pool[rng.randrange(len(pool))])
        else:
            values.append(ends[rng.randrange(len(ends))])
    return values


def _candidate_order(rng, passes, count):
    """Returns the indices of ``count`` candidates; about the share `SELECTED` of them passes WHERE.

    ``passes`` has a bool for each candidate. Passing candidates come in their order, and so do the
    others. If all candidates are of one kind, all indices are of this kind.
    """
    selected = [k for k, is_selected in enumerate(passes) if is_selected]
    refused = [k for k, is_selected in enumerate(passes) if not is_selected]
    order: list[int] = []
    positions = {True: 0, False: 0}
    for _ in range(count):
        is_selected = bool(selected) and (not refused or rng.random() < SELECTED)
        source = selected if is_selected else refused
        order.append(source[positions[is_selected] % len(source)])
        positions[is_selected] += 1
    return order


def _times(rng, design, count, key_count):
    """Returns times that ascend on the whole, in disorder up to SLACK; a few come too late.

    About `WINDOW_COUNT` windows close within `USUAL_COUNT` tuples. The times of more tuples ascend
    at about the same pace, up to the greatest value of the column's type; in a narrow type the
    first time is smaller. With windows of keys, the tuples of a key come so slowly that a window
    has at most about a quarter of the values for which the design has room (``window_max``).
    """
    window = design.query.window
    type_: Type = window.attribute.type
    first = max(type_.raw_min, 0) + window.slack + window.slide
    span = (window.size + WINDOW_COUNT * window.slide) * max(1, count // USUAL_COUNT)
    if room := design.parameters.get("window_max"):
        span = max(span, 4 * window.size * count // (key_count * room))
    first = min(first, max(type_.raw_min, 0, type_.raw_max - span))
    last = min(first + span, type_.raw_max)
    times = []
    for k in range(count):
        time = first + (last - first) * k // count
        delay = rng.randrange(window.slack + 1) if k else 0
        if k and rng.randrange(LATE_PERIOD) == 0:
            delay = window.slack + window.slide + rng.randrange(window.size)
        times.append(max(time - delay, first - window.slack, type_.raw_min))
    return times


def _as_tuples(query: Query, columns: list[Column], values: dict[str, list]) -> Tuples:
    arrays = [_array(values[c.name], c.type) for c in columns]
    return Tuples(schema=query.schema, table=pa.table(arrays, names=[c.name for c in columns]))


def _array(values, type_):
    kind = arrow_type(type_)
    if pa.types.is_decimal(kind):
        values = [Decimal(value) for value in values]
    return pa.array(values, kind)

"""Checks the smallest table in which no key is evicted, against a model of the table."""

import random

import pyarrow as pa
import pytest

from gen.simulate.table_size import entries_for, keys_of, size_advice
from golden.tuples import Tuples, arrow_type
from query.parser import parse
from rtl.engine import ENGINES
from tb.gen import one_key
from tb.rtl.keyed.table.models import TableModel

TEXT = (
    "CREATE INPUT STREAM S (k {}, v int); SELECT k, sum(v) FROM S [PARTITION BY k ROWS 2 SLIDE 2]"
)
MAX_ENTRIES = 1 << 20


def evicts(keys, width, entries, ways):
    """True if a table of this size evicts one of the keys, by the model."""
    table = TableModel(key_width=width, entries=entries, ways=ways)
    return any(table.arrive(key, lambda state: state)["evicted"] is not None for key in keys)


@pytest.mark.parametrize("ways", [1, 2, 4])
@pytest.mark.parametrize("width", [1, 6, 12, 33, 64, 100])
def test_the_smallest_size_that_evicts_nothing(width, ways):
    """Keys and their order are random, and some keys repeat."""
    rng = random.Random(f"{width} {ways}")
    for count in (1, 2, 9, 40, 90):
        keys = list(dict.fromkeys(rng.randrange(1 << width) for _ in range(count)))
        entries = entries_for(keys, width, ways, 8, MAX_ENTRIES)
        arrivals = [*keys, *rng.choices(keys, k=50)]
        assert not evicts(arrivals, width, entries, ways)
        assert entries == 8 or evicts(keys, width, entries // 2, ways)


def test_sizes_have_bounds():
    """Seventeen keys need at least 32 entries; no table of at most 16 holds them."""
    keys = list(range(17))
    assert entries_for(keys, 8, 4, 8, 16) is None
    assert entries_for(keys, 8, 4, 8, 32) == 32
    assert entries_for(keys, 8, 4, 64, MAX_ENTRIES) == 64
    assert entries_for([], 8, 4, 8, MAX_ENTRIES) == 8


def tuples_of(type_text, keys, where=""):
    query = parse(TEXT.format(type_text) + f" {where};")
    values = pa.array(range(len(keys)), pa.int64())
    kind = arrow_type(query.partition.type)
    return query, Tuples(query.schema, pa.table({"k": pa.array(keys, kind), "v": values}))


@pytest.mark.parametrize(
    ("type_text", "keys", "raw"),
    [
        ("uint(8)", [3, 9, 3, 255, 9], [3, 9, 255]),
        ("int(8)", [-1, 5, -128, -1], [-1, 5, -128]),
        ("string(2)", ["b", "a", "b"], [ord("b") << 8, ord("a") << 8]),
        ("double", [-0.0, 0.0, float("nan"), -0.0], [1 << 63, 0]),
    ],
)
def test_keys_in_the_order_in_which_they_first_arrive(type_text, keys, raw):
    query, tuples = tuples_of(type_text, keys)
    assert keys_of(query, tuples) == raw


def test_keys_that_are_left_out_need_no_entry():
    query, tuples = tuples_of("uint(8)", [7, 8, 9], "WHERE v > 0")
    assert keys_of(query, tuples) == [8, 9]


def streamzip(query, **options):
    return ENGINES["streamzip"](query=query, **options)


def test_the_advice_is_a_size_that_can_be_built():
    """Sixty keys on 16 entries: in the model the suggested size evicts none, half of it does."""
    rng = random.Random(2)
    keys = rng.sample(range(1 << 16), 60)
    query, tuples = tuples_of("uint(16)", keys)
    for ways in (1, 2, 4):
        text = size_advice(streamzip(query, entries=16, ways=ways), tuples)
        size = int(text.removeprefix("entries=").split()[0])
        assert text == f"entries={size} would hold all 60 keys"
        assert not evicts(keys, 16, size, ways)
        assert evicts(keys, 16, size // 2, ways)
        streamzip(query, entries=size, ways=ways)


def test_a_size_that_needs_another_option_too():
    """Four times the entries take four times the memory, which exceeds the address range."""
    query, tuples = tuples_of("uint(16)", random.Random(2).sample(range(1 << 16), 60))
    design = streamzip(query, entries=16, window_max=4096, address_bits=20)
    text = size_advice(design, tuples)
    assert "would hold all 60 keys, but address_bits must be at least" in text


def test_more_ways_where_no_number_of_entries_is_enough(monkeypatch):
    """More ways are suggested if no number of entries is enough with the present ways.

    The results of ``entries_for`` for 1, 2 and 4 ways are invented.
    """
    query, tuples = tuples_of("uint(32)", [1, 2])
    result = {1: None, 2: 64, 4: 32}
    monkeypatch.setattr(
        "gen.simulate.table_size.entries_for", lambda _k, _w, ways, *_: result[ways]
    )
    text = size_advice(streamzip(query, entries=16, ways=1), tuples)
    assert text == "entries=64 and ways=2 would hold all 2 keys"
    result.update({2: None, 4: None})
    text = size_advice(streamzip(query, entries=16, ways=1), tuples)
    assert text == "no table of up to 1,048,576 entries holds all 2 keys"


def test_an_engine_without_another_size():
    query, tuples = tuples_of("string(2)", ["a", "b"])
    design = one_key.ENGINE(query=query)
    assert size_advice(design, tuples) == "engine one-key has no table for all 2 keys"

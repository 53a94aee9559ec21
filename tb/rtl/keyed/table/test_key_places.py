"""Checks KeyPlaces by the plain model of the table."""

import random

import numpy as np
import pytest

from rtl.keyed.table.key_hash import KeyHash
from rtl.keyed.table.key_places import KeyPlaces, indices
from tb.rtl.keyed.table.models import TableModel


@pytest.mark.parametrize("ways", [1, 2, 4])
@pytest.mark.parametrize("width", [6, 33, 64, 72])
def test_entries_are_those_of_the_model(width, ways):
    """With 40 keys and 16 entries most keys are evicted at some time."""
    rng = random.Random(width * ways)
    key_pool = [rng.getrandbits(width) for _ in range(40)]
    keys = [rng.choice(key_pool[: rng.choice([4, 40])]) for _ in range(600)]
    model = TableModel(key_width=width, entries=16, ways=ways)
    kind = object if width > 63 else np.int64
    actual = KeyPlaces(np.array(keys, kind), width, 16, ways).tuples()
    eviction_count = 0
    for key, (entry, fresh) in zip(keys, actual, strict=True):
        expected = model.arrive(key, lambda state: state)
        assert (entry, fresh) == (expected["entry"], expected["fresh"])
        eviction_count += expected["evicted"] is not None
    assert eviction_count > 20


def test_a_negative_key_stands_for_its_bits():
    key_hash = KeyHash(way=1, key_width=9, bits=4)
    assert indices(key_hash, np.array([-3, 5])).tolist() == [
        key_hash.index_of(-3 & 511),
        key_hash.index_of(5),
    ]

"""Checks the choice of an option by its number, and the OR, of up to nine values."""

import pytest

from rtl.stream.choice import any_of, chosen
from tb.rtl.gates import evaluate


@pytest.mark.parametrize("count", range(1, 10))
def test_every_number_chooses_its_option(count):
    bits = max(1, (count - 1).bit_length())
    inputs = {f"option{k}": 8 for k in range(count)} | {"number": bits}

    def choose(number, **options):
        return {"chosen": chosen(list(options.values()), number)}

    options = {f"option{k}": 17 * k + 5 for k in range(count)}
    rows = [options | {"number": number} for number in range(count)]
    results = evaluate(inputs, {"chosen": 8}, choose, rows)
    assert [result["chosen"] for result in results] == list(options.values())


@pytest.mark.parametrize("count", range(1, 10))
def test_each_value_is_in_the_or(count):
    inputs = {f"value{k}": count for k in range(count)}
    rows = [{f"value{k}": (k in ones) << k for k in range(count)} for ones in ({0}, {count - 1})]
    rows.append({f"value{k}": 1 << k for k in range(count)})

    def join(**values):
        return {"all": any_of(list(values.values()))}

    results = [row["all"] for row in evaluate(inputs, {"all": count}, join, rows)]
    assert results == [1, 1 << (count - 1), (1 << count) - 1]

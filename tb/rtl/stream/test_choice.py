"""Checks the choice of an option by its number, for up to nine options."""

import pytest

from rtl.stream.choice import chosen
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

"""Checks the table of runs: it has each allowed pair, and other pairs are refused."""

import random
from datetime import date, timedelta
from itertools import product

import pytest

from tb.gen.pairs.call import design_arguments, run_arguments, write_files
from tb.gen.pairs.dimensions import DIMENSIONS, FORBIDDEN, allowed, completed
from tb.gen.pairs.table import DAILY, design_of, extended, generate, missing, of_the_day, read

ROWS = read()


def test_every_pair_that_can_be_together_is_in_a_run():
    """`missing` searches all rows with a pair before it calls the pair impossible."""
    assert missing(ROWS) == []


@pytest.mark.in_turn
@pytest.mark.parametrize(
    "pair",
    [
        (("engine", "swag"), ("network", "true")),
        (("codec", "xor"), ("memory", "ddr3")),
        (("evictions", "many"), ("packets", "beats:4")),
    ],
)
def test_a_pair_that_is_missing_is_noticed(pair):
    without = [row for row in ROWS if not dict(pair).items() <= row.items()]
    assert 0 < len(without) < len(ROWS)
    assert pair in missing(without)


def test_every_run_is_of_known_values_that_can_be_together():
    assert len(ROWS) >= 200
    for row in ROWS:
        assert list(row) == list(DIMENSIONS)
        assert all(row[name] in values for name, values in DIMENSIONS.items()), row
        assert allowed(row), row


def test_a_table_that_is_complete_is_kept():
    assert extended(ROWS) == ROWS


@pytest.mark.regress
def test_a_table_that_lacks_pairs_is_completed():
    """Runs with one pair are removed: the pairs come back, and all other runs stay."""
    pair = {"engine": "two-stacks", "network": "true"}
    without = [row for row in ROWS if not pair.items() <= row.items()]
    again = extended(without)
    assert missing(without)
    assert missing(again) == []
    assert all(row in again for row in without)


@pytest.mark.regress
def test_a_new_table_is_complete():
    rows = generate()
    assert missing(rows) == []
    assert all(map(allowed, rows))


def test_runs_share_designs():
    """Several runs share a design. An extended table shares fewer designs than a new table."""
    assert len({design_of(row) for row in ROWS}) < 0.7 * len(ROWS)


def test_every_run_has_its_day():
    day, days = date(2026, 1, 1), -(-len(ROWS) // DAILY)
    seen = [of_the_day(ROWS, day + timedelta(days=k)) for k in range(days)]
    assert all(len(numbers) == DAILY == len(set(numbers)) for numbers in seen)
    assert {n for numbers in seen for n in numbers} == set(range(len(ROWS)))
    assert all(len({design_of(ROWS[n]) for n in numbers}) <= 10 for numbers in seen)


def refused_rows(rule):
    """Yields rows that only ``rule`` refuses: a row for each possible choice of its values."""
    others, rng = [other for other in FORBIDDEN if other is not rule], random.Random(7)

    def shuffled(name):
        return rng.sample(DIMENSIONS[name], len(DIMENSIONS[name]))

    for chosen in product(*rule.values.values()):
        part = dict(zip(rule.values, chosen, strict=True))
        if (row := completed(part, shuffled, rules=others)) is not None:
            yield row


@pytest.mark.in_turn
@pytest.mark.parametrize("number", range(len(FORBIDDEN)))
def test_what_the_table_leaves_out_is_refused(number, sluice, tmp_path):
    """The program refuses each choice of the values of a rule in one line, with exit code 2."""
    rule, tried = FORBIDDEN[number], 0
    for row in refused_rows(rule):
        query, data = write_files(row, 1, tmp_path, count=3)
        arguments = [*design_arguments(row), *run_arguments(row, 1)]
        code, out, err = sluice("simulate", query, "--input", data, *arguments)
        assert (code, out, err.count("\n")) == (2, "", 1), (row, err)
        assert rule.matches(err), (rule.refusal, err)
        tried += 1
    assert tried

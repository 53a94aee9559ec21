"""Options without an effect are named, and hardware and settings do not depend on them."""

from dataclasses import replace

import pytest

from gen.verilog.elaboration import core_rtlil
from query.parser import parse
from rtl.contract.options import option_fields, without_effect
from rtl.engine import ENGINES
from rtl.engine.streamzip.options import Options

ROWS, RANGE = "ROWS 8 SLIDE 2", "RANGE 8 SLIDE 2 WATTR t"
SERIAL = "codec=xor, xor-chained, grid or sz"
SORTER = "percentiles=sorter, and a percentile in the query"
PIVOT = "percentiles=pivot, and a percentile in the query"
ON_CHIP, SZ = {"m3_kind": "block"}, {"codec": "sz", "decoders": 2}
#: Small designs.
SMALL = {"entries": 64, "ports": 1, "window_max": 32}
#: Name of an option, a value, a design in which the option has no effect as (window, aggregate,
#: other options), the missing condition, and a design in which it has an effect.
CASES = [
    (
        "decoders",
        8,
        (ROWS, "max", {"codec": "base-delta"}),
        SERIAL,
        (ROWS, "max", {"codec": "xor", "decoders": 2}),
    ),
    ("bound", "2%", (ROWS, "max", {}), "codec=sz", (ROWS, "max", SZ)),
    ("exponent", 5, (ROWS, "max", {"codec": "base-delta"}), "codec=sz", (ROWS, "max", SZ)),
    (
        "cache_lanes",
        32,
        (ROWS, "max", {}),
        "cached_keys of 1 or more",
        (ROWS, "max", {"cached_keys": 1, "window_max": 128}),
    ),
    ("overlap", 16, (ROWS, "max", {}), "RANGE", (RANGE, "max", {})),
    ("marks", 8, (ROWS, "max", {}), "RANGE", (RANGE, "max", {})),
    (
        "percentiles",
        "pivot",
        (RANGE, "max", {}),
        "a percentile in the query",
        (RANGE, "median", {}),
    ),
    (
        "neighbours",
        4,
        (ROWS, "median", {"percentiles": "sorter"}),
        PIVOT,
        (ROWS, "median", {"percentiles": "pivot", "codec": "base-delta"}),
    ),
    (
        "capacity",
        32,
        (ROWS, "median", {"percentiles": "pivot"}),
        SORTER,
        (ROWS, "median", {"percentiles": "sorter"}),
    ),
    (
        "passes",
        "pipelined",
        (ROWS, "max", {}),
        SORTER,
        (ROWS, "median", {"percentiles": "sorter", "capacity": 16}),
    ),
    ("constants", "run-time", (ROWS, "max", {}), "WHERE", (f"{ROWS} WHERE x < 3", "max", {})),
    ("address_bits", 30, (ROWS, "max", ON_CHIP), "a memory outside of the FPGA", (ROWS, "max", {})),
]


def design_of(window, aggregate, options):
    window, *condition = window.partition(" WHERE ")
    query = parse(
        "CREATE INPUT STREAM S (k uint(6), x int(32), t uint(12));"
        f"SELECT {aggregate}(x) FROM S [PARTITION BY k {window}]{''.join(condition)};"
    )
    return ENGINES["streamzip"](query=query, **SMALL | options)


def changed(design, name, value):
    return ENGINES["streamzip"].design(replace(design.options, **{name: value}))


def hardware(design, cache):
    """Returns the hardware as text, and the settings."""
    return core_rtlil(design, cache).read(), design.settings.numbers


def test_every_condition_has_a_case():
    conditional = {f.name for f in option_fields(Options) if f.metadata["needs"] is not None}
    assert conditional == {name for name, *_ in CASES}


@pytest.mark.parametrize(("name", "value", "without", "condition", "_with"), CASES)
def test_the_condition_is_named(name, value, without, condition, _with):
    design = design_of(*without)
    assert without_effect(design.options) == []
    assert without_effect(changed(design, name, value).options) == [(name, value, condition)]


@pytest.mark.in_turn
@pytest.mark.parametrize(("name", "value", "without", "_condition", "_with"), CASES)
def test_the_hardware_does_not_change(tmp_path, name, value, without, _condition, _with):
    design = design_of(*without)
    assert hardware(design, tmp_path) == hardware(changed(design, name, value), tmp_path)


@pytest.mark.in_turn
@pytest.mark.parametrize(("name", "value", "_without", "_condition", "effective"), CASES)
def test_with_the_condition_the_hardware_changes(
    tmp_path, name, value, _without, _condition, effective
):
    design = design_of(*effective)
    other = changed(design, name, value)
    assert without_effect(other.options) == []
    assert hardware(design, tmp_path) != hardware(other, tmp_path)

"""gen.units and gen.seeds: what can be reported alone, and the seeds' figures beside a report."""

import pytest

from gen.seeds import of_engine, of_unit
from gen.synth import to_rtlil
from gen.units import UNITS, unit
from query.errors import UserError
from query.parser import parse
from rtl.engine.group_by import GroupByParameters
from rtl.engine.swag import SwagParameters

GIVEN = {"compactor": {"lanes": 2}, "flims": {"cardinality": 3}, "linear-sorter": {"cells": 4}}
SCHEMA = "CREATE INPUT STREAM S (g int, v int);"
ALL = "min(v), max(v), sum(v), count(*), count(distinct v)"


@pytest.mark.parametrize("name", UNITS)
def test_every_unit_can_be_built(name):
    settings, component = unit(name, GIVEN[name])
    assert settings == UNITS[name].settings | GIVEN[name]
    assert to_rtlil(component)


@pytest.mark.parametrize(
    ("name", "given", "message"),
    [
        ("flims", {"lanes": 3}, "lanes must be|power of two"),
        ("flims", {"width": 1}, "width must be at least 2, not 1"),
        ("linear-sorter", {"cells": 0}, "cells must be an integer of at least 1, not 0"),
        ("linear-sorter", {"lanes": 2}, "unknown parameter lanes of unit linear-sorter"),
    ],
)
def test_what_a_unit_refuses(name, given, message):
    with pytest.raises(UserError, match=message):
        unit(name, given)


def test_the_seeds_figures():
    group_by = parse(f"{SCHEMA} SELECT g, {ALL} FROM S GROUP BY g;")
    windows = parse(f"{SCHEMA} SELECT g, {ALL}, median(v) FROM S [ROWS 128 SLIDE 32] GROUP BY g;")
    three = parse(
        f"{SCHEMA} SELECT g, min(v), median(v), max(v) FROM S [ROWS 8 SLIDE 4] GROUP BY g;"
    )
    one = {"results": "select"}
    assert of_engine(GroupByParameters(query=group_by, **one), "xcup").lut == 2552
    found = of_engine(SwagParameters(query=windows, **one), "xcup")
    assert (found.lut, found.ff, found.bram36) == (43_441, 54_694, 89)
    assert of_engine(SwagParameters(query=three, **one), "xcup").lut == 41_963
    assert of_engine(SwagParameters(query=three, capacity=64, **one), "xcup") is None
    assert of_engine(SwagParameters(query=three), "xcup") is None
    assert of_engine(SwagParameters(query=three, **one), "ecp5") is None
    assert of_unit("compactor", {"lanes": 4, "width": 64}, "xcup").lut == 1260
    assert of_unit("flims", UNITS["flims"].settings, "xcup") is None

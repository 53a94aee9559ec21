"""No engine's standard point is larger, or deeper, than it was; nor smaller without being noted."""

import pytest

from tb.baseline.points import POINTS, differences, figures, kept

NOTED = {"lut": 1000, "ff": 2000, "bram36": 3, "uram": 0, "dsp": 0, "depth": 5}


def test_every_point_has_its_figures():
    assert list(kept()) == list(POINTS)


@pytest.mark.parametrize(
    ("change", "told"),
    [
        ({}, []),
        ({"lut": 1030, "ff": 1940}, []),
        ({"lut": 1031}, ["lut: 1031, was 1000 (+3.1%)"]),
        ({"lut": 969}, ["lut: 969, was 1000 (-3.1%)"]),
        ({"ff": 2062, "depth": 6}, ["depth: 6, was 5", "ff: 2062, was 2000 (+3.1%)"]),
        ({"bram36": 2}, ["bram36: 2, was 3"]),
    ],
)
def test_what_is_told(change, told):
    assert differences(NOTED, NOTED | change) == told


@pytest.mark.parametrize(
    "name",
    [
        name if p.quick else pytest.param(name, marks=pytest.mark.regress)
        for name, p in POINTS.items()
    ],
)
def test_size_and_depth_are_as_before(name):
    """When they are meant to differ: `make baseline`, and say why in the commit."""
    assert differences(kept()[name], figures(POINTS[name])) == []


def test_group_by_with_the_check_of_the_order():
    """The bound that was set to it with the check: 2,123 LUTs without one."""
    assert kept()["group-by, 4 lanes, select"]["lut"] <= 2_250

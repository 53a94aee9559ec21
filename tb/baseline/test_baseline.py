"""Checks that size and depth of the standard points equal the recorded baseline."""

import pytest

from tb.baseline.points import POINTS, baseline, differences, figures

RECORDED = {"lut": 1000, "ff": 2000, "bram36": 3, "uram": 0, "dsp": 0, "depth": 5}


def test_every_point_has_its_figures():
    assert list(baseline()) == list(POINTS)


@pytest.mark.parametrize(
    ("change", "texts"),
    [
        ({}, []),
        ({"lut": 1010, "ff": 1980}, []),
        ({"lut": 1011}, ["lut: 1011, was 1000 (+1.1%)"]),
        ({"lut": 989}, ["lut: 989, was 1000 (-1.1%)"]),
        ({"ff": 2022, "depth": 6}, ["depth: 6, was 5", "ff: 2022, was 2000 (+1.1%)"]),
        ({"ff": 1978}, ["ff: 1978, was 2000 (-1.1%)"]),
        ({"bram36": 2}, ["bram36: 2, was 3"]),
        ({"uram": 1, "dsp": 1}, ["uram: 1, was 0", "dsp: 1, was 0"]),
    ],
)
def test_differences(change, texts):
    assert differences(RECORDED, RECORDED | change) == texts


@pytest.mark.parametrize(
    "name",
    [
        name if p.quick else pytest.param(name, marks=pytest.mark.regress)
        for name, p in POINTS.items()
    ],
)
def test_size_and_depth_are_as_before(name):
    """If a difference is intended, run `make baseline` and give the reason in the commit."""
    assert differences(baseline()[name], figures(POINTS[name])) == []


def test_group_by_with_the_check_of_the_order():
    """The check of the order may cost up to 2,250 LUTs in all; without it there are 2,123."""
    assert baseline()["group-by, 4 lanes, select"]["lut"] <= 2_250

"""Checks the bounds of SZ: the numbers in their registers, and the messages for wrong bounds."""

import re

import pytest

from query.parser import parse
from rtl.engine import ENGINES

ENGINE = ENGINES["streamzip"]


def query_of(value):
    """Returns a query for windows of a column ``x`` of the type ``value``."""
    return parse(
        f"CREATE INPUT STREAM S (k uint(6), x {value});"
        "SELECT max(x) FROM S [PARTITION BY k ROWS 4 SLIDE 1];"
    )


@pytest.mark.parametrize(
    ("value", "options", "relative", "absolute"),
    [
        ("int(32)", {}, 655, 0),
        ("double", {"bound": "0.5%"}, 327, 0),
        ("int(32)", {"bound": "100", "exponent": 3}, 0, 12),
        ("fixed(8,24)", {"bound": "0.25"}, 0, 1 << 22),
        ("double", {"bound": "0.25", "exponent": -16}, 0, 1 << 14),
        ("double", {"bound": "0.25"}, 0, 0x3FD00000),
        ("double", {"bound": "0.1"}, 0, 0x3FB99999),
        ("double", {"bound": 0}, 0, 0),
        ("double", {"bound": "1/3"}, 0, 0x3FD55555),
        ("float", {"bound": "0.25"}, 0, 0x3E800000),
        ("float", {"bound": "1%"}, 655, 0),
        ("float", {"bound": "1/4", "exponent": -20}, 0, 1 << 18),
    ],
)
def test_bounds_are_settings_of_the_host(value, options, relative, absolute):
    """Bounds are in 1/65536 of a value, in working values, or with an adaptive exponent the upper
    bits of a float; all are rounded down. 0.1 as a double is 0x3FB999999999999A."""
    query = query_of(value)
    settings = ENGINE(query=query, codec="sz", **options).settings.values
    assert (settings["relative"], settings["absolute"]) == (relative, absolute)


@pytest.mark.parametrize(
    ("value", "greatest", "most"),
    [("double", 0x7FEFFFFF, "1.79769e+308"), ("float", 0x7F7FFFFF, "3.40282e+38")],
)
def test_an_adaptive_bound_is_a_finite_number(value, greatest, most):
    query = query_of(value)
    numbers = {number.name: number for number in ENGINE(query=query, codec="sz").settings.numbers}
    assert numbers["absolute"].limits == (0, greatest)
    message = f"bound must be from 0 to {most}, or a percentage such as 1%, not '1e309'"
    with pytest.raises(ValueError, match=re.escape(message)):
        ENGINE(query=query, codec="sz", bound="1e309")


@pytest.mark.parametrize(
    ("value", "exponent", "refused", "least", "accepted"),
    [
        ("double", None, "0.001%", "0.00152587890625%", "0.00152587890625%"),
        ("int(32)", None, "0.5", "2^0", "1"),
        ("int(32)", 3, "7", "2^3", "8"),
        ("fixed(8,24)", None, "1e-8", "2^-24", "1/16777216"),
        ("double", None, "1e-308", "2^-1022", "2.3e-308"),
        ("float", None, "1e-38", "2^-126", "1.2e-38"),
    ],
)
def test_a_bound_that_would_become_0_is_refused(value, exponent, refused, least, accepted):
    """The message names the least bound above 0; ``accepted`` is this bound or a little more."""
    query = query_of(value)
    options = {"codec": "sz", "exponent": exponent}
    message = f"bound must be 0, or at least {least}, not '{refused}'"
    with pytest.raises(ValueError, match=re.escape(message)):
        ENGINE(query=query, bound=refused, **options)
    settings = ENGINE(query=query, bound=accepted, **options).settings.values
    assert max(settings["relative"], settings["absolute"]) > 0

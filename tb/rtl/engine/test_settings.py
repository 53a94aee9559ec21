"""Host settings of every engine: the limits of each number, and combinations that are refused."""

import pytest

from tb.rtl.engine.points import DESIGNS
from tb.rtl.engine.setting_verdicts import good_settings, verdicts

#: Combinations of allowed numbers that are refused. Windows of time check theirs elsewhere.
INCONSISTENT = {"swag": {"slide": 12, "size": 8}, "two-stacks": {"slide": 2, "size": 1}}


def beyond(number):
    """Returns the values next to the allowed ones, and the register value for overflow."""
    minimum, maximum = number.limits
    low = -(1 << number.width - 1) if number.signed else 0
    high = low + (1 << number.width) - 1
    near = (minimum - number.multiple, maximum + 1, low if number.signed else high)
    return sorted(
        {value for value in near if low <= value <= high and not minimum <= value <= maximum}
    )


WITH_SETTINGS = [name for name, design in DESIGNS.items() if design.settings.numbers]


@pytest.mark.parametrize("name", WITH_SETTINGS)
def test_the_settings_of_the_query_are_allowed(name):
    design = DESIGNS[name]
    assert verdicts(design.settings, [good_settings(design)]) == [(set(), 0, 0)]


@pytest.mark.parametrize("name", WITH_SETTINGS)
def test_the_ends_of_every_number(name):
    settings, good = DESIGNS[name].settings, good_settings(DESIGNS[name])
    cases = []
    for number in settings.numbers:
        minimum, maximum = number.limits
        allowed = {max(minimum, number.multiple) if number.multiple > 1 else minimum, maximum}
        cases += [(number.name, value, set()) for value in sorted(allowed)]
        cases += [(number.name, value, {number.name}) for value in beyond(number)]
    judged = verdicts(settings, [good | {name: value} for name, value, _ in cases])
    actual = [
        (*case[:2], refused_names)
        for case, (refused_names, _, _) in zip(cases, judged, strict=True)
    ]
    assert actual == cases
    assert all(
        refused == (bool(refused_names) or inconsistent)
        for refused_names, inconsistent, refused in judged
    )


@pytest.mark.parametrize("name", WITH_SETTINGS)
def test_a_number_of_whole_registers_allows_everything_else_keeps_a_mark(name):
    for number in DESIGNS[name].settings.numbers:
        full = number.width in (32, 64) and number.maximum is None
        assert bool(beyond(number)) != full, number


@pytest.mark.parametrize("name", WITH_SETTINGS)
def test_numbers_that_do_not_go_together(name):
    design = DESIGNS[name]
    good, settings = good_settings(design), design.settings
    combination = INCONSISTENT.get(design.engine, {})
    expected = (set(), 1, 1) if combination else (set(), 0, 0)
    assert verdicts(settings, [good | combination]) == [expected]

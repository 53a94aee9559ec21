"""Host settings of every engine: the limits of each number, and combinations that are refused."""

import pytest

from tb.rtl.engine.points import DESIGNS
from tb.rtl.engine.setting_verdicts import good_settings, verdicts

WITH_SETTINGS = [name for name, design in DESIGNS.items() if design.settings.numbers]
#: Designs over windows of rows. tb/host/test_rules.py checks the rules of windows of time.
WITH_ROWS = [name for name, design in DESIGNS.items() if "size" in design.settings.values]


def beyond_limits(number):
    """Returns the register values next to the limits, and the register value for a misfit.

    Values that the register cannot hold, and values within the limits, are left out.
    """
    minimum, maximum = number.limits
    low = -(1 << number.width - 1) if number.signed else 0
    high = low + (1 << number.width) - 1
    misfit = low if number.signed else high
    near = (minimum - 1, maximum + 1, misfit)
    return sorted(
        {value for value in near if low <= value <= high and not minimum <= value <= maximum}
    )


def misaligned(number):
    """Returns values within the limits that are no multiples of ``number.multiple``."""
    if number.multiple == 1:
        return []
    return sorted({1, number.multiple // 2, number.limits[1] - 1})


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
        smallest = -(-minimum // number.multiple) * number.multiple
        refused = beyond_limits(number) + misaligned(number)
        cases += [(number.name, value, set()) for value in sorted({smallest, maximum})]
        cases += [(number.name, value, {number.name}) for value in refused]
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
    """A number as wide as its registers allows all values; a narrower one can mark a misfit."""
    for number in DESIGNS[name].settings.numbers:
        fills_registers = number.width in (32, 64) and number.maximum is None
        assert bool(beyond_limits(number)) != fills_registers, number


@pytest.mark.parametrize("name", WITH_ROWS)
def test_numbers_that_do_not_go_together(name):
    """A slide is allowed up to the size of the windows; both numbers by themselves are allowed."""
    design = DESIGNS[name]
    good, settings = good_settings(design), design.settings
    size = settings["size"].multiple
    combinations = [{"size": size, "slide": slide} for slide in (size, 2 * size)]
    vectors = [good | combination for combination in combinations]
    assert verdicts(settings, vectors) == [(set(), 0, 0), (set(), 1, 1)]


def test_each_engine_with_windows_of_rows_is_checked():
    engines = {DESIGNS[name].engine for name in WITH_ROWS}
    assert engines == {"swag", "two-stacks", "streamzip"}

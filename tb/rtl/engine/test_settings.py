"""Host settings of every engine: the ends of what each allows, and what does not go together."""

import pytest

from tb.rtl.engine.points import DESIGNS
from tb.rtl.gates import evaluate

#: What is not allowed together, though each number by itself is. (Over time the windows see it.)
APART = {"swag": {"slide": 12, "size": 8}, "two-stacks": {"slide": 2, "size": 1}}


def good_settings(design):
    """What the query asks for; 0 where the data decide."""
    settings = design.settings
    function = {"function": 0} if settings.functions else {}
    return function | dict.fromkeys(settings.set_by_host, 0) | settings.values


def verdicts(settings, vectors):
    """For each vector the numbers refused by themselves; whether all do not go together; whether a
    stream with them is refused.
    """
    names = [number.name for number in settings.numbers]
    got = evaluate(
        {"values": settings.layout},
        dict.fromkeys((*names, "inconsistent", "refused"), 1),
        lambda values: {
            **{name: settings[name].refuses(values[name]) for name in names},
            "inconsistent": settings.inconsistent(values),
            "refused": settings.refused(values),
        },
        [{"values": vector} for vector in vectors],
    )
    return [({n for n in names if g[n]}, g["inconsistent"], g["refused"]) for g in got]


def beyond(number):
    """Values next to the allowed ones, and what is held for one that does not fit the width."""
    least, most = number.limits
    low = -(1 << number.width - 1) if number.signed else 0
    high = low + (1 << number.width) - 1
    near = (least - number.multiple, most + 1, low if number.signed else high)
    return sorted({value for value in near if low <= value <= high and not least <= value <= most})


WITH_SETTINGS = [name for name, design in DESIGNS.items() if design.settings.numbers]


@pytest.mark.parametrize("name", WITH_SETTINGS)
def test_what_the_query_asks_for_is_allowed(name):
    design = DESIGNS[name]
    assert verdicts(design.settings, [good_settings(design)]) == [(set(), 0, 0)]


@pytest.mark.parametrize("name", WITH_SETTINGS)
def test_the_ends_of_every_number(name):
    settings, good = DESIGNS[name].settings, good_settings(DESIGNS[name])
    cases = []
    for number in settings.numbers:
        least, most = number.limits
        allowed = {max(least, number.multiple) if number.multiple > 1 else least, most}
        cases += [(number.name, value, set()) for value in sorted(allowed)]
        cases += [(number.name, value, {number.name}) for value in beyond(number)]
    found = verdicts(settings, [good | {name: value} for name, value, _ in cases])
    told = [(*case[:2], alone) for case, (alone, _, _) in zip(cases, found, strict=True)]
    assert told == cases
    assert all(refused == (bool(alone) or apart) for alone, apart, refused in found)


@pytest.mark.parametrize("name", WITH_SETTINGS)
def test_a_number_of_whole_registers_allows_everything_else_keeps_a_mark(name):
    for number in DESIGNS[name].settings.numbers:
        full = number.width in (32, 64) and number.maximum is None
        assert bool(beyond(number)) != full, number


@pytest.mark.parametrize("name", WITH_SETTINGS)
def test_numbers_that_do_not_go_together(name):
    design = DESIGNS[name]
    good, settings = good_settings(design), design.settings
    apart = APART.get(design.engine, {})
    expected = (set(), 1, 1) if apart else (set(), 0, 0)
    assert verdicts(settings, [good | apart]) == [expected]

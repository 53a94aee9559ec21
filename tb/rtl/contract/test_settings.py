"""Checks which numbers a host setting allows, alone and together with the other settings."""

import pytest
from amaranth.hdl import Module, Signal

from rtl.contract.rules import ROW_RULES
from rtl.contract.settings import HostSetting, HostSettings
from tb.bench.unit import simulate


def full_range_setting(bits, signed=False):
    return HostSetting.full_range(name="n", bits=bits, signed=signed, doc="")


def test_every_number_of_so_many_bits_may_be_allowed():
    widths = {bits: full_range_setting(bits, True).width for bits in (1, 20, 31, 32, 33, 63, 64)}
    assert widths == {1: 2, 20: 21, 31: 32, 32: 32, 33: 34, 63: 64, 64: 64}
    assert full_range_setting(31, True).limits == (-(1 << 30), (1 << 30) - 1)
    assert full_range_setting(63).limits == (0, (1 << 63) - 1)


def test_limits_that_are_told():
    """Explicit limits replace the limits of the width, each by itself."""
    fields = {"name": "n", "doc": "", "width": 6}
    assert HostSetting(**fields).limits == (0, 31)
    assert HostSetting(**fields, minimum=3).limits == (3, 31)
    assert HostSetting(**fields, maximum=20).limits == (0, 20)
    assert HostSetting(**fields, signed=True, minimum=-3).limits == (-3, 15)


@pytest.mark.parametrize("multiple", [0, 3, -4])
def test_a_multiple_is_a_power_of_two(multiple):
    with pytest.raises(ValueError, match=f"multiple must be a power of two, not {multiple}"):
        HostSetting(name="n", width=6, doc="", multiple=multiple)


def test_a_maximum_leaves_room_for_the_mark_of_a_misfit():
    assert HostSetting(name="n", width=5, doc="", maximum=30).bits == 5
    assert HostSetting(name="n", width=32, doc="", maximum=(1 << 32) - 1).bits == 32
    for signed, maximum in ((False, 31), (True, 8)):
        with pytest.raises(ValueError, match=f"maximum must fit 4 bits, and is {maximum}"):
            HostSetting(name="n", width=5, doc="", signed=signed, maximum=maximum)


@pytest.mark.parametrize(
    ("width", "maximum", "is_allowed"),
    [
        (40, (255 << 32) - 1, True),
        (40, 255 << 32, False),  # a misfit in the second register is stored as this number or more
        (64, 255 << 32, True),  # every number fits
        (5, 30, True),
        (5, 31, False),
    ],
)
def test_a_misfit_is_above_the_maximum_or_has_a_mark(width, maximum, is_allowed):
    fields = {"name": "n", "doc": "", "width": width, "bits": width, "maximum": maximum}
    if is_allowed:
        HostSetting(**fields)
        return
    with pytest.raises(ValueError, match=f"width must be above {width}, the bits of a number, fo"):
        HostSetting(**fields)


def answers(shape, question):
    """Returns the answer of ``question`` for every value of a shape, as a dict."""
    value, answer, result = Signal(shape), Signal(), {}
    m = Module()
    m.d.comb += answer.eq(question(value))

    async def bench(ctx):
        for bits in range(1 << len(value)):
            ctx.set(value, bits)
            result[ctx.get(value)] = ctx.get(answer)

    simulate(m, bench)
    return result


@pytest.mark.parametrize(
    ("setting", "allowed"),
    [
        (HostSetting(name="n", doc="", width=6), range(32)),
        (HostSetting(name="n", doc="", width=6, minimum=1), range(1, 32)),
        (HostSetting(name="n", doc="", width=6, minimum=5, maximum=20), range(5, 21)),
        (
            HostSetting(name="n", doc="", width=6, minimum=1, maximum=20, multiple=4),
            range(4, 21, 4),
        ),
        (HostSetting(name="n", doc="", width=6, signed=True), range(-16, 16)),
        (HostSetting(name="n", doc="", width=6, signed=True, minimum=-3, maximum=9), range(-3, 10)),
        (HostSetting(name="n", doc="", width=6, signed=True, minimum=1), range(1, 16)),
        (full_range_setting(4, True), range(-8, 8)),
    ],
)
def test_what_a_setting_refuses(setting, allowed):
    """Every value of the width is tried; the allowed numbers are within the setting's limits."""
    refused = answers(setting.shape, setting.refuses)
    assert {value for value, bad in refused.items() if not bad} == set(allowed)
    low, high = setting.limits
    assert low <= min(allowed) <= max(allowed) <= high


def test_settings_all_together():
    """Each from 1 to 5, and the second no greater than the first."""
    numbers = tuple(HostSetting(name=n, doc="", width=4, minimum=1, maximum=5) for n in "ab")
    settings = HostSettings(numbers=numbers, rule=lambda values: values["b"] > values["a"])
    refused, contradictions = (
        answers(8, lambda bits, ask=ask: ask({"a": bits[:4], "b": bits[4:]}))
        for ask in (settings.refused, settings.inconsistent)
    )
    for bits in range(1 << 8):
        a, b = bits & 15, bits >> 4
        assert contradictions[bits] == (b > a)
        assert refused[bits] == (not 1 <= b <= a <= 5)


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        ({"size": 4, "slide": None}, None),
        ({"size": 20, "slide": 20}, None),
        ({"slide": 8}, None),
        ({"size": 0}, "size must be from 4 to 20, a multiple of 4, not 0"),
        ({"size": 24}, "size must be from 4 to 20, a multiple of 4, not 24"),
        ({"size": 6}, "size must be from 4 to 20, a multiple of 4, not 6"),
        ({"slide": 0}, "slide must be from 1 to 127, not 0"),
        ({"slide": 128}, "slide must be from 1 to 127, not 128"),
        ({"slide": 9}, "slide must be at most size, not slide=9"),
        ({"size": 4, "slide": 5}, "slide must be at most size, not size=4, slide=5"),
    ],
)
def test_numbers_that_the_host_may_set(changed, message):
    """A number that is not given is the query's: the size is 8, and the slide 3."""
    size = HostSetting(name="size", doc="", width=8, minimum=4, maximum=20, multiple=4, value=8)
    slide = HostSetting(name="slide", doc="", width=8, minimum=1, value=3)
    settings = HostSettings(numbers=(size, slide), rules=ROW_RULES)
    if message is None:
        settings.check(**changed)
        return
    with pytest.raises(ValueError, match=f"^{message}$"):
        settings.check(**changed)


@pytest.mark.parametrize(("names", "known"), [(("size", "slide"), "size, slide"), ((), "none")])
def test_a_name_that_no_setting_has(names, known):
    numbers = tuple(HostSetting(name=name, doc="", width=8, value=4) for name in names)
    with pytest.raises(TypeError, match=f"^sise is no setting; known are {known}$"):
        HostSettings(numbers=numbers).check(sise=4)


@pytest.mark.parametrize("number", [4.0, "4", True])
def test_only_integers_are_checked(number):
    settings = HostSettings(numbers=(HostSetting(name="size", doc="", width=8, value=4),))
    settings.check(size=4)
    with pytest.raises(TypeError, match=f"size must be an integer, not {number!r}"):
        settings.check(size=number)


def test_what_the_query_tells_and_what_the_data_decide():
    numbers = (
        HostSetting(name="size", doc="", width=8, value=4),
        HostSetting(name="start", doc="", width=40, signed=True),
        HostSetting(name="slack", doc="", width=8, value=0),
    )
    settings = HostSettings(numbers=numbers, functions=("min", "max", "sum"))
    assert settings.values == {"size": 4, "slack": 0}
    assert settings.set_by_host == ("start",)
    assert settings["start"] is numbers[1]
    assert list(settings.layout.members) == ["function", "size", "start", "slack"]
    assert settings.layout.size == 2 + 8 + 40 + 8
    assert HostSettings().layout.size == 0

"""Options: their description for a user, refused values, and resolved values."""

from dataclasses import dataclass, replace

import pytest

from rtl.contract.options import check, option, option_fields, values, without_effect


@dataclass(frozen=True, kw_only=True)
class Options:
    """Options of a test engine."""

    query: str = "any"
    lanes: int = option("tuples of a beat", default=4, range=(2, 16), power_of_two=True)
    scan: str = option("shape", default="short", choices=("short", "cheap"))
    depth: int | None = option("entries", unit="tuples", range=(1, 99), absent="4 lanes")

    def __post_init__(self):
        check(self)

    @property
    def resolved(self):
        return self if self.depth is not None else replace(self, depth=4 * self.lanes)


def test_what_a_user_may_give():
    """The query is not among the options that a user may set."""
    fields = {field.name: field.metadata for field in option_fields(Options)}
    assert list(fields) == ["lanes", "scan", "depth"]
    assert fields["lanes"]["doc"] == "tuples of a beat"
    assert fields["lanes"]["power_of_two"]
    assert fields["scan"]["choices"] == ("short", "cheap")
    assert (fields["depth"]["unit"], fields["depth"]["absent"]) == ("tuples", "4 lanes")


def test_what_is_not_given_follows_the_others():
    options = Options(lanes=8)
    assert options.depth is None
    assert values(options) == {"lanes": 8, "scan": "short", "depth": 32}
    assert values(replace(options, lanes=2)) == {"lanes": 2, "scan": "short", "depth": 8}
    assert values(replace(options, depth=5)) == {"lanes": 8, "scan": "short", "depth": 5}


@pytest.mark.parametrize(
    ("options", "error", "message"),
    [
        ({"lanes": 1}, ValueError, "lanes must be a power of two from 2 to 16, not 1"),
        ({"lanes": 12}, ValueError, "lanes must be a power of two from 2 to 16, not 12"),
        ({"lanes": 32}, ValueError, "lanes must be a power of two from 2 to 16, not 32"),
        ({"lanes": -4}, ValueError, "lanes must be a power of two from 2 to 16, not -4"),
        ({"lanes": 4.0}, TypeError, "lanes must be an integer, not 4.0"),
        ({"lanes": True}, TypeError, "lanes must be an integer, not True"),
        ({"lanes": None}, TypeError, "lanes must be an integer, not None"),
        ({"scan": "long"}, ValueError, "scan must be one of short, cheap, not 'long'"),
        ({"scan": None}, ValueError, "scan must be one of short, cheap, not None"),
        ({"depth": 0}, ValueError, "depth must be from 1 to 99, not 0"),
        ({"depth": 100}, ValueError, "depth must be from 1 to 99, not 100"),
        ({"depth": "9"}, TypeError, "depth must be an integer, not '9'"),
    ],
)
def test_what_is_refused(options, error, message):
    with pytest.raises(error) as raised:
        Options(**options)
    assert str(raised.value) == message


@pytest.mark.parametrize("options", [{"lanes": 2}, {"lanes": 16}, {"depth": 1}, {"depth": 99}])
def test_the_ends_are_allowed(options):
    (name,) = options
    assert getattr(Options(**options), name) == options[name]


@dataclass(frozen=True, kw_only=True)
class Rooms:
    """Options with a number that may also be a word."""

    rooms: int | str | None = option("rooms", range=(-2, 9), choices=("any",), absent="1")

    def __post_init__(self):
        check(self)


@pytest.mark.parametrize("rooms", ["any", -2, 9, None])
def test_a_number_or_a_choice(rooms):
    assert Rooms(rooms=rooms).rooms == rooms


@pytest.mark.parametrize(
    ("rooms", "error", "message"),
    [
        ("all", TypeError, "rooms must be an integer or any, not 'all'"),
        (10, ValueError, "rooms must be from -2 to 9, not 10"),
    ],
)
def test_neither_a_number_nor_a_choice(rooms, error, message):
    with pytest.raises(error) as raised:
        Rooms(rooms=rooms)
    assert str(raised.value) == message


@dataclass(frozen=True, kw_only=True)
class Levels:
    """Has two options: ``depth`` has an effect only if ``levels`` is 2 or more."""

    levels: int = option("levels", default=1, range=(1, 4))
    depth: int | None = option(
        "entries",
        range=(1, 9),
        absent="1",
        needs=("levels of 2 or more", lambda options: options.levels > 1),
    )


@pytest.mark.parametrize(
    ("options", "unused"),
    [
        ({}, []),
        ({"levels": 3}, []),
        ({"depth": 5}, [("depth", 5, "levels of 2 or more")]),
        ({"depth": 5, "levels": 2}, []),
    ],
)
def test_options_without_effect(options, unused):
    assert without_effect(Levels(**options)) == unused

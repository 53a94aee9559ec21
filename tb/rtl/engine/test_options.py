"""Options of every engine: each option can be replaced, and absent options follow the query."""

from dataclasses import replace

import pytest

from query.parser import parse
from rtl.contract.options import option_fields, values
from rtl.engine import ENGINES
from tb.rtl.engine.points import DESIGNS

GROUPED = {"lanes": 8, "results": "select", "scan": "kogge-stone", "constants": "run-time"}
TIMED = {"constants": "run-time", "count_width": 48, "punctuations": "stream", "modules": 1024}
#: For each option a legal value that differs from the default.
OTHER_VALUES = {
    "group-by": {**GROUPED, "count_width": 1},
    "swag": {
        **GROUPED,
        "capacity": 16,
        "window_max": 32,
        "passes": "pipelined",
        "percentiles": "run-time",
    },
    "window-id": TIMED,
    "pane": {**TIMED, "panes": 1 << 16, "window_level": "sequential"},
    "two-stacks": {"constants": "run-time", "window_max": 1 << 20},
}
HEAD = "CREATE INPUT STREAM S (g uint(4), x int(6), t int(20));"
QUERIES = {
    "group-by": "SELECT g, min(x), count(*) FROM S WHERE x < 3 GROUP BY g",
    "swag": "SELECT g, median(x) FROM S [ROWS 16 SLIDE 8] WHERE x < 3 GROUP BY g",
    "window-id": "SELECT min(x) FROM S [RANGE 40 SLIDE 10 WATTR t SLACK 10] WHERE x < 3",
    "pane": "SELECT min(x) FROM S [RANGE 40 SLIDE 10 WATTR t SLACK 10] WHERE x < 3",
    "two-stacks": "SELECT min(x) FROM S [ROWS 16 SLIDE 8] WHERE x < 3",
}
EVERY_OPTION = [(engine, name) for engine, others in OTHER_VALUES.items() for name in others]


def query_of(engine, window=None):
    """Returns a query that the engine can run, optionally with another window."""
    text = QUERIES[engine]
    if window is not None:
        head, _, tail = text.partition("[")
        text = f"{head}[{window}]{tail.partition(']')[2]}"
    return parse(f"{HEAD} {text};")


def options_of(engine, window=None):
    return ENGINES[engine].options(query=query_of(engine, window))


@pytest.mark.parametrize("engine", OTHER_VALUES)
def test_every_option_is_known_here(engine):
    assert {field.name for field in option_fields(ENGINES[engine].options)} == set(
        OTHER_VALUES[engine]
    )


@pytest.mark.parametrize(("engine", "name"), EVERY_OPTION)
def test_one_option_can_be_replaced(engine, name):
    """Only the replaced option changes, and replacing it back restores the options."""
    options, value = options_of(engine), OTHER_VALUES[engine][name]
    replaced = replace(options, **{name: value})
    assert getattr(options.resolved, name) != value
    assert getattr(replaced, name) == getattr(replaced.resolved, name) == value
    assert replaced != options
    for field in option_fields(options):
        if field.name != name:
            assert getattr(replaced, field.name) == getattr(options, field.name)
    assert replace(replaced, **{name: getattr(options, name)}) == options
    first, second = (ENGINES[engine].design(built) for built in (options, replaced))
    assert first != second
    assert first.configuration_hash != second.configuration_hash
    assert second.parameters[name] == value


@pytest.mark.parametrize(("engine", "name"), EVERY_OPTION)
def test_an_absent_option_is_none_until_it_is_resolved(engine, name):
    (field,) = (f for f in option_fields(ENGINES[engine].options) if f.name == name)
    options = options_of(engine)
    assert getattr(options, name) == field.default
    assert None not in values(options).values()
    assert (field.metadata["absent"] is None) == (field.default is not None)
    if field.default is None:
        explicit = replace(options, **{name: OTHER_VALUES[engine][name]})
        assert replace(explicit, **{name: None}) == options
        assert replace(explicit, **{name: None}).resolved == options.resolved
    else:
        with pytest.raises((TypeError, ValueError), match=f"^{name} must be .*, not None$"):
            replace(options, **{name: None})


@pytest.mark.parametrize(("engine", "name"), EVERY_OPTION)
def test_every_option_has_a_description(engine, name):
    (field,) = (f for f in option_fields(ENGINES[engine].options) if f.name == name)
    metadata = field.metadata
    assert metadata["doc"]
    assert not metadata["doc"].endswith(".")
    assert ("choices" in metadata) != ("range" in metadata)
    assert (metadata["unit"] is None) == ("choices" in metadata)
    if "choices" in metadata:
        for choice in metadata["choices"]:
            assert getattr(replace(options_of(engine), **{name: choice}).resolved, name) == choice


@pytest.mark.parametrize(
    ("engine", "window", "sizes"),
    [
        ("window-id", "RANGE 40 SLIDE 10 WATTR t SLACK 10", {"modules": 5}),
        ("window-id", "RANGE 40 SLIDE 10 WATTR t SLACK 31", {"modules": 8}),
        ("window-id", "RANGE 400 SLIDE 10 WATTR t SLACK 10", {"modules": 41}),
        ("pane", "RANGE 40 SLIDE 10 WATTR t SLACK 10", {"modules": 2, "panes": 4}),
        ("pane", "RANGE 40 SLIDE 10 WATTR t SLACK 31", {"modules": 5, "panes": 4}),
        ("pane", "RANGE 400 SLIDE 10 WATTR t SLACK 10", {"modules": 2, "panes": 64}),
        ("pane", "RANGE 40 SLIDE 15 WATTR t SLACK 10", {"modules": 5, "panes": 8}),
        ("two-stacks", "ROWS 16 SLIDE 8", {"window_max": 16}),
        ("two-stacks", "ROWS 17 SLIDE 8", {"window_max": 32}),
        ("swag", "ROWS 32 SLIDE 8", {"window_max": 16384}),
    ],
)
def test_an_absent_option_follows_the_query(engine, window, sizes):
    """An explicit or resolved option is fixed; an absent option follows a new query."""
    options, expected = options_of(engine), options_of(engine, window)
    replaced = replace(options, query=expected.query)
    assert replaced == expected
    assert {name: getattr(replaced, name) for name in sizes} == dict.fromkeys(sizes)
    assert {name: getattr(replaced.resolved, name) for name in sizes} == sizes
    assert {name: ENGINES[engine].design(replaced).parameters[name] for name in sizes} == sizes
    explicit = {name: OTHER_VALUES[engine][name] for name in sizes}
    fixed = replace(replace(options, **explicit), query=expected.query).resolved
    assert {name: getattr(fixed, name) for name in sizes} == explicit


def test_an_absent_option_follows_another_option():
    options = options_of("swag")
    assert [replace(options, capacity=k).resolved.window_max for k in (4, 32, 128, 256)] == [
        *(16, 1024, 16384, 16384)
    ]
    fixed = replace(options, window_max=64)
    assert [replace(fixed, capacity=k).resolved.window_max for k in (8, 128)] == [64, 64]


@pytest.mark.parametrize(
    ("engine", "query", "text"),
    [
        (
            "window-id",
            query_of("window-id", "RANGE 40 SLIDE 10 WATTR t SLACK 31"),
            "modules must be at least 8 for the query, not 5",
        ),
        (
            "pane",
            query_of("pane", "RANGE 400 SLIDE 10 WATTR t SLACK 10"),
            "panes must be at least 64 for the query, not 4",
        ),
        (
            "two-stacks",
            query_of("two-stacks", "ROWS 17 SLIDE 8"),
            "ROWS must be at most window_max, 16, not 17; window_max=32 would do$",
        ),
        (
            "swag",
            query_of("swag", "ROWS 18 SLIDE 8"),
            "ROWS must be a multiple of lanes, 4, not 18",
        ),
        ("group-by", query_of("swag"), "query must be one that group-by can run: it has the"),
    ],
)
def test_a_resolved_option_does_not_follow_the_query(engine, query, text):
    """A resolved option is refused for a query that does not fit, like an explicit option."""
    with pytest.raises(ValueError, match=f"^{text}"):
        replace(options_of(engine).resolved, query=query)


@pytest.mark.parametrize("name", DESIGNS)
def test_resolved_twice_is_resolved_once(name):
    resolved = DESIGNS[name].options.resolved
    assert resolved.resolved == resolved
    assert DESIGNS[name].parameters == values(resolved)

"""Checks that the hardware does not depend on the names of the columns.

Layouts join the columns of the query with members of the hardware, such as the mark of the first
tuple of a group. A column of the same name must not replace such a member. So each design is built
for names that occur in ``rtl`` and for neutral names, and both circuits must have the same parts.
"""

import re
from pathlib import Path

import pytest
from amaranth.hdl import Fragment
from amaranth.lib import data

import rtl
from gen.verilog.elaboration import to_rtlil
from query.errors import UserError
from query.parser import parse
from rtl.engine import ENGINES

SCHEMA = (
    "CREATE INPUT STREAM S ({key} uint(4), {x} {type}, {y} uint(5), {time} uint(16) us, "
    "{other} uint(3)); "
)
GROUPS = "{key}, count(distinct {x}), sum({x}), avg({y})"
KEYS = "{key}, min({x}), max({x}), median({x}), percentile({x}, 0.25)"
RANGE = "RANGE 8 us SLIDE 4 us"
KEY_ROWS = f"SELECT {KEYS} FROM S [PARTITION BY {{key}} ROWS 8 SLIDE 4] WHERE {{other}} < 3"
KEY_RANGE = (
    f"SELECT {KEYS} FROM S [PARTITION BY {{key}} {RANGE} WATTR {{time}}] WHERE {{other}} < 3"
)
TIMES = (
    f"SELECT min({{x}}), sum({{y}}) FROM S [{RANGE} WATTR {{time}} SLACK 2 us] WHERE {{other}} < 3"
)
SMALL = {"entries": 8, "window_max": 8}
#: Engine, type of the column x, query and options of each design.
DESIGNS = {
    "group-by": (
        "group-by",
        "int(6)",
        f"SELECT {GROUPS} FROM S WHERE {{other}} < 3 GROUP BY {{key}}",
        {"lanes": 2},
    ),
    "swag": (
        "swag",
        "int(6)",
        f"SELECT {GROUPS}, median({{x}}) FROM S [ROWS 8 SLIDE 4] WHERE {{other}} < 3 "
        "GROUP BY {key}",
        {"lanes": 2, "capacity": 8, "constants": "run-time"},
    ),
    "two-stacks": ("two-stacks", "float", "SELECT max({x}), min({y}) FROM S [ROWS 8 SLIDE 4]", {}),
    "window-id": ("window-id", "int(6)", TIMES, {}),
    "pane": ("pane", "int(6)", TIMES, {}),
    "lines": ("streamzip", "double", KEY_ROWS, SMALL | {"percentiles": "pivot"}),
    "lines, sorted": ("streamzip", "double", KEY_RANGE, SMALL | {"percentiles": "sorter"}),
    "base-delta, cached": (
        "streamzip",
        "int(32)",
        KEY_ROWS,
        SMALL | {"codec": "base-delta", "percentiles": "pivot", "cached_keys": 2},
    ),
    "xor": ("streamzip", "double", KEY_ROWS, SMALL | {"codec": "xor", "decoders": 2}),
    "xor, cached": (
        "streamzip",
        "double",
        KEY_RANGE,
        SMALL | {"codec": "xor", "decoders": 2, "cached_keys": 2},
    ),
    "xor-chained": (
        "streamzip",
        "double",
        KEY_ROWS,
        SMALL | {"codec": "xor-chained", "decoders": 2},
    ),
}
#: Designs that are built in a second.
CHEAP = ("group-by", "swag", "two-stacks", "window-id", "pane")
ROLES = ("key", "x", "y", "time", "other")
NEUTRAL = dict(
    zip(ROLES, ("neutral_k", "neutral_x", "neutral_y", "neutral_t", "neutral_o"), strict=True)
)


def names_in_rtl():
    """Returns the names in string literals of ``rtl``.

    Of a family of names that end with a number, the names with 0 and 1 are returned.
    """
    text = "\n".join(path.read_text() for path in Path(rtl.__path__[0]).rglob("*.py"))
    names = set(re.findall(r'"([A-Za-z_]\w*)"', text))
    for family in re.findall(r'f"([A-Za-z_]\w*)\{\w+\}"', text):
        names |= {f"{family}0", f"{family}1"}
    return sorted(names)


NAMES = names_in_rtl()


def core_of(design, names):
    """Returns the core of a design; None if the query refuses a name."""
    engine, type_, text, options = DESIGNS[design]
    try:
        query = parse((SCHEMA + text + ";").format(type=type_, **names))
    except UserError:
        return None
    return ENGINES[engine](query=query, **options).create()


def parts_of(design, names):
    """Returns the RTLIL of a core without names; None if the query refuses a name."""
    core = core_of(design, names)
    return core and re.sub(r"[\\$]\S+", "", to_rtlil(core).read())


@pytest.mark.in_turn(4)
@pytest.mark.parametrize("design", DESIGNS)
def test_layouts_with_columns_have_no_other_name_of_the_language(design, monkeypatch):
    """Members beside columns have a dot in their names, which no column can have."""
    columns, observed_columns, other_members = set(NEUTRAL.values()), set(), set()
    create = data.StructLayout.__init__

    def observed(layout, members):
        observed_columns.update(columns & members.keys())
        if columns & members.keys():
            other_members.update(members.keys() - columns)
        create(layout, members)

    monkeypatch.setattr(data.StructLayout, "__init__", observed)
    Fragment.get(core_of(design, NEUTRAL), None).prepare()
    assert NEUTRAL["x"] in observed_columns  # so the layouts with columns were observed
    assert not [name for name in other_members if "." not in name]


@pytest.mark.in_turn
@pytest.mark.parametrize("design", CHEAP)
def test_a_mark_of_the_hardware_may_name_a_column(design):
    names = dict(zip(ROLES, ("last", "first", "fresh", "valid", "row"), strict=True))
    expected = parts_of(design, NEUTRAL)
    assert expected is not None
    is_same = parts_of(design, names) == expected
    assert is_same  # pytest does not print the difference of two long texts


@pytest.mark.regress
@pytest.mark.parametrize("design", CHEAP)
def test_any_name_in_the_hardware_may_name_a_column(design):
    """Names that the query language refuses are left out."""
    expected, checked = parts_of(design, NEUTRAL), 0
    assert expected is not None
    for k in range(len(NAMES)):
        names = {role: NAMES[(k + 7 * n) % len(NAMES)] for n, role in enumerate(ROLES)}
        if k % len(ROLES) == 0 and (parts := parts_of(design, names)) is not None:
            is_same = parts == expected
            assert is_same, names
            checked += 1
    assert checked > 100


def test_columns_of_sums_may_have_names_of_queues():
    """Sums of floats have parts of their own, with queues if another part is slower."""
    schema = (
        "CREATE INPUT STREAM S (k uint(8), x float, x_queue float, queue_of_sum_x float, y int);"
    )
    results = "sum(x), sum(x_queue), sum(queue_of_sum_x), median(y)"
    query = parse(f"{schema} SELECT {results} FROM S [PARTITION BY k ROWS 8 SLIDE 8];")
    design = ENGINES["streamzip"](query=query, percentiles="sorter", window_max=8, capacity=16)
    Fragment.get(design.create(), None)

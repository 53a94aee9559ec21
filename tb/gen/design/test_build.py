"""Tests what `gen.design.build.resolve` refuses before any work begins."""

import pytest

from gen.design.build import resolve
from query.errors import UserError


@pytest.mark.parametrize(("type_", "count"), [("uint(64)", 125), ("uint(32)", 249)])
def test_constants_that_need_too_many_registers(tmp_path, type_, count):
    """The register map has 248 registers of 32 bits for settings."""

    def design_of(comparisons):
        condition = " OR ".join(f"w = {k}" for k in range(comparisons))
        path = tmp_path / "q.cql"
        path.write_text(
            f"CREATE INPUT STREAM S (k uint(8), w {type_});"
            f"SELECT k, count(*) FROM S WHERE {condition} GROUP BY k;"
        )
        return resolve(path, options=["constants=run-time"]).design

    assert len(design_of(count - 1).settings.numbers) == count - 1
    with pytest.raises(UserError, match="the register map has room for 248; with constants="):
        design_of(count)


@pytest.mark.parametrize(
    ("lengths", "engine"),
    [
        ("RANGE 1000 SLIDE 500", "pane"),
        ("RANGE 1000 SLIDE 999 WATTR t SLACK 2000", "window-id"),  # 2,999 panes, 5 windows
        ("RANGE 1024 SLIDE 1 WATTR t SLACK 0", "pane"),
        ("RANGE 2000 SLIDE 1 WATTR t SLACK 0", "pane"),  # 2,000 windows
    ],
)
def test_the_first_engine_with_room(tmp_path, lengths, engine):
    lengths += "" if "WATTR" in lengths else " WATTR t"
    text = f"CREATE INPUT STREAM S (x int(16), t uint(32)); SELECT sum(x) FROM S [{lengths}];"
    (tmp_path / "q.cql").write_text(text)
    assert resolve(tmp_path / "q.cql").design.engine == engine


def test_no_engine_has_room(tmp_path):
    text = (
        "CREATE INPUT STREAM S (x int(16), t uint(32));"
        "SELECT sum(x) FROM S [RANGE 1000 SLIDE 999 WATTR t SLACK 2000000];"
    )
    (tmp_path / "q.cql").write_text(text)
    with pytest.raises(UserError, match="modules must be at most 1024, and the query needs"):
        resolve(tmp_path / "q.cql")


@pytest.mark.parametrize(
    ("options", "warnings"),
    [
        (["codec=base-delta"], []),
        (["decoders=16"], []),  # the default
        (["codec=xor", "decoders=8"], []),
        (
            ["marks=8", "bound=0.5", "codec=base-delta"],
            [
                "bound=0.5 has no effect, because it needs codec=sz",
                "marks=8 has no effect, because it needs RANGE",
            ],
        ),
    ],
)
def test_options_without_effect_are_warned_of(tmp_path, options, warnings):
    path = tmp_path / "q.cql"
    path.write_text(
        "CREATE INPUT STREAM S (k uint(8), x int(16));"
        "SELECT k, max(x) FROM S [PARTITION BY k ROWS 8 SLIDE 2];"
    )
    assert list(resolve(path, options=options).warnings) == warnings


ROWS = "SELECT sum(x) FROM S [ROWS 64 SLIDE 16]"
GROUPS = "SELECT k, sum(x) FROM S [ROWS 64 SLIDE 16] GROUP BY k"


@pytest.mark.parametrize(
    ("text", "option", "condition"),
    [
        (f"{ROWS} WHERE x = 1", "constants=run-time", None),
        (ROWS, "constants=run-time", "WHERE"),
        (GROUPS, "percentiles=run-time", "a percentile in the query"),
        (GROUPS.replace("sum", "median"), "percentiles=run-time", None),
        (ROWS, "end_marker=true", None),
    ],
)
def test_options_that_need_a_part_of_the_query(tmp_path, text, option, condition):
    path = tmp_path / "q.cql"
    path.write_text(f"CREATE INPUT STREAM S (k uint(8), x int(16)); {text};")
    warnings = resolve(path, options=[option]).warnings
    expected = [f"{option} has no effect, because it needs {condition}"] if condition else []
    assert list(warnings) == expected


@pytest.mark.parametrize(
    ("text", "options"),
    [(ROWS, ["packets=stream"]), ("SELECT k, sum(x) FROM S GROUP BY k", [])],
)
def test_a_mark_after_the_windows_of_a_stream_that_is_a_packet(tmp_path, text, options):
    path = tmp_path / "q.cql"
    path.write_text(f"CREATE INPUT STREAM S (k uint(8), x int(16)); {text};")
    warnings = resolve(path, options=["end_marker=true", *options]).warnings
    assert list(warnings) == ["end_marker=true has no effect, because each stream is a packet"]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["lanes=16"], None),
        (
            ["lanes=32"],
            "a beat of 32 tuples of 1,920 bits would have more than 32,768 bits: "
            "set lanes to 17 or less",
        ),
    ],
)
def test_beats_that_are_too_wide(tmp_path, options, message):
    """The tuples have only the column that the query uses, of 240 bytes."""
    path = tmp_path / "q.cql"
    path.write_text(
        "CREATE INPUT STREAM S (g string(240), x int(16)); SELECT g, count(*) FROM S GROUP BY g;"
    )
    if message is None:
        assert resolve(path, options=options).design.input.lanes == 16
        return
    with pytest.raises(UserError, match=f"^{message}$"):
        resolve(path, options=options)


@pytest.mark.parametrize("columns", [7, 8])
def test_beats_of_rows_that_are_too_wide(tmp_path, columns):
    """A sum of 32 bits has 64, so the rows are wider than the tuples."""
    names = [f"x{k}" for k in range(columns)]
    path = tmp_path / "q.cql"
    path.write_text(
        f"CREATE INPUT STREAM S (g uint(8), {', '.join(f'{name} int(32)' for name in names)});"
        f"SELECT g, {', '.join(f'sum({name})' for name in names)} FROM S GROUP BY g;"
    )
    if columns == 7:
        assert resolve(path, options=["lanes=64"]).design.rows.layout.size == 456
        return
    message = "a beat of 64 rows of 520 bits would have more than 32,768 bits: set lanes to 63 or"
    with pytest.raises(UserError, match=f"^{message}"):
        resolve(path, options=["lanes=64"])


@pytest.mark.parametrize("last", [255, 256])
def test_the_widest_beat_of_a_lane(tmp_path, last):
    """A tuple of 8 bits and 16 texts has 32,768 bits. Beyond that no number of lanes helps."""
    sizes = [256] * 15 + [last]
    texts = ", ".join(f"s{k} string({size})" for k, size in enumerate(sizes))
    condition = " AND ".join(f"s{k} > 'a'" for k in range(16))
    path = tmp_path / "q.cql"
    path.write_text(
        f"CREATE INPUT STREAM S (x int(8), {texts});"
        f"SELECT sum(x) FROM S [ROWS 4 SLIDE 2] WHERE {condition};"
    )
    if last == 255:
        assert resolve(path).design.input.layout.size == 32_768
        return
    with pytest.raises(
        UserError, match=r"of 32,776 bits .* bits: leave out some columns or items$"
    ):
        resolve(path)


GROUPS = "CREATE INPUT STREAM S (g uint(8), x int(16)); SELECT g, max(x) FROM S GROUP BY g;"
LINK_OPTIONS = {
    "packets=beats:3": "packets must be window or stream with network, not beats:3: ",
    "bus_bits=64": "bus_bits must not be given with network, not 64: ",
    "bus=avalon": "bus must be axi with network, not avalon: ",
}


@pytest.mark.parametrize(("option", "reason"), LINK_OPTIONS.items())
def test_a_design_that_cannot_use_the_link_of_its_board(tmp_path, option, reason):
    """The board would connect nothing to the design, so there is a warning with the reason."""
    path = tmp_path / "q.cql"
    path.write_text(GROUPS)
    build = resolve(path, board="versa-ecp5", options=[option])
    assert build.warnings == (
        "the link of versa-ecp5 carries nothing to this design, which cannot have network=true: "
        f"{build.refused}",
    )
    assert build.refused.startswith(reason)
    assert not build.design.face.network
    chosen = resolve(path, board="versa-ecp5", options=["network=false", option])
    assert not [line for line in chosen.warnings if "link" in line]


@pytest.mark.parametrize("value", ["no", "0", "1", ""])
def test_a_link_to_a_host_is_true_or_false(tmp_path, value):
    path = tmp_path / "q.cql"
    path.write_text(GROUPS)
    value_text = value if value.isdecimal() else repr(value)
    with pytest.raises(UserError, match=f"^host_link must be true or false, not {value_text}$"):
        resolve(path, board="versa-ecp5", options=[f"host_link={value}"])

"""Checks when the top samples the settings of an engine, and which settings are refused."""

import pytest

from rtl.bus.setting_registers import register_names
from rtl.bus.top_registers import registers_of
from sim.job import SoftReset
from tb.rtl.bus.byte_streams import LANES, NO_BEATS, STALLS, cut, fed, run
from tb.rtl.bus.packets import packets
from tb.rtl.bus.tops import top_of

pytestmark = pytest.mark.hdl


@pytest.mark.parametrize("options", STALLS)
def test_settings_are_sampled_at_each_streams_first_beat(options):
    """The settings of a stream are written while the previous stream is still in the core."""
    writes = {0: [("size", 3), ("step", 2)], 1: [("size", 2)], 2: [("step", 1), ("size", 20)]}
    expected = [*cut(0, 50, 3, 2), *cut(1, 9, 2, 2), *cut(2, 50, 20, 1)]
    lengths = [(0, 50), (1, 9), (2, 50)]
    assert run(lengths, writes, len(expected), **options) == (expected, set(), 0)


def test_function_and_settings_together():
    writes = {0: [("size", 3), ("step", 1), ("function", 2)], 1: [("function", 0)]}
    expected = [*cut(0, 20, 3, 3), *cut(1, 20, 3, 1)]
    assert run([(0, 20), (1, 20)], writes, len(expected), choices=3) == (expected, set(), 0)


@pytest.mark.parametrize("options", STALLS)
@pytest.mark.parametrize(
    "bad",
    [
        [("size", 0)],
        [("size", 21)],
        [("step", 0x8000_0001)],  # does not fit, and is not taken for 1
        [("size", 0x44)],
        [("size", 5), ("step", 6)],  # each allowed by itself
    ],
)
def test_a_stream_with_bad_settings_is_dropped_and_the_next_is_right(bad, options):
    writes = {0: [("size", 4), ("step", 3)], 1: bad, 2: [("size", 2), ("step", 2)]}
    expected = [*cut(0, 20, 4, 3), *cut(2, 13, 2, 2)]
    result = run([(0, 20), (1, 31), (2, 13)], writes, len(expected), **options)
    assert result == (expected, {"bad_setting"}, 31)


def test_nothing_was_ever_set():
    assert run([(0, 20), (1, 7)], {}, 0) == ([], {"bad_setting"}, 27)


@pytest.mark.parametrize(("size", "bad"), [(20, False), (21, True), (0, True), (0x40, True)])
def test_a_bad_write_shows_without_a_stream(size, bad):
    """One setting is written and judged by itself; the other setting is still 0."""
    writes = {0: [("size", size)]}
    _, read = top_of(packets()).run(NO_BEATS, writes, ["status"], packets=0)
    assert read["status"] == ({"bad_setting"} if bad else set())


def test_a_soft_reset_clears_the_error_and_keeps_the_settings():
    writes = {0: [("size", 4), ("step", 0), ("step", 2), ("control", 1)]}
    expected = cut(0, 20, 4, 2)
    assert run([(0, 20)], writes, len(expected)) == (expected, set(), 0)


@pytest.mark.parametrize("options", STALLS)
@pytest.mark.parametrize(("count", "status"), [(8, set()), (9, {"too_long"}), (40, {"too_long"})])
def test_a_stream_that_is_too_long(count, status, options):
    writes = {0: [("size", 20), ("step", 1)]}
    for lengths in ([(0, count), (1, 3)], [(0, 8), (1, 8), (2, count)]):
        top = top_of(packets(longest=8))
        _, read = top.run(fed(lengths), writes, ["status"], packets=None, **options)
        assert read["status"] == status


def test_a_soft_reset_forgets_how_long_the_stream_was():
    """No stream is longer than 8, but the rest of a stream and the next stream together are."""
    top, cut_runs = top_of(packets(longest=8)), 0
    for cycle in range(30, 80):
        _, read = top.run(
            fed([(k % 4, 8) for k in range(12)]),
            {0: [("size", 20), ("step", 1)]},
            ["status", "cut_low"],
            reset=SoftReset(cycle=cycle),
            stall_input=0.6,
            seed=cycle,
        )
        assert read["status"] == set()
        cut_runs += read["cut_low"] > 0
    assert cut_runs > 10


@pytest.mark.parametrize("options", STALLS)
def test_a_snapshot_while_streams_run(options):
    """The snapshot is taken before the third stream of 20 tuples and read at the end: the numbers
    of streams and tuples agree, and no row comes from an uncounted tuple."""
    top = top_of(packets())
    names = [f"{c}_{half}" for c in ("tuples", "streams", "rows") for half in ("low", "high")]
    settings = [("size", 4), ("step", 1)]
    lengths = [(0, 20), (1, 20), (2, 20)]
    for last, seen in (([("control", 2)], range(20, 41)), ([("control", 0)], [60])):
        writes = {0: settings, 2: last}
        _, read = top.run(fed(lengths), writes, [*names, *names], packets=9, **options)
        assert read["tuples_low"] in seen
        assert read["streams_low"] == read["tuples_low"] // 20
        assert read["tuples_low"] - 2 * LANES <= read["rows_low"] <= read["tuples_low"]
        assert read["tuples_high"] == read["streams_high"] == read["rows_high"] == 0


def test_the_map_follows_the_design():
    registers = registers_of(packets(choices=3))
    assert (registers["size"].address, registers["step"].address) == (0x20, 0x24)
    assert registers["capabilities"].value == 2 | 3 << 8 | 2 << 17
    flags = ["bad_function", "bad_beat", "too_long", "bad_setting", "busy"]
    assert [field.name for field in registers["status"].fields] == flags
    counters = ("tuples", "streams", "stall_in", "cut", "rows", "stall_out", "overrun")
    assert [registers[f"{name}_low"].address for name in counters] == [*range(0x400, 0x438, 8)]
    assert registers["stall_in_low"].doc == (
        "cycles in which s_axis offered a beat and was not ready for it; low word"
    )


def test_the_map_counts_registers_of_settings():
    design = packets(wide=True)
    registers = registers_of(design)
    names = [name for number in design.settings.numbers for name in register_names(number)]
    assert names == ["size", "offset_low", "offset_high", "step", "flag"]
    assert [registers[name].address for name in names] == list(range(0x20, 0x34, 4))
    assert registers["capabilities"].value == 2 | 5 << 17

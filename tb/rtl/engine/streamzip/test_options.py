"""Checks which windows of each key can be built, the messages for others, and predictions."""

import re
from dataclasses import replace

import pytest
from amaranth.hdl import Fragment

from query.parser import parse
from rtl.contract.rows import Role
from rtl.contract.shape import Shape
from rtl.engine import ENGINES
from rtl.engine.streamzip.areas import areas_of
from rtl.engine.streamzip.rings import Rings

ENGINE = ENGINES["streamzip"]
RANGE = "[PARTITION BY k RANGE 14 SLIDE 3 WATTR t]"


def query_of(window, select="max(x)", value="int(32)"):
    return parse(
        f"CREATE INPUT STREAM S (k uint(6), x {value}, y {value}, t uint(12));"
        f"SELECT {select} FROM S {window};"
    )


@pytest.mark.parametrize(
    ("window", "options", "message"),
    [
        (RANGE, {"overlap": 4}, "overlap must be at least 8 for the query, not 4"),
        (RANGE, {"overlap": 12}, "overlap must be a power of two from 2 to 1048576, not 12"),
        (
            "[PARTITION BY k ROWS 4 SLIDE 1]",
            {"memory": "dram-only", "m2_lines": 2},
            "m2_lines must be 1 with memory=dram-only, not 2",
        ),
        (
            "[PARTITION BY k ROWS 4 SLIDE 1]",
            {"memory": "dram-only", "m2_kind": "ultra"},
            "m2_kind must be block with memory=dram-only, not ultra",
        ),
        (RANGE, {"m2_lines": 3}, "m2_lines must be from 1 to 2, not 3"),
        (RANGE, {"m2_kind": "huge"}, "m2_kind must be one of block, ultra, external, not 'huge'"),
        (
            "[PARTITION BY k ROWS 4 SLIDE 1]",
            {"m2_kind": "external", "line_values": 2},
            "line_values must be at least 4 with m2_kind=external, not 2: a line goes to it in 4",
        ),
        (
            "[PARTITION BY k ROWS 4 SLIDE 1]",
            {"m2_kind": "external", "address_bits": 23},
            "address_bits must be at least 24, not 23: windows of 4 tuples of 16384 keys take",
        ),
        (
            "[PARTITION BY k ROWS 4 SLIDE 1]",
            {"memory": "dram-only", "m2_kind": "external"},
            "m2_kind must be block with memory=dram-only, not external",
        ),
        (
            "[PARTITION BY k ROWS 4 SLIDE 1]",
            {"codec": "sz", "bound": "1/0"},
            "bound must be from 0 to",
        ),
        (RANGE, {"m2_blocks": 2}, "m2_blocks must be 0 with codec=none, not 2"),
        (
            "[PARTITION BY k ROWS 64 SLIDE 1]",
            {"m3_kind": "block", "ports": 1, "m2_kind": "external", "address_bits": 21},
            "address_bits must be at least 22, not 21: windows of 64 tuples of 16384 keys take "
            "4194304 bytes",
        ),
        (
            "[PARTITION BY k ROWS 4096 SLIDE 1]",
            {"m3_kind": "block"},
            "m3_kind must be external, not block: windows of 4096 tuples of 16384 keys take "
            "268435456 bytes, and 67108864 is the most on a chip",
        ),
        *(
            ("[PARTITION BY k ROWS 4 SLIDE 1]", {"codec": "base-delta"} | options, message)
            for options, message in (
                ({"m2_blocks": 3}, "m2_blocks must be a power of two from 0 to 8, not 3"),
                (
                    {"m2_blocks": 8, "ports": 1},
                    "m2_blocks must be at most 4, the blocks of a key's ring, not 8",
                ),
                (
                    {"m2_kind": "external"},
                    "m2_kind must be block with codec=base-delta and m2_blocks=0, not external",
                ),
                (
                    {"m2_kind": "ultra"},
                    "m2_kind must be block with codec=base-delta and m2_blocks=0, not ultra",
                ),
            )
        ),
        (RANGE, {"marks": 3}, "marks must be a power of two from 1 to 16, not 3"),
        *(
            (window, {"line_values": 1}, "line_values must be a power of two from 2 to 256, not 1")
            for window in (RANGE, "[PARTITION BY k ROWS 4 SLIDE 1]")
        ),
        (
            RANGE,
            {"line_values": 16},
            "line_values must be at most 8, not 16: a value has 37 bits, and a line 512",
        ),
        (
            "[PARTITION BY k RANGE 4096 SLIDE 3 WATTR t]",
            {},
            "RANGE must be below 4096 steps, and t uint(12) has steps of 1: not 4096",
        ),
        ("[PARTITION BY k ROWS 4 SLIDE 1]", {"window_max": 2}, "ROWS must be at most window_max"),
        (
            "[PARTITION BY k ROWS 4 SLIDE 1]",
            {"line_values": 32},
            "line_values must be at most 16, not 32: a value has 32 bits, and a line 512",
        ),
        (
            "[ROWS 4 SLIDE 1]",
            {},
            "query must be one that streamzip can run: it has the window [ROWS 4 SLIDE 1] where "
            "PARTITION BY must be",
        ),
    ],
)
def test_what_cannot_be_built_is_said(window, options, message):
    with pytest.raises(ValueError, match=f"^{re.escape(message)}"):
        ENGINE(query=query_of(window), **options)


@pytest.mark.parametrize(
    ("select", "value", "options", "reason"),
    [
        ("sum(x)", "double", {}, "where sum.x. adds floating-point numbers"),
        (
            "avg(x), median(x)",
            "float",
            {"codec": "xor"},
            "where avg.x. adds floating-point numbers",
        ),
    ],
)
@pytest.mark.parametrize("window", [RANGE, "[PARTITION BY k ROWS 64 SLIDE 1]"])
def test_aggregates_that_a_cache_cannot_combine(window, select, value, options, reason):
    query = query_of(window, select, value)
    with pytest.raises(ValueError, match=f"^cached_keys must be 0 {reason}, not 2$"):
        ENGINE(query=query, cached_keys=2, **options)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (
            {"percentiles": "sorter"},
            "percentiles must be pivot with cached_keys=3, not sorter: a cache sends states of "
            "lines, not values",
        ),
        (
            {"window_max": 4096},
            "window_max must be at most 2048 with percentiles, cached_keys=3 and cache_lanes=128, "
            "not 4096: a cache has at most 64 lines of sorted values",
        ),
    ],
)
@pytest.mark.parametrize("window", [RANGE, "[PARTITION BY k ROWS 64 SLIDE 1]"])
def test_percentiles_out_of_a_cache(window, options, message):
    """Three places of 2,048 values have 3 * 16 lines of 128 sorted values."""
    query = query_of(window, "max(x), median(x)")
    with pytest.raises(ValueError, match=f"^{re.escape(message)}$"):
        ENGINE(query=query, cached_keys=3, **options)
    fits = ENGINE(query=query, cached_keys=3, window_max=2048).options.resolved
    assert (fits.percentiles, fits.coding.cache.keys) == ("pivot", 3)


def test_a_cache_takes_several_columns_without_a_codec():
    """A place has room for the items of a ring twice; with RANGE an item has a stamp beside it."""
    for window, bits in (("[PARTITION BY k ROWS 64 SLIDE 1]", 2 * 32), (RANGE, 2 * 32 + 5)):
        query = query_of(window, "max(x), min(y), sum(y)")
        sizes = {"entries": 64, "window_max": 64, "line_values": 4}
        plain, cached = (ENGINE(query=query, cached_keys=k, **sizes).predict() for k in (0, 2))
        assert cached.memory_bits - plain.memory_bits == 2 * 2 * 64 * bits


@pytest.mark.parametrize(
    ("places", "lanes", "keys", "size", "rate"),
    [
        (1, 128, 1, 128, 1),
        (1, 128, 1, 129, 1 / 2),
        (2, 128, 2, 1024, 1 / 8),
        (2, 256, 2, 1024, 1 / 4),
        # No key stays in the cache long enough: blocks of 16 values, and of 32 / 3 tuples before.
        (2, 128, 3, 1024, 1 / ((1023 + 32 / 3) / 16 + 1 / 3)),
    ],
)
def test_rates_with_a_cache(places, lanes, keys, size, rate):
    query = query_of("[PARTITION BY k ROWS 1024 SLIDE 1]")
    options = {"codec": "base-delta", "cached_keys": places, "cache_lanes": lanes, "entries": 64}
    design = ENGINE(query=query, **options)
    prediction = design.predict(size=size, slide=1, keys=keys, ratio=1.0)
    assert prediction.tuples_per_cycle == pytest.approx(rate, rel=0.02)
    without = ENGINE(query=query, codec="base-delta", entries=64).predict()
    numbers = (256 * 1024 - 1).bit_length() * design.options.coding.ring.blocks
    assert prediction.memory_bits - without.memory_bits == places * (2 * 1024 * 32 + numbers)


@pytest.mark.parametrize(("copies", "read"), [(0, 63 / 40), (1, 23 / 40), (2, 0), (8, 0)])
def test_windows_that_lie_in_copies_read_nothing(copies, read):
    """A block holds 40 values, so a window of 64 values begins one or two blocks before its end."""
    query = query_of("[PARTITION BY k ROWS 64 SLIDE 1]")
    options = {"codec": "base-delta", "entries": 4096, "m2_blocks": copies}
    prediction = ENGINE(query=query, **options).predict(keys=4096, ratio=2.5)
    assert prediction.memory_traffic["lines read"] == pytest.approx(read, abs=0.01)
    assert prediction.tuples_per_cycle == pytest.approx(1 / (63 / 40 + 1), rel=0.01)
    without = ENGINE(query=query, codec="base-delta", entries=4096).predict()
    assert prediction.memory_bits - without.memory_bits == 4096 * 512 * copies


def test_a_ring_has_a_multiple_of_the_copies():
    """16 lines at a ratio of 2 are 8.2 blocks with 2 % more, so 9, and 3 for the ends: 12."""
    query = query_of("[PARTITION BY k ROWS 160 SLIDE 1]")
    options = {"codec": "base-delta", "expected_ratio": "2", "ports": 1}
    blocks = [
        ENGINE(query=query, m2_blocks=copies, **options).options.coding.blocks
        for copies in (0, 2, 8)
    ]
    assert blocks == [12, 12, 16]


def test_slides_that_are_too_many():
    wide = query_of(RANGE).schema
    text = str(wide).replace("uint(12)", "uint(40)")
    query = parse(f"{text} SELECT max(x) FROM S [PARTITION BY k RANGE 3145728 SLIDE 3 WATTR t];")
    with pytest.raises(ValueError, match=r"^RANGE must be less than 1048576 SLIDEs, not 1048576$"):
        ENGINE(query=query)


def test_values_that_are_too_wide_for_two_in_a_line():
    """A slide's number takes five bits beside a value, so a line has room for 2 * (4 * 64 - 5)
    bits.
    """
    columns = ", ".join(f"c{k} int(64)" for k in range(3))
    for width, fits in ((59, True), (60, False)):
        query = parse(
            f"CREATE INPUT STREAM S (k uint(6), t uint(12), {columns}, d int({width}));"
            f"SELECT max(c0), max(c1), max(c2), max(d) FROM S {RANGE};"
        )
        reason = ENGINE.refusal(query)
        assert (reason is None) == fits
        if fits:
            with pytest.raises(ValueError, match=r"^overlap must be smaller, not 16: .* have 257 "):
                ENGINE(query=query, overlap=16)
        else:
            assert reason == (
                "it aggregates 252 bits of a tuple, beside which the number of its slide has 5, "
                "and a line of memory must hold two with its 512"
            )


@pytest.mark.parametrize("memory", ["mlq", "dram-only"])
def test_values_that_are_half_a_line(memory):
    """A line that one tuple fills never grows, on the chip or in DRAM."""
    columns = ", ".join(f"c{k} int(64)" for k in range(3))
    for width, fits in ((62, True), (63, False)):
        query = parse(
            f"CREATE INPUT STREAM S (k uint(6), {columns}, d int({width}), e uint(2));"
            "SELECT max(c0), max(c1), max(c2), max(d), max(e)"
            "FROM S [PARTITION BY k ROWS 4 SLIDE 1];"
        )
        reason = ENGINE.refusal(query)
        assert (reason is None) == fits
        if fits:
            design = ENGINE(query=query, memory=memory, entries=8, ways=2)
            assert design.options.resolved.line_values == 2
            assert Fragment.get(design.create(), None).subfragments
        else:
            assert reason == (
                "it aggregates 257 bits of a tuple, and a line of memory must hold two with its 512"
            )


def test_a_sorter_takes_whole_lines():
    text = "CREATE INPUT STREAM S (k uint(8), v uint(2)); SELECT k, median(v) FROM S "
    query = parse(text + "[PARTITION BY k ROWS 8 SLIDE 2];")
    message = "^capacity must be at least 128, the values of a line, not 64$"
    with pytest.raises(ValueError, match=message):
        ENGINE(query=query, line_values=128, percentiles="sorter")
    assert ENGINE(query=query, line_values=128, capacity=128).options.capacity == 128


@pytest.mark.parametrize("window_max", [1, 2, 8, 16, 4096])
@pytest.mark.parametrize(("codec", "windows"), [("xor", 41), ("xor-chained", 41 + 128)])
def test_numbers_of_values_that_are_under_way(codec, windows, window_max):
    """Half of the numbers are more than the values of the windows under way, and of a block.

    The chains of 16 decoders are 128 windows, and a block has at most 511 values.
    """
    query = query_of(f"[PARTITION BY k ROWS {window_max} SLIDE 1]", value="double")
    coding = ENGINE(query=query, codec=codec, window_max=window_max).options.coding
    assert 1 << coding.number_bits - 1 > windows * window_max + 511


def test_rings_and_numbers_have_room_for_a_chain_before_a_cached_window():
    """A window may be read from the first of 16 blocks of a chain on, with up to 511 values each.

    A window of 64 doubles has up to 11 blocks; with 3 for its ends and 15 of a chain these are 29.
    """
    query = query_of("[PARTITION BY k ROWS 64 SLIDE 1]", value="double")
    plain, cached = (
        ENGINE(query=query, codec="xor-chained", window_max=64, cached_keys=keys).options.coding
        for keys in (0, 1)
    )
    assert (plain.blocks, cached.blocks) == (16, 32)
    assert 1 << cached.number_bits - 1 > 169 * 64 + 16 * 511


@pytest.mark.parametrize(
    ("range_", "slide", "overlap"), [(3, 3, 2), (5, 3, 2), (6, 3, 4), (23, 3, 8), (24, 3, 16)]
)
def test_as_many_windows_overlap_as_the_query_needs(range_, slide, overlap):
    """RANGE is less than ``overlap`` SLIDEs, and no smaller power of two is enough."""
    design = ENGINE(query=query_of(f"[PARTITION BY k RANGE {range_} SLIDE {slide} WATTR t]"))
    assert design.parameters["overlap"] == overlap
    assert range_ < overlap * slide
    assert overlap == 2 or range_ >= overlap // 2 * slide
    assert design.parameters["window_max"] == 1024


def test_what_the_host_sets_and_what_a_row_says():
    """SLACK is accepted; the lengths of windows do not change the design."""
    design = ENGINE(query=query_of(RANGE.replace("WATTR t", "WATTR t SLACK 5")), ports=2)
    assert list(design.settings.layout.members) == ["range", "slide", "start", "base_0", "base_1"]
    assert design.settings.set_by_host == ("start",)
    assert (design.settings.values["range"], design.settings.values["slide"]) == (14, 3)
    roles = [Role.WINDOW, Role.WINDOW_END, Role.VALID, Role.KEY, Role.VALUE]
    assert [field.role for field in design.rows.fields] == roles
    assert [counter.name for counter in design.counters][:2] == ["overrun", "late"]
    other = replace(design.options, query=query_of("[PARTITION BY k RANGE 9 SLIDE 2 WATTR t]"))
    assert ENGINE.design(other).configuration_hash == design.configuration_hash


@pytest.mark.parametrize(
    ("numbers", "shape", "rate"),
    [
        ({}, None, 1),  # a window of 14 / 8 + 1 lines every 3 tuples
        ({"range": 2, "slide": 1}, None, 8 / 10),  # 2 / 8 + 1 for each tuple
        ({"slide": 2, "keys": 100}, None, 1 / (7 * (1 + 1 / 8))),  # each tuple alone in 7
        ({"keys": 100}, Shape(tuples_per_time=100.0), 1),  # one tuple of each key in each unit
        ({"range": 2, "slide": 1}, Shape(counted_share=0.5), 1 / (2 * 0.5 * 9 / 8)),
    ],
)
def test_rates_that_are_expected(numbers, shape, rate):
    design = ENGINE(query=query_of(RANGE), marks=4)
    options = {"range": 14, "slide": 3} | numbers
    prediction = design.predict(**options, shape=shape).tuples_per_cycle
    assert prediction == pytest.approx(rate, rel=0.01)


@pytest.mark.parametrize(
    ("m2_lines", "size", "slide", "read"),
    [
        # 8 values in a line: windows of 20 begin at places 0 to 7 of a line. Windows from places
        # 5 to 7 have 3 lines before the growing line, the other windows 2.
        (1, 20, 1, 2 + 3 / 8),
        (2, 20, 1, 1 + 3 / 8),
        (1, 20, 4, 2 / 4),  # at places 0 and 4
        (2, 20, 4, 1 / 4),
        (1, 9, 1, 1),
        (2, 9, 1, 0),
        (2, 1, 1, 0),
    ],
)
def test_lines_that_are_read_of_windows_of_rows(m2_lines, size, slide, read):
    """A second line in M2 saves bursts at the ports; the kernels take the same lines of a
    window.
    """
    query = query_of("[PARTITION BY k ROWS 20 SLIDE 1]", value="int(64)")
    one_line, design = (ENGINE(query=query, line_values=8, m2_lines=n) for n in (1, m2_lines))
    prediction = design.predict(size=size, slide=slide)
    assert prediction.memory_traffic["lines read"] == pytest.approx(read)
    one_line_rate = one_line.predict(size=size, slide=slide).tuples_per_cycle
    assert one_line_rate <= prediction.tuples_per_cycle <= 1.04 * one_line_rate
    bits = prediction.memory_bits - one_line.predict(size=size, slide=slide).memory_bits
    assert bits == (m2_lines - 1) * 512 * 16384


@pytest.mark.parametrize(("m2_lines", "tuples", "read"), [(1, 14, 1.75), (2, 14, 0.75), (2, 7, 0)])
def test_lines_that_are_read_of_windows_of_time(m2_lines, tuples, read):
    """A key has one tuple or half a tuple in a unit of time; a line has 8."""
    design = ENGINE(query=query_of(RANGE), line_values=8, m2_lines=m2_lines, marks=8)
    prediction = design.predict(shape=Shape(tuples_per_time=tuples / 14))
    windows = 14 / 3 / tuples
    assert prediction.memory_traffic["lines read"] == pytest.approx(read * windows)


@pytest.mark.parametrize(("window_max", "gap"), [(4096, 16384), (8192, 8192)])
def test_ports_are_in_other_banks_of_a_dram(window_max, gap):
    """The areas of two ports are two banks of 8 KiB apart, or one bank where a ring has two per
    port.

    A ring of 8,192 values has 8,192 / 8 / 4 lines at each port.
    """
    query = parse(
        "CREATE INPUT STREAM S (k uint(6), x int(64));"
        "SELECT sum(x) FROM S [PARTITION BY k ROWS 4 SLIDE 1];"
    )
    areas = areas_of(ENGINE(query=query, window_max=window_max, entries=64).options.resolved)
    assert [areas[str(k)].base - areas[str(k - 1)].end for k in range(1, 4)] == [gap] * 3


def test_stripes_are_no_longer_than_a_port_has_lines_of_a_ring():
    query = query_of("[PARTITION BY k ROWS 4 SLIDE 1]")
    design = ENGINE(query=query, window_max=64, entries=8, ways=2, stripe_lines=64)
    assert design.predict.args[2].lines.stripe_lines == Rings(design.options).lines // 4

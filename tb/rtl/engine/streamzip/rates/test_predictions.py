"""Checks predictions for windows of each key against numbers worked out by hand."""

import pytest

from query.parser import parse
from rtl.contract.shape import Shape
from rtl.engine import ENGINES
from rtl.engine.streamzip.rates.key_load import cached_of
from rtl.engine.streamzip.rates.key_mix import KeyMix, SeenMix
from rtl.engine.streamzip.rates.line_counts import busiest, most_at_a_port
from tb.rtl.engine.key_rates import design_of


def predicted(size, slide, memory="mlq", **numbers):
    return design_of("seed", memory).predict(size=size, slide=slide, **numbers)


def test_the_busiest_of_four_ports():
    assert busiest(32, 4) == pytest.approx(8 + 0.7 * 6**0.5)
    assert busiest(32, 1) == 32


def test_windows_out_of_a_cache():
    """The most frequent keys have the places of the cache, one key each."""
    assert cached_of(64, 1, 2, KeyMix(count=2)) == 1
    assert cached_of(64, 1, 1, KeyMix(count=2)) == pytest.approx(2**-65)
    share = cached_of(8, 4, 2, KeyMix(count=3, skew=1.0))  # of 6 / 11, 3 / 11 and 2 / 11
    assert share == pytest.approx(6 / 11 * (6 / 8) ** 2 + 3 / 11 * (3 / 5) ** 2)


@pytest.mark.parametrize(
    ("lines", "stripe", "most"),
    [(6, 1, 2), (8, 1, 2), (3, 2, 2), (6, 8, (3 * 6 + 5 + 4 + 3 + 4 + 5) / 8)],
)
def test_most_lines_at_one_of_four_ports(lines, stripe, most):
    """The mean is over all places of a stripe at which the lines may begin.

    For instance 6 lines that begin at place 0, 1 or 2 of a stripe of 8 are all at one port.
    """
    assert most_at_a_port(lines, 4, stripe) == most


def coded(size, slide, codec="base-delta", stripe=1, **numbers):
    design = design_of("seed", codec=codec, **({"stripe_lines": stripe} if stripe > 1 else {}))
    return design.predict(size=size, slide=slide, **numbers)


def test_blocks_decide_with_a_codec():
    """With a ratio of 5 a block has 40 values: a window has 255 / 40 blocks, and the growing
    block.
    """
    rate = coded(256, 1, keys=64, ratio=5).tuples_per_cycle
    assert rate == pytest.approx(1 / (255 / 40 + 1))


def test_decoders_decide_where_blocks_have_many_steps():
    """Sixteen decoders take 0.9 * 16 steps in a cycle; the growing block has half the steps."""
    rate = coded(256, 1, "xor", keys=64, ratio=5, steps=32).tuples_per_cycle
    assert rate == pytest.approx(0.9 * 16 / (255 / 40 * 32 + 33 / 2))
    assert rate < coded(256, 1, "xor", keys=64, ratio=5).tuples_per_cycle


@pytest.mark.parametrize(
    ("window", "codec", "rate"),
    [
        ("ROWS 256 SLIDE 1", "xor", 0.5),
        ("RANGE 64 SLIDE 1 WATTR t", "xor", 1),
        ("RANGE 64 SLIDE 1 WATTR t", "base-delta", 1),
    ],
)
def test_windows_from_the_cache_read_and_decode_no_block(window, codec, rate):
    """One key has the only place, and one decoder would take some 10 cycles for each tuple.

    ``rate`` is that of the tuple-by-tuple prediction from tuple 1,500 on.
    """
    text = "CREATE INPUT STREAM S (k uint(32), t uint(32), x int(64)); SELECT k, sum(x), max(x) "
    query = parse(f"{text} FROM S [PARTITION BY k {window}];")
    options = {"decoders": 1} if codec == "xor" else {}
    options |= {"marks": 16, "window_max": 256} if "RANGE" in window else {}
    design = ENGINES["streamzip"](query=query, codec=codec, cached_keys=1, entries=64, **options)
    prediction = design.predict(keys=1, shape=Shape(tuples_per_time=1))
    assert prediction.tuples_per_cycle == pytest.approx(rate, rel=0.08)


@pytest.mark.parametrize(("keys", "rate"), [(1, 0.119), (2, 0.173), (4, 0.237)])
def test_two_windows_of_a_key_under_way_share_the_wait_for_answers(keys, rate):
    """``rate`` is that of the tuple-by-tuple prediction, for random keys."""
    text = "CREATE INPUT STREAM S (k uint(32), x int(64)); SELECT k, median(x) FROM S "
    query = parse(text + "[PARTITION BY k ROWS 16 SLIDE 1];")
    options = {"percentiles": "pivot", "neighbours": 2, "entries": 64}
    prediction = ENGINES["streamzip"](query=query, **options).predict(keys=keys)
    assert prediction.slowest_stage == "answers of windows with pivots"
    assert prediction.tuples_per_cycle == pytest.approx(rate, rel=0.06)


def test_stripes_make_bursts_longer():
    """Stripes cost a single key some of its ports, and gain longer DRAM bursts for many keys."""
    many, one = ({"keys": keys, "ratio": 5, "dram": "ddr3"} for keys in (64, 1))
    assert (
        coded(256, 1, stripe=8, **many).tuples_per_cycle
        > 1.5 * coded(256, 1, **many).tuples_per_cycle
    )
    assert coded(256, 1, stripe=8, **one).tuples_per_cycle < coded(256, 1, **one).tuples_per_cycle


def test_windows_that_are_not_full_cost_nothing():
    assert predicted(64, 1, full=0.5).tuples_per_cycle == 2 * predicted(64, 1).tuples_per_cycle
    for codec in ("base-delta", "xor"):
        none = coded(256, 1, codec, ratio=5, full=0.0, dram="ddr3")
        assert (none.tuples_per_cycle, none.memory_traffic["lines read"]) == (1, 0)


def test_keys_in_bursts_meet_their_rows_open():
    mixes = [SeenMix(((share, 1.0),)) for share in (0.0, 1.0)]
    closed, opened = (predicted(256, 8, mix=mix, dram="ddr3").tuples_per_cycle for mix in mixes)
    assert opened == predicted(256, 8, keys=1, dram="ddr3").tuples_per_cycle > closed


def test_a_tuple_in_each_cycle_if_windows_do_not_overlap():
    assert predicted(4096, 4096).tuples_per_cycle == 1


def test_lines_decide_on_the_ideal_memory():
    """A window of 64 values takes 63 / 8 lines and the line of its last value, on average.

    Of 8 windows one begins at the first value of a line and has 7 lines before its last line; the
    other windows have 8.
    """
    assert predicted(64, 1).tuples_per_cycle == pytest.approx(1 / (63 / 8 + 1))


def test_one_key_waits_for_the_lines_that_it_has_just_written():
    """Each of 4 ports gets a line after 32 tuples, and the line can be read 40 + 8 cycles later."""
    assert predicted(64, 8, keys=1).tuples_per_cycle == pytest.approx(32 / 48)
    assert predicted(64, 8, keys=64).tuples_per_cycle == 1


def test_on_a_dram_one_key_meets_its_rows_open():
    """A window reads 31.875 lines, a tuple writes an eighth of a line, and a write costs 13
    cycles.
    """
    cycles = (31.875 + 0.125) * 1.04 + 0.125 * 13
    rate = predicted(256, 1, keys=1, dram="ddr3").tuples_per_cycle
    assert rate == pytest.approx(1 / cycles)


def test_many_keys_are_slower_there_and_skew_helps():
    rates = [
        predicted(64, 8, keys=64, skew=skew, dram="ddr3").tuples_per_cycle for skew in (0, 1, 2)
    ]
    one = predicted(64, 8, keys=1, dram="ddr3").tuples_per_cycle
    assert rates[0] < 0.3 < rates[2] < one
    assert rates == sorted(rates)


def test_dram_only_is_limited_by_commands_or_by_the_tuples_in_flight():
    """If keys hardly meet: a write for each tuple, 7 reads for 8 tuples, and a read for each
    64th.
    """
    rates = [
        predicted(64, 64, "dram-only", keys=keys).tuples_per_cycle for keys in (1 << 20, 512, 64)
    ]
    assert rates[0] == pytest.approx(1 / (1 + 7 / 8 + 1 / 64), rel=0.001)
    assert rates == sorted(rates, reverse=True)


@pytest.mark.parametrize(("size", "reads"), [(4089, 7 / 8), (4090, 1), (4096, 1)])
def test_the_first_tuple_of_a_line_reads_it_if_a_window_fills_the_ring(size, reads):
    """A ring has 512 lines of 8: the window before 4,090 tuples reaches into the next line."""
    rate = predicted(size, 1 << 20, "dram-only", keys=1 << 20).tuples_per_cycle
    assert rate == pytest.approx(1 / (1 + reads), rel=0.02)


def test_keys_of_few_tuples_are_faster_if_their_ports_share_no_banks():
    """The rings of SZ have 4 rows behind each port, of which such keys use the first."""
    rates = [
        coded(256, 1, "sz", keys=64, ratio=23, dram="ddr3", tuples_per_key=tuples).tuples_per_cycle
        for tuples in (256, 1 << 20, None)
    ]
    assert rates[0] > 1.2 * rates[1] == 1.2 * rates[2]


def test_where_nothing_waits_latency_is_that_of_the_memory_and_of_the_lines():
    chip, loaded = predicted(256, 256).latencies
    assert loaded.cycles == chip.cycles + 40 + 6 + 4 + 31
    assert "as fast as they go in" in loaded.begin


def test_where_tuples_wait_latency_is_that_of_full_queues():
    """A window for every tuple: 23 wait at each port except for its writes, 3 on the way, 12 in
    front.
    """
    prediction = predicted(64, 1, keys=64, dram="ddr3")
    queued = 23 / (1 + 1 / 32) + 3 / (1 + 1 / 8) + 12
    assert prediction.latencies[1].cycles == pytest.approx(
        queued / prediction.tuples_per_cycle, abs=1
    )


@pytest.mark.parametrize(
    ("numbers", "message"),
    [
        ({"dram": "sram"}, "dram must be one of ideal, restless, ddr3, not 'sram'"),
        ({"keys": 0}, "keys must be at least 1, not 0"),
        ({"skew": -1}, "skew must be at least 0, not -1"),
        ({"ratio": 0}, "ratio must be more than 0, not 0"),
    ],
)
def test_what_is_refused(numbers, message):
    with pytest.raises(ValueError, match=f"^{message}$"):
        predicted(64, 8, **numbers)


def _design(items, window, **options):
    query = parse(
        "CREATE INPUT STREAM S (k uint(6), x int(64), t uint(16));"
        f"SELECT k, {items} FROM S [PARTITION BY k {window}];"
    )
    return ENGINES["streamzip"](query=query, entries=64, **options)


@pytest.mark.parametrize(
    ("window", "numbers", "message"),
    [
        ("ROWS 64 SLIDE 8", {"size": 65}, "size must be at most 64, window_max, not 65"),
        ("RANGE 14 SLIDE 3 WATTR t", {"range": 24}, r"range must be below 8 slides .*, not 24"),
    ],
)
def test_windows_that_a_design_cannot_have_are_refused(window, numbers, message):
    with pytest.raises(ValueError, match=f"^{message}$"):
        _design("median(x)", window).predict(**numbers)


def test_each_pass_of_a_search_is_decoded():
    """With K = 4 windows of 1,024 every 256 take 1 + 0.6 * 6 = 4.6 passes."""
    options = {"codec": "xor", "decoders": 1, "neighbours": 4}
    once, several = (
        _design(f"{f}(x)", "ROWS 1024 SLIDE 256", **options) for f in ("max", "median")
    )
    assert once.prediction.slowest_stage == several.prediction.slowest_stage
    rates = [design.prediction.tuples_per_cycle for design in (once, several)]
    assert rates[1] == pytest.approx(rates[0] / 4.6)


def test_windows_wait_longer_for_answers_where_blocks_have_more_steps():
    """A block of 10 steps more takes 20 cycles more, in which the 32 windows of the buffer wait."""
    design = _design("median(x)", "ROWS 64 SLIDE 1", codec="xor", decoders=128, neighbours=4)
    predictions = [design.predict(keys=64, ratio=5, steps=steps) for steps in (60, 70)]
    assert {each.slowest_stage for each in predictions} == {"answers of windows with pivots"}
    cycles = [1 / each.tuples_per_cycle for each in predictions]
    assert cycles[1] - cycles[0] == pytest.approx(20 / 32)


def test_the_longest_search_is_a_whole_number_of_cycles():
    """Simulations wait for so many cycles; also with sums of floating point."""
    for items, type_ in (("median(x)", "int(64)"), ("median(x), sum(x)", "double")):
        query = parse(
            f"CREATE INPUT STREAM S (k uint(6), x {type_}); "
            f"SELECT k, {items} FROM S [PARTITION BY k ROWS 64 SLIDE 1];"
        )
        design = ENGINES["streamzip"](query=query, entries=64, percentiles="pivot", codec="xor")
        assert isinstance(design.predict().search, int)


def test_a_read_has_no_more_blocks_than_a_ring():
    """A window of 64 has 8 blocks at a ratio of 1, and a ring 16, of which one grows."""
    design = _design("max(x)", "ROWS 64 SLIDE 64", codec="base-delta")
    prediction = design.predict(keys=1, ratio=1)
    assert prediction.memory_traffic["lines read"] == pytest.approx(15 / 64)

"""Checks the compiled runner: data pass unchanged, and each defect breaks its rule."""

from dataclasses import replace

import numpy as np
import pytest

from sim.beats import Beats
from sim.bench import Bench
from sim.errors import BuildError, HangError, ProtocolError
from sim.job import ResetInStream
from tb.sim.designs import (
    COUNT,
    MAGIC,
    MAGIC_VALUE,
    MASK,
    TOP,
    inverted,
    passthrough,
    passthrough_bench,
    stream,
)

pytestmark = pytest.mark.hdl
WIDTHS = [1, 2, 3, 4, 7, 8, 9, 32, 100]


@pytest.fixture
def model(build_cache):
    def bench(size=4, defect=None):
        return passthrough_bench(size, defect, cache=build_cache)

    return bench


def beats_of(size, counts, seed=1):
    """Returns streams with these numbers of one-byte tuples, in beats of ``size`` lanes."""
    rng = np.random.default_rng(seed)
    return Beats.from_streams([rng.integers(0, 256, (n, 1), np.uint8) for n in counts], size)


@pytest.mark.in_turn
@pytest.mark.parametrize("size", WIDTHS)
@pytest.mark.parametrize(("stall_input", "stall_output"), [(0, 0), (0.5, 0), (0, 0.5), (0.5, 0.5)])
def test_every_width_and_stall(model, size, stall_input, stall_output):
    beats = beats_of(size, [300 * size + 1, 0, 1, size, 50])
    stalls = {"stall_input": stall_input, "stall_output": stall_output, "seed": 5}
    result = model(size).run(beats, **stalls, reads=[MAGIC, COUNT]).checked()
    assert result.beats.same(beats)
    assert result.reads == (MAGIC_VALUE, len(beats))
    if stall_input == stall_output == 0:
        assert result.input_stalled == result.output_stalled == 0
        assert (result.first_input, result.first_output) == (0, 1)
        assert result.beat_cycles.tolist() == list(range(1, len(beats) + 1))
        assert result.last_input == len(beats) - 1
    assert (result.output_stalled > 0) == (stall_output > 0)
    if stall_input == 0.5 and stall_output == 0:
        assert 1.7 * len(beats) < result.last_input < 2.3 * len(beats)


def test_pauses_before_beats(model):
    """A beat with a pause of n follows n cycles later than without; the cycles are by hand."""
    pause = np.array([0, 3, 0, 0, 7, 1], np.uint32)
    beats = replace(beats_of(4, [12, 12]), pause=pause)
    result = model().run(beats).checked()
    assert result.beats.same(beats)
    assert result.inputs["s_axis"].beat_cycles.tolist() == [0, 4, 5, 6, 14, 16]
    stalled = model().run(beats, stall_output=0.5, seed=2).checked()
    gaps = np.diff(stalled.inputs["s_axis"].beat_cycles) - 1
    assert (gaps >= pause[1:]).all()


def test_seeds(model):
    beats = beats_of(4, [400])
    options = {"stall_input": 0.3, "stall_output": 0.3}
    a, b, c = (model().run(beats, seed=seed, **options).checked() for seed in (1, 1, 2))
    assert np.array_equal(a.beat_cycles, b.beat_cycles)
    assert not np.array_equal(a.beat_cycles, c.beat_cycles)


@pytest.mark.in_turn
@pytest.mark.parametrize(
    ("defect", "message"),
    [
        ("WITHDRAWS", "m_axis: valid withdrawn before ready"),
        ("CHANGES", "m_axis: payload changed before ready"),
        ("CHANGES_KEEP", "m_axis: payload changed before ready"),
        ("WAITS_FOR_READY", "m_axis: valid or its payload depends on ready in the same cycle"),
        ("HANGS", "hang: no transfer in 500 cycles .* of 101 input beats taken and 0 of 1 tlasts"),
        ("EXTRA_LAST", "beat after the last expected tlast"),
        ("VALID_IN_RESET", "m_axis: valid during reset"),
        ("RUSHES_B", "s_axil_b: valid without a write"),
        ("CHANGES_R", "s_axil_r: payload changed before ready"),
        ("WITHDRAWS_R", "s_axil_r: valid withdrawn before ready"),
    ],
)
def test_broken_design_is_caught(model, defect, message):
    options = {
        "stall_output": 0.5,
        "seed": 2,
        "idle_timeout": 500,
        "writes": [(MASK, 0)] * 8,
        "background_reads": [MAGIC],
    }
    result = model(4, defect).run(beats_of(4, [404]), **options)
    assert result.error
    with pytest.raises(ProtocolError, match=message):
        result.checked()
    sound = model().run(beats_of(4, [404]), **options)
    assert sound.checked().error is None


def test_design_that_waits_a_cycle_for_ready_hangs(model):
    with pytest.raises(HangError, match="hang"):
        model(4, "WAITS_A_CYCLE_FOR_READY").run(beats_of(4, [400]), stall_output=0.9).checked()


@pytest.mark.in_turn(5)
def test_lost_beat_and_rubbish_show_in_the_data(model):
    beats = beats_of(4, [400])
    lost = model(4, "LOSES_BEAT").run(beats).checked()
    assert len(lost.beats) == len(beats) - 1
    rubbish = model(4, "LOOKS_WITHOUT_VALID").run(beats, stall_input=0.5, idle_timeout=500)
    assert not rubbish.beats.same(beats)


def test_lost_last_beat_is_a_hang(model):
    """Registers are read after the last beat, so after the hang there is no read."""
    result = model(4, "LOSES_BEAT").run(
        beats_of(4, [24]), idle_timeout=300, writes=[(MASK, 0)], reads=[MAGIC, MASK]
    )
    assert result.reads == ()
    with pytest.raises(HangError, match="6 of 6 input beats taken and 0 of 1 tlasts"):
        result.checked()


def test_packets_that_are_not_the_streams(model):
    """Every beat is a packet, so two streams have 11 packets."""
    beats = beats_of(4, [40, 3])
    beat_packets = model(4, "EXTRA_LAST")
    for stall in (0, 0.5):
        result = beat_packets.run(beats, packets=11, stall_output=stall).checked()
        assert result.beats.last.all()
        assert len(result.beats) == 11
    with pytest.raises(ProtocolError, match="m_axis: beat after the last expected tlast"):
        beat_packets.run(beats, packets=10).checked()
    with pytest.raises(HangError, match="11 of 11 input beats taken and 11 of 12 tlasts seen"):
        beat_packets.run(beats, packets=12, idle_timeout=200).checked()


def test_no_packets(model):
    """The run ends once all beats are accepted and no beat arrives for a while."""
    beats, swallows = beats_of(4, [40, 3]), model(4, "SWALLOWS")
    result = swallows.run(beats, packets=0, reads=[COUNT], drain=100).checked()
    assert (len(result.beats), result.reads) == (0, (11,))
    assert result.cycles > 110
    with pytest.raises(ProtocolError, match="m_axis: beat after the last expected tlast"):
        model().run(beats, packets=0).checked()


def test_packets_are_counted_from_a_reset_on(model):
    result = model(4, "EXTRA_LAST").run(beats_of(4, [44]), packets=11, reset=ResetInStream(cycle=7))
    assert len(result.checked().beats) == result.beats_before_reset + 11
    assert result.beats_before_reset > 0


def test_register_writes_between_streams(model):
    beats = beats_of(4, [40, 3, 0, 9])
    writes = {0: [(MASK, 0x11)], 1: [(MASK, 0xFF), (MASK, 0x22)], 3: [(MASK, 0)]}
    for stall in (0, 0.5):
        result = model().run(beats, writes=writes, reads=[MASK], stall_output=stall).checked()
        masks = [0x11, 0x22, 0x22, 0]
        for received, sent, mask in zip(
            result.beats.streams(1), beats.streams(1), masks, strict=True
        ):
            assert np.array_equal(received, sent ^ mask)
        assert result.reads == (0,)


@pytest.mark.parametrize("stall", [0, 0.5])
def test_no_output_is_taken_for_a_while(model, stall):
    """The run does not end before the output is accepted, and the input stalls."""
    beats = beats_of(4, [400, 3])
    result = model().run(beats, hold_output=2000, stall_output=stall, drain=50).checked()
    assert 2000 <= result.beat_cycles[0] < 2000 + 20
    assert result.input_stalled > 1900
    assert result.beats.same(beats)
    single = model().run(beats_of(4, [1]), packets=None, hold_output=2000, drain=50).checked()
    assert single.beat_cycles[0] == 2000


def test_background_reads_do_not_disturb(model):
    beats = beats_of(4, [4000])
    quiet = model().run(beats)
    busy = model().run(beats, background_reads=[MAGIC, MASK, COUNT], background_rate=0.5).checked()
    assert len(busy.background) > 100
    assert quiet.background == ()
    assert np.array_equal(busy.beat_cycles, quiet.beat_cycles)
    assert busy.beats.same(beats)


@pytest.mark.parametrize("stall", [0, 0.5])
def test_reset_in_a_stream(model, stall):
    beats = beats_of(4, [400, 100])
    reset = ResetInStream(cycle=57, beat=0)
    options = {"writes": [(MASK, 0x5A)], "stall_input": stall, "stall_output": stall}
    result = model().run(beats, reset=reset, reads=[COUNT], **options).checked()
    beats_before = result.beats_before_reset
    assert 0 < beats_before < 57
    beats_after = result.beats[beats_before:]
    assert all(
        np.array_equal(received, sent ^ 0x5A)
        for received, sent in zip(beats_after.streams(1), beats.streams(1), strict=True)
    )
    assert result.reads == (len(beats),)


def test_forgotten_reset_is_caught(model):
    """A design that ignores the reset continues the old stream, and misses the new mask."""
    beats = beats_of(4, [400, 100])
    options = {
        "writes": {0: [(MASK, 0x5A)], 1: [(MASK, 0)]},
        "reset": ResetInStream(cycle=57, beat=100),
    }
    sound = model().run(beats, **options).checked()
    assert sound.beats[sound.beats_before_reset :].same(beats[100:])
    broken = model(4, "FORGETS_RESET").run(beats, **options).checked()
    assert not broken.beats[broken.beats_before_reset :].same(beats[100:])


def test_reset_restarts_at_a_later_beat(model):
    beats = beats_of(4, [400, 100])
    reset = ResetInStream(cycle=57, beat=100)
    result = model().run(beats, reset=reset).checked()
    assert result.beats[result.beats_before_reset :].same(beats[100:])


def test_reset_after_the_end_is_refused(model):
    with pytest.raises(ValueError, match=r"reset\.cycle must be below"):
        model().run(beats_of(4, [40]), reset=ResetInStream(cycle=10_000))


def test_progress(model):
    beats = beats_of(4, [4000])
    states = []
    model().run(beats, chunk=100, progress=lambda *state: states.append(state))
    beat_counts = [beat_count for _, beat_count, _ in states]
    assert beat_counts == sorted(beat_counts)
    assert len(states) > 9
    assert states[-1][1:] == (1000, 1000)


def test_no_beats_only_registers(model):
    no_beats = beats_of(4, [4])[:0]
    assert model().run(no_beats, writes=[(MASK, 7)], reads=[MASK, MAGIC]).reads == (7, MAGIC_VALUE)


@pytest.mark.parametrize("size", [1, 9])
@pytest.mark.parametrize("stall", [0, 0.5])
def test_user(model, size, stall):
    """The design inverts beats with tuser; without users tuser is low, and random between beats."""
    sent, expected = inverted(beats_of(size, [100 * size + 1, 0, 1, 50]))
    stalls = {"stall_input": stall, "stall_output": stall, "seed": 5}
    assert model(size, "USER").run(sent, **stalls).checked().beats.same(expected)
    plain = beats_of(size, [400])
    assert model(size, "USER").run(plain, **stalls).checked().beats.same(plain)
    assert sent.user.any()
    assert not sent.user.all()


def bench_of(text, *streams, cache):
    return Bench(top=TOP, streams=streams, verilog=text, cache=cache)


def test_user_that_the_design_does_not_have(model, build_cache):
    beats = inverted(beats_of(4, [40]))[0]
    with pytest.raises(ValueError, match="beats of s_axis must be without user, as the top has no"):
        model().run(beats)
    streams = stream("s_axis", 4, user=1), stream("m_axis", 4)
    with pytest.raises(BuildError, match="s_axis_tuser"):
        bench_of(passthrough(4), *streams, cache=build_cache).run(beats)


def test_wrong_width_does_not_build(build_cache):
    streams = stream("s_axis", 8), stream("m_axis", 4)
    with pytest.raises(BuildError, match="s_axis_tdata is not 64 bits wide"):
        bench_of(passthrough(4), *streams, cache=build_cache).run(beats_of(8, [8]))


def test_bad_verilog_shows_the_log(build_cache):
    bench = bench_of("module top; garbage", stream("s_axis", 4), cache=build_cache)
    with pytest.raises(BuildError, match=r"(?s)verilator_bin failed.*syntax error"):
        bench.run(beats_of(4, [8]))


def test_wrong_arguments(model):
    with pytest.raises(ValueError, match="beats of s_axis must be of 4 bytes, not 8"):
        model().run(beats_of(8, [8]))
    with pytest.raises(ValueError, match=r"stall_output must be between 0 and 0.99, not 1.0"):
        model().run(beats_of(4, [8]), stall_output=1.0)
    with pytest.raises(ValueError, match="packets must be at least 0, not -1"):
        model().run(beats_of(4, [8]), packets=-1)
    with pytest.raises(ValueError, match="writes must name a stream below 1, not 1"):
        model().run(beats_of(4, [8]), writes={1: [(0, 0)]})


def test_speed(model):
    """The bound is a tenth of an idle machine's speed, so a busy machine passes, too."""
    result = model(32).run(beats_of(32, [4_000_000])).checked()
    assert result.cycles_per_second > 300_000

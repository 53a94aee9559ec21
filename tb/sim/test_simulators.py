"""Checks that cocotb in Verilator and Icarus agrees with the compiled runner, and finds defects.

Seeds: data 1, stalls 4.
"""

import numpy as np
import pytest

from sim.beats import Beats
from sim.bench import Bench
from sim.errors import BuildError, HangError, ProtocolError, ToolMissingError
from sim.job import ResetInStream
from sim.memory import Memory
from tb.sim.designs import (
    COUNT,
    MAGIC,
    MAGIC_VALUE,
    MASK,
    inverted,
    passthrough_bench,
    stream,
)

pytestmark = pytest.mark.hdl
SIMULATORS = ("verilator", "icarus")
SIZE = 9
LENGTHS = [60 * SIZE + 1, 0, 1, SIZE, 50]


@pytest.fixture
def run(build_cache):
    def call(simulator, beats, defect=None, **options):
        bench = passthrough_bench(SIZE, defect, cache=build_cache, simulator=simulator)
        return bench.run(beats, **options)

    return call


@pytest.fixture
def compiled(build_cache):
    return passthrough_bench(SIZE, cache=build_cache)


def beats_of(lengths):
    rng = np.random.default_rng(1)
    return Beats.from_streams([rng.integers(0, 256, (n, 1), np.uint8) for n in lengths], SIZE)


@pytest.mark.in_turn
def test_all_agree_cycle_for_cycle_without_stalls(run, compiled):
    beats = beats_of(LENGTHS)
    options = {"writes": [(MASK, 0x3C)], "reads": [MAGIC, MASK, COUNT]}
    reference = compiled.run(beats, **options).checked()
    assert reference.reads == (MAGIC_VALUE, 0x3C, len(beats))
    assert all(
        np.array_equal(received, sent ^ 0x3C)
        for received, sent in zip(reference.beats.streams(1), beats.streams(1), strict=True)
    )
    for simulator in SIMULATORS:
        result = run(simulator, beats, **options).checked()
        assert result.beats.same(reference.beats)
        assert np.array_equal(
            result.beat_cycles - result.first_input, reference.beat_cycles - reference.first_input
        )
        assert result.last_input - result.first_input == len(beats) - 1
        assert result.input_stalled == result.output_stalled == 0
        assert result.reads == reference.reads


@pytest.mark.in_turn
@pytest.mark.parametrize("stalls", [(0.5, 0.0), (0.0, 0.5), (0.5, 0.5)])
def test_all_agree_beat_for_beat_with_stalls(run, compiled, stalls):
    beats = beats_of(LENGTHS)
    options = dict(zip(("stall_input", "stall_output"), stalls, strict=True), seed=4)
    options["writes"] = {0: [(MASK, 1)], 2: [(MASK, 2)]}
    reference = compiled.run(beats, **options).checked()
    masks = [1, 1, 2, 2, 2]
    assert all(
        np.array_equal(received, sent ^ mask)
        for received, sent, mask in zip(
            reference.beats.streams(1), beats.streams(1), masks, strict=True
        )
    )
    results = [run(simulator, beats, **options).checked() for simulator in SIMULATORS]
    for result in results:
        assert result.beats.same(reference.beats)
        assert (result.output_stalled > 0) == (stalls[1] > 0)
        # With stalls in half of the cycles a beat takes 2 cycles on average.
        assert result.last_input - result.first_input > 1.6 * len(beats)
    assert np.array_equal(results[0].beat_cycles, results[1].beat_cycles)


@pytest.mark.in_turn
@pytest.mark.parametrize("simulator", SIMULATORS)
@pytest.mark.parametrize("stall", [pytest.param(0.0, marks=pytest.mark.regress), 0.5])
def test_user(run, simulator, stall):
    """The design inverts beats with tuser; without users tuser is low."""
    sent, expected = inverted(beats_of(LENGTHS))
    stalls = {"stall_input": stall, "stall_output": stall, "seed": 4}
    assert run(simulator, sent, "USER", **stalls).checked().beats.same(expected)
    plain = beats_of(LENGTHS[1:])
    assert run(simulator, plain, "USER", **stalls).checked().beats.same(plain)
    assert sent.user.any()
    assert not sent.user.all()


def test_user_that_the_design_does_not_have(run):
    with pytest.raises(ValueError, match="beats of s_axis must be without user, as the top has no"):
        run("icarus", inverted(beats_of([30]))[0])


@pytest.mark.in_turn
@pytest.mark.parametrize(
    ("defect", "message"),
    [
        ("WITHDRAWS", "m_axis: valid withdrawn before ready"),
        ("CHANGES", "m_axis: payload changed before ready"),
        ("CHANGES_KEEP", "m_axis: payload changed before ready"),
        (
            "HANGS",
            "hang: no transfer in 300 cycles, with 8 of 40 input beats taken and 0 of 1 tlasts",
        ),
        ("EXTRA_LAST", "m_axis: beat after the last expected tlast"),
        ("VALID_IN_RESET", "m_axis: valid during reset"),
        ("CHANGES_R", "s_axil_r: payload changed before ready"),
        ("WITHDRAWS_R", "s_axil_r: valid withdrawn before ready"),
    ],
)
def test_broken_design_is_caught_in_icarus(run, defect, message):
    result = run(
        "icarus",
        beats_of([40 * SIZE]),
        defect,
        stall_output=0.5,
        seed=4,
        idle_timeout=300,
        reads=[COUNT] * 8,
    )
    with pytest.raises(ProtocolError, match=message):
        result.checked()


@pytest.mark.in_turn
def test_broken_design_is_caught_in_verilator(run):
    result = run("verilator", beats_of([40 * SIZE]), "CHANGES", stall_output=0.5, seed=4)
    with pytest.raises(ProtocolError, match="m_axis: payload changed before ready"):
        result.checked()


@pytest.mark.in_turn
def test_packets_that_are_not_the_streams(run):
    beats = beats_of([2 * SIZE + 1, 1])
    assert run("icarus", beats, "EXTRA_LAST", packets=4).checked().beats.last.all()
    with pytest.raises(ProtocolError, match="m_axis: beat after the last expected tlast"):
        run("icarus", beats, "EXTRA_LAST", packets=3).checked()
    with pytest.raises(HangError, match="with 4 of 4 input beats taken and 4 of 5 tlasts seen"):
        run("icarus", beats, "EXTRA_LAST", packets=5, idle_timeout=200).checked()
    nothing = run("icarus", beats, "SWALLOWS", packets=0, reads=[COUNT]).checked()
    assert (len(nothing.beats), nothing.reads) == (0, (4,))


def test_lost_last_beat_is_a_hang(run):
    with pytest.raises(HangError, match="with 6 of 6 input beats taken and 0 of 1 tlasts"):
        run("icarus", beats_of([6 * SIZE]), "LOSES_BEAT", idle_timeout=200).checked()


def test_lost_beat_shows_in_the_data(run):
    beats = beats_of([20 * SIZE])
    assert len(run("icarus", beats, "LOSES_BEAT").checked().beats) == len(beats) - 1


def test_refusals(run, build_cache):
    beats = beats_of([5])
    with pytest.raises(ValueError, match="simulator must be one of compiled, verilator, icarus, n"):
        run("vcs", beats)
    with pytest.raises(ValueError, match="beats of s_axis must be whole streams"):
        run("icarus", beats_of([60])[:1])
    with pytest.raises(ValueError, match="reset must not be given through cocotb"):
        run("icarus", beats, reset=ResetInStream(cycle=3))
    with pytest.raises(ValueError, match="background_reads must not be given through cocotb"):
        run("icarus", beats, background_reads=[MAGIC])
    with pytest.raises(ValueError, match="backend must be ideal through cocotb, not ddr3"):
        run("icarus", beats, memory=Memory(backend="ddr3"))
    with pytest.raises(ValueError, match="reorder must not be given for cocotb"):
        run("icarus", beats, memory=Memory(reorder=True))
    bench = Bench(
        top="top",
        streams=[stream("s_axis", SIZE)],
        verilog="module top; garbage",
        cache=build_cache,
        simulator="icarus",
    )
    with pytest.raises(BuildError, match=r"(?s)icarus failed.*syntax error"):
        bench.run(beats)


def test_limit(run, compiled):
    beats = beats_of([40 * SIZE])
    message = "hang: not at its end after 20 cycles, with .* of 40 input beats taken and 0 of 1"
    with pytest.raises(HangError, match=message):
        run("icarus", beats, limit=20).checked()
    with pytest.raises(HangError, match=message):
        compiled.run(beats, limit=20).checked()


@pytest.mark.parametrize(("simulator", "program"), [("icarus", "iverilog"), ("verilator", "g++")])
def test_missing_tool_is_named(monkeypatch, tmp_path, simulator, program):
    monkeypatch.setenv("PATH", str(tmp_path))
    bench = passthrough_bench(SIZE, cache=tmp_path, simulator=simulator)
    with pytest.raises(ToolMissingError, match=f"tool missing: {program}".replace("+", r"\+")):
        bench.run(beats_of([5]))

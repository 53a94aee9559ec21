"""Checks a top with several streams by name, in the compiled runner and in Icarus.

The design is two pass-throughs that receive the same register writes.
"""

import numpy as np
import pytest

from sim.beats import Beats
from sim.bench import Bench
from sim.errors import HangError, ProtocolError
from sim.job import ResetInStream
from tb.sim.designs import MASK, TOP, passthrough, stream, twin

pytestmark = pytest.mark.hdl
SIZE = 4
NAMES = "s_axis", "s_axis_1", "m_axis", "m_axis_1"


@pytest.fixture
def bench(build_cache):
    def build(simulator="compiled", defect=None):
        return Bench(
            top="twin",
            streams=[stream(name, SIZE) for name in NAMES],
            verilog=twin(passthrough(SIZE, defect), TOP),
            cache=build_cache,
            simulator=simulator,
        )

    return build


def beats_of(*lengths):
    """Returns beats of random streams with these numbers of bytes."""
    rng = np.random.default_rng(sum(lengths))
    return Beats.from_streams([rng.integers(0, 256, (n, 1), np.uint8) for n in lengths], SIZE)


#: Streams of each slave, and the number of packets that each master sends for them.
TWO = {"s_axis": beats_of(90, 0, 7), "s_axis_1": beats_of(300, 41)}
BOTH = {"m_axis": 3, "m_axis_1": 2}


@pytest.mark.in_turn(5)
@pytest.mark.parametrize("stalls", [{}, {"stall_input": 0.5, "stall_output": 0.5, "seed": 4}])
@pytest.mark.parametrize("simulator", ["compiled", "icarus"])
def test_each_stream_by_its_name(bench, simulator, stalls):
    outcome = bench(simulator).run(TWO, packets=BOTH, **stalls).checked()
    for slave, master in (("s_axis", "m_axis"), ("s_axis_1", "m_axis_1")):
        assert outcome.outputs[master].beats.same(TWO[slave])
        assert outcome.inputs[slave].accepted == len(TWO[slave])
        assert (outcome.outputs[master].stalled > 0) == bool(stalls)
    assert outcome.beats is outcome.outputs["m_axis"].beats
    assert outcome.last_input == outcome.inputs["s_axis"].last
    assert outcome.inputs["s_axis_1"].last > outcome.last_input
    if not stalls:
        output = outcome.outputs["m_axis_1"]
        count = len(TWO["s_axis_1"])
        assert output.beat_cycles.tolist() == list(range(output.first, output.first + count))
        assert output.last - outcome.inputs["s_axis_1"].last == 1


@pytest.mark.parametrize("simulator", ["compiled", "icarus"])
def test_writes_hold_back_every_stream_of_their_index(bench, simulator):
    """The writes before stream 1 wait until both slaves have sent stream 0. The design samples the
    mask at the first beat of a stream."""
    writes = {0: [(MASK, 0x11)], 1: [(MASK, 0x22)]}
    outcome = bench(simulator).run(TWO, writes=writes, packets=BOTH, stall_input=0.3).checked()
    for slave, master in (("s_axis", "m_axis"), ("s_axis_1", "m_axis_1")):
        received, sent = outcome.outputs[master].beats.streams(1), TWO[slave].streams(1)
        masks = (0x11, 0x22, 0x22)[: BOTH[master]]
        for mask, a, b in zip(masks, received, sent, strict=True):
            assert np.array_equal(a, b ^ mask)


@pytest.mark.in_turn(5)
@pytest.mark.parametrize("simulator", ["compiled", "icarus"])
def test_any_number_of_packets(bench, simulator):
    """``m_axis_1`` has no entry in ``packets``, so it may send any number of packets: the run ends
    once no beat arrives for a while."""
    late = {"s_axis": TWO["s_axis"], "s_axis_1": beats_of(4, 4)}
    outcome = bench(simulator).run(late, packets={"m_axis": None}).checked()
    assert outcome.outputs["m_axis_1"].beats.same(late["s_axis_1"])
    single = bench(simulator).run({"s_axis": TWO["s_axis"]}).checked()
    assert len(single.outputs["m_axis_1"].beats) == single.inputs["s_axis_1"].accepted == 0
    assert single.inputs["s_axis_1"].first is single.outputs["m_axis_1"].last is None


@pytest.mark.in_turn(5)
@pytest.mark.parametrize("simulator", ["compiled", "icarus"])
def test_packets_of_the_second_master(bench, simulator):
    with pytest.raises(ProtocolError, match="m_axis_1: beat after the last expected tlast"):
        bench(simulator).run(TWO, packets={"m_axis_1": 1}).checked()
    message = "with 112 of 112 input beats taken and 5 of 6 tlasts seen"
    with pytest.raises(HangError, match=message):
        bench(simulator).run(TWO, packets=BOTH | {"m_axis_1": 3}, idle_timeout=200).checked()


def test_broken_rule_names_its_stream(bench):
    outcome = bench(defect="CHANGES").run(TWO, packets=BOTH, stall_output=0.5)
    assert {text.partition(":")[0] for text in outcome.violations} >= {"m_axis", "m_axis_1"}


def test_reset_begins_again(bench):
    outcome = bench().run(TWO, packets=None, reset=ResetInStream(cycle=40, beat=23)).checked()
    first, second = (outcome.outputs[name] for name in ("m_axis", "m_axis_1"))
    assert first.beats[first.before_reset :].same(TWO["s_axis"][23:])
    assert second.beats[second.before_reset :].same(TWO["s_axis_1"])


def test_refusals(bench):
    beats = TWO["s_axis"]
    for streams, message in (
        (beats, "streams must be named, as there are 2 slaves"),
        ({"m_axis": beats}, "streams must name slaves of the top, not m_axis"),
    ):
        with pytest.raises(ValueError, match=message):
            bench().run(streams)
    with pytest.raises(ValueError, match="packets must name masters of the top, not s_axis"):
        bench().run(TWO, packets={"s_axis": 1})
    with pytest.raises(ValueError, match="packets must be at least 0, not -2"):
        bench().run(TWO, packets={"m_axis_1": -2})

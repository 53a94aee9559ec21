"""The top of an engine with more streams than one pair, and a memory master."""

import random
import re

import numpy as np
import pytest
from amaranth.hdl import Shape
from amaranth.lib.wiring import In, Out

from rtl.bus.ports import buses_of, ports_of
from rtl.bus.top_registers import counters_of, flags_of, registers_of
from sim.beats import Beats
from sim.job import SoftReset
from sim.memory import Fault, Memory
from tb.rtl.bus.many_buses import LINE, many_buses
from tb.rtl.bus.soft_reset import cut_packet
from tb.rtl.bus.tops import top_of

BUSES = ("s_axis", "m_axis", "s_axis_updates", "m_axis_evicted", "s_axil", "m_axi")
COUNTERS = (
    *("tuples", "streams", "stall_in", "cut", "rows", "stall_out"),
    *("tuples_updates", "streams_updates", "stall_in_updates", "cut_updates"),
    *("rows_evicted", "stall_out_evicted"),
    "fetched",
)


def test_buses():
    buses = buses_of(many_buses())
    assert tuple(bus.name for bus in buses) == BUSES
    assert [bus.kind for bus in buses] == ["axis"] * 4 + ["aximm"] * 2
    assert [bus.mode for bus in buses] == [
        *("slave", "master", "slave", "master"),
        *("slave", "master"),
    ]


@pytest.mark.parametrize(
    ("port", "flow", "width"),
    [
        ("aclk", In, 1),
        ("s_axis_tdata", In, 8),
        ("s_axis_updates_tdata", In, 2 * 16),
        ("s_axis_updates_tkeep", In, 4),
        ("s_axis_updates_tuser", In, 1),
        ("s_axis_updates_tready", Out, 1),
        ("m_axis_evicted_tdata", Out, 2 * 16),
        ("m_axis_evicted_tready", In, 1),
        ("s_axil_awaddr", In, 12),
        ("m_axi_awaddr", Out, 20),
        ("m_axi_wdata", Out, 64),
        ("m_axi_wstrb", Out, 8),
        ("m_axi_rdata", In, 64),
        ("m_axi_rid", In, 4),
        ("m_axi_arready", In, 1),
    ],
)
def test_ports(port, flow, width):
    member = ports_of(many_buses())[port]
    assert (member.flow, Shape.cast(member.shape).width) == (flow, width)


def test_no_other_stream_has_tuser():
    ports = ports_of(many_buses())
    assert [name for name in ports if name.endswith("tuser")] == ["s_axis_updates_tuser"]


def test_the_streams_counters_bear_their_names():
    design = many_buses()
    counters = {counter.name: counter for counter in counters_of(design)}
    assert tuple(counters) == COUNTERS
    assert counters["tuples_updates"].doc == "tuples taken from s_axis_updates"
    assert (counters["tuples"].max_increment, counters["tuples_updates"].max_increment) == (1, 2)
    assert counters["stall_out_evicted"].doc.startswith("cycles in which m_axis_evicted offered")
    registers = registers_of(design)
    assert [registers[f"{name}_low"].address for name in COUNTERS] == list(range(0x400, 0x468, 8))
    flags = [flag.name for flag in flags_of(design)]
    assert flags == ["bad_function", "bad_beat", "too_long", "bad_setting", "bad_response"]
    assert [field.name for field in registers["status"].fields] == [*flags, "busy"]


@pytest.fixture(scope="module")
def top():
    return top_of(many_buses())


@pytest.mark.hdl
def test_interface_attributes(top):
    """Each port except clock and reset names its interface, and the interfaces name the clock."""
    text = top.bench.verilog
    interfaces = re.findall(
        r'X_INTERFACE_INFO = "xilinx.com:interface:(\w+):1.0 (\w+) (\w+)" \*\)\s*'
        r"(?:input|output) (?:\[\d+:0\] )?(\w+);",
        text,
    )
    expected = [
        (bus.kind, bus.name.upper(), role.upper(), f"{bus.name}_{role}")
        for bus in buses_of(top.design)
        for role in bus.members
    ]
    assert sorted(interfaces) == sorted(expected)
    associated = ":".join(name.upper() for name in BUSES)
    assert f'"ASSOCIATED_BUSIF {associated}, ASSOCIATED_RESET aresetn"' in text


STALLS = [{}, {"stall_input": 0.4, "stall_output": 0.4, "seed": 5}]


def beats_of_pairs(streams):
    """Returns beats of two lanes; each stream is a list of pairs (k, y)."""
    rows = [np.array(pairs, np.uint8).reshape(-1, 2) for pairs in streams]
    return Beats.from_streams(rows, 2)


@pytest.mark.hdl
@pytest.mark.parametrize("stalls", STALLS)
def test_streams_and_memory(stalls, top):
    """Streams pass both pairs of buses at once, each with the setting at its first beat.

    The second setting is written while the first streams may be in the core.
    """
    contents = {LINE * k: bytes([7 * k % 256]) for k in range(256)}
    numbers = [np.arange(k, k + 20, dtype=np.uint8)[:, None] for k in (0, 200)]
    updates = [[(k, k % 32) for k in range(9)], [(250, 31)]]
    beats = beats_of_pairs(updates)
    flagged = Beats(beats.data, beats.keep, beats.last, np.arange(len(beats)) == 1)
    outcome, read = top.run(
        {"s_axis": Beats.from_streams(numbers, 1), "s_axis_updates": flagged},
        {0: [("plus", 3)], 1: [("plus", 10)]},
        ["status", *(f"{name}_low" for name in COUNTERS)],
        packets={"m_axis": 2, "m_axis_evicted": 2},
        memory=Memory(contents=contents, stall=0.2),
        **stalls,
    )
    rows = [packet.ravel().tolist() for packet in outcome.beats.streams(1)]
    assert rows == [
        [(7 * k + plus) % 256 for k in range(begin, begin + 20)]
        for begin, plus in ((0, 3), (200, 10))
    ]
    evicted = outcome.outputs["m_axis_evicted"].beats
    # The second beat is flagged, so its tuples (2, 2) and (3, 3) do not count. The engine sends one
    # row for this beat, from lane 0, with y one greater: (5, 3).
    first_rows, second_rows = [(k + 3, k) for k in range(9)], [(4, 31)]
    first_rows[2:4] = [(5, 3)]
    data, keep, ends = evicted.data.reshape(-1, 2), evicted.keep[:, ::2].ravel(), evicted.ends
    rows_of_pairs = [tuple(row) for row in data[keep].tolist()]
    assert rows_of_pairs == first_rows + second_rows
    assert ends.tolist() == [4, 5]
    counted = {name: read[f"{name}_low"] for name in COUNTERS}
    assert read["status"] == set()
    assert outcome.memory["m_axi"].lines_read == counted["fetched"] == 40
    assert (counted["tuples"], counted["streams"], counted["rows"]) == (40, 2, 40)
    assert (counted["tuples_updates"], counted["streams_updates"]) == (8, 2)
    assert counted["rows_evicted"] == 9
    for name, port in (("stall_in", "s_axis"), ("stall_in_updates", "s_axis_updates")):
        assert counted[name] == outcome.inputs[port].stalled
    for name, port in (("stall_out", "m_axis"), ("stall_out_evicted", "m_axis_evicted")):
        assert counted[name] == outcome.outputs[port].stalled


@pytest.mark.hdl
def test_an_error_of_the_memory_reaches_the_status_register(top):
    numbers = np.arange(4, dtype=np.uint8)[:, None]
    beats = {"s_axis": Beats.from_streams([numbers], 1)}
    memory = Memory(faults=(Fault(address=2 * LINE),))
    outcome, read = top.run(beats, None, ["status"], memory=memory)
    assert read["status"] == {"bad_response"}
    assert outcome.memory["m_axi"].errors == 1


@pytest.mark.hdl
@pytest.mark.parametrize("wait", [False, True], ids=["at once", "waiting"])
def test_a_soft_reset_in_any_cycle(top, wait):
    """A reset meets both inputs, both outputs and the memory; each is cut in some of the runs.

    Reads of the memory that are under way at the reset are answered before the engine starts anew.
    """
    cut = set()
    for seed in range(60):
        rng = random.Random(f"{seed} {wait}")
        numbers = [rng.choices(range(256), k=rng.choice((1, 3, 12))) for _ in range(8)]
        updates = [
            [(k, rng.randrange(32)) for k in range(rng.choice((1, 4, 15)))] for _ in range(9)
        ]
        inputs = {
            "s_axis": Beats.from_streams([np.array(n, np.uint8)[:, None] for n in numbers], 1),
            "s_axis_updates": beats_of_pairs(updates),
        }
        outcome, read = top.run(
            inputs,
            {0: [("plus", 3)]},
            ["status", *(f"{name}_low" for name in COUNTERS)],
            reset=SoftReset(cycle=rng.randrange(10, 300), wait=wait),
            drain=600,
            memory=Memory(
                contents={LINE * k: bytes([7 * k % 256]) for k in range(256)}, stall=0.5, delay=20
            ),
            seed=seed,
            **rng.choice([{}, {"stall_input": 0.5, "stall_output": 0.7}]),
        )
        counted = {name: read[f"{name}_low"] for name in COUNTERS}
        assert read["status"] == set()
        packets = {
            name: [part.tolist() for part in outcome.outputs[name].beats.streams(size)]
            for name, size in (("m_axis", 1), ("m_axis_evicted", 2))
        }
        answers = {
            "m_axis": [[[(7 * k + 3) % 256] for k in stream] for stream in numbers],
            "m_axis_evicted": [[[k + 3, y] for k, y in stream] for stream in updates],
        }
        for (name, beats), (output, answer) in zip(inputs.items(), answers.items(), strict=True):
            beat_cycles = outcome.inputs[name].beat_cycles
            old_count = int((beat_cycles[beats.starts] <= outcome.soft_reset + 1).sum())
            suffix = name[len("s_axis") :]
            if cut_packet(packets[output], answer[:old_count], answer[old_count:]):
                cut.add(output)
            assert counted[f"tuples{suffix}"] == sum(map(len, answer[old_count:]))
            cut |= {name} if counted[f"cut{suffix}"] else set()
        assert counted["fetched"] == counted["tuples"]
    assert cut == {*inputs, *answers}

"""The ports that a component's docstring names under ``Members`` are those that it has."""

import re
from fractions import Fraction

import pytest
from amaranth.hdl import signed
from amaranth.lib import data
from rtl.engine.aggregation import Aggregation
from rtl.engine.arrivals import Arrivals
from rtl.engine.filter import Filter
from rtl.engine.guard import Guard
from rtl.engine.rows import WindowRows

from rtl.aggregate.count import Count
from rtl.aggregate.division import Divider
from rtl.aggregate.lower import Lower
from rtl.aggregate.targets import CompiledTargets, RunTimeTargets
from rtl.bus.axi_lite import AxiLiteSlave
from rtl.bus.axi_stream import StreamMaster, StreamSlave
from rtl.bus.register_file import RegisterFile
from rtl.bus.registers import register_map
from rtl.contract.packing import Packing
from rtl.memory.block import BlockMemory
from rtl.network.boundaries import GroupBoundaries
from rtl.network.butterfly import ReverseButterfly
from rtl.network.compactor import RoundRobinCompactor, Router
from rtl.network.dense import DenseBuffer
from rtl.network.ranks import Ranks
from rtl.network.rolling import RollingScan
from rtl.network.scan import PrefixScan
from rtl.sort.banks import MergeBanks
from rtl.sort.cardinality import GroupTotals
from rtl.sort.chunk import ChunkSorter
from rtl.sort.flims import FlimsMerger
from rtl.sort.group_marks import GroupMarks
from rtl.sort.linear import LinearSorter
from rtl.sort.merge_sorter import MergeSorter
from rtl.sort.order import SortOrder
from rtl.sort.schedule import ChunkSchedule
from rtl.sort.store import ChunkStore
from rtl.sort.switch import TreeSwitch
from rtl.sort.tree import MergeTree
from rtl.sort.way_fetch import WayFetch
from rtl.sort.way_levels import WayNodes, WaySlots, way_layout
from rtl.sort.way_sequencer import WaySequencer
from rtl.sort.ways import WayMerger
from rtl.sort.window_slots import WindowSlots
from rtl.sort.writer import ChunkWriter
from rtl.stream.queue import StreamQueue
from rtl.stream.register import StreamRegister
from rtl.stream.selection import Selection
from rtl.stream.skid import SkidBuffer
from rtl.window.evict_path import EvictPath
from rtl.window.pane_measure import PaneMeasure
from rtl.window.panes import PaneGate
from rtl.window.punctuation import Punctuator
from rtl.window.replay import ReplayBuffer
from rtl.window.sequential import Sequential
from rtl.window.sliding import Sliding
from rtl.window.stacks_path import StacksPath
from rtl.window.turn import RingTurn
from rtl.window.window_control import WindowControl
from rtl.window.window_id import WindowModules, WindowRing
from tb.rtl.engine.rows_bench import point as rows_point
from tb.rtl.engine.swag_bench import point
from tb.rtl.engine.time_bench import point as timed_point
from tb.rtl.stream.test_selection import A, query

ROW = data.StructLayout({"key": signed(3), "x": 2})
PACKING = Packing((("key", signed(3)), ("x", 2)))
ORDER = SortOrder(ROW, ("key",))
HALF = Fraction(1, 2)
SWAG = point("uint(4)", "int(6)", where="WHERE y < 4", capacity=8, window_max=64)
COUNTED = SortOrder(ROW, ("key", "x"), group="key", cardinality=4)
REGISTERS = register_map(configuration=0, capabilities=0, functions=())

COMPONENTS = [
    lambda: StreamRegister(8),
    lambda: SkidBuffer(8),
    lambda: StreamQueue(8, 4),
    lambda: Selection(query(None, A), data.StructLayout({"a": signed(4)}), 2),
    lambda: PrefixScan(Count(4), 2),
    lambda: RollingScan(Count(4), 2, tuples=9),
    lambda: ReverseButterfly(8, 4),
    lambda: DenseBuffer(8, 4),
    lambda: Router(8, 4),
    lambda: RoundRobinCompactor(8, 4),
    lambda: GroupBoundaries(ROW, 2, key="key"),
    lambda: Divider(8, 4, 4),
    lambda: Lower(Count(4), 2, tuples=9),
    lambda: StreamSlave(PACKING, ROW, 2, gaps=False, context=3),
    lambda: StreamMaster(PACKING, ROW, 2),
    lambda: AxiLiteSlave(8),
    lambda: RegisterFile(REGISTERS, functions=0, increments={}),
    lambda: GroupMarks(2),
    lambda: LinearSorter(ORDER, 2),
    lambda: ChunkSorter(ORDER, 2, 4, 16),
    lambda: FlimsMerger(ORDER, 2),
    lambda: MergeBanks(ORDER, 2, input_lanes=1, depth=8),
    lambda: GroupTotals(COUNTED, 2),
    lambda: MergeTree(ORDER, 4),
    lambda: TreeSwitch(ORDER, 2, 3, 1),
    lambda: ChunkWriter(ORDER, 2, 4, 4),
    lambda: WaySlots(way_layout(ORDER, counted=True), 2, bypass=True),
    lambda: WayNodes(COUNTED, 2, counted=True),
    lambda: WaySequencer(4, 4, 16),
    lambda: WayFetch(4, 4, 16),
    lambda: WayMerger(ORDER, 4, 4, 16),
    lambda: WindowSlots(2, 4, 4),
    lambda: ChunkStore(ORDER, 2, 4, 16),
    lambda: ChunkSchedule(3, 2, 4, one_tree=True),
    lambda: MergeSorter(ORDER, 2, 4, 16),
    lambda: BlockMemory(4, 8),
    lambda: Ranks(ROW, 2, targets=(HALF,), tuples=9),
    lambda: CompiledTargets(HALF, 2, 9),
    lambda: RunTimeTargets(2, 9),
    lambda: Guard(ROW, 2, data.StructLayout({"size": 3}), lambda settings: settings.size == 0),
    lambda: Filter(SWAG),
    lambda: Aggregation(SWAG),
    lambda: SWAG.create(),
    lambda: ReplayBuffer(ROW, 2, 4),
    lambda: Punctuator(ROW, 4, made=True),
    lambda: RingTurn(2, 4),
    lambda: WindowControl(operator=Count(4), tuples=9, modules=2, row=ROW, width=4),
    lambda: WindowRing(operator=Count(4), tuples=9, modules=2, width=4),
    lambda: WindowModules(operator=Count(4), tuples=9, modules=2, row=ROW, width=4),
    lambda: Sequential(operator=Count(4), tuples=9, items_max=4, stamp=3),
    lambda: Sliding(operator=Count(4), tuples=9, items_max=4, stamp=3),
    lambda: StacksPath(Count(4), Count(4).state(1), Count(4).state(9), 4),
    lambda: EvictPath(Count(4), Count(4).state(1), Count(4).state(9), 4),
    lambda: PaneMeasure(4, 4),
    lambda: PaneGate(row=ROW, width=4, panes_max=4),
    lambda: Arrivals(timed_point("window-id")),
    lambda: WindowRows(timed_point("window-id")),
    lambda: timed_point("window-id").create(),
    lambda: timed_point("pane").create(),
    lambda: rows_point().create(),
]


def section(component, title):
    """Lines of a section of the docstring, without the description's."""
    text = type(component).__doc__
    body = re.search(rf"\n    {title}\n    -+\n(.*?)(\n\n    \S|\Z)", text, re.DOTALL)
    return [] if body is None else re.findall(r"^    (\S.*)$", body[1], re.MULTILINE)


@pytest.mark.parametrize("make", COMPONENTS)
def test_members(make):
    component = make()
    real = {name: member.flow.name for name, member in component.signature.members.items()}
    told = {}
    for line in section(component, "Members"):
        names, _, rest = line.partition(" : ")
        names = names.split(", ")
        if names[-1] == "...":  # leaf0, leaf1, ...: as many as there are
            alike = re.compile(re.sub(r"\d+", r"\\d+", names[0]))
            names = [name for name in real if alike.fullmatch(name)]
            assert len(names) > 1
        told |= dict.fromkeys(names, rest.partition("(")[0])
    assert told == real


@pytest.mark.parametrize("make", COMPONENTS)
def test_rate_and_latency_are_told(make):
    component = make()
    text = type(component).__doc__.lower()
    if any("stream" in line for line in section(component, "Members")):
        assert component.latency >= 0
        assert component.initiation_interval == 1
        assert "latency" in text
        assert "initiation interval" in text

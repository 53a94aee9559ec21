"""Checks that the ``Members`` in a component's docstring are the ports of the component."""

import gc
import re
import warnings
from dataclasses import replace
from fractions import Fraction
from functools import cache
from importlib import import_module
from inspect import isabstract
from pkgutil import walk_packages

import pytest
from amaranth.hdl import Fragment, UnusedElaboratable, signed
from amaranth.lib import data
from amaranth.lib.wiring import Component

import rtl
from rtl.aggregate.count import Count
from rtl.aggregate.division import Divider
from rtl.aggregate.float_division import FloatDivider
from rtl.aggregate.lower import Lower
from rtl.aggregate.targets import CompiledTargets, RunTimeTargets
from rtl.bus.avalon import AvalonRegisters, AvalonSink, AvalonSource
from rtl.bus.axi_lite import AxiLiteSlave
from rtl.bus.axi_memory import MemoryGuard
from rtl.bus.axi_stream import StreamMaster, StreamSlave
from rtl.bus.gearbox import Gearbox
from rtl.bus.packet_cutter import PacketCutter
from rtl.bus.packet_ends import PacketEnds
from rtl.bus.pieces import Pieces
from rtl.bus.register_file import RegisterFile
from rtl.bus.registers import register_map
from rtl.bus.stream_gate import StreamGate
from rtl.contract.buses import MemoryBus
from rtl.contract.counters import BAD_SETTING, LATE, Flag
from rtl.contract.packing import Packing
from rtl.contract.settings import HostSettings
from rtl.engine.parts.aggregation import Aggregation
from rtl.engine.parts.arrivals import Arrivals
from rtl.engine.parts.grouping import Grouping
from rtl.engine.parts.intake import Intake, IntakePlan
from rtl.engine.parts.kernel_plan import KernelPlan
from rtl.engine.parts.kernels import Kernels
from rtl.engine.parts.results import Results
from rtl.engine.parts.rows import WindowRows
from rtl.engine.parts.stream_tracker import StreamTracker
from rtl.engine.parts.time_windows import TimeWindows
from rtl.engine.streamzip.answers import Answers, kernel_passenger
from rtl.ethernet.arp import Arp
from rtl.ethernet.arp_reply import ArpReply
from rtl.ethernet.datagrams import Datagrams
from rtl.ethernet.delay import Delay
from rtl.ethernet.echo import Echo
from rtl.ethernet.face import NetworkFace
from rtl.ethernet.frame_arbiter import FrameArbiter
from rtl.ethernet.frame_buffer import FrameBuffer
from rtl.ethernet.frame_check import FrameCheck
from rtl.ethernet.ip_checksum import IpChecksum
from rtl.ethernet.ip_header import IpHeader
from rtl.ethernet.ip_writer import IpWriter
from rtl.ethernet.ipv4 import Ipv4
from rtl.ethernet.mac_header import MacHeader
from rtl.ethernet.ones_sum import OnesSum
from rtl.ethernet.realign import Realign
from rtl.ethernet.receive import Receive
from rtl.ethernet.settings import SETTINGS as NETWORK_SETTINGS
from rtl.ethernet.transmit import Transmit
from rtl.ethernet.udp_port import UdpPort
from rtl.float.adder import FloatAdder
from rtl.float.format import HALF as HALF_PRECISION
from rtl.keyed.cache.block_walk import BlockWalk
from rtl.keyed.cache.block_walks import BlockWalks
from rtl.keyed.cache.cache_plan import CachePlan
from rtl.keyed.cache.cached_keys import CachedKeys
from rtl.keyed.cache.cached_lines import CachedLines
from rtl.keyed.cache.cached_values import CachedValues
from rtl.keyed.cache.no_cache import NoCache, NoLines, NoReports, NoWindows
from rtl.keyed.cache.walk_reports import WalkReports
from rtl.keyed.cache.window_cache import WindowCache
from rtl.keyed.codec.base_delta.base_delta import BaseDelta
from rtl.keyed.codec.block_format import block_info_layout
from rtl.keyed.codec.block_turns import BlockTurns
from rtl.keyed.codec.change_decoder import ChangeDecoder
from rtl.keyed.codec.codecs import CODEC_ENTRIES
from rtl.keyed.codec.compressor import Compressor
from rtl.keyed.codec.decoder_pool import DecoderPool
from rtl.keyed.codec.decompressor import Decompressor
from rtl.keyed.codec.fold import Fold
from rtl.keyed.codec.folding_decoder import FoldingDecoder
from rtl.keyed.codec.line_states import LineStates
from rtl.keyed.codec.packer import Packer
from rtl.keyed.codec.sz.interval import SzInterval
from rtl.keyed.codec.sz.sz import Sz, SzEncoder
from rtl.keyed.codec.sz.values import SzValues
from rtl.keyed.codec.xor import Xor
from rtl.keyed.dram.burst_order import BurstOrder
from rtl.keyed.dram.bursts import BurstCutter
from rtl.keyed.dram.line_buffer import LineBuffer
from rtl.keyed.dram.line_memory import LineMemory
from rtl.keyed.dram.line_port import LinePort
from rtl.keyed.dram.line_stripes import LineCollector, LineDealer
from rtl.keyed.dram.lines import LineMap
from rtl.keyed.dram.outstanding import Outstanding
from rtl.keyed.dram.word_map import WordMap
from rtl.keyed.dram.word_port import WordPort
from rtl.keyed.key_windows import KeyWindows
from rtl.keyed.plan import KeyedPlan
from rtl.keyed.store.blocks.block_collector import BlockCollector
from rtl.keyed.store.blocks.block_levels import BlockLevels
from rtl.keyed.store.blocks.block_numbers import BlockNumbers, numbered_layout
from rtl.keyed.store.blocks.block_ring import BlockRing, RingPlan
from rtl.keyed.store.blocks.block_store import BlockStore
from rtl.keyed.store.blocks.block_windows import BlockWindows
from rtl.keyed.store.blocks.bounded_lines import BoundedLines
from rtl.keyed.store.blocks.ring_room import RingRoom
from rtl.keyed.store.blocks.stamped_windows import StampedWindows
from rtl.keyed.store.lines.levels import DramLevels, Levels
from rtl.keyed.store.lines.line_commands import LineCommands
from rtl.keyed.store.lines.line_plan import LinePlan
from rtl.keyed.store.lines.line_share import LineShare
from rtl.keyed.store.lines.line_store import LineStore
from rtl.keyed.store.lines.line_updates import LineUpdates
from rtl.keyed.store.lines.outer_tails import OuterTails
from rtl.keyed.store.lines.outer_words import OuterWords
from rtl.keyed.store.lines.recent_words import Recent
from rtl.keyed.store.lines.second_level import SecondLevel
from rtl.keyed.store.lines.tails import Tails
from rtl.keyed.store.lines.time_lines import TimeLines
from rtl.keyed.store.lines.window_lines import WindowLines
from rtl.keyed.store.lines.window_parts import KeptLines
from rtl.keyed.table.hash_table import HashTable
from rtl.keyed.windows.closings import Closings
from rtl.keyed.windows.key_rows import KeyRows
from rtl.keyed.windows.key_times import KeyTimes
from rtl.keyed.windows.row_kind import RowKind
from rtl.keyed.windows.row_steps import RowSteps
from rtl.keyed.windows.slide_numbers import SlideNumbers
from rtl.keyed.windows.time_kind import TimeKind
from rtl.keyed.windows.time_steps import TimeSteps
from rtl.keyed.windows.window_ends import WindowEnds
from rtl.memory.bank import Bank
from rtl.memory.block import BlockMemory
from rtl.memory.fed_bank import FedBank
from rtl.network.boundaries import GroupBoundaries
from rtl.network.butterfly import ReverseButterfly
from rtl.network.compactor import RoundRobinCompactor, Router
from rtl.network.dense import DenseBuffer
from rtl.network.line_pieces import LinePieces
from rtl.network.ranks import Ranks
from rtl.network.reduction import Reduction
from rtl.network.rolling import RollingScan
from rtl.network.scan import PrefixScan
from rtl.network.tree_sum import TreeSum
from rtl.sort.banks import MergeBanks
from rtl.sort.cardinality import GroupTotals
from rtl.sort.chunk import ChunkSorter
from rtl.sort.flims import FlimsMerger
from rtl.sort.group_marks import GroupMarks
from rtl.sort.linear import LinearSorter
from rtl.sort.merge_sorter import MergeSorter
from rtl.sort.order import SortOrder
from rtl.sort.padding import Padding
from rtl.sort.picker import Picker
from rtl.sort.ranked import Ranked
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
from rtl.stream.beat import beat
from rtl.stream.line import line
from rtl.stream.queue import StreamQueue
from rtl.stream.register import StreamRegister
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
from tb.rtl.engine.points import DESIGNS

ROW = data.StructLayout({"key": signed(3), "x": 2})
PACKING = Packing((("key", signed(3)), ("x", 2)))
ORDER = SortOrder(ROW, ("key",))
HALF = Fraction(1, 2)
COUNTED = SortOrder(ROW, ("key", "x"), group="key", cardinality=4)
FLAGS = (Flag(name="bad_function", doc="none such"),)
REGISTERS = register_map(
    configuration=0, capabilities=0, settings=HostSettings(), counters=(LATE,), flags=FLAGS
)
WITH_INTERRUPT = register_map(
    configuration=0,
    capabilities=0,
    settings=HostSettings(),
    counters=(),
    flags=FLAGS,
    interrupt=True,
)
WITH_NETWORK = register_map(
    configuration=0,
    capabilities=0,
    settings=HostSettings(),
    counters=(),
    flags=(*FLAGS, BAD_SETTING),
    network=NETWORK_SETTINGS,
)
WORDS = WordMap(entries=4, lines=2)
FOUR_WORDS = LinePlan(item=ROW, items=8, word_items=2)
RING = RingPlan(codec=BaseDelta(), entries=4, blocks=4, number_bits=10)
KEYS = KeyedPlan(
    key=8,
    window=RowKind(rows=KeyRows(window_max=9, places=16)),
    store=LineStore(line=LinePlan(item=ROW, items=4, word_items=2)),
    lines=LineMap(rings=4, ring_lines=4, ports=2),
)
OUTSIDE = replace(
    KEYS,
    window=RowKind(rows=KeyRows(window_max=9, places=32)),
    store=LineStore(line=FOUR_WORDS, m2=SecondLevel(lines=2, kind="external")),
)
FOLD = Fold(row=data.StructLayout({"x": signed(12)}), operators=(Count(4),), tuples=9, decoders=2)
CODED = KeyedPlan(
    key=8,
    window=RowKind(rows=KeyRows(window_max=9, places=1024)),
    store=BlockStore(
        line=LinePlan(item=FOLD.row, items=16, word_items=4),
        ring=replace(RING, codec=BaseDelta(32)),
    ),
    lines=KEYS.lines,
)


def with_ring(plan, ring):
    """Returns a plan whose blocks lie in another ring."""
    return replace(plan, store=replace(plan.store, ring=ring))


FOLDED = with_ring(CODED, replace(RING, codec=Xor(32), fold=FOLD))
CACHE = CachePlan(keys=2, lanes=4, values=16, item=signed(12), fold=replace(FOLD, tuples=16))
CACHED_RING = replace(CODED.store.ring, fold=CACHE.fold, cache=CACHE)
BLOCK_LINE = line(CACHE.fold.states, 1, passenger=block_info_layout(5))
PIECED = with_ring(CODED, replace(CODED.store.ring, pieces=4))
CACHED = replace(
    with_ring(CODED, CACHED_RING),
    window=RowKind(rows=KeyRows(window_max=16, places=1024)),
)
TIMES = KeyTimes(time=8, overlap=4, places=16, items=4, numbers=6)
KEY_TIMES = KeyedPlan(
    key=8,
    window=TimeKind(times=TIMES),
    store=LineStore(line=LinePlan(item=TIMES.stamped(ROW), items=4, word_items=2)),
    lines=KEYS.lines,
)
STAMPED = RingPlan(
    codec=BaseDelta(32, stamp_bits=TIMES.stamp_bits), entries=4, blocks=16, number_bits=14
)
CODED_TIMES = KeyedPlan(
    key=8,
    window=TimeKind(times=replace(TIMES, items=1)),
    store=BlockStore(
        line=LinePlan(item=TIMES.stamped(FOLD.row), items=16, word_items=4), ring=STAMPED
    ),
    lines=replace(KEYS.lines, ring_lines=16),
)
GROUPED, TIMED = DESIGNS["group-by, constants"], DESIGNS["window-id, constants"]
INTAKE = IntakePlan(
    query=GROUPED.query, row=GROUPED.input.layout, lanes=2, settings=GROUPED.settings
)
GROUPING = Grouping(
    row=ROW,
    lanes=2,
    key="key",
    results=Results(items=GROUPED.query.items[:1], operators=(Count(4),)),
    tuples=9,
    context=data.StructLayout({}),
    order={"key": False},
)
KERNELS = KernelPlan(row=ROW, lanes=2, results=GROUPING.results, window_max=9)
ANSWERED = replace(KERNELS, lanes=4, window_max=16, passenger=kernel_passenger(KEYS))
ANSWERS = data.StructLayout(
    {"window": 32, "valid": 1, "key": 8, "results": ANSWERED.results.operator.result}
)
MEMORY = MemoryBus(name="m_axi", port="memory", data_width=64, address_width=20)

COMPONENTS = [
    lambda: StreamRegister(8),
    lambda: SkidBuffer(8),
    lambda: StreamQueue(8, 4),
    lambda: PrefixScan(Count(4), 2),
    lambda: RollingScan(Count(4), 2, tuples=9),
    lambda: Reduction(Count(4), ROW, 2, tuples=9),
    lambda: TreeSum(HALF_PRECISION, 2, 3),
    lambda: ReverseButterfly(8, 4),
    lambda: DenseBuffer(8, 4),
    lambda: Router(8, 4),
    lambda: RoundRobinCompactor(8, 4),
    lambda: GroupBoundaries(ROW, 2, key="key", order={"key": False}),
    lambda: StreamTracker(9, ways=2),
    lambda: MemoryGuard(MEMORY),
    lambda: Divider(8, 4, 4),
    lambda: FloatAdder(HALF_PRECISION),
    lambda: FloatDivider(HALF_PRECISION, 5),
    lambda: Lower(Count(4), 2, tuples=9),
    lambda: StreamSlave(PACKING, ROW, 2, gaps=False, context=3),
    lambda: StreamSlave(PACKING, ROW, 2, gaps=False, context=3, width=8),
    lambda: StreamMaster(PACKING, ROW, 2),
    lambda: StreamMaster(PACKING, ROW, 2, width=8, ends="join", packet_limit=3),
    lambda: Pieces(12, 4, unit=2, short=True, side=3),
    lambda: Gearbox(4, 12, side=3),
    lambda: Gearbox(12, 2, short=4),
    lambda: PacketEnds(4, join=True),
    lambda: PacketEnds(4, join=False),
    lambda: PacketCutter(4, 3),
    lambda: StreamGate(beat(ROW, 2, 3)),
    lambda: AxiLiteSlave(8),
    lambda: RegisterFile(REGISTERS, counters=(LATE,), flags=FLAGS),
    lambda: RegisterFile(WITH_INTERRUPT, flags=FLAGS),
    lambda: RegisterFile(WITH_NETWORK, flags=(*FLAGS, BAD_SETTING), network=NETWORK_SETTINGS),
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
    lambda: Padding(8, 2, 16),
    lambda: Picker(8, 2, 1, 16),
    lambda: Ranked(8, 2, targets=(HALF,), capacity=4, window_max=16),
    lambda: BlockMemory(4, 8),
    lambda: Bank(ROW, 4, 3),
    lambda: FedBank(ROW, 4, 3),
    lambda: HashTable(8, 8, 2, ROW, 3),
    lambda: Ranks(ROW, 2, targets=(HALF,), tuples=9),
    lambda: CompiledTargets(HALF, 2, 9),
    lambda: RunTimeTargets(2, 9),
    lambda: Intake(INTAKE),
    lambda: Kernels(KERNELS),
    lambda: BurstCutter(KEYS.lines),
    lambda: BurstOrder(KEYS.lines, writes=2, reads=2),
    lambda: Outstanding(3, 2, 4),
    lambda: LineBuffer(512, 4),
    lambda: LineDealer(KEYS.lines),
    lambda: LineCollector(KEYS.lines),
    lambda: LinePort(KEYS.lines),
    lambda: LineMemory(KEYS.lines),
    lambda: Tails(KEYS.line, 4, 3),
    lambda: Tails(KEYS.line, 4, 3, lines=2),
    lambda: KeptLines(KEYS.line),
    lambda: WordPort(WORDS),
    lambda: OuterWords(WORDS, 3),
    lambda: OuterTails(FOUR_WORDS, WORDS, 3),
    lambda: OuterTails(FOUR_WORDS, replace(WORDS, lines=1), 3),
    lambda: Recent(5, 4),
    *(lambda entry=entry: entry.encoder(entry.codec(32), 4, 3) for entry in CODEC_ENTRIES.values()),
    *(lambda entry=entry: entry.decoder(entry.codec(), 3) for entry in CODEC_ENTRIES.values()),
    BlockTurns,
    lambda: SzInterval(Sz(32), 3),
    lambda: SzEncoder(Sz(32, "float"), 4, 3),
    lambda: SzValues(Sz(64, "float"), 3),
    lambda: Packer(BaseDelta().format, 4, 3),
    lambda: Packer(Xor().format, 4, 3),
    *(lambda codec=codec: Compressor(codec, 4, 3) for codec in (BaseDelta(32), Xor())),
    lambda: FoldingDecoder(ChangeDecoder, Xor(32), FOLD),
    lambda: DecoderPool(ChangeDecoder, Xor(32), FOLD, 3),
    lambda: Decompressor(BaseDelta(32), passenger=3),
    lambda: Decompressor(Xor(32), FOLD, 3),
    lambda: Decompressor(BaseDelta(32), FOLD, 3),
    lambda: LineStates(FOLD, 12, 4, 3),
    lambda: BoundedLines(12, 4, KEYS.window_info),
    lambda: LinePieces(12, 8, 2, 3),
    lambda: CachedKeys(CACHE, 4, 10),
    lambda: CachedValues(CACHE),
    lambda: WindowCache(CACHED_RING),
    lambda: WalkReports(CACHED_RING, numbered_layout(CACHED_RING, 5)),
    lambda: CachedLines(BLOCK_LINE, CACHE.state_line),
    lambda: NoWindows(NoCache().decision),
    lambda: NoReports(CODED.store.ring, numbered_layout(CODED.store.ring, 5)),
    lambda: NoLines(BLOCK_LINE),
    lambda: BlockWalk(CACHED_RING),
    lambda: BlockWalks(CACHED_RING),
    lambda: BlockRing(RING, 3),
    lambda: RingRoom(RING, 3),
    lambda: BlockNumbers(RING, 3),
    lambda: BlockWindows(RING, 3),
    lambda: StampedWindows(STAMPED, TIMES, 3),
    lambda: LineUpdates(KEYS.line, KEYS.lines, 3),
    lambda: LineShare(KEYS.lines),
    lambda: WindowLines(KEYS.line, 3),
    lambda: RowSteps(KEYS),
    lambda: RowSteps(CODED),
    lambda: LineCommands(KEYS),
    lambda: Levels(KEYS),
    lambda: Levels(replace(KEYS, store=replace(KEYS.store, m2=SecondLevel(lines=2)))),
    lambda: Levels(OUTSIDE),
    lambda: DramLevels(KEYS),
    lambda: KeyWindows(KEYS),
    lambda: Answers(ANSWERED, KEYS, ANSWERS),
    lambda: KeyWindows(replace(KEYS, store=replace(KEYS.store, memory="dram-only"))),
    lambda: BlockLevels(CODED),
    lambda: BlockCollector(CODED),
    lambda: KeyWindows(CODED),
    lambda: BlockCollector(FOLDED),
    lambda: KeyWindows(FOLDED),
    lambda: BlockLevels(CACHED),
    lambda: BlockCollector(CACHED),
    lambda: BlockCollector(PIECED),
    lambda: KeyWindows(CACHED),
    lambda: SlideNumbers(TIMES, 3),
    lambda: TimeSteps(KEY_TIMES),
    lambda: Closings(KEY_TIMES),
    lambda: TimeSteps(CODED_TIMES),
    lambda: Closings(CODED_TIMES),
    lambda: BlockLevels(CODED_TIMES),
    lambda: BlockCollector(CODED_TIMES),
    lambda: TimeLines(TIMES, KEY_TIMES.line, KEY_TIMES.window_info),
    lambda: KeyWindows(KEY_TIMES),
    lambda: WindowEnds(TIMES, data.StructLayout({"window": 6, "end": 8, "x": 2})),
    lambda: Aggregation(GROUPING),
    lambda: Aggregation(replace(GROUPING, targets=(HALF,))),
    lambda: ReplayBuffer(ROW, 2, 4),
    lambda: Punctuator(ROW, 4, generate=True),
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
    lambda: Arrivals(TimeWindows.from_options(TIMED.options, ())),
    lambda: WindowRows(Count(4), 9, data.StructLayout({"end": 5, "results": 4})),
    lambda: WindowRows(Count(4), 9, data.StructLayout({"results": 4})),
    OnesSum,
    lambda: Delay(8, 3),
    lambda: Realign((6, 2), {"good": 1}),
    FrameCheck,
    MacHeader,
    lambda: FrameBuffer(8, 4),
    IpHeader,
    Ipv4,
    lambda: UdpPort(16),
    Echo,
    Arp,
    lambda: Receive(16),
    ArpReply,
    IpChecksum,
    IpWriter,
    lambda: Datagrams(16),
    lambda: FrameArbiter(3),
    lambda: Transmit(16),
    lambda: NetworkFace(16, 16),
    lambda: AvalonSink(3),
    lambda: AvalonSource(3),
    lambda: AvalonRegisters(12),
    *(design.create for design in DESIGNS.values() if design.counters and design.flags),
]


def section(component, title):
    """Lines of a section of the docstring, without the descriptions of its entries.

    A class without the section has the section of its interface, such as that of Encoder.
    """
    for cls in type(component).__mro__:
        text = cls.__doc__ or ""
        body = re.search(rf"\n    {title}\n    -+\n(.*?)(\n\n    \S|\Z)", text, re.DOTALL)
        if body is not None:
            return re.findall(r"^    (\S.*)$", body[1], re.MULTILINE)
    return []


@cache
def component_at(index):
    """Returns one of the components, elaborated."""
    component = COMPONENTS[index]()
    Fragment.get(component, None)
    return component


@pytest.fixture(params=range(len(COMPONENTS)))
def component(request):
    return component_at(request.param)


def test_every_component_is_looked_at():
    """COMPONENTS has every component of rtl, except tops: their ports follow from a design."""
    names = [module.name for module in walk_packages(rtl.__path__, "rtl.")]
    classes = [c for name in names for c in vars(import_module(name)).values()]
    ours = {
        c.__name__
        for c in classes
        if isinstance(c, type)
        and issubclass(c, Component)
        and c.__module__ in names
        and not isabstract(c)
    }
    assert ours - {type(component_at(k)).__name__ for k in range(len(COMPONENTS))} == {
        "AxiTop",
        "FacedTop",
    }


def test_members(component):
    """The docstring names all members, and no others except members marked "or none"."""
    real = {name: member.flow.name for name, member in component.signature.members.items()}
    documented = {}
    for entry in section(component, "Members"):
        names, _, remainder = entry.partition(" : ")
        names = names.split(", ")
        if names[-1] == "...":  # leaf0, leaf1, ...: all members of this pattern
            alike = re.compile(re.sub(r"\d+", r"\\d+", names[0]))
            names = [name for name in real if alike.fullmatch(name)]
            assert len(names) > 1
        if remainder.endswith(", or none"):
            names = [name for name in names if name in real]
        documented |= dict.fromkeys(names, remainder.partition("(")[0])
    assert documented == real


def test_rate_and_latency_are_told(component):
    text = type(component).__doc__.lower()
    if any("stream" in entry for entry in section(component, "Members")):
        assert component.latency >= 0
        # The register of a FoldingDecoder is empty for a cycle between two blocks.
        assert component.initiation_interval == (2 if isinstance(component, FoldingDecoder) else 1)
        assert "latency" in text
        assert "initiation interval" in text


@pytest.mark.parametrize("plan", [CODED, FOLDED, CACHED, PIECED])
@pytest.mark.parametrize("kind", [BlockLevels, BlockCollector])
def test_latency_before_it_is_made(kind, plan):
    component = kind(plan)
    Fragment.get(component, None)
    assert kind.latency_of(plan) == component.latency


def test_what_is_made_and_not_used_is_warned_of():
    """A component without use gives a warning, but not after its constructor refused parameters."""
    Fragment.get(SkidBuffer(8), None)  # amaranth gives no warning before the first
    with warnings.catch_warnings(record=True) as seen:
        warnings.simplefilter("always")
        SkidBuffer(8)
        with pytest.raises(ValueError, match="cells must be"):
            LinearSorter(ORDER, 0)
        gc.collect()
    unused = [str(w.message) for w in seen if issubclass(w.category, UnusedElaboratable)]
    assert len(unused) == 1
    assert "SkidBuffer" in unused[0]

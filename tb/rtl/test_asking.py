"""Checks that ``latency_of`` and ``memory_bits_of`` make no component, and equal the component's
own ``latency`` and ``memory_bits``."""

import re
from fractions import Fraction

import pytest
from amaranth.hdl import Elaboratable, signed
from amaranth.lib import data

from gen.verilog.elaboration import to_rtlil
from rtl.aggregate.avg import Avg
from rtl.aggregate.count import Count
from rtl.aggregate.division import Divider
from rtl.aggregate.lower import Lower
from rtl.aggregate.targets import RunTimeTargets
from rtl.keyed.table.hash_table import HashTable
from rtl.memory.bank import Bank
from rtl.network.butterfly import ReverseButterfly
from rtl.network.compactor import RoundRobinCompactor, Router
from rtl.network.ranks import Ranks
from rtl.network.reduction import Reduction
from rtl.network.rolling import RollingScan
from rtl.network.scan import PrefixScan
from rtl.sort.chunk import ChunkSorter
from rtl.sort.flims import FlimsMerger
from rtl.sort.linear import LinearSorter
from rtl.sort.merge_sorter import MergeSorter
from rtl.sort.order import SortOrder
from rtl.sort.ranked import Ranked
from rtl.sort.store import ChunkStore
from rtl.sort.switch import TreeSwitch
from rtl.sort.tree import MergeTree
from rtl.sort.ways import WayMerger
from tb.bench.elaborated import elaborated

ROW = data.StructLayout({"g": 5, "x": signed(6)})
PLAIN = SortOrder(ROW, ("g", "x"))
COUNTED = SortOrder(ROW, ("g", "x"), group="g", cardinality=7)
AVG = Avg("x", signed(6), 7)
HALF = (Fraction(1, 2),)
TARGETS = {"targets": HALF, "tuples": 64}
SET = {"targets": ("p",), "tuples": 64}
SETTINGS = data.StructLayout({"p": 17})
SORTER = {"lanes": 4, "capacity": 8, "window_max": 64}

#: Pairs: a call of ``latency_of``, and a function that makes the component with the same sizes.
LATENCIES = [
    (lambda: Divider.latency_of(6), lambda: Divider(signed(9), 3, signed(6))),
    (lambda: Lower.latency_of(AVG), lambda: Lower(AVG, 2, tuples=64)),
    (lambda: Lower.latency_of(Count(4)), lambda: Lower(Count(4), 2, tuples=9)),
    (lambda: RunTimeTargets.latency_of(64), lambda: RunTimeTargets(2, 64)),
    (lambda: PrefixScan.latency_of(8), lambda: PrefixScan(Count(4), 8)),
    (
        lambda: RollingScan.latency_of(8, "brent-kung"),
        lambda: RollingScan(Count(4), 8, tuples=9, shape="brent-kung"),
    ),
    (lambda: ReverseButterfly.latency_of(8), lambda: ReverseButterfly(8, 8)),
    (lambda: Router.latency_of(8, radix=2), lambda: Router(8, 8, radix=2)),
    (
        lambda: RoundRobinCompactor.latency_of(8, scan="kogge-stone", radix=2),
        lambda: RoundRobinCompactor(8, 8, scan="kogge-stone", radix=2),
    ),
    (lambda: Ranks.latency_of(4, **TARGETS), lambda: Ranks(ROW, 4, **TARGETS)),
    (lambda: Ranks.latency_of(4, **SET), lambda: Ranks(ROW, 4, **SET, context=SETTINGS)),
    (lambda: Reduction.latency_of(8), lambda: Reduction(AVG, ROW, 8, tuples=64)),
    (lambda: Ranked.latency_of(1, **SORTER), lambda: Ranked(6, targets=HALF, **SORTER)),
    (lambda: LinearSorter.latency_of(COUNTED), lambda: LinearSorter(COUNTED, 3)),
    (lambda: FlimsMerger.latency_of(COUNTED, 4), lambda: FlimsMerger(COUNTED, 4)),
    (lambda: MergeTree.latency_of(PLAIN, 8), lambda: MergeTree(PLAIN, 8)),
    (lambda: TreeSwitch.latency_of(PLAIN, 1), lambda: TreeSwitch(PLAIN, 1, 2, 3)),
    (lambda: ChunkSorter.latency_of(PLAIN), lambda: ChunkSorter(PLAIN, **SORTER)),
    (lambda: WayMerger.latency_of(8, 8), lambda: WayMerger(PLAIN, 8, 4, 64)),
    (
        lambda: ChunkStore.latency_of(8, capacity=8, window_max=64),
        lambda: ChunkStore(PLAIN, **SORTER),
    ),
    (
        lambda: MergeSorter.latency_of(8, order=COUNTED, **SORTER),
        lambda: MergeSorter(COUNTED, **SORTER),
    ),
]

#: Pairs: a call of ``memory_bits_of``, and a function that makes the component.
MEMORIES = [
    (lambda: ChunkStore.memory_bits_of(COUNTED, 8, 64), lambda: ChunkStore(COUNTED, **SORTER)),
    *(
        (
            lambda passes=passes: MergeSorter.memory_bits_of(COUNTED, 8, 64, passes=passes),
            lambda passes=passes: MergeSorter(COUNTED, **SORTER, passes=passes),
        )
        for passes in ("shared", "pipelined")
    ),
    (lambda: Bank.memory_bits_of(ROW, 8), lambda: Bank(ROW, 8)),
    (lambda: HashTable.memory_bits_of(9, 16, 2, ROW), lambda: HashTable(9, 16, 2, ROW)),
    (
        lambda: Ranked.memory_bits_of(6, capacity=8, window_max=64, passes="shared"),
        lambda: Ranked(6, targets=HALF, **SORTER),
    ),
    (
        lambda: MergeSorter.memory_bits_of(COUNTED, 64, 64),
        lambda: MergeSorter(COUNTED, 4, 64, 64),
    ),
]


def answer(ask, monkeypatch):
    """Returns the result of ``ask()``; raises AssertionError if ``ask`` makes a component."""

    def refuse(cls, *_, **__):
        raise AssertionError(f"{cls.__name__} is made")

    with monkeypatch.context() as patch:
        patch.setattr(Elaboratable, "__new__", refuse)
        return ask()


def test_a_component_would_be_noticed(monkeypatch):
    with pytest.raises(AssertionError, match=r"^LinearSorter is made$"):
        answer(lambda: LinearSorter(PLAIN, 2), monkeypatch)


@pytest.mark.in_turn(5)
@pytest.mark.parametrize(("ask", "make"), LATENCIES)
def test_latency(ask, make, monkeypatch):
    assert answer(ask, monkeypatch) == elaborated(make()).latency


@pytest.mark.in_turn(5)
@pytest.mark.parametrize(("ask", "make"), MEMORIES)
def test_memory(ask, make, monkeypatch):
    assert answer(ask, monkeypatch) == elaborated(make()).memory_bits


@pytest.mark.parametrize(
    "make",
    [
        lambda: ChunkStore(COUNTED, **SORTER),
        lambda: Bank(ROW, 8),
        lambda: HashTable(9, 16, 2, ROW),
    ],
    ids=["store", "bank", "table"],
)
def test_memory_of_the_hardware(make):
    """The RTLIL of components without other memories has as many bits of memory.

    Queues are left out: they request distributed RAM.
    """
    component = make()
    memories = re.findall(
        r"((?:  attribute .*\n)*)  memory width (\d+) size (\d+) ", to_rtlil(component).read()
    )
    bits = sum(
        int(width) * int(size)
        for attributes, width, size in memories
        if '\\ram_style "distributed"' not in attributes
    )
    assert component.memory_bits == bits > 0


def test_memory_by_hand():
    """A place holds a tuple of 11 bits and a count of up to 8, in 4 bits; pipelined passes have
    two stores of 64 places, shared passes have one."""
    assert MergeSorter.memory_bits_of(COUNTED, 8, 64) == 64 * (11 + 4)
    assert MergeSorter.memory_bits_of(COUNTED, 8, 64, passes="pipelined") == 2 * 64 * (11 + 4)
    assert MergeSorter.memory_bits_of(PLAIN, 8, 64) == 64 * 11
    assert MergeSorter.memory_bits_of(PLAIN, 64, 64) == 0

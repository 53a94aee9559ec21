"""Checks that the ``Members`` in a component's docstring are the ports of the component.

The tests find the components of ``rtl/`` by themselves: they elaborate designs, and record each
component that an elaboration makes. A new component needs no line here if a design contains it.
"""

import gc
import re
import warnings
from dataclasses import replace
from functools import cache
from importlib import import_module
from inspect import isabstract
from pkgutil import walk_packages
from unittest import mock

import pytest
from amaranth.hdl import Fragment, UnusedElaboratable
from amaranth.lib.wiring import Component

import rtl
from rtl.bus.faced_top import FacedTop, top_of
from rtl.bus.register_writer import RegisterWriter
from rtl.bus.shared_registers import SharedRegisters
from rtl.bus.top import AxiTop
from rtl.contract.face import Face
from rtl.ethernet.delay import Delay
from rtl.keyed.codec.folding_decoder import FoldingDecoder
from rtl.keyed.pivot.window_passes import WindowPasses
from rtl.keyed.store.blocks.block_collector import BlockCollector
from rtl.keyed.store.blocks.block_levels import BlockLevels
from rtl.serial.bit_time import BitTime
from rtl.serial.cobs_encoder import CobsEncoder
from rtl.serial.mac import SerialMac
from rtl.serial.receiver import UartReceiver
from rtl.serial.transmitter import UartTransmitter
from rtl.stream.skid import SkidBuffer
from tb.bench.elaborated import elaborated
from tb.rtl.engine import key_bench, key_time_bench
from tb.rtl.engine.points import DESIGNS

# One worker runs all tests of this file, because each worker elaborates all designs anew.
pytestmark = pytest.mark.xdist_group("members")

CODED_DESIGNS = {
    "streamzip, grid": key_bench.point(8, 2, "float", "avg(x)", codec="grid", ports=2),
    "streamzip, sz": key_bench.point(8, 2, "int(20)", "min(x)", codec="sz", cached_keys=1, ports=2),
    "streamzip, adaptive sz": key_bench.point(8, 2, "float", "min(x)", codec="sz", ports=2),
    "streamzip, chains": key_bench.point(
        8, 2, "int(32)", "min(x)", codec="xor-chained", decoders=2, ports=2, cached_keys=1
    ),
    "streamzip, base-delta, median": key_bench.point(
        8, 2, "int(32)", "median(x)", codec="base-delta", capacity=16, line_values=16, ports=2
    ),
    "streamzip, copies": key_bench.point(
        8, 2, "int(32)", "sum(x)", codec="base-delta", m2_blocks=2, ports=2
    ),
    "streamzip, copies outside": key_bench.point(
        *(8, 2, "int(32)", "sum(x)"), codec="base-delta", m2_blocks=2, m2_kind="external", ports=2
    ),
    "streamzip, base-delta, time": key_time_bench.point(
        select="sum(x)", codec="base-delta", line_values=8, ports=2
    ),
}
#: Designs that contain the components that no design of DESIGNS contains.
EXTRA_DESIGNS = CODED_DESIGNS | {
    "streamzip, cache, median": key_bench.point(
        8, 2, "int(32)", "median(x)", cached_keys=2, cache_lanes=16, ports=2
    ),
    "streamzip, float": key_bench.point(8, 2, "float", "sum(x), avg(x)", ports=2),
    "streamzip, DRAM only": key_bench.point(8, 2, "int(32)", "sum(x)", memory="dram-only", ports=2),
    "link": replace(DESIGNS["group-by"], face=Face(network=True, host_link=True)),
    "avalon": replace(DESIGNS["group-by"], face=Face(bus="avalon", interrupt=True)),
    "packet of a stream": replace(DESIGNS["two-stacks"], face=Face(packets="stream", bus_bits=32)),
    "packets of 3 beats": replace(DESIGNS["group-by"], face=Face(packets="beats:3", bus_bits=32)),
}
#: The parts of a board's top without a processor, which are in no design.
BOARD = "board"
#: Components without a list of members in the docstring: their ports follow from a design.
TOPS = {AxiTop, FacedTop}


def component_classes():
    """Returns the set of all concrete components of rtl."""
    names = {module.name for module in walk_packages(rtl.__path__, "rtl.")}
    classes = [value for name in names for value in vars(import_module(name)).values()]
    return {
        cls
        for cls in classes
        if isinstance(cls, type)
        and issubclass(cls, Component)
        and cls.__module__ in names
        and not isabstract(cls)
    }


def full_name(cls):
    return f"{cls.__module__}.{cls.__qualname__}"


COMPONENTS = sorted(component_classes() - TOPS, key=full_name)


def components_of(design):
    """Elaborates the top of a design; returns its components, one of each class and signature."""
    return parts_of(lambda: top_of(design))


def parts_of(make):
    """Makes and elaborates a component; returns it and all its parts."""
    components, initialize = {}, Component.__init__

    def record(component, *args, **kwargs):
        initialize(component, *args, **kwargs)
        components.setdefault((type(component), repr(component.signature)), component)

    with mock.patch.object(Component, "__init__", record):
        Fragment.get(make(), None)
    return list(components.values())


@cache
def components_by_design():
    designs = DESIGNS | EXTRA_DESIGNS
    components = {name: components_of(design) for name, design in designs.items()}
    writer = elaborated(RegisterWriter([(4, 1)], address_width=12))
    mac = parts_of(lambda: SerialMac(BitTime(clock_hz=25e6, baud=3e6)))
    return components | {BOARD: [writer, *mac]}


def classes_in(designs):
    """Returns the set of classes of all components in the designs with these names."""
    return {type(component) for name in designs for component in components_by_design()[name]}


@pytest.fixture(params=COMPONENTS, ids=full_name)
def instances(request):
    """Returns the components of one class, one for each signature that designs contain."""
    of_designs = components_by_design().values()
    return [c for components in of_designs for c in components if type(c) is request.param]


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


def documented_members(component):
    """Returns the flow of each member by its name, as the docstring has them.

    Members marked "or none" count if the component has them.
    """
    documented, real = {}, component.signature.members
    for entry in section(component, "Members"):
        names, _, remainder = entry.partition(" : ")
        names = names.split(", ")
        if names[-1] == "...":  # leaf0, leaf1, ...: all members of this pattern
            alike = re.compile(re.sub(r"\d+", r"\\d+", names[0]))
            names = [name for name in real if alike.fullmatch(name)]
            assert len(names) > 1 or (not names and remainder.endswith(", or none"))
        if remainder.endswith(", or none"):
            names = [name for name in names if name in real]
        documented |= dict.fromkeys(names, remainder.partition("(")[0])
    return documented


@pytest.mark.in_turn
def test_designs_contain_every_component():
    assert component_classes() - classes_in([*DESIGNS, *EXTRA_DESIGNS, BOARD]) == set()


@pytest.mark.parametrize("name", EXTRA_DESIGNS)
def test_extra_design_contains_a_component_of_no_other_design(name):
    others = DESIGNS | EXTRA_DESIGNS
    del others[name]
    assert classes_in([name]) - classes_in(others)


def test_members(instances):
    """The docstring names all members, and no others except members marked "or none"."""
    assert instances
    for component in instances:
        members = component.signature.members.items()
        assert documented_members(component) == {name: m.flow.name for name, m in members}


def test_rate_and_latency_are_documented(instances):
    """A component with streams has a latency, and one beat per cycle passes it."""
    assert instances
    for component in instances:
        if type(component) is SerialMac:
            continue  # two clocks, so no number of cycles
        if any("stream" in entry for entry in section(component, "Members")):
            # The register of a FoldingDecoder is empty for a cycle between two blocks. An access of
            # SharedRegisters is a transaction of AXI4-Lite. The CobsEncoder stores each byte before
            # it is sent. A byte on a line of 3 Mbaud takes 83 cycles of 25 MHz.
            intervals = {FoldingDecoder: 2, SharedRegisters: 4, CobsEncoder: 2}
            intervals |= {UartReceiver: 83, UartTransmitter: 83}
            interval = intervals.get(type(component), 1)
            assert component.latency >= 0
            assert component.initiation_interval == interval
            text = type(component).__doc__.lower()
            assert "latency" in text
            assert "initiation interval" in text


@pytest.mark.parametrize("name", ["streamzip, base-delta", *CODED_DESIGNS])
def test_latency_follows_from_the_plan(name):
    """The latency of a plan, computed without a component, is the latency of the component."""
    _, plan, *_ = (DESIGNS | EXTRA_DESIGNS)[name].create.args
    levels, collector = (
        next(c for c in components_by_design()[name] if type(c) is kind)
        for kind in (BlockLevels, BlockCollector)
    )
    assert BlockLevels.latency_of(plan) == levels.latency
    passes = 0 if plan.pivots is None else WindowPasses.latency
    assert sum(BlockCollector.latencies_of(plan)) + passes == collector.latency


def test_unused_component_gives_a_warning():
    """A component without use gives a warning, but not after its constructor refused parameters."""
    Fragment.get(SkidBuffer(8), None)  # amaranth gives no warning before the first
    with warnings.catch_warnings(record=True) as seen:
        warnings.simplefilter("always")
        SkidBuffer(8)
        with pytest.raises(ValueError, match="cycles must be"):
            Delay(8, 0)
        gc.collect()
    unused = [str(w.message) for w in seen if issubclass(w.category, UnusedElaboratable)]
    assert len(unused) == 1
    assert "SkidBuffer" in unused[0]

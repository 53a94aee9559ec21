"""Checks that a design and its properties create no hardware; only ``create`` does."""

from dataclasses import is_dataclass, replace

import pytest
from amaranth.hdl import Elaboratable, Signal

from rtl.bus.ports import buses_of, ports_of
from rtl.bus.top import AxiTop
from rtl.bus.top_registers import counters_of, flags_of, registers_of
from rtl.contract.options import option_fields, values
from rtl.engine import ENGINES
from tb.rtl.engine.points import DESIGNS

WINDOWS = ("swag", "two-stacks")  # engines that predict the rate for any size and slide


@pytest.fixture
def nothing_made(monkeypatch):
    """Makes the construction of any elaboratable raise AssertionError."""

    def refuse(cls, *_, **__):
        raise AssertionError(f"{cls.__name__} is made")

    monkeypatch.setattr(Elaboratable, "__new__", refuse)


def ask_all(thing, reads):
    """Reads every public attribute of the project's plain data, and of their values recursively.

    Appends each (object, attribute, value) to ``reads``.
    """
    if isinstance(thing, dict):
        thing = tuple(thing.values())
    if isinstance(thing, tuple):
        for part in thing:
            ask_all(part, reads)
    elif type(thing).__module__.startswith("rtl.") and not any(thing is one for one, *_ in reads):
        for name in [name for name in dir(thing) if not name.startswith("_")]:
            answer = getattr(thing, name)
            reads.append((thing, name, answer))
            ask_all(answer, reads)


@pytest.mark.parametrize("name", DESIGNS)
def test_properties_of_a_design_build_no_hardware(name, nothing_made):
    expected_design = DESIGNS[name]
    engine = ENGINES[expected_design.engine]
    options = {
        field.name: getattr(expected_design.options, field.name)
        for field in option_fields(expected_design.options)
    }
    assert engine.refusal(expected_design.query) is None
    design = engine(query=expected_design.query, **options)
    assert design == expected_design
    reads = []
    ask_all(design, reads)
    seen = {(type(thing).__name__, attribute) for thing, attribute, _ in reads}
    for kind, attributes in {
        "Design": "streams memories prediction parameters configuration_hash query create predict",
        "Options": "query resolved constants",
        "HostSettings": "numbers functions layout values set_by_host",
        "InputSchema": "packing layout sorted_by",
        "RowSchema": "packing layout selected fields",
        "RowField": "role shape",
        "Prediction": "cycles memory_bits memory_traffic pause latencies tuples_per_cycle",
        "StreamBus": "bytes slave packing",
        "Packing": "names bytes",
    }.items():
        assert {(kind, attribute) for attribute in attributes.split()} <= seen
    assert values(design.options) == design.parameters
    assert design.configuration()["parameters"] == design.parameters
    assert design.rows.packing.describe()["fields"]
    assert [design.prediction.latencies[0].describe(extra_cycles=2)["cycles"]] == [
        design.prediction.cycles + 2
    ]
    dram = {"dram": "ddr3"} if design.memories else {}
    keys = {"keys": 3} if design.query.partition else {}
    assert design.predict(**dram, **keys).cycles > 0
    if design.engine in WINDOWS:
        assert design.predict(size=4, slide=4).cycles > 0
    ask_all((*counters_of(design), *flags_of(design), *buses_of(design)), reads)
    assert {"s_axis_tdata", "m_axis_tdata", "s_axil_awaddr"} <= set(ports_of(design))
    registers = registers_of(design)
    assert registers["configuration"].value == design.configuration_hash
    settings = Signal(design.settings.layout)
    design.settings.refused(settings)
    assert all(design.settings[number.name] is number for number in design.settings.numbers)
    ask_all(replace(design.options, constants="compiled"), reads)


@pytest.mark.parametrize("name", DESIGNS)
def test_construction_is_detected(name, nothing_made):
    """The fixture detects construction, so the test above can fail."""
    design = DESIGNS[name]
    with pytest.raises(AssertionError, match=f"^{design.create.func.__name__} is made$"):
        design.create()
    with pytest.raises(AssertionError, match=r"^AxiTop is made$"):
        AxiTop(design)


@pytest.mark.parametrize("name", DESIGNS)
def test_designs_are_plain_data(name):
    """Designs are immutable, and equal designs have the same hash."""
    design = DESIGNS[name]
    again = ENGINES[design.engine].design(replace(design.options))
    assert again is not design
    assert {design: name}[again] == name
    assert again.configuration_hash == design.configuration_hash
    for part in (design, design.options, design.settings, design.input, design.rows):
        assert is_dataclass(part)
        with pytest.raises(AttributeError, match="cannot assign"):
            part.query = part.numbers = None
    others = [other for other in DESIGNS.values() if other != design]
    assert len(others) == len(DESIGNS) - 1

"""To ask a design, or to have one, makes no hardware; only to create it does."""

from dataclasses import is_dataclass, replace

import pytest
from amaranth.hdl import Elaboratable, Signal

from rtl.bus.ports import buses_of, ports_of
from rtl.bus.top import AxiTop, counters_of, flags_of, registers_of
from rtl.contract.options import option_fields, values
from rtl.engine import ENGINES
from tb.rtl.engine.points import DESIGNS

WINDOWS = ("swag", "two-stacks")  # predict for any size and slide


@pytest.fixture
def nothing_made(monkeypatch):
    """Lets nothing be made that could be elaborated."""

    def refuse(cls, *_, **__):
        raise AssertionError(f"{cls.__name__} is made")

    monkeypatch.setattr(Elaboratable, "__new__", refuse)


def ask_all(thing, asked):
    """Asks every public attribute of plain data of the house, and of what these give in turn.

    ``asked`` gets each (thing, attribute, answer).
    """
    if isinstance(thing, dict):
        thing = tuple(thing.values())
    if isinstance(thing, tuple):
        for part in thing:
            ask_all(part, asked)
    elif type(thing).__module__.startswith("rtl.") and not any(thing is one for one, *_ in asked):
        for name in [name for name in dir(thing) if not name.startswith("_")]:
            answer = getattr(thing, name)
            asked.append((thing, name, answer))
            ask_all(answer, asked)


@pytest.mark.parametrize("name", DESIGNS)
def test_asking_makes_nothing(name, nothing_made):
    given = DESIGNS[name]
    engine = ENGINES[given.engine]
    told = {
        field.name: getattr(given.options, field.name) for field in option_fields(given.options)
    }
    assert engine.fits(given.query) is None
    design = engine(query=given.query, **told)
    assert design == given
    asked = []
    ask_all(design, asked)
    seen = {(type(thing).__name__, attribute) for thing, attribute, _ in asked}
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
    behind = {"dram": "ddr3"} if design.memories else {}
    keys = {"keys": 3} if design.query.partition else {}
    assert design.predict(**behind, **keys).cycles > 0
    if design.engine in WINDOWS:
        assert design.predict(size=4, slide=4).cycles > 0
    ask_all((*counters_of(design), *flags_of(design), *buses_of(design)), asked)
    assert {"s_axis_tdata", "m_axis_tdata", "s_axil_awaddr"} <= set(ports_of(design))
    registers = registers_of(design)
    assert registers["configuration"].value == design.configuration_hash
    settings = Signal(design.settings.layout)
    design.settings.refused(settings)
    assert all(design.settings[number.name] is number for number in design.settings.numbers)
    ask_all(replace(design.options, constants="compiled"), asked)


@pytest.mark.parametrize("name", DESIGNS)
def test_what_is_made_is_seen(name, nothing_made):
    """So the test above could fail."""
    design = DESIGNS[name]
    with pytest.raises(AssertionError, match=f"^{design.create.func.__name__} is made$"):
        design.create()
    with pytest.raises(AssertionError, match=r"^AxiTop is made$"):
        AxiTop(design)


@pytest.mark.parametrize("name", DESIGNS)
def test_designs_are_plain_data(name):
    """Nothing can be changed; equal ones are found by each other in a dict."""
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

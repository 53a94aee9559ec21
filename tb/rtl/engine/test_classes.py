"""Checks the classes of engines and of windows of keys.

A class either *describes* (a frozen dataclass of plain data) or *builds* (an Elaboratable), and has
at most ``MAX_NAMES`` public names. Abstract classes and plain models of hardware do neither.
"""

import importlib
import inspect
import pkgutil
from dataclasses import dataclass, fields, is_dataclass

import pytest
from amaranth.hdl import Elaboratable

import rtl.engine
import rtl.keyed
from rtl.contract.options import option_fields
from tb.rtl.engine.points import DESIGNS

MAX_NAMES = 24  # public names of a class


def modules():
    """Yields every module of the two packages, the packages included."""
    for package in (rtl.engine, rtl.keyed):
        yield package
        for entry in pkgutil.walk_packages(package.__path__, f"{package.__name__}."):
            yield importlib.import_module(entry.name)


CLASSES = [
    cls
    for module in modules()
    for _, cls in inspect.getmembers(module, inspect.isclass)
    if cls.__module__ == module.__name__
]


def public(cls):
    """Returns the names of a class that its user sees: attributes, methods, and all fields."""
    field_names = {field.name for field in fields(cls)} if is_dataclass(cls) else set()
    return sorted(name for name in field_names | set(dir(cls)) if not name.startswith("_"))


#: Folders and modules with plain models of an engine's cycles. A model neither describes nor
#: builds, because its state changes with the stream.
MODELS = (
    "rtl.engine.streamzip.schedule",
    "rtl.keyed.codec.chained.chain_times",
    "rtl.keyed.codec.decoder_times",
    "rtl.keyed.dram.dram_controller",
    "rtl.keyed.dram.dram_ports",
    "rtl.keyed.dram.dram_schedule",
    "rtl.keyed.dram.port_schedule",
    "rtl.keyed.table.key_places",
)

#: Classes that write expressions for one component, and are no components themselves.
EXPRESSIONS = ("rtl.keyed.windows.key_marks.KeyMarks",)


def is_model(cls):
    """True if a class is part of a plain model of an engine's cycles."""
    module = cls.__module__
    return module in MODELS or module.rpartition(".")[0] in MODELS


def roles(cls):
    """Returns two flags: the class describes, and the class builds."""
    return {"describes": is_dataclass(cls), "builds": issubclass(cls, Elaboratable)}


def test_every_engine_package_is_checked():
    names = {cls.__module__.removeprefix("rtl.engine.") for cls in CLASSES}
    engines = {design.engine.replace("-", "_") for design in DESIGNS.values()}
    assert {f"{name}.{part}" for name in engines for part in ("options", "core")} <= names
    assert {"parts.intake", "parts.aggregation", "parts.time_windows"} <= names


@pytest.mark.parametrize("cls", CLASSES, ids=lambda cls: f"{cls.__module__}.{cls.__name__}")
def test_a_class_describes_or_builds(cls):
    if is_model(cls) or f"{cls.__module__}.{cls.__name__}" in EXPRESSIONS:
        assert not issubclass(cls, Elaboratable)
        return
    if inspect.isabstract(cls):  # an interface, or the common part of components
        assert sum(roles(cls).values()) <= 1
        return
    assert sum(roles(cls).values()) == 1
    if is_dataclass(cls):
        assert cls.__dataclass_params__.frozen
        assert not hasattr(cls, "elaborate")


@pytest.mark.parametrize("cls", CLASSES, ids=lambda cls: f"{cls.__module__}.{cls.__name__}")
def test_no_list_of_names_is_long(cls):
    """Checks the public names of a class.

    Options do not count, because `sluice engines` lists the options for users.
    """
    options = {field.name for field in option_fields(cls)} if is_dataclass(cls) else set()
    names = [name for name in public(cls) if name not in options]
    assert len(names) <= MAX_NAMES, names


@pytest.mark.parametrize("name", DESIGNS)
def test_no_list_of_a_design_is_long_either(name):
    """Checks the public names of a design and its parts, as objects.

    Objects also have ports and attributes that only the constructor sets.
    """
    design = DESIGNS[name]
    options = {field.name for field in option_fields(design.options)}
    for thing in (design, design.options, design.settings, design.input, design.rows):
        names = [name for name in dir(thing) if not name.startswith("_")]
        assert len(set(names) - options) <= MAX_NAMES, names


def test_a_class_that_describes_and_builds_is_detected():
    @dataclass(frozen=True)
    class Both(Elaboratable):
        lanes: int

        def elaborate(self, platform):
            raise AssertionError

    assert roles(Both) == {"describes": True, "builds": True}
    assert public(Both) == ["elaborate", "lanes"]

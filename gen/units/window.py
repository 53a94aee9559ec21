"""Units of windows, panes and punctuations."""

from amaranth.hdl import signed
from amaranth.lib import data

from gen.units.network import operator_of
from gen.units.unit import Unit
from rtl.window.panes import PaneGate
from rtl.window.punctuation import Punctuator
from rtl.window.window_control import WindowControl
from rtl.window.window_id import WindowModules

_PUNCTUATIONS = {"made": True, "stream": False}


def row_of(width: int) -> data.StructLayout:
    """Returns the layout of a tuple with one signed column, ``value``."""
    return data.StructLayout({"value": signed(width)})


def _punctuator(*, width, punctuations):
    if punctuations not in _PUNCTUATIONS:
        names = ", ".join(_PUNCTUATIONS)
        raise ValueError(f"punctuations must be one of {names}, not {punctuations}")
    return Punctuator(row_of(width), signed(width), generate=_PUNCTUATIONS[punctuations])


def _of_windows(component):
    """Returns a function that creates a component with an operator and a number of modules."""

    def create(*, operator, tuples, modules, width):
        state = operator_of(operator, width, tuples)
        return component(
            operator=state, tuples=tuples, modules=modules, row=row_of(width), width=width
        )

    return create


def _pane_gate(*, panes_max, width):
    return PaneGate(row=row_of(width), width=width, panes_max=panes_max)


_WINDOWS: dict[str, int | str] = {"operator": "sum", "tuples": 1024, "modules": 4, "width": 32}

UNITS = {
    "punctuator": Unit(
        about="punctuations of a stream, and its late tuples; punctuations is made or stream",
        settings={"width": 32, "punctuations": "made"},
        create=_punctuator,
    ),
    "window-control": Unit(
        about="commands to a ring of windows: close the oldest window, add a tuple",
        settings=_WINDOWS,
        create=_of_windows(WindowControl),
    ),
    "window-modules": Unit(
        about="windows of time, one module for each open window",
        settings=_WINDOWS,
        create=_of_windows(WindowModules),
    ),
    "pane-gate": Unit(
        about="gate that turns a stream of windows into a stream of panes",
        settings={"panes_max": 16, "width": 32},
        create=_pane_gate,
    ),
}

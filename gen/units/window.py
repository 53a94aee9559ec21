"""Units of windows, panes and punctuations."""

from amaranth.hdl import signed
from amaranth.lib import data

from gen.units.network import operator_of
from gen.units.pane_buffer import PaneBuffer
from gen.units.unit import Unit
from rtl.window.panes import PaneGate
from rtl.window.punctuation import Punctuator
from rtl.window.replay import ReplayBuffer
from rtl.window.sequential import Sequential
from rtl.window.sliding import Sliding
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


def _creator_of_windows(component):
    """Returns a function that creates a component with an operator and a number of modules."""

    def create(*, operator, tuples, modules, width):
        state = operator_of(operator, width, tuples)
        return component(
            operator=state, tuples=tuples, modules=modules, row=row_of(width), width=width
        )

    return create


def _pane_gate(*, panes_max, width):
    return PaneGate(row=row_of(width), width=width, panes_max=panes_max)


def _replay(*, lanes, window_max, width):
    return ReplayBuffer(row_of(width), lanes, window_max)


def _creator_of_sliding(component, operators):
    """Returns a function that creates ``component``, a sliding aggregate.

    The user chooses the aggregate's operator by name; a name outside ``operators`` raises
    ValueError.
    """

    def create(*, operator, tuples, items_max, width, stamp):
        if operator not in operators:
            raise ValueError(f"operator must be one of {', '.join(operators)}, not {operator}")
        state = operator_of(operator, width, tuples)
        return component(operator=state, tuples=tuples, items_max=items_max, stamp=stamp)

    return create


_INVERTIBLE = "count", "sum"
_OTHERS = "max", "min"
_ITEMS: dict[str, int | str] = {"tuples": 1024, "items_max": 64, "width": 32, "stamp": 0}
_WINDOWS: dict[str, int | str] = {"operator": "sum", "tuples": 1024, "modules": 4, "width": 32}

UNITS = {
    "replay": Unit(
        about="buffer that sends every window of rows of a stream in full",
        settings={"lanes": 4, "window_max": 256, "width": 32},
        create=_replay,
    ),
    "sliding": Unit(
        about=f"last items of a stream, the oldest removed; operator is {' or '.join(_INVERTIBLE)};"
        " stamp is the width of a row's stamp in bits, or 0",
        settings={"operator": "sum", **_ITEMS},
        create=_creator_of_sliding(Sliding, _INVERTIBLE),
    ),
    "two-stacks": Unit(
        about=f"last items of a stream, in two stacks; operator is {' or '.join(_OTHERS)};"
        " stamp is the width of a row's stamp in bits, or 0",
        settings={"operator": "min", **_ITEMS},
        create=_creator_of_sliding(Sliding, _OTHERS),
    ),
    "sequential": Unit(
        about="last items of a stream, all read for each window; stamp is the width of a row's "
        "stamp in bits, or 0",
        settings={"operator": "sum", **_ITEMS},
        create=_creator_of_sliding(Sequential, _INVERTIBLE + _OTHERS),
    ),
    "punctuator": Unit(
        about="punctuations of a stream, and its late tuples; punctuations is made or stream",
        settings={"width": 32, "punctuations": "made"},
        create=_punctuator,
    ),
    "window-control": Unit(
        about="commands to a ring of windows: close the oldest window, add a tuple",
        settings=_WINDOWS,
        create=_creator_of_windows(WindowControl),
    ),
    "window-modules": Unit(
        about="windows of time, one module for each open window",
        settings=_WINDOWS,
        create=_creator_of_windows(WindowModules),
    ),
    "pane-gate": Unit(
        about="gate that turns a stream of windows into a stream of panes",
        settings={"panes_max": 16, "width": 32},
        create=_pane_gate,
    ),
    "pane-buffer": Unit(
        about="windows of time from panes, from the tuples in disorder to the rows; window_level "
        "is two-stacks or sequential, punctuations is made or stream",
        settings={
            "width": 32,
            "modules": 4,
            "panes": 16,
            "window_level": "two-stacks",
            "punctuations": "made",
        },
        create=PaneBuffer,
    ),
}

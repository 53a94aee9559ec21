"""Computes the register writes of a host before a stream."""

from collections.abc import Mapping

from query.errors import UserError
from query.window import Range
from rtl.bus.register import Register
from rtl.bus.setting_registers import register_words
from rtl.contract.design import Design

TIMES = ("range", "slide", "slack", "start")  # numbers in units of the time column


def register_writes(
    design: Design, registers: Mapping[str, Register], start: int | None = None
) -> dict[int, list[tuple[int, int]]]:
    """Returns the register writes before each stream.

    The query's settings are written before stream 0 only. If a register selects the result, stream
    k gets result k: for instance two results take two streams, and the settings stay.

    Parameters
    ----------
    design : Design
    registers : dict of str to Register
        The register map of the design's top.
    start : int or None
        Time at which window 0 of RANGE begins. None, for data without a tuple, writes no start.

    Returns
    -------
    dict of int to list of (address, value)
        By the number of the stream.

    Raises
    ------
    UserError
        If a time, such as ``start``, exceeds the limits of its register.
    """
    settings, window = design.settings, design.query.window
    values = dict(settings.values)
    values |= {"start": start} if "start" in settings.set_by_host and start is not None else {}
    writes: dict[int, list[tuple[int, int]]] = {
        stream: [] for stream in range(max(1, len(settings.functions)))
    }
    for name, value in values.items():
        if isinstance(window, Range) and name in TIMES:
            _check_time(window.attribute.type, settings[name], value)
        words = register_words(settings[name], value).items()
        writes[0] += [(registers[register].address, word) for register, word in words]
    for stream in range(len(settings.functions)):
        writes[stream].append((registers["function"].address, stream))
    return writes


def _check_time(type_, number, value):
    least, most = number.limits
    if not least <= value <= most:
        low, high, text = (type_.text(raw) for raw in (least, most, value))
        hint = "; --start gives another" if number.name == "start" else ""
        raise UserError(f"{number.name} must be from {low} to {high} here, not {text}{hint}")

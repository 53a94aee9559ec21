"""What a host writes to the registers before a stream."""

from query.errors import UserError
from query.window import Range
from rtl.bus.registers import register_words

TIMES = ("range", "slide", "slack", "start")  # numbers in units of the time column


def register_writes(design, registers, start=None):
    """Register writes before each stream: what the query asks for, and the result to select.

    Parameters
    ----------
    design : Design
    registers : dict of str to Register
        The register map of its top.
    start : int or None
        RANGE: where window 0 begins; None leaves the register as it is, for data without a tuple.

    Returns
    -------
    dict of int to list of (address, value)

    Raises
    ------
    UserError
        When the engine cannot be told one of the times, such as ``start``.
    """
    settings, window = design.settings, design.query.window
    values = dict(settings.values)
    values |= {"start": start} if "start" in settings.set_by_host and start is not None else {}
    made = {stream: [] for stream in range(max(1, len(settings.functions)))}
    for name, value in values.items():
        if isinstance(window, Range) and name in TIMES:
            _check_time(window.attribute.type, settings[name], value)
        words = register_words(settings[name], value).items()
        made[0] += [(registers[register].address, word) for register, word in words]
    for stream in range(len(settings.functions)):
        made[stream].append((registers["function"].address, stream))
    return made


def _check_time(type_, number, value):
    least, most = number.limits
    if not least <= value <= most:
        low, high, given = (type_.text(raw) for raw in (least, most, value))
        hint = "; --start gives another" if number.name == "start" else ""
        raise UserError(f"{number.name} must be from {low} to {high} here, not {given}{hint}")

"""Writes a small driver in C99 beside the host header: open, configure, submit, poll, reset.

The driver reads and writes registers and bytes through a table of functions of the board. So the
same file serves bare metal, a kernel's memory map, a network and a simulation.
"""

from boards.templates import fill
from gen.host.driver_header import CONFIGURE, HEADER, SETTINGS
from gen.host.driver_source import SOURCE
from gen.text.c_constants import c_constant
from gen.text.c_names import names_of
from gen.text.escapes import printable
from rtl.bus.registers import BUSY, MAGIC
from rtl.bus.setting_registers import register_names
from rtl.contract.design import Design
from rtl.contract.rows import Packet


def host_driver(design: Design, top: str) -> dict[str, str]:
    """Returns the texts of ``<top>_driver.h`` and ``<top>_driver.c`` by their names.

    Parameters
    ----------
    design : Design
    top : str
        Name of the top module. All public names in the files begin with it, macros in capitals.
    """
    macro = top.upper()
    settings = _settings(design)
    names = {"top": top, "macro": macro}
    marks = design.face.marks(design.rows)
    spare = ""  # words about the row more that the array needs, because an empty packet needs room
    if marks:
        spare = ", one more than\n// come, because each stream ends with an empty packet"
    elif design.face.beats:
        spare = ", one more than\n// come, because an empty packet may follow the last row"
    elif design.rows.packet is Packet.STREAM:
        spare = ", at least 1,\n// because a stream without rows is one empty packet"
    header = fill(
        HEADER,
        spare=spare,
        settings=_declared(settings, **names),
        configure=fill(CONFIGURE, top=top) if settings else "",
        **names,
    )
    source = fill(
        SOURCE,
        configure=_configure(settings, len(design.settings.functions), **names),
        magic=f"{MAGIC:#010x}",
        configuration=f"{design.configuration_hash:#010x}",
        busy=BUSY.low,
        has_last_packet=_has_last_packet(design, marks),
        lost=_counter(design, "overrun", macro),
        overflowed=_counter(design, "overflowed_windows", macro),
        evicted=_counter(design, "collision", macro),
        **names,
    )
    return {f"{top}_driver.h": header, f"{top}_driver.c": source}


def _counter(design, name, macro):
    """Returns the C expression of a counter; 0 if the design does not have the counter."""
    if all(counter.name != name for counter in design.counters):
        return "0"
    return f"counter(driver, {macro}_COUNTER_{name.upper()})"


def _has_last_packet(design, marks):
    """Returns the C statement that returns whether the last packet of the stream has arrived.

    With an end marker the last packet is empty. If a stream is one packet, this packet must come
    even without rows. Otherwise the counter of rows shows every packet, and the C function returns
    1.
    """
    if marks:
        return "return driver->packets && !driver->last_packet;"
    if design.face.joins(design.rows) or design.rows.packet is Packet.STREAM:
        return "return driver->packets != 0;"
    return "(void)driver;\n    return 1;"


def _settings(design):
    """Returns the name in C, the type in C and the description of each setting.

    The last entry selects the aggregate that the rows show, if the design can; its description is
    None. A setting may have two registers.
    """
    numbers = design.settings.numbers
    names = names_of([number.name for number in numbers])
    types = ("int64_t" if number.signed else "uint64_t" for number in numbers)
    settings = [*zip(names, types, numbers, strict=True)]
    if design.settings.functions:
        settings.append(("function", "uint64_t", None))
    return settings


def _declared(settings, top, macro):
    """Returns the C structure of the settings, and the macro with the query's values.

    A setting whose value the data decide, such as the start of window 0, is 0 in the macro.
    """
    if not settings:
        return ""
    members = [f"    {type_} {name};{_about(number)}" for name, type_, number in settings]
    values = [c_constant(n.value or 0, n.signed) if n else "0" for *_, n in settings]
    return "\n" + fill(
        SETTINGS, top=top, macro=macro, members="\n".join(members), values=", ".join(values)
    )


def _about(number):
    """Returns the C comment of a setting, which is None for the selection of an aggregate."""
    if number is None:
        return "  // which aggregate the rows show"
    return f"  // {printable(number.doc)}" + ("; the data decide" if number.value is None else "")


def _configure(settings, functions, top, macro):
    """Returns the C function that checks each setting, and then writes all settings.

    ``functions`` is the number of aggregates that the register of the function can select.
    """
    if not settings:
        return ""
    checks, writes = [], []
    for name, _, number in settings:
        value = f"settings->{name}"
        if number is None:
            checks.append(
                f"    if ({value} > {functions - 1})\n        return {macro}_BAD_SETTING;"
            )
            writes.append(f"    put(driver, {macro}_FUNCTION, (uint32_t){value});")
            continue
        checks += [
            f"    if ({check})\n        return {macro}_BAD_SETTING;"
            for check in _checks(value, number)
        ]
        for k, register in enumerate(register_names(number)):
            word = f"(uint32_t)((uint64_t){value} >> {32 * k})" if k else f"(uint32_t){value}"
            writes.append(f"    put(driver, {macro}_{register.upper()}, {word});")
    body = "\n".join([*checks, *writes, f"    return {macro}_OK;"])
    return (
        f"\n{top}_result_t {top}_configure({top}_driver_t *driver, "
        f"const {top}_settings_t *settings)\n{{\n{body}\n}}\n"
    )


def _checks(value, number):
    """Yields C conditions; a value is bad if one of them is true.

    A limit that no value of the C type can break has no condition: compilers warn of comparisons
    that are always false. For instance a ``uint64_t`` from 0 to 5 has the condition ``> 5`` only.
    """
    minimum, maximum = number.limits
    lowest, highest = (-(1 << 63), (1 << 63) - 1) if number.signed else (0, (1 << 64) - 1)
    if minimum > lowest:
        yield f"{value} < {c_constant(minimum, number.signed)}"
    if maximum < highest:
        yield f"{value} > {c_constant(maximum, number.signed)}"
    if number.multiple > 1:
        yield f"(uint64_t){value} % {number.multiple}"

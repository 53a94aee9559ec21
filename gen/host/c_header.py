"""Writes a C header for the host of a design: addresses, functions, tuples and rows of the bus.

The header includes the header of the register map, which PeakRDL writes. It is C99 and C++11 for
little-endian hosts, and needs the packed structures of GCC or Clang.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from math import lcm

from gen.design.columns import row_columns, tuple_columns
from gen.text.c_names import names_of
from host.tuple_window import HEAD as DATAGRAM_HEAD
from query.types import Double, Float, String, Type
from rtl.bus.register import Access, Register
from rtl.contract.design import Design
from rtl.contract.face import DATAGRAM
from rtl.contract.packing import Field
from rtl.contract.rows import Role

_HEAD = """\
// SPDX-License-Identifier: BSD-2-Clause
// The host's side of {top}: addresses, functions, tuples and rows as they are on the bus.
#ifndef {guard}
#define {guard}

#include <stdint.h>
#include "{top}.h"

#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ != __ORDER_LITTLE_ENDIAN__
#error "the structures below are for little-endian hosts"
#endif

#ifdef __cplusplus
extern "C" {{
#endif
"""
_FOOT = """
#ifdef __cplusplus
}
#endif

#endif
"""
_COUNTERS = """
// From hold on all counters read as they were in that one cycle, until they are released; they go
// on counting meanwhile. `registers` is where the 4 KiB behind s_axil are mapped.
static inline void {top}_hold_counters(volatile uint32_t *registers)
{{
    registers[{macro}_CONTROL / 4] = {macro}__CONTROL__SNAPSHOT_bm;
}}

static inline void {top}_release_counters(volatile uint32_t *registers)
{{
    registers[{macro}_CONTROL / 4] = 0;
}}

// A 64-bit counter, {macro}_COUNTER_...; right also while it runs.
static inline uint64_t {top}_counter(const volatile uint32_t *registers, uint32_t counter)
{{
    uint32_t high = registers[counter / 4 + 1], low, again;
    for (;;) {{
        low = registers[counter / 4];
        again = registers[counter / 4 + 1];
        if (again == high)
            return (uint64_t)high << 32 | low;
        high = again;
    }}
}}
"""
_STRING = """
// A string of the query into its field: its bytes come last first, shorter ones with zeros.
static inline void {top}_put_string(uint8_t *field, uint32_t bytes, const char *text)
{{
    uint32_t k, ended = 0;
    for (k = 0; k < bytes; ++k) {{
        ended |= !text[ended ? 0 : k];
        field[bytes - 1 - k] = ended ? 0 : (uint8_t)text[k];
    }}
}}
"""
_ABOUT = {
    Access.READ: "read only",
    Access.WRITE: "write only",
    Access.READ_WRITE: "read and write",
    Access.CLEAR: "read, and write 1 to clear",
}
#: Suffixes of the macros of a value that differs from its raw number.
_SCALE_ENDS = ("_FRACTION", "_SCALE")


@dataclass(frozen=True)
class _Member:
    """A field of a structure: its name in C, its place, its type, fraction bits and a remark.

    The type is None for a field without a type of the query.
    """

    name: str
    field: Field
    type: Type | None
    fraction: int
    note: str = ""


def host_header(design: Design, top: str, registers: Mapping[str, Register]) -> str:
    """Returns the text of ``<top>_host.h``.

    Parameters
    ----------
    design : Design
    top : str
        Name of the top module; all names of the header begin with it.
    registers : mapping of str to Register
    """
    macro = top.upper()
    parts = [
        _HEAD.format(top=top, guard=f"{macro}_HOST_H"),
        _addresses(macro, registers),
        _COUNTERS.format(top=top, macro=macro),
        _functions(macro, design),
    ]
    tuples, rows = _tuple_members(design, top), _row_members(design, top)
    if any(isinstance(member.type, String) for member in tuples):
        parts.append(_STRING.format(top=top))
    for kind, about, members, bus in (
        ("tuple", f"A tuple, as {_place(design, 's_axis')} has it", tuples, design.streams[0]),
        ("row", f"A row, as {_place(design, 'm_axis')} gives it", rows, design.streams[1]),
    ):
        parts.append(_structure(top, kind, about, members, bus, design.face))
    return "".join(parts) + _FOOT


def _place(design, bus):
    if design.face.network:
        return "a datagram"
    return f"a lane of {bus}" if design.face.bus_bits is None else f"the bytes of {bus}"


def _addresses(macro, registers):
    lines = ["\n// Byte addresses of the registers, behind s_axil."]
    lines += [
        f"#define {macro}_{r.name.upper()} {r.address:#05x}  // {_ABOUT[r.access]}"
        for r in registers.values()
    ]
    counters = [name.removesuffix("_low") for name in registers if name.endswith("_low")]
    counters = [name for name in counters if registers[f"{name}_low"].access is Access.READ]
    lines += ["\n// Byte addresses of the low words of the 64-bit counters."]
    lines += [
        f"#define {macro}_COUNTER_{name.upper()} {registers[f'{name}_low'].address:#05x}"
        for name in counters
    ]
    return "\n".join(lines) + "\n"


def _functions(macro, design):
    """Returns the numbers for the function register, and the scales of the selected values."""
    functions = design.settings.functions
    if not functions:
        return ""
    lines = ["\n// Values of the register `function`, which selects the aggregate of the rows."]
    fractions = [item.aggregate.fraction_bits for item in design.query.items]
    names = names_of(functions, ends=_SCALE_ENDS)
    for number, (name, text) in enumerate(zip(names, functions, strict=True)):
        lines.append(f"#define {macro}_FUNCTION_{name.upper()} {number}  // {text}")
    for name, fraction in zip(names, fractions, strict=True):
        lines += _scale(f"{macro}_FUNCTION_{name.upper()}", fraction)
    return "\n".join(lines) + "\n"


def _tuple_members(design, top):
    return _members(top, design.input.packing.fields, tuple_columns(design))


def _row_members(design, top):
    notes = [_valid_of(f) if f.role is Role.VALID else "" for f in design.rows.fields]
    return _members(top, design.rows.packing.fields, row_columns(design), notes)


def _valid_of(field):
    return f"0: {'every value of the row' if field.of is None else field.of} is NULL"


def _members(top, fields, columns, notes=()):
    names = names_of([field.name for field in fields], top)
    notes = notes or [""] * len(fields)
    return [
        _Member(name, field, column.type, column.fraction, note)
        for name, field, column, note in zip(names, fields, columns, notes, strict=True)
    ]


def _structure(top, kind, about, members, bus, face):
    """Returns a packed structure with a check of its size, and the scales of its fields."""
    macro, name = f"{top}_{kind}".upper(), f"{top}_{kind}"
    if face.network:
        size = bus.packing.bytes
        granule = size if bus.slave else lcm(size, bus.bytes)
        largest = DATAGRAM // granule * granule // size
        lines = [f"\n// {about}: one behind the other, as in an array, {largest} at most."]
        if face.host_link and bus.slave:
            fewer = (DATAGRAM - DATAGRAM_HEAD) // size
            lines += [
                f"// A numbered datagram has a head of {DATAGRAM_HEAD} bytes: {fewer} at most."
            ]
        lines += [f"#define {macro}S_IN_A_DATAGRAM {largest}"]
    elif bus.bits is None:
        lines = [f"\n// {about}: {bus.lanes} in a beat, the first in its lowest bytes."]
        lines += [f"#define {macro}S_IN_A_BEAT {bus.lanes}"]
    else:
        lines = [
            f"\n// {about}: one behind the other, as in an array, {bus.bytes} bytes in a beat."
        ]
        lines += [f"#define {macro}_BUS_BYTES {bus.bytes}"]
    lines += [line for m in members for line in _scale(f"{macro}_{m.name.upper()}", m.fraction)]
    lines += ["typedef struct __attribute__((__packed__)) {"]
    lines += [f"    {_declared(m)}  // {m.field.name}: {_description(m)}" for m in members]
    lines += [f"}} {name}_t;"]
    size = bus.packing.bytes
    lines += [f"typedef char {name}_is_{size}_bytes[sizeof({name}_t) == {size} ? 1 : -1];"]
    return "\n".join(lines) + "\n"


def _declared(member):
    """Returns the declaration of a field: a C number of the same size, otherwise bytes."""
    size, name = member.field.bytes, member.name
    if type(member.type) in (Float, Double):
        return f"{'double' if isinstance(member.type, Double) else 'float'} {name};"
    if isinstance(member.type, String) or size > 8:
        return f"uint8_t {name}[{size}];"
    sign = "" if member.field.signed else "u"
    if size in (1, 2, 4, 8):
        return f"{sign}int{8 * size}_t {name};"
    return f"__extension__ {sign}int{32 if size < 4 else 64}_t {name} : {8 * size};"


def _description(member):
    if member.type is not None:
        return str(member.type)
    sign, note = "signed" if member.field.signed else "unsigned", member.note
    bits = "1 bit" if member.field.width == 1 else f"{member.field.width} bits"
    return f"{sign}, {bits}{'; ' if note else ''}{note}"


def _scale(name, fraction):
    """Returns the macros of a value's scale, by which its raw number is divided; none for 1."""
    if not fraction:
        return []
    values = (fraction, f"{1 << fraction}.0")
    return [f"#define {name}{end} {value}" for end, value in zip(_SCALE_ENDS, values, strict=True)]

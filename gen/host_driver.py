"""A small driver in C99 beside the host header: configure, submit, poll.

It knows registers and bytes; how these get to the engine it is told by a table of functions, so
that the same file serves bare metal, a kernel's memory map and a simulation.
"""

from gen.c_names import names_of
from gen.escapes import printable
from rtl.bus.registers import BUSY, MAGIC, words

_HEAD = """\
// SPDX-License-Identifier: BSD-2-Clause
// A driver of {top}: configure, submit, poll. None of it waits, but for reset.
#ifndef {macro}_DRIVER_H
#define {macro}_DRIVER_H

#include <stddef.h>
#include <stdint.h>
#include "{top}_host.h"

#ifdef __cplusplus
extern "C" {{
#endif

typedef enum {{
    {macro}_OK = 0,             // done, or all is as it must be
    {macro}_RUNNING = 1,        // poll again
    {macro}_NO_ENGINE = -1,     // magic reads otherwise: load the bitstream, see to the address
    {macro}_OTHER_DESIGN = -2,  // the engine that answers is of another configuration
    {macro}_BAD_SETTING = -3,   // not within its limits; nothing was written
    {macro}_BUSY = -4,          // a stream is under way: poll it to its end, or reset
    {macro}_NO_ROOM = -5,       // more rows came than there is room for: reset
    {macro}_ERROR = -6,         // an error bit of status is set: read it, then reset
    {macro}_LOST = -7,          // overrun has counted: tuples had no place; all rows are there
    {macro}_TRANSFER = -8       // one of the functions below has failed: reset
}} {top}_result_t;

// How this machine reaches the engine; `context` is handed to each. Those that give an int give 0
// when all is well.
typedef struct {{
    void *context;
    uint32_t (*read)(void *context, uint32_t address);
    void (*write)(void *context, uint32_t address, uint32_t value);
    // Begin to give bytes to s_axis, with tlast at their end; none are an empty stream.
    int (*send)(void *context, const void *bytes, size_t count);
    // Begin to take one packet of m_axis, up to its tlast, of at most so many bytes.
    int (*receive)(void *context, void *bytes, size_t room);
    // Whether that packet is there: 1 and its length, 0 if not yet, less than 0 for an error.
    int (*received)(void *context, size_t *count);
    // For each packet, when it is there: where its bytes lie, and how many; may be 0.
    void (*packet)(void *context, const void *bytes, size_t count);
}} {top}_board_t;
{settings}
typedef struct {{
    const {top}_board_t *board;
    uint8_t *rows;
    size_t room, came;  // bytes
    uint64_t rows_before, lost_before;
    int running;
}} {top}_driver_t;

// Looks whether the engine answers, and is this design.
{top}_result_t {top}_open({top}_driver_t *driver, const {top}_board_t *board);
{configure}// Begins one stream; both arrays must stay until poll gives something else than RUNNING.
{top}_result_t {top}_submit({top}_driver_t *driver, const {top}_tuple_t *tuples, size_t count,
                            {top}_row_t *rows, size_t room);
// How far it is: RUNNING; or OK, and how many rows came; or an error.
{top}_result_t {top}_poll({top}_driver_t *driver, size_t *rows);
// Drops what is inside, clears counters and errors; waits for at most so many reads of status.
{top}_result_t {top}_reset({top}_driver_t *driver, unsigned long reads);

#ifdef __cplusplus
}}
#endif

#endif
"""
_SETTINGS = """
// What holds for the streams to come, as raw numbers; a time is in units of the time column's last
// place.
typedef struct {{
{members}
}} {top}_settings_t;

// What the query says.
#define {macro}_QUERY {{ {values} }}
"""
_CONFIGURE = """\
// Checks all settings, and writes them if they are within their limits.
{top}_result_t {top}_configure({top}_driver_t *driver, const {top}_settings_t *settings);
"""
_BODY = """\
// SPDX-License-Identifier: BSD-2-Clause
#include "{top}_driver.h"

static uint32_t get(const {top}_driver_t *driver, uint32_t address)
{{
    return driver->board->read(driver->board->context, address);
}}

static void put(const {top}_driver_t *driver, uint32_t address, uint32_t value)
{{
    driver->board->write(driver->board->context, address, value);
}}

static uint64_t counter(const {top}_driver_t *driver, uint32_t address)
{{
    uint32_t high = get(driver, address + 4), low, again;
    for (;;) {{
        low = get(driver, address);
        again = get(driver, address + 4);
        if (again == high)
            return (uint64_t)high << 32 | low;
        high = again;
    }}
}}

{top}_result_t {top}_open({top}_driver_t *driver, const {top}_board_t *board)
{{
    driver->board = board;
    driver->running = 0;
    if (get(driver, {macro}_MAGIC) != UINT32_C({magic:#010x}))
        return {macro}_NO_ENGINE;
    if (get(driver, {macro}_CONFIGURATION) != UINT32_C({configuration:#010x}))
        return {macro}_OTHER_DESIGN;
    return {macro}_OK;
}}
{configure}
{top}_result_t {top}_submit({top}_driver_t *driver, const {top}_tuple_t *tuples, size_t count,
                            {top}_row_t *rows, size_t room)
{{
    const {top}_board_t *board = driver->board;
    if (driver->running || get(driver, {macro}_STATUS) >> {busy})
        return {macro}_BUSY;
    if (get(driver, {macro}_STATUS))
        return {macro}_ERROR;
    driver->rows = (uint8_t *)rows;
    driver->room = room * sizeof *rows;
    driver->came = 0;
    driver->rows_before = counter(driver, {macro}_COUNTER_ROWS);
    driver->lost_before = {lost};
    driver->running = 1;
    if (board->receive(board->context, rows, driver->room) ||
        board->send(board->context, tuples, count * sizeof *tuples))
        return {macro}_TRANSFER;
    return {macro}_OK;
}}

{top}_result_t {top}_poll({top}_driver_t *driver, size_t *rows)
{{
    const {top}_board_t *board = driver->board;
    uint32_t status = get(driver, {macro}_STATUS);
    size_t count = 0;
    int there;
    // A packet may end within a row, where it is of so many transfers.
    while ((there = board->received(board->context, &count)) > 0) {{
        uint8_t *first = driver->rows + driver->came;
        if (count > driver->room - driver->came)
            return {macro}_NO_ROOM;
        driver->came += count;
        if (board->packet)
            board->packet(board->context, first, count);
        if (board->receive(board->context, first + count, driver->room - driver->came))
            return {macro}_TRANSFER;
    }}
    *rows = driver->came / sizeof({top}_row_t);
    if (there < 0)
        return {macro}_TRANSFER;
    if (status >> {busy})
        return {macro}_RUNNING;
    if (status)
        return {macro}_ERROR;
    // Nothing is inside; what has left may still be on its way into memory.
    count = (size_t)(counter(driver, {macro}_COUNTER_ROWS) - driver->rows_before);
    if (count > driver->room / sizeof({top}_row_t))
        return {macro}_NO_ROOM;
    if (count != *rows)
        return {macro}_RUNNING;
    driver->running = 0;
    return {lost} != driver->lost_before ? {macro}_LOST : {macro}_OK;
}}

{top}_result_t {top}_reset({top}_driver_t *driver, unsigned long reads)
{{
    put(driver, {macro}_CONTROL, {macro}__CONTROL__SOFT_RESET_bm);
    driver->running = 0;
    while (reads--)
        if (!(get(driver, {macro}_STATUS) >> {busy}))
            return {macro}_OK;
    return {macro}_BUSY;
}}
"""


def host_driver(design, top):
    """Texts of ``<top>_driver.h`` and ``<top>_driver.c`` by their names.

    Parameters
    ----------
    design : Design
    top : str
    """
    macro, settings = top.upper(), _settings(design)
    lost = any(counter.name == "overrun" for counter in design.counters)
    told = {"top": top, "macro": macro}
    head = _HEAD.format(
        settings=_declared(settings, **told),
        configure=_CONFIGURE.format(**told) if settings else "",
        **told,
    )
    body = _BODY.format(
        configure=_configure(settings, **told),
        magic=MAGIC,
        configuration=design.configuration_hash,
        busy=BUSY.low,
        lost=f"counter(driver, {macro}_COUNTER_OVERRUN)" if lost else "0",
        **told,
    )
    return {f"{top}_driver.h": head, f"{top}_driver.c": body}


def _settings(design):
    """Name in C, C's type, and the setting; the function, where there is one, has no setting."""
    numbers = design.settings.numbers
    names = names_of([number.name for number in numbers])
    kinds = ("int64_t" if number.signed else "uint64_t" for number in numbers)
    settings = [*zip(names, kinds, numbers, strict=True)]
    if design.settings.functions:
        settings.append(("function", "uint64_t", None))
    return settings


def _declared(settings, top, macro):
    if not settings:
        return ""
    members = [f"    {kind} {name};{_about(number)}" for name, kind, number in settings]
    values = [_constant(n.value or 0, n.signed) if n else "0" for *_, n in settings]
    return _SETTINGS.format(
        top=top, macro=macro, members="\n".join(members), values=", ".join(values)
    )


def _about(number):
    if number is None:
        return "  // which aggregate the rows show"
    return f"  // {printable(number.doc)}" + ("; the data decide" if number.value is None else "")


def _configure(settings, top, macro):
    """A function that checks each setting, and then writes all."""
    if not settings:
        return ""
    checks, writes = [], []
    for name, _, number in settings:
        value = f"settings->{name}"
        if number is None:
            writes.append(f"    put(driver, {macro}_FUNCTION, (uint32_t){value});")
            continue
        checks += [
            f"    if ({check})\n        return {macro}_BAD_SETTING;"
            for check in _checks(value, number)
        ]
        for k, register in enumerate(words(number)):
            word = f"(uint32_t)((uint64_t){value} >> {32 * k})" if k else f"(uint32_t){value}"
            writes.append(f"    put(driver, {macro}_{register.upper()}, {word});")
    body = "\n".join([*checks, *writes, f"    return {macro}_OK;"])
    return (
        f"\n{top}_result_t {top}_configure({top}_driver_t *driver, "
        f"const {top}_settings_t *settings)\n{{\n{body}\n}}\n"
    )


def _checks(value, number):
    """What is wrong with a value; no comparison that is always true, which a compiler minds."""
    least, most = number.limits
    lowest, highest = (-(1 << 63), (1 << 63) - 1) if number.signed else (0, (1 << 64) - 1)
    if least > lowest:
        yield f"{value} < {_constant(least, number.signed)}"
    if most < highest:
        yield f"{value} > {_constant(most, number.signed)}"
    if number.multiple > 1:
        yield f"(uint64_t){value} % {number.multiple}"


def _constant(value, signed):
    if value == -(1 << 63):
        return "INT64_MIN"
    return f"INT64_C({value})" if signed else f"UINT64_C({value})"

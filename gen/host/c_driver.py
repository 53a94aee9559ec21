"""Writes a small driver in C99 beside the host header: configure, submit, poll.

The driver reads and writes registers and bytes through a table of functions of the board. So the
same file serves bare metal, a kernel's memory map and a simulation.
"""

from gen.text.c_names import names_of
from gen.text.escapes import printable
from rtl.bus.registers import BUSY, MAGIC, register_names
from rtl.contract.design import Design
from rtl.contract.rows import Packet

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
    // Begins to give bytes to s_axis, with tlast at their end. A count of 0 is an empty stream,
    // which an AXI DMA cannot send: give an error for it.
    int (*send)(void *context, const void *bytes, size_t count);
    // Begins to take one packet of m_axis, up to its tlast, of at most `room` bytes, at least 1.
    // The driver calls it when a packet is on its way, and not again before that packet is there.
    int (*receive)(void *context, void *bytes, size_t room);
    // Returns 1 and the packet's length when it is there, 0 if not yet, less than 0 for an error.
    int (*received)(void *context, size_t *count);
    // For each packet, when it is there: where its bytes lie, and how many; may be 0.
    void (*packet)(void *context, const void *bytes, size_t count);
    // Returns 1 when all bytes of the last send have left, 0 if not yet, less than 0 for an error;
    // may be 0 where that is so as soon as the engine has ended its stream.
    int (*sent)(void *context);
    // Ends what a send and a receive have begun, and empties what holds bytes on their way, as the
    // reset bit of an AXI DMA does. reset calls it when the engine is empty; may be 0 where nothing
    // takes bytes of m_axis before a receive has begun.
    int (*stop)(void *context);
}} {top}_board_t;
{settings}
typedef struct {{
    const {top}_board_t *board;
    uint8_t *rows;
    size_t room, came;  // bytes
    size_t packets, last_packet;  // packets of this stream, and the last one's bytes
    uint64_t rows_before, streams_before, lost_before, stalls;
    int running, receiving;
}} {top}_driver_t;

// Looks whether the engine answers, and is this design.
{top}_result_t {top}_open({top}_driver_t *driver, const {top}_board_t *board);
{configure}// Begins one stream of `count` tuples. `rows` has room for `room` of them{spare}.
// Both arrays must stay until poll returns OK, or after an error until reset does.
{top}_result_t {top}_submit({top}_driver_t *driver, const {top}_tuple_t *tuples, size_t count,
                            {top}_row_t *rows, size_t room);
// How far it is: RUNNING; or OK when the stream has ended in the engine, nothing is inside and all
// its rows have come, and how many; or an error. Counters must not be held meanwhile.
{top}_result_t {top}_poll({top}_driver_t *driver, size_t *rows);
// Drops what is inside, clears counters and errors, takes the rest of a packet that is cut; waits
// for at most so many reads of status.
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

// Rows that have left the engine since the stream began, in bytes.
static uint64_t left(const {top}_driver_t *driver)
{{
    return (counter(driver, {macro}_COUNTER_ROWS) - driver->rows_before) * sizeof({top}_row_t);
}}

// Whether the stream's last packet has come, where each stream ends with one.
static int closed(const {top}_driver_t *driver)
{{
    {closed}
}}

// Takes the packet that is there. It may end within a row, where it is of so many transfers.
static {top}_result_t take({top}_driver_t *driver)
{{
    const {top}_board_t *board = driver->board;
    size_t count = 0;
    int there;
    if (!driver->receiving)
        return {macro}_OK;
    there = board->received(board->context, &count);
    if (there == 0)
        return {macro}_OK;
    driver->receiving = 0;
    if (there < 0)
        return {macro}_TRANSFER;
    if (count > driver->room - driver->came)
        return {macro}_NO_ROOM;
    if (board->packet)
        board->packet(board->context, driver->rows + driver->came, count);
    driver->came += count;
    driver->packets++;
    driver->last_packet = count;
    driver->stalls = counter(driver, {macro}_COUNTER_STALL_OUT);
    return {macro}_OK;
}}

// Begins to receive a packet.
static {top}_result_t receive({top}_driver_t *driver)
{{
    const {top}_board_t *board = driver->board;
    if (driver->came == driver->room || left(driver) > driver->room)
        return {macro}_NO_ROOM;
    if (board->receive(board->context, driver->rows + driver->came, driver->room - driver->came))
        return {macro}_TRANSFER;
    driver->receiving = 1;
    return {macro}_OK;
}}

// Whether a packet is on its way: more rows have left the engine than came, or it offers a beat
// that nothing takes.
static int offered({top}_driver_t *driver)
{{
    uint64_t stalls = counter(driver, {macro}_COUNTER_STALL_OUT), before = driver->stalls;
    driver->stalls = stalls;
    return stalls != before || left(driver) > driver->came;
}}

{top}_result_t {top}_open({top}_driver_t *driver, const {top}_board_t *board)
{{
    driver->board = board;
    driver->running = driver->receiving = 0;
    driver->rows = 0;
    driver->room = driver->came = 0;
    driver->rows_before = 0;
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
    if (driver->running || driver->receiving || get(driver, {macro}_STATUS) >> {busy})
        return {macro}_BUSY;
    if (get(driver, {macro}_STATUS))
        return {macro}_ERROR;
    driver->rows = (uint8_t *)rows;
    driver->room = room * sizeof *rows;
    driver->came = driver->packets = driver->last_packet = 0;
    driver->rows_before = counter(driver, {macro}_COUNTER_ROWS);
    driver->streams_before = counter(driver, {macro}_COUNTER_STREAMS);
    driver->stalls = counter(driver, {macro}_COUNTER_STALL_OUT);
    driver->lost_before = {lost};
    driver->running = 1;
    if (board->send(board->context, tuples, count * sizeof *tuples))
        return {macro}_TRANSFER;
    return {macro}_OK;
}}

{top}_result_t {top}_poll({top}_driver_t *driver, size_t *rows)
{{
    const {top}_board_t *board = driver->board;
    // In this order: what is read first has happened when the next one is read.
    int ended = counter(driver, {macro}_COUNTER_STREAMS) != driver->streams_before;
    uint32_t status = get(driver, {macro}_STATUS);
    {top}_result_t result = take(driver);
    int done, sent = 1;
    *rows = driver->came / sizeof({top}_row_t);
    if (result)
        return result;
    done = ended && !(status >> {busy});
    if (done && status)
        return {macro}_ERROR;
    if (!driver->receiving && (offered(driver) || (done && !closed(driver)))) {{
        result = receive(driver);
        return result ? result : {macro}_RUNNING;
    }}
    if (!done || driver->receiving)
        return {macro}_RUNNING;
    if (board->sent)
        sent = board->sent(board->context);
    if (sent <= 0)
        return sent ? {macro}_TRANSFER : {macro}_RUNNING;
    driver->running = 0;
    return {lost} != driver->lost_before ? {macro}_LOST : {macro}_OK;
}}

{top}_result_t {top}_reset({top}_driver_t *driver, unsigned long reads)
{{
    const {top}_board_t *board = driver->board;
    size_t count;
    // A packet that has begun to leave comes to an end, also a cut one: it must be taken.
    if (driver->running && !driver->receiving && offered(driver))
        (void)receive(driver);
    put(driver, {macro}_CONTROL, {macro}__CONTROL__SOFT_RESET_bm);
    driver->stalls = 0;
    while (reads--) {{
        int busy = (int)(get(driver, {macro}_STATUS) >> {busy});
        uint64_t stalls = counter(driver, {macro}_COUNTER_STALL_OUT);
        if (driver->receiving && board->received(board->context, &count)) {{
            driver->receiving = 0;
            stalls = counter(driver, {macro}_COUNTER_STALL_OUT);
        }} else if (busy && !driver->receiving && driver->room && stalls != driver->stalls) {{
            driver->receiving = !board->receive(board->context, driver->rows, driver->room);
        }}
        driver->stalls = stalls;
        if (driver->running && !busy && board->sent && !board->sent(board->context))
            busy = 1;  // the stream has not begun, or its end is on its way
        if (busy || (driver->receiving && !board->stop))
            continue;
        if (board->stop && board->stop(board->context))
            return {macro}_TRANSFER;
        driver->running = driver->receiving = 0;
        return {macro}_OK;
    }}
    return {macro}_BUSY;
}}
"""


def host_driver(design: Design, top: str) -> dict[str, str]:
    """Returns the texts of ``<top>_driver.h`` and ``<top>_driver.c`` by their names.

    Parameters
    ----------
    design : Design
    top : str
    """
    macro = top.upper()
    settings = _settings(design)
    lost = any(counter.name == "overrun" for counter in design.counters)
    names = {"top": top, "macro": macro}
    marks = design.face.marks(design.rows)
    spare = ",\n// one more than come, since each stream ends with an empty packet" if marks else ""
    head = _HEAD.format(
        spare=spare,
        settings=_declared(settings, **names),
        configure=_CONFIGURE.format(**names) if settings else "",
        **names,
    )
    body = _BODY.format(
        configure=_configure(settings, **names),
        magic=MAGIC,
        configuration=design.configuration_hash,
        busy=BUSY.low,
        closed=_closed(design, marks),
        lost=f"counter(driver, {macro}_COUNTER_OVERRUN)" if lost else "0",
        **names,
    )
    return {f"{top}_driver.h": head, f"{top}_driver.c": body}


def _closed(design, marks):
    """Returns the C statement that tells whether the last packet of the stream has arrived."""
    if marks:
        return "return driver->packets && !driver->last_packet;"
    if design.face.joins(design.rows) or design.rows.packet is Packet.STREAM:
        return "return driver->packets != 0;"
    return "(void)driver;\n    return 1;"


def _settings(design):
    """Returns name in C, type in C and setting of each register; the function has no setting."""
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
    """Returns the C function that checks each setting, and then writes all settings."""
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
        for k, register in enumerate(register_names(number)):
            word = f"(uint32_t)((uint64_t){value} >> {32 * k})" if k else f"(uint32_t){value}"
            writes.append(f"    put(driver, {macro}_{register.upper()}, {word});")
    body = "\n".join([*checks, *writes, f"    return {macro}_OK;"])
    return (
        f"\n{top}_result_t {top}_configure({top}_driver_t *driver, "
        f"const {top}_settings_t *settings)\n{{\n{body}\n}}\n"
    )


def _checks(value, number):
    """Yields C conditions that are true for a bad value.

    No condition is always false, since compilers warn of such a comparison.
    """
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

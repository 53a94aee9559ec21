"""Holds the text of the C driver, except ``configure``, which depends on the settings."""

#: Template of ``<top>_driver.c``.
SOURCE = """\
// SPDX-License-Identifier: BSD-2-Clause
#include "${top}_driver.h"

static uint32_t get(const ${top}_driver_t *driver, uint32_t address)
{
    return driver->board->read(driver->board->context, address);
}

static void put(const ${top}_driver_t *driver, uint32_t address, uint32_t value)
{
    driver->board->write(driver->board->context, address, value);
}

// Returns a 64-bit counter, which may count between the reads of its two words.
static uint64_t counter(const ${top}_driver_t *driver, uint32_t address)
{
    uint32_t high = get(driver, address + 4), low, again;
    for (;;) {
        low = get(driver, address);
        again = get(driver, address + 4);
        if (again == high)
            return (uint64_t)high << 32 | low;
        high = again;
    }
}

// Returns 0 if a packet must still come that the counter of rows does not show: the end marker, or
// the first packet of a stream that is one packet. Always 1 in designs with a packet for each
// window.
static int has_last_packet(const ${top}_driver_t *driver)
{
    ${has_last_packet}
}

// Ends the receive if its packet has arrived. A packet with a fixed number of transfers may end
// within a row.
static ${top}_result_t accept_packet(${top}_driver_t *driver)
{
    const ${top}_board_t *board = driver->board;
    size_t count = 0;
    int received;
    if (!driver->receiving)
        return ${macro}_OK;
    received = board->received(board->context, &count);
    if (received == 0)
        return ${macro}_OK;
    driver->receiving = 0;
    if (received < 0)
        return ${macro}_TRANSFER;
    if (count > driver->room - driver->arrived)
        return ${macro}_NO_ROOM;
    if (board->packet)
        board->packet(board->context, driver->rows + driver->arrived, count);
    driver->arrived += count;
    driver->packets++;
    driver->last_packet = count;
    return ${macro}_OK;
}

// Begins to receive a packet, in the room after the rows that have arrived.
static ${top}_result_t receive(${top}_driver_t *driver)
{
    const ${top}_board_t *board = driver->board;
    if (driver->arrived == driver->room || driver->produced > driver->room)
        return ${macro}_NO_ROOM;
    if (board->receive(board->context, driver->rows + driver->arrived,
                       driver->room - driver->arrived))
        return ${macro}_TRANSFER;
    driver->receiving = 1;
    return ${macro}_OK;
}

// Returns 1 if a packet is on its way: more bytes of rows have left the engine than have arrived,
// or m_axis has stalled since the last call, because it offers a transfer that nothing accepts.
static int is_packet_offered(${top}_driver_t *driver)
{
    uint64_t stalls = counter(driver, ${macro}_COUNTER_STALL_OUT), before = driver->stalls;
    uint64_t rows = counter(driver, ${macro}_COUNTER_ROWS) - driver->rows_before;
    driver->stalls = stalls;
    driver->produced = rows * sizeof(${top}_row_t);
    return stalls != before || driver->produced > driver->arrived;
}

// Returns 1 if the board can no longer reach the engine. Registers then read as 0.
static int is_unreachable(const ${top}_driver_t *driver)
{
    return driver->board->sent && driver->board->sent(driver->board->context) < 0;
}

// Accepts the packets that have arrived, one after the other.
static ${top}_result_t accept_packets(${top}_driver_t *driver)
{
    size_t before = driver->packets;
    ${top}_result_t result = accept_packet(driver);
    while (!result && !driver->receiving && driver->produced > driver->arrived) {
        result = receive(driver);
        if (!result)
            result = accept_packet(driver);
    }
    if (driver->packets != before)
        driver->stalls = counter(driver, ${macro}_COUNTER_STALL_OUT);
    return result;
}

${top}_result_t ${top}_open(${top}_driver_t *driver, const ${top}_board_t *board)
{
    driver->board = board;
    driver->running = driver->receiving = 0;
    driver->rows = 0;
    driver->room = driver->arrived = driver->packets = driver->last_packet = 0;
    driver->rows_before = driver->streams_before = driver->produced = driver->stalls = 0;
    if (get(driver, ${macro}_MAGIC) != UINT32_C(${magic}))
        return ${macro}_NO_ENGINE;
    if (get(driver, ${macro}_CONFIGURATION) != UINT32_C(${configuration}))
        return ${macro}_OTHER_DESIGN;
    return ${macro}_OK;
}
${configure}
${top}_result_t ${top}_submit(${top}_driver_t *driver, const ${top}_tuple_t *tuples, size_t count,
                            ${top}_row_t *rows, size_t room)
{
    const ${top}_board_t *board = driver->board;
    if (driver->running || driver->receiving || get(driver, ${macro}_STATUS) >> ${busy})
        return ${macro}_BUSY;
    if (get(driver, ${macro}_STATUS))
        return ${macro}_ERROR;
    driver->rows = (uint8_t *)rows;
    driver->room = room * sizeof *rows;
    driver->arrived = driver->packets = driver->last_packet = 0;
    driver->produced = 0;
    driver->rows_before = counter(driver, ${macro}_COUNTER_ROWS);
    driver->streams_before = counter(driver, ${macro}_COUNTER_STREAMS);
    driver->stalls = counter(driver, ${macro}_COUNTER_STALL_OUT);
    driver->lost_before = ${lost};
    driver->overflowed_before = ${overflowed};
    driver->evicted_before = ${evicted};
    driver->running = 1;
    if (board->send(board->context, tuples, count * sizeof *tuples))
        return ${macro}_TRANSFER;
    return ${macro}_OK;
}

${top}_result_t ${top}_poll(${top}_driver_t *driver, size_t *rows)
{
    const ${top}_board_t *board = driver->board;
    // The counter is read first: if the engine is not busy then, it has computed the whole stream.
    int ended = counter(driver, ${macro}_COUNTER_STREAMS) != driver->streams_before;
    uint32_t status = get(driver, ${macro}_STATUS);
    int done = ended && !(status >> ${busy});
    int sent = board->sent ? board->sent(board->context) : 1;
    ${top}_result_t result = accept_packets(driver);
    *rows = driver->arrived / sizeof(${top}_row_t);
    if (result)
        return result;
    if (sent < 0)
        return ${macro}_TRANSFER;
    if (done && status)
        return ${macro}_ERROR;
    if (!driver->receiving && (is_packet_offered(driver) || (done && !has_last_packet(driver)))) {
        result = receive(driver);
        if (!result)
            return ${macro}_RUNNING;
        return is_unreachable(driver) ? ${macro}_TRANSFER : result;
    }
    if (!done || driver->receiving || !sent)
        return ${macro}_RUNNING;
    result = ${lost} != driver->lost_before ? ${macro}_LOST : ${macro}_OK;
    if (!result && ${overflowed} != driver->overflowed_before)
        result = ${macro}_OVERFLOWED;
    if (!result && ${evicted} != driver->evicted_before)
        result = ${macro}_EVICTED;
    if (is_unreachable(driver))
        return ${macro}_TRANSFER;
    driver->running = 0;
    return result;
}

${top}_result_t ${top}_reset(${top}_driver_t *driver, unsigned long reads)
{
    const ${top}_board_t *board = driver->board;
    size_t count;
    // The engine ends a packet that has begun to leave, and is busy until the packet is received.
    if (driver->running && !driver->receiving && is_packet_offered(driver))
        (void)receive(driver);
    put(driver, ${macro}_CONTROL, ${macro}__CONTROL__SOFT_RESET_bm);
    driver->stalls = 0;
    while (reads--) {
        // Until all bytes have left, a stream may begin or end after the status was read.
        int sent = !driver->running || !board->sent || board->sent(board->context);
        int busy = (int)(get(driver, ${macro}_STATUS) >> ${busy});
        uint64_t stalls = counter(driver, ${macro}_COUNTER_STALL_OUT);
        if (driver->receiving && board->received(board->context, &count)) {
            driver->receiving = 0;
            stalls = counter(driver, ${macro}_COUNTER_STALL_OUT);
        } else if (busy && !driver->receiving && driver->room && stalls != driver->stalls) {
            driver->receiving = !board->receive(board->context, driver->rows, driver->room);
        }
        driver->stalls = stalls;
        if (busy || !sent || (driver->receiving && !board->stop))
            continue;
        if (board->stop && board->stop(board->context))
            return ${macro}_TRANSFER;
        driver->running = driver->receiving = 0;
        return ${macro}_OK;
    }
    return ${macro}_BUSY;
}
"""

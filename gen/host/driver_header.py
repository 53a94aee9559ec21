"""Text of the C driver's header: results, functions of the board, settings, functions."""

#: Template of ``<top>_driver.h``.
HEADER = """\
// SPDX-License-Identifier: BSD-2-Clause
// A driver of ${top}: open, configure, submit, poll, reset. Only reset waits, for a limited time.
#ifndef ${macro}_DRIVER_H
#define ${macro}_DRIVER_H

#include <stddef.h>
#include <stdint.h>
#include "${top}_host.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum {
    ${macro}_OK = 0,             // the call has succeeded; poll: the stream is complete
    ${macro}_RUNNING = 1,        // the stream is not complete: poll again
    ${macro}_NO_ENGINE = -1,     // no engine answers: load the bitstream, check the address
    ${macro}_OTHER_DESIGN = -2,  // an engine of another configuration answers
    ${macro}_BAD_SETTING = -3,   // a setting is outside its limits; no setting was written
    ${macro}_BUSY = -4,          // an earlier stream has not ended: poll to its end, or reset
    ${macro}_NO_ROOM = -5,       // the stream has more rows than `room`: reset
    ${macro}_ERROR = -6,         // an error bit of the register status is set: read it, then reset
    ${macro}_LOST = -7,          // the engine had no room for some tuples (counter overrun); all
                                 // rows of the other tuples are there
    ${macro}_TRANSFER = -8,      // a function of the board has failed: reset
    ${macro}_EVICTED = -9,       // the engine's table evicted keys (counter collision), which began
                                 // anew; all rows are there
    ${macro}_OVERFLOWED = -10    // windows had no room in the rings of their keys (counter
                                 // overflowed_windows): the values of their rows are not valid
} ${top}_result_t;

// Functions of the board, which give the driver access to the engine. Each function gets `context`.
// A function that returns int returns 0 for success, unless its comment says otherwise.
typedef struct {
    void *context;
    uint32_t (*read)(void *context, uint32_t address);
    void (*write)(void *context, uint32_t address, uint32_t value);
    // Begins to send bytes to s_axis, with tlast at their end. A count of 0 is an empty stream. An
    // AXI DMA cannot send an empty stream: return an error.
    int (*send)(void *context, const void *bytes, size_t count);
    // Begins to receive one packet of m_axis, up to its tlast. `room` is at least 1; the packet has
    // at most `room` bytes, or none.
    // The driver calls it when a packet is on its way, and not again before this packet is there.
    int (*receive)(void *context, void *bytes, size_t room);
    // Returns 1 and the packet's length if the packet is there, 0 if not yet, less than 0 for an
    // error. A length above `room` says that the packet was too long.
    int (*received)(void *context, size_t *count);
    // May be 0. The driver calls it for each packet that is there, with its first byte and length.
    void (*packet)(void *context, const void *bytes, size_t count);
    // May be 0 if all bytes have left when the engine has ended its stream. Every poll calls it, so
    // a send may continue here. Returns 1 if all bytes of the last send have left, 0 if not yet,
    // less than 0 for an error.
    int (*sent)(void *context);
    // May be 0 if nothing takes bytes of m_axis before a receive has begun. Ends a send and a
    // receive, and drops all bytes under way, as the reset bit of an AXI DMA does. The driver's
    // reset calls it when the engine is empty.
    int (*stop)(void *context);
} ${top}_board_t;
${settings}
// The state of the driver; only its functions use the members.
typedef struct {
    const ${top}_board_t *board;
    uint8_t *rows;
    size_t room, arrived;  // bytes for rows, and bytes of rows that have arrived
    size_t packets, last_packet;  // packets of this stream, and bytes of the last packet
    uint64_t produced;  // bytes of rows that had left the engine when its counter was last read
    // values of counters at the begin of the stream
    uint64_t rows_before, streams_before, lost_before, overflowed_before, evicted_before;
    uint64_t stalls;  // counter stall_out when it was last read
    int running, receiving;
} ${top}_driver_t;

// Initialises the driver, and checks that an engine of this design answers. `*board` must stay as
// long as the driver is used.
${top}_result_t ${top}_open(${top}_driver_t *driver, const ${top}_board_t *board);
${configure}// Begins a stream of `count` tuples. `rows` has room for `room` rows${spare}.
// Both arrays must stay until poll returns OK, LOST, OVERFLOWED or EVICTED, or after another error
// until reset returns OK.
${top}_result_t ${top}_submit(${top}_driver_t *driver, const ${top}_tuple_t *tuples, size_t count,
                            ${top}_row_t *rows, size_t room);
// Continues the stream that submit has begun, and stores in `*rows` the number of rows that are
// there. Returns RUNNING; or OK if the engine has ended the stream, is empty, and all rows are
// there; or an error. If several of LOST, OVERFLOWED and EVICTED apply, it returns the first of
// them in this order. Do not hold the counters during a stream.
${top}_result_t ${top}_poll(${top}_driver_t *driver, size_t *rows);
// Drops all data in the engine, clears counters and errors, and takes the rest of a packet that was
// cut. Returns BUSY if the engine is not empty after `reads` reads of status.
${top}_result_t ${top}_reset(${top}_driver_t *driver, unsigned long reads);

#ifdef __cplusplus
}
#endif

#endif
"""
#: Template of the structure of settings, for designs with settings.
SETTINGS = """
// Settings of the next streams, as raw numbers; a time is in units of the time column's last place.
typedef struct {
${members}
} ${top}_settings_t;

// The settings of the query.
#define ${macro}_QUERY { ${values} }
"""
#: Template of the declaration of ``<top>_configure``, for designs with settings.
CONFIGURE = """\
// Writes all settings, if all are within their limits.
${top}_result_t ${top}_configure(${top}_driver_t *driver, const ${top}_settings_t *settings);
"""

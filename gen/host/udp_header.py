"""Text of the header of the C functions that reach an engine by UDP."""

#: Template of ``<top>_udp.h``.
HEADER = """\
// SPDX-License-Identifier: BSD-2-Clause
// Functions of a board for ${top}_driver.h that reach the engine by UDP, with POSIX sockets. Tuples
// are sent as the engine has room, and again if a datagram gets lost. Rows are not sent again,
// because the engine does not keep them: a lost datagram of rows is counted, and ends the stream
// with an error. One program at a time can use an engine.
#ifndef ${macro}_UDP_H
#define ${macro}_UDP_H

#include "${top}_driver.h"

#ifdef __cplusplus
extern "C" {
#endif

// UDP port of the engine's registers, unless the board has another one.
#define ${macro}_UDP_REGISTERS_PORT 1234
// Bytes of tuples or rows in a datagram at most, behind its number.
#define ${macro}_UDP_PAYLOAD 1464
// Datagrams of rows that can wait for a datagram before them, or for the driver.
#define ${macro}_UDP_SLOTS 64
// Complete packets of rows that can wait until the driver takes them.
#define ${macro}_UDP_PACKETS 4096
// Registers whose written values are checked before and after each stream.
#define ${macro}_UDP_REGISTERS ${registers}

typedef enum {
    ${macro}_UDP_OK = 0,
    // The engine's name or address cannot be reached, or `here` is not of this machine.
    ${macro}_UDP_ADDRESS,
    // A request to registers got no answer within the time limit.
    ${macro}_UDP_NO_ANSWER,
    // Within the time limit the engine took no tuple and sent no row.
    ${macro}_UDP_NO_PROGRESS,
    // Datagrams of rows got lost: run the stream again.
    ${macro}_UDP_ROWS_LOST,
    // A register has another value than the value that was written last.
    ${macro}_UDP_REGISTERS_CHANGED,
    // The stream was cut: the engine was reset, or another program has sent tuples.
    ${macro}_UDP_CUT
} ${top}_udp_error_t;

typedef struct {
    unsigned milliseconds;  // time limit without an answer or without progress
    uint32_t flush_cycles;  // cycles after which a datagram that is not full leaves; 0: never
    const char *here;       // IPv4 address of this machine to which rows come; 0: chosen
    uint16_t here_port;     // UDP port of this machine to which rows come; 0: chosen
} ${top}_udp_options_t;

// Options that suit most networks.
#define ${macro}_UDP_DEFAULTS { 10000, 10000, 0, 0 }

// A datagram of rows that waits.
typedef struct {
    int is_there;
    size_t size;  // bytes of rows; 0: the end of a packet
    uint8_t rows[${macro}_UDP_PAYLOAD];
} ${top}_udp_slot_t;

// The connection to an engine. It has some 130 KB, and must stay at its place while it is open.
typedef struct {
    // For ${top}_open. `board.packet` may be set after ${top}_udp_open; its context is this object.
    ${top}_board_t board;
    void *user;  // for the functions of the caller
    // The first error since ${top}_udp_open or the last reset; but NO_ANSWER, as soon as a request
    // has no answer in time: all later requests then fail at once.
    ${top}_udp_error_t error;
    // Counts of the stream that was submitted last.
    unsigned long lost_row_datagrams;       // never came, or only after 64 or more later ones
    unsigned long repeated_row_datagrams;   // came twice, and count once; or came so late
    unsigned long resent_tuple_datagrams;   // sent again
    unsigned long resent_requests;          // requests to registers that were sent again

    // The other members are for the functions of ${top}_udp.c only.
    int registers_socket, rows_socket;
    uint64_t limit;  // milliseconds
    uint32_t request_number;
    struct { uint32_t address, value; } written[${macro}_UDP_REGISTERS];
    size_t written_count;
    uint32_t link_before[6];  // values of the link's registers before ${top}_udp_open
    int link_is_set;
    uint64_t progress_time;  // when tuples or rows moved last

    // Tuples. A place is the index of a datagram in its stream.
    const uint8_t *tuples;
    size_t tuples_size;                // bytes
    uint64_t places;                   // datagrams of the stream, with the one that ends it
    uint64_t taken, next_out, sent;    // places: next that the engine expects, next to send, and
                                       // first that was never sent
    uint32_t first_number;             // number of place 0
    uint32_t room;                     // free bytes of the engine's buffer
    int still_answers;                 // successive answers with the same `taken`
    int is_cut;                        // a soft reset has cut the stream

    // The end of the stream.
    uint32_t streams_before, tuples_before;  // counters, their low words
    int is_idle;              // the engine has ended the stream and is empty
    uint32_t row_end;         // then: number after the last datagram of rows
    int is_checked;           // the written registers were checked after the stream

    // Rows. Here a place is the index of a datagram of rows since the stream began.
    uint32_t first_row_number;  // number of place 0
    uint64_t next_row;          // place of the next datagram in order
    ${top}_udp_slot_t slots[${macro}_UDP_SLOTS];
    unsigned queued;            // slots with a datagram
    uint8_t datagram[8 + ${macro}_UDP_PAYLOAD];  // the datagram that was read last
    size_t datagram_size;       // its bytes; 0: it has a slot already
    uint8_t *packet;            // where the driver's next packet begins; 0: no receive has begun
    size_t packet_room;         // bytes from there to the end of the array
    size_t ahead;               // bytes that were stored there, of one packet or several
    size_t packet_size;         // bytes of the packet in progress, the last one
    size_t ended[${macro}_UDP_PACKETS];  // a ring: bytes of packets that the driver has not taken
    unsigned first_ended, ended_count;
} ${top}_udp_t;

// Connects to an engine, checks that it is of this design, ends an unfinished stream of an earlier
// program, and lets rows come to this program. Call ${top}_open with `&udp->board` then. `options`
// may be 0 for the defaults. Returns OK, NO_ENGINE, OTHER_DESIGN, BUSY (the engine stays busy
// although it was reset) or TRANSFER; after an error nothing is open, and `udp->error` says more.
${top}_result_t ${top}_udp_open(${top}_udp_t *udp, const char *host, uint16_t registers_port,
                              const ${top}_udp_options_t *options);
// Gives the registers of the link their earlier values, and closes the sockets. A second call does
// nothing.
void ${top}_udp_close(${top}_udp_t *udp);
// Returns `udp->error` as a sentence.
const char *${top}_udp_text(const ${top}_udp_t *udp);

#ifdef __cplusplus
}
#endif

#endif
"""

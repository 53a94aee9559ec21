"""C functions of `<top>_udp.c`: requests to registers by datagrams in the format of Etherbone."""

#: Template of the first part of ``<top>_udp.c``.
REQUESTS = """\
// SPDX-License-Identifier: BSD-2-Clause
#ifndef _POSIX_C_SOURCE
#define _POSIX_C_SOURCE 200809L
#endif
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <netdb.h>
#include <netinet/in.h>
#include <poll.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>
#include "${top}_udp.h"

enum {
    FIRST_WAIT = 100,     // milliseconds until a request without an answer is sent again; this wait
                          // doubles with each repetition
    LONGEST_WAIT = 1000,  // milliseconds, the longest wait
    REQUEST_HEAD = 24,    // bytes of a request at most, without the addresses of its reads
    ANSWER_HEAD = 16      // bytes of an answer before the values
};

static uint64_t milliseconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000 + (uint64_t)now.tv_nsec / 1000000;
}

// Stores the first error, and returns -1.
static int fail(${top}_udp_t *udp, ${top}_udp_error_t error)
{
    if (!udp->error)
        udp->error = error;
    return -1;
}

static void collect(${top}_udp_t *udp);

// ---------------------------------------------------------------- registers
// The format has the highest byte of a number first.
static size_t put_word(uint8_t *bytes, size_t at, uint32_t word)
{
    bytes[at] = (uint8_t)(word >> 24);
    bytes[at + 1] = (uint8_t)(word >> 16);
    bytes[at + 2] = (uint8_t)(word >> 8);
    bytes[at + 3] = (uint8_t)word;
    return at + 4;
}

static uint32_t word_at(const uint8_t *bytes)
{
    return (uint32_t)bytes[0] << 24 | (uint32_t)bytes[1] << 16 | (uint32_t)bytes[2] << 8 | bytes[3];
}

// Waits for the answer to the last request until a time. Returns 1 and the values, or 0. Answers
// to earlier requests have other numbers, and are dropped.
static int answered(${top}_udp_t *udp, uint32_t *values, size_t count, uint64_t until)
{
    static const uint8_t head[10] = { 0x4e, 0x6f, 0x14, 0x44, 0, 0, 0, 0, 0, 0x0f };
    uint8_t answer[ANSWER_HEAD + 4 * ${macro}_UDP_REGISTERS + 1];
    for (;;) {
        uint64_t now = milliseconds();
        struct pollfd events[2] = { { udp->registers_socket, POLLIN, 0 },
                                    { udp->rows_socket, POLLIN, 0 } };
        ssize_t size;
        size_t k;
        if (now >= until)
            return 0;
        // While a datagram of rows waits for the driver, later ones stay in the socket.
        (void)poll(events, udp->datagram_size ? 1 : 2, (int)(until - now));
        if (!udp->datagram_size)
            collect(udp);
        size = recv(udp->registers_socket, answer, sizeof answer, 0);
        if (size != (ssize_t)(ANSWER_HEAD + 4 * count) || memcmp(answer, head, sizeof head))
            continue;
        if (answer[10] != count || answer[11] || word_at(answer + 12) != udp->request_number)
            continue;
        for (k = 0; k < count; ++k)
            values[k] = word_at(answer + ANSWER_HEAD + 4 * k);
        return 1;
    }
}

// Writes a register, if `write` is not 0 (address and value), and then reads registers in order, in
// one request. Sends the request again until its answer comes: reads change nothing, and a setting
// that is written twice has the same value. A soft reset that is repeated may cut the next stream,
// which the driver then notices. Returns 0, or -1 after the time limit, or at once if an earlier
// request had no answer.
static int exchange(${top}_udp_t *udp, const uint32_t *write, const uint32_t *addresses,
                    uint32_t *values, size_t count)
{
    static const uint8_t head[10] = { 0x4e, 0x6f, 0x10, 0x44, 0, 0, 0, 0, 0, 0x0f };
    uint8_t request[REQUEST_HEAD + 4 * ${macro}_UDP_REGISTERS];
    uint64_t end = milliseconds() + udp->limit, wait = FIRST_WAIT;
    size_t size = sizeof head, k;
    if (udp->registers_socket < 0 || udp->error == ${macro}_UDP_NO_ANSWER)
        return -1;
    memcpy(request, head, sizeof head);
    request[size++] = write != 0;
    request[size++] = (uint8_t)count;
    for (k = 0; write && k < 2; ++k)
        size = put_word(request, size, write[k]);
    size = put_word(request, size, ++udp->request_number);
    for (k = 0; k < count; ++k)
        size = put_word(request, size, addresses[k]);
    for (;;) {
        uint64_t now = milliseconds();
        // A request that cannot leave counts as lost, for instance while a cable is pulled out.
        (void)send(udp->registers_socket, request, size, 0);
        if (answered(udp, values, count, now + wait < end ? now + wait : end))
            return 0;
        if (milliseconds() >= end) {
            udp->error = ${macro}_UDP_NO_ANSWER;  // replaces any earlier error
            return -1;
        }
        udp->resent_requests++;
        wait *= 2;
        if (wait > LONGEST_WAIT)
            wait = LONGEST_WAIT;
    }
}

// Writes a register, and reads it in the same request, so the answer confirms the write.
static int write_word(${top}_udp_t *udp, uint32_t address, uint32_t value)
{
    uint32_t write[2], read_back;
    write[0] = address;
    write[1] = value;
    return exchange(udp, write, &address, &read_back, 1);
}

// Remembers a written value for check_written. Registers that do not read back what was written are
// left out.
static void keep(${top}_udp_t *udp, uint32_t address, uint32_t value)
{
    size_t k = 0;
    if (${unstable})
        return;
    while (k < udp->written_count && udp->written[k].address != address)
        ++k;
    if (k == ${macro}_UDP_REGISTERS)
        return;
    if (k == udp->written_count)
        udp->written_count++;
    udp->written[k].address = address;
    udp->written[k].value = value;
}

// Compares registers with the values that were written last: the network may deliver an old write
// twice, or the board may have lost its power. With `tries` above 0 a register with another value
// is written again, so many times at most. Returns 0, or -1 if a register still differs, or if a
// request has no answer.
static int check_written(${top}_udp_t *udp, int tries)
{
    uint32_t addresses[${macro}_UDP_REGISTERS], values[${macro}_UDP_REGISTERS];
    size_t k;
    int differs;
    if (!udp->written_count)
        return 0;
    for (k = 0; k < udp->written_count; ++k)
        addresses[k] = udp->written[k].address;
    for (;;) {
        if (exchange(udp, 0, addresses, values, udp->written_count))
            return -1;
        differs = 0;
        for (k = 0; k < udp->written_count; ++k) {
            if (values[k] == udp->written[k].value)
                continue;
            differs = 1;
            if (tries && write_word(udp, addresses[k], udp->written[k].value))
                return -1;
        }
        if (!differs)
            return 0;
        if (!tries--)
            return fail(udp, ${macro}_UDP_REGISTERS_CHANGED);
    }
}

// The board's `read`. Returns 0 if no answer comes. Then send, receive and sent fail, and received
// does after the packets that are complete.
static uint32_t read_register(void *context, uint32_t address)
{
    uint32_t value = 0;
    return exchange((${top}_udp_t *)context, 0, &address, &value, 1) ? 0 : value;
}
"""

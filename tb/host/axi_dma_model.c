// Runs the generated driver of sluice_x against a model of its engine behind an AXI DMA in simple
// mode (PG021): registers DMACR, DMASR, SA/DA and LENGTH of each channel.
//   axi_dma_model SEED PACKETS FIFO RESET ROWS...
// Sends a stream for each number in ROWS; the engine answers with this number of rows. PACKETS is
// "stream", "window" (a packet for each row), or "marked" (also an empty packet at the end). FIFO is
// the number of transfers that the DMA accepts before a receive has begun. RESET is the index of the
// stream that a reset cuts, or -1. Register accesses and transfers from and to memory take random
// numbers of cycles. Prints "pass", or a line about the mistake with exit code 1.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "sluice_x_driver.h"

#define ROW sizeof(sluice_x_row_t)
#define TUPLE sizeof(sluice_x_tuple_t)
#define TUPLES 6
#define MOST 64
enum { RUN = 1, RESET = 4, HALTED = 1, IDLE = 2, INTERNAL = 16 };

static unsigned long seed;
static unsigned long pick(unsigned long n)  // from 0 to n - 1
{
    seed = seed * 6364136223846793005UL + 1442695040888963407UL;
    return (seed >> 33) % n;
}

static void fail(const char *what)
{
    printf("%s\n", what);
    exit(1);
}

typedef struct {
    uint32_t control, status, length;
    const uint8_t *source;
    uint8_t *target;
    size_t at;
    int moving, delay, resetting;
} channel_t;

typedef struct { uint8_t bytes[MOST]; size_t count; int last; } beat_t;

static channel_t mm2s, s2mm;
static struct {
    uint64_t tuples, streams, rows, stall_out;
    uint32_t status;
    int inside, dropping, delay, begun;
    beat_t out[256];
    int first, last;
} engine;
static beat_t fifo[8];
static int fifo_count, fifo_room, stream_number;
static const char *packets;
static int rows_of_stream[16], streams;

// ---------------------------------------------------------------- the engine
static uint8_t byte_of(int stream, int row, size_t k)
{
    return (uint8_t)(stream * 37 + row * 11 + (int)k * 3 + 1);
}

static void give(int stream, int row, int last)
{
    beat_t *beat = &engine.out[engine.last++ % 256];
    size_t k;
    beat->count = row < 0 ? 0 : ROW;
    beat->last = last;
    for (k = 0; k < beat->count; ++k)
        beat->bytes[k] = byte_of(stream, row, k);
}

static void answer(void)
{
    int n = rows_of_stream[stream_number], k;
    for (k = 0; k < n; ++k)
        give(stream_number, k, strcmp(packets, "stream") || k == n - 1);
    if (!strcmp(packets, "marked") || (!strcmp(packets, "stream") && !n))
        give(stream_number, -1, 1);
    stream_number++;
}

static int busy(void)
{
    return engine.inside || engine.first != engine.last || engine.dropping;
}

static void soft_reset(void)
{
    int held = engine.first != engine.last;  // the offered row is sent
    beat_t offered = engine.out[engine.first % 256];
    engine.tuples = engine.streams = engine.rows = engine.stall_out = 0;
    engine.status = 0;
    if (engine.inside == 1)
        engine.dropping = 1;  // the engine accepts and drops the rest of its stream
    engine.inside = 0;
    engine.first = engine.last = 0;
    if (held) {
        engine.out[engine.last++] = offered;
        engine.begun = 1;
        if (offered.last)
            engine.begun = 0;
    }
    if (engine.begun)
        give(0, -1, 1);
    engine.begun = 0;
}

// ---------------------------------------------------------------- a cycle
static void cycle(void)
{
    // Memory to engine, a tuple in a transfer.
    if (mm2s.moving == 1 && mm2s.delay) {
        mm2s.delay--;
    } else if (mm2s.moving == 1 && engine.inside != 2 && pick(3)) {
        mm2s.at += TUPLE;
        engine.inside = engine.dropping ? 0 : 1;
        if (mm2s.at > mm2s.length)
            fail("LENGTH is no number of whole tuples");
        if (mm2s.at == mm2s.length) {
            mm2s.moving = 2;
            mm2s.delay = (int)pick(pick(4) ? 40 : 4000);
            if (!engine.dropping) {
                engine.inside = 2;
                engine.streams++;
                engine.delay = (int)pick(60);
            }
            engine.dropping = 0;
        }
        if (!engine.dropping)
            engine.tuples++;
    } else if (mm2s.moving == 2 && mm2s.delay) {
        mm2s.delay--;
    } else if (mm2s.moving == 2) {
        mm2s.moving = 0;
        mm2s.status |= IDLE;
    }
    if (engine.inside == 2 && engine.delay) {
        engine.delay--;
    } else if (engine.inside == 2 && engine.first == engine.last) {
        engine.inside = 0;
        answer();
    }
    // Engine to the DMA.
    if (engine.first != engine.last && pick(4)) {
        beat_t *beat = &engine.out[engine.first % 256];
        if (fifo_count < fifo_room + (s2mm.moving == 1)) {
            fifo[fifo_count++] = *beat;
            engine.first++;
            engine.rows += beat->count != 0;
            engine.begun = !beat->last;
        } else {
            engine.stall_out++;
        }
    }
    // The DMA to memory.
    if (s2mm.moving == 1 && fifo_count && pick(3)) {
        if (s2mm.at + fifo[0].count > s2mm.length) {
            s2mm.status |= INTERNAL | HALTED;
            s2mm.moving = 0;
            return;
        }
        memcpy(s2mm.target + s2mm.at, fifo[0].bytes, fifo[0].count);
        s2mm.at += fifo[0].count;
        if (fifo[0].last) {
            s2mm.moving = 2;
            s2mm.delay = (int)pick(40);
        }
        memmove(fifo, fifo + 1, sizeof fifo - sizeof *fifo);
        fifo_count--;
    } else if (s2mm.moving == 2 && s2mm.delay) {
        s2mm.delay--;
    } else if (s2mm.moving == 2) {
        s2mm.moving = 0;
        s2mm.status |= IDLE;
        s2mm.length = (uint32_t)s2mm.at;
    }
    if (mm2s.resetting && !--mm2s.resetting) {
        memset(&mm2s, 0, sizeof mm2s);
        memset(&s2mm, 0, sizeof s2mm);
        mm2s.status = s2mm.status = HALTED;
        fifo_count = 0;
    }
}

static void pass_time(void)
{
    unsigned long n = 1 + pick(8);
    while (n--)
        cycle();
}

// ---------------------------------------------------------------- the DMA's registers
static channel_t *channel(uint32_t address)
{
    return address < 0x30 ? &mm2s : &s2mm;
}

static uint32_t dma_read(uint32_t address)
{
    channel_t *c = channel(address);
    pass_time();
    switch (address % 0x30) {
    case 0x00: return c->control | (mm2s.resetting ? RESET : 0);
    case 0x04: return c->status;
    case 0x28: return c->length;
    default: fail("a register of the DMA is read that is not there"); return 0;
    }
}

static void dma_write(uint32_t address, uint32_t value)
{
    channel_t *c = channel(address);
    pass_time();
    if (mm2s.resetting)
        fail("the DMA is written while its reset lasts");
    switch (address % 0x30) {
    case 0x00:
        if (value & RESET) {
            mm2s.resetting = 1 + (int)pick(30);
            return;
        }
        c->control = value;
        if (value & RUN)
            c->status &= ~(uint32_t)HALTED;
        return;
    case 0x28:
        if (c->status & HALTED)
            fail("LENGTH is written while the channel is halted");
        if (c->moving)
            fail("LENGTH is written while a transfer runs");
        if (!value)
            fail("LENGTH of 0");
        c->length = value;
        c->at = 0;
        c->moving = 1;
        c->delay = (int)pick(60) + 1;  // until the first byte
        c->status &= ~(uint32_t)IDLE;
        return;
    default: fail("a register of the DMA is written that is not there");
    }
}

// ---------------------------------------------------------------- the driver's table
static uint32_t engine_read(void *context, uint32_t address)
{
    uint64_t value = 0;
    uint32_t low = address & ~UINT32_C(4);
    (void)context;
    pass_time();
    if (address == SLUICE_X_STATUS)
        return engine.status | (busy() ? SLUICE_X__STATUS__BUSY_bm : 0);
    if (low == SLUICE_X_COUNTER_TUPLES)
        value = engine.tuples;
    else if (low == SLUICE_X_COUNTER_STREAMS)
        value = engine.streams;
    else if (low == SLUICE_X_COUNTER_ROWS)
        value = engine.rows;
    else if (low == SLUICE_X_COUNTER_STALL_OUT)
        value = engine.stall_out;
    return address & 4 ? (uint32_t)(value >> 32) : (uint32_t)value;
}

static void engine_write(void *context, uint32_t address, uint32_t value)
{
    (void)context;
    pass_time();
    if (address == SLUICE_X_CONTROL && value & SLUICE_X__CONTROL__SOFT_RESET_bm)
        soft_reset();
}

static int send_bytes(void *context, const void *bytes, size_t count)
{
    (void)context;
    if (!count)
        return -1;
    mm2s.source = bytes;
    dma_write(0x00, RUN);
    dma_write(0x28, (uint32_t)count);
    return 0;
}

static int receive_bytes(void *context, void *bytes, size_t room)
{
    (void)context;
    s2mm.target = bytes;
    dma_write(0x30, RUN);
    dma_write(0x58, (uint32_t)room);
    return 0;
}

static int received_bytes(void *context, size_t *count)
{
    uint32_t status = dma_read(0x34);
    (void)context;
    if (status & INTERNAL)
        return -1;
    if (!(status & IDLE))
        return 0;
    *count = dma_read(0x58);
    return 1;
}

static int sent_bytes(void *context)
{
    (void)context;
    return dma_read(0x04) & IDLE ? 1 : 0;
}

static int stop_dma(void *context)
{
    (void)context;
    dma_write(0x00, RESET);
    while (dma_read(0x00) & RESET)
        ;
    return 0;
}

static size_t packet_bytes, packet_count;
static void note_packet(void *context, const void *bytes, size_t count)
{
    (void)context;
    (void)bytes;
    packet_bytes += count;
    packet_count++;
}

static size_t expected_packets(int rows)
{
    if (!strcmp(packets, "stream"))
        return 1;
    return (size_t)rows + !strcmp(packets, "marked");
}

int main(int count, char **given)
{
    static sluice_x_tuple_t tuples[TUPLES];
    static sluice_x_row_t rows[MOST];
    sluice_x_board_t board = {0};
    sluice_x_driver_t driver;
    int k, r, cut;
    size_t came, at;
    sluice_x_result_t found;
    seed = strtoul(given[1], 0, 10);
    packets = given[2];
    fifo_room = atoi(given[3]);
    cut = atoi(given[4]);
    for (k = 5; k < count; ++k)
        rows_of_stream[streams++] = atoi(given[k]);
    mm2s.status = s2mm.status = HALTED;
    board.read = engine_read;
    board.write = engine_write;
    board.send = send_bytes;
    board.receive = receive_bytes;
    board.received = received_bytes;
    board.packet = note_packet;
    board.sent = sent_bytes;
    board.stop = fifo_room || pick(2) ? stop_dma : 0;  // transfers in the DMA must be dropped
    memset(&driver, 0, sizeof driver);
    driver.board = &board;
    for (k = 0; k < streams; ++k) {
        memset(rows, 0, sizeof rows);
        packet_bytes = packet_count = 0;
        if (sluice_x_submit(&driver, tuples, TUPLES, rows, (size_t)rows_of_stream[k] + 1))
            fail("submit");
        if (k == cut) {
            for (r = (int)pick(30); r; --r)
                if (sluice_x_poll(&driver, &came) != SLUICE_X_RUNNING)
                    break;
            if (sluice_x_reset(&driver, 100000))
                fail("reset");
            stream_number = k + 1;
            continue;
        }
        for (r = 0; r < 100000; ++r)
            if ((found = sluice_x_poll(&driver, &came)) != SLUICE_X_RUNNING)
                break;
        if (found != SLUICE_X_OK)
            return printf("stream %d: poll gives %d\n", k, (int)found), 1;
        if (came != (size_t)rows_of_stream[k])
            return printf("stream %d: %d rows, not %d\n", k, (int)came, rows_of_stream[k]), 1;
        if (packet_bytes != came * ROW || packet_count != expected_packets(rows_of_stream[k]))
            return printf("stream %d: %d packets\n", k, (int)packet_count), 1;
        for (r = 0; r < (int)came; ++r)
            for (at = 0; at < ROW; ++at)
                if (((uint8_t *)&rows[r])[at] != byte_of(k, r, at))
                    return printf("stream %d: row %d is another one\n", k, r), 1;
    }
    printf("pass\n");
    return 0;
}

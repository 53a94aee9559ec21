// Runs streams by the generated driver of sluice_x and its functions for UDP.
//   udp_streams HOST PORT MILLISECONDS FLUSH_CYCLES
// Connects to the engine whose registers are at HOST and PORT, writes the settings of the query, and
// prints "open RESULT ERROR". Then carries out the lines of standard input, and prints one line for
// each, which begins with the same word:
//   run TUPLES ROWS ROOM   sends the tuples of a file as a stream, and writes the rows into another
//                          file; there is room for ROOM rows. Prints RESULT, number of rows, ERROR,
//                          and the counts of lost and repeated datagrams of rows, and of datagrams
//                          of tuples and requests that were sent again; then the rows of each packet
//   reset READS            prints RESULT
//   write ADDRESS VALUE    writes a register; prints 0
//   pause MILLISECONDS     sets the time between two polls of a stream; prints 0
// At the end of standard input it closes the connection.
#define _POSIX_C_SOURCE 200809L
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include "sluice_x_udp.h"

enum { MOST_PACKETS = 100000 };

static sluice_x_udp_t udp;
static sluice_x_driver_t driver;
static size_t packets[MOST_PACKETS], packet_count;
static long pause_milliseconds;

static void note_packet(void *context, const void *bytes, size_t count)
{
    (void)bytes;
    if (context != &udp || packet_count == MOST_PACKETS)
        exit(3);
    packets[packet_count++] = count / sizeof(sluice_x_row_t);
}

static void *read_file(const char *path, size_t *size)
{
    FILE *file = fopen(path, "rb");
    void *bytes;
    long end;
    if (!file || fseek(file, 0, SEEK_END) || (end = ftell(file)) < 0)
        exit(4);
    rewind(file);
    *size = (size_t)end;
    bytes = malloc(*size + 1);
    if (!bytes || fread(bytes, 1, *size, file) != *size)
        exit(4);
    (void)fclose(file);
    return bytes;
}

static void run(const char *tuples_path, const char *rows_path, size_t room)
{
    static void *last_tuples, *last_rows;  // the driver may use them until the next stream begins
    size_t size, came = 0, k;
    void *tuples = read_file(tuples_path, &size);
    void *rows = calloc(room + 1, sizeof(sluice_x_row_t));
    struct timespec between = { pause_milliseconds / 1000, pause_milliseconds % 1000 * 1000000 };
    sluice_x_result_t result;
    FILE *file;
    packet_count = 0;
    result = sluice_x_submit(&driver, (const sluice_x_tuple_t *)tuples,
                             size / sizeof(sluice_x_tuple_t), (sluice_x_row_t *)rows, room);
    if (result == SLUICE_X_OK)
        while ((result = sluice_x_poll(&driver, &came)) == SLUICE_X_RUNNING)
            if (pause_milliseconds)
                (void)nanosleep(&between, 0);
    printf("run %d %lu %d %lu %lu %lu %lu", (int)result, (unsigned long)came, (int)udp.error,
           udp.lost_row_datagrams, udp.repeated_row_datagrams, udp.resent_tuple_datagrams,
           udp.resent_requests);
    for (k = 0; k < packet_count; ++k)
        printf(" %lu", (unsigned long)packets[k]);
    printf("\n");
    file = fopen(rows_path, "wb");
    if (!file || fwrite(rows, sizeof(sluice_x_row_t), came, file) != came || fclose(file))
        exit(4);
    free(result == SLUICE_X_BUSY ? tuples : last_tuples);
    free(result == SLUICE_X_BUSY ? rows : last_rows);
    if (result == SLUICE_X_BUSY)
        return;
    last_tuples = tuples;
    last_rows = rows;
}

int main(int count, char **arguments)
{
    sluice_x_udp_options_t options = SLUICE_X_UDP_DEFAULTS;
    sluice_x_result_t result;
    char line[1000], tuples[400], rows[400];
    unsigned long number, value;
    if (count != 5)
        return 2;
    options.milliseconds = (unsigned)strtoul(arguments[3], 0, 10);
    options.flush_cycles = (uint32_t)strtoul(arguments[4], 0, 10);
    result = sluice_x_udp_open(&udp, arguments[1], (uint16_t)strtoul(arguments[2], 0, 10), &options);
    if (result == SLUICE_X_OK)
        result = sluice_x_open(&driver, &udp.board);
#ifdef SLUICE_X_QUERY
    if (result == SLUICE_X_OK) {
        static const sluice_x_settings_t settings = SLUICE_X_QUERY;
        result = sluice_x_configure(&driver, &settings);
    }
#endif
    printf("open %d %d %s\n", (int)result, (int)udp.error, sluice_x_udp_text(&udp));
    (void)fflush(stdout);
    if (result != SLUICE_X_OK)
        return 1;
    udp.board.packet = note_packet;
    while (fgets(line, sizeof line, stdin)) {
        if (sscanf(line, "run %399s %399s %lu", tuples, rows, &number) == 3) {
            run(tuples, rows, number);
        } else if (sscanf(line, "reset %lu", &number) == 1) {
            printf("reset %d\n", (int)sluice_x_reset(&driver, number));
        } else if (sscanf(line, "write %lu %lu", &number, &value) == 2) {
            udp.board.write(&udp, (uint32_t)number, (uint32_t)value);
            printf("write 0\n");
        } else if (sscanf(line, "pause %lu", &number) == 1) {
            pause_milliseconds = (long)number;
            printf("pause 0\n");
        } else {
            return 2;
        }
        (void)fflush(stdout);
    }
    sluice_x_udp_close(&udp);
    sluice_x_udp_close(&udp);
    return 0;
}

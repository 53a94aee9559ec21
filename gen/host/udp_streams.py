"""C functions of `<top>_udp.c`: the functions of the board, which carry a stream from its first
tuple to its last row."""

#: Template of the fourth part of ``<top>_udp.c``.
STREAMS = """
// ---------------------------------------------------------------- functions of the board
enum {
    LATE = 250,  // milliseconds until a datagram of rows that has left the engine counts as lost
    ROUNDS = 16  // most requests in a call of tuples_sent, while each brings progress
};

// Reads how far the engine is. `received` is read before `room`.
static int ask(${top}_udp_t *udp)
{
    static const uint32_t addresses[5] = { ${macro}_RECEIVED, ${macro}_ROOM,
                                           ${macro}_COUNTER_STREAMS, ${macro}_STATUS,
                                           ${macro}_NEXT_ROW_DATAGRAM };
    uint32_t values[5];
    if (exchange(udp, 0, addresses, values, 5) || update_from_answer(udp, values[0], values[1]))
        return -1;
    if (!udp->is_idle && udp->taken == udp->places && values[2] != udp->streams_before &&
        !(values[3] >> ${busy})) {
        udp->is_idle = 1;
        udp->row_end = values[4];
        udp->progress_time = milliseconds();
    }
    return 0;
}

static int is_late(const ${top}_udp_t *udp, uint64_t limit)
{
    return milliseconds() - udp->progress_time > limit;
}

// Checks that the engine has counted one stream with all its tuples. A soft reset whose request the
// network delivers twice may have cut the stream.
static int check_counters(${top}_udp_t *udp)
{
    static const uint32_t addresses[2] = { ${macro}_COUNTER_TUPLES, ${macro}_COUNTER_STREAMS };
    uint32_t values[2], count = (uint32_t)(udp->tuples_size / sizeof(${top}_tuple_t));
    if (exchange(udp, 0, addresses, values, 2))
        return -1;
    if (values[0] - udp->tuples_before != count || values[1] - udp->streams_before != 1)
        return fail(udp, ${macro}_UDP_CUT);
    return 0;
}

// Returns 1 if all datagrams of rows have come and the settings have held, 0 if some may yet come,
// -1 for an error. The engine is idle.
static int checked(${top}_udp_t *udp)
{
    uint32_t count = udp->row_end - udp->first_row_number;
    uint32_t missing = count - (uint32_t)udp->next_row - udp->queued;
    if (udp->datagram_size)  // the driver must receive before more is read from the socket
        return is_late(udp, udp->limit) ? fail(udp, ${macro}_UDP_NO_PROGRESS) : 0;
    if (missing && !is_late(udp, LATE))
        return 0;
    udp->lost_row_datagrams += missing;
    if (udp->lost_row_datagrams)
        return fail(udp, ${macro}_UDP_ROWS_LOST);
    if (!udp->is_checked && (check_counters(udp) || check_written(udp, 0)))
        return -1;
    udp->is_checked = 1;
    return 1;
}

static void begin_tuples(${top}_udp_t *udp, const void *bytes, size_t size)
{
    udp->tuples = (const uint8_t *)bytes;
    udp->tuples_size = size;
    udp->places = ((uint64_t)size + STEP - 1) / STEP + 1;
    udp->taken = udp->next_out = udp->sent = 0;
    udp->still_answers = 0;
    udp->is_cut = udp->is_idle = udp->is_checked = 0;
    udp->progress_time = milliseconds();
}

// Waits only for answers of registers. The first datagrams leave here, all others in `tuples_sent`.
static int send_tuples(void *context, const void *bytes, size_t size)
{
    static const uint32_t addresses[5] = { ${macro}_RECEIVED, ${macro}_ROOM,
                                           ${macro}_COUNTER_STREAMS, ${macro}_COUNTER_TUPLES,
                                           ${macro}_NEXT_ROW_DATAGRAM };
    ${top}_udp_t *udp = (${top}_udp_t *)context;
    uint32_t values[5];
    if (udp->error)
        return -1;
    udp->lost_row_datagrams = udp->repeated_row_datagrams = 0;
    udp->resent_tuple_datagrams = udp->resent_requests = 0;
    if (check_written(udp, 2) || exchange(udp, 0, addresses, values, 5))
        return -1;
    drop_rows(udp);
    udp->first_number = values[0];
    udp->room = values[1];
    udp->streams_before = values[2];
    udp->tuples_before = values[3];
    udp->first_row_number = values[4];
    begin_tuples(udp, bytes, size);
    send_ready(udp);
    return 0;
}

// Continues the stream. Returns 1 if the engine has taken all tuples, and then, as soon as the
// engine is empty, if all datagrams of rows have come.
static int tuples_sent(void *context)
{
    ${top}_udp_t *udp = (${top}_udp_t *)context;
    uint64_t before;
    int rounds = ROUNDS;
    if (udp->error)
        return -1;
    if (!udp->places)  // no stream has begun since the last stop
        return 1;
    do {
        collect(udp);
        send_ready(udp);
        before = udp->taken;
        if (ask(udp))
            return -1;
    } while (udp->taken < udp->places && udp->taken != before && --rounds);
    collect(udp);
    send_ready(udp);
    if (udp->taken == udp->places && udp->is_cut)
        return 1;
    if (udp->is_idle)
        return checked(udp);
    if (is_late(udp, udp->limit))
        return fail(udp, ${macro}_UDP_NO_PROGRESS);
    return udp->taken == udp->places;
}

static int receive_packet(void *context, void *bytes, size_t room)
{
    ${top}_udp_t *udp = (${top}_udp_t *)context;
    if (bytes != udp->packet) {  // otherwise the packet may have been stored in advance
        udp->packet = (uint8_t *)bytes;
        udp->packet_room = room;
        udp->ahead = udp->packet_size = 0;
        udp->ended_count = 0;
    }
    return udp->error ? -1 : 0;
}

static int packet_received(void *context, size_t *size)
{
    ${top}_udp_t *udp = (${top}_udp_t *)context;
    collect(udp);
    if (udp->ended_count) {
        *size = udp->ended[udp->first_ended];
        udp->first_ended = (udp->first_ended + 1) % ${macro}_UDP_PACKETS;
        udp->ended_count--;
        if (*size > udp->packet_room)  // an array that is too short: the driver says so
            return 1;
        udp->packet += *size;
        udp->packet_room -= *size;
        udp->ahead -= *size;
        return 1;
    }
    if (udp->ahead > udp->packet_room) {
        *size = udp->ahead;
        return 1;
    }
    return udp->error ? -1 : 0;
}

// A soft reset clears the error, and cuts the stream: the first datagram that was never sent
// becomes its end, up to which the engine drops tuples. A datagram that was sent keeps its
// contents.
static void write_register(void *context, uint32_t address, uint32_t value)
{
    ${top}_udp_t *udp = (${top}_udp_t *)context;
    int resets = address == ${macro}_CONTROL && value & ${macro}__CONTROL__SOFT_RESET_bm;
    keep(udp, address, value);
    if (resets)
        udp->error = ${macro}_UDP_OK;
    if (write_word(udp, address, value) || !resets)
        return;
    if (udp->sent < udp->places)
        udp->places = udp->sent + 1;
    udp->is_cut = 1;
    udp->progress_time = milliseconds();
}

static int stop_stream(void *context)
{
    ${top}_udp_t *udp = (${top}_udp_t *)context;
    drop_rows(udp);
    udp->places = udp->taken = udp->next_out = udp->sent = 0;
    if (udp->error == ${macro}_UDP_NO_ANSWER)
        return -1;
    udp->error = ${macro}_UDP_OK;
    return 0;
}
"""

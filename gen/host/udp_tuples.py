"""C functions of `<top>_udp.c`: the numbered datagrams of tuples of a stream."""

#: Template of the second part of ``<top>_udp.c``.
TUPLES = """
// ---------------------------------------------------------------- tuples
// The engine takes datagrams in the order of their numbers, and drops all others. It tells the
// number that it expects, and the free bytes of its buffer. Datagrams under way will need room, so
// their bytes count against it.
// Bytes of tuples under way before the driver receives: packets of few rows are many datagrams.
#define FIRST_ROOM ${first_room}
#define HEAD 8  // bytes before the payload of a datagram
#define BEAT 8  // a payload takes whole beats of the engine's buffer
// Bytes of the most whole tuples of a datagram.
#define STEP (${macro}_UDP_PAYLOAD / sizeof(${top}_tuple_t) * sizeof(${top}_tuple_t))

// Returns the bytes of tuples in a datagram; the datagram that ends the stream has none.
static size_t payload_size(const ${top}_udp_t *udp, uint64_t place)
{
    uint64_t at = place * STEP;
    if (place + 1 >= udp->places)
        return 0;
    return udp->tuples_size - at < STEP ? (size_t)(udp->tuples_size - at) : STEP;
}

// Returns the bytes of the engine's buffer that a datagram takes.
static uint64_t buffer_bytes(const ${top}_udp_t *udp, uint64_t place)
{
    size_t size = payload_size(udp, place);
    return size ? (size + BEAT - 1) / BEAT * BEAT : BEAT;
}

// Sends a datagram with a number, lowest byte first. Returns 0 if the system has no room for it.
static int send_numbered(${top}_udp_t *udp, uint32_t number, const uint8_t *payload, size_t size)
{
    uint8_t datagram[HEAD + ${macro}_UDP_PAYLOAD] = { 0 };
    int k;
    for (k = 0; k < 4; ++k)
        datagram[k] = (uint8_t)(number >> 8 * k);
    if (size)
        memcpy(datagram + HEAD, payload, size);
    if (send(udp->rows_socket, datagram, HEAD + size, 0) >= 0)
        return 1;
    // After any other error the datagram counts as lost, and is sent again.
    return errno != EAGAIN && errno != EWOULDBLOCK && errno != ENOBUFS;
}

// Sends the datagrams for which the engine has room. While many datagrams of rows wait for the
// driver to receive, it sends none, because more tuples would make more rows; but the tuples of a
// cut stream make none.
static void send_ready(${top}_udp_t *udp)
{
    int must_wait = !udp->is_cut && udp->queued > ${macro}_UDP_SLOTS / 2 &&
                    (!udp->packet || udp->ended_count > ${macro}_UDP_PACKETS / 2);
    uint32_t room = !udp->packet && udp->room > FIRST_ROOM ? FIRST_ROOM : udp->room;
    uint64_t under_way = 0, place;
    for (place = udp->taken; place < udp->next_out; ++place)
        under_way += buffer_bytes(udp, place);
    for (; place < udp->places && !must_wait; ++place) {
        size_t size = payload_size(udp, place);
        under_way += buffer_bytes(udp, place);
        if (under_way > room)
            return;
        if (!send_numbered(udp, udp->first_number + (uint32_t)place,
                           size ? udp->tuples + place * STEP : 0, size))
            return;
        if (place < udp->sent)
            udp->resent_tuple_datagrams++;
        else
            udp->sent = place + 1;
        udp->next_out = place + 1;
    }
}

// Takes the credit of an answer: the number that the engine expects, and its room. If two answers
// in a row tell the same number while datagrams are under way, and no datagram of rows tells
// another one between them, all datagrams under way count as lost and leave again.
static int update_from_answer(${top}_udp_t *udp, uint32_t received, uint32_t room)
{
    uint32_t step = received - udp->first_number - (uint32_t)udp->taken;
    if (step >= UINT32_C(1) << 31)
        return 0;  // older than the credit of a datagram of rows
    if (step > udp->sent - udp->taken)
        return fail(udp, ${macro}_UDP_CUT);
    udp->taken += step;
    udp->room = room;
    if (step)
        udp->progress_time = milliseconds();
    if (udp->next_out < udp->taken)
        udp->next_out = udp->taken;
    udp->still_answers = step || udp->next_out == udp->taken ? 0 : udp->still_answers + 1;
    if (udp->still_answers > 1) {
        udp->next_out = udp->taken;
        udp->still_answers = 0;
    }
    return 0;
}

// Takes the credit in the head of a datagram of rows, with the low 16 bits of the number. The
// credit may be older than the credit that is known.
static void update_from_rows(${top}_udp_t *udp, uint32_t received, uint32_t room)
{
    uint32_t step = (received - udp->first_number - (uint32_t)udp->taken) & 0xffff;
    if (step > udp->sent - udp->taken)
        return;
    if (step || room > udp->room)
        udp->room = room;
    if (step) {
        udp->still_answers = 0;
        udp->progress_time = milliseconds();
    }
    udp->taken += step;
    if (udp->next_out < udp->taken)
        udp->next_out = udp->taken;
}
"""

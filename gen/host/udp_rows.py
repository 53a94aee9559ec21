"""Holds the C functions of `<top>_udp.c` that take datagrams of rows.

A ring of slots puts the datagrams in order. Rows leave it for the array of the driver, packet by
packet. There are 64 slots: a missing datagram counts as lost as soon as the datagram 64 places
after it comes.
"""

#: Template of the third part of ``<top>_udp.c``.
ROWS = """
// ---------------------------------------------------------------- rows
// Reads a datagram from the socket. Returns its size, or -1 if none has come.
static ssize_t next_datagram(${top}_udp_t *udp)
{
    ssize_t size;
    do  // an earlier datagram of tuples may have been refused, which is an error of this call
        size = recv(udp->rows_socket, udp->datagram, sizeof udp->datagram, 0);
    while (size < 0 && (errno == EINTR || errno == ECONNREFUSED));
    return size;
}

// Drops all datagrams of rows, and expects place 0 next.
static void drop_rows(${top}_udp_t *udp)
{
    int k;
    while (next_datagram(udp) >= 0)
        ;
    for (k = 0; k < ${macro}_UDP_SLOTS; ++k)
        udp->slots[k].is_there = 0;
    udp->queued = 0;
    udp->next_row = 0;
    udp->datagram_size = 0;
    udp->packet = 0;
    udp->ended_count = 0;
}

static uint32_t datagram_number(const ${top}_udp_t *udp)
{
    const uint8_t *head = udp->datagram;
    return head[0] | (uint32_t)head[1] << 8 | (uint32_t)head[2] << 16 | (uint32_t)head[3] << 24;
}

// Reads a datagram of rows of this stream, unless one waits already. Returns 0 if there is none.
static int fetch(${top}_udp_t *udp)
{
    while (!udp->datagram_size) {
        ssize_t size = next_datagram(udp);
        const uint8_t *head = udp->datagram;
        if (size < 0)
            return 0;
        if (size < HEAD || datagram_number(udp) - udp->first_row_number >= UINT32_C(1) << 31)
            continue;  // without a number, or of an earlier stream
        if (udp->is_idle && datagram_number(udp) - udp->first_row_number >=
                                udp->row_end - udp->first_row_number)
            continue;  // not of this stream, which has ended
        udp->datagram_size = (size_t)size;
        update_from_rows(udp, head[4] | (uint32_t)head[5] << 8,
                         8 * (head[6] | (uint32_t)head[7] << 8));
    }
    return 1;
}

// Moves the next datagram in order to the packet in progress. The driver stores each packet
// directly after the one before, so packets are stored in advance. Returns 0 if the datagram has
// not come, no receive has begun, or there is no place for the size of another complete packet.
static int deliver(${top}_udp_t *udp)
{
    ${top}_udp_slot_t *slot = &udp->slots[udp->next_row % ${macro}_UDP_SLOTS];
    if (!slot->is_there || !udp->packet || udp->ended_count == ${macro}_UDP_PACKETS)
        return 0;
    if (udp->ahead + slot->size <= udp->packet_room)
        memcpy(udp->packet + udp->ahead, slot->rows, slot->size);
    udp->ahead += slot->size;
    udp->packet_size += slot->size;
    if (!slot->size) {
        unsigned at = (udp->first_ended + udp->ended_count++) % ${macro}_UDP_PACKETS;
        udp->ended[at] = udp->packet_size;
        udp->packet_size = 0;
    }
    slot->is_there = 0;
    udp->queued--;
    udp->next_row++;
    return 1;
}

// Puts the datagram that was read last into its slot. If it is too far ahead for a slot, the
// datagrams that are missing before it count as lost. Returns 0 if it must wait until the driver
// receives.
static int store(${top}_udp_t *udp)
{
    uint32_t ahead;
    ${top}_udp_slot_t *slot;
    for (;;) {
        ahead = datagram_number(udp) - udp->first_row_number - (uint32_t)udp->next_row;
        if (ahead < ${macro}_UDP_SLOTS || ahead >= UINT32_C(1) << 31)
            break;
        if (deliver(udp))
            continue;
        if (udp->slots[udp->next_row % ${macro}_UDP_SLOTS].is_there)
            return 0;
        udp->lost_row_datagrams++;
        udp->next_row++;
    }
    slot = &udp->slots[(udp->next_row + ahead) % ${macro}_UDP_SLOTS];
    if (ahead >= ${macro}_UDP_SLOTS || slot->is_there) {
        udp->repeated_row_datagrams++;
    } else {
        slot->is_there = 1;
        slot->size = udp->datagram_size - HEAD;
        memcpy(slot->rows, udp->datagram + HEAD, slot->size);
        udp->queued++;
        udp->progress_time = milliseconds();
    }
    udp->datagram_size = 0;
    return 1;
}

// Takes the datagrams of rows that have come. A datagram that must wait for the driver stays in
// `datagram`, and later ones stay in the socket.
static void collect(${top}_udp_t *udp)
{
    do {
        while (deliver(udp))
            ;
    } while (fetch(udp) && store(udp));
}
"""

"""C functions of `<top>_udp.c`: open and close the link to an engine, and the texts of errors."""

#: Template of the last part of ``<top>_udp.c``.
LINK = """
// ---------------------------------------------------------------- open and close
// Registers of the link, in the order in which they are written: the numbers are switched on last.
static const uint32_t LINK_REGISTERS[6] = { ${macro}_FLUSH_CYCLES, ${macro}_TO_ADDRESS,
                                            ${macro}_TO_PORT,      ${macro}_TO_MAC_LOW,
                                            ${macro}_TO_MAC_HIGH,  ${macro}_NUMBERED };

// Connects a non-blocking socket to a port of the engine, from `here` unless `here` is 0. Returns
// the socket, or -1.
static int connected_socket(const struct sockaddr_in *engine, const struct sockaddr_in *here)
{
    static const int buffer = 1 << 23;
    int s = socket(AF_INET, SOCK_DGRAM, 0);
    if (s < 0)
        return -1;
    (void)setsockopt(s, SOL_SOCKET, SO_RCVBUF, &buffer, sizeof buffer);
    if (fcntl(s, F_SETFL, O_NONBLOCK) < 0 ||
        (here && bind(s, (const struct sockaddr *)here, sizeof *here) < 0) ||
        connect(s, (const struct sockaddr *)engine, sizeof *engine) < 0) {
        (void)close(s);
        return -1;
    }
    return s;
}

// Looks up the IPv4 address of a host name or address. Returns 0, or -1.
static int look_up(const char *host, struct sockaddr_in *engine)
{
    struct addrinfo hints, *answer = 0;
    memset(&hints, 0, sizeof hints);
    hints.ai_family = AF_INET;
    hints.ai_socktype = SOCK_DGRAM;
    if (getaddrinfo(host, 0, &hints, &answer) || !answer)
        return -1;
    memcpy(engine, answer->ai_addr, sizeof *engine);
    freeaddrinfo(answer);
    return 0;
}

// Opens the socket for tuples and rows, to the engine's port of tuples. Returns 0, or -1.
static int open_rows(${top}_udp_t *udp, struct sockaddr_in engine,
                     const ${top}_udp_options_t *options)
{
    struct sockaddr_in here;
    static const uint32_t addresses[1] = { ${macro}_PORT };
    uint32_t port;
    if (exchange(udp, 0, addresses, &port, 1))
        return -1;
    memset(&here, 0, sizeof here);
    here.sin_family = AF_INET;
    here.sin_port = htons(options->here_port);
    if (options->here && inet_pton(AF_INET, options->here, &here.sin_addr) != 1)
        return fail(udp, ${macro}_UDP_ADDRESS);
    engine.sin_port = htons((uint16_t)port);
    udp->rows_socket = connected_socket(&engine, &here);
    return udp->rows_socket < 0 ? fail(udp, ${macro}_UDP_ADDRESS) : 0;
}

// Resets an engine that is busy with the stream of an earlier program, and ends this stream,
// because the engine drops all tuples until the stream ends. The end is a datagram without tuples.
// If datagrams have numbers, it has the number that the engine expects, and is sent again until the
// engine has taken it. While the engine is still busy then, it gets another end. Returns 0, or -1.
static int make_idle(${top}_udp_t *udp)
{
    static const uint32_t addresses[3] = { ${macro}_STATUS, ${macro}_RECEIVED, ${macro}_NUMBERED };
    uint64_t end = milliseconds() + udp->limit, next_time = 0;
    uint32_t values[3], number = 0;
    int is_under_way = 0;  // an end with `number` was sent, and is not taken yet
    if (exchange(udp, 0, addresses, values, 3))
        return -1;
    if (!(values[0] >> ${busy}))
        return 0;
    if (write_word(udp, ${macro}_CONTROL, ${macro}__CONTROL__SOFT_RESET_bm))
        return -1;
    for (;;) {
        if (exchange(udp, 0, addresses, values, 3))
            return -1;
        is_under_way = is_under_way && values[1] == number;
        if (!(values[0] >> ${busy}) && !is_under_way)
            return 0;
        if (milliseconds() > end)
            return fail(udp, ${macro}_UDP_NO_PROGRESS);
        if (milliseconds() < next_time)
            continue;
        number = values[1];
        if (values[2] & 2) {  // datagrams of tuples have numbers
            (void)send_numbered(udp, number, 0, 0);
            is_under_way = 1;
        } else {
            (void)send(udp->rows_socket, "", 0, 0);
        }
        next_time = milliseconds() + LATE;
    }
}

// Lets rows come to this program, and switches on the numbers of datagrams. Returns 0, or -1.
static int point_at_this_program(${top}_udp_t *udp, uint32_t flush_cycles)
{
    struct sockaddr_in here;
    socklen_t size = sizeof here;
    uint32_t values[6];
    int k;
    if (getsockname(udp->rows_socket, (struct sockaddr *)&here, &size) < 0)
        return fail(udp, ${macro}_UDP_ADDRESS);
    if (exchange(udp, 0, LINK_REGISTERS, udp->link_before, 6) || make_idle(udp))
        return -1;
    values[0] = flush_cycles;
    values[1] = ntohl(here.sin_addr.s_addr);
    values[2] = ntohs(here.sin_port);
    values[3] = udp->link_before[3];
    values[4] = udp->link_before[4];
    values[5] = 3;  // numbers in datagrams of rows and of tuples
    if (udp->link_before[1] != values[1] || (!values[3] && !values[4])) {
        values[3] = UINT32_C(0xffffffff);  // reaches each machine of the network
        values[4] = 0xffff;
    }
    udp->link_is_set = 1;
    for (k = 0; k < 6; ++k) {
        keep(udp, LINK_REGISTERS[k], values[k]);
        if (write_word(udp, LINK_REGISTERS[k], values[k]))
            return -1;
    }
    // The answer leaves after the new values have come into force.
    return check_written(udp, 2);
}

// Checks that the registers are those of an engine of this design.
static ${top}_result_t identify(${top}_udp_t *udp)
{
    static const uint32_t addresses[2] = { ${macro}_MAGIC, ${macro}_CONFIGURATION };
    uint32_t values[2];
    if (exchange(udp, 0, addresses, values, 2) || values[0] != UINT32_C(${magic}))
        return ${macro}_NO_ENGINE;
    return values[1] != UINT32_C(${configuration}) ? ${macro}_OTHER_DESIGN : ${macro}_OK;
}

${top}_result_t ${top}_udp_open(${top}_udp_t *udp, const char *host, uint16_t registers_port,
                              const ${top}_udp_options_t *options)
{
    static const ${top}_udp_options_t defaults = ${macro}_UDP_DEFAULTS;
    struct sockaddr_in engine;
    ${top}_result_t result = ${macro}_TRANSFER;
    if (!options)
        options = &defaults;
    memset(udp, 0, sizeof *udp);
    udp->board.context = udp;
    udp->board.read = read_register;
    udp->board.write = write_register;
    udp->board.send = send_tuples;
    udp->board.receive = receive_packet;
    udp->board.received = packet_received;
    udp->board.sent = tuples_sent;
    udp->board.stop = stop_stream;
    udp->registers_socket = udp->rows_socket = -1;
    udp->limit = options->milliseconds;
    udp->request_number = (uint32_t)milliseconds();
    if (look_up(host, &engine)) {
        (void)fail(udp, ${macro}_UDP_ADDRESS);
        return result;
    }
    engine.sin_port = htons(registers_port);
    udp->registers_socket = connected_socket(&engine, 0);
    if (udp->registers_socket < 0)
        (void)fail(udp, ${macro}_UDP_ADDRESS);
    else
        result = identify(udp);
    if (!result) {
        if (open_rows(udp, engine, options) || point_at_this_program(udp, options->flush_cycles))
            result = udp->error == ${macro}_UDP_NO_PROGRESS ? ${macro}_BUSY : ${macro}_TRANSFER;
    }
    if (result)
        ${top}_udp_close(udp);
    return result;
}

void ${top}_udp_close(${top}_udp_t *udp)
{
    int k;
    for (k = 0; udp->link_is_set && k < 6; ++k) {
        uint32_t address = LINK_REGISTERS[k], value = udp->link_before[k];
        // The engine refuses a 0 there: the register was 0 only because it had never been written.
        if (value || (address != ${macro}_TO_ADDRESS && address != ${macro}_TO_PORT))
            (void)write_word(udp, address, value);
    }
    udp->link_is_set = 0;
    if (udp->registers_socket >= 0)
        (void)close(udp->registers_socket);
    if (udp->rows_socket >= 0)
        (void)close(udp->rows_socket);
    udp->registers_socket = udp->rows_socket = -1;
}

const char *${top}_udp_text(const ${top}_udp_t *udp)
{
    switch (udp->error) {
    case ${macro}_UDP_OK:
        return "no error";
    case ${macro}_UDP_ADDRESS:
        return "the engine has no IPv4 address that can be reached, or `here` is not of this "
               "machine";
    case ${macro}_UDP_NO_ANSWER:
        return "no answer in time: is this the address of the engine's registers, and does it "
               "answer ping?";
    case ${macro}_UDP_NO_PROGRESS:
        return "no progress in time: the engine took no tuple and sent no row; its counters say "
               "why";
    case ${macro}_UDP_ROWS_LOST:
        return "datagrams of rows were lost on the network: run the stream again";
    case ${macro}_UDP_REGISTERS_CHANGED:
        return "registers have changed: has the board lost its power, or does another program use "
               "it?";
    case ${macro}_UDP_CUT:
        return "the stream was cut: was the engine reset, or does another program use it?";
    }
    return "unknown error";
}
"""

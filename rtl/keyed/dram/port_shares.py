"""Divides a stretch of a ring among the ports, in plain numbers."""


def line_share(lines, ring, line):
    """Returns (port, local line in the ring, 1) of one line of a ring; the 1 is a number of lines.

    Parameters
    ----------
    lines : LineMap
    ring, line : int
    """
    stripe, within = divmod(line, lines.stripe_lines)
    local_line = stripe // lines.ports * lines.stripe_lines + within
    return (stripe + ring) % lines.ports, local_line, 1


def stretch_shares(lines, ring, begin, count):
    """Yields (port, first local line in the ring, number of lines) for each port with lines.

    The stretch has ``count`` lines of the ring from ``begin`` on. Beyond the end of the ring the
    numbers of lines and local lines continue; the ports fold them back. For instance with 2 ports
    and stripes of 1 line, lines 3 to 5 of ring 0: port 0 has local line 2, port 1 has local lines 1
    and 2.

    Parameters
    ----------
    lines : LineMap
    ring, begin, count : int
    """
    size = lines.stripe_lines
    ports = lines.ports
    end = begin + count - 1
    first = begin // size
    last = end // size
    for port in range(ports):
        first_stripe = first + (port - first - ring) % ports
        if first_stripe > last:
            continue
        last_stripe = last - (last + ring - port) % ports
        local_begin = first_stripe // ports * size
        local_begin += begin % size if first_stripe == first else 0
        local_end = last_stripe // ports * size
        local_end += end % size if last_stripe == last else size - 1
        yield port, local_begin, local_end - local_begin + 1

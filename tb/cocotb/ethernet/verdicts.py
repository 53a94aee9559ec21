"""The fate of frames by Spark, read from their octets: the counter, the tuples, and the reply."""

from pyspark.sql import functions as fn

from tb.cocotb.ethernet.drawn_frames import ARP, BROADCAST, ECHO, IPV4, VLAN
from tb.cocotb.ethernet.octets import (
    checksum,
    folded,
    lit,
    number_at,
    octets,
    part,
    size_of,
    sum_halves,
    word_sum,
)

#: Octets of the shortest frame.
SHORTEST = 60
ONES = 0xFFFF


def with_verdicts(frames, point):
    """Adds ``verdict``, the counter of a frame, and ``payload`` and ``reply``, if it has them.

    The verdict is the first that applies, in the order of docs/network.md. Missing octets of a
    frame that was cut are 0.
    """
    return _add_verdicts(_read_bodies(_read_headers(frames)).cache(), point)


def _read_headers(frames):
    """Adds the fields of the Ethernet header, and of an IPv4 header behind it."""
    tagged = number_at(fn.col("padded"), 12, 2) == VLAN
    at = fn.col("at")
    total, words = fn.col("total"), fn.col("words")
    header = part(fn.col("padded"), at, 4 * words)
    end = fn.least(total, size_of(fn.col("text")) - at)
    body = part(fn.col("padded"), at + 4 * words, fn.greatest(lit(0), end - 4 * words))
    return (
        frames.withColumn("padded", fn.concat("text", fn.lit("0" * 200)))
        .withColumn("destination", number_at(fn.col("padded"), 0, 6))
        .withColumn("sender", number_at(fn.col("padded"), 6, 6))
        .withColumn("at", fn.when(tagged, lit(18)).otherwise(lit(14)))
        .withColumn("type", number_at(fn.col("padded"), at - 2, 2))
        .withColumn("version", fn.floor(number_at(fn.col("padded"), at, 1) / 16))
        .withColumn("words", number_at(fn.col("padded"), at, 1) % 16)
        .withColumn("total", number_at(fn.col("padded"), at + 2, 2))
        .withColumn("fragment", number_at(fn.col("padded"), at + 6, 2).bitwiseAND(lit(0x3FFF)))
        .withColumn("protocol", number_at(fn.col("padded"), at + 9, 1))
        .withColumn("from", number_at(fn.col("padded"), at + 12, 4))
        .withColumn("to", number_at(fn.col("padded"), at + 16, 4))
        .withColumn("header", header)
        .withColumn("body", body)
    )


def _read_bodies(frames):
    """Adds the sums of the IPv4 header and of its body, and the fields of an ARP packet."""
    body, at = fn.concat("body", fn.lit("0" * 16)), fn.col("at")
    pseudo = sum_halves(fn.col("from")) + sum_halves(fn.col("to")) + 17 + number_at(body, 4, 2)
    return (
        frames.cache()
        .withColumn("header_sum", folded(word_sum(fn.col("header"))))
        .withColumn("body_sum", word_sum(fn.col("body")))
        .withColumn("udp_sum", folded(fn.col("body_sum") + pseudo))
        .withColumn("size", size_of(fn.col("body")))
        .withColumn("first", number_at(body, 0, 2))
        .withColumn("to_port", number_at(body, 2, 2))
        .withColumn("udp_length", number_at(body, 4, 2))
        .withColumn("udp_checksum", number_at(body, 6, 2))
        .withColumn("protocols", number_at(fn.col("padded"), at, 6))
        .withColumn("operation", number_at(fn.col("padded"), at + 6, 2))
        .withColumn("asker_mac", number_at(fn.col("padded"), at + 8, 6))
        .withColumn("asker", number_at(fn.col("padded"), at + 14, 4))
        .withColumn("asked", number_at(fn.col("padded"), at + 24, 4))
    )


def _is_group(mac):
    """Returns True for the MAC address of a group of machines."""
    return fn.floor(mac / (1 << 40)) % 2 == 1


def _is_machine(address):
    """Returns True for an IPv4 address that one machine can have: no group, no loopback, not 0."""
    first = fn.floor(address / (1 << 24))
    return (first > 0) & (first != 127) & (first < 224)


def _differs_from(setting, value):
    """Returns True if a setting is not 0, which stands for any value, and is not ``value``."""
    return (fn.col(setting) > 0) & (fn.col(setting) != value)


def _verdicts(point):
    """Returns pairs of a counter and its condition; the first condition that holds decides.

    The conditions for ARP come before those for IPv4, which thus need no test of the type. In the
    same way the conditions for ICMP come before those for UDP.
    """
    col, size = fn.col, fn.col("size")
    length, packet_size = size_of(col("text")), size_of(col("text")) - col("at")
    is_ours = (col("destination") == col("mac")) & (col("mac") > 0)
    frame = [
        ("bad_fcs", col("bad_fcs")),
        ("giant", length > point["longest"]),
        ("runt", length < point["shortest"]),
        ("other_mac", ~(is_ours | ((col("destination") == BROADCAST) & (col("mac") > 0)))),
        ("group_sender", _is_group(col("sender"))),
        ("other_type", ~col("type").isin(ARP, IPV4)),
    ]
    bad_arp = (packet_size < 28) | (col("protocols") != 0x0001_0800_0604)
    arp = [
        ("bad_arp", bad_arp | _is_group(col("asker_mac"))),
        ("other_arp", (col("operation") != 1) | (col("asked") != col("address"))),
        ("arps", fn.lit(True)),
    ]
    bad_words = (col("words") < 5) | (col("total") < 4 * col("words"))
    ipv4 = [
        ("bad_header", (col("version") != 4) | bad_words | (col("total") > packet_size)),
        ("bad_ip_checksum", col("header_sum") != ONES),
        ("other_address", col("to") != col("address")),
        ("fragment", col("fragment") > 0),
        ("other_protocol", ~col("protocol").isin(1, 17)),
    ]
    to_all = col("destination") == BROADCAST
    icmp = [
        ("bad_icmp", (size < 8) | (folded(col("body_sum")) != ONES)),
        ("other_icmp", col("first") != ECHO),
        ("group_ping", to_all | ~_is_machine(col("from"))),
        ("long_ping", size > point["longest_ping"]),
        ("pings", fn.lit(True)),
    ]
    other_sender = _differs_from("from_mac", col("sender"))
    other_sender |= _differs_from("from_address", col("from"))
    udp = [
        ("bad_udp_length", (col("udp_length") < 8) | (col("udp_length") != size)),
        ("other_port", col("to_port") != col("port")),
        ("other_sender", other_sender),
        ("bad_udp_checksum", (col("udp_checksum") > 0) & (col("udp_sum") != ONES)),
        ("partial_tuple", (size - 8) % point["row_bytes"] != 0),
        ("datagrams", fn.lit(True)),
    ]
    is_arp = col("type") == ARP
    arp = [(name, is_arp & condition) for name, condition in arp]
    icmp = [(name, (col("protocol") == 1) & condition) for name, condition in icmp]
    return [*frame, *arp, *ipv4, *icmp, *udp]


def _add_verdicts(frames, point):
    """Adds ``verdict``, ``payload`` and ``reply``."""
    verdict = fn.when(fn.lit(False), "")
    for name, condition in _verdicts(point):
        verdict = verdict.when(condition, name)
    col = fn.col
    arp = fn.concat(
        *(octets(col("asker_mac"), 6), octets(col("mac"), 6), octets(lit(ARP), 2)),
        *(octets(lit(0x0001_0800_0604), 6), octets(lit(2), 2)),
        *(octets(col("mac"), 6), octets(col("address"), 4)),
        *(octets(col("asker_mac"), 6), octets(col("asker"), 4)),
    )
    # A reply is the request with the type 0 and a new checksum, so the sum of its other words is
    # the request's sum without type and checksum. The word of a UDP header that holds ``to_port``
    # is the checksum of an ICMP message. A checksum of 0 is sent as 0xFFFF.
    reply_sum = checksum(col("body_sum") - ECHO - col("to_port"))
    reply_sum = fn.when(reply_sum == 0, ONES).otherwise(reply_sum)
    body = fn.concat(
        octets(lit(0), 2), octets(reply_sum, 2), part(col("body"), lit(4), col("size") - 4)
    )
    ping = packet(col("sender"), col("from"), 1, col("size"), body)
    return (
        frames.withColumn("verdict", verdict)
        .withColumn(
            "payload",
            fn.when(col("verdict") == "datagrams", part(col("body"), lit(8), col("size") - 8)),
        )
        .withColumn(
            "reply",
            filled(fn.when(col("verdict") == "arps", arp).when(col("verdict") == "pings", ping)),
        )
        .cache()
    )


def packet(to_mac, to_address, protocol, size, body):
    """Returns the frame that the face sends with a body of ``size`` octets, unpadded.

    The columns ``mac`` and ``address`` are the face's own.
    """
    words = lit(0x4500), size + 20, lit(0), lit(0x4000), lit(64 * 256 + protocol)
    address = fn.col("address")
    header_sum = checksum(sum(words[1:], words[0]) + sum_halves(address) + sum_halves(to_address))
    return fn.concat(
        *(octets(to_mac, 6), octets(fn.col("mac"), 6), octets(lit(IPV4), 2)),
        *(octets(word, 2) for word in (*words, header_sum)),
        *(octets(address, 4), octets(to_address, 4), body),
    )


def filled(text):
    """Returns a frame with zeros up to the shortest length."""
    return fn.concat(
        text, fn.repeat(fn.lit("00"), fn.greatest(fn.lit(0), SHORTEST - size_of(text)).cast("int"))
    )

"""Random frames by Spark, good and bad, to a face with random settings."""

from pyspark.sql import functions as fn

from tb.cocotb.ethernet.octets import (
    carrying_octets,
    checksum,
    lit,
    octets,
    one_bit,
    one_of,
    part,
    random_number,
    random_octets,
    size_of,
    sum_halves,
    word_sum,
)
from tb.cocotb.support.stimulus import draw

BROADCAST = (1 << 48) - 1
IPV4, ARP, VLAN = 0x0800, 0x0806, 0x8100
#: First word of an ICMP message: type and code of an echo request.
ECHO = 0x0800
#: MACs of groups of machines.
GROUPS = [BROADCAST, 0x0100_5E00_0001, 0x3333_0000_0001, 0x0180_C200_000E, 0x0302_0304_0506]
#: IPv4 addresses that no single machine has.
NO_MACHINES = [0, 0x0001_0203, 0x7F00_0001, 0x7FFF_0009]
NO_MACHINES += [0xE000_0001, 0xEF01_0203, 0xF000_0000, 0xFFFF_FFFF]

OURS = {
    "mac": 0x025E_1000_0001,
    "address": 0x0A01_0203,
    "port": 4001,
    "to_mac": 0x025E_1000_0099,
    "to_address": 0x0A01_C84D,
    "to_port": 61234,
    "from_mac": 0,
    "from_address": 0,
}
OTHERS = dict(zip(OURS, (0x9AFF_8040_20FF, 0xC0A8_FF01, 65535, 2, 1 << 31, 1, 0, 0), strict=True))
SENDER = {"from_mac": 0x0299_0000_0007, "from_address": 0x0A07_0707}
#: Settings of the face in each epoch of a run: any sender; one sender; one address; switched off.
EPOCHS = [
    OURS,
    OURS | SENDER,
    OTHERS | {"from_address": SENDER["from_address"]},
    OURS | {"mac": 0, "to_port": 9},
]
#: Share of the frames of each epoch.
SHARES = [0, 0, 0, 0, 1, 1, 2, 2, 2, 3]

GOOD = {"datagram": 40, "end": 2, "ping": 3, "arp": 3, "flipped bit": 4, "cut": 3}
BAD = (
    *("fcs", "giant", "runt", "mac", "group sender", "type", "two tags"),
    *("arp protocol", "arp group", "arp operation", "arp address"),
    *("version", "header length", "short total", "long total", "ip checksum", "address"),
    *("fragment", "protocol", "icmp checksum", "short icmp", "icmp type", "ping to all"),
    *("ping from nobody", "long ping", "udp length", "port", "udp checksum", "partial tuple"),
)
KINDS = [kind for kind, count in GOOD.items() for _ in range(count)] + list(BAD)
#: Places between the kinds of two successive frames; has no common divisor with their number.
STRIDE = 37


def is_kind(*names):
    return fn.col("kind").isin(*names)


def epochs(spark):
    """Returns the settings of each epoch."""
    rows = [{"epoch": k, **settings} for k, settings in enumerate(EPOCHS)]
    schema = ", ".join(f"{name} long" for name in rows[0])
    return spark.createDataFrame([tuple(row.values()) for row in rows], schema)


def drawn_frames(spark, point, count):
    """Returns ``count`` frames with ``position``, ``epoch``, ``kind``, ``text`` and ``bad_fcs``.

    ``kind`` is the intention: a good frame, or the only fault of a bad frame. A frame with a
    flipped bit or a cut may still be good.
    """
    share = fn.element_at(
        fn.array(*map(fn.lit, SHARES)), (fn.col("id") * len(SHARES) / count).cast("int") + 1
    )
    # All kinds come once in each round.
    kind = fn.element_at(
        fn.array(*map(fn.lit, KINDS)), (fn.col("id") * STRIDE % len(KINDS)).cast("int") + 1
    )
    drawn = (
        spark.range(0, count, 1, 1)
        .withColumn("epoch", share)
        .withColumn("kind", kind)
        .join(epochs(spark), "epoch")
    )
    bodies = _packets(_bodies(_sizes(drawn, point)).cache())
    framed = _frames(bodies.cache(), point).cache()
    return framed.select(
        fn.col("id").alias("position"), *("epoch", "kind", "text"), is_kind("fcs").alias("bad_fcs")
    )


def _sizes(drawn, point):
    """Adds the protocol, and ``size``, the octets after the first eight of a datagram or ICMP."""
    row, ping = point["row_bytes"], point["longest_ping"]
    room = (point["longest"] - 14 - 4 - 60 - 8) // row
    tuples = fn.when(draw(50, 2, "id") == 0, room - draw(room // 2, 3, "id")).otherwise(
        1 + draw(min(6, room), 4, "id")
    )
    tuples = fn.when(is_kind("end"), 0).when(is_kind("cut"), room).otherwise(tuples)
    partial = fn.when(is_kind("partial tuple"), 1 + draw(max(1, row - 1), 5, "id")).otherwise(0)
    echo = fn.when(is_kind("long ping"), ping - 7 + draw(20, 6, "id")).otherwise(
        draw(min(100, ping - 8), 7, "id")
    )
    pings = ("ping", "icmp checksum", "short icmp", "icmp type", "ping to all", "ping from nobody")
    is_icmp = is_kind(*pings, "long ping")
    return drawn.withColumn("is_icmp", is_icmp).withColumn(
        "size", fn.when(is_icmp, echo).otherwise(tuples * row + partial).cast("long")
    )


def _bodies(sized):
    """Adds the sender, and the ``data`` of a datagram or an ICMP message."""
    has_sender = draw(4, 8, "id") > 0
    source = fn.when(has_sender & (fn.col("from_mac") > 0), fn.col("from_mac")).otherwise(
        0x0200_0000_0000 + random_number(40, 9, "id")
    )
    machine = fn.when(has_sender & (fn.col("from_address") > 0), fn.col("from_address")).otherwise(
        0x0A00_0001 + random_number(24, 10, "id") % 0xFF_FFFE
    )
    return (
        sized.withColumn(
            "source", fn.when(is_kind("group sender"), one_of(GROUPS, 11, "id")).otherwise(source)
        )
        .withColumn(
            "from",
            fn.when(is_kind("ping from nobody"), one_of(NO_MACHINES, 12, "id")).otherwise(machine),
        )
        .withColumn("to", _unless("address", "address", 32, 13))
        .withColumn("data", _data())
    )


def _data():
    """Returns ``size`` octets: random ones, or in one of eight frames octets whose sums carry."""
    size = fn.col("size")
    carrying = carrying_octets(size)
    return fn.when(draw(8, 55, "id") == 0, carrying).otherwise(random_octets(size, 14, "id"))


def _unless(kind, name, bits, seed):
    """Returns the setting ``name``, with one bit changed in frames of this ``kind``."""
    return fn.when(is_kind(kind), one_bit(fn.col(name), bits, seed, "id")).otherwise(fn.col(name))


def _packets(bodies):
    """Adds ``body``, the data of an IPv4 packet, and ``arp``, an ARP packet."""
    length = fn.col("size") + 8
    wrong_length = fn.greatest(lit(0), length + one_of([-16, -1, 1, 16, 0x8000], 15, "id"))
    udp_length = fn.when(is_kind("udp length"), wrong_length).otherwise(length)
    ports = random_number(16, 16, "id") * 0x10000 + _unless("port", "port", 16, 17)
    data_sum = word_sum(fn.col("data"))
    pseudo = sum_halves(fn.col("from")) + sum_halves(fn.col("to")) + 17 + udp_length
    udp_sum = checksum(pseudo + sum_halves(ports) + udp_length + data_sum)
    udp_sum = fn.when(udp_sum == 0, 0xFFFF).otherwise(udp_sum)
    wrong_sum = fn.greatest(lit(1), one_bit(udp_sum, 16, 18, "id"))
    udp_sum = (
        fn.when(is_kind("udp checksum"), wrong_sum)
        .when(draw(5, 19, "id") == 0, 0)
        .otherwise(udp_sum)
    )
    udp = fn.concat(octets(ports, 4), octets(udp_length, 2), octets(udp_sum, 2), fn.col("data"))
    others = [0, ECHO + 1, 0x0900, 0x0D00, 0x1800, 0x8800]
    message = fn.when(is_kind("icmp type"), one_of(others, 20, "id")).otherwise(ECHO).cast("long")
    identity = random_number(32, 21, "id")
    icmp_sum = checksum(message + sum_halves(identity) + data_sum)
    wrong_sum = one_bit(icmp_sum, 16, 22, "id")
    icmp_sum = fn.when(is_kind("icmp checksum"), wrong_sum).otherwise(icmp_sum)
    icmp = fn.concat(octets(message, 2), octets(icmp_sum, 2), octets(identity, 4), fn.col("data"))
    short = icmp.substr(fn.lit(1), 2 * draw(8, 23, "id"))
    icmp = fn.when(is_kind("short icmp"), short).otherwise(icmp)
    protocols = lit(0x0001_0800_0604)
    protocols = fn.when(is_kind("arp protocol"), one_bit(protocols, 48, 24, "id"))
    operation = fn.when(is_kind("arp operation"), one_of([0, 2, 3, 0x101], 25, "id")).otherwise(1)
    asker = fn.when(is_kind("arp group"), one_of(GROUPS, 26, "id")).otherwise(fn.col("source"))
    arp = fn.concat(
        octets(fn.coalesce(protocols, lit(0x0001_0800_0604)), 6),
        octets(operation, 2),
        octets(asker, 6),
        octets(fn.col("from"), 4),
        octets(random_number(48, 27, "id"), 6),
        octets(_unless("arp address", "address", 32, 28), 4),
    )
    return bodies.withColumn("body", fn.when(fn.col("is_icmp"), icmp).otherwise(udp)).withColumn(
        "arp", fn.when(fn.col("kind").startswith("arp"), arp)
    )


def _ip_header(point):
    """Returns the header of an IPv4 packet with ``body``, with random options in one of ten."""
    options = fn.when(draw(10, 29, "id") == 0, draw(11, 30, "id")).otherwise(0).cast("long")
    version = fn.when(is_kind("version"), one_of([0, 5, 6, 15], 31, "id")).otherwise(4)
    words = fn.when(is_kind("header length"), draw(5, 32, "id")).otherwise(5 + options)
    right = 20 + 4 * options + size_of(fn.col("body"))
    total = (
        fn.when(is_kind("short total"), draw(20, 33, "id"))
        .when(is_kind("long total"), point["longest"] + draw(60_000, 34, "id"))
        .otherwise(right)
    )
    fragment_flags = one_of([0x2000, 0x2064, 1, 0x1000, 0x1FFF], 35, "id")
    flags = fn.when(is_kind("fragment"), fragment_flags).otherwise(one_of([0, 0x4000], 36, "id"))
    usual = fn.when(fn.col("is_icmp"), 1).otherwise(17)
    others = [0, 2, 6, 16, 18, 19, 49, 145]
    protocol = fn.when(is_kind("protocol"), one_of(others, 37, "id")).otherwise(usual)
    first = (version * 16 + words) * 256 + random_number(8, 38, "id")
    identity = random_number(16, 39, "id")
    hops = (1 + random_number(8, 40, "id") % 255) * 256 + protocol
    options_text = random_octets(4 * options, 41, "id")
    fixed = first + total + identity + flags + hops
    header_sum = checksum(
        fixed + sum_halves(fn.col("from")) + sum_halves(fn.col("to")) + word_sum(options_text)
    )
    wrong_sum = one_bit(header_sum, 16, 42, "id")
    header_sum = fn.when(is_kind("ip checksum"), wrong_sum).otherwise(header_sum)
    start = [octets(word, 2) for word in (first, total, identity, flags, hops, header_sum)]
    return fn.concat(*start, octets(fn.col("from"), 4), octets(fn.col("to"), 4), options_text)


def _frames(packets, point):
    """Adds ``text``, the frame without FCS."""
    ping = fn.col("is_icmp") & ~is_kind("ping to all")
    to_all = is_kind("ping to all") | (~ping & (draw(10, 43, "id") == 0))
    to = fn.when(to_all, BROADCAST).otherwise(fn.col("mac"))
    to = fn.when(is_kind("mac"), one_bit(fn.col("mac"), 48, 44, "id")).otherwise(to)
    is_arp = fn.col("arp").isNotNull()
    others = [0x86DD, 0x88CC, 0x0801, 0x8101, 46]
    type_ = fn.when(is_kind("type"), one_of(others, 45, "id")).otherwise(
        fn.when(is_arp, ARP).otherwise(IPV4)
    )
    tag = fn.concat(octets(lit(VLAN), 2), octets(random_number(16, 46, "id"), 2))
    tagged = fn.when(draw(7, 47, "id") == 0, tag).otherwise("")
    tags = fn.when(is_kind("two tags"), fn.concat(tag, tag)).otherwise(tagged)
    unpadded = fn.concat(
        *(octets(to, 6), octets(fn.col("source"), 6), tags, octets(type_, 2)),
        fn.when(is_arp, fn.col("arp")).otherwise(fn.concat(_ip_header(point), "body")),
    )
    extra = fn.when(draw(20, 48, "id") == 0, 1 + draw(19, 49, "id")).otherwise(0)
    padding = fn.greatest(lit(60) - size_of(fn.col("unpadded")), extra)
    long = point["longest"] + 1 + draw(30, 50, "id") - size_of(fn.col("unpadded"))
    padding = fn.when(is_kind("giant"), fn.greatest(lit(0), long)).otherwise(padding)
    padded = fn.concat("unpadded", random_octets(padding, 51, "id"))
    shortest, size = point["shortest"], size_of(fn.col("padded"))
    cut = fn.when(is_kind("runt"), 1 + draw(shortest - 1, 52, "id")).when(
        is_kind("cut"),
        shortest + random_number(16, 53, "id") % fn.greatest(lit(1), size - shortest),
    )
    text = part(fn.col("padded"), lit(0), fn.coalesce(cut, size))
    bit = random_number(32, 54, "id") % (8 * size)
    place = fn.floor(bit / 8).cast("long")
    octet = fn.conv(part(fn.col("padded"), place, lit(1)), 16, 10).cast("long")
    changed = octets(octet.bitwiseXOR(fn.expr("shiftleft(1L, int(bit % 8))")), 1)
    flipped = fn.overlay("padded", changed, (2 * place + 1).cast("int"))
    return (
        packets.withColumn("unpadded", unpadded)
        .cache()
        .withColumn("padded", padded)
        .cache()
        .withColumn("bit", bit)
        .withColumn("text", fn.when(is_kind("flipped bit"), flipped).otherwise(text))
    )

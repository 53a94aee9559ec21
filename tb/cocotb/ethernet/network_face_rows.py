"""Rows for the network face: frames and packets of rows, and the tuples and frames they become."""

from math import lcm

from pyspark.sql import functions as fn

from tb.cocotb.ethernet.drawn_frames import drawn_frames, epochs
from tb.cocotb.ethernet.octets import (
    carrying_octets,
    checksum,
    lit,
    octets,
    part,
    random_octets,
    size_of,
    sum_halves,
    word_sum,
)
from tb.cocotb.ethernet.verdicts import filled, packet, with_verdicts
from tb.cocotb.support.stimulus import draw

#: Packets of rows; frames are sent in all epochs, packets in those whose frames are received.
PACKETS = 60
#: A frame or a packet has fewer beats than this.
BEATS = 10_000


def frame_count(point):
    """Returns the number of received frames; the first design point, in `make test`, has few."""
    return {12: 243, 6: 2_025}.get(point["row_bytes"], 648)


def rows(spark, point):
    """Returns the frames ``rx``, the beats of ``tuples`` and ``rows``, and the frames ``sent``.

    A frame of ``rx`` has its FCS, its ``verdict``, and the ``reply`` to it. ``settings`` are those
    of each epoch.
    """
    settings = epochs(spark)
    frames = drawn_frames(spark, point, frame_count(point)).join(settings, "epoch")
    received = with_verdicts(frames, point)
    right_fcs = fn.crc32(fn.unhex("text"))
    wrong_fcs = right_fcs.bitwiseXOR(fn.expr("shiftleft(1L, int(position % 32))"))
    tuples = _tuples(received.where("payload is not null").select("epoch", "position", "payload"))
    beats = tuples.groupBy(fn.col("frame").alias("position")).agg(fn.count("*").alias("beats"))
    packets = _packets(spark, point).join(settings, "epoch").cache()
    return {
        "settings": settings.withColumn("position", fn.col("epoch")).drop("epoch"),
        "rx": received.join(beats, "position", "left").select(
            *("position", "epoch", "kind", "text", "verdict", "reply"),
            fn.col("position").alias("frame"),
            fn.when(fn.col("bad_fcs"), wrong_fcs).otherwise(right_fcs).alias("fcs"),
            fn.coalesce("beats", fn.lit(0)).alias("beats"),
        ),
        "tuples": tuples,
        "rows": _beats(packets, point),
        "sent": _sent(packets, point),
    }


def _tuples(datagrams):
    """Returns the beats of the payloads: an empty payload is an empty beat, and ends the stream."""
    size = size_of(fn.col("payload"))
    last = fn.greatest(lit(0), fn.floor((size - 1) / 8).cast("long"))
    beat = datagrams.select("*", fn.posexplode(fn.sequence(lit(0), last)).alias("beat", "k"))
    count = fn.least(lit(8), size - 8 * fn.col("k"))
    return beat.select(
        (fn.col("position") * BEATS + fn.col("beat")).alias("position"),
        fn.col("position").alias("frame"),
        "epoch",
        *_bus(part(fn.col("payload"), 8 * fn.col("k"), count), count, size == 0),
    )


def _bus(text, count, last):
    """Returns the columns of a beat: its first octet is the lowest in ``tdata``."""
    keep = fn.element_at(
        fn.array(*(fn.lit((1 << k) - 1) for k in range(9))), (count + 1).cast("int")
    )
    return fn.unhex(text).alias("tdata"), keep.alias("tkeep"), last.cast("int").alias("tlast")


def _packets(spark, point):
    """Returns packets of rows: large and small ones, and some without a row.

    In one of four packets the sums of the octets carry.
    """
    size = point["result_bytes"]
    room = 2 * point["payload_limit"] // size
    count = fn.when(draw(3, 61, "id") == 0, draw(room, 62, "id")).otherwise(draw(4, 63, "id"))
    exact = fn.when(draw(8, 64, "id") == 0, _step(point) // size).otherwise(count)
    return (
        spark.range(0, PACKETS, 1, 1)
        .withColumn("epoch", (fn.col("id") * 3 / PACKETS).cast("int"))
        .withColumn("size", exact.cast("long") * size)
        .withColumn(
            "data",
            fn.when(draw(4, 68, "id") == 0, carrying_octets(fn.col("size"))).otherwise(
                random_octets(fn.col("size"), 65, "id")
            ),
        )
    )


def _step(point):
    """Returns the octets of a full datagram: whole rows and whole beats."""
    common = lcm(point["result_bytes"], 8)
    return point["payload_limit"] // common * common


def _beats(packets, point):
    """Returns the beats of packets; some packets whose last beat is full end with an empty beat."""
    size = fn.col("size")
    last = fn.greatest(lit(0), fn.floor((size - 1) / 8).cast("long"))
    empty_end = (size % 8 == 0) & (size > 0) & (draw(3, 66, "id") == 0)
    last = fn.when(empty_end, last + 1).otherwise(last)
    beat = packets.select("*", fn.explode(fn.sequence(lit(0), last)).alias("k"))
    count = fn.least(lit(8), size - 8 * fn.col("k"))
    # Octets that do not count are random.
    text = fn.concat(
        part(fn.col("data"), 8 * fn.col("k"), count), random_octets(8 - count, 67, "id")
    )
    return beat.select(
        (fn.col("id") * BEATS + fn.col("k")).alias("position"),
        "epoch",
        *_bus(text, count, fn.col("k") == last),
    )


def _sent(packets, point):
    """Returns the frames of packets: datagrams of whole rows, and an empty one at each end."""
    step, size = _step(point), fn.col("size")
    starts = fn.when(size > 0, fn.sequence(lit(0), size - 1, lit(step)))
    starts = fn.coalesce(starts, fn.array().cast("array<bigint>"))
    if point["end_marks"]:
        starts = fn.concat(starts, fn.array(size))
    cut = packets.select("*", fn.posexplode(starts).alias("number", "start"))
    count = fn.least(lit(step), size - fn.col("start"))
    datagram = cut.withColumn("part", part(fn.col("data"), fn.col("start"), count)).cache()
    length = size_of(fn.col("part")) + 8
    pseudo = sum_halves(fn.col("address")) + sum_halves(fn.col("to_address")) + 17 + length
    total = pseudo + fn.col("port") + fn.col("to_port") + length + word_sum(fn.col("part"))
    udp_sum = fn.when(checksum(total) == 0, 0xFFFF).otherwise(checksum(total))
    numbers = (fn.col("port"), fn.col("to_port"), length, udp_sum)
    body = fn.concat(*(octets(number, 2) for number in numbers), "part")
    frame = packet(fn.col("to_mac"), fn.col("to_address"), 17, length, body)
    return datagram.select(
        (fn.col("id") * BEATS + fn.col("number")).alias("position"),
        "epoch",
        filled(frame).alias("text"),
    )

"""Rows for the decompressor: blocks of the plain model, and the aggregates of their values."""

import random

from pyspark.sql import Window
from pyspark.sql import functions as fn

from golden.codecs.blocks import COUNT_BITS, HEAD_BITS, compress, decompress, is_coded
from golden.codecs.symbols import BLOCK_BITS, BrokenBlockError
from tb.cocotb.keyed.compressor_rows import model
from tb.cocotb.keyed.key_values import key_values
from tb.cocotb.support.stimulus import by_group

#: Values that are compressed; Icarus takes almost a second for a block of bases and deltas.
VALUES, VALUES_OF_BASE_DELTA = 5000, 2100
_SCHEMA = "position long, block binary, coded boolean, count long, skip long, last boolean, "
_SCHEMA += "passenger long, memory_error boolean, broken boolean, values array<long>"


def rows(spark, point):
    """Returns the blocks ``i`` and the line of each block ``o``.

    The values of a lossless codec are those that were compressed. Some blocks are damaged: they
    have a wrong bit or, with bases and deltas, too great a number of values. Some of these cannot
    be decoded.
    """
    codec = model(point)
    count = VALUES_OF_BASE_DELTA if point["codec"] == "base-delta" else VALUES
    values = key_values(spark, codec, 8, count, seed=5).where("valid")

    def blocks(rows_of_key):
        rng, result = random.Random(rows_of_key[0]["entry"]), []
        numbers = [int.from_bytes(row["value"], "little") for row in rows_of_key]
        place = 0
        for block in compress(codec, numbers)[:-1]:
            restored = decompress(codec, block)
            if not codec.lossy:
                assert restored == numbers[place : place + len(restored)]
            place += len(restored)
            if is_coded(block) and rng.random() < 0.1:
                damage = _with_most_values if point["codec"] == "base-delta" else _damaged
                block, restored = damage(codec, block, restored, rng)
            count = (block >> BLOCK_BITS - 16) % 512
            count = count if is_coded(block) else BLOCK_BITS // codec.width
            skip = rng.choice((0, 0, rng.randrange(count), count))
            half = 1 << codec.width - 1
            signed = None if restored is None else [(v ^ half) - half for v in restored[skip:]]
            result.append(
                {
                    "position": rows_of_key[0]["entry"] * 10_000 + len(result),
                    "block": block.to_bytes(BLOCK_BITS // 8, "little"),
                    "coded": is_coded(block),
                    "count": count,
                    "skip": skip,
                    "last": rng.random() < 0.4,
                    "passenger": rng.randrange(256),
                    "memory_error": rng.random() < 0.1,
                    "broken": restored is None,
                    "values": signed,
                }
            )
        return result

    sent = by_group(values, ["entry"], blocks, _SCHEMA)
    value = fn.col("value")
    states = (
        sent.select("position", fn.explode("values").alias("value"))
        .groupBy("position")
        .agg(
            fn.max(value).alias("r0"),
            fn.count(value).alias("r1"),
            fn.sum(value.cast("decimal(38,0)")).alias("r2"),
        )
    )
    earlier = Window.orderBy("position").rowsBetween(Window.unboundedPreceding, -1)
    number = fn.coalesce(fn.sum(fn.col("last").cast("long")).over(earlier), fn.lit(0))
    in_window = Window.partitionBy("window").orderBy("position")
    error = fn.col("memory_error") | fn.max("broken").over(in_window)
    lines = sent.withColumn("window", number).withColumn("error", fn.col("last") & error)
    state = [fn.col(f"r{k}").alias(f"lane0_r{k}_value") for k in range(3)]
    return {
        "i": sent.withColumn("passenger", _info(fn.col("memory_error"))).drop(
            "memory_error", "broken", "values"
        ),
        "o": lines.join(states, "position", "left").select(
            *("position", "last"),
            fn.when(~fn.col("broken"), fn.size("values") > 0).alias("valid"),
            _info(fn.col("error")).alias("passenger"),
            *state,
            fn.col("r1").alias("lane0_values"),
        ),
    }


def _info(error):
    return fn.struct(error.alias("error"), fn.col("passenger").alias("passenger"))


def _with_most_values(codec, block, restored, rng):
    """Returns a block of bases and deltas whose count is the greatest, and its values or None.

    Only a block with one base has room for so many deltas.
    """
    room = BLOCK_BITS - HEAD_BITS
    damaged = block & (1 << room) - 1 | block >> room + COUNT_BITS << room + COUNT_BITS
    damaged |= (room - codec.width) // 8 << room
    try:
        return damaged, decompress(codec, damaged)
    except BrokenBlockError:
        return damaged, None


def _damaged(codec, block, restored, rng):
    """Returns a block with a wrong bit, and its values, or None if no values are coded so."""
    damaged = block ^ 1 << rng.randrange(BLOCK_BITS - 16)
    try:
        return damaged, decompress(codec, damaged)
    except BrokenBlockError as error:
        # The hardware does not read the bits between the symbols.
        return (block, restored) if "between" in str(error) else (damaged, None)

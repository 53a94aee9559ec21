"""Rows for the compressor: values of keys, and their blocks by the plain model of the codec."""

from pyspark.sql import functions as fn

from golden.codecs.blocks import BlockWriter
from golden.codecs.registry import CODECS
from golden.codecs.scaled_sz import ScaledSz
from golden.codecs.symbols import BLOCK_BITS
from golden.codecs.sz import Sz
from tb.cocotb.keyed.key_values import key_values
from tb.cocotb.support.stimulus import by_group

_SCHEMA = "position long, entry long, fresh boolean, valid boolean, passenger long, "
_SCHEMA += "growing binary, count long, closes boolean, closed_block binary"
#: Bounds of lossy codecs, of keys with an even and with an odd entry. The absolute ones of
#: scaled-sz are the upper bits of 2^-23 and 2^-1022 as doubles.
BOUNDS = {
    "sz": [{"relative": 200, "absolute": 3}, {"relative": 900, "absolute": 0}],
    "float-sz": [{"relative": 200, "absolute": 3}, {"relative": 65_535, "absolute": 0}],
    "scaled-sz": [
        {"relative": 200, "absolute": 0x3E800000},
        {"relative": 200, "absolute": 0x00100000},
    ],
}


def model(point, entry=0):
    """Returns the plain model of the codec of a point, for the key with this entry."""
    bounds = BOUNDS.get(point["codec"])
    bound = bounds[entry % 2] if bounds else None
    if point["codec"] == "scaled-sz":
        return ScaledSz(point["width"], **bound)
    if point["codec"] in ("sz", "float-sz"):
        kind = "float" if point["codec"] == "float-sz" else "signed"
        return Sz(point["width"], kind, point["exponent"], **bound)
    return CODECS[point["codec"]](point["width"])


def rows(spark, point):
    """Returns the values ``i``, and the blocks of the value's key after each value, ``o``."""
    stamp_bits = point["stamp_bits"]
    values = key_values(spark, model(point), point["entries"], 2500, seed=3)

    def blocks(rows_of_key):
        codec, writer = model(point, rows_of_key[0]["entry"]), None
        for row in rows_of_key:
            value, slide = int.from_bytes(row.pop("value"), "little"), row.pop("slide")
            writer = BlockWriter(codec, stamp_bits) if row["fresh"] else writer
            full = writer.take(value, slide) if row["valid"] else None
            growing = writer.growing
            row["growing"], row["count"] = _bytes(growing.packed(codec.width)), len(growing.values)
            row["closes"] = full is not None
            row["closed_block"] = None if full is None else _bytes(full)
        return rows_of_key

    sent = values
    if bounds := BOUNDS.get(point["codec"]):
        even, odd = (
            fn.struct(*(fn.lit(value).alias(name) for name, value in bound.items()))
            for bound in bounds
        )
        sent = values.withColumn("bound", fn.when(fn.col("entry") % 2 == 0, even).otherwise(odd))
    stamp = fn.col("slide").bitwiseAND(fn.lit((1 << stamp_bits) - 1))
    sent = sent.withColumn("stamp", stamp) if stamp_bits else sent
    return {"i": sent.drop("slide"), "o": by_group(values, ["entry"], blocks, _SCHEMA)}


def _bytes(block):
    return block.to_bytes(BLOCK_BITS // 8, "little")

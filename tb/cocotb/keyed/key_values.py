"""Values of keys for the codecs: values of many kinds, whose keys come in bursts."""

import random

from golden.codecs.scaled_sz import ScaledSz
from tb.cocotb.support.stimulus import by_group
from tb.golden.codecs import scaled_values
from tb.golden.codecs.kinds import kinds

_SCHEMA = "position long, entry long, value binary, fresh boolean, valid boolean, "
_SCHEMA += "passenger long, slide long"


def key_values(spark, codec, entries, count, seed):
    """Returns ``count`` values of keys for a codec, each in its bytes, lowest byte first.

    The values are of all kinds, and for SZ with scales also values that are hard for its scales.
    A key starts anew where ``fresh`` is set. A row that is not ``valid`` has no value. Slides
    increase, but some values are of a later slide.
    """
    width = codec.width
    streams = [values for _, values in kinds(width, count, seed)]
    if isinstance(codec, ScaledSz):
        streams += scaled_values.streams(codec, count, seed).values()

    def draw(_):
        rng, result, slide, seen = random.Random(seed), [], 0, set()
        sources = [list(values) for values in streams]
        while len(result) < count:
            entry, source = rng.randrange(entries), rng.choice(sources)
            for _ in range(min(rng.choice((1, 2, 3, 30, 300)), len(source))):
                valid = entry not in seen or rng.random() < 0.97
                fresh = valid and (entry not in seen or rng.random() < 0.003)
                seen.add(entry)
                slide += rng.random() < 0.05
                result.append(
                    {
                        "position": len(result),
                        "entry": entry,
                        "value": source.pop().to_bytes(width // 8, "little"),
                        "fresh": fresh,
                        "valid": valid,
                        "passenger": rng.randrange(256),
                        "slide": slide + (rng.random() < 0.02),
                    }
                )
        return result

    return by_group(spark.range(1), ["id"], draw, _SCHEMA)

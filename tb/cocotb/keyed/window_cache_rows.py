"""Rows for the window cache: values of keys, the decision about each, and the cached windows."""

from pyspark.sql import Window
from pyspark.sql import functions as fn

from tb.cocotb.support.stimulus import by_group, draw, tuples

#: Number of values, of values of a turn, and of values of any keys at the end of a turn.
VALUES, TURN, OTHERS = 2400, 40, 5
_DECISIONS = "position long, hit boolean, claims boolean, stored boolean, place long, number long"
_DECISIONS += ", takes boolean"


def rows(spark, point):
    """Returns the values ``i``, the ``decisions`` about them, and the lines of windows ``o``.

    A life of a key begins with a ``fresh`` value; a window is the last ``size`` values of a life.
    Each line has max, count and sum of ``lanes`` values of a window, the last line of the rest.
    """
    values = _values(spark, point).cache()
    decided = by_group(values, ["all"], lambda rows: _decisions(rows, point), _DECISIONS)
    kinds = decided.select("position", "hit", "claims", "takes", "number")
    names = ["position", "entry", "fresh", "valid", "closes", "size", "item"]
    decision = [fn.col(name).alias(f"decision_{name}") for name in ("hit", "claims", "stored")]
    place = fn.when(fn.col("stored"), fn.col("place")).alias("decision_place")
    return {
        "i": values.select(*names).join(kinds, "position"),
        "decisions": decided.select("position", *decision, place),
        "o": _lines(values, decided.where("hit"), point["lanes"]),
    }


def _values(spark, point):
    """Returns values of a few keys in turns of :data:`TURN` values.

    Most values of a turn are those of one key. The last of them closes the largest window, and
    values of any keys end the turn, which close windows as well. So places are claimed while lines
    of the largest window are read.
    """
    key_count = point["places"] + 2
    by_entry = Window.partitionBy("entry", "valid").orderBy("position")
    in_turn = fn.col("position") % TURN
    of_turn = draw(key_count, 2, fn.floor(fn.col("position") / TURN))
    any_entry = (in_turn > TURN - OTHERS) | (draw(6, 3, "position") == 0)
    entry = fn.when(any_entry, draw(key_count, 4, "position")).otherwise(of_turn)
    drawn = (
        tuples(spark, VALUES, {"item": (point["width"], True)}, seed=1)
        .withColumn("entry", entry * (point["entries"] // key_count))
        .withColumn("valid", draw(12, 5, "position") > 0)
        .withColumn("earlier", fn.row_number().over(by_entry) - 1)
    )
    is_first = (fn.col("earlier") == 0) | (draw(3 * point["values"], 7, "position") == 0)
    fresh = fn.when(fn.col("valid"), is_first).otherwise(draw(2, 8, "position") == 0)
    by_life = Window.partitionBy("entry", "valid", "life").orderBy("position")
    sizes = fn.array(*map(fn.lit, (1, point["lanes"], point["lanes"] + 1, point["values"])))
    any_size = fn.when(
        draw(2, 9, "position") == 0, fn.element_at(sizes, 1 + draw(4, 10, "position"))
    )
    any_size = fn.coalesce(any_size, 1 + draw(point["values"], 11, "position"))
    size = (
        fn.when(fn.col("fresh") & (draw(2, 13, "position") == 0), 1)
        .when(in_turn == TURN - OTHERS, point["values"])
        .when(in_turn > TURN - OTHERS, 1 + draw(2, 14, "position"))
        .otherwise(any_size)
    )
    fits = ~fn.col("valid") | (fn.col("size") <= fn.col("n"))
    requests_window = fn.col("fresh") | (in_turn >= TURN - OTHERS) | (draw(5, 12, "position") < 2)
    return (
        drawn.withColumn("fresh", fresh)
        .withColumn("life", fn.sum(fn.col("fresh").cast("int")).over(by_entry))
        .withColumn("n", fn.row_number().over(by_life))
        .withColumn("size", fn.least(size, fn.lit(point["values"])))
        .withColumn("closes", fits & requests_window)
        .withColumn("all", fn.lit(0))
    )


def _decisions(values, point):
    """Returns the decision about each value.

    ``places`` has the places, that of the key whose latest window is the oldest first: the number
    of a place, its entry or None, and the values of the entry's key since the place was claimed.
    ``number`` is the number of the value among all that were stored in its place.
    """
    places = [[place, None, 0] for place in range(point["places"])]
    numbers = [0] * point["places"]
    result = []
    for value in values:
        mine = next((place for place in places if place[1] == value["entry"]), None)
        has_place = mine is not None and not value["fresh"]
        closes, chosen = value["closes"], mine or places[0]
        decision = {"hit": False, "claims": False, "stored": False, "place": None, "takes": False}
        decision["number"] = numbers[chosen[0]]
        if value["valid"]:
            decision |= {"claims": closes and not has_place, "stored": closes or has_place}
            decision["place"] = chosen[0]
            numbers[chosen[0]] += decision["stored"]
            decision["takes"] = decision["claims"] and chosen[1] not in (None, value["entry"])
            if has_place:
                mine[2] += 1
                decision["hit"] = closes and mine[2] >= value["size"]
            elif closes:
                chosen[1:] = value["entry"], 1
            elif mine is not None:
                mine[1] = None
            if closes:
                places.append(places.pop(places.index(chosen)))
        result.append({"position": value["position"], **decision})
    return result


def _lines(values, hits, lanes):
    """Returns max, count and sum of each line of the windows that come from the cache."""
    life = ["entry", "life"]
    windows = values.join(hits.select("position"), "position").select(
        *life, "size", fn.col("position").alias("closed"), fn.col("n").alias("end")
    )
    begin = fn.col("end") - fn.col("size")
    in_window = fn.col("n").between(begin + 1, fn.col("end"))
    line = fn.floor((fn.col("n") - 1 - begin) / lanes)
    of_window = (
        values.where("valid").select(*life, "n", "item").join(windows, life).where(in_window)
    )
    states = of_window.groupBy("closed", "size", line.alias("line")).agg(
        fn.max("item").alias("lane0_r0_value"),
        fn.count("item").alias("lane0_r1_value"),
        fn.sum("item").alias("lane0_r2_value"),
    )
    return states.select(
        (fn.col("closed") * 1000 + fn.col("line")).alias("position"),
        *("lane0_r0_value", "lane0_r1_value", "lane0_r2_value"),
        fn.col("lane0_r1_value").alias("lane0_values"),
        fn.lit(True).alias("valid"),
        (fn.col("line") == fn.floor((fn.col("size") - 1) / lanes)).alias("last"),
    )

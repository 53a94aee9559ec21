"""Streams over time with random windows, and the items that a punctuator makes of them, by Spark.

The meaning of punctuations and windows is that of docs/windows-of-time.md.
"""

import random

from pyspark.sql import Window
from pyspark.sql import functions as fn

from tb.cocotb.support.stimulus import by_group

#: Streams of a stimulus, and tuples of the longest; the mean is about 20 tuples.
STREAMS, LONGEST = 110, 60
LENGTHS = ("range", "slide", "slack")


def by_stream():
    """Returns the window of a stream, in order."""
    return Window.partitionBy("stream").orderBy("position")


def so_far():
    """Returns the window of a stream up to the current row."""
    return by_stream().rowsBetween(Window.unboundedPreceding, Window.currentRow)


def ring_settings(modules):
    """Returns a function that draws settings for a ring of ``modules`` windows.

    One result in seven does not fit the ring.
    """

    def settings(rng, low, high):
        # The punctuation steps by a slide in each cycle, so a longer slide limits the cycles.
        min_slide, longest = max(1, (high - low) >> 5), high - low
        slides = (
            min_slide,
            min_slide + 1,
            rng.randint(min_slide, 4 * min_slide),
            rng.randint(1, high),
        )
        slide = max(min_slide, rng.choice(slides))
        windows = rng.randint(1, modules)
        range_ = windows * slide - rng.choice([0, 0, rng.randrange(slide)])
        spare = (modules - windows) * slide
        slack = rng.choice([0, spare, rng.randint(0, spare)])
        start = rng.choice([low, 0, rng.randint(low, high), rng.randint(low, high)])
        form = rng.random()
        if form < 0.15:
            too_long = modules * slide + rng.randint(1, slide)
            slide, range_, slack = rng.choice(
                [
                    *((0, range_, slack), (slide, slide - 1, 0)),
                    *((slide, range_, spare + slide), (slide, too_long, 0)),
                ]
            )
        return {"range": min(longest, range_), "slide": slide, "slack": min(longest, slack)} | {
            "start": start
        }

    return settings


def arrivals(spark, width, settings, seed, in_stream=False, first=0):
    """Returns the arrivals of streams of tuples in disorder, with the settings of each stream.

    ``settings(rng, low, high)`` draws the settings of a stream for times from ``low`` to ``high``.
    Half of the streams have the settings of the stream before. Times and values have ``width`` bits
    and a sign; some times are the end of a window, or one before. Arrivals without a tuple are
    gaps, or punctuations if the punctuations are ``in_stream``. Streams are numbered from ``first``
    on.
    """
    low, high = -(1 << width - 1), (1 << width - 1) - 1

    def stream(group):
        number = group[0]["id"]
        common = settings(random.Random(seed + number // 2), low, high)
        rng = random.Random(f"{seed} {number}")
        room, u, events = high - common["start"], 0, []
        size = rng.choice([0, 1, 15, LONGEST, rng.randint(2, LONGEST)])
        gap = rng.choice([0, 1, 2 * common["slide"], 2 * room // max(1, size)])
        for _ in range(size):
            u += rng.randint(0, gap)
            if rng.random() < 0.05:
                u += rng.randint(0, 3 * common["range"])
            late = rng.randint(0, rng.choice([0, 0, common["slack"], 2 * common["slack"]]))
            is_punctuation = in_stream and rng.random() < 0.25
            late = rng.choice([0, late, common["range"]]) if is_punctuation else late
            since = min(room, u) - late
            if common["slide"] and rng.random() < 0.3:
                since -= (since - common["range"]) % common["slide"] + rng.choice((0, 0, 1))
            time = max(low, common["start"] + since)
            value = rng.choice([low, high, 0, -1, rng.randint(low, high), rng.randint(-4, 4)])
            valid = not is_punctuation and rng.random() < 0.93
            events.append((time, value, valid, is_punctuation))
        events = events or [(0, 0, False, False)]
        return [
            {"stream": number, "position": number * 1000 + k, "last": k == len(events) - 1}
            | dict(zip(("time", "value", "valid", "punctuation"), event, strict=True))
            | {"in_stream": in_stream}
            | common
            for k, event in enumerate(events)
        ]

    schema = "stream long, position long, last boolean, time long, value long, valid boolean, "
    schema += "punctuation boolean, in_stream boolean, "
    schema += "range long, slide long, slack long, start long"
    return by_group(spark.range(first, first + STREAMS), ["id"], stream, schema)


def with_punctuations(arriving):
    """Adds ``u``, the time since the start; ``p``, the punctuation in force; and ``timely``.

    The punctuation is the greatest punctuation so far or, if they are not ``in_stream``, the
    greatest multiple of the slide that is at most the greatest u so far minus the slack.
    """
    u = fn.col("time") - fn.col("start")
    sent = fn.max(fn.when(fn.col("punctuation"), u)).over(so_far())
    slides = fn.max(fn.when(fn.col("valid"), u)).over(so_far()) - fn.col("slack")
    computed = fn.floor(slides / fn.nullif("slide", fn.lit(0))) * fn.col("slide")
    reached = fn.when(fn.col("in_stream"), sent).when(fn.col("slide") > 0, computed)
    return (
        arriving.withColumn("u", u)
        .withColumn("p", fn.greatest(fn.lit(0), fn.coalesce(reached, fn.lit(0))).cast("long"))
        .withColumn("timely", fn.col("valid") & (u >= fn.col("p")))
    )


def items(arriving):
    """Returns the items of a punctuator: columns of ``timed_item``, and ``stream``.

    A punctuation that the punctuator makes moves by one slide in each item. The end of a stream is
    an item without a tuple, whose punctuation closes all windows that have begun.
    """
    marked = with_punctuations(arriving)
    first_step = fn.lag("p", 1, 0).over(by_stream()) + fn.col("slide")
    greatest = fn.max(fn.when(fn.col("timely"), fn.col("u"))).over(so_far())
    own_item = _item(timely=fn.col("timely"), time=fn.when(fn.col("timely"), fn.col("u")))
    final = fn.coalesce(greatest + fn.col("range"), fn.col("p"))
    end = _item(time=fn.coalesce(greatest, fn.lit(0)), p=final, last=fn.lit(True))
    has_more = fn.col("valid") | fn.col("punctuation")
    steps = ~fn.col("in_stream") & (fn.col("slide") > 0) & (first_step < fn.col("p"))
    listed = marked.select(
        "*",
        fn.when(steps, fn.sequence(first_step, fn.col("p") - fn.col("slide"), fn.col("slide")))
        .otherwise(fn.array().cast("array<long>"))
        .alias("steps"),
        fn.when(~fn.col("last"), fn.array(own_item))
        .when(has_more, fn.array(own_item, end))
        .otherwise(fn.array(end))
        .alias("own"),
    )
    every = fn.concat(fn.transform("steps", lambda p: _item(p=p)), "own")
    exploded = listed.select("*", fn.posexplode(every).alias("step", "item"))
    in_order = Window.orderBy("position", "step")
    lengths = fn.struct(*LENGTHS)
    previous = fn.lag(lengths).over(Window.orderBy("position", "step"))
    nothing = fn.struct(*(fn.lit(0).cast("long").alias(name) for name in LENGTHS))
    by_change = exploded.withColumn("changed", lengths != fn.coalesce(previous, nothing))
    return by_change.select(
        "stream",
        fn.row_number().over(in_order).alias("position"),
        fn.max("changed").over(Window.partitionBy("stream")).alias("changed"),
        fn.struct(*LENGTHS, "start").alias("context"),
        fn.when(fn.col("item.timely"), fn.struct("value")).alias("row"),
        fn.col("item.time").alias("time"),
        fn.col("item.p").alias("punctuation"),
        fn.col("item.timely").alias("valid"),
        fn.col("item.last").alias("last"),
    ).cache()


def _item(timely=None, time=None, p=None, last=None):
    no = fn.lit(False)
    return fn.struct(
        (no if timely is None else timely).alias("timely"),
        (fn.lit(None).cast("long") if time is None else time).alias("time"),
        (fn.col("p") if p is None else p).alias("p"),
        (no if last is None else last).alias("last"),
    )


def aggregate(operator):
    """Returns the expression of an operator of a unit over ``value``; 0 for an empty window."""
    column = "*" if operator == "count" else "value"
    return fn.coalesce(getattr(fn, operator)(column), fn.lit(0))


def closed(item_punctuation):
    """Returns the number of windows that end at or before a punctuation."""
    slides = (item_punctuation - fn.col("range")) / fn.nullif("slide", fn.lit(0))
    return fn.greatest(fn.lit(0), fn.floor(slides) + 1).cast("long")


def ring(items_, modules):
    """Returns what a ring of ``modules`` windows makes of items: tuples and windows.

    The tuples have columns ``fits`` (the settings fit the ring), ``overrun`` (the tuple belongs to
    a window that is not in the ring yet, or the settings do not fit), and ``first`` and ``final``,
    the numbers of the windows that cover the tuple. The windows of the streams that fit have a
    ``number``, ``position``, the item that closes the window, and ``of_end``, true if the item
    is the end of the stream. A stream whose end closes no window has a last row without number.
    """
    item = items_.select("*", "context.*", "row.value").drop("context", "row")
    slide = fn.nullif("slide", fn.lit(0))
    required = fn.ceil(fn.col("range") / slide) + fn.ceil(fn.col("slack") / slide)
    fits = (fn.col("slide") > 0) & (fn.col("slide") <= fn.col("range")) & (required <= modules)
    earlier_items = by_stream().rowsBetween(Window.unboundedPreceding, -1)
    counted = (
        item.withColumn("fits", fits)
        .withColumn("closed", closed(fn.col("punctuation")))
        .withColumn("closed_before", fn.coalesce(fn.max("closed").over(earlier_items), fn.lit(0)))
    )
    early = fn.col("time") >= (fn.col("closed") + modules) * fn.col("slide")
    since = fn.floor((fn.col("time") - fn.col("range")) / slide) + 1
    tuples = counted.where("valid").select(
        *("stream", "position", "time", "value", "range", "slide", "fits"),
        (~fn.col("fits") | early).alias("overrun"),
        fn.greatest(fn.lit(0), since).alias("first"),
        fn.floor(fn.col("time") / slide).alias("final"),
    )
    numbers = fn.when(
        fn.col("closed") > fn.col("closed_before"),
        fn.sequence(fn.col("closed_before"), fn.col("closed") - 1),
    ).when(fn.col("last"), fn.array(fn.lit(None).cast("long")))
    windows = counted.where("fits").select(
        *("stream", "position", "range", "slide", "start"),
        fn.col("last").alias("of_end"),
        fn.explode(numbers).alias("number"),
    )
    return tuples, windows

"""Rows for the pane buffer: Spark groups tuples in disorder by pane, and panes by window."""

from math import gcd

from pyspark.sql import functions as fn

from tb.cocotb.window.time_streams import arrivals, with_punctuations

#: A stream has fewer panes than this.
STREAM = 1_000_000


def pane_settings(modules, panes):
    """Returns a function that draws settings for ``modules`` open panes and windows of ``panes``.

    One result in eight does not fit, or has the mark of a number that the host wrote too large.
    """

    def settings(rng, low, high):
        longest = high - low
        step = rng.randint(1, min(modules, panes))  # panes of a slide and of a window
        size = rng.choice([step, panes, rng.randint(step, panes)])
        # The punctuation steps by a slide in each cycle, so a longer slide limits the cycles.
        min_unit = -(-max(1, longest >> 5) // step)
        unit = rng.randint(min_unit, max(min_unit, longest // size // 2))
        slide, range_ = step * unit, size * unit
        spare = min(longest, modules * gcd(slide, range_) - slide)
        slack = rng.choice([0, spare, rng.randint(0, spare)])
        start = rng.choice([low, 0, rng.randint(low, high)])
        if rng.random() < 1 / 8:
            slide, range_, slack = rng.choice(
                [
                    (0, range_, slack),
                    (range_ + 1, range_, slack),
                    (slide, slide * panes + 1, slack),  # a pane of length 1
                    (slide, range_, spare + 1),
                    (slide, 2 * longest + 1, slack),
                ]
            )
        range_, slack = min(range_, 2 * longest + 1), min(slack, 2 * longest + 1)
        return {"range": range_, "slide": slide, "slack": slack, "start": start}

    return settings


def rows(spark, point):
    """Returns the arrivals ``i``, the closed ``panes``, the rows ``o``, and each ``dropped`` tuple.

    ``fate`` of an arrival says if a tuple is in its pane ("timely"), "late", or an "overrun": its
    pane is not open yet, or its stream is refused. In a refused stream whose punctuations the
    engine makes, it may stop to make them, so a tuple may be "late or overrun".
    """
    makes_punctuations = point["punctuations"] == "made"
    draw = pane_settings(point["modules"], point["panes"])
    arriving = arrivals(spark, point["width"], draw, seed=31, in_stream=not makes_punctuations)
    fate = _with_fates(with_punctuations(arriving), point, makes_punctuations).cache()
    streams = fate.where("fits").groupBy("stream", "range", "slide", "start", "pane")
    ends = streams.agg(
        fn.max("p").alias("p"), fn.max(fn.when(fn.col("timely"), fn.col("u"))).alias("greatest")
    )
    timely = fate.where("fate = 'timely'").withColumn(
        "number", fn.floor(fn.col("u") / fn.col("pane"))
    )
    states = timely.groupBy("stream", "number").agg(
        fn.sum("value").alias("r0"), fn.min("value").alias("r1"), fn.count("*").alias("r2")
    )
    names = ["time", "value", "range", "slide", "slack", "start", "valid", "punctuation", "last"]
    return {
        "i": fate.select("position", *names, "fate"),
        "panes": _panes(ends, states),
        "o": _windows(ends, states),
        "dropped": fate.where("valid and fate != 'timely'").select("position", "fate"),
        "bad": fate.where("last and not fits").select("position"),
    }


def _with_fates(arriving, point, makes_punctuations):
    """Adds ``pane``, the greatest common divisor of range and slide; ``fits``; and ``fate``."""
    range_, slide, slack, pane = (fn.col(name) for name in ("range", "slide", "slack", "pane"))
    euclid = (
        "aggregate(sequence(1, 64), named_struct('a', range, 'b', slide), (pair, k) -> "
        "if(pair.b = 0, pair, named_struct('a', pair.b, 'b', pair.a % pair.b)), pair -> pair.a)"
    )
    marked = fn.greatest(range_, slide, slack) >= 1 << point["width"]
    fits = (slide > 0) & (slide <= range_) & (range_ <= pane * point["panes"])
    first_closed = (fn.floor(fn.col("p") / pane) + point["modules"]) * pane
    refused = fn.when(fn.col("timely") | marked, "overrun").otherwise(
        "late or overrun" if makes_punctuations else "late"
    )
    is_early = fn.col("u") >= first_closed
    fate = (
        fn.when(~fn.col("valid"), "no tuple")
        .when(~fn.col("fits"), refused)
        .when(~fn.col("timely"), "late")
        .otherwise(fn.when(is_early, "overrun").otherwise("timely"))
    )
    return (
        arriving.withColumn("pane", fn.expr(euclid))
        .withColumn("fits", ~marked & fits & (slack + slide <= pane * point["modules"]))
        .withColumn("fate", fate)
    )


def _panes(ends, states):
    """Returns the panes of streams, and an item that ends a stream whose end closes no pane.

    The end of a stream closes all panes of the windows that have begun.
    """
    pane = fn.col("pane")
    closed_before_end = fn.floor(fn.col("p") / pane)
    final = fn.floor((fn.col("greatest") + fn.col("range")) / pane)
    closed = ends.withColumn("before_end", closed_before_end).withColumn(
        "closed", fn.greatest(closed_before_end, final)
    )
    indices = fn.when(fn.col("closed") > 0, fn.sequence(fn.lit(0), fn.col("closed") - 1))
    numbers = fn.coalesce(indices, fn.array().cast("array<bigint>"))
    no_more = fn.col("closed") == fn.col("before_end")
    end = fn.when(no_more, fn.array(fn.lit(None).cast("bigint")))
    items = closed.select(
        "*", fn.posexplode(fn.concat(numbers, fn.coalesce(end, fn.array().cast("array<bigint>"))))
    ).withColumnRenamed("col", "number")
    is_pane = fn.col("number").isNotNull()
    # Spark cannot write NULL for a struct whose fields are never NULL.
    zero = {name: fn.when(is_pane, fn.coalesce(name, fn.lit(0))) for name in ("r0", "r1", "r2")}
    value = {name: fn.when(is_pane, fn.struct(zero[name].alias("value"))) for name in zero}
    has_minimum = fn.when(is_pane, fn.col("r1").isNotNull())
    minimum = fn.when(is_pane, fn.struct(has_minimum.alias("some"), value["r1"].alias("state")))
    state = fn.struct(value["r0"].alias("r0"), minimum.alias("r1"), value["r2"].alias("r2"))
    is_final = (fn.col("number") == fn.col("closed") - 1) & (
        fn.col("closed") > fn.col("before_end")
    )
    return items.join(states, ["stream", "number"], "left").select(
        (fn.col("stream") * STREAM + fn.col("pos")).alias("position"),
        fn.when(is_pane, state).alias("state"),
        fn.when(is_pane, fn.col("r2").isNotNull()).alias("nonempty"),
        ((fn.col("number") + 1) * pane + fn.col("start")).alias("end"),
        is_pane.alias("valid"),
        (~is_pane | is_final).alias("last"),
    )


def _windows(ends, states):
    """Returns the row of each window, of the states of its panes.

    ``busy`` is 1 in the rows that only the end of their stream closes.
    """
    slide, pane = fn.col("slide"), fn.col("pane")
    windows_before_end = fn.floor((fn.col("p") - fn.col("range")) / slide) + 1
    started_windows = fn.floor(fn.col("greatest") / slide) + 1
    numbered = (
        ends.withColumn("before_end", windows_before_end)
        .withColumn("windows", fn.greatest(fn.lit(0), windows_before_end, started_windows))
        .where("windows > 0")
        .withColumn("window", fn.explode(fn.sequence(fn.lit(0), fn.col("windows") - 1)))
    )
    first = fn.col("window") * slide / pane
    of_pane = numbered.withColumn(
        "number",
        fn.explode(
            fn.sequence(first.cast("long"), (first + fn.col("range") / pane - 1).cast("long"))
        ),
    ).join(states, ["stream", "number"], "left")
    value = fn.min("r1")
    end = fn.col("start") + fn.col("range") + fn.col("window") * slide
    result = fn.struct(
        fn.coalesce(fn.sum("r0"), fn.lit(0)).alias("r0"),
        fn.struct(value.isNotNull().alias("valid"), value.alias("value")).alias("r1"),
        fn.coalesce(fn.sum("r2"), fn.lit(0)).alias("r2"),
    )
    is_of_end = fn.when(fn.col("window") >= fn.col("before_end"), 1)
    grouped = of_pane.groupBy("stream", "window", end.alias("end"), is_of_end.alias("busy")).agg(
        result.alias("results")
    )
    return grouped.select(
        (fn.col("stream") * STREAM + fn.col("window")).alias("position"),
        fn.struct("end", "results").alias("lane0"),
        fn.lit(1).alias("valid"),
        fn.lit(1).alias("last"),
        "busy",
    )

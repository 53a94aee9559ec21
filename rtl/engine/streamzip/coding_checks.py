"""Checks that codec, cache and further options of `streamzip` fit each other and the query."""

from rtl.engine.parts.columns import value_layout
from rtl.engine.parts.operators import float_sum_refusal, repeat_refusal
from rtl.engine.streamzip.expected_ratio import WORST_CASE, ratio_of
from rtl.keyed.cache.sorted_plan import MOST_LINES
from rtl.keyed.store.lines.line_values import usual_values

#: Greatest width of a compressed value, in bits.
CODED_BITS = 64


def check_coding(coding):
    """Raises ValueError unless codec, window cache, M2 and ratio fit each other and the query.

    For instance a codec compresses one column of at most 64 bits, so a query that aggregates two
    columns needs codec=none. Only the codec decides about the type of the column
    (``CodecEntry.check``).
    """
    options = coding.options
    name = coding.options.codec
    if name == "none":
        _check_cache(coding)
        if copies := options.m2_blocks:
            raise ValueError(f"m2_blocks must be 0 with codec=none, not {copies}")
        if (ratio := options.expected_ratio) != WORST_CASE:
            raise ValueError(f"expected_ratio must be none with codec=none, not {ratio}")
        return
    ratio_of(options.expected_ratio)  # raises ValueError if the text is no ratio
    if coding.codec_entry.chained:
        _check_chains(coding)
    query = options.query
    built = options.resolved
    bits = value_layout(options.query).size
    _check_m2(coding)
    line_values = usual_values(options.kind.item_bits)
    required = {"memory": "mlq", "m2_lines": 1, "line_values": line_values}
    for option, only in required.items():
        if (value := getattr(built, option)) != only:
            raise ValueError(f"{option} must be {only} with codec={name}, not {value}")
    columns = value_layout(query).members
    if len(columns) != 1:
        raise ValueError(
            f"codec must be none for a query that aggregates {len(columns)} columns, not "
            f"{name}: it compresses one"
        )
    (column,) = columns
    if bits > CODED_BITS:
        raise ValueError(f"codec must be none for {bits} bits of {column}, not {name}")
    coding.codec_entry.check(column, coding.value_type, options)
    if coding.sorts and coding.codec_entry.serial:
        raise ValueError(
            f"percentiles must be pivot with codec={name}, not sorter: its decoders send "
            "states of blocks, not values"
        )
    _check_cache(coding)
    if (copies := options.m2_blocks) > coding.blocks:
        raise ValueError(
            f"m2_blocks must be at most {coding.blocks}, the blocks of a key's ring, not {copies}"
        )
    if coding.fold is not None and (reason := repeat_refusal(query, bool(coding.pivot_operators))):
        raise ValueError(f"codec must be none or not serial where {reason}, not {name}")


def _check_cache(coding):
    """Raises ValueError if a cache cannot aggregate the query, or has too many sorted values.

    A cache sends the state of each of its lines, and the kernels combine the states.
    """
    if not (cached := coding.options.cached_keys):
        return
    if coding.sorts:
        raise ValueError(
            f"percentiles must be pivot with cached_keys={cached}, not sorter: a cache sends "
            "states of lines, not values"
        )
    query = coding.options.query
    if reason := float_sum_refusal(query) or repeat_refusal(query, bool(coding.pivot_operators)):
        raise ValueError(f"cached_keys must be 0 where {reason}, not {cached}")
    if coding.ranked_columns:
        _check_sorted_lines(coding)


def _check_sorted_lines(coding):
    """Raises ValueError if the sorted values of the cached keys take too many lines.

    For instance 3 keys with 4,096 values each take 3 * 32 lines of 128 values, more than 64. With
    3 * 16 lines, so with 2,048 values, they fit. With RANGE ``cache.values`` may be more than
    ``window_max``, because a ring has at least two lines for each port of M3; then the ports or the
    values of a line must be fewer.
    """
    cache = coding.cache
    built = coding.options.resolved
    if cache.keys * (cache.values // cache.lanes) <= MOST_LINES:
        return
    # The values of a key are a power of two, and so are their lines.
    values_max = (1 << (MOST_LINES // cache.keys).bit_length() - 1) * cache.lanes
    reason = (
        f"with percentiles, cached_keys={cache.keys} and cache_lanes={cache.lanes}, not {{}}: a "
        f"cache has at most {MOST_LINES} lines of sorted values"
    )
    if cache.values > built.window_max:
        values = built.ports * built.line_values
        raise ValueError(
            f"ports * line_values must be at most {values_max // 2} " + reason.format(values)
        )
    raise ValueError(f"window_max must be at most {values_max} " + reason.format(cache.values))


def _check_m2(coding):
    """Raises ValueError if M2 is not block RAM, unless it has copies of blocks."""
    name = coding.options.codec
    kind = coding.options.m2_kind
    copies = coding.options.m2_blocks
    if kind != "block" and not copies:
        raise ValueError(f"m2_kind must be block with codec={name} and m2_blocks=0, not {kind}")


def _check_chains(coding):
    """Raises ValueError for an option or a query that a codec with chains of blocks refuses."""
    options = coding.options
    name = coding.options.codec
    if options.kind.stamp_bits:
        raise ValueError(
            f"codec must not be {name} with RANGE: its blocks depend on the block before, and "
            "cannot be of one slide each; use xor"
        )
    if (ratio := options.expected_ratio) != WORST_CASE:
        raise ValueError(
            f"expected_ratio must be none with codec={name}, not {ratio}: blocks depend on the "
            "block that would give way; use xor"
        )
    if reason := float_sum_refusal(options.query):
        raise ValueError(f"codec must not be {name} where {reason}; use xor")

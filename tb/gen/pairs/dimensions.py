"""Lists the choices of a call of the command line, and the choices that exclude each other.

A *row* has one value of each dimension. The value ``-`` omits the option. A :class:`Forbidden`
lists values that exclude each other, with the words of the refusal.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from itertools import combinations

from rtl.keyed.codec.codecs import CODEC_ENTRIES

#: Dimensions that decide which hardware is built.
DESIGN = {
    "engine": ("group-by", "swag", "window-id", "pane", "two-stacks", "streamzip"),
    "window": (
        "groups",
        "grouped rows, tumbling",
        "grouped rows, sliding",
        "rows, tumbling",
        "rows, sliding",
        "rows, every tuple",
        "range, tumbling",
        "range, sliding",
        "key rows, tumbling",
        "key rows, sliding",
        "key rows, every tuple",
        "key range, tumbling",
        "key range, sliding",
    ),
    "codec": ("-", *CODEC_ENTRIES),
    "cached_keys": ("-", "2"),
    "levels": ("-", "two lines", "ultra", "external", "dram-only"),
    "m2_blocks": ("-", "2"),
    "ports": ("-", "one", "striped", "wide", "on chip"),
    "evictions": ("-", "many"),
    "aggregates": ("extremes", "sums", "averages", "distinct", "median"),
    "value": ("int(32)", "uint(64)", "fixed(8,8)", "float", "double"),
    "key": ("uint(16)", "string(3)", "int(20)"),
    "constants": ("-", "compiled", "run-time"),
    "lanes": ("-", "1", "2"),
    "results": ("-", "select"),
    "punctuations": ("-", "stream"),
    "bus_bits": ("-", "32", "64", "512"),
    "packets": ("-", "window", "stream", "beats:4"),
    "end_marker": ("-", "true"),
    "interrupt": ("-", "true"),
    "bus": ("-", "avalon", "vitis"),
    "network": ("-", "true", "with link"),
    "board": ("-", "ultra96-v2", "de5-net", "ml605", "generic"),
}
#: Dimensions in which runs of the same hardware differ.
RUN = {
    "keys": ("few, uniform", "few, skewed", "many, uniform", "many, skewed"),
    "times": ("in order", "out of order"),
    "values": ("random", "steady"),
    "file": ("csv", "parquet"),
    "stalls": ("-", "input", "output", "both"),
    "memory": ("-", "ideal", "restless", "ddr3"),
    "simulator": ("verilator", "icarus"),
}
DIMENSIONS = DESIGN | RUN


@dataclass(frozen=True)
class Forbidden:
    """Values that exclude each other: a row with a value of each dimension of ``values`` is
    refused.

    Attributes
    ----------
    values : mapping of str to tuple of str
        By dimension.
    refusal : str
        Regular expression of the program's words.
    """

    values: Mapping[str, tuple[str, ...]]
    refusal: str

    def refuses(self, row):
        """True if ``row``, which may lack dimensions, has a value of each dimension."""
        return all(row.get(name) in values for name, values in self.values.items())

    def matches(self, text):
        """True if the refusal is in the program's ``text``."""
        return re.search(self.refusal, text) is not None


def _but(dimension, *left_out):
    """Returns all values of a dimension without ``left_out``."""
    return tuple(value for value in DIMENSIONS[dimension] if value not in left_out)


def _starting(*words):
    """Returns the windows with names that begin with any of ``words``."""
    return tuple(name for name in DESIGN["window"] if name.startswith(words))


_WINDOWS = {
    "group-by": _starting("groups"),
    "swag": _starting("grouped rows"),
    "window-id": _starting("range"),
    "pane": _starting("range"),
    "two-stacks": _starting("rows"),
    "streamzip": _starting("key"),
}
_NETWORK = _but("network", "-")
_FLOATS, _SUMS = ("float", "double"), ("sums", "averages")
_NO_KEYS = {"engine": _but("engine", "streamzip")}
_NO_GROUPS = {"engine": _but("engine", "group-by", "swag")}


def _only(engines, dimension, parameter):
    """Forbids every value but ``-`` of ``dimension`` for engines other than ``engines``."""
    values = {"engine": _but("engine", *engines), dimension: _but(dimension, "-")}
    return Forbidden(values, f"unknown parameter ({parameter}) of engine")


def _together(refusal, **values):
    return Forbidden(values, refusal)


FORBIDDEN = (
    *(
        _together(
            f"engine {engine} cannot run this query", engine=(engine,), window=_but("window", *able)
        )
        for engine, able in _WINDOWS.items()
    ),
    _only(("group-by", "swag"), "lanes", "lanes"),
    _only(("group-by", "swag"), "results", "results"),
    _only(("pane", "window-id"), "punctuations", "punctuations"),
    _only(("streamzip",), "codec", "codec|decoders"),
    _only(("streamzip",), "cached_keys", "cached_keys"),
    _only(("streamzip",), "levels", "m2_lines|m2_kind|memory"),
    _only(("streamzip",), "m2_blocks", "m2_blocks"),
    _only(("streamzip",), "ports", "ports|stripe_lines|port_bits|m3_kind"),
    _only(("streamzip",), "evictions", "entries"),
    # Aggregates.
    _together("count.distinct .. needs sorted", **_NO_GROUPS, aggregates=("distinct",)),
    _together(
        "cannot run this query",
        engine=("group-by", "window-id", "pane", "two-stacks"),
        aggregates=("median",),
    ),
    _together("floating-point", **_NO_KEYS, aggregates=_SUMS, value=_FLOATS),
    # The parts of these boards have no UltraRAM.
    _together(
        "m2_kind must be block or external for board",
        levels=("ultra",),
        board=("ultra96-v2", "de5-net", "ml605"),
    ),
    # Codecs.
    _together(
        "(memory must be mlq|m2_lines must be 1) with codec=",
        codec=_but("codec", "-"),
        levels=_but("levels", "-", "ultra", "external"),
    ),
    _together(
        "m2_kind must be block with codec=",
        codec=_but("codec", "-"),
        levels=("ultra", "external"),
        m2_blocks=("-",),
    ),
    _together(
        "m2_blocks must be 0 with codec=none",
        engine=("streamzip",),
        m2_blocks=("2",),
        codec=("-",),
    ),
    _together("codec must be none for v, floating point", codec=("base-delta",), value=_FLOATS),
    _together(
        "cached_keys must be 0 where",
        engine=("streamzip",),
        cached_keys=("2",),
        value=_FLOATS,
        aggregates=_SUMS,
    ),
    _together(
        "codec must not be xor-chained where",
        codec=("xor-chained",),
        value=_FLOATS,
        aggregates=_SUMS,
    ),
    _together(
        "codec must not be xor-chained with RANGE",
        codec=("xor-chained",),
        window=_starting("key range"),
    ),
    # The face of the design.
    _together(
        "packets must be stream or beats:N",
        engine=("group-by", "streamzip"),
        packets=("window",),
    ),
    _together("packets must be window, not", engine=("swag",), packets=("stream", "beats:4")),
    _together("bus must be axi with network", network=_NETWORK, bus=_but("bus", "-")),
    _together(
        "bus_bits must not be given with network", network=_NETWORK, bus_bits=_but("bus_bits", "-")
    ),
    _together(
        "packets must be window or stream with network", network=_NETWORK, packets=("beats:4",)
    ),
    _together("host_link must be true with network", network=("true",), punctuations=("stream",)),
    _together(
        "bus_bits must not be given",
        bus_bits=_but("bus_bits", "-"),
        punctuations=("stream",),
    ),
    _together("bus must not be avalon", bus=("avalon",), punctuations=("stream",)),
    _together(
        "bus must not be vitis with a memory",
        bus=("vitis",),
        engine=("streamzip",),
        ports=_but("ports", "on chip"),
    ),
    _together(
        "bus must not be vitis with a memory",
        bus=("vitis",),
        ports=("on chip",),
        levels=("external",),
    ),
    # The surroundings of a simulation.
    _together("--memory is for engines with a DRAM", **_NO_KEYS, memory=_but("memory", "-")),
    _together(
        "--memory is for engines with a DRAM",
        ports=("on chip",),
        memory=_but("memory", "-"),
    ),
    _together("is simulated by verilator only", memory=("restless", "ddr3"), simulator=("icarus",)),
    _together("is simulated by verilator only", network=_NETWORK, simulator=("icarus",)),
    _together("results=select is not simulated", network=_NETWORK, results=("select",)),
)


def allowed(row):
    """True unless a rule refuses ``row``, which may lack dimensions."""
    return not any(rule.refuses(row) for rule in FORBIDDEN)


def pairs_of(row):
    """Returns the pairs of values of a row; a pair is two (dimension, value)."""
    return set(combinations(row.items(), 2))


def all_pairs():
    """Yields every pair of values of two dimensions, in the order of the dimensions."""
    for (a, a_values), (b, b_values) in combinations(DIMENSIONS.items(), 2):
        yield from (((a, x), (b, y)) for x in a_values for y in b_values)


def completed(part, choices=None, dimensions=DIMENSIONS, rules=FORBIDDEN):
    """Searches an allowed row with the values of ``part``; returns None if no row is allowed.

    Parameters
    ----------
    part : mapping of str to str
    choices : callable or None
        Function from the name of a dimension to the values, in the order of the search.
    dimensions : mapping
    rules : sequence of Forbidden
    """
    if any(rule.refuses(part) for rule in rules):
        return None
    remaining = [name for name in dimensions if name not in part]
    if not remaining:
        return {name: part[name] for name in dimensions}
    name = min(remaining, key=lambda name: _open(name, part, dimensions, rules))
    for value in dimensions[name] if choices is None else choices(name):
        if (row := completed({**part, name: value}, choices, dimensions, rules)) is not None:
            return row
    return None


def _open(name, part, dimensions, rules):
    """Counts the values of a dimension that no rule refuses beside ``part``."""
    tried = ({**part, name: value} for value in dimensions[name])
    return sum(not any(rule.refuses(row) for rule in rules) for row in tried)

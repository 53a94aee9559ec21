"""Defines the options of the engine for windows of each key, and the queries that it runs."""

from dataclasses import dataclass, replace

from amaranth.utils import ceil_log2

from query.aggregate import Function
from query.query import Query
from query.window import Range, Rows
from rtl.contract.options import check, option
from rtl.engine.parts.columns import value_layout
from rtl.engine.parts.constants import check_constants, constants_option
from rtl.engine.parts.operators import columns_of
from rtl.engine.parts.refusals import window_refusal
from rtl.engine.streamzip.areas import areas_of
from rtl.engine.streamzip.coding import Coding
from rtl.engine.streamzip.coding_checks import check_coding
from rtl.engine.streamzip.expected_ratio import ratio_option
from rtl.engine.streamzip.pivoting import Pivoting, neighbours_option, percentiles_option
from rtl.engine.streamzip.rings import Rings
from rtl.engine.streamzip.row_options import MOST, RowWindowOptions
from rtl.engine.streamzip.time_options import MOST_OVERLAP, TimeWindowOptions
from rtl.keyed.codec.codecs import CODEC_ENTRIES
from rtl.keyed.codec.sz.entry import bound_option, exponent_option
from rtl.keyed.dram.line_memory import LINE_MEMORIES
from rtl.keyed.dram.lines import LINE_BITS, LINE_BYTES
from rtl.keyed.dram.word_map import LINE_WORDS
from rtl.keyed.store.lines.line_store import MEMORIES
from rtl.keyed.store.lines.line_values import VALUES, most_values, usual_values
from rtl.keyed.store.lines.second_level import M2_BLOCKS, M2_KINDS
from rtl.sort.merge_sorter import PASSES

#: Greatest size of M3 on the chip, in bytes: more than the memories of any FPGA.
CHIP_BYTES = 1 << 26

#: Options of a window kind, by the class of the query's window.
KINDS = {Rows: RowWindowOptions, Range: TimeWindowOptions}


def refusal(query):
    """Returns why the engine cannot run ``query``, or None if it can."""
    window = query.window
    if type(window) not in KINDS or window.partition is None:
        return window_refusal(query, "PARTITION BY")
    if columns_of(query, Function.COUNT_DISTINCT):
        return "count(distinct x) needs sorted windows"
    if len(columns := columns_of(query, Function.PERCENTILE)) > 1:
        return f"it asks for percentiles of {len(columns)} columns, and a window has one order"
    if not value_layout(query).size:
        return "it aggregates no column"
    return KINDS[type(window)].too_wide(query)


def _listed(phrases, separator=", ", last_separator=" or "):
    """Returns the phrases as a list in a sentence, such as ``a, b or c``."""
    *others, last = phrases
    return separator.join(others) + last_separator + last


#: Codecs whose decoders take a cycle for each change of a value.
SERIAL_CODECS = tuple(name for name, entry in CODEC_ENTRIES.items() if entry.serial)


def _is_of_time(options):
    """True if the query's windows are of time."""
    return isinstance(options.query.window, Range)


def _sorts(options):
    """True if a sorter finds the query's percentiles."""
    return options.coding.sorts


@dataclass(frozen=True, kw_only=True)
class Options:
    """Options of the engine for windows of each key.

    The query's ROWS, or RANGE and start, and its SLIDE are not built in: the host writes them to
    registers, and may write other numbers before any stream.
    """

    query: Query
    constants: str = constants_option()
    memory: str = option(
        "how tuples get into DRAM: as whole lines from levels on the chip, or each by itself",
        default="mlq",
        choices=MEMORIES,
    )
    m2_lines: int = option(
        "lines of 64 bytes of each key in M2, with mlq: 1 is the line that is being filled; 2 is "
        "this line and the newest full line",
        default=1,
        unit="lines",
        range=(1, 2),
    )
    m2_kind: str = option(
        "kind of M2, with mlq: block RAM; the UltraRAM that some devices have; or external, a "
        "memory with a short latency, such as an SRAM, behind a master m_axi_m2 of 128 bits; with "
        "a codec this is the memory of the copies of m2_blocks",
        default="block",
        choices=M2_KINDS,
    )
    m3_kind: str = option(
        "kind of M3: external, behind memory masters; block RAM; or the UltraRAM that some devices "
        "have",
        default="external",
        choices=LINE_MEMORIES,
    )
    m2_blocks: int = option(
        "newest full blocks of each key of which M2 has copies, with a codec, 0 or a power of two: "
        "a window of these blocks and the growing block reads nothing from DRAM",
        default=0,
        unit="blocks",
        range=(0, M2_BLOCKS[-1]),
        power_of_two=True,
    )
    codec: str = option(
        "compression of the values in DRAM, with mlq: none; "
        + _listed(
            [f"{name}, {entry.summary}" for name, entry in CODEC_ENTRIES.items()], "; ", "; or "
        ),
        default="none",
        choices=("none", *CODEC_ENTRIES),
    )
    decoders: int = option(
        "blocks that are decoded side by side, with codec="
        + _listed(SERIAL_CODECS)
        + "; a block takes a cycle for each value that differs from the value before, and a cycle "
        "for each 16 that do not",
        default=16,
        unit="blocks",
        range=(1, 128),
        needs=(f"codec={_listed(SERIAL_CODECS)}", lambda options: options.codec in SERIAL_CODECS),
    )
    bound: str = bound_option()
    exponent: int | str | None = exponent_option()
    expected_ratio: str = ratio_option()
    cached_keys: int = option(
        "keys whose last window_max values are also stored on the chip, uncompressed: the keys "
        "that closed a window last",
        default=0,
        unit="keys",
        range=(0, 4),
    )
    cache_lanes: int = option(
        "values of a cached window that pass the kernels in a cycle, a power of two, but no more "
        "than window_max",
        default=128,
        unit="values",
        range=(16, 256),
        power_of_two=True,
        needs=("cached_keys of 1 or more", lambda options: options.cached_keys > 0),
    )
    entries: int = option(
        "keys that the table has place for, a power of two",
        default=1 << 14,
        unit="keys",
        range=(8, 1 << 20),  # the table needs at least two for each of the ``ways``
        power_of_two=True,
    )
    ways: int = option(
        "places that the table has for a key, a power of two",
        default=4,
        range=(1, 4),
        power_of_two=True,
    )
    window_max: int | None = option(
        "tuples of the largest window, a power of two; with RANGE those of a key that its windows "
        "may need, but for one line",
        unit="tuples",
        range=(1, MOST),
        power_of_two=True,
        absent=f"as the query needs; with RANGE {TimeWindowOptions.window_max}",
    )
    overlap: int | None = option(
        "RANGE is less than so many SLIDEs, a power of two",
        unit="windows",
        range=(2, MOST_OVERLAP),
        power_of_two=True,
        absent="as the query needs",
        needs=("RANGE", _is_of_time),
    )
    marks: int = option(
        "begins of windows that are stored for a key, with RANGE, a power of two: with more of "
        "them a window reads fewer lines that it does not need",
        default=4,
        unit="marks",
        range=(1, 16),
        power_of_two=True,
        needs=("RANGE", _is_of_time),
    )
    line_values: int | None = option(
        "values of a line of 64 bytes, which pass the kernels in a cycle, a power of two",
        unit="values",
        range=(2, 256),
        power_of_two=True,
        absent=f"as many as fit, at most {VALUES}",
    )
    ports: int = option(
        "ports of M3, a power of two: memory masters, or memories on the chip",
        default=4,
        range=(1, 4),
        power_of_two=True,
    )
    stripe_lines: int = option(
        "lines of a key that lie together behind a port of M3, a power of two: with more of "
        "them windows of few lines are read in fewer, longer bursts; a ring with fewer lines at a "
        "port has fewer",
        default=1,
        unit="lines",
        range=(1, 64),
        power_of_two=True,
    )
    port_bits: int = option(
        "data bits of a port of M3, a power of two",
        default=128,
        unit="bits",
        range=(128, 512),
        power_of_two=True,
    )
    address_bits: int = option(
        "address bits of a memory master, if there is one",
        default=32,
        unit="bits",
        range=(13, 64),
        needs=("a memory outside of the FPGA", lambda options: bool(areas_of(options.resolved))),
    )
    percentiles: str | None = percentiles_option()
    neighbours: int | None = neighbours_option()
    capacity: int = option(
        "values that are sorted as they arrive (k), for percentiles, a power of two",
        default=64,
        unit="values",
        range=(16, 1024),
        power_of_two=True,
        needs=("percentiles=sorter, and a percentile in the query", _sorts),
    )
    passes: str = option(
        "merge trees, for percentiles: one for both passes of the sorter, or one for each",
        default="shared",
        choices=PASSES,
        needs=("percentiles=sorter, and a percentile in the query", _sorts),
    )

    def __post_init__(self):
        check(self)
        check_constants(self.query, self.constants)
        if reason := refusal(self.query):
            raise ValueError(f"query must be one that streamzip can run: {reason}")
        values_max = most_values(self.kind.item_bits)
        if values_max < 2:  # with the default overlap `refusal` has refused the query
            raise ValueError(
                f"overlap must be smaller, not {self.overlap}: a value and the number of its slide "
                f"have {self.kind.item_bits} bits, and a line must hold two with its {LINE_BITS}"
            )
        if self.resolved.line_values > values_max:
            raise ValueError(
                f"line_values must be at most {values_max}, not {self.line_values}: a value "
                f"has {self.kind.item_bits} bits, and a line {LINE_BITS}"
            )
        self.kind.check()
        check_coding(self.coding)
        for name, only in (("m2_lines", 1), ("m2_kind", "block")):
            if self.memory == "dram-only" and (value := getattr(self, name)) != only:
                raise ValueError(f"{name} must be {only} with memory=dram-only, not {value}")
        if self.coding.m2.has_words_outside and self.resolved.line_values < LINE_WORDS:
            raise ValueError(
                f"line_values must be at least {LINE_WORDS} with m2_kind=external, not "
                f"{self.resolved.line_values}: a line goes to it in {LINE_WORDS} words"
            )
        tuples_max = self.kind.tuples
        sorts = self.coding.sorts
        if sorts and self.resolved.line_values > self.capacity:
            raise ValueError(
                f"capacity must be at least {self.resolved.line_values}, the values of a line, not "
                f"{self.capacity}"
            )
        if sorts and tuples_max > self.capacity**2:
            capacity_min = 1 << (ceil_log2(tuples_max) + 1) // 2
            raise ValueError(
                f"capacity must be at least {capacity_min} to sort windows of {tuples_max}, not "
                f"{self.capacity}"
            )
        self._check_room()

    def _check_room(self):
        """Raises ValueError if M3 does not fit on the chip, or ``address_bits`` are too few.

        The addresses must cover all areas together, because masters may share a memory.
        """
        areas = areas_of(self.resolved)
        end = max((area.end for area in areas.values()), default=1)
        if self.m3_kind != "external":
            size = self.entries * Rings(self.resolved).lines * LINE_BYTES
            if size > CHIP_BYTES:
                raise ValueError(
                    f"m3_kind must be external, not {self.m3_kind}: windows of "
                    f"{self.resolved.window_max} tuples of {self.entries} keys take {size} bytes, "
                    f"and {CHIP_BYTES} is the most on a chip"
                )
            # Rings on the chip use ``address_bits``, too, if M2 has a memory master.
            end = max(end, size // self.ports) if areas else 1
        min_bits = (end - 1).bit_length()
        if self.address_bits < min_bits:
            raise ValueError(
                f"address_bits must be at least {min_bits}, not {self.address_bits}: windows of "
                f"{self.resolved.window_max} tuples of {self.entries} keys take {end} bytes"
            )

    @property
    def kind(self):
        """RowWindowOptions or TimeWindowOptions, by the query's window."""
        return KINDS[type(self.query.window)](self)

    @property
    def coding(self):
        """Coding of the values, by the codec."""
        return Coding(self)

    @property
    def pivoting(self):
        """Search for the percentiles by pivots."""
        return Pivoting(self)

    @property
    def resolved(self):
        """Options with the default of the query in place of each None."""
        defaults = {}
        for name in ("window_max", "overlap"):
            if getattr(self, name) is None:
                defaults[name] = getattr(self.kind, name)
        for name in ("percentiles", "neighbours"):
            if getattr(self, name) is None:
                defaults[name] = getattr(self.pivoting, f"default_{name}")
        if self.exponent is None:
            defaults["exponent"] = self.coding.default_options.get("exponent", 0)
        if self.line_values is None:
            defaults["line_values"] = usual_values(self.kind.item_bits)
        return replace(self, **defaults) if defaults else self

"""Describes the parts of the engine that only windows of rows have."""

from dataclasses import dataclass, replace

from amaranth.hdl import unsigned
from amaranth.utils import ceil_log2

from rtl.contract.rows import Role, RowField
from rtl.contract.rules import ROW_RULES
from rtl.contract.shape import Shape
from rtl.engine.parts.columns import value_layout
from rtl.engine.parts.row_windows import longer_slide, row_window_settings
from rtl.engine.streamzip.rates.key_load import KeyLoad, cached_of, check_positive, sorting_of
from rtl.engine.streamzip.rates.key_mix import KeyMix
from rtl.engine.streamzip.rates.line_counts import blocks_of, lines_of, split_blocks
from rtl.engine.streamzip.rings import Rings
from rtl.keyed.dram.lines import LINE_BITS
from rtl.keyed.windows.key_rows import KeyRows
from rtl.keyed.windows.row_kind import RowKind

#: Greatest number of tuples of a window.
MOST = 1 << 20


@dataclass(frozen=True)
class RowWindowOptions:
    """``[PARTITION BY k ROWS ws SLIDE wa]``.

    Each window kind has the same attributes and methods; the other kind is
    :class:`~rtl.engine.streamzip.time_options.TimeWindowOptions`.

    Attributes
    ----------
    options : rtl.engine.streamzip.options.Options
    """

    options: object

    latency_from = "last tuple of a window that is not in DRAM"
    #: Default of the option ``overlap``, which windows of rows do not use.
    overlap = 2
    #: Width of the stamp in a stored item, in bits: there is none.
    stamp_bits = 0
    rule = staticmethod(longer_slide)
    rules = ROW_RULES

    @staticmethod
    def too_wide(query):
        """Returns why no line has room for the stored items of two tuples, or None if one has."""
        if 2 * (width := value_layout(query).size) > LINE_BITS:
            return (
                f"it aggregates {width} bits of a tuple, and a line of memory must hold two with "
                f"its {LINE_BITS}"
            )
        return None

    @property
    def window(self):
        """Window of the query."""
        return self.options.query.window

    @property
    def window_max(self):
        """Default of the option ``window_max``."""
        return 1 << ceil_log2(min(self.window.size, MOST))

    @property
    def item_bits(self):
        """Width of a stored item, in bits."""
        return value_layout(self.options.query).size

    def check(self):
        """Raises ValueError unless the engine has room for the query's windows."""
        size = self.window.size
        window_max = self.options.resolved.window_max
        if size > MOST:
            raise ValueError(f"ROWS must be at most {MOST}, not {size}")
        if size > window_max:
            raise ValueError(f"ROWS must be at most window_max, {window_max}, not {size}")

    @property
    def tuples(self):
        """Number of tuples of the largest window."""
        return self.options.resolved.window_max

    @property
    def settings(self):
        """Host settings of the windows and the codec."""
        return (*row_window_settings(self.window, self.tuples), *self.options.coding.settings)

    @property
    def built_window(self):
        """Window of the query with ROWS 1 and SLIDE 1: the host sets the true numbers."""
        return replace(self.window, size=1, slide=1)

    @property
    def columns(self):
        """Column of each member of an arriving tuple that is a column."""
        return {"key": self.window.partition.name}

    @property
    def window_kind(self):
        """Window kind of the plan."""
        places = Rings(self.options).places
        return RowKind(rows=KeyRows(window_max=self.tuples, places=places))

    @property
    def stored_item(self):
        """Layout of a stored item: the aggregated values of a tuple."""
        return value_layout(self.options.query)

    def fields(self, keys):
        """Returns the fields of a row that name its window, by their names in the row's layout."""
        number = unsigned(keys.window.number_bits)
        return {"window": RowField(name="window", shape=number, role=Role.WINDOW)}

    def load(
        self,
        items,
        shape,
        *,
        size=None,
        slide=None,
        keys=None,
        skew=0.0,
        mix=None,
        full=1.0,
        ratio=1.0,
        steps=None,
        tuples_per_key=None,
    ):
        """Returns the load of windows of ``size`` every ``slide``, by default those of the query.

        Parameters
        ----------
        items : int
            Items of a line.
        shape : Shape or None
            Share of the tuples that count.
        size, slide : int or None
        keys : int or None
            Number of keys; None stands for as many keys as the table has room for.
        skew : float
            Skew of the keys' frequencies, as for
            :class:`~rtl.engine.streamzip.rates.key_mix.KeyMix`.
        mix : KeyMix or SeenMix or None
            Frequencies of the keys, in place of ``keys`` and ``skew``.
        full : float
            Share of the tuples whose key has had ``size`` tuples.
        ratio : float
            Size of the values over their size in blocks, with a codec.
        steps : float or None
            Steps of a block in a serial decoder; None stands for the usual number at this ratio.
        tuples_per_key : float or None
            Number of tuples that a key has had so far, on average; None stands for many.
        """
        check_positive(size=size, slide=slide, ratio=ratio)
        size = self.window.size if size is None else size
        slide = self.window.slide if slide is None else slide
        if size > self.tuples:
            raise ValueError(f"size must be at most {self.tuples}, window_max, not {size}")
        mix = mix or KeyMix(count=self.options.entries if keys is None else keys, skew=skew)
        coding = self.options.coding
        if coding.ring is None:
            values_per_block = None
            work = None
            stored = lines_of(size, slide, items)
            copied = 0.0
            read = lines_of(size, slide, items, self.options.m2_lines - 1)
        else:
            values_per_block = coding.values_per_block(ratio)
            work = coding.work(ratio, steps)
            stored, read = blocks_of(size, slide, values_per_block, mix, coding.blocks - 1)
            read, copied = split_blocks(read, self.options.m2_blocks)
        cached = cached_of(size, slide, coding.cache.keys, mix)
        read = (1 - cached) * read
        copied = (1 - cached) * copied
        return KeyLoad(
            windows=full / slide,
            size=size,
            largest_size=size,
            stored_lines=stored,
            cached_lines=coding.cache.lines_of(size) - 1,
            read=read,
            mix=mix,
            counted_share=(shape or Shape()).counted_share,
            block_values=values_per_block,
            work=work,
            copied=copied,
            cached=cached,
            sorting=sorting_of(coding.cache, size, cached),
            tuples_per_key=tuples_per_key,
            fills_ring=-(-(size - 1) // items) >= Rings(self.options).lines,
        )

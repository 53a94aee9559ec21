"""Windows of rows of each key: what of the engine is theirs alone, described."""

from dataclasses import dataclass, replace

from amaranth.hdl import unsigned
from amaranth.utils import ceil_log2

from rtl.contract.rows import Role, RowField
from rtl.contract.rules import ROW_RULES
from rtl.contract.shape import Shape
from rtl.engine.parts.columns import value_layout
from rtl.engine.parts.row_windows import longer_slide, row_window_settings
from rtl.engine.streamzip.key_mix import KeyMix
from rtl.engine.streamzip.line_counts import blocks_of, lines_of
from rtl.engine.streamzip.rates import KeyLoad, cached_of
from rtl.engine.streamzip.rings import Rings
from rtl.keyed.dram.lines import LINE_BITS
from rtl.keyed.windows.key_rows import KeyRows
from rtl.keyed.windows.row_kind import RowKind

#: Tuples of the largest window.
MOST = 1 << 20


@dataclass(frozen=True)
class OfRows:
    """``[PARTITION BY k ROWS ws SLIDE wa]``.

    What there is for one kind of windows there is for the other,
    :class:`~rtl.engine.streamzip.of_time.OfTime`, by the same name.

    Attributes
    ----------
    options : rtl.engine.streamzip.options.Options
    """

    options: object

    latency_from = "last tuple of a window that is not in DRAM"
    #: Nothing overlaps that would have to be told apart.
    overlap = 2
    #: Nor has a value a stamp in a block.
    stamp_bits = 0
    rule = staticmethod(longer_slide)
    rules = ROW_RULES

    @staticmethod
    def too_wide(query):
        """Why no line holds what is kept of two tuples; None when one does."""
        if 2 * (width := value_layout(query).size) > LINE_BITS:
            return (
                f"it aggregates {width} bits of a tuple, and a line of memory must hold two with "
                f"its {LINE_BITS}"
            )
        return None

    @property
    def window(self):
        """The query's."""
        return self.options.query.window

    @property
    def window_max(self):
        """The option, when it was not given."""
        return 1 << ceil_log2(min(self.window.size, MOST))

    @property
    def item_bits(self):
        """Of what is kept of a tuple."""
        return value_layout(self.options.query).size

    def check(self):
        """Raises ValueError unless the engine has room for the query's windows."""
        size, most = self.window.size, self.options.resolved.window_max
        if size > MOST:
            raise ValueError(f"ROWS must be at most {MOST}, not {size}")
        if size > most:
            raise ValueError(f"ROWS must be at most window_max, {most}, not {size}")

    @property
    def tuples(self):
        """Of the largest window."""
        return self.options.resolved.window_max

    @property
    def settings(self):
        """What the host sets of the windows."""
        return (*row_window_settings(self.window, self.tuples), *self.options.coding.settings)

    @property
    def asked(self):
        """The window without what is set at run time."""
        return replace(self.window, size=1, slide=1)

    @property
    def columns(self):
        """Of each member of an arriving tuple, but its item, the name of the column."""
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
        """What a row says of its window: the fields, by their names in the row's layout."""
        number = unsigned(keys.window.numbers)
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
    ):
        """What to expect of windows of ``size`` every ``slide``; without, those of the query.

        Of so many ``keys``, without of as many as the table has place for, which come as often as
        :class:`~rtl.engine.streamzip.key_mix.KeyMix` says for ``skew``; or of a ``mix`` of keys.
        ``full`` is the share of the tuples whose key has ``size`` of them. With a codec that makes
        values so many times as small as ``ratio`` says. Where it is decoded step by step, a block
        takes so many ``steps``; without, as many as is usual with such a ratio.
        """
        size = self.window.size if size is None else size
        slide = self.window.slide if slide is None else slide
        mix = mix or KeyMix(count=self.options.entries if keys is None else keys, skew=skew)
        coding = self.options.coding
        if coding.ring is None:
            held, steps, lines = None, None, lines_of(size, slide, items)
            read = lines_of(size, slide, items, self.options.m2_lines - 1)
        else:
            held, steps = coding.held(ratio), coding.steps(ratio, steps)
            lines, read = blocks_of(size, slide, held, mix)
            if (cache := coding.ring.cache) is not None:
                cached = cached_of(size, slide, cache.keys, mix)
                lines += cached * (-(-size // cache.lanes) - 1 - lines)
                read *= 1 - cached
        return KeyLoad(
            windows=full / slide,
            size=size,
            most=size,
            lines=lines,
            read=read,
            mix=mix,
            kept=(shape or Shape()).counted_share,
            held=held,
            steps=steps,
        )

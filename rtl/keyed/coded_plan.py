"""The plan of how windows of keys are kept with a codec: in blocks, and their rings."""

from dataclasses import dataclass

from amaranth.lib import data

from rtl.keyed.plan import KeyedPlan, KeyPlan, KeyTimePlan
from rtl.keyed.store.blocks.block_ring import RingPlan
from rtl.keyed.store.lines.line_format import Given


@dataclass(frozen=True, kw_only=True)
class CodedKeyedPlan(KeyedPlan):
    """A plan with a codec: lines are blocks, with as many values as there was room for.

    Attributes
    ----------
    coded : RingPlan
        The rings that blocks lie in. With a ``fold`` windows are given in the state of each block,
        in place of its values.
    """

    coded: RingPlan

    def _check(self, places):
        if places != self.coded.places:
            raise ValueError(
                f"places must be the numbers of values, {self.coded.places}, not {places}"
            )

    @property
    def given(self):
        codec, fold, lines = self.coded.codec, self.coded.fold, self.coded.blocks + 1
        if fold is not None:
            return Given(shape=fold.states, lanes=1, lines=lines, block=fold.block_tuples)
        lanes = self.coded.pieces or codec.lanes
        pieces = codec.lanes // lanes
        return Given(shape=self.item, lanes=lanes, lines=lines * pieces, pieces=pieces)

    @property
    def settings(self):
        """Layout of what the host sets: also the codec's bound, if it has one."""
        return data.StructLayout({**super().settings.members, **self.coded.bounds})

    @property
    def collected(self):
        return {"plan": self}


@dataclass(frozen=True, kw_only=True)
class CodedPlan(CodedKeyedPlan, KeyPlan):
    """Windows of the last tuples of each key, with a codec.

    ``places`` of the rows are the numbers of a key's values.
    """

    @property
    def placed(self):
        """Layout of what is known of a tuple before it is compressed.

        ``number``, that of the value among those of its key; ``fresh``, it is the key's first; and
        the ``settings``.
        """
        number = {"number": self.coded.number_bits, "fresh": 1}
        return data.StructLayout({**number, **self.settings.members})


@dataclass(frozen=True, kw_only=True)
class CodedTimePlan(CodedKeyedPlan, KeyTimePlan):
    """Windows of time of each key, with a codec: each block has values of one slide.

    As many blocks as a ring has, less one, have room for as many values, however few are in each:
    so these are the places of a key, in lines of one.
    """

    def _check_items(self, items):
        super()._check_items(1)
        stamp, own = self.coded.format.stamp_bits, self.times.stamp_bits
        if stamp != own:
            raise ValueError(f"stamps of blocks must have {own} bits, not {stamp}")

    @property
    def placed(self):
        """Layout of what is known of a tuple before it is compressed.

        ``left``: there are so many values of its key before it from the next window's head on.
        ``fresh``, it is the key's first; and the codec's bound.
        """
        return data.StructLayout(
            {"left": range(self.times.places), "fresh": 1, **self.coded.bounds}
        )

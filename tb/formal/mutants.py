"""Components with one mistake in their source, which the solver must refute.

Each mutant is a mistake that somebody could make. The contract alone, without invariants, must
refute it by a run from reset.
"""

import inspect
import sys
import types
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from unittest.mock import patch

from rtl.aggregate.neighbours import Neighbours
from rtl.aggregate.pivot_selection import PivotSelection
from rtl.keyed.codec.base_delta.base_delta import BaseDeltaEncoder
from rtl.keyed.codec.base_delta.decoder import BaseDeltaDecoder
from rtl.keyed.codec.change_decoder import ChangeDecoder
from rtl.keyed.codec.grid import GridEncoder
from rtl.keyed.codec.packer import Packer
from rtl.keyed.codec.sz.scaled import ScaledSzEncoder
from rtl.keyed.codec.sz.scaled_decoder import ScaledSzDecoder
from rtl.keyed.codec.xor import XorEncoder
from rtl.keyed.dram import burst_order
from rtl.keyed.dram.burst_order import BurstOrder
from rtl.keyed.dram.outstanding import Outstanding
from rtl.memory.bank import Bank
from rtl.memory.fed_bank import FedBank
from rtl.network import compactor
from rtl.network.boundaries import GroupBoundaries
from rtl.network.butterfly import ReverseButterfly
from rtl.network.dense import DenseBuffer
from rtl.network.rolling import RollingScan
from rtl.stream.register import StreamRegister
from rtl.stream.skid import SkidBuffer
from tb.formal.blocks import coded_bench, cycles_of
from tb.formal.burst_order import order_bench
from tb.formal.compaction import compactor_bench
from tb.formal.forwarding import bank_bench, fed_bank_bench
from tb.formal.pivots import CYCLES as PIVOT_CYCLES
from tb.formal.pivots import pivot_bench
from tb.formal.queue import register_bench, skid_bench
from tb.formal.rules import boundaries_bench, rules_bench
from tb.formal.scaled_blocks import cycles_of_scaled, scaled_bench
from tb.formal.yosys import search, solve

DEPTH = 14
HALF = Fraction(1, 2)


@dataclass(frozen=True)
class Mutant:
    """A component whose source has ``old`` replaced by ``new``.

    Attributes
    ----------
    mistake : str
    component : type
    old, new : str
        ``old`` occurs exactly once in the component's file.
    bench : callable
        Takes the mutated class, and returns a bench for :func:`~tb.formal.yosys.solve`.
    cycles : int or None
        Length of the searched runs; None searches runs of 1, 2, ... cycles with ``solve``.
    quick : bool
        True if the daily tests refute the mutant.
    """

    mistake: str
    component: type
    old: str
    new: str
    bench: Callable
    cycles: int | None = None
    quick: bool = True

    def build(self):
        """Returns the mutated class."""
        module = sys.modules[self.component.__module__]
        source = inspect.getsource(module)
        if source.count(self.old) != 1:
            raise ValueError(f"old must occur once in {module.__name__}, not {self.old!r}")
        mutated = types.ModuleType(module.__name__)
        exec(compile(source.replace(self.old, self.new), module.__file__, "exec"), vars(mutated))
        return getattr(mutated, self.component.__name__)

    def run(self):
        """Searches for a run that breaks the contract."""
        bench = self.bench(self.build())
        if self.cycles is None:
            return solve(*bench, depth=DEPTH, induction=False)
        return search(*bench, cycles=self.cycles)


def _in_compactor(lanes):
    """Returns a function that builds a compactor's bench with a mutated part."""

    def bench(mutated):
        with patch.object(compactor, mutated.__name__, mutated):
            return compactor_bench(lanes, invariants=False)

    return bench


def _in_order(mutated):
    """Builds the bench of a burst order with a mutated part."""
    with patch.object(burst_order, mutated.__name__, mutated):
        return order_bench(invariants=False)


def _coded(codec, values):
    """Returns the arguments ``bench`` and ``cycles`` of a mutant of a codec."""
    return {
        "bench": lambda mutated: coded_bench(codec, values, mutated),
        "cycles": cycles_of(codec, values),
    }


def _scaled(values):
    """Returns the arguments ``bench`` and ``cycles`` of a mutant of SZ with scales."""
    return {
        "bench": lambda mutated: scaled_bench(values, mutated),
        "cycles": cycles_of_scaled(values),
    }


def _with_pivot(neighbours, fraction=HALF):
    """Returns the arguments ``bench`` and ``cycles`` of a mutant of a pass with a pivot."""
    return {
        "bench": lambda mutated: pivot_bench(neighbours, fraction, mutated),
        "cycles": PIVOT_CYCLES,
    }


MUTANTS = (
    Mutant(
        "a register that takes while it is stalled",
        StreamRegister,
        "~valid | self.o.ready",
        "1",
        lambda cls: rules_bench(cls(2)),
    ),
    Mutant(
        "a register that never gives up valid",
        StreamRegister,
        "valid.eq(self.i.valid)",
        "valid.eq(self.i.valid | valid)",
        lambda cls: register_bench(cls, invariants=False),
    ),
    Mutant(
        "a skid buffer that overwrites",
        SkidBuffer,
        "        with m.If(self.i.ready):\n            m.d.sync += skid",
        "        with m.If(1):\n            m.d.sync += skid",
        lambda cls: skid_bench(cls, invariants=False),
    ),
    Mutant(
        "a skid buffer that is always ready",
        SkidBuffer,
        "self.i.ready.eq(~skid_valid)",
        "self.i.ready.eq(1)",
        lambda cls: skid_bench(cls, invariants=False),
    ),
    Mutant(
        "a dense buffer that forgets full",
        DenseBuffer,
        "out_valid.eq(full | ending)",
        "out_valid.eq(ending)",
        _in_compactor(2),
    ),
    Mutant(
        "a dense buffer that drops its offer under a stall",
        DenseBuffer,
        "step.eq(~out_valid | self.o.ready)",
        "step.eq(1)",
        lambda cls: rules_bench(cls(2, 2)),
    ),
    Mutant(
        "a dense buffer that does not begin at lane 0 again",
        DenseBuffer,
        "with m.If(ending):\n                m.d.sync += filled.eq(arrives)",
        "with m.If(ending):\n                m.d.sync += filled.eq(arrives | filled)",
        _in_compactor(2),
    ),
    Mutant(
        "boundaries that offer a beat before the next one shows where its last group ends",
        GroupBoundaries,
        "self.o.valid.eq(full & (stored.last | self.i.valid))",
        "self.o.valid.eq(full)",
        boundaries_bench,
    ),
    Mutant(
        "boundaries that take a beat while they are stalled",
        GroupBoundaries,
        "self.i.ready.eq(~full | (self.o.ready & (stored.last | self.i.valid)))",
        "self.i.ready.eq(1)",
        boundaries_bench,
    ),
    Mutant(
        "a butterfly with swapped ways",
        ReverseButterfly,
        "Mux(bit, b, a)",
        "Mux(bit, a, b)",
        _in_compactor(2),
    ),
    Mutant(
        "a butterfly of radix 4 whose second select looks at the first bit",
        ReverseButterfly,
        "if k >> b & 1).any()",
        "if k & 1).any()",
        _in_compactor(4),
    ),
    Mutant(
        "a scan that carries the counts of one stream into the next",
        RollingScan,
        "continues.eq(~beat.last)",
        "continues.eq(1)",
        _in_compactor(4),
    ),
    Mutant(
        "a dense buffer that gives what is left the next stream's context",
        DenseBuffer,
        "out.eq(arrived)",
        "out.eq(self.i.p.context)",
        _in_compactor(2),
    ),
    Mutant(
        "a bank whose lookups do not see the one just before",
        Bank,
        "Mux(one_ahead, latest, older_entry)",
        "older_entry",
        lambda cls: bank_bench(cls, invariants=False),
    ),
    Mutant(
        "a bank whose lookups do not see the last but one",
        Bank,
        "equal(index, updated_index, updated)",
        "0",
        lambda cls: bank_bench(cls, invariants=False),
    ),
    Mutant(
        "a bank that forwards what is not written",
        Bank,
        "updated.eq(updates)",
        "updated.eq(self.o.valid)",
        lambda cls: bank_bench(cls, invariants=False),
    ),
    Mutant(
        "a bank that takes an update while it is stalled",
        Bank,
        "updates & self.o.ready",
        "updates",
        lambda cls: bank_bench(cls, invariants=False),
    ),
    Mutant(
        "a bank whose note is of what was in the memory, though there is a later entry",
        Bank,
        "Mux(two_ahead, notes[1], notes[2])",
        "notes[2]",
        lambda cls: bank_bench(cls, invariants=False),
    ),
    Mutant(
        "a bank that misses what is fed back while a lookup waits",
        FedBank,
        "with m.Elif(hits):",
        "with m.Elif(0):",
        lambda cls: fed_bank_bench(cls, invariants=False),
    ),
    Mutant(
        "a bank that keeps the first that is fed back",
        FedBank,
        "with m.If(self.i.ready | hits):",
        "with m.If(self.i.ready | (hits & ~has_feedback)):",
        lambda cls: fed_bank_bench(cls, invariants=False),
    ),
    Mutant(
        "a read that passes a write of its line",
        BurstOrder,
        "writes.meets | reads.full",
        "reads.full",
        lambda cls: order_bench(cls, invariants=False),
    ),
    Mutant(
        "a write that passes a read of its line",
        BurstOrder,
        "writes.full | reads.meets",
        "writes.full",
        lambda cls: order_bench(cls, invariants=False),
    ),
    Mutant(
        "spans that meet at their first lines only",
        Outstanding,
        "_before(self.i.last, listed.first)",
        "_before(self.i.first, listed.first)",
        _in_order,
    ),
    Mutant(
        "a list that loses what enters while another leaves",
        Outstanding,
        "(used | (enters & self.enter.replicate(self._entries)))",
        "(used | (enters & (self.enter & ~self.leave).replicate(self._entries)))",
        _in_order,
    ),
    Mutant(
        "a delta that is the demarcation",
        BaseDeltaEncoder,
        "small & (delta[:bits] != self._codec.demarcation)",
        "small",
        **_coded("base-delta", 3),
    ),
    Mutant(
        "a base that does not count the demarcations of all groups before",
        BaseDeltaDecoder,
        "groups_before + i.in_group[slot - 1]",
        "i.in_group[slot - 1]",
        **_coded("base-delta", 6),
        quick=False,
    ),
    Mutant(
        "a raw block that begins as a coded one",
        Packer,
        "raw_is_no_worse & ~item.fresh & ~marked",
        "raw_is_no_worse & ~item.fresh",
        **_coded("base-delta", 4),
        quick=False,
    ),
    Mutant(
        "a window that is reused for more bits than it has, at its lower end",
        XorEncoder,
        "(counted.leading >= window.leading) & (counted.trailing >= window.trailing)",
        "(counted.leading >= window.leading)",
        **_coded("xor", 3),
        quick=False,
    ),
    Mutant(
        "what is held from another block",
        ChangeDecoder,
        "codec.first_state(seed[:state_bits]).items()",
        "{}.items()",
        **_coded("xor", 4),
        quick=False,
    ),
    Mutant(
        "a number on a grid that is coarser than the difference",
        GridEncoder,
        "(counted.zeros >= grid) & (counted.sign",
        "(counted.sign",
        **_coded("grid", 3),
        quick=False,
    ),
    Mutant(
        "an outlier that changes the scale keeps the second last working value",
        ScaledSzEncoder,
        "states.next.b.eq(Mux(leaves_scale, natural.nearest, last.a))",
        "states.next.b.eq(last.a)",
        **_scaled(3),
        quick=False,
    ),
    Mutant(
        "an escape that changes the state",
        ScaledSzEncoder,
        "states.next.eq(last),",
        "",
        **_scaled(3),
        quick=False,
    ),
    Mutant(
        "a decoder that keeps the last working value of another scale",
        ScaledSzDecoder,
        "last_values.b.eq(Mux(changed, guess, previous.a))",
        "last_values.b.eq(previous.a)",
        **_scaled(3),
        quick=False,
    ),
    Mutant(
        "a merger of lists that compares their greatest entries with each other",
        Neighbours,
        "zip(left, reversed(right), strict=True)",
        "zip(left, right, strict=True)",
        **_with_pivot(2),
        quick=False,
    ),
    Mutant(
        "values equal to the pivot that count as below",
        Neighbours,
        "is_less, is_greater = key < pivot, key > pivot",
        "is_less, is_greater = key <= pivot, key > pivot",
        **_with_pivot(1),
    ),
    Mutant(
        "an answer one further from the pivot",
        PivotSelection,
        "rank - upto - 1, less - rank",
        "rank - upto - 1, less - rank + 1",
        **_with_pivot(2),
        quick=False,
    ),
    Mutant(
        "a pass below the answer that moves the other bound",
        PivotSelection,
        '"low": Mux(is_above, ~high, low)',
        '"low": Mux(is_above, ~low, low)',
        **_with_pivot(1),
        quick=False,
    ),
    Mutant(
        "a next pivot beyond the least number",
        PivotSelection,
        "(exponent >= self._width) | (last < step)",
        "exponent >= self._width",
        **_with_pivot(1),
        quick=False,
    ),
)

"""Lists all proofs."""

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from functools import partial

from rtl.network.butterfly import ReverseButterfly
from rtl.network.compactor import RoundRobinCompactor
from rtl.network.dense import DenseBuffer
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

DEPTH = 4


@dataclass(frozen=True)
class Proof:
    """A claim, and a function that builds the bench which asserts the claim.

    The daily tests run the ``quick`` proofs. With ``cycles`` the proof covers only runs of that
    length from reset, without induction.
    """

    claim: str
    bench: Callable
    quick: bool = True
    cycles: int | None = None

    def run(self):
        if self.cycles is None:
            return solve(*self.bench(), depth=DEPTH)
        return search(*self.bench(), cycles=self.cycles)


def _coded(codec, *sizes):
    """Yields the proofs of a codec for pairs of (number of values, quick)."""
    for values, quick in sizes:
        bench = partial(coded_bench, codec, values)
        claim = f"{codec}, {values} values of 4 bits: what comes out of blocks is what went in"
        yield Proof(claim, bench, quick, cycles_of(codec, values))


def _pivots(*points):
    """Yields the proofs of passes with a pivot for tuples of (K, p, quick)."""
    for neighbours, fraction, quick in points:
        bench = partial(pivot_bench, neighbours, fraction)
        claim = f"pivot, K={neighbours}, p={fraction}: {PASS_RESULT}"
        yield Proof(claim, bench, quick, PIVOT_CYCLES)


RULES = "valid and payload stay until ready"
PASS_RESULT = "a pass finds the answer, or it stays between the bounds"
ORDER = "all payloads, once and in order"
ANSWERED = "nothing passes before the bursts it depends on are answered"
DENSE = "every valid tuple once and in order, in dense beats, no stall"

PROOFS = (
    Proof(f"stream register: {RULES}", lambda: rules_bench(StreamRegister(8))),
    Proof(f"stream register: {ORDER}", register_bench),
    Proof(f"skid buffer: {RULES}", lambda: rules_bench(SkidBuffer(8))),
    Proof(f"skid buffer: {ORDER}", skid_bench),
    Proof(f"burst order, two of a kind: {ANSWERED}", order_bench),
    Proof(f"dense buffer, P=2: {RULES}", lambda: rules_bench(DenseBuffer(3, 2))),
    Proof(f"dense buffer, P=4: {RULES}", lambda: rules_bench(DenseBuffer(3, 4))),
    Proof(f"reverse butterfly, P=4: {RULES}", lambda: rules_bench(ReverseButterfly(3, 4))),
    Proof(f"group boundaries, P=2: {RULES}", boundaries_bench),
    Proof(f"compactor, P=2: {RULES}", lambda: rules_bench(RoundRobinCompactor(3, 2))),
    Proof(f"compactor, P=4: {RULES}", lambda: rules_bench(RoundRobinCompactor(2, 4))),
    Proof(f"compactor, P=2: {DENSE}", lambda: compactor_bench(2)),
    Proof(f"compactor, P=4: {DENSE}", lambda: compactor_bench(4)),
    Proof(f"bank: {RULES}, and a lookup finds what all before it have left", bank_bench),
    Proof(f"fed bank: {RULES}, and a lookup finds all that was fed back before", fed_bank_bench),
    *_coded("base-delta", (6, True), (8, False)),
    *_coded("xor", (5, True), (6, False)),
    *_coded("grid", (6, False)),
    *(
        Proof(
            f"SZ with scales, {values} values: allowed working values come out of blocks",
            partial(scaled_bench, values),
            quick,
            cycles_of_scaled(values),
        )
        for values, quick in ((3, True), (5, False))
    ),
    *_pivots((1, Fraction(1, 2), True), (2, Fraction(1, 2), False), (2, Fraction(9, 10), False)),
    Proof(
        f"compactor, P=4, brent-kung, radix 2: {DENSE}",
        lambda: compactor_bench(4, scan="brent-kung", radix=2),
        quick=False,
    ),
    Proof(
        f"compactor, P=4, kogge-stone: {DENSE}",
        lambda: compactor_bench(4, scan="kogge-stone"),
        quick=False,
    ),
)

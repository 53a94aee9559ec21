"""Proves that a pass with a pivot finds the percentile of a window, or keeps it in the interval.

The window has up to six values of 3 bits, in lines of any shape: every lane is in the window or
not. Pivot and interval are arbitrary, but the answer lies in the interval. The answer is defined
by counting: fewer values than its rank are below it, and at least as many are below or equal.

If the pass does not find the answer, the claims on the next search are: the answer lies between its
bounds, and so does its pivot; the old pivot lies outside, so the search ends; and no bound has
moved outwards, unless the old pivot was outside of the old bounds.
"""

from amaranth.hdl import Assert, Assume, ClockDomain, Const, Module, Signal
from amaranth.lib import data

from rtl.aggregate.neighbours import Neighbours
from rtl.aggregate.pivot_selection import PivotSelection, search_layout
from rtl.network.reduction import Reduction
from tb.formal.component_parts import ComponentParts

WIDTH, LANES, LINES = 3, 2, 3
VALUES = LANES * LINES
#: Cycles from the reset to the result, the cycle of the result included: one for each line, and the
#: latencies of both components. The bench asserts that the last cycle has the result.
CYCLES = LINES + Reduction.latency_of(LANES) + PivotSelection.latency


def pivot_bench(neighbours, fraction, mutated=None):
    """Builds a bench that runs a pass over one window, and asserts the claims about its result.

    Parameters
    ----------
    neighbours : int
        K, the number of values that a pass keeps on either side of the pivot.
    fraction : Fraction
        p, with 0 < p <= 1.
    mutated : type or None
        Replaces the component or the operator with the same class name.

    Returns
    -------
    Module, tuple of Value
        The bench and its free ports.
    """
    m = Module()
    m.domains.sync = sync = ClockDomain(reset_less=True)  # starts in the reset state
    classes = {cls.__name__: cls for cls in (Neighbours, PivotSelection, mutated) if cls}
    operator = classes["Neighbours"]("x", WIDTH, tuples=VALUES, neighbours=neighbours)
    row = data.StructLayout({"x": WIDTH, "pivot": WIDTH})
    reduction = Reduction(operator, row, LANES, tuples=VALUES)
    dut = classes["PivotSelection"](operator, fraction)
    m.submodules.reduction = ComponentParts(reduction).fragment
    m.submodules.dut = ComponentParts(dut).fragment
    values = [Signal(WIDTH, name=f"value{k}") for k in range(VALUES)]
    valid = Signal(VALUES, name="in_window")
    search, answer = Signal(search_layout(WIDTH), name="search"), Signal(WIDTH, name="answer")
    free_ports = (*values, valid, search.as_value(), answer)
    line, i, started = Signal(range(LINES + 1)), reduction.i, Signal()
    m.d.sync += started.eq(1)
    for k, port in enumerate(free_ports):  # the same in all cycles
        previous = Signal(len(port), name=f"before{k}")
        m.d.sync += previous.eq(port)
        m.d.comb += Assume(~started | (previous == port))
    m.d.comb += [
        i.valid.eq(line < LINES),
        i.p.last.eq(line == LINES - 1),
        reduction.o.ready.eq(dut.i.ready),
        dut.i.valid.eq(reduction.o.valid),
        dut.i.p.state.eq(reduction.o.p.state),
        dut.i.p.search.eq(search),
        dut.o.ready.eq(1),
    ]
    for k in range(LINES):
        with m.If(line == k):
            for lane in range(LANES):
                m.d.comb += [
                    i.p.valid[lane].eq(valid[k * LANES + lane]),
                    i.p.tuples[lane].x.eq(values[k * LANES + lane]),
                    i.p.tuples[lane].pivot.eq(search.pivot),
                ]
    with m.If(i.valid & i.ready):
        m.d.sync += line.eq(line + 1)
    m.d.comb += [Assume(valid.any()), Assume((search.low <= answer) & (answer <= search.high))]
    _define(m, answer, values, valid, fraction)
    is_found, result = dut.o.p.found, dut.o.p.search
    is_right = result.pivot == answer
    narrower = (search.low <= result.low) & (result.high <= search.high)
    without_pivot = (result.low > search.pivot) | (result.high < search.pivot)
    contains_answer = (result.low <= answer) & (answer <= result.high)
    pivot_in_bounds = (result.low <= result.pivot) & (result.pivot <= result.high)
    # A pivot outside of the bounds, which the bench allows, too, may move a bound outwards: from a
    # pivot below ``low`` the K-th value above the pivot may still be below ``low``.
    no_wider = narrower | (search.pivot < search.low) | (search.pivot > search.high)
    cycle = Signal(range(CYCLES))
    m.d.sync += cycle.eq(cycle + 1)
    m.d.comb += [
        Assert((cycle != CYCLES - 1) | dut.o.valid),
        Assert(~dut.o.valid | ~is_found | is_right),
        Assert(
            ~dut.o.valid | is_found | (contains_answer & pivot_in_bounds & without_pivot & no_wider)
        ),
    ]
    return m, (sync.clk, *free_ports)


def _define(m, answer, values, valid, fraction):
    """Assumes that ``answer`` has the rank ceil(fraction * n) of the n values in the window."""
    count = sum(valid[k] for k in range(VALUES))
    below_count = sum(valid[k] & (value < answer) for k, value in enumerate(values))
    upto_count = sum(valid[k] & (value <= answer) for k, value in enumerate(values))
    rank = Const(0, 4)
    for n in range(1, VALUES + 1):
        rank = rank | Const(-(-fraction.numerator * n // fraction.denominator), 4) & (
            count == n
        ).replicate(4)
    m.d.comb += Assume((below_count < rank) & (rank <= upto_count))

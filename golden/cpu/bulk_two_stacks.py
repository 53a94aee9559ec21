"""Two stacks of whole slides, inserted in bulk (seed 004, section 3.2).

All tuples of a slide leave together, so their state is all that the stacks need: a slide is read
once, by a scan in vectors, and its state is pushed on the front stack, as a tuple would be. The
rings then hold a state for each slide of the window, not for each tuple, and neither flips nor
evictions touch a tuple.

When the slide does not divide the size, there are two states for each slide: that of its tuples
up to where an older window ends, and that of the others (`golden.cpu.windows`).

Of min and of integers the order of combining does not matter, so the compiler makes vectors of the
plain scan. Sums of floats go to eight partial sums (`golden.cpu.scan`).
"""

from dataclasses import replace
from functools import cache

import numpy as np
from numba import njit

from golden.cpu import two_stacks
from golden.cpu.operators import Operator, same
from golden.cpu.ring import ring, slot
from golden.cpu.scan import in_lanes, in_order
from golden.cpu.windows import Windows, edge

_SHORT = 8  # pieces of less than this are walked: a vector would cost more to set up


def results(op: Operator, values: np.ndarray, windows: Windows, out: np.ndarray):
    """Fills ``out`` with the result of each window.

    Sums of floats: each slide (or piece of one) is added in eight partial sums, and these sums are
    added as `golden.cpu.two_stacks` adds values. A slide of one tuple has nothing to insert in
    bulk, so those stacks take it.
    """
    if windows.slide == 1 and not windows.timed:
        two_stacks.results(op, values, windows, out)
        return
    width, fragments = windows.width, windows.fragments
    front, back = (ring(min(width, fragments), op.state) for _ in range(2))
    shape = (windows.slide, windows.rest, windows.step, width, fragments)
    _kernel(op)(values, *shape, windows.edges, front, back, out)


@cache
def _kernel(op):
    lift, combine, lower, identity = op.lift, op.combine, op.lower, op.identity
    scan = in_lanes(op) if op.lanes else in_order(op)
    turn = two_stacks.flip(replace(op, lift=same))

    @njit
    def kernel(values, slide, rest, step, width, fragments, edges, front, back, out):
        mask = front.size - 1
        odd = step - 1
        head = split = tail = 0
        state = identity
        for j in range(out.size):
            while head < j * step:
                if head == split:
                    turn(front, back, head, tail)
                    split, state = tail, identity
                head += 1
            first = edge(head, slide, rest, odd, edges)
            begin = edge(tail, slide, rest, odd, edges)
            while tail < min(head + width, fragments):
                end = edge(tail + 1, slide, rest, odd, edges)
                if end - begin < _SHORT:
                    piece = identity
                    for i in range(begin, end):
                        piece = combine(piece, lift(values[np.uint64(i)]))
                else:
                    piece = scan(values, begin, end)
                front[slot(tail, mask)] = piece
                state = combine(state, piece)
                begin = end
                tail += 1
            older = back[slot(head, mask)] if head < split else identity
            out[j] = lower(combine(older, state), begin - first)

    return kernel

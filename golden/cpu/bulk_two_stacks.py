"""Keeps two stacks whose elements are slides instead of tuples (seed 004, section 3.2).

All tuples of a slide leave the window together, so the stacks need only the state of a slide. A
vectorised scan reads each slide once, and pushes the slide's state on the front stack, where the
plain algorithm pushes a tuple. So the rings hold one state for each slide of the window, and
neither flips nor evictions touch a tuple.

If the slide does not divide the size, an older window ends within each slide. Then each slide has
two states: one of its tuples before this end, and one of its later tuples (`golden.cpu.windows`).

The order of combining does not matter for min, max and integers, so the compiler vectorises the
plain scan. Floats are added in eight partial sums (`golden.cpu.scan`).
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

_SHORT = 8  # tuples: shorter pieces are combined one by one, as vectors cost time to set up


def results(op: Operator, values: np.ndarray, windows: Windows, out: np.ndarray) -> None:
    """Writes the result of each window to ``out``.

    Floats: each slide, or piece of a slide, is added in eight partial sums, and these sums are
    added in the order of `golden.cpu.two_stacks`. A slide of one tuple has nothing to insert in
    bulk, so `golden.cpu.two_stacks` computes its windows.
    """
    if windows.slide == 1 and not windows.timed:
        two_stacks.results(op, values, windows, out)
        return
    width, fragments = windows.width, windows.fragments
    front, back = (ring(min(width, fragments), op.state) for _ in range(2))
    shape = (windows.slide, windows.remainder, windows.step, width, fragments)
    _kernel(op)(values, *shape, windows.edges, front, back, out)


@cache
def _kernel(op):
    lift, combine, lower, identity = op.lift, op.combine, op.lower, op.identity
    scan = in_lanes(op) if op.lanes else in_order(op)
    turn = two_stacks.flip(replace(op, lift=same))

    @njit
    def kernel(values, slide, remainder, step, width, fragments, edges, front, back, out):
        mask = front.size - 1
        is_split = step - 1
        head = split = tail = 0
        state = identity
        for j in range(out.size):
            while head < j * step:
                if head == split:
                    turn(front, back, head, tail)
                    split, state = tail, identity
                head += 1
            first = edge(head, slide, remainder, is_split, edges)
            begin = edge(tail, slide, remainder, is_split, edges)
            while tail < min(head + width, fragments):
                end = edge(tail + 1, slide, remainder, is_split, edges)
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

"""Two stacks, tuple by tuple (seed 004, section 2.2 and figure 5).

Values are pushed on the front stack and popped from the back stack, the seed's names. ::

      popped here                                             pushed here
      head            split                                       tail
       |  back stack   |              front stack                  |
       v               v                                           v
    ---[ s  s  s  s  s | v  v  v  v  v  v  v  v  v  v  v  v  v  v  ]---
         |                                 \\__ one state: `front` __/
         state of this slot and all slots up to split

When the back stack is empty, the flip walks the front stack backwards and leaves the state of every
slot and those after it: then the whole window is the back stack, and nothing was moved. A window is
the back stack's top state combined with ``front``: three combines for a tuple in all, whatever the
size, but the flip comes in one piece.

Of the front stack only the values and the state of all are kept, of the back stack only the states
("data minimalism"), in two rings of their own ("decomposed").
"""

from functools import cache

import numpy as np
from numba import njit

from golden.cpu.operators import Operator
from golden.cpu.ring import ring, slot
from golden.cpu.windows import Windows, span


def results(op: Operator, values: np.ndarray, windows: Windows, out: np.ndarray):
    """Fills ``out`` with the result of each window.

    Sums of floats: each value of the back stack is added to the sum of the younger ones there,
    the front stack is added in order of arrival, and then the two sums.
    """
    front, back = ring(windows.capacity, values.dtype), ring(windows.capacity, op.state)
    _kernel(op)(values, windows.size, windows.slide, windows.begins, windows.ends, front, back, out)


def flip(op: Operator):
    """``flip(front, back, head, tail)``: leaves in ``back`` the state of each slot to the tail."""
    lift, combine, identity = op.lift, op.combine, op.identity

    @njit
    def kernel(front, back, head, tail):
        mask = front.size - 1
        state = identity
        for i in range(tail - 1, head - 1, -1):
            state = combine(lift(front[slot(i, mask)]), state)
            back[slot(i, mask)] = state

    return kernel


@cache
def _kernel(op):
    lift, combine, lower, identity = op.lift, op.combine, op.lower, op.identity
    turn = flip(op)

    @njit
    def kernel(values, size, slide, begins, ends, front, back, out):
        mask = front.size - 1
        head = split = tail = span(0, size, slide, begins, ends)[0]
        state = identity
        for j in range(out.size):
            begin, end = span(j, size, slide, begins, ends)
            while head < begin:
                if head == split:
                    turn(front, back, head, tail)
                    split, state = tail, identity
                head += 1
            while tail < end:
                x = values[np.uint64(tail)]
                front[slot(tail, mask)] = x
                state = combine(state, lift(x))
                tail += 1
            older = back[slot(head, mask)] if head < split else identity
            out[j] = lower(combine(older, state), end - begin)

    return kernel

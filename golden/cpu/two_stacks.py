"""Keeps the window as two stacks, tuple by tuple (seed 004, section 2.2 and figure 5).

New values are pushed on the front stack, and old values are popped from the back stack (the seed's
names). ::

      pop                                                     push
      head            split                                       tail
       |  back stack   |              front stack                  |
       v               v                                           v
    ---[ s  s  s  s  s | v  v  v  v  v  v  v  v  v  v  v  v  v  v  ]---
         |                                 \\__ one state: `state` __/
         state of this slot and all slots up to split

When a value must be popped and the back stack is empty, the *flip* walks the front stack backwards,
and stores for every slot the state of this slot and all later slots. Then the whole window is the
back stack, and no value has moved. The result of a window is the back stack's top state combined
with ``state``. For instance sums of 3 values over 1 2 3 4 5: the pushes of 1, 2 and 3 make the
state 6. Before 1 is popped, the flip stores 6 5 3 in the back stack. The next results are 5 + 4 = 9
and 3 + (4 + 5) = 12.

With a slide of one tuple, a tuple costs three combines on average, for windows of any size: one for
the push, one in a flip, and one for the result. But the tuple that causes a flip waits for all
combines of the flip, as many as the window has values.

The front stack stores its values and one state of all of them; the back stack stores only states
("data minimalism"). Each stack has its own ring ("decomposed").
"""

from collections.abc import Callable
from functools import cache

import numpy as np
from numba import njit

from golden.cpu.operators import Operator
from golden.cpu.ring import ring, slot
from golden.cpu.windows import Windows, span


def results(op: Operator, values: np.ndarray, windows: Windows, out: np.ndarray) -> None:
    """Writes the result of each window to ``out``; there must be at least one window.

    Floats: each value of the back stack is added to the sum of the younger values of this stack,
    the front stack is added in order of arrival, and then the two sums are added.
    """
    front = ring(windows.capacity, values.dtype)
    back = ring(windows.capacity, op.state)
    _kernel(op)(values, windows.size, windows.slide, windows.begins, windows.ends, front, back, out)


def flip(op: Operator) -> Callable[[np.ndarray, np.ndarray, int, int], None]:
    """Returns a function of (front, back, head, tail) that fills the back stack.

    The function sets slot i of ``back`` to the state of the values i to tail - 1 of ``front``.
    """
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
    fill_back = flip(op)

    @njit
    def kernel(values, size, slide, begins, ends, front, back, out):
        mask = front.size - 1
        head = split = tail = span(0, size, slide, begins, ends)[0]
        state = identity
        for j in range(out.size):
            begin, end = span(j, size, slide, begins, ends)
            while head < begin:
                if head == split:
                    fill_back(front, back, head, tail)
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

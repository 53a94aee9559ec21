"""Tracks which cycles of a shared bus are taken; requests may come out of order in time."""

from bisect import bisect_right

#: Number of stretches of taken cycles that are remembered; older ones end before any later request.
REMEMBERED = 96


class BusTime:
    """Gives each request the first free cycles from its own cycle on, in pieces if needed.

    For instance with cycles 10 to 20 taken, a request for 8 cycles from cycle 5 on gets 5 to 10 and
    20 to 23. Cycles are floating-point numbers, as a line takes 1.04 of them.
    """

    def __init__(self):
        self._begins, self._ends = [], []

    def take(self, cycle, count):
        """Takes ``count`` cycles from ``cycle`` on; returns the end of the last one."""
        begins, ends = self._begins, self._ends
        k, end = bisect_right(ends, cycle), cycle
        while count > 1e-9:
            if k < len(begins) and begins[k] <= cycle:
                cycle, k = ends[k], k + 1
                continue
            room = begins[k] - cycle if k < len(begins) else count
            end = cycle + min(room, count)
            count -= end - cycle
            if k and ends[k - 1] >= cycle - 1e-6:
                ends[k - 1] = end
            else:
                begins.insert(k, cycle)
                ends.insert(k, end)
                k += 1
            cycle = end
        if len(begins) > REMEMBERED:
            del begins[0], ends[0]
        return end

    def free(self, cycle):
        """Returns the first cycle from ``cycle`` on that is not taken."""
        k = bisect_right(self._ends, cycle)
        while k < len(self._begins) and self._begins[k] <= cycle:
            cycle, k = self._ends[k], k + 1
        return cycle

    def share(self, cycle, span):
        """Returns the share of the ``span`` cycles before ``cycle`` that is taken, from 0 to 1."""
        taken, k, begin = 0.0, len(self._ends) - 1, cycle - span
        while k >= 0 and self._ends[k] > begin:
            taken += max(0.0, min(self._ends[k], cycle) - max(self._begins[k], begin))
            k -= 1
        return taken / span

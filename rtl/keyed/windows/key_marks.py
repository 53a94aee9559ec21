"""Marks of a key: where the tuples begin that its windows may still need."""

from amaranth.hdl import Cat, Module, Mux, Signal

from rtl.keyed.windows.key_times import KeyTimes


class KeyMarks:
    """The marks in a key's state, as :class:`~rtl.keyed.windows.key_times.KeyTimes` says.

    Valid marks are the lowest, and ascend, in place and number. So those that a window has reached
    are the lowest too, and what becomes of them all is a shift. For instance marks at the places 3,
    6 and 9, of the numbers 2, 4 and 5, and a tuple at place 11 that raises ``newest`` from 6 to 7
    and closes windows up to 3, with ``next`` then 4::

        before     3: 2   6: 4   9: 5   -        head 0
        reached    yes    yes    no     no       by 4
        after      9: 5   11: 7  -      -        head 6

    Marks are fewer than their places, for all that are not reached are of the ``overlap`` numbers
    behind ``next``, and ``spacing`` apart.

    Attributes
    ----------
    times : KeyTimes
    state : View
        Of ``times.state``.

    Source: ours.
    """

    def __init__(self, times: KeyTimes, state):
        self._times, self._state = times, state

    def _below(self, number, other):
        """Whether one number modulo 2^stamp is less than another, from which it is not far."""
        return (number - other)[: self._times.stamp_bits][-1]

    def raises(self, arriving):
        """Whether a tuple that does not empty all windows is in a slide above the newest."""
        return self._below(self._state.newest, arriving.slide)

    def reached(self, m: Module, number, name):
        """For each mark, whether windows up to ``number`` have reached it: a signal."""
        marks = [self._state.marks[k] for k in range(self._times.marks)]
        found = Signal(len(marks), name=name)
        m.d.comb += found.eq(Cat(k.valid & ~self._below(number, k.number) for k in marks))
        return found

    def head(self, reached):
        """The place of the last mark that is reached, or else the head of the state."""
        place = self._state.head
        for k, passed in enumerate(reached):
            place = Mux(passed, self._state.marks[k].place, place)
        return place

    def in_line(self, reached, line):
        """Whether that place lies in a line of the ring."""
        within = self._times.items.bit_length() - 1
        found = self._state.head[within:] == line
        for k, passed in enumerate(reached):
            found = Mux(passed, self._state.marks[k].place[within:] == line, found)
        return found

    def following(self, m: Module, reached, arriving, empties):
        """The marks behind a tuple that is let in: a view of a signal.

        ``arriving`` has its ``slide`` and the ``spacing``; ``empties``, no tuple before it is
        needed any more.
        """
        times, state = self._times, self._state
        valid = Cat(state.marks[k].valid for k in range(times.marks))
        youngest = state.marks[0].number
        for k in range(1, times.marks):
            youngest = Mux(valid[k], state.marks[k].number, youngest)
        number, apart, marks = Signal(times.stamp_bits), Signal(), Signal()
        m.d.comb += [
            number.eq(state.newest + 1),
            apart.eq(~self._below(number - youngest, arriving.spacing)),
            marks.eq(self.raises(arriving) & (apart | ((valid & ~reached) == 0))),
        ]
        shifted = Signal(state.marks.shape(), name="shifted")
        after = Signal(state.marks.shape(), name="after")
        with m.If(~empties):
            for k in range(times.marks):
                self._shift(m, shifted[k], reached, k)
                m.d.comb += after[k].eq(shifted[k])
                before = shifted[k - 1].valid if k else 1
                with m.If(marks & before & ~shifted[k].valid):
                    m.d.comb += [
                        after[k].place.eq(state.place),
                        after[k].number.eq(number),
                        after[k].valid.eq(1),
                    ]
        return after

    def _shift(self, m, target, reached, k):
        """Mark ``k`` when those that are reached have gone."""
        marks = self._state.marks
        m.d.comb += target.eq(marks[k])
        for gone in range(1, self._times.marks + 1):
            with m.If(reached[gone - 1]):
                m.d.comb += target.eq(marks[k + gone] if k + gone < self._times.marks else 0)

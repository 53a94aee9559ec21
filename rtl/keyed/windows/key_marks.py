"""Computes with the marks of a key: places where the tuples of open windows begin."""

from amaranth.hdl import Cat, Module, Mux, Signal

from rtl.keyed.windows.key_times import KeyTimes


class KeyMarks:
    """Reads and updates the marks in a key's state.

    :class:`~rtl.keyed.windows.key_times.KeyTimes` defines marks. Valid marks are the lowest, and
    ascend in place and number. So the reached marks are the lowest, too, and a shift removes
    all reached marks. For instance marks at the places 3, 6 and 9, with the numbers 2, 4 and 5.
    A tuple at place 11 raises ``newest`` from 6 to 7, and closes windows up to 3; then ``next``
    is 4::

        before         3: 2   6: 4   9: 5   -        head 0
        reached by 4   yes    yes    no     no
        after          9: 5   11: 7  -      -        head 6

    A new mark always has room: unreached marks have numbers among the ``overlap`` numbers after
    ``next``, and are ``spacing`` apart.

    Parameters
    ----------
    times : KeyTimes
    state : View
        A key's state, of layout ``times.state``.

    Source: ours.
    """

    def __init__(self, times: KeyTimes, state):
        self._times = times
        self._state = state

    def _below(self, number, other):
        """Returns whether ``number`` is less than ``other``: both are near, modulo 2^stamp_bits."""
        return (number - other)[: self._times.stamp_bits][-1]

    def raises(self, arriving):
        """Returns whether a tuple is in a later slide than the newest; valid unless ``empties``."""
        return self._below(self._state.newest, arriving.slide)

    def reached(self, m: Module, number, name):
        """Returns a signal with a bit for each mark, high if window ``number`` reaches the mark.

        A window reaches the valid marks whose numbers are at most the window's number. ``name`` is
        the name of the signal.
        """
        marks = [self._state.marks[k] for k in range(self._times.marks)]
        reached = Signal(len(marks), name=name)
        m.d.comb += reached.eq(
            Cat(mark.valid & ~self._below(number, mark.number) for mark in marks)
        )
        return reached

    def head(self, reached):
        """Returns the place of the last reached mark, or the old head if no mark is reached."""
        place = self._state.head
        for k, passed in enumerate(reached):
            place = Mux(passed, self._state.marks[k].place, place)
        return place

    def in_line(self, reached, line):
        """Returns whether the :meth:`head` lies in line ``line`` of the ring."""
        place_bits = self._times.items.bit_length() - 1
        in_line = self._state.head[place_bits:] == line
        for k, passed in enumerate(reached):
            in_line = Mux(passed, self._state.marks[k].place[place_bits:] == line, in_line)
        return in_line

    def following(self, m: Module, reached, arriving, empties):
        """Returns the marks after an accepted tuple, as a view of a signal.

        No mark is left if ``empties`` is high: then no open window needs an earlier tuple.
        Otherwise the reached marks are removed. A tuple of a later slide than ``newest`` adds a
        mark at its own place, if no unreached mark is left, or if the new mark's number is at least
        ``spacing`` above that of the last mark. The number is 1 above ``newest`` as it was before
        the tuple. For instance a tuple that raises ``newest`` from 6 to 8 adds a mark with the
        number 7.

        ``arriving`` has the tuple's ``slide`` and the ``spacing``.
        """
        times = self._times
        state = self._state
        valid = Cat(state.marks[k].valid for k in range(times.marks))
        last_number = state.marks[0].number
        for k in range(1, times.marks):
            last_number = Mux(valid[k], state.marks[k].number, last_number)
        number = Signal(times.stamp_bits)
        is_spaced = Signal()
        adds_mark = Signal()
        m.d.comb += [
            number.eq(state.newest + 1),
            is_spaced.eq(~self._below(number - last_number, arriving.spacing)),
            adds_mark.eq(self.raises(arriving) & (is_spaced | ((valid & ~reached) == 0))),
        ]
        shifted = Signal(state.marks.shape(), name="shifted")
        next_marks = Signal(state.marks.shape(), name="after")
        with m.If(~empties):
            for k in range(times.marks):
                self._shift(m, shifted[k], reached, k)
                m.d.comb += next_marks[k].eq(shifted[k])
                previous_valid = shifted[k - 1].valid if k else 1
                with m.If(adds_mark & previous_valid & ~shifted[k].valid):
                    m.d.comb += [
                        next_marks[k].place.eq(state.place),
                        next_marks[k].number.eq(number),
                        next_marks[k].valid.eq(1),
                    ]
        return next_marks

    def _shift(self, m, target, reached, k):
        """Assigns mark ``k`` after the reached marks have been removed."""
        marks = self._state.marks
        m.d.comb += target.eq(marks[k])
        for dropped in range(1, self._times.marks + 1):
            with m.If(reached[dropped - 1]):
                m.d.comb += target.eq(marks[k + dropped] if k + dropped < self._times.marks else 0)

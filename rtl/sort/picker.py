"""Picks the values of some ranks out of sorted windows."""

from amaranth.hdl import Array, Module, Mux, Signal
from amaranth.lib import data, stream, wiring
from amaranth.lib.wiring import In, Out

from rtl.network.plan import log2
from rtl.sort.padding import padded
from rtl.stream.beat import beat, split


def places_payload(places, window_max, passenger):
    """Payload of what is asked of a window.

    Members: ``places`` (array of so many places in the sorted window, from 0) and ``passenger``.
    """
    asked = data.ArrayLayout(range(window_max), places)
    return data.StructLayout({"places": asked, "passenger": passenger})


def picked_payload(shape, places, passenger):
    """Payload of what a picker gives: ``values`` (array, one for each place) and ``passenger``."""
    return data.StructLayout({"values": data.ArrayLayout(shape, places), "passenger": passenger})


class Picker(wiring.Component):
    """Gives, for each window, the values at the places that are asked for.

    While a window passes, each value that has been passed is kept: place ``P * r + l`` is lane l of
    its beat r. With 4 lanes and the places 0 and 6, beats ``abcd efgh`` give a in the first cycle,
    and a and g after the second.

    Order is kept: windows and what is asked of them come in the same order. ``i`` stalls while
    nothing is asked of its window, and while ``o`` stalls. A place beyond the window's end has an
    undefined value.

    Latency 1 cycle from a window's last beat. Initiation interval 1 cycle.

    Parameters
    ----------
    shape : ShapeLike
        Shape of a value.
    lanes : int
        A power of two.
    places : int
        Values that are picked of each window.
    window_max : int
        Values of the largest window.
    passenger : ShapeLike

    Members
    -------
    i : In(stream.Signature(beat(padded(shape), lanes, 1)))
        Sorted windows of full beats.
    asked : In(stream.Signature(places_payload(places, window_max, passenger)))
        One for each window; taken with its last beat.
    o : Out(stream.Signature(picked_payload(shape, places, passenger)))

    Source: seed 003, section 3.2 steps (c) and (d), for windows without groups.
    """

    latency = 1
    initiation_interval = 1

    def __init__(self, shape, lanes, places, window_max, *, passenger=0):
        self._shift, self._places = log2(lanes), places
        asked = places_payload(places, window_max, passenger)
        self._picked = picked_payload(shape, places, passenger)
        super().__init__(
            {
                "i": In(stream.Signature(beat(padded(shape), lanes, 1))),
                "asked": In(stream.Signature(asked)),
                "o": Out(stream.Signature(self._picked)),
            }
        )

    def elaborate(self, platform):
        m = Module()
        picked = Signal(self._picked, reset_less=True)
        full, step, moves = Signal(), Signal(), Signal()
        rows = len(self.asked.p.places[0]) - self._shift
        row = Signal(max(1, rows))
        m.d.comb += [
            step.eq(~full | self.o.ready),
            moves.eq(step & self.asked.valid & self.i.valid),
            self.i.ready.eq(step & self.asked.valid),
            self.asked.ready.eq(moves & self.i.p.last),
            self.o.valid.eq(full),
            self.o.p.eq(picked),
        ]
        with m.If(step):
            m.d.sync += full.eq(moves & self.i.p.last)
        lanes = Array(entry.value for entry in split(m, self.i.p.tuples, "entry"))
        with m.If(moves):
            m.d.sync += [
                row.eq(Mux(self.i.p.last, 0, row + 1)),
                picked.passenger.eq(self.asked.p.passenger),
            ]
        for k, place in enumerate(self.asked.p.places):
            with m.If(moves & (row == place >> self._shift)):
                m.d.sync += picked.values[k].eq(lanes[place[: self._shift]])
        return m

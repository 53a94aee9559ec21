"""Picks the values at given places out of sorted windows."""

from amaranth.hdl import Array, Module, Mux, Signal
from amaranth.lib import data, stream, wiring
from amaranth.lib.wiring import In, Out

from rtl.network.plan import log2
from rtl.sort.padding import padded
from rtl.stream.beat import beat, split


def places_payload(places, window_max, passenger):
    """Layout of a request for one window.

    Members: ``places`` (array of places in the sorted window, from 0) and ``passenger``.
    """
    request = data.ArrayLayout(range(window_max), places)
    return data.StructLayout({"places": request, "passenger": passenger})


def picked_payload(shape, places, passenger):
    """Layout of a picker's result: ``values`` (array, one per place) and ``passenger``."""
    return data.StructLayout({"values": data.ArrayLayout(shape, places), "passenger": passenger})


class Picker(wiring.Component):
    """Outputs, for each window, the values at the requested places.

    While a window passes, the picker stores each requested value: place ``P * r + l`` is lane l of
    beat r. With 4 lanes and places 0 and 6, the picker has stored a after beat ``abcd``, and a and
    g after beat ``efgh``.

    Order is kept: requests come in the order of their windows. ``i`` stalls until the request for
    its window is valid, and while ``o`` stalls. The value of a place beyond the window's end is
    undefined.

    Latency 1 cycle from a window's last beat. Initiation interval 1 cycle.

    Parameters
    ----------
    shape : ShapeLike
        Shape of a value.
    lanes : int
        A power of two.
    places : int
        Number of values to pick from each window.
    window_max : int
        Values of the largest window.
    passenger : ShapeLike
        Data that go along from a request to its result.

    Members
    -------
    i : In(stream.Signature(beat(padded(shape), lanes, 1)))
        Sorted windows of full beats; the context is ignored.
    request : In(stream.Signature(places_payload(places, window_max, passenger)))
        One request per window; transferred with the window's last beat.
    o : Out(stream.Signature(picked_payload(shape, places, passenger)))

    Source: seed 003, section 3.2 steps (c) and (d), for windows without groups.
    """

    latency = 1
    initiation_interval = 1

    def __init__(self, shape, lanes, places, window_max, *, passenger=0):
        self._shift = log2(lanes)
        self._places = places
        request = places_payload(places, window_max, passenger)
        self._picked = picked_payload(shape, places, passenger)
        super().__init__(
            {
                "i": In(stream.Signature(beat(padded(shape), lanes, 1))),
                "request": In(stream.Signature(request)),
                "o": Out(stream.Signature(self._picked)),
            }
        )

    def elaborate(self, platform):
        m = Module()
        picked = Signal(self._picked, reset_less=True)
        full = Signal()
        step = Signal()
        transfer = Signal()
        rows = len(self.request.p.places[0]) - self._shift
        row = Signal(max(1, rows))
        m.d.comb += [
            step.eq(~full | self.o.ready),
            transfer.eq(step & self.request.valid & self.i.valid),
            self.i.ready.eq(step & self.request.valid),
            self.request.ready.eq(transfer & self.i.p.last),
            self.o.valid.eq(full),
            self.o.p.eq(picked),
        ]
        with m.If(step):
            m.d.sync += full.eq(transfer & self.i.p.last)
        lanes = Array(entry.value for entry in split(m, self.i.p.tuples, "entry"))
        with m.If(transfer):
            m.d.sync += [
                row.eq(Mux(self.i.p.last, 0, row + 1)),
                picked.passenger.eq(self.request.p.passenger),
            ]
        for k, place in enumerate(self.request.p.places):
            with m.If(transfer & (row == place >> self._shift)):
                m.d.sync += picked.values[k].eq(lanes[place[: self._shift]])
        return m

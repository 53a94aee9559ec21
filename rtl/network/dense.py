"""Joins beats that are filled round-robin into full beats."""

from amaranth.hdl import Module, Mux, Signal
from amaranth.lib import stream, wiring
from amaranth.lib.wiring import In, Out

from rtl.stream.beat import beat, build, split


class DenseBuffer(wiring.Component):
    """Gathers the tuples of beats that are filled round-robin into full beats.

    At ``i`` each beat fills the lanes that follow the previous beat's last lane, modulo ``lanes``;
    a stream begins at lane 0. A reverse butterfly produces such beats. At ``o`` every beat is full
    except the last of a stream. The last beat holds the remaining tuples; it always comes, and is
    empty only if the stream has no tuple.

    The buffer holds back up to ``lanes`` tuples until the next tuple arrives or the stream ends. So
    each input beat causes at most one output beat, also at the end of a stream: the remaining
    tuples move to the output register one cycle after the stream's last beat enters, while the next
    stream's first beat enters an empty buffer.

    Latency 1 cycle from the beat that completes an output beat, 2 cycles for the remaining tuples.
    Initiation interval 1 cycle. A stall at ``o`` stalls ``i`` once the output register is full.

    Parameters
    ----------
    shape : ShapeLike
    lanes : int
    context : int
        Width of the beats' context.
    zero_invalid : bool
        Lanes of ``o`` without a tuple are 0. Otherwise they hold earlier inputs, which a simulator
        shows as undefined where a memory was never written. Costs one LUT per lane: registers
        clear their bits by the synchronous reset that they have.

    Members
    -------
    i : In(stream.Signature(beat(shape, lanes, context)))
    o : Out(stream.Signature(beat(shape, lanes, context)))

    Source: seed 003, section 3.1 step (e); holding back is ours.
    """

    latency = 1
    initiation_interval = 1

    def __init__(self, shape, lanes, *, context=0, zero_invalid=False):
        self._layout = beat(shape, lanes, context)
        self._context = context
        self._lanes = lanes
        self._zero_invalid = zero_invalid
        layout = self._layout
        super().__init__({"i": In(stream.Signature(layout)), "o": Out(stream.Signature(layout))})

    def elaborate(self, platform):
        m = Module()
        filled = Signal(self._lanes)
        valid = Signal(self._lanes)
        arrives = Signal(self._lanes)
        ending = Signal()
        last = Signal()
        out_valid = Signal()
        full = Signal()
        step = Signal()
        m.d.comb += [
            arrives.eq(Mux(self.i.valid, self.i.p.valid, 0)),
            full.eq((arrives & filled).any()),
            step.eq(~out_valid | self.o.ready),
            self.i.ready.eq(step),
            self.o.valid.eq(out_valid),
            self.o.p.valid.eq(valid),
            self.o.p.last.eq(last),
        ]
        with m.If(step):
            m.d.sync += [
                out_valid.eq(full | ending),
                valid.eq(Mux(ending, filled, ~0)),
                last.eq(ending),
                ending.eq(self.i.valid & self.i.p.last),
            ]
            with m.If(ending):
                m.d.sync += filled.eq(arrives)
            with m.Elif(full):
                m.d.sync += filled.eq(arrives & filled)
            with m.Else():
                m.d.sync += filled.eq(arrives | filled)
        self._gather(m, step, arrives, filled, ending if self._zero_invalid else None)
        if self._context:
            self._delay_context(m, step)
        return m

    def _delay_context(self, m, step):
        """Delays the context by one beat, to match the tuples in the buffer.

        At the end of a stream the next stream's context may arrive while old tuples leave.
        """
        arrived = Signal(self._context, reset_less=True)
        out = Signal(self._context, reset_less=True)
        m.d.comb += self.o.p.context.eq(out)
        with m.If(step):
            m.d.sync += out.eq(arrived)
            with m.If(self.i.valid):
                m.d.sync += arrived.eq(self.i.p.context)

    def _gather(self, m, step, arrives, filled, clear):
        """Moves tuples through the lanes: a held tuple leaves before the arriving tuple.

        If ``clear`` is not None, a lane that is not filled becomes 0 while ``clear`` is high.
        """
        arriving = split(m, self.i.p.tuples, "arriving")
        output = build(m, self.o.p.tuples, "output")
        for lane in range(self._lanes):
            held = Signal.like(arriving[lane], name=f"held{lane}", reset_less=True)
            out = Signal.like(arriving[lane], name=f"out{lane}", reset_less=True)
            m.d.comb += output[lane].eq(out)
            with m.If(step):
                with m.If(filled[lane]):
                    m.d.sync += out.eq(held)
                if clear is not None:
                    with m.Elif(clear):
                        m.d.sync += out.eq(0)
                with m.Else():
                    m.d.sync += out.eq(arriving[lane])
                with m.If(arrives[lane]):
                    m.d.sync += held.eq(arriving[lane])

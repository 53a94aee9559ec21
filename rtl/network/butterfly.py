"""The reverse butterfly: moves tuples to consecutive target lanes."""

from amaranth.hdl import Cat, Module, Mux
from amaranth.lib import data, stream, wiring
from amaranth.lib.wiring import In, Out

from rtl.network.plan import log2
from rtl.stream.beat import beat, build, copy_sideband, split
from rtl.stream.register import StreamRegister


def routed_beat(shape, lanes, context=0):
    """Returns the layout of a beat whose tuples have ``tuple`` and its target lane, ``to``."""
    return beat(data.StructLayout({"tuple": shape, "to": log2(lanes)}), lanes, context)


class ReverseButterfly(wiring.Component):
    """Moves every valid tuple to lane ``to``; beats keep their order.

    The numbers of the lanes that a stage joins differ in some bits, and the stage moves each tuple
    to the lane that has these bits of ``to``. The targets of a beat's valid tuples must be
    consecutive lanes, in order, modulo ``lanes``. Then no stage moves two tuples to one lane, for
    any target of the first tuple. For instance with 4 lanes and radix 2, where a must move to lane
    3, b to lane 0 and c to lane 1::

        i                 a . b c
        stage 0, bit 0    . a b c      a and c to odd lanes, b to an even lane
        stage 1, bit 1    b c . a

    A lane without a valid tuple has undefined contents. The stages join these lanes::

        radix 2, 8 lanes: stage s joins lanes     radix 4, 8 lanes: a stage joins lanes
        that differ in bit s                      that differ in two bits
        0-1 2-3 4-5 6-7                           0-1-2-3  4-5-6-7
        0-2 1-3 4-6 5-7                           0-4 1-5 2-6 3-7
        0-4 1-5 2-6 3-7

    A stage of radix 4 has one 4-to-1 multiplexer per bit, which is one 6-input LUT, and a register;
    the two stages of radix 2 that it replaces have two of both.

    Latency ``ceil(log2(lanes) / log2(radix))`` cycles, initiation interval 1 cycle. A stall at
    ``o`` stalls ``i`` when every stage is full.

    Parameters
    ----------
    shape : ShapeLike
        Shape of a tuple.
    lanes : int
        A power of two; 1 lane takes no stage.
    radix : int
        2 or 4.
    context : int
        Width of the beats' context.

    Members
    -------
    i : In(stream.Signature(routed_beat(shape, lanes, context)))
    o : Out(stream.Signature(beat(shape, lanes, context)))

    Source: seed 003, section 3.1 step (e); radix 4 is ours.
    """

    initiation_interval = 1

    def __init__(self, shape, lanes, *, radix=4, context=0):
        self._stages = self._stages_of(lanes, radix)
        self._lanes = lanes
        self._radix = radix
        self._routed = routed_beat(shape, lanes, context)
        routed = self._routed
        plain = beat(shape, lanes, context)
        super().__init__({"i": In(stream.Signature(routed)), "o": Out(stream.Signature(plain))})

    @staticmethod
    def _stages_of(lanes, radix):
        """Returns, for each stage, the bits of a lane's number that the stage routes by."""
        if radix not in (2, 4):
            raise ValueError(f"radix must be 2 or 4, not {radix!r}")
        bits = list(range(log2(lanes)))
        step = radix.bit_length() - 1
        return [bits[k : k + step] for k in range(0, len(bits), step)]

    @classmethod
    def latency_of(cls, lanes, *, radix=4):
        """Latency in cycles: one per stage."""
        return len(cls._stages_of(lanes, radix))

    @property
    def latency(self):
        return self.latency_of(self._lanes, radix=self._radix)

    def _switch(self, m, bits, tuples, valid, switched, name):
        """Adds a stage: each lane of ``switched`` selects among the lanes that the stage joins.

        The numbers of these lanes, the ``peers``, differ in ``bits`` only.
        """
        low = bits[0]
        width = len(bits)
        mask = (1 << width) - 1
        switched_tuples = build(m, switched.tuples, name)
        for lane in range(self._lanes):
            own = lane >> low & mask  # the stage's bits of the lane's number
            peers = [lane ^ (own ^ k) << low for k in range(1 << width)]
            targets_lane = [valid[p] & (tuples[p].to[low : low + width] == own) for p in peers]
            # At most one peer targets the lane, so OR-ing the numbers of such peers selects it.
            choice = Cat(
                Cat(hit for k, hit in enumerate(targets_lane) if k >> b & 1).any()
                for b in range(width)
            )
            words = [tuples[p].as_value() for p in peers]
            for bit in choice:
                words = [Mux(bit, b, a) for a, b in zip(words[::2], words[1::2], strict=True)]
            m.d.comb += switched.valid[lane].eq(Cat(targets_lane).any())
            m.d.comb += switched_tuples[lane].as_value().eq(words[0])

    def elaborate(self, platform):
        m = Module()
        source = self.i
        beat_ = split(m, self.i.p, "in")
        tuples = split(m, beat_["tuples"], "tuple")
        for k, bits in enumerate(self._stages):
            register = m.submodules[f"stage{k}"] = StreamRegister(self._routed)
            self._switch(m, bits, tuples, beat_["valid"], register.i.p, f"switch{k}_tuple")
            m.d.comb += [
                *copy_sideband(register.i.p, beat_),
                register.i.valid.eq(source.valid),
                source.ready.eq(register.i.ready),
            ]
            source = register.o
            beat_ = split(m, register.o.p, f"stage{k}")
            tuples = split(m, beat_["tuples"], f"stage{k}_tuple")
        for out, routed in zip(build(m, self.o.p.tuples, "out"), tuples, strict=True):
            m.d.comb += out.eq(routed.tuple)
        m.d.comb += [
            self.o.p.valid.eq(beat_["valid"]),
            *copy_sideband(self.o.p, beat_),
            self.o.valid.eq(source.valid),
            source.ready.eq(self.o.ready),
        ]
        return m

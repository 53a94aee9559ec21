"""Decodes chains of blocks whose symbols describe the change from one value to the next."""

from amaranth.hdl import Cat, Module, Mux, Signal
from amaranth.lib import data, stream, wiring
from amaranth.lib.wiring import In, Out

from rtl.keyed.codec.block_format import BLOCK_BITS, HEAD_BITS
from rtl.keyed.codec.block_turns import member_signals
from rtl.keyed.codec.chained.chain_format import chain_block_layout, chain_value_layout
from rtl.keyed.codec.chained.chain_turns import ChainTurns
from rtl.keyed.codec.change_decoder import ChangeDecoder
from rtl.network.slot_reduction import SLOTS
from rtl.stream.register import StreamRegister


class ChainDecoder(ChangeDecoder):
    """Decodes chains of blocks of a :class:`~rtl.keyed.codec.change_decoder.ChangeCodec`.

    The decoder has two slots, each with a chain, and makes steps of the two chains in turn
    (:class:`~rtl.keyed.codec.chained.chain_turns.ChainTurns`). Invariant: **after the last step of
    a block its slot has the last value and the codec's state**, in which the next block of the
    chain continues. A block begins in one of three ways:

    - A raw block, and a block with a seed, begin as in ``ChangeDecoder``.
    - A dependent block that continues its chain begins with its first symbol.
    - A dependent block that is the ``head`` of its chain begins with ``start``, the state before
      the block. The value of ``start`` precedes the block's values, takes a step, and is skipped.

    For instance a window begins in a dependent block with the values 5 5 7, ``start`` has the value
    5, and ``skip`` is 1. The steps are 5 (of ``start``, skipped), twice 5 (of which one is
    skipped), and 7. With ``save`` the state before the block is saved for the feedback.

    An invalid symbol, or a ``start`` that is not ``known``, is an error of its block and of all
    later blocks of the chain: ``error`` at ``o`` is high with the last value of the chain, and the
    states that are saved before the later blocks are not ``known``.

    The order of a chain's values is kept; values of the two chains alternate. A stall at ``o``
    stalls ``i0`` and ``i1``. Latency from a block to its first value 4 cycles. Initiation interval
    of a slot twice the steps of a block.

    Parameters
    ----------
    codec : ChangeCodec
        With a ``format`` that has chains, and ``state_code``.
    passenger : ShapeLike

    Members
    -------
    i0, i1 : In(stream.Signature(chain_block_layout(codec.format, passenger)))
        Blocks of slots 0 and 1; chains come in slots 0 and 1 in turn.
    o : Out(stream.Signature(chain_value_layout(codec.format, run, ...)))
        The ``passenger`` consists of ``last``, high in the last block of the chain, and of the
        block's ``passenger``.

    Source: seed 000, figure 14b.
    """

    chains = True
    _constant = (*ChangeDecoder._constant, "code", "known")

    def __init__(self, codec, passenger=0):
        self._codec = codec
        values = chain_value_layout(
            codec.format, self.run, data.StructLayout({"last": 1, "passenger": passenger})
        )
        blocks = chain_block_layout(codec.format, passenger)
        wiring.Component.__init__(
            self,
            {
                "i0": In(stream.Signature(blocks)),
                "i1": In(stream.Signature(blocks)),
                "o": Out(stream.Signature(values)),
            },
        )
        saving = {"save": 1, "code": self._code_bits, "known": 1}
        self._placed = data.StructLayout(
            {"bits": codec.width, "is_first": 1, **self._step_members, **saving}
        )

    def elaborate(self, platform):
        m = Module()
        m.submodules.turns = turns = ChainTurns()
        m.submodules.placed = placed = StreamRegister(self._placed)
        m.submodules.values_out = values_out = StreamRegister(self.o.p.shape())
        first, remaining, loaded = (
            member_signals(self._block, n) for n in ("first", "remaining", "loaded")
        )
        second, parsed = (member_signals(self._parsed, n) for n in ("second", "parsed"))
        source = Signal(self.i0.p.shape())
        m.d.comb += [
            *(turns_i.valid.eq(i.valid) for turns_i, i in self._inputs(turns)),
            *(turns_i.p.eq(i.p.head) for turns_i, i in self._inputs(turns)),
            *(i.ready.eq(turns_i.ready) for turns_i, i in self._inputs(turns)),
            source.eq(Mux(turns.o.p, self.i1.p, self.i0.p)),
            turns.ends.eq(second.ends),
            placed.i.valid.eq(turns.o.valid),
            turns.o.ready.eq(placed.i.ready),
            placed.i.p.slot.eq(turns.o.p),
            values_out.i.valid.eq(placed.o.valid),
            placed.o.ready.eq(values_out.i.ready),
        ]
        wiring.connect(m, values_out.o, wiring.flipped(self.o))
        m.d.comb += [*self._parse(m, first, parsed), *self._begin(source, loaded, remaining)]
        self._remove_step(m, second, remaining, placed.i.p)
        with m.If(turns.advance):
            for name, register in vars(second).items():
                m.d.sync += register.eq(vars(parsed)[name])
            for name, register in vars(first).items():
                m.d.sync += register.eq(
                    Mux(turns.enters, vars(loaded)[name], vars(remaining)[name])
                )
            with m.If(~turns.enters & ~turns.decodes):
                # Without a block only the state and the error of the slot matter.
                m.d.sync += first.at_symbol.eq(0)
        self._apply_difference(m, placed, values_out)
        return m

    def _inputs(self, turns):
        return ((turns.i0, self.i0), (turns.i1, self.i1))

    @property
    def _block(self):
        """Layout of a block in a stage.

        The members of ``ChangeDecoder``, where ``last`` marks the last block of the chain. ``save``
        is high until the first step, which saves the state before the block. ``code`` is this state
        in the form of a seed, without the value; ``known``, the state is known.
        """
        members = dict(super()._block.members)
        undecoded = BLOCK_BITS - HEAD_BITS
        lengths = {"undecoded": undecoded, "room": range(undecoded + 1)}
        saving = {"save": 1, "code": self._code_bits, "known": 1}
        return data.StructLayout({**members, **lengths, **saving})

    @property
    def _code_bits(self):
        """Width of the state in a seed, below the value, in bits."""
        return self._codec.format.seed_bits - self._codec.width

    @property
    def _passenger_shape(self):
        return self.i0.p.passenger.shape()

    def _begin(self, source, block, remaining):
        """Returns statements that load a block from the input, with the state in which it begins.

        A dependent block that is no head continues with the state and the error of ``remaining``,
        the content of the second stage: the block before ends in this stage now, or ended there
        earlier.
        """
        codec = self._codec
        width = self._codec.width
        state_bits = self._code_bits
        symbols = source.block[: BLOCK_BITS - HEAD_BITS]
        after_seed = symbols[: -codec.format.seed_bits]
        room = len(block.undecoded)
        coded = Mux(source.dependent, symbols, after_seed << room - len(after_seed))
        raw = source.block[:-width] << room - (BLOCK_BITS - width)
        seed = Mux(source.dependent, source.start.seed, symbols[-codec.format.seed_bits :])
        is_broken = source.coded & (source.count == 0)
        starts = source.dependent & source.head
        continues = source.dependent & ~source.head
        first_state = codec.first_state(seed[:state_bits])
        lacks_start = source.dependent & ~source.start.known
        code = codec.state_code(remaining.state)
        return [
            block.values_left.eq(Mux(starts, source.count + 1, source.count | is_broken)),
            block.skip.eq(source.skip + starts),
            block.raw.eq(~source.coded),
            block.at_symbol.eq(continues),
            block.at_raw_value.eq(0),
            block.first.eq(Mux(source.coded, seed[state_bits:], source.block[-width:])),
            block.undecoded.eq(Mux(source.coded, coded, raw)),
            block.room.eq(Mux(source.dependent, len(symbols), len(after_seed))),
            *(
                block.state[name].eq(Mux(continues, remaining.state[name], value))
                for name, value in first_state.items()
            ),
            block.error.eq(is_broken | Mux(continues, remaining.error, lacks_start)),
            block.save.eq(source.save),
            block.code.eq(Mux(continues, code, source.start.seed[:state_bits])),
            block.known.eq(Mux(continues, ~remaining.error, source.start.known)),
            block.last.eq(source.ends),
            block.passenger.eq(source.passenger),
        ]

    def _remove_step(self, m, parsed, remaining, step):
        """Removes a step from the block, and outputs the step with the state to be saved."""
        super()._remove_step(m, parsed, remaining, step)
        m.d.comb += [
            remaining.save.eq(0),
            step.save.eq(parsed.save),
            step.code.eq(parsed.code),
            step.known.eq(parsed.known),
        ]

    def _is_last(self, parsed):
        return parsed.ends & parsed.last

    def _apply_difference(self, m, source, target):
        """Computes the value of a step from the value before, and saves the state before a block.

        The value before a block is the first value of a block with a seed or ``start``, and
        otherwise the last value of the slot.
        """
        previous_value = super()._apply_difference(m, source, target)
        step = source.o.p
        start = self._codec.format.start
        saved_states = [Signal(start, name=f"saved{k}", reset_less=True) for k in range(SLOTS)]
        value_before = Signal(self._codec.width)
        state = Signal(start)
        m.d.comb += [
            value_before.eq(Mux(step.is_first, step.bits, previous_value)),
            state.seed.eq(Cat(step.code, value_before)),
            state.known.eq(step.known),
            target.i.p.saved.eq(
                Mux(step.save, state, Mux(step.slot, saved_states[1], saved_states[0]))
            ),
        ]
        for k, saved in enumerate(saved_states):
            with m.If(source.o.valid & source.o.ready & step.save & (step.slot == k)):
                m.d.sync += saved.eq(state)

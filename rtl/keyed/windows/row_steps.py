"""What each tuple does to its key's windows of rows: the table, and the step of a window."""

from amaranth.hdl import Module, Value
from amaranth.lib import data, stream, wiring
from amaranth.lib.wiring import In, Out

from rtl.keyed.step import offer, step_layout
from rtl.keyed.table.hash_table import HashTable
from rtl.stream.beat import wire
from rtl.stream.register import StreamRegister


class RowSteps(wiring.Component):
    """Numbers the tuples of each key, and says which of them fill a window of their key.

    A window of ws tuples that ends with value e of its key begins with value e - ws + 1, modulo the
    places of a ring. The store says where these values lie, or takes their numbers.

    Order is kept, streams may follow each other without a gap. Latency that of the table and 1
    cycle. Initiation interval 1 cycle, for any keys. A stall at ``o`` stalls ``i``.

    Parameters
    ----------
    plan : KeyedPlan
        Its window kind is RowKind.
    epoch, stamp : int
        As for :class:`~rtl.keyed.table.hash_table.HashTable`.

    Members
    -------
    i : In(stream.Signature(plan.arriving))
    o : Out(stream.Signature(step_layout(plan)))
        The end of a stream is a step by itself or that of its last tuple: ``told.end``.

    Source: seed 000, sections 3.1 and 3.3; that all follows from one number is ours.
    """

    latency = HashTable.latency + StreamRegister.latency
    initiation_interval = 1

    def __init__(self, plan, **table):
        self._plan = plan
        beside = data.StructLayout({"item": plan.line.item, "settings": plan.settings})
        self._table = HashTable(
            plan.key, plan.entries, plan.ways, plan.window.state, beside, **table
        )
        super().__init__(
            {
                "i": In(stream.Signature(plan.arriving)),
                "o": Out(stream.Signature(step_layout(plan))),
            }
        )

    def elaborate(self, platform):
        m = Module()
        m.submodules.table = table = self._table
        m.submodules.register = register = StreamRegister(step_layout(self._plan))
        asks, arriving, found = table.i.p, self.i.p, table.o.p
        m.d.comb += [
            asks.key.eq(arriving.key),
            asks.valid.eq(arriving.valid),
            asks.last.eq(arriving.last),
            asks.passenger.settings.eq(arriving.settings),
            Value.cast(asks.passenger.item).eq(Value.cast(arriving.item)),
            table.i.valid.eq(self.i.valid),
            self.i.ready.eq(table.i.ready),
            register.i.valid.eq(table.o.valid),
            table.o.ready.eq(register.i.ready),
        ]
        wiring.connect(m, register.o, wiring.flipped(self.o))
        self._step(m, found, register.i.p)
        return m

    def _step(self, m, found, step):
        plan, state, settings = self._plan, found.state, found.passenger.settings
        closes, following = plan.window.rows.step(state, settings.size, settings.slide)
        m.d.comb += [
            *wire(self._table.next, following),
            Value.cast(step.item).eq(Value.cast(found.passenger.item)),
            step.closes.eq(found.valid & closes),
            step.valid.eq(found.valid),
            step.arrived.eq(found.valid),
            step.evicted.eq(found.evicted),
            step.evicted_key.eq(found.evicted_key),
            step.told.key.eq(found.key),
            step.told.entry.eq(found.entry),
            step.told.window.eq(state.window),
            step.told.bound.eq(settings.size),
            step.told.end.eq(found.last),
        ]
        before = settings.size - 1
        begin = (state.place - before)[: len(state.place)]
        told = {name: settings[name] for name in plan.settings.members}
        m.d.comb += [
            *plan.store.locate(step, state.place, begin, before),
            *offer(step, number=state.place, fresh=found.fresh, **told),
        ]

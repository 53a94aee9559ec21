"""Makes the steps of windows of rows: numbers the tuples of each key, and closes full windows."""

from amaranth.hdl import Module, Value
from amaranth.lib import data, stream, wiring
from amaranth.lib.wiring import In, Out

from rtl.keyed.step import offer, step_layout
from rtl.keyed.table.hash_table import HashTable
from rtl.stream.beat import wire
from rtl.stream.register import StreamRegister


class RowSteps(wiring.Component):
    """Numbers the tuples of each key, and finds the tuples that fill a window.

    A window of ws tuples that ends with value e of a key begins with value e - ws + 1, modulo the
    places of a ring. For instance with ws = 3 and 8 places, the window that ends with value 0
    begins with value 6. The store derives the places of the values from these numbers.

    Order is kept, and streams may follow each other without a gap. Latency: the latency of the
    table, and 1 cycle. Initiation interval 1 cycle, for any keys. A stall at ``o`` stalls ``i``.

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
        ``window_info.end``: the stream ends with this step. The step belongs to the stream's last
        tuple, or has no tuple.

    Source: seed 000, sections 3.1 and 3.3. That a store derives all places of a value from one
    number is ours.
    """

    latency = HashTable.latency + StreamRegister.latency
    initiation_interval = 1

    def __init__(self, plan, **table):
        self._plan = plan
        passed_on = data.StructLayout({"item": plan.line.item, "settings": plan.settings})
        self._table = HashTable(
            plan.key, plan.entries, plan.ways, plan.window.state, passed_on, **table
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
        request = table.i.p
        arriving = self.i.p
        m.d.comb += [
            request.key.eq(arriving.key),
            request.valid.eq(arriving.valid),
            request.last.eq(arriving.last),
            request.passenger.settings.eq(arriving.settings),
            Value.cast(request.passenger.item).eq(Value.cast(arriving.item)),
            table.i.valid.eq(self.i.valid),
            self.i.ready.eq(table.i.ready),
            register.i.valid.eq(table.o.valid),
            table.o.ready.eq(register.i.ready),
        ]
        wiring.connect(m, register.o, wiring.flipped(self.o))
        self._step(m, table.o.p, register.i.p)
        return m

    def _step(self, m, lookup, step):
        """Makes the step of the tuple at the table's output, and the next state of its key."""
        plan = self._plan
        state = lookup.state
        settings = lookup.passenger.settings
        closes, following = plan.window.rows.step(state, settings.size, settings.slide)
        m.d.comb += [
            *wire(self._table.next, following),
            Value.cast(step.item).eq(Value.cast(lookup.passenger.item)),
            step.closes.eq(lookup.valid & closes),
            step.valid.eq(lookup.valid),
            step.arrived.eq(lookup.valid),
            step.evicted.eq(lookup.evicted),
            step.evicted_key.eq(lookup.evicted_key),
            step.window_info.key.eq(lookup.key),
            step.window_info.entry.eq(lookup.entry),
            step.window_info.window.eq(state.window),
            step.window_info.bound.eq(settings.size),
            step.window_info.end.eq(lookup.last),
        ]
        tuples_before = settings.size - 1
        begin = (state.place - tuples_before)[: len(state.place)]
        offered = {name: settings[name] for name in plan.settings.members}
        m.d.comb += [
            *plan.store.locate(step, state.place, begin, tuples_before),
            *offer(step, number=state.place, fresh=lookup.fresh, **offered),
            *offer(step.window_info, ahead=self._ahead(settings.slide)),
        ]

    def _ahead(self, slide):
        """Returns how many earlier windows of a key may lack answers when its next window starts.

        With percentiles a window starts with an older window's answer as its pivot. The answer n
        windows later is at most n * ``slide`` values away from the pivot in sorted order, and a
        pass keeps K values on either side of the pivot, the ``neighbours``. So n is at most
        K / slide, and the n - 1 windows between the two may lack answers. For instance with K = 4,
        SLIDE 1 allows 3 of them, SLIDE 2 allows 1, and SLIDE 3 none.
        """
        if (pivots := self._plan.pivots) is None:
            return 0
        return sum(slide <= pivots.neighbours // n for n in range(2, pivots.neighbours + 1))

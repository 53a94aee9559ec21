"""What each tuple does to its key's windows of rows: the table, and the step of a window."""

from amaranth.hdl import Cat, Module, Value
from amaranth.lib import data, stream, wiring
from amaranth.lib.wiring import In, Out

from rtl.keyed.table.hash_table import HashTable
from rtl.stream.beat import wire
from rtl.stream.register import StreamRegister


def step_layout(plan):
    """Layout of a tuple whose place is known.

    Members: those of the plan's ``placed``, ``item``; ``closes``, it closes a window; ``valid``,
    there is an item for that place; ``arrived``, a tuple of the stream ends with this step, also
    one that is dropped; ``evicted`` and ``evicted_key``; ``told``.

    Where one tuple closes several windows, each is a step, and the item comes with the last of
    them or behind it.
    """
    return data.StructLayout(
        {
            **plan.placed.members,
            "item": plan.line.item,
            "closes": 1,
            "valid": 1,
            "arrived": 1,
            "evicted": 1,
            "evicted_key": plan.key,
            "told": plan.told,
        }
    )


class KeySteps(wiring.Component):
    """Finds the place of each tuple, and whether it fills a window of its key.

    Of a window of ws tuples that ends at place e of its ring all else follows: it begins at
    e - ws + 1, in the ring; with ``first`` the place of that in its line, first + ws - 1 places
    behind the line's beginning is e, so that many places over the items of a line, rounded down,
    are the lines before e's. For instance, 8 items in a line, ws = 20, and e the 30th place, 29::

        begins at 10, place 2 of line 1;  2 + 19 = 21;  21 // 8 = 2 lines, 1 and 2, before line 3

    Order is kept, streams may follow each other without a gap. Latency that of the table and 1
    cycle. Initiation interval 1 cycle, for any keys. A stall at ``o`` stalls ``i``.

    Parameters
    ----------
    plan : KeyPlan
    epoch, stamp : int
        As for :class:`~rtl.keyed.table.hash_table.HashTable`.

    Members
    -------
    i : In(stream.Signature(plan.arriving))
    o : Out(stream.Signature(step_layout(plan)))
        The end of a stream is a step by itself or that of its last tuple: ``told.end``.

    Source: seed 000, sections 3.1 and 3.3; that all pointers follow from one place is ours.
    """

    latency = HashTable.latency + StreamRegister.latency
    initiation_interval = 1

    def __init__(self, plan, **table):
        self._plan = plan
        beside = data.StructLayout({"item": plan.line.item, "settings": plan.settings})
        self._table = HashTable(plan.key, plan.entries, plan.ways, plan.rows.state, beside, **table)
        super().__init__(
            {
                "i": In(stream.Signature(plan.arriving)),
                "o": Out(stream.Signature(step_layout(plan))),
            }
        )

    @classmethod
    def latency_of(cls, plan):
        """That of any plan."""
        return cls.latency

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
        closes, following = plan.rows.step(state, settings.size, settings.slide)
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
        self._place(m, found, settings, step)

    def _place(self, m, found, settings, step):
        """Where the item lies, and from where on its window."""
        within, state = self._plan.line.items.bit_length() - 1, found.state
        begin = (state.place - (settings.size - 1))[: len(state.place)]
        first = begin[:within]
        m.d.comb += [
            Cat(step.place, step.line).eq(state.place),
            step.first.eq(first),
            step.lines.eq((first + (settings.size - 1)) >> within),
        ]
        if self._plan.ordered:
            m.d.comb += step.told.line.eq(begin[within:])


class CodedSteps(KeySteps):
    """The same with a codec: where a value lies is known only when it is compressed.

    So it gets a number, and goes on with what its windows are. Order, latency, initiation interval
    and stalls are those of :class:`KeySteps`.

    Parameters
    ----------
    plan : CodedPlan
    epoch, stamp : int
        As for :class:`~rtl.keyed.table.hash_table.HashTable`.

    Members
    -------
    i : In(stream.Signature(plan.arriving))
    o : Out(stream.Signature(step_layout(plan)))
    """

    def _place(self, m, found, settings, step):
        m.d.comb += [
            step.number.eq(found.state.place),
            step.fresh.eq(found.fresh),
            *(step[name].eq(settings[name]) for name in self._plan.settings.members),
        ]

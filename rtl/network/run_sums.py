"""Adds runs of equal floating-point numbers to the nodes of blocks, with one adder."""

from types import SimpleNamespace

from amaranth.hdl import Array, Cat, Module, Mux, Signal
from amaranth.lib import data, stream, wiring
from amaranth.lib.memory import Memory
from amaranth.lib.wiring import In, Out
from amaranth.utils import ceil_log2

from rtl.float.adder import FloatAdder
from rtl.float.doubling import doubled
from rtl.network.equal_runs import BLOCKS, EqualRuns, joined_payload, run_payload
from rtl.stream.skid import SkidBuffer

#: Cycles from a level of an item to the next: the registers before the adder, and the adder.
ROUND = 1 + FloatAdder.latency


class RunSums(wiring.Component):
    """Adds the values of blocks, which come as runs, to the nodes of the tree over tuple numbers.

    ::

        i --> skid --> EqualRuns --> item --> slots, left nodes --> adder --+
                                      ^                                    |
                                      +------- next level, 6 cycles -------+
                                                             nodes of a block --> o

    A node of 2^k equal values x is x times 2^k, which is exact, so a run takes few additions: only
    nodes with the border of two runs inside are added. An *item* is a run, and works on one level
    after the other, from level 0 on: every 6 cycles it passes the adder, and its x doubles. A level
    has a *slot* for each block, with an even node that waits for its odd neighbour. For a run of
    the tuples p to q - 1 the item has, in units of the level's nodes, l and r for p and q, rounded
    up and down, and the sum ``c`` of node l - 1, if it has p inside and is complete:

    - l even: slot + c goes up; if the slot is empty c is a left node of the block;
    - l odd, and node l in the run: c + x or slot + x goes up; without either x is a left node;
    - l odd, and node l not in the run: c waits in the slot;
    - node r - 1 even and in the run: x waits in the slot.

    On level ``plan.top`` c or x waits in the slot. The nodes that wait in the slots when all items
    have ended are the block's right nodes. **Later items never overtake earlier items on a level**,
    because all items begin on level 0 and take 6 cycles for each level; so an item finds the node
    of the runs before in the slot. For instance the tuples 3 to 9 with the values 5 5 5 7 7 7 7::

        run 3 to 5    level 0: node 3 is a left node
                      level 1: node 2 (4, 5), 10, waits
        run 6 to 9    level 1: 10 + node 3 (6, 7), 14, goes up; node 4 (8, 9), 14, waits
                      level 2: node 1 (4 to 7), 24, is a left node

    An item ends when nothing is left for it on higher levels, so a run of one value takes two
    levels on average (:func:`~rtl.network.sum_steps.sum_steps`), and the adder takes a level of
    some item in every cycle. When all items of a block have ended, its nodes are collected from two
    memories, one level per cycle.

    Blocks leave in the order in which they begin, and come from the decoder's slots 0 and 1, which
    are no slots of levels, in turn. A stall at ``o`` stalls ``i`` when 8 blocks are under way.
    Latency of a block of one run of one value: 4 cycles and ``plan.top``. Initiation interval 1
    cycle for runs that are joined; in the long run the levels that a block's items take, and at
    least ``plan.top`` + 2 cycles for a block.

    Parameters
    ----------
    plan : NodePlan
    run : int
        Greatest number of values of a run.

    Members
    -------
    i : In(stream.Signature(run_payload(plan, run)))
    o : Out(stream.Signature(plan.layout))

    Source: ours.
    """

    initiation_interval = 1

    def __init__(self, plan, run):
        self._plan = plan
        self._width = plan.format_.width
        self._arriving = run_payload(plan, run)
        self._runs = EqualRuns(plan, run)
        members = {**joined_payload(plan).members, "level": range(plan.top + 1), "has": 1}
        self._item = data.StructLayout(members)
        super().__init__(
            {"i": In(stream.Signature(self._arriving)), "o": Out(stream.Signature(plan.layout))}
        )

    @staticmethod
    def latency_of(plan):
        """Returns the latency of the shortest block, a single value, in cycles."""
        return SkidBuffer.latency + 3 + plan.top

    @property
    def latency(self):
        return self.latency_of(self._plan)

    def elaborate(self, platform):
        m = Module()
        m.submodules.skid = skid = SkidBuffer(self._arriving)
        m.submodules.runs = runs = self._runs
        wiring.connect(m, wiring.flipped(self.i), skid.i)
        wiring.connect(m, skid.o, runs.i)
        blocks = [self._block(m, k) for k in range(BLOCKS)]
        returned = Signal(self._item)
        returned_valid = Signal()
        item = Signal(self._item)
        valid = Signal()
        ended = Signal()
        m.d.comb += [
            runs.o.ready.eq(~returned_valid),
            valid.eq(returned_valid | runs.o.valid),
            runs.taken.eq(Cat(block.taken for block in blocks)),
        ]
        with m.If(returned_valid):
            m.d.comb += item.eq(returned)
        with m.Else():
            m.d.comb += [item[name].eq(runs.o.p[name]) for name in runs.o.p.shape().members]
        m.submodules.adder = adder = FloatAdder(self._plan.format_)
        slots, lefts = self._work(m, blocks, item, valid, ended, returned, returned_valid)
        for k, block in enumerate(blocks):
            starts = runs.o.valid & runs.o.ready & (runs.o.p.block == k)
            m.d.sync += block.items.eq(block.items + starts - (ended & (item.block == k)))
            with m.If(runs.begins[k]):
                m.d.sync += block.taken.eq(1)
            with m.If(runs.ends[k]):
                m.d.sync += block.closed.eq(1)
        m.d.comb += adder.enable.eq(1)
        self._collect(m, blocks, slots, lefts)
        return m

    def _block(self, m, k):
        """Returns the registers of block ``k``.

        - ``taken``: a run of the block has arrived;
        - ``closed``: the block's last run has left EqualRuns;
        - ``items``: the number of the block's items that have not ended;
        - ``full``: for each level a bit, whether a node waits in the block's slot.
        """
        return SimpleNamespace(
            taken=Signal(name=f"taken{k}"),
            closed=Signal(name=f"closed{k}"),
            items=Signal(range(ROUND + 1), name=f"items{k}"),
            full=Signal(self._plan.top + 1, name=f"full{k}"),
        )

    def _work(self, m, blocks, item, valid, ended, returned, returned_valid):
        """Does an item's work on its level; returns the memories of the slots and left nodes."""
        at_top = Signal()
        full = Signal()
        odd = Signal()
        inside = Signal()
        waits = Signal()
        right_waits = Signal()
        goes_up = Signal()
        goes_on = Signal()
        is_left = Signal()
        following = Signal(self._item)
        carried = m.submodules.adder.sum
        fulls = Array(block.full for block in blocks)
        begun = self._runs.o.p
        at_returned = fulls[returned.block].bit_select(returned.level, 1)
        # A run begins on level 0. Its block is known late, so its slot is looked up by itself.
        at_begun = Array(block.full[0] for block in blocks)[begun.block]
        m.d.comb += [
            at_top.eq(item.level == self._plan.top),
            full.eq(Mux(returned_valid, at_returned, at_begun)),
            odd.eq(item.first[0]),
            inside.eq(item.first < item.end),
            waits.eq(item.has & (at_top | (odd & ~inside))),
            right_waits.eq(inside & (at_top | item.end[0])),
            goes_up.eq(~at_top & Mux(odd, inside & (item.has | full), item.has & full)),
            is_left.eq(~at_top & ~full & Mux(odd, inside & ~item.has, item.has)),
            following.eq(item),
            following.level.eq(item.level + 1),
            following.first.eq((item.first >> 1) + odd),
            following.end.eq(item.end >> 1),
            following.value.eq(doubled(self._plan.format_, item.value)),
            following.has.eq(goes_up),
            goes_on.eq(~at_top & (goes_up | (following.first < following.end))),
            ended.eq(valid & ~goes_on),
        ]
        term = Mux(odd, item.value, carried)
        stored = Mux(inside, item.value, carried)
        address = Cat(item.level, item.block)
        stores = valid & (waits | right_waits)
        slots, slot = self._memory(m, "slots", address, stored, stores)
        lefts, _ = self._memory(m, "lefts", address, term, valid & is_left)
        for k, block in enumerate(blocks):
            bit = 1 << item.level
            with m.If(stores & (item.block == k)):
                m.d.sync += block.full.eq(block.full | bit)
            with m.Elif(valid & goes_up & (item.block == k)):
                m.d.sync += block.full.eq(block.full & ~bit)
        left = Mux(odd & item.has, carried, slot)
        self._add(m, left, term, following, valid & goes_on, returned, returned_valid)
        return slots, lefts

    def _memory(self, m, name, address, value, enable):
        """Returns a memory with a node for each block and level, and the node at the address."""
        depth = BLOCKS << ceil_log2(self._plan.top + 1)
        memory = m.submodules[name] = Memory(shape=self._width, depth=depth, init=[])
        writer = memory.write_port()
        reader = memory.read_port(domain="comb")
        m.d.comb += [
            reader.addr.eq(address),
            writer.addr.eq(address),
            writer.data.eq(value),
            writer.en.eq(enable),
        ]
        return memory, reader.data

    def _add(self, m, left, right, following, valid, returned, returned_valid):
        """Adds, and brings the item back with the sum."""
        adder = m.submodules.adder
        operands = []
        for k, operand in enumerate((left, right)):
            operands.append(Signal(self._width, name=f"operand{k}", reset_less=True))
            m.d.sync += operands[k].eq(operand)
        m.d.comb += [adder.left.eq(operands[0]), adder.right.eq(operands[1])]
        for step in range(ROUND):
            is_valid = Signal(name=f"valid{step}")
            later = Signal(self._item, name=f"later{step}", reset_less=True)
            m.d.sync += [is_valid.eq(valid), later.eq(following)]
            valid = is_valid
            following = later
        m.d.comb += [returned_valid.eq(valid), returned.eq(following)]

    def _collect(self, m, blocks, *memories):
        """Collects the nodes of complete blocks in turn, from the lowest level on."""
        top = self._plan.top
        turn = Signal(range(BLOCKS))
        level = Signal(range(top + 1))
        nodes = Signal(self._plan.layout, reset_less=True)
        complete = Cat(block.closed & ~block.items.any() for block in blocks)
        read_nodes = []
        for memory in memories:
            reader = memory.read_port(domain="comb")
            m.d.comb += reader.addr.eq(Cat(level, turn))
            read_nodes.append(reader.data)
        m.d.comb += self.o.p.eq(nodes)
        with m.FSM():
            with m.State("COLLECT"), m.If(complete.bit_select(turn, 1)):
                for name, node, above in (("right", read_nodes[0], 0), ("left", read_nodes[1], 1)):
                    bits = nodes[name].as_value()
                    with m.If(level <= top - above):
                        m.d.sync += bits.eq(Cat(bits[self._width :], node))
                m.d.sync += level.eq(level + 1)
                with m.If(level == top):
                    m.d.sync += [level.eq(0), turn.eq(turn + 1)]
                    for k, block in enumerate(blocks):
                        with m.If(turn == k):
                            m.d.sync += [block.taken.eq(0), block.closed.eq(0), block.full.eq(0)]
                    m.next = "SEND"
            with m.State("SEND"):
                m.d.comb += self.o.valid.eq(1)
                with m.If(self.o.ready):
                    m.next = "COLLECT"
        return m

"""Sums the floating-point numbers of each window, from partial sums of the window's blocks."""

from amaranth.hdl import Const, Module, Mux, Shape, Signal
from amaranth.lib import data, stream, wiring
from amaranth.lib.memory import Memory
from amaranth.lib.wiring import In, Out
from amaranth.utils import ceil_log2

from rtl.float.adder import FloatAdder
from rtl.network.tree_sum import delayed_by_adder, sum_payload


def node_payload(plan, passenger):
    """Returns the layout of a block of a window, the input of :class:`NodeSums`.

    Members: ``nodes`` (:attr:`NodePlan.layout <rtl.network.nodes.NodePlan.layout>`); ``number``,
    the tuple number of the first value, modulo 2^number_bits; ``values``, the number of values,
    which may be 0; ``last``, the block is the last of its window; ``passenger``, if it has bits.
    """
    members = {"nodes": plan.layout, "number": plan.number_bits, "values": plan.count_bits}
    carried = {"passenger": passenger} if Shape.cast(passenger).width else {}
    return data.StructLayout({**members, "last": 1, **carried})


class NodeSums(wiring.Component):
    """Adds the nodes of a window's blocks in the order of the tree over tuple numbers.

    The order is the order of :class:`~rtl.network.tree_sum.TreeSum`. A block comes with the sums of
    the nodes that lie in the block (:class:`~rtl.network.nodes.NodePlan`). Only nodes that extend
    over a border between two blocks have to be added here. Invariant: **on each level at most one
    node extends over a border**, so one adder for each level takes a block in every cycle::

        blocks --> level 0 --> level 1 --> ... --> o
                   slot, +     slot, +

    Node m of level k has the tuples m 2^k to (m + 1) 2^k - 1, as far as they are in the window. For
    a block of the tuples p to q - 1, let l be p / 2^k rounded up, and r be q / 2^k rounded down, so
    that the nodes l to r - 1 lie in the block. Level k takes up to three nodes: the block's own
    left node l, if odd; its own right node r - 1, if even; and node l - 1 (``c``), which extends
    over the border at p and comes from the level below when the block completes the node. Two
    neighbours, an even node and the odd node after it, are added and go up as one node. A slot
    stores an even node until its neighbour arrives. For instance a window with the blocks of
    tuples 2 to 4 and 5 to 9::

        level 0   block 2 to 4: right node 4 waits in the slot
                  block 5 to 9: slot + left node 5 goes up
        level 1   block 2 to 4: left node 1 (2, 3) goes up, because node 0 is not in the window
                  block 5 to 9: c, which is node 2 (4, 5), + left node 3 (6, 7) goes up,
                                and right node 4 (8, 9) waits in the slot
        level 2   block 2 to 4: c, which is node 0 (2, 3), waits in the slot
                  block 5 to 9: slot + c, which is node 1 (4 to 7), goes up

    In a window's last block no right node waits, because no neighbour will come. Instead a second
    adder on each level adds the right node to the *rest*: the sum of the window's last tuples, the
    part of node r that lies in the window. As soon as the block has no own nodes on a level, and r
    is odd, the rest goes up as the neighbour of node r - 1. So **no window takes a cycle besides
    its blocks**. In the example, if the block 5 to 9 is the last of its window::

        level 1   right node 4 (8, 9) becomes the rest
        level 2   the rest is a part of node 2, which is even: the rest goes on
        level 3   c, which is node 0 (2 to 7), + the rest, a part of node 1, goes up

    A last block without values sends up each node that waits. If tuples are missing between two
    blocks, a *gap* takes a cycle between the blocks, with nodes of -0. An empty slot has -0 too,
    because x + -0 is x.

    All stages advance together: while ``o`` stalls with a valid sum nothing advances, and ``i``
    stalls. Order is kept. Blocks with wrong counts give wrong sums of their window, and of no other
    window.

    Latency from a window's last block to its sum: 5 cycles for each level, and 1 cycle.
    Initiation interval 1 cycle for a block, and 1 cycle more for each gap.

    Parameters
    ----------
    plan : NodePlan
    passenger : ShapeLike
        Shape of the data that each window carries to its sum, taken from its last block.

    Members
    -------
    i : In(stream.Signature(node_payload(plan, passenger)))
    o : Out(stream.Signature(sum_payload(plan.format_, passenger)))

    Source: ours.
    """

    initiation_interval = 1

    def __init__(self, plan, passenger=0):
        self._plan = plan
        self._width = plan.format_.width
        # A number and the values of a window after it fit, without a wrap.
        bits = plan.levels + 1
        members = {"last": 1, "gap": 1, "first": bits, "end": bits, "has_own": 1}
        members |= {"has": 1, "has_rest": 1}
        self._side_layout = data.StructLayout({**members, "passenger": passenger})
        arriving = node_payload(plan, passenger)
        result = sum_payload(plan.format_, passenger)
        super().__init__({"i": In(stream.Signature(arriving)), "o": Out(stream.Signature(result))})

    @staticmethod
    def latency_of(plan):
        """Returns the latency in cycles: of an adder for each level, and of the sum's register."""
        return FloatAdder.latency * plan.levels + 1

    @property
    def latency(self):
        return self.latency_of(self._plan)

    def elaborate(self, platform):
        m = Module()
        enable = Signal()
        minus_zero = Const(self._plan.format_.minus_zero, self._width)
        valid, side = self._enter(m, enable)
        node = rest = minus_zero
        for level in range(self._plan.levels):
            left, right = self._own_nodes(m, level, enable, side.gap)
            next_rest = self._next_rest(m, level, enable, side, right, rest)
            node, valid, side = self._level(m, level, enable, node, valid, side, left, right, rest)
            rest = next_rest
        saved = Signal(self._width, init=self._plan.format_.minus_zero)
        saves = Signal()
        total = Mux(side.has, node, Mux(side.has_rest, rest, saved))
        is_complete = Signal()
        result = Signal(self.o.p.shape(), reset_less=True)
        m.d.comb += [
            saves.eq(enable & valid),
            self.o.valid.eq(is_complete),
            self.o.p.eq(result),
            enable.eq(self.o.ready | ~self.o.valid),
        ]
        with m.If(enable):
            m.d.sync += [
                is_complete.eq(valid & side.last),
                result.sum.eq(total),
                result.passenger.eq(side.passenger),
            ]
        with m.If(saves):  # the sum may be complete before the window's last block
            m.d.sync += saved.eq(Mux(side.last, minus_zero, total))
        return m

    def _enter(self, m, enable):
        """Returns ``valid`` and the side data of a beat, which is a gap or a block.

        ``first`` and ``end`` are l and r of the level, here p and q. They count on from the number
        of the window's first value, and do not wrap within a window. ``has_own``: l is less than r.
        ``has``: the level below sends node c; ``has_rest``: it sends a rest. Both are 0 here. For
        instance after tuples 2 to 4 a block of tuples 8 and 9 comes as a gap with ``first`` 5 and
        ``end`` 8, and a cycle later as a block with 8 and 10.
        """
        block = self.i.p
        side = Signal(self._side_layout)
        bits = self._plan.number_bits
        started = Signal()  # the window has had values
        following = Signal.like(side.first)  # number after the last value of the window
        missing = Signal(bits)  # tuples that are missing before the block
        m.d.comb += [
            missing.eq(block.number - following),
            side.passenger.eq(block.passenger if "passenger" in block.shape().members else 0),
            side.first.eq(Mux(started, following, block.number)),
            side.gap.eq(started & block["values"].any() & missing.any()),
            side.end.eq(side.first + Mux(side.gap, missing, block["values"])),
            side.has_own.eq(side.gap | block["values"].any()),
            side.last.eq(block.last & ~side.gap),
            self.i.ready.eq(enable & ~side.gap),
        ]
        with m.If(self.i.valid & enable):
            m.d.sync += following.eq(side.end)
            with m.If(side.last):
                m.d.sync += started.eq(0)
            with m.Elif(block["values"].any()):
                m.d.sync += started.eq(1)
        return self.i.valid, side

    def _own_nodes(self, m, level, enable, gap):
        """Returns the block's left and right node of a level, or -0 for a gap or above ``top``.

        Both are delayed by the cycles that the block takes to the level.
        """
        top = self._plan.top
        minus_zero = Const(self._plan.format_.minus_zero, self._width)
        if level > top:
            return minus_zero, minus_zero
        nodes = self.i.p.nodes
        pair = [nodes.right[level]] if level == top else [nodes.right[level], nodes.left[level]]
        pair = self._later(m, f"nodes{level}", enable, pair, FloatAdder.latency * level)
        return tuple(Mux(gap, minus_zero, node) for node in (pair[-1], pair[0]))

    def _later(self, m, name, enable, values, cycles):
        """Returns the values as they were ``cycles`` enabled cycles before."""
        if not cycles:
            return values
        shape = data.ArrayLayout(self._width, len(values))
        memory = m.submodules[name] = Memory(shape=shape, depth=cycles, init=[])
        place = Signal(ceil_log2(cycles), name=f"{name}_place")
        writer = memory.write_port()
        reader = memory.read_port(domain="comb")
        m.d.comb += [
            writer.addr.eq(place),
            reader.addr.eq(place),
            writer.en.eq(enable),
            *(writer.data[k].eq(value) for k, value in enumerate(values)),
        ]
        with m.If(enable):
            m.d.sync += place.eq(Mux(place == cycles - 1, 0, place + 1))
        return [reader.data[k] for k in range(len(values))]

    def _next_rest(self, m, level, enable, side, right, rest):
        """Adds the right node of a last block to the rest; returns the rest of the next level.

        ``rest`` is -0 below the first level with a rest, and undefined above the level on which the
        rest goes up: ``side.has_rest`` is then low, so that nothing reads it.
        """
        name = f"rest{level}"
        width = self._width
        minus_zero = Const(self._plan.format_.minus_zero, width)
        own = Mux(side.last & side.has_own & side.end[0], right, minus_zero)
        if level == 0 or level > self._plan.top:  # no rest yet, or no right node
            carried = own if level == 0 else rest
            return self._later(m, name, enable, [carried], FloatAdder.latency)[0]
        m.submodules[name] = adder = FloatAdder(self._plan.format_)
        m.d.comb += [
            adder.enable.eq(enable),
            adder.left.eq(own),
            adder.right.eq(rest),
        ]
        return adder.sum

    def _level(self, m, level, enable, node, valid, side, left, right, rest):
        """Adds two neighbours on a level; returns the sum, and ``valid`` and the side data of the
        next level."""
        minus_zero = Const(self._plan.format_.minus_zero, self._width)
        name = f"level{level}"
        slot = Signal(self._width, name=f"{name}_slot", init=self._plan.format_.minus_zero)
        full = Signal(name=f"{name}_full")
        joins = Signal(name=f"{name}_joins")
        odd = side.first[0]
        waits = Signal(name=f"{name}_waits")
        right_waits = Signal(name=f"{name}_right_waits")
        goes_up = Signal(name=f"{name}_goes_up")
        arrived = Mux(side.has, node, minus_zero)
        neighbour = Mux(side.has_own, left, Mux(side.has_rest, rest, minus_zero))
        m.d.comb += [
            # The block's node l, or the rest, is the neighbour of node l - 1.
            joins.eq(odd & (side.has_own | side.has_rest)),
            waits.eq(odd & side.has & ~joins & ~side.last),
            right_waits.eq(side.has_own & side.end[0] & ~side.last),
            goes_up.eq(Mux(odd, joins, side.has) | (side.last & (side.has | full))),
        ]
        with m.If(enable & valid):
            with m.If(waits | right_waits):
                m.d.sync += [slot.eq(Mux(waits, node, right)), full.eq(1)]
            with m.Elif(goes_up | side.last):
                m.d.sync += [slot.eq(minus_zero), full.eq(0)]
        m.submodules[name] = adder = FloatAdder(self._plan.format_)
        m.d.comb += [
            adder.enable.eq(enable),
            adder.left.eq(Mux(odd & side.has, node, slot)),
            adder.right.eq(Mux(odd, neighbour, arrived)),
        ]
        upper = Signal(self._side_layout, name=f"{name}_beside")
        keeps_rest = side.has_rest & (side.has_own | ~odd)
        right_is_rest = side.last & side.has_own & side.end[0]
        m.d.comb += [
            upper.eq(side),
            upper.first.eq((side.first >> 1) + side.first[0]),
            upper.end.eq(side.end >> 1),
            upper.has_own.eq(upper.first < upper.end),
            upper.has.eq(goes_up),
            upper.has_rest.eq(right_is_rest | keeps_rest),
        ]
        return adder.sum, *delayed_by_adder(m, name, enable, valid, upper)

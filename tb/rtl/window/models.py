"""Computes sliding aggregates in plain Python, and runs components with changing settings."""

import random
from functools import reduce
from itertools import zip_longest

from amaranth.hdl import signed
from amaranth.lib import data

from rtl.aggregate.avg import Avg
from rtl.aggregate.count import Count
from rtl.aggregate.max import Max
from rtl.aggregate.min import Min
from rtl.aggregate.operator import Operator, Product
from rtl.aggregate.optional import Optional
from rtl.aggregate.sum import Sum
from sim.errors import HangError
from tb.bench.unit import collect, put, simulate

COUNT = 9  # bits of a count
TUPLES = 256  # largest number of tuples in a window
VALUE = signed(5)
BITS = 8  # of scale and offset of :class:`Affine`


class Affine(Operator):
    """Composes functions x -> scale * x + offset: all items and their order matter."""

    def state(self, tuples):
        return data.StructLayout({"scale": BITS, "offset": BITS})

    def lift(self, tuple_, context):
        return tuple_.row

    def combine(self, left, right, context):
        return {
            "scale": (left["scale"] * right["scale"])[:BITS],
            "offset": (left["offset"] * right["scale"] + right["offset"])[:BITS],
        }

    result = BITS

    def lower(self, state, quotients, context):
        return state["offset"]


def _added(left, right):
    return {name: left[name] + right[name] for name in left}


def _composed(left, right):
    scale, offset = left["scale"] * right["scale"], left["offset"] * right["scale"]
    return {"scale": scale % 2**BITS, "offset": (offset + right["offset"]) % 2**BITS}


def _minimum(left, right):
    return min(left, right, key=lambda state: state["value"])


def _maximum(left, right):
    return max(left, right, key=lambda state: state["value"])


def optional(join):
    """Returns a join of states that may be None, the state of no tuple."""
    return lambda left, right: (
        left if right is None else right if left is None else join(left, right)
    )


def _number(rng):
    return {"value": rng.randrange(-16, 16)}


def _tuples(rng):
    count = rng.randrange(5)
    return {"value": rng.randrange(-16, 16) * bool(count), "count": count}


def _function(rng):
    return {"scale": rng.randrange(1, 256, 2), "offset": rng.randrange(256)}


def _perhaps(draw):
    return lambda rng: draw(rng) if rng.random() < 0.4 else None


#: Operator, its join in Python, and a function that draws an item, by name.
KINDS = {
    "count": (Count(COUNT), _added, lambda rng: {"value": rng.randrange(5)}),
    "sum": (Sum("x", VALUE, COUNT), _added, _number),
    "avg": (Avg("x", VALUE, COUNT), _added, _tuples),
    "min": (Min("x", VALUE), _minimum, _number),
    "max": (Max("x", VALUE), _maximum, _number),
    "affine": (Affine(), _composed, _function),
    "optional min": (Optional(Min("x", VALUE)), optional(_minimum), _perhaps(_number)),
    "optional affine": (Optional(Affine()), optional(_composed), _perhaps(_function)),
    "optional avg": (
        Optional(Avg("x", VALUE, COUNT)),  # grows with the number of tuples, and is not invertible
        optional(_added),
        _perhaps(_tuples),
    ),
    "optional sum": (
        Optional(Sum("x", VALUE, COUNT), counted=True),
        optional(_added),
        _perhaps(_number),
    ),
}


class Kind:
    """An operator with its model in Python; with several names, the product of the operators.

    An item is a dict with the state of each operator, by name; a state of ``Optional`` may be None.
    :meth:`state` turns an item into the state for the hardware, and :meth:`item` turns it back.
    """

    def __init__(self, *names):
        self.names = names
        self.parts = {name.replace(" ", "_"): KINDS[name] for name in names}
        self.single = len(names) == 1
        operators = {name: operator for name, (operator, *_) in self.parts.items()}
        self.operator = operators.popitem()[1] if self.single else Product(**operators)

    def draw(self, rng):
        """Returns a random item."""
        return {name: draw(rng) for name, (*_, draw) in self.parts.items()}

    def join(self, left, right):
        """Returns the item of two successive items together."""
        return {name: join(left[name], right[name]) for name, (_, join, _) in self.parts.items()}

    def state(self, item):
        """Returns the state of an item for the hardware; None becomes an arbitrary state without
        ``some``."""
        states = {name: self._part(name, state) for name, state in item.items()}
        return next(iter(states.values())) if self.single else states

    def _part(self, name, state):
        if not isinstance(self.parts[name][0], Optional):
            return state
        if state is not None:
            return {"some": 1, "state": state}
        return {"some": 0, "state": KINDS[name.split("_")[1]][2](random.Random(1))}

    def item(self, state):
        """Returns the item of a state; the inverse of :meth:`state`."""
        states = {self.names[0].replace(" ", "_"): state} if self.single else state
        items = {}
        for name, part in states.items():
            if isinstance(self.parts[name][0], Optional):
                part = part["state"] if part["some"] else None
            items[name] = part
        return items

    def windows(self, items, size, slide):
        """Returns the joined item of each full window."""
        return [
            reduce(self.join, items[begin : begin + size])
            for begin in range(0, len(items) - size + 1, slide)
        ]

    def beats(self, items, rng, lonely):
        """Returns the payloads of a stream; if ``lonely``, the end is a beat without an item."""
        beats = [{"state": self.state(item), "valid": 1, "last": 0} for item in items]
        if items and not lonely:
            beats[-1]["last"] = 1
            return beats
        return [*beats, {"state": self.state(self.draw(rng)), "valid": 0, "last": 1}]


def watch(dut, finished, idle=1_000):
    """Returns a process that raises HangError after ``idle`` cycles without a transfer.

    The process ends when both sides are in ``finished``.
    """

    async def process(ctx):
        quiet = 0
        passes = (dut.i.valid & dut.i.ready) | (dut.o.valid & dut.o.ready)
        while len(finished) < 2:
            _, _, transferred = await ctx.tick().sample(passes)
            quiet = 0 if transferred else quiet + 1
            if quiet > idle:
                raise HangError(f"hang: nothing has passed for {idle} cycles")

    return process


def run(kind, dut, streams, seed, stall_in=0.0, stall_out=0.0, quiet_cycles=0, stamps=()):
    """Runs streams of (items, size, slide) in turn, and compares the rows with the model.

    The bench applies the settings of a stream with its first item, and random settings afterwards.
    ``stamps`` has a (stamp, stride) for each stream, if rows have stamps: row k has the stamp
    stamp + k * stride. No row may leave in the ``quiet_cycles`` after the last row.

    Returns the cycles in which items entered, and the cycles in which rows left.
    """
    rng = random.Random(seed)
    max_size = (1 << len(dut.size)) - 1
    count = sum(len(kind.windows(*stream)) for stream in streams)
    input_cycles, rows, finished = [], [], []

    async def feed(ctx):
        cycle = 0
        for (items, size, slide), numbers in zip_longest(streams, stamps):
            ctx.set(dut.size, size)
            ctx.set(dut.slide, slide)
            for port, value in zip(("stamp", "stride"), numbers or (), strict=False):
                ctx.set(getattr(dut, port), value)
            beats = kind.beats(items, rng, rng.randrange(2))
            for part in (beats[:1], beats[1:]):
                run = await put(ctx, dut.i, part, stall=stall_in, rng=rng)
                input_cycles.extend(cycle + at for at in run.cycles)
                cycle += run.cycles[-1] + 1 if run.cycles else 0
                ctx.set(dut.size, rng.randint(1, max_size))
                ctx.set(dut.slide, rng.randint(1, max_size))
                for port in ("stamp", "stride") if stamps else ():
                    ctx.set(getattr(dut, port), rng.randrange(1 << len(dut.stamp) - 1))
        finished.append("i")

    async def drain(ctx):
        run = await collect(ctx, dut.o, count, stall=stall_out, rng=random.Random(seed + 1))
        rows.append(run)
        ctx.set(dut.o.ready, 1)
        for _ in range(quiet_cycles):
            _, _, valid = await ctx.tick().sample(dut.o.valid)
            assert not valid
        finished.append("o")

    simulate(dut, feed, drain, watch(dut, finished), streams={"i": dut.i, "o": dut.o})
    actual = [kind.item(payload["state"]) for payload in rows[0].payloads]
    expected = [window for stream in streams for window in kind.windows(*stream)]
    assert actual == expected, f"seed {seed}"
    if stamps:
        numbers = [
            first + k * stride
            for stream, (first, stride) in zip(streams, stamps, strict=True)
            for k in range(len(kind.windows(*stream)))
        ]
        assert [payload["stamp"] for payload in rows[0].payloads] == numbers, f"seed {seed}"
    return input_cycles, rows[0].cycles

"""Sliding aggregates in plain Python, by the definition, and a bench that changes settings."""

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
TUPLES = 256  # of a window, at most
VALUE = signed(5)
BITS = 8


class Affine(Operator):
    """Composition of x -> scale * x + offset: tells each item and the order of all."""

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


def _least(left, right):
    return min(left, right, key=lambda state: state["value"])


def _greatest(left, right):
    return max(left, right, key=lambda state: state["value"])


def optional(join):
    """A join of states that may be None, for nothing."""
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


#: Operator, its join in Python, and what draws the state of an item, by name.
KINDS = {
    "count": (Count(COUNT), _added, lambda rng: {"value": rng.randrange(5)}),
    "sum": (Sum("x", VALUE, COUNT), _added, _number),
    "avg": (Avg("x", VALUE, COUNT), _added, _tuples),
    "min": (Min("x", VALUE), _least, _number),
    "max": (Max("x", VALUE), _greatest, _number),
    "affine": (Affine(), _composed, _function),
    "optional min": (Optional(Min("x", VALUE)), optional(_least), _perhaps(_number)),
    "optional affine": (Optional(Affine()), optional(_composed), _perhaps(_function)),
    "optional avg": (
        Optional(Avg("x", VALUE, COUNT)),  # grows with the tuples, and cannot be taken out
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
    """An operator with its model: ``draw`` an item, ``join`` two, ``state`` for the hardware."""

    def __init__(self, *names):
        self.names = names
        self.parts = {name.replace(" ", "_"): KINDS[name] for name in names}
        self.single = len(names) == 1
        operators = {name: operator for name, (operator, *_) in self.parts.items()}
        self.operator = operators.popitem()[1] if self.single else Product(**operators)

    def draw(self, rng):
        return {name: draw(rng) for name, (*_, draw) in self.parts.items()}

    def join(self, left, right):
        return {name: join(left[name], right[name]) for name, (_, join, _) in self.parts.items()}

    def state(self, item):
        """Of an item, as the component takes it; of what is nothing, rubbish."""
        states = {name: self._part(name, state) for name, state in item.items()}
        return next(iter(states.values())) if self.single else states

    def _part(self, name, state):
        if not isinstance(self.parts[name][0], Optional):
            return state
        if state is not None:
            return {"some": 1, "state": state}
        return {"some": 0, "state": KINDS[name.split("_")[1]][2](random.Random(1))}

    def item(self, state):
        """The reverse of ``state``."""
        states = {self.names[0].replace(" ", "_"): state} if self.single else state
        found = {}
        for name, part in states.items():
            if isinstance(self.parts[name][0], Optional):
                part = part["state"] if part["some"] else None
            found[name] = part
        return found

    def windows(self, items, size, slide):
        """What each window that is filled gives."""
        return [
            reduce(self.join, items[begin : begin + size])
            for begin in range(0, len(items) - size + 1, slide)
        ]

    def beats(self, items, rng, lonely):
        """Payloads of a stream; its end on the last item, or, ``lonely``, by itself."""
        beats = [{"state": self.state(item), "valid": 1, "last": 0} for item in items]
        if items and not lonely:
            beats[-1]["last"] = 1
            return beats
        return [*beats, {"state": self.state(self.draw(rng)), "valid": 0, "last": 1}]


def watch(dut, done, idle=1_000):
    """Process that gives up when nothing has passed for so many cycles, until both are ``done``."""

    async def process(ctx):
        quiet = 0
        passes = (dut.i.valid & dut.i.ready) | (dut.o.valid & dut.o.ready)
        while len(done) < 2:
            _, _, some = await ctx.tick().sample(passes)
            quiet = 0 if some else quiet + 1
            if quiet > idle:
                raise HangError(f"hang: nothing has passed for {idle} cycles")

    return process


def run(kind, dut, streams, seed, stall_in=0.0, stall_out=0.0, after=0, stamps=()):
    """Streams of (items, size, slide) one behind the other; the rows, and the cycles of both sides.

    The settings are those of a stream when its first item is offered, and others afterwards.
    ``stamps`` are a (stamp, stride) for each stream, if rows have stamps. ``after`` cycles are
    waited at the end, in which no row may come.
    """
    rng = random.Random(seed)
    most = (1 << len(dut.size)) - 1
    count = sum(len(kind.windows(*stream)) for stream in streams)
    taken, rows, done = [], [], []

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
                taken.extend(cycle + at for at in run.cycles)
                cycle += run.cycles[-1] + 1 if run.cycles else 0
                ctx.set(dut.size, rng.randint(1, most))
                ctx.set(dut.slide, rng.randint(1, most))
                for port in ("stamp", "stride") if stamps else ():
                    ctx.set(getattr(dut, port), rng.randrange(1 << len(dut.stamp) - 1))
        done.append("i")

    async def drain(ctx):
        run = await collect(ctx, dut.o, count, stall=stall_out, rng=random.Random(seed + 1))
        rows.append(run)
        ctx.set(dut.o.ready, 1)
        for _ in range(after):
            _, _, valid = await ctx.tick().sample(dut.o.valid)
            assert not valid
        done.append("o")

    simulate(dut, feed, drain, watch(dut, done), streams={"i": dut.i, "o": dut.o})
    got = [kind.item(payload["state"]) for payload in rows[0].payloads]
    wanted = [window for stream in streams for window in kind.windows(*stream)]
    assert got == wanted, f"seed {seed}"
    if stamps:
        numbers = [
            first + k * stride
            for stream, (first, stride) in zip(streams, stamps, strict=True)
            for k in range(len(kind.windows(*stream)))
        ]
        assert [payload["stamp"] for payload in rows[0].payloads] == numbers, f"seed {seed}"
    return taken, rows[0].cycles

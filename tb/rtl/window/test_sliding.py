"""The sliding aggregates against loops over the definition of a window."""

import random

import pytest
from amaranth.hdl import Module, ResetInserter, Signal, signed
from amaranth.lib import wiring
from amaranth.lib.wiring import In

from rtl.aggregate.count import Count
from rtl.aggregate.max import Max
from rtl.aggregate.operator import Product
from rtl.memory.block import BlockMemory
from rtl.window.sequential import Sequential
from rtl.window.sliding import Sliding
from tb.bench.elaborated import elaborated
from tb.bench.unit import collect, put, run_streams, simulate
from tb.rtl.window.models import TUPLES, Kind, run

# These take the evict path:
INVERTIBLE = ("count", "sum", "avg", "optional sum")
# These take the stacks path:
STACKED = ("min", "max", "affine", "optional min", "optional affine", "optional avg")
MIXED = ("count", "min", "optional sum", "affine", "optional min")
CASES = [
    *((component, (name,)) for component in (Sliding, Sequential) for name in INVERTIBLE + STACKED),
    (Sliding, MIXED),
    (Sliding, ("sum", "avg")),
    (Sliding, ("min", "affine")),
]
CONSTANT = [(Sliding, ("affine",)), (Sliding, ("sum",)), (Sliding, MIXED)]
BOTH = [*CONSTANT, (Sequential, ("affine",))]


def ids(cases):
    return [f"{kind.__name__}-{'+'.join(names)}" for kind, names in cases]


def make(component, names, items_max=16, **options):
    kind = Kind(*names)
    return kind, component(operator=kind.operator, tuples=TUPLES, items_max=items_max, **options)


def draw(kind, rng, length):
    return [kind.draw(rng) for _ in range(length)]


def random_streams(kind, rng, count, items_max):
    """Returns streams of random lengths; many are shorter than a window, some are empty."""
    streams = []
    for _ in range(count):
        size = rng.choice((1, 2, min(3, items_max), items_max - 1, items_max))
        size = rng.choice((size, rng.randint(1, items_max)))
        slide = rng.choice((1, size, rng.randint(1, size)))
        length = rng.choice((0, 1, size - 1, size, rng.randrange(3 * size + 4), 4 * size))
        streams.append((draw(kind, rng, length), size, slide))
    return streams


@pytest.mark.in_turn
@pytest.mark.parametrize(("component", "names"), CASES, ids=ids(CASES))
@pytest.mark.parametrize("stalls", [(0.0, 0.0), (0.5, 0.5)], ids=["free", "stalled"])
def test_random_streams_back_to_back(component, names, stalls):
    rng = random.Random(f"{component.__name__} {names} {stalls}")
    kind, dut = make(component, names)
    streams = random_streams(kind, rng, 24, 16)
    run(kind, dut, streams, rng.randrange(1000), *stalls, quiet_cycles=40)


@pytest.mark.parametrize("name", ["count", "sum", "avg", "optional avg"])
def test_items_narrower_than_windows(name):
    """An item is the state of up to 4 tuples; the sum of 16 great items needs more bits."""
    kind, dut = make(Sliding, (name,), item_tuples=4)
    assert dut.i.p.state.shape().size < dut.o.p.state.shape().size
    rng = random.Random(name)
    heap = max((kind.draw(rng) for _ in range(100)), key=str)
    streams = [([heap] * 40, 16, 1), *random_streams(kind, rng, 12, 16)]
    run(kind, dut, streams, 8, 0.2, 0.2)


@pytest.mark.in_turn
@pytest.mark.parametrize(("component", "names"), BOTH, ids=ids(BOTH))
@pytest.mark.parametrize(("stall_in", "stall_out"), [(0.0, 0.0), (0.6, 0.0), (0.0, 0.6)])
def test_every_size_and_slide(component, names, stall_in, stall_out):
    rng = random.Random(f"{component.__name__} {names} {stall_in}")
    kind, dut = make(component, names, 8)
    settings = [(size, slide) for size in range(1, 9) for slide in range(1, size + 1)]
    rng.shuffle(settings)
    streams = [(draw(kind, rng, 3 * size + slide + 2), size, slide) for size, slide in settings]
    run(kind, dut, streams, 5, stall_in, stall_out)


@pytest.mark.parametrize(("component", "names"), BOTH, ids=ids(BOTH))
@pytest.mark.parametrize("items_max", [2, 4])
def test_the_smallest(component, names, items_max):
    rng = random.Random(items_max)
    kind, dut = make(component, names, items_max)
    run(kind, dut, random_streams(kind, rng, 30, items_max), 7, 0.2, 0.2, quiet_cycles=20)


@pytest.mark.in_turn(5)
@pytest.mark.parametrize(("component", "names"), CONSTANT, ids=ids(CONSTANT))
@pytest.mark.parametrize("size", [1, 2, 3, 4, 5, 63, 64])
def test_a_row_in_every_cycle(component, names, size):
    """Neither side stalls, and every row has the same latency."""
    kind, dut = make(component, names, 64)
    items = draw(kind, random.Random(size), size + 200)
    input_cycles, rows = run(kind, dut, [(items, size, 1)], size)
    assert input_cycles[: len(items)] == list(range(len(items)))
    assert rows == [at + dut.latency for at in range(size - 1, len(items))]


@pytest.mark.parametrize(("component", "names"), CONSTANT, ids=ids(CONSTANT))
def test_streams_follow_without_a_gap(component, names):
    kind, dut = make(component, names)
    rng = random.Random(3)
    streams = random_streams(kind, rng, 12, 16)
    input_cycles, _ = run(kind, dut, streams, 3)
    assert input_cycles == list(range(len(input_cycles)))


@pytest.mark.in_turn(5)
@pytest.mark.parametrize(("component", "names"), CONSTANT, ids=ids(CONSTANT))
@pytest.mark.parametrize(("size", "slide"), [(1, 1), (2, 1), (5, 3), (16, 16)])
def test_a_row_follows_its_last_item(component, names, size, slide):
    kind, dut = make(component, names)
    items = draw(kind, random.Random(size), size + 9 * slide)
    input_cycles, rows = run(kind, dut, [(items, size, slide)], 9, stall_in=0.8)
    assert rows == [at + dut.latency for at in input_cycles[size - 1 : len(items) : slide]]


@pytest.mark.in_turn(5)
@pytest.mark.parametrize(("size", "slide"), [(1, 1), (2, 1), (5, 3), (16, 1), (16, 16)])
@pytest.mark.parametrize("stall_in", [0.0, 0.6, 0.97])
def test_sequential_reads_one_item_per_cycle_after_its_arrival(size, slide, stall_in):
    """If all other items have been read, a row follows its last item after ``latency``."""
    kind, dut = make(Sequential, ("affine",))
    items = draw(kind, random.Random(size), size + 9 * slide)
    input_cycles, rows = run(kind, dut, [(items, size, slide)], 9, stall_in=stall_in)
    expected, read = [], -1
    for begin in range(0, len(items) - size + 1, slide):
        for at in input_cycles[begin : begin + size]:
            read = max(read, at) + 1
        expected.append(read + dut.latency - 1)
    assert rows == expected
    if stall_in > 0.9:
        assert input_cycles[size - 1] + dut.latency == rows[0]


@pytest.mark.parametrize(("size", "slide"), [(1, 1), (4, 1), (4, 3), (7, 7), (16, 1), (16, 5)])
def test_sequential_spends_size_cycles_on_a_window(size, slide):
    kind, dut = make(Sequential, ("affine",))
    windows = 40
    items = draw(kind, random.Random(size), size + (windows - 1) * slide)
    _, rows = run(kind, dut, [(items, size, slide)], 2)
    assert rows[-1] - rows[0] == (windows - 1) * size


def test_sequential_waits_when_its_buffer_is_full():
    kind, dut = make(Sequential, ("min",))
    items = draw(kind, random.Random(4), 60)
    input_cycles, _ = run(kind, dut, [(items, 16, 4)], 2)
    # Then 4 items enter for each window; the first window has been read after 16 + 2 cycles.
    assert input_cycles[:16] == list(range(16))
    assert input_cycles[16:24] == [17, 18, 19, 20, 33, 34, 35, 36]


class Wary(BlockMemory):
    """A memory that delivers wrong data for an address that is written in the cycle of the read."""

    def elaborate(self, platform):
        m = Module()
        m.submodules.real = real = BlockMemory(self._width, self._depth)
        clash = Signal()
        for name, member in self.signature.members.items():
            if member.flow is In:
                m.d.comb += getattr(real, name).eq(getattr(self, name))
        with m.If(self.read_enable):
            m.d.sync += clash.eq(self.write_enable & (self.write_address == self.read_address))
        m.d.comb += self.read_data.eq(real.read_data ^ clash.replicate(self._width))
        return m


@pytest.mark.in_turn(5)
@pytest.mark.parametrize(("component", "names"), BOTH, ids=ids(BOTH))
@pytest.mark.parametrize("stall", [0.0, 0.3])
def test_no_place_is_read_in_the_cycle_of_its_write(monkeypatch, component, names, stall):
    for module in ("stacks_path", "evict_path", "sequential"):
        monkeypatch.setattr(f"rtl.window.{module}.BlockMemory", Wary)
    kind, dut = make(component, names, 8)
    settings = [(size, slide) for size in range(1, 9) for slide in (1, size)]
    rng = random.Random(1)
    streams = [(draw(kind, rng, 4 * size + 1), size, slide) for size, slide in settings]
    run(kind, dut, streams, 6, stall, stall)


@pytest.mark.parametrize(("component", "names"), BOTH, ids=ids(BOTH))
@pytest.mark.parametrize("item_count", [1, 5, 9])
def test_a_reset_in_mid_stream_forgets_it(component, names, item_count):
    kind, dut = make(component, names)
    rng, reset, ready = random.Random(item_count), Signal(), Signal()
    items, actual = draw(kind, rng, 20), []

    async def feed(ctx):
        ctx.set(dut.size, 6)
        ctx.set(dut.slide, 1)
        await put(ctx, dut.i, kind.beats(draw(kind, rng, 12), rng, False)[:item_count])
        ctx.set(reset, 1)
        await ctx.tick()
        ctx.set(reset, 0)
        ctx.set(ready, 1)
        ctx.set(dut.size, 5)
        ctx.set(dut.slide, 2)
        await put(ctx, dut.i, kind.beats(items, rng, False))

    async def drain(ctx):
        ctx.set(dut.o.ready, 1)
        await ctx.tick().until(ready)
        actual.extend((await collect(ctx, dut.o, 8)).payloads)

    simulate(ResetInserter(reset)(dut), feed, drain, streams={"o": dut.o})
    assert [kind.item(row["state"]) for row in actual] == kind.windows(items, 5, 2)


@pytest.mark.in_turn(5)
@pytest.mark.parametrize(("component", "names"), BOTH, ids=ids(BOTH))
@pytest.mark.parametrize("stall_out", [0.0, 0.7])
@pytest.mark.parametrize("item_count", [4, 5, 12])
def test_busy_until_the_last_row_has_left(component, names, stall_out, item_count):
    """Windows of 5 items: 4 items have no row. `Sequential` may be busy for a little longer."""
    kind, dut = make(component, names)
    rng, windows = random.Random(item_count), max(0, item_count - 4)
    beats = kind.beats(draw(kind, rng, item_count), rng, False)

    async def bench(ctx):
        ctx.set(dut.size, 5)
        ctx.set(dut.slide, 1)
        sent = rows = 0
        for _ in range(200):
            is_inside = sent < len(beats)
            ctx.set(dut.i.valid, is_inside)
            ctx.set(dut.i.p, beats[sent] if is_inside else {})
            ctx.set(dut.o.ready, rng.random() >= stall_out)
            _, _, busy, accepted, transferred = await ctx.tick().sample(
                dut.busy, dut.i.valid & dut.i.ready, dut.o.valid & dut.o.ready
            )
            if not is_inside and (component is Sliding or rows < windows):
                assert busy == (rows < windows)
            sent, rows = sent + accepted, rows + transferred
        assert (sent, rows, busy) == (len(beats), windows, 0)

    simulate(dut, bench)


@pytest.mark.regress
@pytest.mark.parametrize(("size", "slide"), [(4096, 1), (4095, 1), (1000, 7)])
def test_a_hundred_thousand_windows(size, slide):
    """Without a pause: an item in every cycle, and the same latency for every row."""
    windows, rng = 100_000 // slide, random.Random(size)
    operator = Product(most=Max("x", signed(33)), all=Count(24))
    dut = Sliding(operator=operator, tuples=1 << 20, items_max=4096)
    items = [(rng.getrandbits(32), rng.randrange(200)) for _ in range(size + slide * (windows - 1))]
    last = len(items) - 1
    beats = [
        {"state": {"most": {"value": x}, "all": {"value": n}}, "valid": 1, "last": k == last}
        for k, (x, n) in enumerate(items)
    ]
    ports = {"size": size, "slide": slide}
    runs = run_streams(dut, {"i": beats}, {"o": windows}, ports=ports)
    input_cycles, rows = runs["i"].cycles, runs["o"]
    assert input_cycles == list(range(len(items)))
    assert rows.cycles == [at + dut.latency for at in input_cycles[size - 1 :: slide]]
    values, counts = ([item[part] for item in items] for part in (0, 1))
    for begin, actual in zip(range(0, slide * windows, slide), rows.payloads, strict=True):
        assert actual["state"]["most"]["value"] == max(values[begin : begin + size])
        assert actual["state"]["all"]["value"] == sum(counts[begin : begin + size])


@pytest.mark.parametrize("items_max", [2, 8, 16])
def test_memory(items_max):
    """The memory has as many items as a window; each memory of the stacks has at least two."""

    def bits(component, *names, **options):
        return elaborated(make(component, names, items_max, **options)[1]).memory_bits

    def state(name, tuples=TUPLES):
        return Kind(name).operator.state(tuples).size

    for name in STACKED:
        assert bits(Sliding, name) == max(items_max, 4) * state(name)
    for name in INVERTIBLE:
        assert bits(Sliding, name) == items_max * state(name)
    for name in INVERTIBLE + STACKED:
        assert bits(Sequential, name) == items_max * state(name)
    # In a product each part takes its own path.
    assert bits(Sliding, *MIXED) == sum(bits(Sliding, name) for name in MIXED)
    # Memories contain items; one memory of the stacks contains states of windows.
    assert bits(Sliding, "sum", item_tuples=1) == items_max * state("sum", 1)
    both = state("optional avg", 4) + state("optional avg")
    assert bits(Sliding, "optional avg", item_tuples=4) == max(items_max, 4) // 2 * both


def test_memory_bits_of_builds_no_component(monkeypatch):
    cases = []
    for component, options in ((Sliding, {}), (Sliding, {"item_tuples": 4}), (Sequential, {})):
        kind, dut = make(component, MIXED, **options)
        cases.append((component, kind.operator, options, elaborated(dut).memory_bits))

    def fail(self, *args, **kwargs):
        raise AssertionError(f"a {type(self).__name__} was made")

    monkeypatch.setattr(wiring.Component, "__init__", fail)
    for component, operator, options, bits in cases:
        sizes = {"operator": operator, "tuples": TUPLES, "items_max": 16} | options
        assert component.memory_bits_of(**sizes) == bits
        with pytest.raises(AssertionError):
            component(**sizes)


@pytest.mark.parametrize("items_max", [0, 1, 12, 16.0])
@pytest.mark.parametrize("component", [Sequential, Sliding])
@pytest.mark.parametrize("name", ["sum", "min"])
def test_items_max_must_be_a_power_of_two(component, name, items_max):
    text = f"^items_max must be a power of two of at least 2, not {items_max}$"
    sizes = {"operator": Kind(name).operator, "tuples": TUPLES, "items_max": items_max}
    for call in (component, component.memory_bits_of):
        with pytest.raises(ValueError, match=text):
            call(**sizes)


@pytest.mark.parametrize("component", [Sequential, Sliding])
def test_tuples_must_be_positive(component):
    for call in (component, component.memory_bits_of):
        with pytest.raises(ValueError, match=r"^tuples must be an integer of at least 1, not 0$"):
            call(operator=Count(4), tuples=0, items_max=4)

"""Checks the way merger against Python's sorted."""

import random
from dataclasses import dataclass, field

import pytest
from amaranth.lib import data

from gen.report.synthesis import synthesise
from gen.verilog.elaboration import to_rtlil
from rtl.sort.order import SortOrder
from rtl.sort.ways import WayMerger
from tb.bench.payload import decode
from tb.bench.sides import as_unsigned
from tb.bench.unit import simulate
from tb.rtl.sort.lists import COUNTED, ORDER, ROW, item_of, payload, random_list


@dataclass
class Job:
    """Sorted lists of items, and their base address in the memory.

    ``pauses`` are the cycles from taking the job to the arrival of the first list, from the first
    to the second list, and so on. ``abort``: number of arrived lists at which the job is aborted.
    """

    base: int
    lists: list
    pauses: list
    abort: int | None = None

    start_cycle: int = 0
    complete: int = 0
    valid: int = 0  # first cycle of an item at o
    output: list = field(default_factory=list)
    cycles: list = field(default_factory=list)

    @property
    def rows(self):
        return sum(map(len, self.lists))

    def expected_items(self):
        """Returns the expected items, with cardinalities summed over all lists."""
        items = [item for items in self.lists for item in items]
        if len(items[0]) == 2:
            return sorted(items)
        counts = {key: {} for key, _, _ in items}
        for number, one in enumerate(self.lists):
            for key, _, count in one:
                counts[key][number] = count
        return sorted((key, value, sum(counts[key].values()) % 256) for key, value, _ in items)


class Bench:
    """Models the memory of a way merger, fills it, and checks the merged tuples."""

    def __init__(self, order, ways, rows, jobs, *, rng, stall=0.0):
        self.rows, self.counted = rows, bool(order.cardinality)
        self.dut = WayMerger(order, ways, rows, 2 * ways * rows)
        self.memory = [self.rubbish(rng) for _ in range(2 * ways * rows)]
        self.jobs, self.rng, self.stall = jobs, rng, stall
        self.pending = list(jobs)
        self.running, self.arrived, self.unread = None, 0, set()
        self.out = [job for job in jobs if job.abort is None]
        self.cycle = 0
        simulate(self.dut, self.run, streams={"o": self.dut.o})

    def rubbish(self, rng):
        count = [rng.randrange(256)] if self.counted else []
        return (rng.randrange(32), rng.randrange(-8, 8), *count)

    def places(self, job, number):
        start = job.base + number * self.rows
        return [(start + k) % len(self.memory) for k in range(len(job.lists[number]))]

    async def run(self, ctx):
        dut, o = self.dut, self.dut.o
        while self.out or self.pending:
            assert self.cycle < 50_000
            self.fill()
            aborts = self.running is not None and self.running.abort == self.arrived
            ctx.set(dut.abort, aborts)
            ctx.set(dut.available, self.arrived)
            ctx.set(o.ready, self.rng.random() >= self.stall)
            self.offer(ctx)
            _, _, is_taken, fetched, read, address, valid, ready, beat = await ctx.tick().sample(
                dut.job.valid & dut.job.ready,
                dut.fetched,
                dut.read,
                dut.address,
                o.valid,
                o.ready,
                as_unsigned(o.p),
            )
            if read:
                ctx.set(dut.data, payload(self.memory[address]))
            self.follow(fetched, address if read else None)
            if valid:
                self.take(ready, decode(o.p.shape(), beat))
            if aborts:
                self.running = None
            if is_taken:
                self.begin()
            self.cycle += 1

    def offer(self, ctx):
        ctx.set(self.dut.job.valid, bool(self.pending))
        if self.pending:
            job = self.pending[0]
            fields = {"base": job.base, "lists": len(job.lists), "tail": len(job.lists[-1])}
            ctx.set(self.dut.job.p, fields)

    def begin(self):
        self.running, self.arrived = self.pending.pop(0), 0
        self.running.start_cycle = self.cycle
        self.pause = self.running.pauses[0]
        self.unread = {
            place
            for number in range(len(self.running.lists))
            for place in self.places(self.running, number)
        }

    def fill(self):
        """Writes arriving lists to the memory."""
        job = self.running
        while job is not None and self.arrived < len(job.lists) and self.arrived != job.abort:
            if self.pause:
                self.pause -= 1
                return
            places = self.places(job, self.arrived)
            for place, item in zip(places, job.lists[self.arrived], strict=True):
                self.memory[place] = item
            self.arrived += 1
            if self.arrived == len(job.lists):
                job.complete = self.cycle
            else:
                self.pause = job.pauses[self.arrived]

    def follow(self, fetched, address):
        """Checks that ``fetched`` follows the last read; then overwrites the job's lists."""
        if self.running is None:
            assert not fetched
            return
        assert fetched == (self.unread == set())
        if fetched:
            for number in range(len(self.running.lists)):
                for place in self.places(self.running, number):
                    self.memory[place] = self.rubbish(self.rng)
            self.unread = None
        elif self.unread:
            self.unread.discard(address)

    def take(self, ready, beat):
        job = self.out[0]
        job.valid = job.valid or self.cycle
        if ready:
            assert beat["valid"] == 1
            job.output.append(item_of(beat["tuples"][0]))
            job.cycles.append(self.cycle)
            assert beat["last"] == (len(job.output) == job.rows)
            if beat["last"]:
                assert job.output == job.expected_items()
                self.out.pop(0)


def count(rng, lists):
    """Adds random cardinalities for the groups of each list."""
    counts = [{key: rng.randrange(200) for key, _ in items} for items in lists]
    return [
        [(*item, own[item[0]]) for item in items] for items, own in zip(lists, counts, strict=True)
    ]


def some_job(rng, ways, rows, *, counted=False, pause=0, abort=False):
    lists = min(ways, rng.choice([1, 2, 3, ways, rng.randint(1, ways)]))
    lengths = [rows] * (lists - 1) + [rng.randint(1, rows)]
    merged_lists = [sorted(random_list(rng, length)) for length in lengths]
    pauses = [rng.choice([0, rng.randint(0, pause)]) for _ in merged_lists]
    base = rng.randrange(2 * ways) * rows
    merged_lists = count(rng, merged_lists) if counted else merged_lists
    return Job(base, merged_lists, pauses, rng.randrange(lists) if abort else None)


@pytest.mark.in_turn
@pytest.mark.parametrize("stall", [0, 0.4])
@pytest.mark.parametrize("order", [ORDER, COUNTED], ids=["plain", "counted"])
@pytest.mark.parametrize(("ways", "rows"), [(2, 4), (4, 1), (8, 4), (16, 2)])
def test_jobs_of_any_size(order, ways, rows, stall):
    """Jobs are merged while lists arrive at different times; some jobs are aborted."""
    rng = random.Random(f"{ways} {rows} {stall}")
    counted = bool(order.cardinality)
    jobs = [
        some_job(rng, ways, rows, counted=counted, pause=pause, abort=rng.random() < 0.2)
        for pause in rng.choices([0, 1, 5, 4 * rows], k=40)
    ]
    jobs.append(some_job(rng, ways, rows, counted=counted))
    Bench(order, ways, rows, jobs, rng=rng, stall=stall)


def arranged(shape, rng, lists, rows):
    """Draws sorted lists with the skew ``shape``."""
    items = sorted((rng.randrange(32), rng.randrange(-8, 8)) for _ in range(lists * rows))
    if shape == "one after the other":
        return [items[k * rows : (k + 1) * rows] for k in range(lists)]
    if shape == "the last first":
        return [items[k * rows : (k + 1) * rows] for k in reversed(range(lists))]
    if shape == "in turn":
        return [items[k::lists] for k in range(lists)]
    if shape == "equal":
        return [[(3, 3)] * rows for _ in range(lists)]
    return [sorted(random_list(rng, rows)) for _ in range(lists)]


@pytest.mark.in_turn(5)
@pytest.mark.parametrize("ways", [2, 8])
@pytest.mark.parametrize(
    "shape", ["one after the other", "the last first", "in turn", "equal", "random"]
)
def test_a_tuple_in_every_cycle(ways, shape):
    rng = random.Random(ways)
    sizes = [lists for lists in (1, 2, 3, 5, 7, 8) if lists <= ways]
    jobs = [Job(0, arranged(shape, rng, n, 8), [0] * n) for n in sizes]
    Bench(ORDER, ways, 8, jobs, rng=rng)
    for job in jobs:
        assert job.cycles == list(range(job.cycles[0], job.cycles[0] + job.rows))


@pytest.mark.in_turn
@pytest.mark.parametrize(("ways", "rows"), [(2, 4), (8, 8), (16, 4)])
def test_the_first_tuple_and_the_next_job(ways, rows):
    """Checks latency with late lists, and the interval with lists available from the start."""
    rng = random.Random(ways)
    for lists in {1, 2, 3, 4, 5, 8, 13, 16} & set(range(ways + 1)):
        merged_lists = arranged("random", rng, lists, rows)
        merged_lists[-1] = merged_lists[-1][: rows // 2 + 1]
        late = Job(0, merged_lists, [40] * lists)
        levels_used = max(1, (lists - 1).bit_length())
        at_once = [Job(0, merged_lists, [0] * lists) for _ in range(2)]
        dut = Bench(ORDER, ways, rows, [late, *at_once], rng=rng).dut
        latency = WayMerger.latency_of(ways, lists)
        assert latency == (ways - 1).bit_length() + 2 + levels_used <= dut.latency
        assert late.valid - late.complete == latency
        period = at_once[1].start_cycle - at_once[0].start_cycle
        if lists <= 2:
            assert period == late.rows + 2 + 2 * lists
        assert period <= late.rows + 6 * lists + 2


@pytest.mark.in_turn
@pytest.mark.parametrize("order", [ORDER, COUNTED], ids=["plain", "counted"])
def test_many_ways(order):
    rng = random.Random(128)
    rows, jobs = 4, []
    for lists in (128, 65, 2, 127):
        merged_lists = [sorted(random_list(rng, rows)) for _ in range(lists)]
        merged_lists = count(rng, merged_lists) if order.cardinality else merged_lists
        jobs.append(Job(0, merged_lists, [rng.choice([0, 6]) for _ in merged_lists]))
    Bench(order, 128, rows, jobs, rng=rng, stall=0.1)


def test_ties_of_any_payload():
    """Ordered by the key alone, every tuple leaves once; tuples of a key in any order."""
    rng = random.Random(5)
    jobs = [some_job(rng, 8, 4) for _ in range(10)]
    for job in jobs:
        job.lists = [sorted(items, key=lambda item: item[0]) for items in job.lists]
        job.expected_items = lambda job=job: sorted(job.output, key=lambda item: item[0])
    Bench(SortOrder(ROW, ("key",)), 8, 4, jobs, rng=rng, stall=0.2)
    for job in jobs:
        assert sorted(job.output) == sorted(item for items in job.lists for item in items)


@pytest.mark.regress
@pytest.mark.parametrize(("cardinality", "luts"), [(0, 2300), (15, 3000)])
def test_128_ways_on_an_fpga(cardinality, luts):
    row = data.StructLayout({"g": 32, "x": 32})
    order = SortOrder(row, ("g", "x"), group="g", cardinality=cardinality)
    # Most recent figures: 2,139 and 2,836, including 940 and 1,212 LUTs of memory.
    report = synthesise(to_rtlil(WayMerger(order, 128, 32, 4096)), "xcup", ".cache")
    assert report.lut + report.lutram <= luts
    assert report.depth <= 8
    assert report.bram36 == 0


def test_wrong_parameters_are_refused():
    for settings, text in (
        ((3, 4, 64), "lanes must be a power of two, not 3"),
        ((1, 4, 64), "ways must be at least 2, not 1"),
        ((8, 4, 16), "depth must be at least 32, not 16"),
    ):
        with pytest.raises(ValueError, match=f"^{text}$"):
            WayMerger(ORDER, *settings)

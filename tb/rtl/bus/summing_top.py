"""A small group-by engine for tests at the pins: its beats, its rows by hand, a sink for rows."""

from rtl.bus.top import SKID_LATENCY
from tb.rtl.engine import group_bench

#: The average of a byte makes the core slow, so that a tuple stays in the core for some cycles.
DESIGN = group_bench.point("uint(8)", "int(8)", "sum(x), avg(x)", lanes=2)
LATENCY = max(latency.cycles for latency in DESIGN.prediction.latencies) + SKID_LATENCY


def beats(tuples):
    """Returns a stream of (g, x), two in a beat."""
    cuts = [tuples[k : k + 2] for k in range(0, len(tuples), 2)]
    return [
        (bytes(v & 0xFF for t in cut for v in t), int(k == len(cuts) - 1))
        for k, cut in enumerate(cuts)
    ]


def sums(tuples):
    """Returns the rows by hand: each group and its sum."""
    rows = {}
    for group, value in tuples:
        rows[group] = rows.get(group, 0) + value
    return list(rows.items())


class Output:
    """Takes beats while it is willing: (cycle, rows, last) of each."""

    def __init__(self, pins):
        self.pins, self.beats, self.willing = pins, [], True
        self.row = len(pins.top.m_axis_tkeep) // 2

    async def process(self, ctx):
        bus = self.pins.bus("m_axis")
        while True:
            ctx.set(bus.tready, self.willing)
            ports = bus.tvalid, bus.tready, bus.tdata, bus.tkeep, bus.tlast
            _, _, valid, ready, data, keep, last = await ctx.tick().sample(*ports)
            if valid and ready:
                rows = [self._row(data, k) for k in range(2) if keep >> self.row * k & 1]
                self.beats.append((self.pins.cycle, rows, last))

    def _row(self, data, lane):
        words = data.to_bytes(2 * self.row, "little")[self.row * lane : self.row * (lane + 1)]
        return words[0], int.from_bytes(words[1:-1], "little", signed=True)

    @property
    def packets(self):
        packets, rows = [], []
        for _, beat_rows, last in self.beats:
            rows += beat_rows
            if last:
                packets.append(rows)
                rows = []
        return packets

"""An AXI4 slave for amaranth's simulator that takes every liberty a memory has.

Each direction is answered in order, as all bursts have one id, and nothing orders one direction
against the other: a write happens at any time from its last beat of data to its answer, and a read
sees the memory at any time from its address to its data. Of two writes to one line the first
happens first, as they have one id. The slave asserts the rules of the master's channels, and that
no read and no write that touch one line are under way at the same time.
"""

from collections import deque
from dataclasses import dataclass, field

from amaranth.hdl import Cat

PAGE, LINE = 4096, 64
ADDRESS = ("addr", "len", "size", "burst", "id")
OKAY, EXOKAY, SLVERR, DECERR = range(4)


@dataclass
class Burst:
    """``lines`` are byte addresses; ``due`` is the cycle from which it may be answered."""

    address: int
    beats: int
    lines: range
    due: int = 0
    data: list = field(default_factory=list)
    early: bool = False
    addressed: bool = False
    stored: bool = False


def fields(word, signals):
    """The values of ``signals`` in the bits of their concatenation."""
    values = []
    for signal in signals:
        values.append(word & ((1 << len(signal)) - 1))
        word >>= len(signal)
    return values


class AxiSlave:
    """A memory behind one master; step it with :meth:`drive` before and :meth:`sample` after.

    Parameters
    ----------
    axi : interface of signature Axi4
    width : int
        Bits of a beat.
    memory : dict of int to int
        Lines of 64 bytes by byte address: those that there are, and no others may be touched.
    rng : random.Random
    latency, delay : int
        Cycles from an address to the first beat, or from the last data to the answer of a write;
        and up to so many more at random.
    stall : float
        Probability that a channel pauses in a cycle, independent for each channel.
    bad_reads, bad_writes : set of int
        Byte addresses of lines with an error in at least one beat.
    """

    def __init__(self, axi, width, memory, rng, **options):
        self.bytes, self.memory, self.rng = width // 8, memory, rng
        self.latency, self.delay = options.get("latency", 1), options.get("delay", 0)
        self.stall = options.get("stall", 0.0)
        self.bad = {k: options.get(f"bad_{k}", frozenset()) for k in ("reads", "writes")}
        self.writes, self.reads = deque(), deque()  # addresses taken, not answered
        # Lines of the bursts that the master has offered and the slave has not answered.
        self.unanswered_lines = {"aw": deque(), "ar": deque()}
        # Fields that the master offered on a channel without a transfer.
        self.pending = dict.fromkeys(("aw", "w", "ar"))
        self.data_owed = deque()  # writes that lack data,
        self.address_owed = deque()  # and those whose address was offered and not taken
        self.offers_answer = {"b": False, "r": False}
        self.cycle = self.bursts_read = self.bursts_written = 0
        self.attach(axi)

    def attach(self, axi):
        """Attaches the slave to another master with the same widths."""
        self.axi = axi
        self.words = {
            channel: [getattr(axi, f"{channel}{name}") for name in names]
            for channel, names in (("aw", ADDRESS), ("ar", ADDRESS), ("w", ("last", "strb")))
        }
        self.control = Cat(axi.awvalid, axi.wvalid, axi.arvalid, axi.bready, axi.rready)
        self.ports = [self.control, axi.wdata, *(Cat(word) for word in self.words.values())]

    @property
    def idle(self):
        return not (self.writes or self.reads or any(self.unanswered_lines.values()))

    def chance(self):
        return not self.stall or self.rng.random() >= self.stall

    def drive(self, ctx):
        axi = self.axi
        self.ready = {channel: self.chance() for channel in ("aw", "w", "ar")}
        for channel, ready in self.ready.items():
            ctx.set(getattr(axi, f"{channel}ready"), ready)
        for channel, bursts in (("b", self.writes), ("r", self.reads)):
            due = bursts and bursts[0].due <= self.cycle
            if not self.offers_answer[channel] and due and self.chance():
                self.offers_answer[channel] = True
                (self.show_write if channel == "b" else self.show_beat)(ctx, bursts[0])
            ctx.set(getattr(axi, f"{channel}valid"), self.offers_answer[channel])

    def show_write(self, ctx, burst):
        if burst.lines[0] in self.bad["writes"]:
            response = self.rng.choice((SLVERR, DECERR))
        else:
            self.store(burst)
            response = self.rng.choice((OKAY, OKAY, EXOKAY))
        ctx.set(self.axi.bresp, response)

    def show_beat(self, ctx, burst):
        address = burst.address
        line, offset = address // LINE * LINE, address % LINE
        value = burst.data[0][line] if burst.early else self.memory[line]
        response = self.rng.choice((OKAY, OKAY, EXOKAY))
        # One beat of a line with an error has the error, always the same beat.
        failing = line // LINE % (LINE // self.bytes) * self.bytes
        if line in self.bad["reads"] and offset == failing:
            response = self.rng.choice((SLVERR, DECERR))
            value = self.rng.getrandbits(8 * LINE)
        ctx.set(self.axi.rdata, value >> 8 * offset & ((1 << 8 * self.bytes) - 1))
        ctx.set(self.axi.rresp, response)
        ctx.set(self.axi.rlast, burst.beats == 1)

    def sample(self, control, wdata, *words):
        """Processes the values of :attr:`ports` at a clock edge; returns True on a transfer."""
        awvalid, wvalid, arvalid, bready, rready = ((control >> k) & 1 for k in range(5))
        assert bready, "an answer is refused"
        assert rready, "a beat is refused"
        offered = {"aw": awvalid, "ar": arvalid, "w": wvalid}
        for (channel, valid), word in zip(offered.items(), words, strict=True):
            self.follow(channel, valid, word, wdata if channel == "w" else 0)
        moved = self.offers_answer["b"] or self.offers_answer["r"]
        moved |= any(offered[channel] and self.ready[channel] for channel in offered)
        if self.offers_answer["b"]:
            self.offers_answer["b"] = False
            self.writes.popleft()
            self.unanswered_lines["aw"].popleft()
        if self.offers_answer["r"]:
            self.offers_answer["r"] = False
            self.end_beat()
        self.cycle += 1
        return moved

    def follow(self, channel, valid, word, wdata):
        pending = self.pending[channel]
        if pending is not None:
            assert valid, f"{channel} withdrawn"
            assert pending == (word, wdata), f"{channel} changed"
        elif valid and channel != "w":
            self.begin(channel, *fields(word, self.words[channel]))
        if valid and channel == "w":
            assert self.data_owed, "data before their address"
        self.pending[channel] = (word, wdata) if valid and not self.ready[channel] else None
        if valid and self.ready[channel]:
            if channel == "w":
                self.take_data(wdata, *fields(word, self.words["w"]))
            else:
                self.take(channel, *fields(word, self.words[channel]))

    def begin(self, channel, address, length, size, kind, number):
        """Checks that an offered burst is legal, and that no unanswered burst has a common line."""
        assert (kind, number) == (1, 0)
        assert 1 << size == self.bytes
        assert address % LINE == 0
        count = (length + 1) * self.bytes
        assert count % LINE == 0, "part of a line"
        assert address // PAGE == (address + count - 1) // PAGE, "across 4 KiB"
        lines = range(address, address + count, LINE)
        assert all(line in self.memory for line in lines), "outside"
        assert channel == "ar" or len(lines) == 1
        other = "aw" if channel == "ar" else "ar"
        for under_way in self.unanswered_lines[other]:
            clash = set(lines) & set(under_way)
            assert not clash, f"{channel} while {other} of {clash} is under way"
        self.unanswered_lines[channel].append(lines)
        if channel == "aw":
            burst = Burst(address, length + 1, lines)
            self.data_owed.append(burst)
            self.address_owed.append(burst)

    def due(self):
        return self.cycle + self.latency + self.rng.randint(0, self.delay)

    def take(self, channel, address, length, *_):
        if channel == "aw":
            burst = self.address_owed.popleft()
            burst.addressed = True
            self.complete(burst)
        else:
            lines = self.unanswered_lines[channel][-1]
            burst = Burst(address, length + 1, lines, self.due(), early=self.rng.random() < 0.5)
            burst.data = [{line: self.memory[line] for line in lines}]
            self.reads.append(burst)
            self.bursts_read += 1

    def take_data(self, wdata, last, strobes):
        burst = self.data_owed[0]
        burst.data.append(wdata)
        assert strobes == (1 << self.bytes) - 1
        assert last == (len(burst.data) == burst.beats)
        if last:
            self.data_owed.popleft()
            self.complete(burst)

    def complete(self, burst):
        """Completes a write whose address and data have arrived."""
        if burst.addressed and len(burst.data) == burst.beats:
            burst.due = self.due()
            self.writes.append(burst)
            self.bursts_written += 1
            if burst.lines[0] not in self.bad["writes"] and self.rng.random() < 0.5:
                for earlier in self.writes:  # this one is the last of them
                    if earlier.lines == burst.lines:
                        self.store(earlier)

    def store(self, burst):
        if not burst.stored:
            words = enumerate(burst.data)
            self.memory[burst.lines[0]] = sum(word << 8 * self.bytes * k for k, word in words)
        burst.stored = True

    def end_beat(self):
        burst = self.reads[0]
        burst.beats -= 1
        burst.address += self.bytes
        if not burst.beats:
            self.reads.popleft()
            self.unanswered_lines["ar"].popleft()

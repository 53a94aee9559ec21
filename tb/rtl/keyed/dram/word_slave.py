"""An AXI4 slave of words for amaranth's simulator, with any order that AXI allows.

A write is executed at any time from its data to its answer. A read samples a word at any time from
its address to its beat. Writes are executed in order. The slave asserts the rules of a master's
channels, and that no word is read before its first write is answered.
"""

from collections import deque
from dataclasses import dataclass, field

from amaranth.hdl import Cat

OKAY, EXOKAY, SLVERR, DECERR = range(4)
PAGE, WORD = 4096, 16


@dataclass
class Write:
    address: int
    data: int
    due: int
    stored: bool = False


@dataclass
class Read:
    words: deque
    due: int
    seen: dict = field(default_factory=dict)
    bad: bool = False


class WordSlave:
    """A memory behind an AXI4 port of 128 bits.

    In each cycle the bench calls :meth:`drive` before the clock edge, and :meth:`sample` after it
    with the values that :attr:`ports` had at the edge.

    Parameters
    ----------
    axi : interface of signature Axi4
    memory : dict of int to int
        Words of 16 bytes by address. The master must access no other words.
    rng : random.Random
    latency, delay : int
        Cycles from an address to the first beat, or from the data to the answer of a write;
        ``delay`` is the greatest random addition.
    stall : float
        Probability that a channel pauses in a cycle, independent for each channel.
    bad_reads, bad_writes : set of int
        Addresses of words with errors.
    """

    def __init__(self, axi, memory, rng, **options):
        self.axi, self.memory, self.rng = axi, memory, rng
        self.latency, self.delay = options.get("latency", 1), options.get("delay", 0)
        self.stall = options.get("stall", 0.0)
        self.bad = {k: options.get(f"bad_{k}", frozenset()) for k in ("reads", "writes")}
        self.addresses, self.data = deque(), deque()  # accepted halves of writes
        self.writes, self.reads = deque(), deque()  # unanswered
        # ``pending``: fields that the master offered on a channel without a transfer.
        # ``offers_answer``: the slave offers an answer on the channel. ``offered``: number of the
        # master's offers.
        self.pending, self.offers_answer = {}, {"b": False, "r": False}
        self.offered = {"aw": 0, "w": 0}
        # ``answered``: addresses whose write was answered. ``read``, ``written``, ``failed``: words
        # of each read, address of each write, and address of each access that got an error.
        self.cycle, self.answered, self.read, self.written, self.failed = 0, set(), [], [], []
        names = {"aw": ("addr", "len", "size", "burst", "id"), "w": ("data", "last", "strb")}
        self.names = names | {"ar": names["aw"]}
        self.ports = [Cat(axi.bready, axi.rready)]
        for channel, fields in self.names.items():
            self.ports += [getattr(axi, f"{channel}valid")]
            self.ports += [getattr(axi, f"{channel}{name}") for name in fields]

    @property
    def idle(self):
        """True if no access is incomplete."""
        return not (self.addresses or self.data or self.writes or self.reads)

    def chance(self):
        return self.rng.random() >= self.stall

    def drive(self, ctx):
        """Sets the slave's signals for a cycle: ``ready`` at random, and answers that are due."""
        axi = self.axi
        self.ready = {channel: self.chance() for channel in ("aw", "w", "ar")}
        for channel, ready in self.ready.items():
            ctx.set(getattr(axi, f"{channel}ready"), ready)
        answers = {"b": (self.writes, self.show_b), "r": (self.reads, self.show_r)}
        for channel, (open_, show) in answers.items():
            due = open_ and open_[0].due <= self.cycle
            if not self.offers_answer[channel] and due and self.chance():
                self.offers_answer[channel] = True
                show(ctx, open_[0])
            ctx.set(getattr(axi, f"{channel}valid"), self.offers_answer[channel])

    def show_b(self, ctx, write):
        """Offers the answer of a write, which is executed now if it was not before."""
        bad = write.address in self.bad["writes"]
        if bad:
            self.failed.append(write.address)
        else:
            self.store(write)
        ctx.set(self.axi.bresp, self.rng.choice((SLVERR, DECERR) if bad else (OKAY, EXOKAY)))

    def show_r(self, ctx, read):
        """Offers the next beat of a read: the word as sampled earlier, or as it is now."""
        address, bad = read.words[0], read.words[0] in self.bad["reads"]
        value = self.rng.getrandbits(128) if bad else read.seen.get(address, self.memory[address])
        ctx.set(self.axi.rdata, value)
        ctx.set(self.axi.rresp, self.rng.choice((SLVERR, DECERR) if bad else (OKAY, EXOKAY)))
        last = len(read.words) == 1
        ctx.set(self.axi.rlast, last)
        read.bad |= bad
        if last and read.bad:
            self.failed.append(address)

    def sample(self, answers, *values):
        """Processes the values of :attr:`ports` at a clock edge; returns True on a transfer."""
        assert answers == 0b11, "an answer is refused"
        moved, at = any(self.offers_answer.values()), 0
        for channel, names in self.names.items():
            valid, *fields = values[at : at + 1 + len(names)]
            at += 1 + len(names)
            moved |= self.follow(channel, valid, fields)
        while self.addresses and self.data:
            self.writes.append(Write(self.addresses.popleft(), self.data.popleft(), self.due()))
            self.written.append(self.writes[-1].address)
            # Executes the first few unanswered writes early.
            for write in list(self.writes)[: self.rng.randrange(len(self.writes) + 1)]:
                self.store(write)
        for read in self.reads:  # a word is sampled at a random time
            address = self.rng.choice(read.words)
            if self.rng.random() < 0.5 and address not in read.seen:
                read.seen[address] = self.memory[address]
        self.take_answers()
        self.cycle += 1
        return moved

    def follow(self, channel, valid, fields):
        """Checks a channel of the master at a clock edge; returns True if it has a transfer."""
        pending = self.pending.pop(channel, None)
        assert pending is None or (valid and pending == fields), f"{channel} withdrawn or changed"
        if not valid:
            return False
        if pending is None and channel in self.offered:
            self.offered[channel] += 1
            assert self.offered["w"] <= self.offered["aw"], "data before their address"
        if not self.ready[channel]:
            self.pending[channel] = fields
            return False
        if channel == "w":
            data, last, strobes = fields
            assert (last, strobes) == (1, 0xFFFF)
            self.data.append(data)
            return True
        address, length, *constants = fields
        assert constants == [4, 1, 0]  # size: 16 bytes; burst: INCR; id
        words = range(address, address + WORD * (length + 1), WORD)
        assert all(word in self.memory for word in words), "outside"
        assert words[0] // PAGE == words[-1] // PAGE, "across 4 KiB"
        if channel == "aw":
            assert length == 0
            self.addresses.append(address)
        else:
            assert self.answered.issuperset(words), "a word that was never written"
            under_way = {*self.addresses, *(write.address for write in self.writes)}
            # A read of 8 words reads two lines. Their words that are still being written belong to
            # the growing line, and the master does not use them.
            assert length == 7 or under_way.isdisjoint(words), "a write of it is under way"
            self.reads.append(Read(deque(words), self.due()))
            self.read.append(words)
        return True

    def due(self):
        return self.cycle + self.latency + self.rng.randint(0, self.delay)

    def store(self, write):
        """Executes a write, unless it was executed before or its address has errors."""
        if not write.stored and write.address not in self.bad["writes"]:
            self.memory[write.address] = write.data
        write.stored = True

    def take_answers(self):
        """Removes the answers on offer: the master accepts every answer at once."""
        if self.offers_answer["b"]:
            self.answered.add(self.writes.popleft().address)
        if self.offers_answer["r"]:
            self.reads[0].words.popleft()
            if not self.reads[0].words:
                self.reads.popleft()
        self.offers_answer = {"b": False, "r": False}

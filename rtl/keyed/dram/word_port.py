"""One AXI4 master that reads and writes words of M2, outside of the chip."""

from amaranth.hdl import Cat, Module, Mux, Signal
from amaranth.lib import data, stream, wiring
from amaranth.lib.wiring import In, Out

from rtl.keyed.dram.word_map import WORD_BITS, WORD_BYTES
from rtl.memory.axi4 import INCR, Axi4
from rtl.stream.queue import StreamQueue

#: Reads that a port has under way at most, unless it is told otherwise.
BURSTS = 16


class WordPort(wiring.Component):
    """Reads words of an entry, and writes one, and lets no write overtake a read.

    ::

        i --+--> reads --> ar              r --> gathered --> o
            +--> turns --> lets writes go when the reads before them have their data
            +--> writes -> aw, w           b --> written

    Always: **a read has nothing of the writes that were ordered after it**, for these go out when
    it has its data. A write that is not answered may or may not be seen: who wants to see it waits
    for ``written``, which comes once for each, in order. Reads never wait for writes, so what is
    inside always goes on. An order's own write waits for its own read, too.

    *AXI.* All bursts have id 0. A read is one burst, a write one beat, its data offered together
    with its address. ``rready`` and ``bready`` are always high: of each read there is a place for
    what it gives.

    *Errors.* A read that is answered with one, in any beat, comes out with ``error``; a write that
    is, is told by ``failed``. Either way everything goes on.

    With nothing else inside and a memory that offers the first beat m cycles after its address was
    taken, a read of n words is at ``o`` m + n + 3 cycles after it was ordered, the latency; a write
    with no read before it is offered 3 cycles after it was. Initiation interval 1 cycle for orders,
    beats, and writes; a read of n words takes n. Reads come at the memory's rate as long as
    ``bursts`` of them cover that latency. A stall at ``o`` stalls ``i`` when ``bursts`` reads wait
    there and ``orders`` behind them.

    Parameters
    ----------
    words : WordMap
    orders : int
        That wait, of reads and of writes, at least 2.
    bursts : int
        Reads under way, and what they gave, at least 2.

    Members
    -------
    i : In(stream.Signature(words.order()))
        With ``reads``, ``writes``, or both.
    base : In(words.base_bits)
        In multiples of 4 KiB. It stays the same while ``busy``.
    o : Out(stream.Signature(words.given()))
        In the order of the reads.
    written : Out(1)
        A write was answered in this cycle, with or without an error.
    failed : Out(1)
        It was with one,
    failed_entry : Out(range(words.entries))
        and of this entry.
    busy : Out(1)
        An order is inside, or not answered.
    m_axi : Out(Axi4(...))

    Source: seed 000, section 3.2 (M2, an SRAM on the board, by words); the order is ours.
    """

    initiation_interval = 1

    def __init__(self, words, *, orders=32, bursts=BURSTS):
        self._words, self._orders, self._bursts = words, orders, bursts
        super().__init__(
            {
                "i": In(stream.Signature(words.order())),
                "base": In(words.base_bits),
                "o": Out(stream.Signature(words.given())),
                "written": Out(1),
                "failed": Out(1),
                "failed_entry": Out(range(words.entries)),
                "busy": Out(1),
                "m_axi": Out(Axi4(data_width=WORD_BITS, address_width=words.address_width)),
            }
        )

    @staticmethod
    def latency_of(words, memory):
        """Cycles from the order of a read of so many words, with a memory of that latency."""
        return memory + words + 3

    @property
    def latency(self):
        """That of one word, with a memory that answers in the cycle in which it is asked."""
        return self.latency_of(1, 0)

    def elaborate(self, platform):
        m = Module()
        m.submodules.reads = reads = StreamQueue(self._words.stretch(), self._orders)
        m.submodules.writes = writes = StreamQueue(self._write_layout(), self._orders)
        m.submodules.turns = turns = StreamQueue(
            data.StructLayout({"reads": 1, "writes": 1}), 2 * self._orders
        )
        order = self.i.p
        room = Signal()
        m.d.comb += [
            room.eq(reads.i.ready & writes.i.ready & turns.i.ready),
            self.i.ready.eq(room),
            *(reads.i.p[name].eq(order[name]) for name in ("entry", "first", "count")),
            reads.i.valid.eq(self.i.valid & room & order.reads),
            *(writes.i.p[name].eq(order[name]) for name in ("entry", "word", "data")),
            writes.i.valid.eq(self.i.valid & room & order.writes),
            turns.i.p.reads.eq(order.reads),
            turns.i.p.writes.eq(order.writes),
            turns.i.valid.eq(self.i.valid & room),
        ]
        arrived, sent = Signal(), Signal()
        m.d.comb += arrived.eq(self.m_axi.rvalid & self.m_axi.rlast)
        reading = self._read(m, reads.o, arrived)
        writing = self._write(m, writes.o, self._take_turns(m, turns.o, arrived, sent), sent)
        m.d.comb += self.busy.eq(reading | writing)
        return m

    def _write_layout(self):
        members = self._words.order().members
        return data.StructLayout({name: members[name] for name in ("entry", "word", "data")})

    def _take_turns(self, m, turn, arrived, sent):
        """Whether a write may go: the reads of its turn and of those before it have arrived."""
        read = Signal(range(2 * self._orders + 1))  # and their turn is still to come
        allowed = Signal(range(self._orders + 1))  # writes that may go
        passes, writes = Signal(), Signal()
        m.d.comb += [
            turn.ready.eq(~turn.p.reads | read.any()),
            passes.eq(turn.valid & turn.ready),
            writes.eq(passes & turn.p.writes),
        ]
        m.d.sync += [
            read.eq(read + arrived - (passes & turn.p.reads)),
            allowed.eq(allowed + writes - sent),
        ]
        return allowed.any()

    def _write(self, m, write, allowed, sent):
        """Address and data of a write, offered together; returns whether one is not answered."""
        axi = self.m_axi
        m.submodules.under_way = under_way = StreamQueue(
            range(self._words.entries), 2 * self._orders
        )
        m.d.comb += [
            sent.eq(
                write.valid
                & allowed
                & under_way.i.ready
                & (~axi.awvalid | axi.awready)
                & (~axi.wvalid | axi.wready)
            ),
            write.ready.eq(sent),
            under_way.i.valid.eq(sent),
            under_way.i.p.eq(write.p.entry),
            under_way.o.ready.eq(axi.bvalid),
            axi.awsize.eq(WORD_BYTES.bit_length() - 1),
            axi.awburst.eq(INCR),
            axi.wstrb.eq(~0),
            axi.wlast.eq(1),
            axi.bready.eq(1),
            self.written.eq(axi.bvalid),
            self.failed.eq(axi.bvalid & axi.bresp[1]),  # SLVERR or DECERR
            self.failed_entry.eq(under_way.o.p),
        ]
        with m.If(axi.awready):
            m.d.sync += axi.awvalid.eq(0)
        with m.If(axi.wready):
            m.d.sync += axi.wvalid.eq(0)
        with m.If(sent):
            m.d.sync += [
                axi.awvalid.eq(1),
                axi.awaddr.eq(self._words.address(self.base, write.p.entry, write.p.word)),
                axi.wvalid.eq(1),
                axi.wdata.eq(write.p.data),
            ]
        return write.valid | under_way.o.valid

    def _read(self, m, read, arrived):
        """Addresses of reads, and what they give; returns whether one is inside."""
        axi = self.m_axi
        m.submodules.gathered = gathered = StreamQueue(self._words.given(), self._bursts)
        m.submodules.firsts = firsts = StreamQueue(range(self._words.words), self._bursts)
        kept = Signal(range(self._bursts + 1))  # reads that have a place at ``gathered``
        goes = Signal()
        m.d.comb += [
            goes.eq(read.valid & (kept != self._bursts) & (~axi.arvalid | axi.arready)),
            read.ready.eq(goes),
            axi.arsize.eq(WORD_BYTES.bit_length() - 1),
            axi.arburst.eq(INCR),
            axi.rready.eq(1),
            firsts.i.valid.eq(goes),
            firsts.i.p.eq(read.p.first),
            firsts.o.ready.eq(arrived),
        ]
        m.d.sync += kept.eq(kept + goes - (self.o.valid & self.o.ready))
        with m.If(axi.arready):
            m.d.sync += axi.arvalid.eq(0)
        with m.If(goes):
            m.d.sync += [
                axi.arvalid.eq(1),
                axi.araddr.eq(self._words.address(self.base, read.p.entry, read.p.first)),
                axi.arlen.eq(read.p.count - 1),
            ]
        self._gather(m, firsts.o.p, gathered.i)
        wiring.connect(m, gathered.o, wiring.flipped(self.o))
        return read.valid | kept.any()

    def _gather(self, m, first, target):
        """Beats of a read go to their places, and with the last all of them to ``target``."""
        axi, words = self.m_axi, self._words.words
        beat, wrong, error = Signal(range(words)), Signal(), Signal()
        place = Signal(range(words))
        before = [Signal(WORD_BITS, name=f"word{k}", reset_less=True) for k in range(words)]
        now = [Mux(place == k, axi.rdata, word) for k, word in enumerate(before)]
        m.d.comb += [
            place.eq(first + beat),
            error.eq(wrong | axi.rresp[1]),
            target.valid.eq(axi.rvalid & axi.rlast),
            target.p.words.as_value().eq(Cat(now)),
            target.p.error.eq(error),
        ]
        with m.If(axi.rvalid):
            m.d.sync += [
                *(word.eq(new) for word, new in zip(before, now, strict=True)),
                beat.eq(Mux(axi.rlast, 0, beat + 1)),
                wrong.eq(error & ~axi.rlast),
            ]

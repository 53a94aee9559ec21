"""An AXI4 master that reads and writes words of M2 outside of the chip."""

from amaranth.hdl import Cat, Module, Mux, Signal
from amaranth.lib import data, stream, wiring
from amaranth.lib.wiring import In, Out

from rtl.keyed.dram.word_map import WORD_BITS, WORD_BYTES
from rtl.memory.axi4 import INCR, Axi4
from rtl.stream.queue import StreamQueue

#: Default of the maximum number of reads without an answer, or with one that waits at ``o``.
BURSTS = 16


class WordPort(wiring.Component):
    """Reads words of an entry and writes single words; no write overtakes a read.

    ::

        i --+--> reads --> ar              r --> gathered --> o
            +--> turns --> allows a write when the reads before it have their data
            +--> writes -> aw, w           b --> written

    **A read never returns the data of later orders**, because a write is sent only after earlier
    reads have their data. A read may or may not return the data of an unanswered write, so the
    parent waits for ``written``, which is high once for each write, in order. If an order has a
    read and a write, the write waits for the read, too. A read in the queue never waits for a
    write, so the port cannot deadlock. For instance with reads of one word, and a memory that
    answers an address after 2 cycles::

        cycle  0         1          2         4              8
        i      read A    write B    read C
        m_axi                       ar A      r A, ar C      aw B, w B

    *AXI.* All bursts have id 0. A read is one burst. A write is one beat, and its data is offered
    together with its address. ``rready`` is always high, because a place is reserved for the
    result of each read; so is ``bready``, because nothing stalls ``written``.

    *Errors.* A read with an error in any beat has ``error`` at ``o``; a write with an error is
    reported by ``failed``. Later orders continue in both cases.

    Assume an idle port, and m cycles from the cycle in which the memory accepts an address to the
    cycle of the first beat. The latency from the order of a read of n words to its result is
    m + n + 2 cycles. A write without a read before it is offered after 3 cycles.

    Initiation interval 1 cycle for orders, beats and writes, and n cycles for a read of n words.
    Reads run at the rate of the memory if ``bursts`` reads cover the latency. A stall at ``o``
    stalls ``i`` when ``bursts`` results, and ``orders`` reads or writes behind them, wait. A memory
    that accepts no write stalls ``i`` when ``orders`` writes wait.

    Parameters
    ----------
    words : WordMap
    orders : int
        Capacity of the queues of reads and of writes, at least 2.
    bursts : int
        Maximum sum of the unanswered reads and the waiting results, at least 2.

    Members
    -------
    i : In(stream.Signature(words.order()))
        With ``reads``, ``writes``, or both.
    base : In(words.base_bits)
        Address of entry 0, in multiples of 4 KiB. Constant while ``busy``.
    o : Out(stream.Signature(words.read_result()))
        Results, in the order of the reads.
    written : Out(1)
        High in a cycle in which a write is answered, with or without an error.
    failed : Out(1)
        High if the write was answered with an error.
    failed_entry : Out(range(words.entries))
        Entry of the failed write.
    busy : Out(1)
        High while an order is inside or unanswered.
    m_axi : Out(Axi4(...))

    Source: seed 000, section 3.2 (M2, an SRAM on the board, by words); the order is ours.
    """

    initiation_interval = 1

    def __init__(self, words, *, orders=32, bursts=BURSTS):
        self._words = words
        self._orders = orders
        self._bursts = bursts
        super().__init__(
            {
                "i": In(stream.Signature(words.order())),
                "base": In(words.base_bits),
                "o": Out(stream.Signature(words.read_result())),
                "written": Out(1),
                "failed": Out(1),
                "failed_entry": Out(range(words.entries)),
                "busy": Out(1),
                "m_axi": Out(Axi4(data_width=WORD_BITS, address_width=words.address_width)),
            }
        )

    @staticmethod
    def latency_of(word_count, memory_latency):
        """Latency from the order of a read to its result, in cycles."""
        return memory_latency + word_count + 2

    @property
    def latency(self):
        """Latency of a read of one word with a memory of latency 0, in cycles."""
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
        arrived = Signal()
        sent = Signal()
        m.d.comb += arrived.eq(self.m_axi.rvalid & self.m_axi.rlast)
        reading = self._read(m, reads.o, arrived)
        writing = self._write(m, writes.o, self._allow_writes(m, turns.o, arrived, sent), sent)
        m.d.comb += self.busy.eq(reading | writing)
        return m

    def _write_layout(self):
        members = self._words.order().members
        return data.StructLayout({name: members[name] for name in ("entry", "word", "data")})

    def _allow_writes(self, m, turn, arrived, sent):
        """Returns a flag: a write may be sent, because its own and all earlier reads arrived."""
        arrived_count = Signal(range(2 * self._orders + 1))  # arrived reads whose turn is queued
        allowed = Signal(range(self._orders + 1))  # writes that may be sent
        transfer = Signal()
        writes = Signal()
        m.d.comb += [
            turn.ready.eq(~turn.p.reads | arrived_count.any()),
            transfer.eq(turn.valid & turn.ready),
            writes.eq(transfer & turn.p.writes),
        ]
        m.d.sync += [
            arrived_count.eq(arrived_count + arrived - (transfer & turn.p.reads)),
            allowed.eq(allowed + writes - sent),
        ]
        return allowed.any()

    def _write(self, m, write, allowed, sent):
        """Sends address and data of a write together; returns a flag: a write is unanswered."""
        axi = self.m_axi
        m.submodules.unanswered = unanswered = StreamQueue(
            range(self._words.entries), 2 * self._orders
        )
        m.d.comb += [
            sent.eq(
                write.valid
                & allowed
                & unanswered.i.ready
                & (~axi.awvalid | axi.awready)
                & (~axi.wvalid | axi.wready)
            ),
            write.ready.eq(sent),
            unanswered.i.valid.eq(sent),
            unanswered.i.p.eq(write.p.entry),
            unanswered.o.ready.eq(axi.bvalid),
            axi.awsize.eq(WORD_BYTES.bit_length() - 1),
            axi.awburst.eq(INCR),
            axi.wstrb.eq(~0),
            axi.wlast.eq(1),
            axi.bready.eq(1),
            self.written.eq(axi.bvalid),
            self.failed.eq(axi.bvalid & axi.bresp[1]),  # SLVERR or DECERR
            self.failed_entry.eq(unanswered.o.p),
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
        return write.valid | unanswered.o.valid

    def _read(self, m, read, arrived):
        """Sends addresses of reads, and queues results; returns a flag: a read or result waits."""
        axi = self.m_axi
        m.submodules.gathered = gathered = StreamQueue(self._words.read_result(), self._bursts)
        m.submodules.firsts = firsts = StreamQueue(range(self._words.words), self._bursts)
        reserved = Signal(range(self._bursts + 1))  # reads with a reserved place at ``gathered``
        sends = Signal()
        m.d.comb += [
            sends.eq(read.valid & (reserved != self._bursts) & (~axi.arvalid | axi.arready)),
            read.ready.eq(sends),
            axi.arsize.eq(WORD_BYTES.bit_length() - 1),
            axi.arburst.eq(INCR),
            axi.rready.eq(1),
            firsts.i.valid.eq(sends),
            firsts.i.p.eq(read.p.first),
            firsts.o.ready.eq(arrived),
        ]
        m.d.sync += reserved.eq(reserved + sends - (self.o.valid & self.o.ready))
        with m.If(axi.arready):
            m.d.sync += axi.arvalid.eq(0)
        with m.If(sends):
            m.d.sync += [
                axi.arvalid.eq(1),
                axi.araddr.eq(self._words.address(self.base, read.p.entry, read.p.first)),
                axi.arlen.eq(read.p.count - 1),
            ]
        self._gather(m, firsts.o.p, gathered.i)
        wiring.connect(m, gathered.o, wiring.flipped(self.o))
        return read.valid | reserved.any()

    def _gather(self, m, first, target):
        """Stores the beats of a read as words, and outputs all words with the last beat."""
        axi = self.m_axi
        words = self._words.words
        beat = Signal(range(words))
        has_error = Signal()
        error = Signal()
        place = Signal(range(words))
        stored_words = [Signal(WORD_BITS, name=f"word{k}", reset_less=True) for k in range(words)]
        current_words = [Mux(place == k, axi.rdata, word) for k, word in enumerate(stored_words)]
        m.d.comb += [
            place.eq(first + beat),
            error.eq(has_error | axi.rresp[1]),
            target.valid.eq(axi.rvalid & axi.rlast),
            target.p.words.as_value().eq(Cat(current_words)),
            target.p.error.eq(error),
        ]
        with m.If(axi.rvalid):
            m.d.sync += [
                *(word.eq(new) for word, new in zip(stored_words, current_words, strict=True)),
                beat.eq(Mux(axi.rlast, 0, beat + 1)),
                has_error.eq(error & ~axi.rlast),
            ]

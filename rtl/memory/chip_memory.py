"""Answers an AXI4 master from a memory on the chip, as a memory outside would."""

from amaranth.hdl import Module, Mux, Signal
from amaranth.lib import data, wiring
from amaranth.lib.wiring import In

from rtl.memory.axi4 import Axi4
from rtl.memory.block import BlockMemory
from rtl.stream.queue import StreamQueue

#: Addresses that may wait in each direction, and responses of writes that may wait.
WAITING = 2
#: Responses of AXI4.
OKAY = 0b00
SLAVE_ERROR = 0b10


class ChipMemory(wiring.Component):
    """Answers an AXI4 master from block RAM or UltraRAM.

    ::

        aw --> addresses --+--> write row --+
        w  ----------------+                +--> BlockMemory --> r
        b  <-- responses --+                |
        ar --> addresses -----> read row ---+

    Invariant: a beat is one row of the memory, and beat n of a burst that begins at row f is at row
    ``(f + n) % depth``. Address bits above the memory are ignored, so an area of at most ``depth``
    beats may begin at any multiple of a beat. For instance with beats of 16 bytes and 1,024 rows,
    byte address 0x4010 is row 1.

    Bursts must be INCR bursts of whole beats: ``burst`` and ``size`` of an address are ignored, and
    a write ends with its ``wlast``, whatever its ``awlen``. A beat of which any strobe bit is 0 is
    not written, and its burst is answered with SLVERR, because the memory has no strobes. A read is
    always answered with OKAY.

    *Order.* Bursts of a direction are carried out one after the other, in the order of their
    addresses. Reads and writes do not wait for each other: a read returns the data of a write whose
    response has left before the read's address came, and undefined data of a row that is written at
    the same time.

    *Stalls.* A stall at ``r`` or ``b`` stalls its direction when all places are taken. A reset
    drops the bursts under way, and keeps the contents.

    Latency 2 cycles from a read's address to its first beat, and 1 cycle from the last beat of a
    write, if its address came before, to its response. Initiation interval 1 cycle for beats, also
    from a burst to the next.

    Parameters
    ----------
    data_width, address_width, id_width : int
        As for :class:`~rtl.memory.axi4.Axi4`.
    depth : int
        Rows, a power of two of at least 2.
    kind : str
        "block" or "ultra", see :class:`~rtl.memory.block.BlockMemory`.

    Members
    -------
    axi : In(Axi4(...))

    Source: seed 000, section 3.2, has this memory (M3) outside; on the chip it is ours.
    """

    latency = StreamQueue.latency + BlockMemory.latency
    initiation_interval = 1

    def __init__(self, *, data_width, address_width, depth, id_width=4, kind="block"):
        self._byte_bits = (data_width // 8).bit_length() - 1  # address bits of a byte in a beat
        least_width = self._byte_bits + (depth - 1).bit_length()
        if address_width < least_width:
            raise ValueError(
                f"address_width must be at least {least_width} for {depth} rows of {data_width} "
                f"bits, not {address_width}"
            )
        self._rows = BlockMemory(data_width, depth, kind)
        axi = Axi4(data_width=data_width, address_width=address_width, id_width=id_width)
        super().__init__({"axi": In(axi)})

    @staticmethod
    def depth_of(size, data_width):
        """Returns the number of rows of the smallest memory for ``size`` bytes.

        For instance 1,000 bytes take 63 beats of 128 bits, so 64 rows.
        """
        rows = -(-8 * size // data_width)
        return max(2, 1 << (rows - 1).bit_length())

    def elaborate(self, platform):
        m = Module()
        m.submodules.rows = self._rows
        self._write(m)
        self._read(m)
        return m

    def _row_of(self, address):
        """Returns the row of a byte address."""
        width = len(self._rows.read_address)
        return address[self._byte_bits : self._byte_bits + width]

    def _write(self, m):
        """Writes beats in the order of their addresses, and answers each burst."""
        axi = self.axi
        rows = self._rows
        address = data.StructLayout({"id": len(axi.awid), "row": len(rows.write_address)})
        response = data.StructLayout({"id": len(axi.bid), "resp": len(axi.bresp)})
        m.submodules.write_addresses = addresses = StreamQueue(address, WAITING)
        m.submodules.responses = responses = StreamQueue(response, WAITING)
        burst = addresses.o
        beat = Signal.like(rows.write_address)
        fires = axi.wvalid & axi.wready
        is_whole = axi.wstrb.all()
        had_error = Signal()
        m.d.comb += [
            addresses.i.valid.eq(axi.awvalid),
            axi.awready.eq(addresses.i.ready),
            addresses.i.p.id.eq(axi.awid),
            addresses.i.p.row.eq(self._row_of(axi.awaddr)),
            axi.wready.eq(burst.valid & responses.i.ready),
            rows.write_address.eq(burst.p.row + beat),
            rows.write_data.eq(axi.wdata),
            rows.write_enable.eq(fires & is_whole),
            burst.ready.eq(fires & axi.wlast),
            responses.i.valid.eq(fires & axi.wlast),
            responses.i.p.id.eq(burst.p.id),
            responses.i.p.resp.eq(Mux(had_error | ~is_whole, SLAVE_ERROR, OKAY)),
            axi.bvalid.eq(responses.o.valid),
            axi.bid.eq(responses.o.p.id),
            axi.bresp.eq(responses.o.p.resp),
            responses.o.ready.eq(axi.bready),
        ]
        with m.If(fires):
            m.d.sync += [
                beat.eq(Mux(axi.wlast, 0, beat + 1)),
                had_error.eq(~axi.wlast & (had_error | ~is_whole)),
            ]

    def _read(self, m):
        """Reads beats in the order of their addresses.

        The memory holds the row that it has read last, so ``r`` needs no register for data.
        """
        axi = self.axi
        rows = self._rows
        address = data.StructLayout(
            {"id": len(axi.arid), "row": len(rows.read_address), "more": len(axi.arlen)}
        )
        m.submodules.read_addresses = addresses = StreamQueue(address, WAITING)
        burst = addresses.o
        beat = Signal.like(axi.arlen)
        reads = Signal()
        is_last = beat == burst.p.more
        m.d.comb += [
            addresses.i.valid.eq(axi.arvalid),
            axi.arready.eq(addresses.i.ready),
            addresses.i.p.id.eq(axi.arid),
            addresses.i.p.row.eq(self._row_of(axi.araddr)),
            addresses.i.p.more.eq(axi.arlen),
            reads.eq(burst.valid & (~axi.rvalid | axi.rready)),
            rows.read_address.eq(burst.p.row + beat),
            rows.read_enable.eq(reads),
            burst.ready.eq(reads & is_last),
            axi.rdata.eq(rows.read_data),
            axi.rresp.eq(OKAY),
        ]
        with m.If(reads):
            m.d.sync += [
                axi.rvalid.eq(1),
                axi.rid.eq(burst.p.id),
                axi.rlast.eq(is_last),
                beat.eq(Mux(is_last, 0, beat + 1)),
            ]
        with m.Elif(axi.rready):
            m.d.sync += axi.rvalid.eq(0)

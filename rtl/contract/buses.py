"""Describes the buses at the top of an engine, except registers: streams and memory masters."""

from dataclasses import dataclass

from amaranth.lib import data

from rtl.contract.packing import Packing


@dataclass(frozen=True, kw_only=True)
class StreamBus:
    """Describes an AXI4-Stream at the top, and the stream of beats that connects it to the core.

    A *beat* is an item of the core's stream, a *transfer* an item of the AXI4-Stream. For instance
    with 2 lanes of tuples of 12 bytes a beat has 24 bytes. If ``bits`` is None, a transfer is a
    beat. If ``bits`` is 64, a gearbox makes a beat out of three transfers of 8 bytes.

    Attributes
    ----------
    name : str
        Prefix of the flat ports, such as ``s_axis``. Names of slaves begin with ``s``, names of
        masters with ``m``.
    port : str
        Name of the core's member, a stream of beats (:mod:`rtl.stream.beat`).
    layout : data.StructLayout
        Layout of a tuple or a row. Its leaves, in order, are the fields of ``packing``.
    packing : Packing
        Position of each field in the bytes of a tuple or row.
    lanes : int
        Number of tuples or rows in a beat.
    gaps : bool
        Slaves only: any beat may be short, not only the last beat of a stream, and may have gaps
        between its tuples.
    user : int
        Width of ``tuser`` in bits; 0 for a bus without ``tuser``.
    settings : int
        Slaves only: bits of the settings that are sampled with a stream's first beat. All beats of
        the stream carry the settings as their context.
    bits : int or None
        Width of ``tdata`` in bits if bytes are packed densely; None if ``tdata`` is as wide as a
        beat.
    short : int or None
        Slaves with ``bits`` only: every transfer may be short, and its length is a multiple of this
        number of bytes. None: only the last transfer of a stream may be short.
    """

    name: str
    port: str
    layout: data.StructLayout
    packing: Packing
    lanes: int
    gaps: bool = False
    user: int = 0
    settings: int = 0
    bits: int | None = None
    short: int | None = None

    @property
    def slave(self):
        """True if the stream goes into the engine."""
        return self.name.startswith("s")

    @property
    def beat_bytes(self):
        """Bytes of the tuples or rows of a beat."""
        return self.packing.bytes * self.lanes

    @property
    def bytes(self):
        """Width of ``tdata`` in bytes."""
        return self.beat_bytes if self.bits is None else self.bits // 8

    @property
    def geared(self):
        """True if a gearbox must convert between transfers and beats, because their widths differ
        or any transfer may be short."""
        return self.bytes != self.beat_bytes or self.short is not None


@dataclass(frozen=True, kw_only=True)
class MemoryBus:
    """Describes an AXI4 memory master at the top, and the core's master with the same signals.

    Attributes
    ----------
    name : str
        Prefix of the flat ports, such as ``m_axi`` or ``m_axi_0``.
    port : str
        Name of the core's member, of signature :class:`rtl.memory.axi4.Axi4`.
    data_width : int
        Bits of a beat of data: 32 to 1024, a power of two.
    address_width : int
        Bits of a byte address.
    id_width : int
        Bits of a transaction's ID.
    sram : bool
        The memory answers soon, as an SRAM does, so simulations put no DRAM model behind the bus.
    reads, writes : int
        Maximum number of read bursts, and of write bursts, that the core has under way. Some tools
        ask for both numbers.
    """

    name: str
    port: str
    data_width: int
    address_width: int
    id_width: int = 4
    sram: bool = False
    reads: int = 1
    writes: int = 1

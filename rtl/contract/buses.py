"""The buses of an engine's top beside its registers: streams and memory masters."""

from dataclasses import dataclass

from amaranth.lib import data

from rtl.contract.packing import Packing


@dataclass(frozen=True, kw_only=True)
class StreamBus:
    """An AXI4-Stream at the top, and the stream of beats of the core behind it.

    Attributes
    ----------
    name : str
        Of the flat ports, such as ``s_axis``: slaves begin with ``s``, masters with ``m``.
    port : str
        The core's member: a stream of beats (:mod:`rtl.stream.beat`).
    layout : data.StructLayout
        A tuple or a row of a beat. Its leaves, in order, are the fields of ``packing``.
    packing : Packing
    lanes : int
    gaps : bool
        Of a slave: beats may be short anywhere.
    user : int
        Width of ``tuser``; 0 without.
    settings : int
        Of a slave: bits of the settings that are sampled with a stream's first beat, and go along
        as the beats' context.
    bits : int or None
        Of ``tdata``, with bytes packed densely; None is as wide as a beat.
    short : int or None
        Of a slave with ``bits``: every transfer may be short, by a multiple of so many bytes. None:
        only the last one of a stream.
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
        """Whether the stream goes into the engine."""
        return self.name.startswith("s")

    @property
    def beat_bytes(self):
        """Bytes of the tuples or rows of a beat."""
        return self.packing.bytes * self.lanes

    @property
    def bytes(self):
        """Bytes of ``tdata``."""
        return self.beat_bytes if self.bits is None else self.bits // 8

    @property
    def geared(self):
        """Whether transfers must be made into beats, or beats into transfers."""
        return self.bytes != self.beat_bytes or self.short is not None


@dataclass(frozen=True, kw_only=True)
class MemoryBus:
    """An AXI4 memory master at the top, and the same signals at the core.

    Attributes
    ----------
    name : str
        Of the flat ports, such as ``m_axi`` or ``m_axi_0``.
    port : str
        The core's member, of signature :class:`rtl.memory.axi4.Axi4`.
    data_width : int
        Bits of a beat of data: 32 to 1024, a power of two.
    address_width : int
        Bits of a byte address.
    id_width : int
    sram : bool
        It is for a memory that answers soon, such as an SRAM: no DRAM is simulated behind it.
    reads, writes : int
        Bursts of each direction that the core has under way at most, for tools that ask for it.
    """

    name: str
    port: str
    data_width: int
    address_width: int
    id_width: int = 4
    sram: bool = False
    reads: int = 1
    writes: int = 1

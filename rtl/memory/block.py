"""A simple dual port memory of block RAM, cut into slices of little waste, or of UltraRAM."""

from amaranth.hdl import Cat, Module, Mux, Signal
from amaranth.lib import memory, wiring
from amaranth.lib.wiring import In, Out

#: Shapes of a block RAM of 36 Kibit: entries, bits of an entry. Half a block RAM has half the
#: entries, of at most HALF_BITS.
SHAPES = ((32768, 1), (16384, 2), (8192, 4), (4096, 9), (2048, 18), (1024, 36), (512, 72))
HALF_BITS = 36

#: Kinds of memory, which are values of the attribute ``ram_style`` of synthesis tools.
KINDS = ("block", "ultra")

#: A memory of up to SHALLOW entries or SMALL bits is too small for block RAM.
SHALLOW = 32
SMALL = 1024


def cut(width, depth):
    """Returns the cheapest cut of a memory: ``(slices, halves)``.

    ``slices`` is a list of (bits, entries). A slice has ``bits`` bits of each entry, in memories of
    ``entries`` entries. ``halves`` is the cost of all slices, in half block RAMs.
    """
    kinds = []
    for entries, bits in SHAPES:
        for halves in (1, 2) if bits <= HALF_BITS else (2,):
            deep = entries * halves // 2
            memories = max(1, depth // deep)
            # Among equal costs the fewest memories, because reading selects among the memories.
            kinds.append((memories * halves, memories, bits, min(depth, deep)))
    best = [(0, 0, ())]
    for covered in range(1, width + 1):
        best.append(
            min(
                (cost + halves, count + memories, (*slices, (min(bits, covered), deep)))
                for halves, memories, bits, deep in kinds
                for cost, count, slices in [best[max(0, covered - bits)]]
            )
        )
    halves, _, slices = best[width]
    return list(slices), halves


class BlockMemory(wiring.Component):
    """A memory with one port to write and one to read.

    Synthesis tools cut a memory into equal shapes, for instance 8192 entries of 256 bits into 64
    block RAMs of 8192 x 4. BlockMemory cuts the memory itself, each slice in the shape of a block
    RAM that the slice fills best. The example then takes 57 block RAMs, most of them pairs of
    4096 x 9; a register stores the address bit that selects one memory of a pair.

    ``read_data`` is valid in the cycle after ``read_enable``, until the next read. A read from an
    address in the cycle of a write to the address returns undefined data.

    The shapes fit the block RAM of Xilinx's 7 series and later; other families build the slices
    from their own memories. A memory too small for block RAM is one slice, and the tool selects its
    kind.

    *UltraRAM* of some UltraScale+ devices has one shape, 4096 x 72, so a memory of the ``kind``
    "ultra" is one slice. If it is not too small, the Verilog has the attribute but no initial
    contents (:func:`gen.verilog.elaboration.to_rtlil`), because UltraRAM cannot be initialized. So
    no design may rely on initial contents of UltraRAM. Block RAM begins with zeros.

    Latency 1 cycle. Initiation interval 1 cycle, for a read and a write together.

    Parameters
    ----------
    width : int
        Bits of an entry.
    depth : int
        Entries, a power of two of at least 2.
    kind : str
        "block" or "ultra".

    Members
    -------
    write_address : In(range(depth))
    write_data : In(width)
    write_enable : In(1)
    read_address : In(range(depth))
    read_enable : In(1)
    read_data : Out(width)

    Source: ours.
    """

    latency = 1
    initiation_interval = 1

    def __init__(self, width, depth, kind="block"):
        self._bits = self.bits_of(width, depth)
        if kind not in KINDS:
            raise ValueError(f"kind must be one of {', '.join(KINDS)}, not {kind!r}")
        self._width = width
        self._depth = depth
        self._kind = kind
        super().__init__(
            {
                "write_address": In(range(depth)),
                "write_data": In(width),
                "write_enable": In(1),
                "read_address": In(range(depth)),
                "read_enable": In(1),
                "read_data": Out(width),
            }
        )

    @staticmethod
    def bits_of(width, depth):
        """Returns the bits of a memory without making it; raises ValueError for a wrong size."""
        if not isinstance(width, int) or width < 1:
            raise ValueError(f"width must be an integer of at least 1, not {width!r}")
        if not isinstance(depth, int) or depth < 2 or depth & (depth - 1):
            raise ValueError(f"depth must be a power of two of at least 2, not {depth!r}")
        return width * depth

    @property
    def bits(self):
        return self._bits

    @property
    def slices(self):
        """Pairs (bits, entries of a memory) of the slices, from the lowest bits on."""
        if self._kind == "ultra" or self._depth <= SHALLOW or self.bits <= SMALL:
            return [(self._width, self._depth)]
        return cut(self._width, self._depth)[0]

    def elaborate(self, platform):
        m = Module()
        start = 0
        pieces = []
        for k, (bits, entries) in enumerate(self.slices):
            data = self.write_data[start : start + bits]
            pieces.append(self._slice(m, f"slice{k}", data, entries))
            start += bits
        m.d.comb += self.read_data.eq(Cat(pieces))
        return m

    def _slice(self, m, name, data, entries):
        """Makes the memories of a slice, and returns the slice of ``read_data``."""
        low = (entries - 1).bit_length()
        parts = [
            self._memory(m, f"{name}_{part}", data, entries, low, part)
            for part in range(self._depth // entries)
        ]
        choice = Signal(len(self.read_address) - low, name=f"{name}_choice")
        with m.If(self.read_enable):
            m.d.sync += choice.eq(self.read_address[low:])
        for bit in choice:
            parts = [Mux(bit, b, a) for a, b in zip(parts[::2], parts[1::2], strict=True)]
        return parts[0]

    def _memory(self, m, name, data, entries, low, part):
        """Makes the memory of a slice for the entries whose high address bits are ``part``."""
        small = entries <= SHALLOW or entries * len(data) <= SMALL
        attrs = {} if small else {"ram_style": self._kind}
        store = memory.Memory(shape=len(data), depth=entries, init=[], attrs=attrs)
        m.submodules[name] = store
        writer = store.write_port()
        reader = store.read_port()
        m.d.comb += [
            writer.addr.eq(self.write_address[:low]),
            writer.data.eq(data),
            writer.en.eq(self.write_enable & (self.write_address[low:] == part)),
            reader.addr.eq(self.read_address[:low]),
            reader.en.eq(self.read_enable),
        ]
        return reader.data

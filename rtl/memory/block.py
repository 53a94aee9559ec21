"""A simple dual port memory of block RAM, cut by hand so that little is wasted, or of UltraRAM."""

from amaranth.hdl import Cat, Module, Mux, Signal
from amaranth.lib import memory, wiring
from amaranth.lib.wiring import In, Out

#: What a block RAM of 36 Kibit can be: entries, bits of an entry. Half of one, half the entries.
SHAPES = ((32768, 1), (16384, 2), (8192, 4), (4096, 9), (2048, 18), (1024, 36), (512, 72))

#: What can be asked of synthesis tools, by the values of ``ram_style``.
KINDS = ("block", "ultra")

#: Up to so many entries, or so many bits altogether, a memory is no work for block RAM.
SHALLOW, SMALL = 32, 1024


def cut(width, depth):
    """The cheapest cut of a memory: ``(slices, halves)``.

    ``slices`` is a list of (bits, entries): so many bits of each entry lie in memories of so many
    entries. ``halves`` is what they take, in half block RAMs.
    """
    kinds = []
    for entries, bits in SHAPES:
        for halves in (1, 2):
            deep = entries * halves // 2
            memories = max(1, depth // deep)
            # Of equal ones that with the fewest memories, for each has to be chosen in reading.
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

    Synthesis tools cut a memory all in one shape, for instance 8192 entries of 256 bits into 64
    block RAMs of 8192 x 4. Here it is cut beforehand, each slice in the shape of a block RAM that
    it fills best: that memory takes 57, most of them 4096 x 9 in pairs, where the address bit that
    chooses among a pair is kept for the cycle in which the data comes.

    ``read_data`` is there in the cycle after ``read_enable``, and held until the next one. What is
    read from an address in the cycle that writes to it is undefined.

    The shapes are those of the block RAM of Xilinx's 7 series and later; other families build the
    slices as they can. Memories too small for block RAM are one piece, left to the tool.

    *UltraRAM*, which some UltraScale+ devices have, has one shape, 4096 x 72, so a memory of the
    ``kind`` "ultra" is one piece. Its attribute is part of what is shipped, and no initial contents
    are (:func:`gen.verilog.elaboration.to_rtlil`), for UltraRAM can be given none: nobody may rely
    on any.

    Latency 1 cycle, a read and a write in every cycle.

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
        self._width, self._depth, self._kind = width, depth, kind
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
        """Bits of such a memory, without making one; ValueError if there can be none."""
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
        """(bits, entries of a memory) of each slice, from the lowest bits on."""
        if self._kind == "ultra" or self._depth <= SHALLOW or self.bits <= SMALL:
            return [(self._width, self._depth)]
        return cut(self._width, self._depth)[0]

    def elaborate(self, platform):
        m = Module()
        start, pieces = 0, []
        for k, (bits, entries) in enumerate(self.slices):
            data = self.write_data[start : start + bits]
            pieces.append(self._slice(m, f"slice{k}", data, entries))
            start += bits
        m.d.comb += self.read_data.eq(Cat(pieces))
        return m

    def _slice(self, m, name, data, entries):
        """Some bits of all entries; returns those that have been read."""
        low = (entries - 1).bit_length()
        found = [
            self._memory(m, f"{name}_{part}", data, entries, low, part)
            for part in range(self._depth // entries)
        ]
        choice = Signal(len(self.read_address) - low, name=f"{name}_choice")
        with m.If(self.read_enable):
            m.d.sync += choice.eq(self.read_address[low:])
        for bit in choice:
            found = [Mux(bit, b, a) for a, b in zip(found[::2], found[1::2], strict=True)]
        return found[0]

    def _memory(self, m, name, data, entries, low, part):
        """The memory of one slice for the entries whose high address bits are ``part``."""
        small = entries <= SHALLOW or entries * len(data) <= SMALL
        attrs = {} if small else {"ram_style": self._kind}
        store = memory.Memory(shape=len(data), depth=entries, init=[], attrs=attrs)
        m.submodules[name] = store
        writer, reader = store.write_port(), store.read_port()
        m.d.comb += [
            writer.addr.eq(self.write_address[:low]),
            writer.data.eq(data),
            writer.en.eq(self.write_enable & (self.write_address[low:] == part)),
            reader.addr.eq(self.read_address[:low]),
            reader.en.eq(self.read_enable),
        ]
        return reader.data

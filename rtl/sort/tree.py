"""The parallel merge tree: sorted single tuples at the leaves, P tuples per cycle at the root."""

from amaranth.hdl import Module
from amaranth.lib import stream, wiring
from amaranth.lib.wiring import In, Out

from rtl.network.plan import log2
from rtl.sort.flims import FlimsMerger
from rtl.stream.beat import beat


class MergeTree(wiring.Component):
    """Merges one sorted list from each of P leaves into one list.

    ::

        leaf 0 --+ 2 wide
        leaf 1 --+--------+ 4 wide
        leaf 2 --+--------+--------  root
        leaf 3 --+ 2 wide

    List k of the root is the merge of the lists k of all leaves, e.g. of 1 5, 2 9, 3 4 and 6 7 with
    4 leaves: 1 2 3 4, 5 6 7 9. The lists k of all leaves must have the same number of beats, at
    least one; a leaf with fewer tuples appends *pads*, beats that are not valid, and an empty leaf
    sends pads only. The tuples of the pads must ascend, for example be all equal, because mergers
    compare the tuples of pads, too. If pads descended, a merger could pop its banks unevenly, until
    one bank is full while another is empty, and stall forever. The root removes the pads. Ends of
    lists, ties and stalls are those of :class:`~rtl.sort.flims.FlimsMerger`.

    A leaf supplies one tuple per cycle, so the root outputs P tuples per cycle only while the least
    tuples are spread over all leaves. The banks of the mergers let a leaf run ahead of the other
    leaves: a larger ``depth`` stalls leaves later.

    Latency from the first beats of all leaves to the first beat of the root: the sum of the
    mergers' latencies, and up to P cycles more, because a merger waits for the second half of its
    first row. For instance with 8 leaves it is 7 cycles more if one leaf has the 8 least tuples.
    Initiation interval 1 cycle.

    Parameters
    ----------
    order : SortOrder
    lanes : int
        P, a power of two of at least 2.
    depth : int
        Entries of each bank in the mergers, a power of two of at least 8.

    Members
    -------
    leaf0, leaf1, ... : In(stream.Signature(beat(order.row, 1)))
    o : Out(stream.Signature(beat(order.row, lanes)))

    Source: seed 003, section 3.3 and figure 9 (PMT).
    """

    initiation_interval = 1

    def __init__(self, order, lanes, *, depth=16):
        if log2(lanes) < 1:
            raise ValueError(f"lanes must be at least 2, not {lanes}")
        self._levels = [
            [
                FlimsMerger(
                    order,
                    2 << level,
                    input_lanes=1 << level,
                    strip=2 << level == lanes,
                    depth=depth,
                )
                for _ in range(lanes >> level + 1)
            ]
            for level in range(log2(lanes))
        ]
        self._order = order
        self._lanes = lanes
        leaf = beat(order.row, 1)
        root = beat(order.row, lanes)
        leaves = {f"leaf{k}": In(stream.Signature(leaf)) for k in range(lanes)}
        super().__init__({**leaves, "o": Out(stream.Signature(root))})

    @staticmethod
    def latency_of(order, lanes):
        """Latency summed over the levels, in cycles; 0 for one lane, which has no tree."""
        return sum(FlimsMerger.latency_of(order, 2 << level) for level in range(log2(lanes)))

    @property
    def latency(self):
        return self.latency_of(self._order, self._lanes)

    def elaborate(self, platform):
        m = Module()
        sources = [wiring.flipped(getattr(self, f"leaf{k}")) for k in range(self._lanes)]
        for k, level in enumerate(self._levels):
            for number, merger in enumerate(level):
                m.submodules[f"merger{k}_{number}"] = merger
                wiring.connect(m, sources[2 * number], merger.a)
                wiring.connect(m, sources[2 * number + 1], merger.b)
            sources = [merger.o for merger in level]
        wiring.connect(m, sources[0], wiring.flipped(self.o))
        return m

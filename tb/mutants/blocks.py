"""Table of the blocks that have a bench in cocotb: the files of each block, and the bench's run.

The named tests of a mutant are those that notice it soonest. A bench that somebody only reads, runs
or extends must notice mistakes as well: `python -m tb.mutants --cocotb` runs the mutants of each
block by the block's bench instead.
"""

from dataclasses import dataclass, replace
from importlib import import_module

from tb.mutants.catalogue import choose

#: Share of the mutants that the benches must notice.
REQUIRED = 0.9

#: Files of the network face.
FACE = (
    *("arp", "datagrams", "echo", "face", "frame_arbiter", "frame_buffer", "frame_check"),
    *("ip_checksum", "ip_header", "ip_writer", "ipv4", "mac_header", "ones_sum", "realign"),
    *("transmit", "udp_port"),
)
#: Bench of the decompressor, whose points have the codecs in the order of the compressor's points.
DECOMPRESSOR = "keyed/test_decompressor.py::test_decompressor"


@dataclass(frozen=True)
class Block:
    """A block, and the run of its bench that must notice the mutants of the block.

    Attributes
    ----------
    name : str
        Name of the block, as in `make cocotb BLOCK=...`; with the codec, if the block has one.
    bench : str
        The test: ``sort/test_flims.py::test_flims``, from the folder ``tb/cocotb``.
    files : tuple of str
        Files of ``rtl`` whose mutants the run must notice. A file that several blocks use stands
        with the smallest block.
    point : int
        Number of the design point, from 0 on.
    second_bench : str
        Another test that must notice the mutants if ``bench`` does not, with the same point: the
        decompressor's for a file that both encodes and decodes. "" stands for none.
    simulator : str
        The simulator that takes less time for the block, with the time to build the model.
    """

    name: str
    bench: str
    files: tuple[str, ...]
    point: int = 0
    second_bench: str = ""
    simulator: str = "icarus"

    def runs(self):
        """Returns the names of the runs of its benches, in pytest's form."""
        return tuple(self._run(bench) for bench in (self.bench, self.second_bench) if bench)

    def _run(self, bench):
        file, _, test = f"tb/cocotb/{bench}".partition("::")
        module = import_module(file.removesuffix(".py").replace("/", "."))
        (mark,) = (m for m in getattr(module, test).pytestmark if m.name == "parametrize")
        ids = [run.id for run in mark.args[1] if run.values[1] == self.simulator]
        return f"{file}::{test}[{ids[self.point]}]"


BLOCKS = (
    Block(
        "prefix-scan",
        "network/test_scans.py::test_prefix_scan",
        ("network/scan.py", "network/plan.py"),
    ),
    Block("rolling-scan", "network/test_scans.py::test_rolling_scan", ("network/rolling.py",)),
    Block("boundaries", "network/test_boundaries.py::test_boundaries", ("network/boundaries.py",)),
    Block("butterfly", "network/test_butterfly.py::test_butterfly", ("network/butterfly.py",)),
    Block(
        "compactor",
        "network/test_compactor.py::test_compactor",
        ("network/compactor.py", "network/dense.py"),
    ),
    Block(
        "pivot-pass",
        "network/test_pivot_pass.py::test_pivot_pass",
        ("aggregate/neighbours.py", "aggregate/pivot_selection.py"),
    ),
    Block(
        "linear-sorter",
        "sort/test_linear_sorter.py::test_linear_sorter",
        ("sort/linear.py", "sort/group_marks.py"),
    ),
    Block(
        "flims",
        "sort/test_flims.py::test_flims",
        ("sort/flims.py", "sort/banks.py", "sort/cardinality.py", "sort/order.py"),
    ),
    Block("merge-tree", "sort/test_merge_tree.py::test_merge_tree", ("sort/tree.py",)),
    Block(
        "merge-sorter",
        "sort/test_merge_sorter.py::test_merge_sorter",
        (
            *("sort/chunk.py", "sort/merge_sorter.py", "sort/schedule.py", "sort/switch.py"),
            *("sort/way_fetch.py", "sort/way_levels.py", "sort/way_sequencer.py", "sort/ways.py"),
            *("sort/window_slots.py", "sort/writer.py"),
        ),
    ),
    Block("replay", "window/test_replay.py::test_replay", ("window/replay.py",)),
    Block(
        "sliding",
        "window/test_sliding.py::test_sliding",
        ("window/evict_path.py", "window/sliding.py"),
    ),
    Block("two-stacks", "window/test_sliding.py::test_two_stacks", ("window/stacks_path.py",)),
    Block("sequential", "window/test_sliding.py::test_sequential", ("window/sequential.py",)),
    Block("punctuator", "window/test_punctuator.py::test_punctuator", ("window/punctuation.py",)),
    Block(
        "window-control",
        "window/test_window_control.py::test_window_control",
        ("window/turn.py", "window/window_control.py"),
    ),
    Block(
        "window-modules",
        "window/test_window_modules.py::test_window_modules",
        ("window/window_id.py",),
    ),
    Block(
        "pane-gate",
        "window/test_pane_gate.py::test_pane_gate",
        ("window/pane_measure.py", "window/panes.py"),
    ),
    Block("pane-buffer", "window/test_pane_buffer.py::test_pane_buffer", ("engine/pane/core.py",)),
    Block(
        "network-face",
        "ethernet/test_network_face.py::test_network_face",
        tuple(f"ethernet/{name}.py" for name in FACE),
    ),
    Block("key-hash", "keyed/test_key_hash.py::test_key_hash", ("keyed/table/key_hash.py",)),
    Block(
        "hash-table", "keyed/test_hash_table.py::test_hash_table", ("keyed/table/hash_table.py",)
    ),
    Block(
        "compressor",
        "keyed/test_compressor.py::test_compressor",
        ("keyed/codec/packer.py", "keyed/codec/xor.py"),
        second_bench=DECOMPRESSOR,
    ),
    Block(
        "compressor, base-delta",
        "keyed/test_compressor.py::test_compressor",
        ("keyed/codec/base_delta/base_delta.py",),
        point=1,
        second_bench=DECOMPRESSOR,
    ),
    Block(
        "compressor, grid",
        "keyed/test_compressor.py::test_compressor",
        ("keyed/codec/grid.py",),
        point=2,
        second_bench=DECOMPRESSOR,
    ),
    Block(
        "compressor, sz",
        "keyed/test_compressor.py::test_compressor",
        ("keyed/codec/sz/sz.py",),
        point=3,
        second_bench=DECOMPRESSOR,
    ),
    Block(
        "compressor, float-sz",
        "keyed/test_compressor.py::test_compressor",
        ("keyed/codec/sz/interval.py",),
        point=6,
    ),
    Block(
        "compressor, scaled-sz",
        "keyed/test_compressor.py::test_compressor",
        ("keyed/codec/sz/scaled_interval.py", "keyed/codec/sz/scaled.py"),
        point=4,
        second_bench=DECOMPRESSOR,
    ),
    Block(
        "decompressor",
        DECOMPRESSOR,
        (
            *("keyed/codec/block_turns.py", "keyed/codec/change_decoder.py"),
            *("keyed/codec/decoder_pool.py", "keyed/codec/decompressor.py"),
            "keyed/codec/folding_decoder.py",
        ),
    ),
    Block(
        "decompressor, base-delta",
        DECOMPRESSOR,
        ("keyed/codec/base_delta/decoder.py",),
        point=1,
    ),
    Block(
        "decompressor, sz",
        DECOMPRESSOR,
        ("keyed/codec/sz/decoder.py", "keyed/codec/sz/values.py"),
        point=3,
    ),
    Block(
        "decompressor, scaled-sz",
        DECOMPRESSOR,
        ("keyed/codec/sz/scaled_decoder.py",),
        point=4,
    ),
    Block(
        "line-memory",
        "keyed/test_line_memory.py::test_line_memory",
        (
            *("keyed/dram/burst_order.py", "keyed/dram/bursts.py", "keyed/dram/line_buffer.py"),
            *("keyed/dram/line_memory.py", "keyed/dram/line_port.py", "keyed/dram/lines.py"),
            *("keyed/dram/line_stripes.py", "keyed/dram/outstanding.py"),
        ),
    ),
    Block(
        "key-windows",
        "keyed/test_key_windows.py::test_windows_of_keys",
        (
            *("keyed/key_windows.py", "keyed/windows/key_rows.py", "keyed/windows/row_steps.py"),
            *("keyed/store/lines/line_commands.py", "keyed/store/lines/tails.py"),
            "keyed/store/lines/window_lines.py",
        ),
    ),
    Block(
        "window-cache",
        "keyed/test_window_cache.py::test_window_cache",
        ("keyed/cache/cached_keys.py", "keyed/cache/cached_values.py"),
    ),
)


def by_bench(catalogue, count, day=None):
    """Returns ``count`` mutants of blocks, each with the run of the block's bench as its test.

    Each block has the same number of mutants, or all that it has: with 5 mutants out of blocks with
    9, 1 and 4 mutants, the numbers are 2, 1 and 2. Different days have different mutants.

    Parameters
    ----------
    catalogue : list of Mutant
    count : int
    day : date or None
        None is the first day.

    Returns
    -------
    dict of Mutant to str
        The name of the block of each mutant.
    """
    of_blocks = {
        block: [mutant for mutant in catalogue if mutant.file.removeprefix("rtl/") in block.files]
        for block in BLOCKS
    }
    shares = dict.fromkeys(BLOCKS, 0)
    total = min(count, sum(map(len, of_blocks.values())))
    while sum(shares.values()) < total:
        block = min(
            (block for block in BLOCKS if shares[block] < len(of_blocks[block])), key=shares.get
        )
        shares[block] += 1
    return {
        replace(mutant, tests=block.runs()): block.name
        for block, share in shares.items()
        if share
        for mutant in choose(of_blocks[block], count=share, day=day)
    }

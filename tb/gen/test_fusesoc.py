"""Checks the core files in FuseSoC: lint, the simulation, and builds by the scripts' files."""

import re

import pytest

from tb.gen.examples import EXAMPLES
from tb.gen.fusesoc import FuseSoc


@pytest.fixture
def fusesoc(tmp_path):
    return FuseSoc(tmp_path)


@pytest.fixture
def write_example(tmp_path, sluice_files):
    """Returns a function that writes the files of an engine's example.

    The function returns their directory and the design's name.
    """

    def write(engine, board=None):
        name, files = sluice_files(engine, board)
        for path, text in files.items():
            place = tmp_path / "cores" / path
            place.parent.mkdir(parents=True, exist_ok=True)
            place.write_text(text)
        return tmp_path / "cores", name

    return write


@pytest.mark.in_turn
@pytest.mark.parametrize(
    "engine",
    [
        pytest.param(name, marks=pytest.mark.regress) if name == "swag" else name
        for name in EXAMPLES
    ],
)
def test_lint(engine, write_example, fusesoc):
    """Designs without a board are included. Any warning would be an error."""
    code, said = fusesoc.run(*write_example(engine), "--target", "lint")
    assert code == 0, said
    assert re.search(r"Verilator: Built from .* sources", said)
    assert "%Warning" not in said


@pytest.mark.in_turn(5)
def test_lint_finds_a_fault(write_example, fusesoc):
    cores, name = write_example("group-by")
    text = (cores / f"{name}.v").read_text()
    (cores / f"{name}.v").write_text(text.replace("endmodule", "  wire open;\nendmodule", 1))
    code, said = fusesoc.run(cores, name, "--target", "lint")
    assert code != 0
    assert "UNUSEDSIGNAL" in said or "UNDRIVEN" in said


@pytest.mark.in_turn
@pytest.mark.hdl
def test_simulation(write_example, fusesoc):
    cores, name = write_example("group-by")
    code, said = fusesoc.run(cores, name, "--target", "sim")
    assert code == 0, said
    assert f"PASS: {name}\n" in said


@pytest.mark.regress
@pytest.mark.parametrize("engine", [engine for engine in EXAMPLES if engine != "group-by"])
def test_simulation_of_each(engine, write_example, fusesoc):
    cores, name = write_example(engine)
    code, said = fusesoc.run(cores, name, "--target", "sim")
    assert code == 0, said
    assert f"PASS: {name}\n" in said


@pytest.mark.in_turn(5)
def test_vivado_runs_the_script(write_example, fusesoc):
    """Vivado is called once, with ``build.tcl``, and the files that the script names are there."""
    cores, name = write_example("group-by", "ultra96-v2")
    fusesoc.spy("vivado")
    code, said = fusesoc.run(cores, name, "--target", "build")
    assert code == 0, said
    calls = [line for line in said.splitlines() if line.startswith("called: ")]
    assert len(calls) == 1
    assert calls[0].endswith("vivado -mode batch -source vivado/build.tcl")
    for path in ("vivado/build.tcl", f"vivado/{name}.xdc", f"{name}.v"):
        assert (fusesoc.work / path).read_bytes() == (cores / path).read_bytes()
    script = (cores / "vivado" / "build.tcl").read_text()
    assert f"[file join $here .. {name}.v]" in script
    assert f"[file join $here {name}.xdc]" in script


def assignments(text):
    """Returns kind, name and value of each assignment of a Quartus project, files without path."""
    matches = re.findall(r"^set_(\w+_assignment) -name (\w+) (.*)$", text, re.MULTILINE)
    return {(kind, name, value.rpartition("/")[2]) for kind, name, value in matches}


@pytest.mark.in_turn
def test_quartus_has_the_same_assignments(write_example, fusesoc):
    cores, name = write_example("group-by", "de5-net")
    fusesoc.spy("quartus_sh")
    code, said = fusesoc.run(cores, name, "--target", "build", "--setup")
    assert code == 0, said
    (project,) = fusesoc.work.glob("*.tcl")
    text = project.read_text()
    (sourced,) = re.findall(r"^source (\S+)$", text, re.MULTILINE)
    shared = (cores / "quartus" / f"{name}_assignments.tcl").read_text()
    assert (fusesoc.work / sourced).read_text() == shared
    options = (cores / "quartus" / f"{name}.qsf").read_text()
    own_values = {
        ("global_assignment", "SOURCE_TCL_SCRIPT_FILE", f"{name}_assignments.tcl"),
        ("global_assignment", "PROJECT_OUTPUT_DIRECTORY", "build"),
    }
    assert assignments(text + shared) == assignments(options + shared) - own_values
    assert (fusesoc.work / "quartus" / "timing.tcl").exists()
    assert shared.count("VIRTUAL_PIN ON") == 1 + 21  # reset_n, 14 pins of streams, 7 of registers

"""Runs `sluice generate --unit`: writes one unit as Verilog with a port for each field."""

from pathlib import Path

from gen.directory.unit_files import unit_files
from gen.directory.whole_directory import write_directory
from gen.terminal.console import Output, table
from query.design import settings as read_settings


def generate_unit(out: Output, name: str, directory: Path, settings: list[str]) -> None:
    """Writes the Verilog and the manifest of a unit into a directory.

    Raises UserError for an unknown name or setting, and if the directory cannot be written.
    """
    with out.step(f"generating {name}"):
        described, files = unit_files(name, read_settings(settings))
    write_directory(directory, files)
    out.result(
        {"directory": str(directory)} | described,
        table(name, ["", ""], [[key, str(v)] for key, v in described["parameters"].items()]),
        f"{len(described['ports'])} ports, clock {described['clock']}, "
        f"reset {described['reset']['port']}",
        f"{len(files)} files in {directory}: {', '.join(sorted(files))}",
    )

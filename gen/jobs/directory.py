"""Writes the directory of a design."""

import json
from collections.abc import Sequence
from os import PathLike
from pathlib import Path
from typing import Any

from gen.design.build import Build
from gen.directory.design_files import design_files
from gen.directory.manifest import MANIFEST
from gen.directory.whole_directory import write_directory
from gen.jobs.progress import Progress


def generate_directory(
    out: Progress,
    build: Build,
    directory: Path,
    cache: str | PathLike,
    *,
    docs: bool = False,
    bench: dict[str, str] | None = None,
    reads: Sequence[Path] = (),
) -> tuple[dict[str, Any], dict[str, Any]]:
    """Writes the files of a design into a directory, completely or not at all.

    Returns the contents of the files by their paths, and the manifest. ``docs`` adds the register
    map as HTML, ``bench`` the files of the bench in cocotb. ``reads`` are files besides the design
    point that the caller reads: they are not replaced. Raises UserError.
    """
    with out.step(f"generating {build.name}"):
        files = design_files(build, cache, html=docs, bench=bench)
    write_directory(directory, files, [*build.point.files, *reads])
    return files, json.loads(files[MANIFEST])

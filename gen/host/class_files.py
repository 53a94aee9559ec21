"""Returns the files of the package :mod:`host` for the directory of a design, without folders."""

from importlib.resources import files


def host_files() -> dict[str, str]:
    """Returns the sources by path, below ``host/``."""
    sources = (path for path in files("host").iterdir() if path.name.endswith(".py"))
    return {f"host/{path.name}": path.read_text() for path in sorted(sources, key=lambda p: p.name)}

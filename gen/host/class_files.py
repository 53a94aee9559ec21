"""Copies the host class :mod:`host` into the directory of a design."""

from importlib.resources import files


def host_files() -> dict[str, str]:
    """Returns the sources by path, below ``host/``."""
    sources = (path for path in files("host").iterdir() if path.name.endswith(".py"))
    return {f"host/{path.name}": path.read_text() for path in sorted(sources, key=lambda p: p.name)}

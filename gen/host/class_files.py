"""The host class as it is written beside a design: a copy of :mod:`host`, and nothing else."""

from importlib.resources import files


def host_files():
    """The sources by path, below ``host/``."""
    sources = (path for path in files("host").iterdir() if path.name.endswith(".py"))
    return {f"host/{path.name}": path.read_text() for path in sorted(sources, key=lambda p: p.name)}

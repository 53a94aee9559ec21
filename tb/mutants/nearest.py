"""Finds the test files that are nearest to a source, by what the files of the tree import."""

import ast
from collections import deque
from pathlib import Path

ROOMS = ("query", "golden", "rtl", "boards", "host", "sim", "gen", "tb")


class Imports:
    """The import graph of a tree.

    Parameters
    ----------
    root : Path
        The tree.
    """

    def __init__(self, root):
        self._root = Path(root)
        paths = [path for room in ROOMS for path in sorted((self._root / room).rglob("*.py"))]
        self._files = {self._name(path): path.relative_to(self._root).as_posix() for path in paths}
        self._importers = {file: set() for file in self._files.values()}
        for path in paths:
            file = path.relative_to(self._root).as_posix()
            for imported in self._imported(path):
                self._importers[imported].add(file)

    def _name(self, path):
        parts = path.relative_to(self._root).with_suffix("").parts
        return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)

    def _imported(self, path):
        package = path.relative_to(self._root).parts[:-1]
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Import):
                names = [alias.name for alias in node.names]
            elif isinstance(node, ast.ImportFrom):
                up = package[: len(package) - node.level + 1] if node.level else ()
                base = ".".join([*up, *([node.module] if node.module else [])])
                names = [base, *(f"{base}.{alias.name}" for alias in node.names)]
            else:
                continue
            yield from (self._files[name] for name in names if name in self._files)

    def distances(self, file):
        """Test files that reach ``file`` by imports, with the number of steps.

        A step from one file of ``tb`` to another is none: a bench belongs to its test.
        """
        found, queue = {file: 0}, deque([file])
        while queue:
            here = queue.popleft()
            for importer in sorted(self._importers[here]):
                step = 0 if here.startswith("tb/") else 1
                if found.get(importer, len(self._importers)) > found[here] + step:
                    found[importer] = found[here] + step
                    (queue.append if step else queue.appendleft)(importer)
        return {path: steps for path, steps in found.items() if is_test(path)}

    def nearest(self, file):
        """Test files, nearest first: the mirrored one, then by steps, then those of the same room.

        For instance of ``rtl/stream/skid.py`` the mirrored one is ``tb/rtl/stream/test_skid.py``.
        """
        distances = self.distances(file)
        path = Path(file)
        mirrored = f"tb/{path.parent}/test_{path.stem}.py"
        if mirrored in self._importers:
            distances[mirrored] = 0
        room = f"tb/{path.parent}/"
        if not distances:  # it is imported by a name that is made up while the program runs
            distances = {t: 0 for t in self._importers if is_test(t) and t.startswith(room)}
        return sorted(
            distances, key=lambda test: (distances[test], not test.startswith(room), test)
        )


def is_test(file):
    """True if pytest collects the file."""
    return file.startswith("tb/") and Path(file).name.startswith("test_")
